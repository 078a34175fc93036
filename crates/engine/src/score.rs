//! Scores as callers see them, and values as the search counts them.

use std::fmt;

use rules::Color;

/// A judgement of a position from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Score {
    /// Hundredths of a bia; positive is good for the side to move.
    Cp(i32),
    /// Full moves to mate: `n > 0` the side to move mates in `n`, `n <= 0` it is mated in `-n`.
    ///
    /// In kar ouk the first check takes the place of mate.
    Mate(i32),
}

impl Score {
    /// The same score from White's view, `turn` being the side to move.
    #[must_use]
    pub fn to_white(self, turn: Color) -> Score {
        if turn == Color::White {
            self
        } else {
            self.flip()
        }
    }

    /// The same score from the other side's view.
    ///
    /// `Mate(0)`, which says that the side to move is mated already, has no opposite and stays as it is.
    #[must_use]
    pub fn flip(self) -> Score {
        match self {
            Score::Cp(cp) => Score::Cp(-cp),
            Score::Mate(moves) => Score::Mate(-moves),
        }
    }

    /// A total order of scores: being mated, centipawns, mating; a quicker mate is better.
    #[must_use]
    pub fn rank(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => MATE - moves,
            Score::Mate(moves) => -MATE - moves,
        }
    }

    pub(crate) fn from_value(value: Value) -> Score {
        if value >= MATE_BOUND {
            Score::Mate((MATE - value + 1) / 2)
        } else if value <= -MATE_BOUND {
            Score::Mate(-((MATE + value) / 2))
        } else {
            Score::Cp(value)
        }
    }
}

impl fmt::Display for Score {
    /// UCI's form: `cp 31`, `mate -4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// A value inside the search: centipawns, or `MATE` less the plies to it.
pub(crate) type Value = i32;

/// Deepest ply of a search below its root.
pub(crate) const MAX_PLY: usize = 128;
/// Being mated at the root itself.
pub(crate) const MATE: Value = 32_000;
/// Beyond every value that can arise.
pub(crate) const INFINITE: Value = MATE + 1;
/// From here on a value is a mate.
pub(crate) const MATE_BOUND: Value = MATE - MAX_PLY as Value - 1;
/// The evaluation never leaves this range, so that it cannot pass for a mate.
pub(crate) const EVAL_LIMIT: Value = 20_000;
/// A draw.
pub(crate) const DRAW: Value = 0;

/// The value of being mated `ply` plies below the root.
pub(crate) fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// The value of mating `ply` plies below the root.
pub(crate) fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_full_moves() {
        assert_eq!(Score::from_value(mate_in(1)), Score::Mate(1));
        assert_eq!(Score::from_value(mate_in(7)), Score::Mate(4));
        assert_eq!(Score::from_value(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::from_value(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_value(-250), Score::Cp(-250));
    }

    #[test]
    fn ranks_order_mates_and_centipawns() {
        let mut scores = [
            Score::Mate(1),
            Score::Cp(900),
            Score::Mate(-1),
            Score::Mate(3),
            Score::Cp(-5),
            Score::Mate(-9),
        ];
        scores.sort_by_key(|score| score.rank());
        let expected = [
            Score::Mate(-1),
            Score::Mate(-9),
            Score::Cp(-5),
            Score::Cp(900),
            Score::Mate(3),
            Score::Mate(1),
        ];
        assert_eq!(scores, expected);
    }
}
