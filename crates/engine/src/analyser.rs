//! The one contract of every engine: a unit of work goes in, an assessment comes out.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use std::fmt;

use rules::{LegalMove, Line, Move};

use crate::{EngineError, Score};

/// What a unit may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Nodes for the whole unit, the played move's own score included. The first iteration is finished even if it
    /// needs more, so that there is always an answer.
    pub nodes: u64,
    /// Plies of the last iteration, if it is limited.
    pub depth: Option<u32>,
}

impl Budget {
    /// A budget of nodes alone.
    #[must_use]
    pub fn nodes(nodes: u64) -> Budget {
        Budget { nodes, depth: None }
    }
}

/// One ply to be judged: the smallest piece of work, and a pure function's whole input.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// The game up to the position in question, with its counts and the keys that repetition needs.
    pub line: &'a Line,
    /// The move that the game went on with, if it is to be scored too.
    pub played: Option<LegalMove>,
    /// What may be spent.
    pub budget: Budget,
}

/// What an engine says about a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// The best move found.
    pub best: Move,
    /// The score of `best`, from the view of the side to move.
    pub score: Score,
    /// The line of play that gives `score`; it begins with `best`.
    pub pv: Vec<Move>,
    /// The score of the played move, from the same root, same view, and to the same depth; equal to `score` if the
    /// played move is `best`, never above it.
    pub played: Option<Score>,
    /// Nodes searched for the whole unit.
    pub nodes: u64,
    /// Depth in plies to which `score` and `played` are true.
    pub depth: u32,
}

/// The name of all that can change an assessment: code, settings, and for an outside engine its very file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EngineId(String);

impl EngineId {
    pub(crate) fn new(name: impl Into<String>) -> EngineId {
        EngineId(name.into())
    }

    /// The identity as text, fit for a key and a column.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EngineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// An engine that judges units one at a time.
///
/// The same unit gives the same assessment whatever was asked before, on any thread, for each engine whose budget is
/// in nodes or depth: nothing passes from one unit to the next.
pub trait Analyser: Send {
    /// What the answers depend on besides the unit.
    fn identity(&self) -> &EngineId;

    /// From now on, an assessment ends early once this flag is up; what it then says is to be thrown away. Engines that cannot be
    /// stopped go on.
    fn stop_with(&mut self, flag: Arc<AtomicBool>) {
        drop(flag);
    }

    /// Judges one unit. Blocks until the budget is spent.
    ///
    /// A root whose game has already ended by a count or by repetition is judged as if play went on; so is one that
    /// was declared over.
    ///
    /// # Errors
    /// [`EngineError::NoMoves`] where the side to move is mated or stalemated; an outside engine can also fail in
    /// each way that a process can.
    fn assess(&mut self, unit: &Unit<'_>) -> Result<Assessment, EngineError>;
}
