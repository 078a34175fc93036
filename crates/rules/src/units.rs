//! Two units of game length that must not be mixed.

use std::fmt;

/// A number of plies: single moves of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plies(pub u32);

/// A number of full moves: one move of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FullMoves(pub u32);

impl FullMoves {
    /// Two plies a full move.
    #[must_use]
    pub const fn plies(self) -> Plies {
        Plies(self.0.saturating_mul(2))
    }
}

impl fmt::Display for Plies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} plies", self.0)
    }
}

impl fmt::Display for FullMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves", self.0)
    }
}
