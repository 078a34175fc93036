//! The chunks of a stage, done by this process: what a run and a task of an array share.

use std::thread;

use crate::alone::Piece;
use crate::analysts::{self, Engine};
use crate::assembling;
use crate::chunk::{self, Done, Id, Patience};
use crate::context::Context;
use crate::index;
use crate::input::Archive;
use crate::manifest::PlannedArchive;
use crate::places::Places;
use crate::receipt::{ChunkFacts, Part, Receipt, SearchFacts};
use crate::replaying;
use crate::run::RunError;
use crate::search;
use crate::stage::Stage;
use crate::stages::Chunk;

/// An input object to index.
#[derive(Debug)]
pub(crate) struct IndexWork {
    pub(crate) id: Id,
    pub(crate) archive: Archive,
}

impl IndexWork {
    pub(crate) fn new(context: &Context<'_>, archive: Archive) -> IndexWork {
        let key = index::key(context, &archive);
        IndexWork {
            id: Id::new(Stage::Index, key, &archive.name),
            archive,
        }
    }
}

/// Indexes what has no receipt.
pub(crate) fn index(context: &Context<'_>, work: &[IndexWork]) -> Result<Vec<Done>, RunError> {
    let open = work.iter().filter(|work| !has_receipt(context, &work.id));
    let (count, bytes) = open.fold((0, 0), |(count, bytes), work| {
        (count + 1, bytes + work.archive.size)
    });
    let skipped = work.len() as u64 - count;
    let meter = context.meter(Stage::Index, count, skipped, bytes, "bytes");
    let done = each(context, context.open_chunks(), work, |work, patience| {
        if !has_receipt(context, &work.id) && context.deadline_came() {
            return Ok(Done::Left);
        }
        let index = || index::index(context, &work.archive, &meter);
        let alone = || {
            let archive = PlannedArchive::of(&work.archive);
            Some(Piece::Index { archive })
        };
        chunk::run(context, &work.id, patience, |_| true, alone, index)
    })?;
    meter.finish();
    context.tally(Stage::Index, &done);
    Ok(done)
}

/// A range of an archive to replay.
#[derive(Debug)]
pub(crate) struct ReplayWork<'a> {
    pub(crate) id: Id,
    pub(crate) archive: &'a Archive,
    pub(crate) facts: &'a ChunkFacts,
}

/// Replays what has no receipt.
pub(crate) fn replay(
    context: &Context<'_>,
    work: &[ReplayWork<'_>],
    places: &Places,
) -> Result<Vec<Done>, RunError> {
    let open = work.iter().filter(|work| !has_receipt(context, &work.id));
    let (count, bytes) = open.fold((0, 0), |(count, bytes), work| {
        (count + 1, bytes + work.facts.bytes())
    });
    let skipped = work.len() as u64 - count;
    let meter = context.meter(Stage::Replay, count, skipped, bytes, "bytes");
    let done = each(context, context.open_chunks(), work, |work, patience| {
        if !has_receipt(context, &work.id) && context.deadline_came() {
            return Ok(Done::Left);
        }
        let usable = |receipt: &Receipt| places.taken(context, receipt).is_some();
        let replay = || replaying::replay(context, work.archive, work.facts, work.id.key, &meter);
        let alone = || {
            Some(Piece::Replay {
                archive: PlannedArchive::of(work.archive),
                facts: work.facts.clone(),
                key: work.id.key,
            })
        };
        chunk::run(context, &work.id, patience, usable, alone, replay)
    })?;
    meter.finish();
    context.tally(Stage::Replay, &done);
    Ok(done)
}

/// A replay chunk to cut into search chunks.
#[derive(Debug)]
pub(crate) struct CutWork<'a> {
    pub(crate) id: Id,
    pub(crate) replay: &'a Receipt,
    pub(crate) games: &'a [Part],
}

impl<'a> CutWork<'a> {
    pub(crate) fn new(
        context: &Context<'_>,
        engine: &Engine,
        archive: &str,
        replay: &'a Receipt,
        games: &'a [Part],
    ) -> CutWork<'a> {
        let key = search::cut_key(context, engine, &replay.standing());
        CutWork {
            id: Id::new(Stage::Cut, key, archive),
            replay,
            games,
        }
    }
}

