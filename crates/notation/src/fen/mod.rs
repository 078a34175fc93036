//! Positions as text: the form of RULES 7 and 8, strictly written, strictly or leniently read.
//!
//! ```text
//! rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1
//! board                                       │ │    │ │ └ move number
//!                                             │ │    │ └ plies since a capture or bia move; while
//!                                             │ │    │   a count runs, the plies counted
//!                                             │ │    └ limit of the running count in plies, or -
//!                                             │ └ first-move rights, by home file, or -
//!                                             └ side to move
//! ```
//!
//! Kar ouk has the checks left, `1+1`, behind the limit. A promoted bia is `M~`. Behind ` ; ` may
//! stand who counts (RULES 8.5), written by [`write_full`]: the fields before do not tell.
//!
//! # Reading
//!
//! [`parse`] is lenient: it takes the forms of FORMATS 3 that archives have, and each repair is a
//! [`FenNote`], so that a text without notes is exactly as [`write()`] or [`write_full`] writes it.
//! [`parse_as`] takes a [`Reading`]: `Strict` refuses what leaves a note; `Ren` and `MakrukJs` read
//! two dialects whose letters mean other men, which the lenient reading recognises and refuses.
//!
//! | form (FORMATS 3) | what is made of it |
//! |---|---|
//! | one, two, four or five fields | the rest as in a new game ([`FenNote::FieldsMissing`]) |
//! | `w - 0 0 1` | no count ([`FenNote::ZeroCount`]) |
//! | `w - 128 37 60` | a count: limit and plies counted; who counts follows from the plies |
//! | `Q`, `B`, `C`, `F` for met, khon, khon, promoted or unpromoted met | mapped ([`FenNote::LetterMapped`]), but not beside the letters they stand for |
//! | rights in any order, twice, unknown, of men not at home | put right ([`FenNote::RightsOrder`], [`FenNote::RightTwice`], [`FenNote::RightUnknown`], [`FenNote::RightWithoutMan`]) |
//! | rights under a rule set without any | dropped ([`FenNote::RightsDropped`]) |
//! | the start of ouk without rights | taken as it is ([`FenNote::RightsMissingAtStart`]) |
//! | kar ouk without the checks left, or with them elsewhere | `1+1`, or moved ([`FenNote::ChecksMissing`], [`FenNote::ChecksPlace`]) |
//! | `w - e3 0 1` | no count ([`FenNote::EnPassant`]) |
//! | tabs, blanks around, `bm e3e4;` behind | dropped ([`FenNote::Blanks`], [`FenNote::OperationsIgnored`]) |
//! | REN, makruk-js | refused unless chosen ([`FenError::OtherDialect`]) |
//! | the start of ASEAN chess | refused ([`FenError::AseanStart`]) |

mod board;
mod dialect;
mod error;
mod fields;
mod makruk_js;
mod note;
mod rank;
mod ren;
mod rights;
mod tail;
mod write;

use rules::{CountState, Position, Ruleset, Setup, ToldCount};

pub use dialect::{Dialect, Reading};
pub use error::FenError;
pub use note::{FenNote, TailFault};
pub use tail::{write_full, write_full_state};
pub use write::{Writer, write, write_position, write_state};

/// A text that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenStart {
    /// What the text says, repaired.
    pub setup: Setup,
    /// The position.
    pub position: Position,
    /// The count that runs in it or has just been stopped, if the text has one.
    pub count_state: CountState,
    /// What was repaired, and what is odd about it; none for a text as we write it.
    pub notes: Vec<FenNote>,
}

/// Reads a position, leniently.
///
/// # Errors
///
/// [`FenError`] with the place and the reason.
pub fn parse(text: &str, rules: &Ruleset) -> Result<FenStart, FenError> {
    parse_as(text, rules, Reading::Lenient)
}

/// Reads a position in the way that the caller chooses.
///
/// # Errors
///
/// [`FenError`] with the place and the reason; under [`Reading::Strict`] also for what leaves a
/// note under [`Reading::Lenient`].
pub fn parse_as(text: &str, rules: &Ruleset, reading: Reading) -> Result<FenStart, FenError> {
    match reading {
        Reading::Lenient => lenient(text, rules),
        Reading::Ren => ren::parse(text, rules),
        Reading::MakrukJs => makruk_js::parse(text, rules),
        Reading::Strict => {
            let start = lenient(text, rules)?;
            match start.notes.first() {
                None => Ok(start),
                Some(&note) => Err(FenError::NotStrict(note)),
            }
        }
    }
}

