//! What can go wrong, by cause.

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use crate::Score;

/// Why there is no assessment.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The root has no legal move: its score is known without an engine.
    #[error("no legal move in this position: it is worth {score}")]
    NoMoves {
        /// `Mate(0)` for mate, `Cp(0)` for stalemate.
        score: Score,
    },
    /// The executable cannot be read or started.
    #[error("cannot start engine {program}: {source}")]
    Start {
        /// The program as given.
        program: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The engine cannot play this rule set rightly.
    #[error("engine {engine} cannot analyse rule set {rule_set}: {reason}")]
    Unsupported {
        /// The engine's own name.
        engine: String,
        /// The rule set asked for.
        rule_set: String,
        /// Why not, and what to do about it.
        reason: String,
    },
    /// The process ended or closed its output.
    #[error("engine {engine} died while asked for {asked}")]
    Died {
        /// The engine's own name.
        engine: String,
        /// What it was doing.
        asked: &'static str,
    },
    /// No answer before the deadline.
    #[error("engine {engine} gave no {asked} within {} ms", deadline.as_millis())]
    Silent {
        /// The engine's own name.
        engine: String,
        /// What was awaited.
        asked: &'static str,
        /// How long it was given.
        deadline: Duration,
    },
    /// An answer that is no UCI.
    #[error("engine {engine} gave nonsense: {line:?}")]
    Garbage {
        /// The engine's own name.
        engine: String,
        /// The line, cut to a sane length.
        line: String,
    },
    /// A best move that the rule set does not allow.
    #[error("engine {engine} answered {answer:?}, which is not legal in {fen}")]
    IllegalMove {
        /// The engine's own name.
        engine: String,
        /// The move it gave.
        answer: String,
        /// The position it was asked about.
        fen: String,
    },
}

/// Whether asking again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// The same question may well be answered after a restart.
    Again,
    /// It will fail again.
    Never,
}

impl EngineError {
    /// Whether asking again can help.
    #[must_use]
    pub fn retry(&self) -> Retry {
        match self {
            EngineError::Died { .. } | EngineError::Silent { .. } | EngineError::Garbage { .. } => {
                Retry::Again
            }
            EngineError::NoMoves { .. }
            | EngineError::Start { .. }
            | EngineError::Unsupported { .. }
            | EngineError::IllegalMove { .. } => Retry::Never,
        }
    }
}
