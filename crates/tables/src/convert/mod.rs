//! From what `replay` and `analysis` found to rows.

mod aggregate;
mod analysed;
mod replayed;

use rules::FullMoves;

use crate::cell::Hex;

/// A count or a number of plies, bytes or milliseconds as a signed column; what cannot be is the largest.
fn signed<T: TryInto<i64>>(number: T) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// As [`signed`], for columns of 32 bits.
fn small<T: TryInto<i32>>(number: T) -> i32 {
    number.try_into().unwrap_or(i32::MAX)
}

/// Full moves as a column.
fn full_moves(moves: FullMoves) -> i32 {
    small(moves.0)
}

impl From<replay::GameId> for Hex<16> {
    fn from(id: replay::GameId) -> Hex<16> {
        Hex(id.0)
    }
}

impl From<replay::RecordHash> for Hex<16> {
    fn from(hash: replay::RecordHash) -> Hex<16> {
        Hex(hash.0)
    }
}

impl From<replay::MovesHash> for Hex<16> {
    fn from(hash: replay::MovesHash) -> Hex<16> {
        Hex(hash.0)
    }
}
