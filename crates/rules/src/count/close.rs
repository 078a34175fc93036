//! What ends a count that nothing else ends.

use std::fmt;

use crate::{Color, FullMoves};

/// The move with which a running count is drawn if play goes on and nobody mates (RULES 4.1, 4.2, 4.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountClose {
    /// The counting side's move that says this number (`reach`: L; `exceed`: L + 1).
    Said(FullMoves),
    /// The other side's reply to this number, unless it mates (`reply`: L).
    ReplyTo(FullMoves),
    /// The position itself: too many men when the count began, and no grace (`pieces_over = none`).
    AtOnce,
    /// Nothing: the counting side has stopped.
    Stopped,
}

impl CountClose {
    /// The side whose move it is; `None` where no move is.
    #[must_use]
    pub fn by(self, counting: Color) -> Option<Color> {
        match self {
            CountClose::Said(_) => Some(counting),
            CountClose::ReplyTo(_) => Some(!counting),
            CountClose::AtOnce | CountClose::Stopped => None,
        }
    }
}

impl fmt::Display for CountClose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CountClose::Said(number) => write!(f, "drawn when {} is said", number.0),
            CountClose::ReplyTo(number) => write!(f, "drawn after the reply to {}", number.0),
            CountClose::AtOnce => f.write_str("drawn at once, since too many men are left"),
            CountClose::Stopped => f.write_str("stopped"),
        }
    }
}
