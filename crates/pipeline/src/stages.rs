//! The stages of a run in order: which chunks there are, which have receipts, and the rest done on this machine.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::thread;

use crate::analysts::{self, Engine};
use crate::assembling::{self, Searched, State};
use crate::chunk::{self, Done, Id};
use crate::commit::{Commit, FailedChunk};
use crate::context::Context;
use crate::index;
use crate::input::{Archive, Listing};
use crate::key::ChunkKey;
use crate::progress::Event;
use crate::receipt::{ChunkFacts, Facts, IndexFacts, Part, Receipt, ReplayFacts, SearchFacts};
use crate::replaying;
use crate::run::RunError;
use crate::search;
use crate::stage::Stage;

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
    let chunks: Vec<(Id, Archive)> = listing
        .archives
        .into_iter()
        .map(|archive| {
            (
                id(Stage::Index, index::key(context, &archive), &archive.name),
                archive,
            )
        })
        .collect();
    let open = chunks.iter().filter(|(id, _)| !has_receipt(context, id));
    let (count, bytes) = open.fold((0, 0), |(count, bytes), (_, archive)| {
        (count + 1, bytes + archive.size)
    });
    let meter = context.meter(
        Stage::Index,
        count,
        chunks.len() as u64 - count,
        bytes,
        "bytes",
    );
    let done = context.each(context.open_chunks(), &chunks, |(id, archive)| {
        if !has_receipt(context, id) && context.deadline_came() {
            return Ok(Done::Left);
        }
        chunk::run(
            context,
            id,
            |_| true,
            || index::index(context, archive, &meter),
        )
    })?;
    meter.finish();
    context.tally(Stage::Index, &done);
    let mut indexing = Indexing {
        unreadable: listing.missing,
        ..Indexing::default()
    };
    for ((id, archive), done) in chunks.into_iter().zip(done) {
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
    let chunks: Vec<(Id, &Indexed, &ChunkFacts)> = indexing
        .archives
        .iter()
        .flat_map(|indexed| {
            indexed
                .facts
                .chunks
                .iter()
                .map(move |chunk| (indexed, chunk))
        })
        .map(|(indexed, chunk)| {
            let name = &indexed.archive.name;
            let key = replaying::key(context, name, &indexed.facts, chunk);
            (id(Stage::Replay, key, name), indexed, chunk)
        })
        .collect();
    let places = Places::of(current);
    let open = chunks.iter().filter(|(id, ..)| !has_receipt(context, id));
    let (count, bytes) = open.fold((0, 0), |(count, bytes), (_, _, chunk)| {
        (count + 1, bytes + chunk.bytes())
    });
    let meter = context.meter(
        Stage::Replay,
        count,
        chunks.len() as u64 - count,
        bytes,
        "bytes",
    );
    let done = context.each(context.open_chunks(), &chunks, |(id, indexed, facts)| {
        if !has_receipt(context, id) && context.deadline_came() {
            return Ok(Done::Left);
        }
        let usable = |receipt: &Receipt| places.games(context, receipt).is_some();
        let work = || replaying::replay(context, &indexed.archive, facts, id.key, &meter);
        chunk::run(context, id, usable, work)
    })?;
    meter.finish();
    context.tally(Stage::Replay, &done);
    let mut replaying = Replaying::default();
    for ((id, ..), done) in chunks.into_iter().zip(done) {
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

/// Where the current commit has the `games` of each replay chunk.
#[derive(Debug, Default)]
struct Places {
    by_replay: HashMap<ChunkKey, Vec<Part>>,
}

impl Places {
    fn of(current: Option<&Commit>) -> Places {
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
    fn games(&self, context: &Context<'_>, receipt: &Receipt) -> Option<Vec<Part>> {
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
    let meter = context.meter(
        Stage::Cut,
        chunks.len() as u64,
        0,
        chunks.len() as u64,
        "chunks",
    );
    let done = context.each(context.job.threads(), chunks, |chunk| {
        let id = id(
            Stage::Cut,
            search::cut_key(context, engine, &chunk.replay.key),
            &chunk.archive,
        );
        let done = chunk::run(
            context,
            &id,
            |_| true,
            || search::cut(context, engine, &chunk.replay, &chunk.games),
        );
        meter.add(1);
        done
    })?;
    meter.finish();
    context.tally(Stage::Cut, &done);
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
    let mut open: Vec<(Id, &Chunk, &SearchFacts)> = Vec::new();
    let mut known: BTreeSet<ChunkKey> = BTreeSet::new();
    let mut skipped = 0;
    for chunk in chunks.iter() {
        for searched in &chunk.searched {
            let new = known.insert(searched.facts.key);
            match searched.state {
                State::Pending if new => open.push((
                    id(Stage::Search, searched.facts.key, &chunk.archive),
                    chunk,
                    &searched.facts,
                )),
                _ => skipped += u64::from(new),
            }
        }
    }
    open.sort_by(|a, b| {
        let rank =
            |entry: &(Id, &Chunk, &SearchFacts)| (entry.2.marked > 0, entry.1.facts.newest.clone());
        rank(b).cmp(&rank(a))
    });
    let units = open.iter().map(|(_, _, facts)| facts.units).sum();
    let meter = context.meter(Stage::Search, open.len() as u64, skipped, units, "plies");
    let done = thread::scope(|scope| {
        let analysts = analysts::hire(scope, context, engine, &meter);
        // Two chunks are open at once, so that no engine waits for the last game of the one before.
        let done = context.each(2, &open, |(id, chunk, facts)| {
            if context.deadline_came() {
                return Ok(Done::Left);
            }
            let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
            let work = || {
                search::search(
                    context,
                    engine,
                    &analysts,
                    &chunk.replay,
                    &chunk.games,
                    facts,
                )
            };
            chunk::run(context, id, usable, work)
        });
        drop(analysts);
        done
    })?;
    meter.finish();
    context.tally(Stage::Search, &done);
    let mut states: BTreeMap<ChunkKey, Done> =
        open.into_iter().map(|(id, ..)| id.key).zip(done).collect();
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

/// Puts games and scores together. Chunks whose search is not complete get what there is.
pub(crate) fn assemble(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &mut [Chunk],
) -> Result<Vec<FailedChunk>, RunError> {
    let games = chunks
        .iter()
        .map(|chunk| chunk.replay.count("games_found"))
        .sum();
    let meter = context.meter(Stage::Assemble, chunks.len() as u64, 0, games, "games");
    let done = context.each(context.open_chunks(), chunks, |chunk| {
        let key = assembling::key(context, engine, chunk);
        let id = id(Stage::Assemble, key, &chunk.archive);
        let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
        chunk::run(context, &id, usable, || {
            assembling::assemble(context, engine, chunk, key, &meter)
        })
    })?;
    meter.finish();
    context.tally(Stage::Assemble, &done);
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

fn id(stage: Stage, key: ChunkKey, archive: &str) -> Id {
    Id {
        stage,
        key,
        archive: archive.to_owned(),
    }
}

fn has_receipt(context: &Context<'_>, id: &Id) -> bool {
    context.output.has(&Receipt::path_of(id.stage, &id.key))
}

fn broken(receipt: &Receipt) -> RunError {
    RunError::Broken {
        path: receipt.path(),
        reason: "it holds another stage's facts".to_owned(),
    }
}