/// Cuts what has no receipt.
pub(crate) fn cut(
    context: &Context<'_>,
    engine: &Engine,
    work: &[CutWork<'_>],
) -> Result<Vec<Done>, RunError> {
    let count = work.len() as u64;
    let meter = context.meter(Stage::Cut, count, 0, count, "chunks");
    let done = each(context, context.job.threads(), work, |work, patience| {
        let cut = || search::cut(context, engine, work.replay, work.games);
        let done = chunk::run(context, &work.id, patience, |_| true, || None, cut);
        meter.add(1);
        done
    })?;
    meter.finish();
    context.tally(Stage::Cut, &done);
    Ok(done)
}

/// Plies to search.
#[derive(Debug)]
pub(crate) struct SearchWork<'a> {
    pub(crate) id: Id,
    pub(crate) replay: &'a Receipt,
    pub(crate) games: &'a [Part],
    pub(crate) facts: &'a SearchFacts,
}

/// Searches what has no receipt, in the order given. `skipped` chunks were done before.
pub(crate) fn search(
    context: &Context<'_>,
    engine: &Engine,
    work: &[SearchWork<'_>],
    skipped: u64,
) -> Result<Vec<Done>, RunError> {
    let units = work.iter().map(|work| work.facts.units).sum();
    let meter = context.meter(Stage::Search, work.len() as u64, skipped, units, "plies");
    let done = thread::scope(|scope| {
        let analysts = analysts::hire(scope, context, engine, &meter);
        // Two chunks are open at once, so that no engine waits for the last game of the one before.
        let done = each(context, 2, work, |work, patience| {
            if context.deadline_came() {
                return Ok(Done::Left);
            }
            let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
            let (replay, games, facts) = (work.replay, work.games, work.facts);
            let search = || search::search(context, engine, &analysts, replay, games, facts);
            let alone = || {
                Some(Piece::Search {
                    replay: Box::new(replay.clone()),
                    games: games.to_vec(),
                    facts: facts.clone(),
                })
            };
            chunk::run(context, &work.id, patience, usable, alone, search)
        });
        drop(analysts);
        done
    })?;
    meter.finish();
    context.tally(Stage::Search, &done);
    Ok(done)
}

/// Puts games and scores together where that has no receipt.
pub(crate) fn assemble(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &[Chunk],
) -> Result<Vec<Done>, RunError> {
    let found = |chunk: &Chunk| chunk.replay.count("games_found");
    let games = chunks.iter().map(found).sum();
    let meter = context.meter(Stage::Assemble, chunks.len() as u64, 0, games, "games");
    let done = each(context, context.open_chunks(), chunks, |chunk, patience| {
        let key = assembling::key(context, engine, chunk);
        let id = Id::new(Stage::Assemble, key, &chunk.archive);
        let usable = |receipt: &Receipt| chunk.assembled_as(context, receipt).is_some();
        let assemble = || assembling::assemble(context, engine, chunk, key, &meter);
        chunk::run(context, &id, patience, usable, || None, assemble)
    })?;
    meter.finish();
    context.tally(Stage::Assemble, &done);
    Ok(done)
}

/// Runs `one` over all items. What other living processes are at is left for the end, and then waited for: they do it as well as we.
fn each<T: Sync>(
    context: &Context<'_>,
    workers: usize,
    items: &[T],
    one: impl Fn(&T, Patience) -> Result<Done, RunError> + Sync,
) -> Result<Vec<Done>, RunError> {
    let mut done = context.each(workers, items, |item| one(item, Patience::Leave))?;
    let busy = |(at, done): (usize, &Done)| matches!(done, Done::Busy).then_some(at);
    let busy: Vec<usize> = done.iter().enumerate().filter_map(busy).collect();
    let later: Vec<&T> = busy.iter().filter_map(|at| items.get(*at)).collect();
    let waited = context.each(workers, &later, |item| one(item, Patience::Wait))?;
    for (at, waited) in busy.into_iter().zip(waited) {
        if let Some(done) = done.get_mut(at) {
            *done = waited;
        }
    }
    Ok(done)
}

fn has_receipt(context: &Context<'_>, id: &Id) -> bool {
    context.output.has(&Receipt::path_of(id.stage, &id.key))
}
