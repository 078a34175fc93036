//! The stages cut and search: the plies of a replay chunk to search chunks, and those to scores.

use std::collections::HashSet;
use std::mem;

use crossbeam_channel::{Sender, unbounded};
use tables::{Hex, Severity, Table};

use crate::alone::GAMES;
use crate::analysts::{Engine, Task};
use crate::chunk::{Halt, Made};
use crate::context::Context;
use crate::job::GameChoice;
use crate::key::ChunkKey;
use crate::lines::{GameLine, walk};
use crate::reading::{rows, skip_rows};
use crate::receipt::{CutFacts, Facts, Part, Receipt, SearchFacts};
use crate::unit::{self, Answer};

/// Goes up when the same plies are cut or keyed otherwise.
pub(crate) const CUT_VERSION: u64 = 1;

/// What a core is taken to search in a second. An estimate that is part of no answer, only of where chunks are cut: it must be
/// the same on every machine.
const NODES_A_SECOND: u64 = 400_000;

tables::row! {
    /// Which games have findings.
    pub struct FindingMark in Table::Findings, ordered by [] {
        /// The game.
        pub game_id: Option<Hex<16>>,
        /// How grave.
        pub severity: Severity,
    }
}

/// Games of a replay chunk with a finding of severity warning or above.
pub(crate) fn marked_games(
    context: &Context<'_>,
    replay: &Receipt,
) -> Result<HashSet<Hex<16>>, Halt> {
    let mut marked = HashSet::new();
    for row in rows::<FindingMark>(&context.output, &replay.parts) {
        let row = row?;
        if row.severity != Severity::Note {
            marked.extend(row.game_id);
        }
    }
    Ok(marked)
}

/// Which games of a replay chunk are analysed.
#[derive(Debug)]
pub(crate) struct Choice {
    only: Option<HashSet<Hex<16>>>,
}

impl Choice {
    pub(crate) fn of(context: &Context<'_>, replay: &Receipt) -> Result<Choice, Halt> {
        let only = match context.job.analysis.games {
            GameChoice::All => None,
            GameChoice::Findings => Some(marked_games(context, replay)?),
        };
        Ok(Choice { only })
    }

    pub(crate) fn takes(&self, game: &Hex<16>) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(game))
    }
}

/// The key of a cut.
pub(crate) fn cut_key(context: &Context<'_>, engine: &Engine, replay: &ChunkKey) -> ChunkKey {
    let analysis = &context.job.analysis;
    ChunkKey::of("cut")
        .keys("replay", [replay])
        .field("engine", engine.id.as_str())
        .number("nodes", engine.budget.nodes)
        .number("depth", engine.budget.depth.map_or(0, u64::from))
        .field("games", format!("{:?}", analysis.games))
        .number("first ply", u64::from(analysis.first_ply))
        .number("seconds", u64::from(context.job.run.search_chunk_s))
        .number("version", CUT_VERSION)
        .finish()
}

/// Cuts the plies of a replay chunk into search chunks at game boundaries, in order: an archive that grew keeps all but the last.
pub(crate) fn cut(
    context: &Context<'_>,
    engine: &Engine,
    replay: &Receipt,
    games: &[Part],
) -> Result<Made, Halt> {
    let target =
        (u64::from(context.job.run.search_chunk_s) * NODES_A_SECOND / engine.budget.nodes).max(1);
    let choice = Choice::of(context, replay)?;
    let marked = marked_games(context, replay)?;
    let mut facts = CutFacts::default();
    let mut open = Open::default();
    for game in rows::<GameLine>(&context.output, games) {
        let game = game?;
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        open.games += 1;
        open.marked += u64::from(marked.contains(&game.game_id));
        if choice.takes(&game.game_id) {
            open.add(units(context, engine, &game)?);
        }
        if open.units.len() as u64 >= target {
            facts.chunks.push(mem::take(&mut open).close(&facts));
        }
    }
    if open.games > 0 {
        facts.chunks.push(open.close(&facts));
    }
    let counts = [
        ("chunks", facts.chunks.len() as u64),
        ("plies", facts.chunks.iter().map(|chunk| chunk.plies).sum()),
    ];
    Ok(Made {
        parts: Vec::new(),
        counts: counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect(),
        facts: Some(Facts::Cut(facts)),
    })
}

