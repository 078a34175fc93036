//! The stages of a run in order: which chunks there are, and what became of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analysts::Engine;
use crate::assembling::{self, Searched, State};
use crate::chunk::{Done, Id};
use crate::commit::{Commit, FailedChunk};
use crate::context::Context;
use crate::input::{Archive, Listing};
use crate::key::ChunkKey;
use crate::places::{Places, Taken};
use crate::progress::Event;
use crate::receipt::{Facts, IndexFacts, Part, Receipt, ReplayFacts, SearchFacts};
use crate::replaying;
use crate::run::RunError;
use crate::stage::Stage;
use crate::work::{self, CutWork, IndexWork, ReplayWork, SearchWork};

/// An input object after the index stage.
#[derive(Debug)]
pub(crate) struct Indexed {
    pub(crate) archive: Archive,
    pub(crate) receipt: Receipt,
    pub(crate) facts: IndexFacts,
}

/// What the index stage gives.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    pub(crate) archives: Vec<Indexed>,
    /// Name and reason.
    pub(crate) unreadable: Vec<(String, String)>,
    pub(crate) failed: Vec<FailedChunk>,
    /// Objects not looked at: the run was told to stop, or the deadline came.
    pub(crate) left: u64,
}

pub(crate) fn index(context: &Context<'_>, listing: Listing) -> Result<Indexing, RunError> {
    let work: Vec<IndexWork> = listing
        .archives
        .into_iter()
        .map(|archive| IndexWork::new(context, archive))
        .collect();
    let done = work::index(context, &work)?;
    let mut indexing = Indexing {
        unreadable: listing.missing,
        ..Indexing::default()
    };
    for (IndexWork { id, archive }, done) in work.into_iter().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => match receipt.facts.clone() {
                Facts::Index(facts) => indexing.archives.push(Indexed {
                    archive,
                    receipt,
                    facts,
                }),
                _ => return Err(broken(&receipt)),
            },
            Done::Unreadable(reason) => indexing.unreadable.push((id.archive, reason)),
            Done::Failed(failed) => indexing.failed.push(failed),
            Done::Left | Done::Busy => indexing.left += 1,
        }
    }
    for (archive, reason) in &indexing.unreadable {
        tracing::warn!(run = context.run, archive, reason, "archive cannot be read");
        context
            .options
            .progress
            .event(&Event::Unreadable { archive, reason });
    }
    Ok(indexing)
}

/// A replay chunk that is done, on its way to evaluations.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) archive: String,
    pub(crate) replay: Receipt,
    pub(crate) facts: ReplayFacts,
    /// Where its rows of `games` are now: replay's own part, or the one that assemble put in its place.
    pub(crate) games: Vec<Part>,
    pub(crate) cut: Option<Receipt>,
    pub(crate) searched: Vec<Searched>,
    pub(crate) assembled: Option<Receipt>,
    /// What the current commit has in the place of chunks' own parts.
    pub(crate) places: Arc<Places>,
}

/// What the replay stage gives.
#[derive(Debug, Default)]
pub(crate) struct Replaying {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) unreadable: Vec<(String, String)>,
    pub(crate) failed: Vec<FailedChunk>,
    pub(crate) left: u64,
}

pub(crate) fn replay(
    context: &Context<'_>,
    indexing: &Indexing,
    current: Option<&Commit>,
) -> Result<Replaying, RunError> {
    let work = replay_work(context, indexing);
    let places = Arc::new(Places::of(context, current)?);
    let done = work::replay(context, &work, &places)?;
    let mut replaying = Replaying::default();
    for (ReplayWork { id, .. }, done) in work.into_iter().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => {
                let Facts::Replay(facts) = receipt.facts.clone() else {
                    return Err(broken(&receipt));
                };
                let Taken { replay, games } = places
                    .taken(context, &receipt)
                    .unwrap_or_else(|| Taken::own(receipt));
                replaying.chunks.push(Chunk {
                    archive: id.archive,
                    replay,
                    facts,
                    games,
                    cut: None,
                    searched: Vec::new(),
                    assembled: None,
                    places: Arc::clone(&places),
                });
            }
            Done::Unreadable(reason) => replaying.unreadable.push((id.archive, reason)),
            Done::Failed(failed) => replaying.failed.push(failed),
            Done::Left | Done::Busy => replaying.left += 1,
        }
    }
    for (archive, reason) in &replaying.unreadable {
        context
            .options
            .progress
            .event(&Event::Unreadable { archive, reason });
    }
    Ok(replaying)
}