fn lenient(text: &str, rules: &Ruleset) -> Result<FenStart, FenError> {
    let mut notes = Vec::new();
    let mut setup = Setup::empty();
    let (head, behind) = match text.split_once(';') {
        Some((head, behind)) => (head, Some(behind)),
        None => (text, None),
    };
    let mut parts = head.split_ascii_whitespace();
    let board = parts.next().ok_or(FenError::Empty)?;
    if has_odd_blanks(text) {
        notes.push(FenNote::Blanks);
    }
    board::parse(board, &mut setup, &mut notes)?;
    let rest: Vec<_> = parts.collect();
    let is_epd = fields::parse(&rest, rules, &mut setup, &mut notes)?;
    let (tail, operations) = match behind {
        Some(behind) => {
            let (first, more) = match behind.split_once(';') {
                Some((first, more)) => (first, Some(more)),
                None => (behind, None),
            };
            match !is_epd && tail::is_tail(first) {
                true => (Some(first), more.is_some()),
                false => (None, true),
            }
        }
        None => (None, false),
    };
    let parted = tail.is_none_or(|tail| head.ends_with(' ') && tail.starts_with(' '));
    if !parted && !notes.contains(&FenNote::Blanks) {
        notes.push(FenNote::Blanks);
    }
    let mut start = finish(setup, rules, notes)?;
    if let Some(tail) = tail {
        start.take_tail(tail, rules);
    }
    start.note_odd_count(rules);
    if is_epd || operations {
        start.notes.push(FenNote::OperationsIgnored);
    }
    Ok(start)
}

/// The position of a set-up and the count of its fields.
fn finish(setup: Setup, rules: &Ruleset, mut notes: Vec<FenNote>) -> Result<FenStart, FenError> {
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

impl FenStart {
    /// Takes the count that a tail tells of, if it goes with the fields and the position.
    fn take_tail(&mut self, text: &str, rules: &Ruleset) {
        match self.tail_state(text, rules) {
            Ok(state) => self.count_state = state,
            Err(fault) => self.notes.push(FenNote::TailUnused(fault)),
        }
    }

    fn tail_state(&self, text: &str, rules: &Ruleset) -> Result<CountState, TailFault> {
        let state = match tail::parse(text)? {
            None => CountState::NONE,
            Some(told) => {
                CountState::from_told(&told, &self.position, rules).map_err(TailFault::Told)?
            }
        };
        if state.fields(rules) == self.setup.count {
            Ok(state)
        } else {
            Err(TailFault::Fields)
        }
    }

    /// Notes a count that no game under the rule set can bring about.
    fn note_odd_count(&mut self, rules: &Ruleset) {
        let Some(told) = self.count_state.told(&self.position, rules) else {
            return;
        };
        if let Err(error) = CountState::from_told(&told, &self.position, rules) {
            self.notes.push(FenNote::CountOdd(error));
        }
        let usual = |limit| {
            limit == rules.board_limit
                || [8, 16, 22, 32, 44, 64]
                    .map(rules::FullMoves)
                    .contains(&limit)
        };
        if let Some(limit) = told.limit.filter(|&limit| !usual(limit)) {
            self.notes.push(FenNote::LimitUnusual(limit));
        }
    }

    /// Takes the count of a dialect that says who counts, or drops it with a note.
    fn take_told(&mut self, told: &ToldCount, rules: &Ruleset) {
        if told.limit.is_none() {
            self.notes.push(FenNote::LimitAssumed);
        }
        match CountState::from_told(told, &self.position, rules) {
            Ok(state) => {
                self.count_state = state;
                self.setup.count = state.fields(rules);
            }
            Err(error) => self.notes.push(FenNote::CountDropped(error)),
        }
    }
}

/// Whether a text has blanks that part no fields, or others than the space.
fn has_odd_blanks(text: &str) -> bool {
    let blank = |byte: &u8| byte.is_ascii_whitespace();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(blank)
        || bytes.last().is_some_and(blank)
        || bytes.windows(2).any(|pair| pair.iter().all(blank))
        || bytes.iter().any(|byte| blank(byte) && *byte != b' ')
}

/// Text for a message, cut so that a hostile input stays short.
fn quoted(text: &str) -> String {
    text.chars().take(24).collect()
}
