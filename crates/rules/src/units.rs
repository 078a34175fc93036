//! Two units of game length that must not be mixed.

use std::fmt;
use std::ops::Add;

use serde::Deserialize;

/// A number of plies: single moves of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct Plies(pub u32);

/// A number of full moves: one move of each side. Counts are said and limited in full moves, since
/// a number is said with each move of the counting side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct FullMoves(pub u32);

impl Plies {
    /// None.
    pub const ZERO: Plies = Plies(0);

    /// One ply more.
    #[must_use]
    pub const fn next(self) -> Plies {
        Plies(self.0.saturating_add(1))
    }

    /// The full moves begun: an odd ply counts.
    #[must_use]
    pub const fn full_moves_begun(self) -> FullMoves {
        FullMoves(self.0.div_ceil(2))
    }

    /// The full moves finished: an odd ply does not count.
    #[must_use]
    pub const fn full_moves_done(self) -> FullMoves {
        FullMoves(self.0 / 2)
    }

    /// Whether the number is even: the side that began is to move.
    #[must_use]
    pub const fn is_even(self) -> bool {
        self.0.is_multiple_of(2)
    }

    /// Fewer plies, but not fewer than none.
    #[must_use]
    pub const fn less(self, fewer: Plies) -> Plies {
        Plies(self.0.saturating_sub(fewer.0))
    }
}

impl FullMoves {
    /// Two plies a full move.
    #[must_use]
    pub const fn plies(self) -> Plies {
        Plies(self.0.saturating_mul(2))
    }

    /// Fewer full moves, but not fewer than none.
    #[must_use]
    pub const fn less(self, fewer: FullMoves) -> FullMoves {
        FullMoves(self.0.saturating_sub(fewer.0))
    }
}

impl Add for Plies {
    type Output = Plies;

    fn add(self, more: Plies) -> Plies {
        Plies(self.0.saturating_add(more.0))
    }
}

impl Add for FullMoves {
    type Output = FullMoves;

    fn add(self, more: FullMoves) -> FullMoves {
        FullMoves(self.0.saturating_add(more.0))
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
