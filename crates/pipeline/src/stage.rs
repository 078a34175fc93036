//! The stages of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stage: a set of chunks, each a pure function of its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// What an input object is: content hash, container, encoding, ranges.
    Index,
    /// A range of an archive to games.
    Replay,
    /// The plies of a replay chunk to search chunks; writes nothing but its receipt.
    Cut,
    /// Plies to scores.
    Search,
    /// A replay chunk and its scores to evaluations.
    Assemble,
    /// Everything current to statistics.
    Aggregate,
    /// Small parts of neighbouring chunks to larger ones.
    Compact,
}

impl Stage {
    /// Every stage in running order.
    pub const ALL: [Stage; 7] = [
        Stage::Index,
        Stage::Replay,
        Stage::Cut,
        Stage::Search,
        Stage::Assemble,
        Stage::Aggregate,
        Stage::Compact,
    ];

    /// The stage's name in keys and paths.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Index => "index",
            Stage::Replay => "replay",
            Stage::Cut => "cut",
            Stage::Search => "search",
            Stage::Assemble => "assemble",
            Stage::Aggregate => "aggregate",
            Stage::Compact => "compact",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