/// The replay chunks of archives that are indexed, in order.
pub(crate) fn replay_work<'a>(
    context: &Context<'_>,
    indexing: &'a Indexing,
) -> Vec<ReplayWork<'a>> {
    let chunks = indexing.archives.iter().flat_map(|indexed| {
        let chunks = indexed.facts.chunks.iter();
        chunks.map(move |chunk| (indexed, chunk))
    });
    let work = chunks.map(|(indexed, facts)| {
        let name = &indexed.archive.name;
        let key = replaying::key(context, name, &indexed.facts, facts);
        ReplayWork {
            id: Id::new(Stage::Replay, key, name),
            archive: &indexed.archive,
            facts,
        }
    });
    work.collect()
}

impl Chunk {
    /// Where its rows are, of every table: what a commit names of it where it stands alone. Games come from where they were last put.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        let games = match self.assembled {
            Some(_) => &[][..],
            None => self.games.as_slice(),
        };
        let replayed = self.replay.parts.iter();
        let replayed = replayed.filter(|part| part.table != "games");
        let assembled = self.assembled.iter().flat_map(|receipt| &receipt.parts);
        games.iter().chain(replayed).chain(assembled)
    }

    /// Whether a part of it holds other chunks' rows as well.
    pub(crate) fn is_merged(&self, part: &Part) -> bool {
        self.places.is_merged(part)
    }

    /// An assemble receipt of it with its rows where they are now, if all of them can still be read.
    pub(crate) fn assembled_as(&self, context: &Context<'_>, receipt: &Receipt) -> Option<Receipt> {
        self.places.assembled(context, receipt)
    }
}

/// Where the rows of `games` of all chunks are, in order.
pub(crate) fn games_parts(chunks: &[Chunk]) -> Vec<Part> {
    let games = chunks.iter().flat_map(|chunk| &chunk.games);
    games.cloned().collect()
}

/// Finds what analysis is left: cuts every chunk, and sees which search chunks have receipts.
pub(crate) fn cut(
    context: &Context<'_>,
    engine: &Engine,
    chunks: &mut [Chunk],
) -> Result<Vec<FailedChunk>, RunError> {
    let work: Vec<CutWork<'_>> = chunks
        .iter()
        .map(|chunk| CutWork::new(context, engine, &chunk.archive, &chunk.replay, &chunk.games))
        .collect();
    let done = work::cut(context, engine, &work)?;
    drop(work);
    let mut failures = Vec::new();
    for (chunk, done) in chunks.iter_mut().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => {
                let Facts::Cut(facts) = &receipt.facts else {
                    return Err(broken(&receipt));
                };
                for facts in &facts.chunks {
                    let state = searched(context, &facts.key)?;
                    chunk.searched.push(Searched {
                        facts: facts.clone(),
                        state,
                    });
                }
                chunk.cut = Some(receipt);
            }
            Done::Failed(failed) => failures.push(failed),
            Done::Unreadable(_) | Done::Left | Done::Busy => {}
        }
    }
    let searched = chunks.iter().flat_map(|chunk| &chunk.searched);
    let before = searched.filter(|searched| matches!(searched.state, State::Done(_)));
    let keys: BTreeSet<ChunkKey> = before.map(|searched| searched.facts.key).collect();
    context.tally_skipped(Stage::Search, keys.len() as u64);
    Ok(failures)
}

fn searched(context: &Context<'_>, key: &ChunkKey) -> Result<State, RunError> {
    let receipt = context.output.receipt(Stage::Search, key)?;
    Ok(match receipt {
        Some(receipt) if context.output.has_all(&receipt.parts) && context.goes_by(&receipt) => {
            State::Done(receipt)
        }
        _ => State::Pending,
    })
}

