//! The built-in engine as an [`Analyser`].

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rules::{LegalMove, Line};

use crate::score::Value;
use crate::search::{Cut, Limits, Searcher, Workspace};
use crate::{Analyser, Assessment, EngineError, EngineId, Score, Unit};

/// Raised by every change that can change an assessment; `bench` guards it.
pub const SEARCH_VERSION: u32 = 1;

/// The largest table in MiB: more than any budget here fills, and little enough to be had on any machine.
pub const MAX_HASH_MIB: u32 = 1024;

/// Settings of the built-in engine. All of them are part of its identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltinSettings {
    /// Size of the transposition table in MiB, 1 to [`MAX_HASH_MIB`]; rounded down to a power of two.
    pub hash_mib: u32,
}

impl Default for BuiltinSettings {
    /// 8 MiB: half a million entries, more than a unit of a few hundred thousand nodes fills.
    fn default() -> BuiltinSettings {
        BuiltinSettings { hash_mib: 8 }
    }
}

impl BuiltinSettings {
    fn identity(&self) -> EngineId {
        let settings = blake3::hash(format!("hash_mib={}", self.hash_mib).as_bytes()).to_hex();
        EngineId::new(format!(
            "nabsak-{SEARCH_VERSION}-{}",
            &settings.as_str()[..8]
        ))
    }

    pub(crate) fn table_bytes(&self) -> usize {
        (self.hash_mib.clamp(1, MAX_HASH_MIB) as usize) << 20
    }
}

/// The built-in engine. One a thread: it owns its table and does not share it.
///
/// # Terms of an assessment
/// The root is searched ever deeper; at each depth first all moves, then, if it is another, the played move by itself
/// with a full window. Both draw on the unit's one budget. Only a depth at which both were finished counts, so `score`
/// and `played` always have the same depth, and no depth is begun that the budget will hardly finish: a unit often
/// costs less than its budget. A played move that comes out above the best one is the best one.
#[derive(Debug)]
pub struct Builtin {
    identity: EngineId,
    space: Workspace,
    stop: Option<Arc<AtomicBool>>,
}

impl Builtin {
    /// An engine with its own table.
    #[must_use]
    pub fn new(settings: &BuiltinSettings) -> Builtin {
        Builtin {
            identity: settings.identity(),
            space: Workspace::new(settings.table_bytes()),
            stop: None,
        }
    }
}

impl Analyser for Builtin {
    fn identity(&self) -> &EngineId {
        &self.identity
    }

    fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        self.stop = Some(flag);
    }

    fn assess(&mut self, unit: &Unit<'_>) -> Result<Assessment, EngineError> {
        self.space.clear();
        let limits = Limits {
            nodes: unit.budget.nodes,
            depth: unit.budget.depth.unwrap_or(u32::MAX),
            soft: None,
            deadline: None,
            stop: self.stop.as_deref(),
        };
        let searcher = Searcher::new(unit.line, &mut self.space, limits);
        let outcome = searcher.deepen(unit.played, Cut::Discard, &mut |_| {});
        let Some(outcome) = outcome else {
            return Err(EngineError::NoMoves {
                score: score_without_moves(unit.line),
            });
        };
        let last = outcome.last;
        Ok(Assessment {
            best: last.best,
            score: Score::from_value(last.value),
            pv: last.pv,
            played: last.played.map(Score::from_value),
            nodes: outcome.nodes,
            depth: last.depth,
        })
    }
}

impl Builtin {
    /// The move a player of this strength makes: the best found within `nodes`, an unfinished depth included. `None`
    /// if there is no legal move.
    ///
    /// Unlike [`Analyser::assess`] it spends the whole budget, and does not say how deep the score is.
    pub fn choose(&mut self, line: &Line, nodes: u64) -> Option<(LegalMove, Score)> {
        self.space.clear();
        let limits = Limits {
            nodes,
            depth: u32::MAX,
            soft: None,
            deadline: None,
            stop: None,
        };
        let outcome =
            Searcher::new(line, &mut self.space, limits).deepen(None, Cut::UseMove, &mut |_| {})?;
        let best = line
            .position()
            .legal_moves()
            .iter()
            .copied()
            .find(|mv| mv.raw() == outcome.last.best)?;
        Some((best, Score::from_value(outcome.last.value)))
    }
}

/// The score of a root at which there is nothing to search.
pub(crate) fn score_without_moves(line: &Line) -> Score {
    if line.position().in_check() {
        Score::from_value(mated_now())
    } else {
        Score::Cp(0)
    }
}

fn mated_now() -> Value {
    crate::score::mated_in(0)
}
