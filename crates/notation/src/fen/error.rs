//! Why a text is no position.

use rules::PositionError;
use thiserror::Error;

use super::{Dialect, FenNote};

/// Why a text is no position: which field, what stands there, what was wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is no text.
    #[error("the FEN is empty")]
    Empty,
    /// The board has not eight rows.
    #[error("the board has {0} rows, want 8")]
    Rows(usize),
    /// A row has not eight squares.
    #[error("rank {rank} has {squares} squares, want 8")]
    Row {
        /// 1 to 8.
        rank: u8,
        /// Squares found.
        squares: usize,
    },
    /// A letter stands for no man.
    #[error("`{letter}` on rank {rank} stands for no man")]
    Letter {
        /// The letter.
        letter: char,
        /// 1 to 8.
        rank: u8,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is `{0}`, want w or b")]
    Turn(String),
    /// The rights field holds something else.
    #[error("the rights field is `{0}`, want the letters of home files, as in DEde, or -")]
    Rights(String),
    /// A number field holds something else, or too large a number.
    #[error("the {field} field is `{text}`, want a number")]
    Number {
        /// Which field.
        field: &'static str,
        /// What it holds.
        text: String,
    },
    /// The checks left are not one each, or one less for one side (kar ouk, RULES 7).
    #[error("the checks left are `{0}`, want 1+1, 0+1 or 1+0")]
    Checks(String),
    /// A field of a dialect holds something else.
    #[error("the {field} field is `{text}`, want {want}")]
    Field {
        /// Which field.
        field: &'static str,
        /// What it holds.
        text: String,
        /// What it should hold.
        want: &'static str,
    },
    /// A single number behind the rights: nobody knows of what.
    #[error("`{0}` alone behind the rights is a count limit or a move number: want both")]
    LoneNumber(String),
    /// More fields than any form has.
    #[error("{0} fields, more than any known form has")]
    TooManyFields(usize),
    /// The start position of another game: both khuns on the e-file, facing each other.
    #[error("this is the ASEAN start, not makruk's: the khuns face each other")]
    AseanStart,
    /// A dialect that reads otherwise, and that the caller has not chosen.
    #[error("{0}")]
    OtherDialect(Dialect),
    /// The board makes no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Read leniently it is a position, but not in the written form.
    #[error("read strictly this is no FEN of ours: {0}")]
    NotStrict(FenNote),
}