/// Whether any search chunk has no receipt.
pub(crate) fn search_is_open(chunks: &[Chunk]) -> bool {
    chunks.iter().any(|chunk| {
        chunk
            .searched
            .iter()
            .any(|searched| matches!(searched.state, State::Pending))
    })
}

/// Searches what has no receipt: chunks with findings first, then the newest.
pub(crate) fn search(
    context: &Context<'_>,
    engine: &Engine,
    chunks: &mut [Chunk],
) -> Result<Vec<FailedChunk>, RunError> {
    let (open, skipped) = search_work(chunks);
    let done = work::search(context, engine, &open, skipped)?;
    let mut states: BTreeMap<ChunkKey, Done> =
        open.into_iter().map(|work| work.id.key).zip(done).collect();
    let mut failures = Vec::new();
    for searched in chunks.iter_mut().flat_map(|chunk| &mut chunk.searched) {
        match states.get_mut(&searched.facts.key) {
            Some(Done::Skipped(receipt) | Done::Made(receipt)) => {
                searched.state = State::Done(receipt.clone())
            }
            Some(Done::Failed(failed)) => {
                searched.state = State::Failed;
                failures.push(failed.clone());
            }
            _ => {}
        }
    }
    failures.dedup();
    Ok(failures)
}

/// The search chunks without scores, each once, in the order in which they are worth having; and how many have scores.
pub(crate) fn search_work(chunks: &[Chunk]) -> (Vec<SearchWork<'_>>, u64) {
    let mut open: Vec<(&Chunk, &SearchFacts)> = Vec::new();
    let mut known: BTreeSet<ChunkKey> = BTreeSet::new();
    let mut skipped = 0;
    for chunk in chunks {
        for searched in &chunk.searched {
            let new = known.insert(searched.facts.key);
            match searched.state {
                State::Pending if new => open.push((chunk, &searched.facts)),
                _ => skipped += u64::from(new),
            }
        }
    }
    open.sort_by(|a, b| {
        let rank =
            |entry: &(&Chunk, &SearchFacts)| (entry.1.marked > 0, entry.0.facts.newest.clone());
        rank(b).cmp(&rank(a))
    });
    let work = open.into_iter().map(|(chunk, facts)| SearchWork {
        id: Id::new(Stage::Search, facts.key, &chunk.archive),
        replay: &chunk.replay,
        games: &chunk.games,
        facts,
    });
    (work.collect(), skipped)
}

/// Puts games and scores together. Chunks whose search is not complete get what there is.
pub(crate) fn assemble(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &mut [Chunk],
) -> Result<Vec<FailedChunk>, RunError> {
    let done = work::assemble(context, engine, chunks)?;
    let mut failures = Vec::new();
    for (chunk, done) in chunks.iter_mut().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => {
                let placed = chunk.assembled_as(context, &receipt);
                chunk.assembled = Some(placed.unwrap_or(receipt));
            }
            Done::Failed(failed) => failures.push(failed),
            Done::Unreadable(_) | Done::Left | Done::Busy => {}
        }
    }
    Ok(failures)
}

/// Takes up assemble receipts that are there already, for a commit before search is complete.
pub(crate) fn already_assembled(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &mut [Chunk],
) -> Result<(), RunError> {
    for chunk in chunks {
        let complete = chunk
            .searched
            .iter()
            .all(|searched| matches!(searched.state, State::Done(_)));
        if complete {
            let key = assembling::key(context, engine, chunk);
            let receipt = context.output.receipt(Stage::Assemble, &key)?;
            chunk.assembled = receipt.and_then(|receipt| chunk.assembled_as(context, &receipt));
        }
    }
    Ok(())
}

pub(crate) fn broken(receipt: &Receipt) -> RunError {
    RunError::Broken {
        path: receipt.path(),
        reason: "it holds another stage's facts".to_owned(),
    }
}
