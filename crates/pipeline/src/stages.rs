//! The stages of a run in order: which chunks there are, and what became of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::analysts::Engine;
use crate::assembling::{self, Searched, State};
use crate::chunk::{Done, Id};
use crate::commit::{Commit, FailedChunk};
use crate::context::Context;
use crate::input::{Archive, Listing};
use crate::key::ChunkKey;
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
            Done::Left => indexing.left += 1,
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
    let places = Places::of(current);
    let done = work::replay(context, &work, &places)?;
    let mut replaying = Replaying::default();
    for (ReplayWork { id, .. }, done) in work.into_iter().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => {
                let Facts::Replay(facts) = receipt.facts.clone() else {
                    return Err(broken(&receipt));
                };
                let games = places
                    .games(context, &receipt)
                    .unwrap_or_else(|| games_of(&receipt.parts));
                replaying.chunks.push(Chunk {
                    archive: id.archive,
                    replay: receipt,
                    facts,
                    games,
                    cut: None,
                    searched: Vec::new(),
                    assembled: None,
                });
            }
            Done::Unreadable(reason) => replaying.unreadable.push((id.archive, reason)),
            Done::Failed(failed) => replaying.failed.push(failed),
            Done::Left => replaying.left += 1,
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

/// Where the current commit has the `games` of each replay chunk.
#[derive(Debug, Default)]
pub(crate) struct Places {
    by_replay: HashMap<ChunkKey, Vec<Part>>,
}

impl Places {
    pub(crate) fn of(current: Option<&Commit>) -> Places {
        let mut by_assemble: HashMap<String, Vec<Part>> = HashMap::new();
        let Some(commit) = current else {
            return Places::default();
        };
        for part in commit.parts("games") {
            let name = part.path.rsplit('/').next().unwrap_or_default();
            let key = name.split('-').next().unwrap_or_default();
            by_assemble
                .entry(key.to_owned())
                .or_default()
                .push(part.clone());
        }
        let by_replay = commit
            .archives
            .iter()
            .flat_map(|archive| &archive.chunks)
            .filter_map(|chunk| {
                let parts = by_assemble.get(&chunk.assemble?.to_string())?;
                Some((chunk.replay, parts.clone()))
            })
            .collect();
        Places { by_replay }
    }

    /// The `games` parts that stand for a replay receipt, if everything of it can still be read.
    pub(crate) fn games(&self, context: &Context<'_>, receipt: &Receipt) -> Option<Vec<Part>> {
        let (games, others): (Vec<Part>, Vec<Part>) = receipt
            .parts
            .iter()
            .cloned()
            .partition(|part| part.table == "games");
        if !context.output.has_all(&others) {
            return None;
        }
        if context.output.has_all(&games) {
            return Some(games);
        }
        let moved = self.by_replay.get(&receipt.key)?;
        context.output.has_all(moved).then(|| moved.clone())
    }
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
            Done::Unreadable(_) | Done::Left => {}
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
        Some(receipt) if context.output.has_all(&receipt.parts) => State::Done(receipt),
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
            Done::Skipped(receipt) | Done::Made(receipt) => chunk.assembled = Some(receipt),
            Done::Failed(failed) => failures.push(failed),
            Done::Unreadable(_) | Done::Left => {}
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
            chunk.assembled = receipt.filter(|receipt| context.output.has_all(&receipt.parts));
        }
    }
    Ok(())
}

pub(crate) fn games_of(parts: &[Part]) -> Vec<Part> {
    parts
        .iter()
        .filter(|part| part.table == "games")
        .cloned()
        .collect()
}

pub(crate) fn broken(receipt: &Receipt) -> RunError {
    RunError::Broken {
        path: receipt.path(),
        reason: "it holds another stage's facts".to_owned(),
    }
}
