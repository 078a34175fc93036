//! What was repaired in a text that was read leniently.

use rules::{Color, FullMoves, Plies, Square, ToldError};
use thiserror::Error;

use super::Dialect;

/// A repair: what stands in the text, and what was made of it. The strict reading refuses a text
/// with any of them.
///
/// The sources are the rows of FORMATS 3 and RULES 7, 8.5; where neither names a slip, it was found
/// by feeding random texts to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenNote {
    /// A dialect that the caller chose was turned into ours (FORMATS 3: REN, makruk-js).
    #[error("read as {0}")]
    Converted(Dialect),
    /// Tabs, or blanks before, behind or beside those that part the fields (FORMATS 3); or none
    /// beside the `;` of a tail.
    #[error("other blanks than one between fields, or none beside `;`, were read as one")]
    Blanks,
    /// Letters of another dialect were mapped (FORMATS 3: Q, B, C, F).
    #[error("the board is written with the letter `{0}`, read as {1}")]
    LetterMapped(char, &'static str),
    /// A run of empty squares in two numbers, as in `44`.
    #[error("rank {rank} has two numbers beside each other, read as their sum")]
    EmptySplit {
        /// 1 to 8.
        rank: u8,
    },
    /// Fields are missing; the usual values were taken (FORMATS 3: two, four or five fields). Where
    /// the board is the start's and nothing is said of rights, the start's are taken.
    #[error("only {0} of the fields: the rest was taken as in a new game")]
    FieldsMissing(usize),
    /// The side to move in upper case.
    #[error("the side to move is `{0}`, read in lower case")]
    TurnCase(char),
    /// The rule set has no first-move rights; those of the text were dropped.
    #[error("first-move rights mean nothing under this rule set and were dropped")]
    RightsDropped,
    /// A letter that is no right of the rule set, castling's `K Q k q` among them, was dropped.
    #[error("`{0}` is no first-move right under this rule set and was dropped")]
    RightUnknown(char),
    /// A right was dropped since its man does not stand at home (RULES 7).
    #[error("the first-move right of {0} was dropped: its man does not stand there")]
    RightWithoutMan(Square),
    /// A right is named twice.
    #[error("the first-move right of {0} is named twice")]
    RightTwice(Square),
    /// The rights stand in another order than White's first, each side's from the a-file
    /// (FORMATS 3: any order).
    #[error("the first-move rights stand in another order than ours")]
    RightsOrder,
    /// The start board at move 1 without the first-move rights that a game starts with
    /// (FORMATS 3: dropped by careless tools).
    #[error("the start board, but without the first-move rights that a game starts with")]
    RightsMissingAtStart,
    /// The field of the count limit holds `0`, read as no count (FORMATS 3: cutechess).
    #[error("the count field is 0, read as no count")]
    ZeroCount,
    /// The field of the count limit holds a square, as for a capture en passant; read as no count.
    #[error("the count field is {0}, a square for a capture en passant, read as no count")]
    EnPassant(Square),
    /// The count limit is an odd number of plies; one less was taken.
    #[error("the count limit is {}, an odd number of plies, read as one less", .0.0)]
    OddLimit(Plies),
    /// No count of the rule set has this limit: another game's, or a slip.
    #[error("no count has a limit of {} under this rule set; it was taken as it is", .0)]
    LimitUnusual(FullMoves),
    /// The count cannot run in this position; it was taken as it is.
    #[error("{0}; the count was taken as it is")]
    CountOdd(ToldError),
    /// The field of the checks left is missing, read as one each (RULES 7).
    #[error("the field of the checks left is missing, read as 1+1")]
    ChecksMissing,
    /// A field of checks left under a rule set where the first check does not win.
    #[error("checks left mean nothing under this rule set and were dropped")]
    ChecksDropped,
    /// The field of the checks left stands elsewhere than behind the count limit.
    #[error("the checks left stand elsewhere than behind the count limit")]
    ChecksPlace,
    /// A number with zeros in front.
    #[error("the {0} field has zeros in front, which were dropped")]
    LeadingZeros(&'static str),
    /// The move number is 0, read as 1.
    #[error("the move number is 0, read as 1")]
    ZeroMoveNumber,
    /// The side that is not to move is in check: no game reaches this, but the position was taken.
    #[error("{} is in check but not to move", .0.as_str())]
    OpponentInCheck(Color),
    /// What follows the fields was not read: operations of an EPD (FORMATS 3).
    #[error("what follows the fields was not read")]
    OperationsIgnored,
    /// The tail of RULES 8.5 was not used.
    #[error("what stands behind `;` about the count was not used: {0}")]
    TailUnused(TailFault),
    /// A dialect's count leaves out the limit; the rule set's was taken.
    #[error("the count has no limit, and the rule set's was taken")]
    LimitAssumed,
    /// A dialect's count cannot be one here and was dropped.
    #[error("{0}; the count was dropped")]
    CountDropped(ToldError),
}

/// Why a tail (RULES 8.5) is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TailFault {
    /// A key that we do not know.
    #[error("it has a key that is none of cb, cp, cn, cl, st, cs")]
    Key,
    /// A value that a key cannot have.
    #[error("{0} has a value that it cannot have: want {1}")]
    Value(&'static str, &'static str),
    /// A key stands twice.
    #[error("{0} stands twice")]
    Twice(&'static str),
    /// It names both counts, or none though it has numbers.
    #[error("one of cb and cp names the side that counts")]
    Side,
    /// The number said last is missing.
    #[error("cn, the number said last, is missing")]
    Number,
    /// It says another thing than the count fields of the same text.
    #[error("the count fields say otherwise")]
    Fields,
    /// What it says cannot be.
    #[error("{0}")]
    Told(ToldError),
}