/// A search chunk in the making.
#[derive(Default)]
struct Open {
    games: u64,
    plies: u64,
    marked: u64,
    units: Vec<ChunkKey>,
    seen: HashSet<ChunkKey>,
}

impl Open {
    fn add(&mut self, units: Vec<(u32, ChunkKey)>) {
        for (_, unit) in units {
            self.plies += 1;
            if self.seen.insert(unit) {
                self.units.push(unit);
            }
        }
    }

    fn close(self, before: &CutFacts) -> SearchFacts {
        let key = ChunkKey::of("search")
            .keys("unit", &self.units)
            .number("version", CUT_VERSION)
            .finish();
        let first_game = before
            .chunks
            .last()
            .map_or(0, |chunk| chunk.first_game + chunk.games);
        SearchFacts {
            key,
            first_game,
            games: self.games,
            plies: self.plies,
            units: self.units.len() as u64,
            marked: self.marked,
        }
    }
}

/// The units of a game: plies from 1, with their keys. A game that was not accepted has none.
pub(crate) fn units(
    context: &Context<'_>,
    engine: &Engine,
    game: &GameLine,
) -> Result<Vec<(u32, ChunkKey)>, Halt> {
    let Some(line) = game.line() else {
        return Ok(Vec::new());
    };
    let first = context.job.analysis.first_ply;
    let mut units = Vec::new();
    walk(&context.rulebook, line, |line, played| {
        let ply = line.plies().0 + 1;
        if ply >= first {
            units.push((ply, unit::key(&engine.id, engine.budget, line, played)));
        }
        Ok(())
    })?;
    Ok(units)
}

/// Searches one chunk: its games go to the analysts, the answers into a work file.
pub(crate) fn search(
    context: &Context<'_>,
    engine: &Engine,
    analysts: &Sender<Task>,
    replay: &Receipt,
    games: &[Part],
    chunk: &SearchFacts,
) -> Result<Made, Halt> {
    let choice = Choice::of(context, replay)?;
    let (reply, answers) = unbounded();
    let mut seen = HashSet::new();
    let mut sent = 0;
    let mut number = 0;
    let mut found = Vec::new();
    for game in skip_rows::<GameLine>(&context.output, games, chunk.first_game)
        .take(usize::try_from(chunk.games).unwrap_or(usize::MAX))
    {
        let game = game?;
        let at = number;
        number += 1;
        if !choice.takes(&game.game_id) {
            continue;
        }
        let mut wanted = units(context, engine, &game)?;
        wanted.retain(|(_, unit)| seen.insert(*unit));
        if context.choice.passes_over(at) {
            continue;
        }
        if context.choice.sets_aside(at) {
            let refused = wanted.iter().map(|(_, unit)| (*unit, Answer::died()));
            found.push((sent, refused.collect()));
            sent += 1;
            continue;
        }
        let Some(line) = game.line().filter(|_| !wanted.is_empty()) else {
            continue;
        };
        let task = Task {
            at: sent,
            game: line.into(),
            wanted,
            reply: reply.clone(),
        };
        if analysts.send(task).is_err() {
            return Err(Halt::Failed("the engine threads are gone".to_owned()));
        }
        sent += 1;
    }
    drop(reply);
    let mut halt = None;
    for (at, answer) in answers {
        match answer {
            Ok(answers) => found.push((at, answers)),
            Err(error) => halt = Some(error),
        }
    }
    if let Some(halt) = halt {
        return Err(halt);
    }
    if found.len() != sent {
        return Err(Halt::Failed("an engine thread died".to_owned()));
    }
    found.sort_unstable_by_key(|(at, _)| *at);
    let answers: Vec<_> = found.into_iter().flat_map(|(_, answers)| answers).collect();
    let units = answers.len() as u64;
    if context.choice.is_trial() {
        return Ok(Made {
            counts: [(GAMES.to_owned(), number)].into(),
            ..Made::default()
        });
    }
    let part = unit::write(&context.output, &chunk.key, answers)?;
    Ok(Made {
        parts: vec![part],
        counts: [("units".to_owned(), units)].into(),
        facts: None,
    })
}
