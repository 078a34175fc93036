//! What a run would do and how long it may take, from the table `runs`: the pace of past runs.

use std::collections::BTreeMap;
use std::time::Duration;

use tables::{ArchiveRow, RunRow, Symbol};

use crate::commit::Commit;
use crate::context::Context;
use crate::outcome::Estimate;
use crate::output::Output;
use crate::reading::rows;
use crate::run::RunError;
use crate::stage::Stage;

/// So many of the last runs that did work in a stage are looked at.
const RUNS: usize = 20;

/// A stage that did less than this tells nothing of its pace.
const SHORTEST_MS: i64 = 20;

const NO_RUN: &str = "no run yet";
const NO_ENGINE: &str = "no run with this engine yet";
const NO_PACE: &str = "no run yet that took long enough to measure";

/// What is left to do, as far as receipts tell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Undone {
    /// Bytes of archives that are not indexed.
    pub(crate) index_bytes: u64,
    /// Bytes of text in chunks that are not replayed, of indexed archives.
    pub(crate) replay_bytes: u64,
    /// Plies that are cut into search chunks and have no scores, or were replayed and are not cut.
    pub(crate) search_plies: u64,
    /// Games of chunks that are replayed and wait for scores.
    pub(crate) games: u64,
}

/// Past runs and what the current commit holds.
struct Past {
    /// The newest first.
    runs: Vec<RunRow>,
    bytes: u64,
    text: u64,
    games: u64,
    plies_wanted: u64,
}

impl Past {
    fn read(output: &Output, current: Option<&Commit>) -> Result<Past, RunError> {
        let mut past = Past {
            runs: Vec::new(),
            bytes: 0,
            text: 0,
            games: 0,
            plies_wanted: 0,
        };
        let Some(commit) = current else {
            return Ok(past);
        };
        past.runs = rows::<RunRow>(output, commit.parts("runs")).collect::<Result<_, _>>()?;
        past.runs.reverse();
        past.plies_wanted = commit.coverage.plies_wanted;
        let count = |n: i64| u64::try_from(n).unwrap_or(0);
        for archive in rows::<ArchiveRow>(output, commit.parts("archives")) {
            let archive = archive?;
            past.bytes += count(archive.bytes);
            past.text += count(archive.bytes_text);
            past.games += count(archive.games_found);
        }
        Ok(past)
    }

    /// Time of one thread for so much work.
    fn time(&self, stage: Stage, work: u64, engine: Option<&str>) -> Result<f64, &'static str> {
        if self.runs.is_empty() {
            return Err(NO_RUN);
        }
        let searched = |run: &&RunRow| {
            let same = run.engine_id.as_ref().map(Symbol::to_string).as_deref() == engine;
            stage != Stage::Search || same
        };
        let mut runs = self.runs.iter().filter(searched).peekable();
        if runs.peek().is_none() {
            return Err(NO_ENGINE);
        }
        let did = runs.filter_map(|run| {
            let (work, ms) = work_of(run, stage)?;
            (work > 0 && ms > 0).then(|| (work, ms, run.threads.unwrap_or(1).max(1)))
        });
        let (mut done, mut thread_ms) = (0.0, 0.0);
        let mut longest = 0;
        for (work, ms, threads) in did.take(RUNS) {
            done += work as f64;
            thread_ms += ms as f64 * f64::from(threads);
            longest = longest.max(ms);
        }
        if done > 0.0 && longest >= SHORTEST_MS {
            Ok(work as f64 * thread_ms / done)
        } else {
            Err(if stage == Stage::Search {
                NO_ENGINE
            } else {
                NO_PACE
            })
        }
    }
}

/// Work and milliseconds of a stage.
fn work_of(run: &RunRow, stage: Stage) -> Option<(i64, i64)> {
    match stage {
        Stage::Index => run.index_bytes.zip(run.index_ms),
        Stage::Replay => run.replay_bytes.zip(run.replay_ms),
        // The time of a ply goes with its nodes.
        Stage::Search => {
            let nodes = run.search_plies?.checked_mul(run.search_nodes?)?;
            Some((nodes, run.search_ms?))
        }
        Stage::Assemble => run.assemble_games.zip(run.assemble_ms),
        Stage::Aggregate => run.aggregate_ms.map(|ms| (run.games_found, ms)),
        Stage::Cut | Stage::Compact => None,
    }
}

/// `part` of `whole`, of `of`.
fn scaled(of: u64, part: u64, whole: u64) -> u64 {
    match whole {
        0 => 0,
        whole => (of as f64 * part as f64 / whole as f64) as u64,
    }
}

/// The estimates for what is left.
pub(crate) fn estimate(
    context: &Context<'_>,
    engine: Option<&str>,
    undone: Undone,
    current: Option<&Commit>,
) -> Result<BTreeMap<Stage, Estimate>, RunError> {
    let past = Past::read(&context.output, current)?;
    // Without an archive read before, text is taken for what is not packed.
    let unread = match past.bytes {
        0 => undone.index_bytes,
        bytes => scaled(undone.index_bytes, past.text, bytes),
    };
    let text = undone.replay_bytes + unread;
    let plies = undone.search_plies + scaled(text, past.plies_wanted, past.text);
    let new_games = scaled(text, past.games, past.text);
    let games = undone.games + new_games;
    let about = unread > 0;
    let all = [
        (Stage::Index, undone.index_bytes, "bytes", false),
        (Stage::Replay, text, "bytes", about),
        (
            Stage::Search,
            if engine.is_some() { plies } else { 0 },
            "plies",
            text > 0,
        ),
        (Stage::Assemble, games, "games", text > 0),
        (
            Stage::Aggregate,
            if text + games > 0 {
                past.games + new_games
            } else {
                0
            },
            "games",
            text > 0,
        ),
    ];
    // Of a first run the later stages are not known at all, and have to be named.
    let first = past.runs.is_empty() && text > 0;
    let threads = context.job.threads() as f64;
    let mut estimates = BTreeMap::new();
    for (stage, work, unit, about) in all {
        let wanted = work > 0 || (first && (stage != Stage::Search || engine.is_some()));
        if wanted {
            let cost = match stage {
                Stage::Search => work.saturating_mul(context.job.analysis.nodes),
                _ => work,
            };
            let time = past.time(stage, cost, engine);
            let time = time.map(|ms| Duration::from_secs_f64((ms / threads / 1000.0).min(1e9)));
            let estimate = Estimate {
                work,
                unit,
                about,
                time,
            };
            estimates.insert(stage, estimate);
        }
    }
    Ok(estimates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_of_the_whole() {
        assert_eq!(scaled(200, 3, 4), 150);
        assert_eq!(scaled(200, 3, 0), 0);
    }
}
