//! Passing: no move of the game, but a question a search asks.

use crate::{Position, zobrist};

impl Position {
    /// The position with the other side to move, as if the side to move had passed.
    ///
    /// Only a search has use for it (null move). The side to move must not be in check, else the
    /// position would break the invariants of [`Position`]: then it is given back unchanged.
    #[must_use]
    pub fn passed(&self) -> Position {
        let mut next = *self;
        if !self.in_check() {
            next.turn = !self.turn;
            next.key ^= zobrist::BLACK_TO_MOVE;
            next.ply_clock = self.ply_clock.next();
        }
        next
    }
}
