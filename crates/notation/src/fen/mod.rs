//! Positions as text: the form of RULES 7, strictly written and leniently read.
//!
//! Reading takes, each with a note, the forms of FORMATS 3 that real archives have: five-field
//! texts, rights in any order, a count field of `0`, missing counters, `Q B C F` for met, khon,
//! khon and promoted met. It refuses with the reason what is another game or another dialect.

mod board;
mod fields;
mod rank;
mod write;

use rules::{Color, CountState, Position, PositionError, Ruleset, Setup, Square};
use thiserror::Error;

pub use write::{Writer, write, write_position, write_state};

/// Which letters stand for which men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FenLetters {
    /// `P M S N R K` and nothing else.
    Strict,
    /// Also `Q` = met, `B` and `C` = khon, `F` = promoted met, with a note; but not where they
    /// stand beside the letters they replace.
    #[default]
    Lenient,
}

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenStart {
    /// What the text says, repaired.
    pub setup: Setup,
    /// The position.
    pub position: Position,
    /// The count that runs in it, if the text has one.
    pub count_state: CountState,
    /// What was repaired, in the order of the text.
    pub notes: Vec<FenNote>,
}

/// A repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenNote {
    /// Letters of another dialect were mapped.
    #[error("the board is written with the letter `{0}`, read as {1}")]
    LetterMapped(char, &'static str),
    /// Fields are missing; the usual values were taken.
    #[error("only {0} fields: the rest was taken as in a new game")]
    FieldsMissing(usize),
    /// The field of the count limit holds `0`, read as no count.
    #[error("the count field is 0, read as no count")]
    ZeroCount,
    /// The rule set has no first-move rights; those of the text were dropped.
    #[error("first-move rights mean nothing under this rule set and were dropped")]
    RightsDropped,
    /// A right was dropped since its man does not stand at home.
    #[error("the first-move right of {0} was dropped: its man does not stand there")]
    RightWithoutMan(Square),
    /// The start board without the first-move rights that a game starts with.
    #[error("the start board, but without the first-move rights that a game starts with")]
    RightsMissingAtStart,
    /// The move number is 0, read as 1.
    #[error("the move number is 0, read as 1")]
    ZeroMoveNumber,
    /// The side that is not to move is in check: no game reaches this, but the position was taken.
    #[error("{} is in check but not to move", .0.as_str())]
    OpponentInCheck(Color),
    /// What follows the fields was not read.
    #[error("what follows the fields was not read")]
    TailIgnored,
}

/// Why a text is no position.
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
    #[error("the rights field is `{0}`, want letters of D E d e, or -")]
    Rights(String),
    /// A number field holds something else, or too large a number.
    #[error("the {field} field is `{text}`, want a number")]
    Number {
        /// Which field.
        field: &'static str,
        /// What it holds.
        text: String,
    },
    /// More fields than any form has.
    #[error("{0} fields, more than any known form has")]
    TooManyFields(usize),
    /// The start position of another game: both khuns on the e-file, facing each other.
    #[error("this is the ASEAN start, not makruk's: the khuns face each other")]
    AseanStart,
    /// A dialect that reads otherwise.
    #[error("{0}")]
    OtherDialect(&'static str),
    /// The board makes no position.
    #[error(transparent)]
    Position(#[from] PositionError),
}

/// Reads a position, leniently.
///
/// # Errors
///
/// [`FenError`] with the place and the reason.
pub fn parse(text: &str, rules: &Ruleset) -> Result<FenStart, FenError> {
    parse_with(text, rules, FenLetters::Lenient)
}

/// Reads a position whose letters the caller knows.
///
/// # Errors
///
/// [`FenError`] with the place and the reason.
pub fn parse_with(text: &str, rules: &Ruleset, letters: FenLetters) -> Result<FenStart, FenError> {
    let mut notes = Vec::new();
    let mut setup = Setup::empty();
    let (head, tail) = match text.split_once(';') {
        Some((head, tail)) => (head, !tail.trim().is_empty()),
        None => (text, false),
    };
    let mut parts = head.split_ascii_whitespace();
    let board = parts.next().ok_or(FenError::Empty)?;
    board::parse(board, letters, &mut setup, &mut notes)?;
    let rest: Vec<_> = parts.collect();
    fields::parse(&rest, rules, &mut setup, &mut notes)?;
    if tail {
        notes.push(FenNote::TailIgnored);
    }
    let (position, fault) = Position::forgiving(&setup, rules)?;
    if fault.is_some() {
        notes.push(FenNote::OpponentInCheck(!position.turn()));
    }
    let count_state = CountState::from_fields(setup.count, &position, rules);
    Ok(FenStart {
        setup,
        position,
        count_state,
        notes,
    })
}

/// Text for a message, cut so that a hostile input stays short.
fn quoted(text: &str) -> String {
    text.chars().take(24).collect()
}
