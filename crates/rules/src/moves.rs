//! Moves: packed, legal, wished for, and lists of them.

use std::fmt;
use std::ops::Deref;
use std::str::FromStr;

use thiserror::Error;

use crate::Square;

/// How a move is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A step, leap or slide of the man itself, with or without capture.
    Normal,
    /// A bia arrives on its sixth rank and becomes a met (RULES 2).
    Promotion,
    /// The khun's first-move leap (RULES 5.1).
    KhunLeap,
    /// The met's first-move leap (RULES 5.2).
    MetLeap,
    /// Sut met: the bia ahead of the met steps on, the met goes to the square it left (RULES 8.2).
    SutMet,
    /// Sut ma: a bia a knight's move ahead steps on, the ma goes to the square it left (RULES 8.3).
    SutMa,
}

impl MoveKind {
    /// Whether two men move: a sutra's man, and the bia that makes room for it.
    #[must_use]
    #[inline]
    pub const fn moves_two(self) -> bool {
        matches!(self, MoveKind::SutMet | MoveKind::SutMa)
    }
}

/// A move in 16 bits: from (6), to (6), kind (4). Shown in UCI form: `e3e4`, `a5a6m`.
///
/// Where two men move ([`MoveKind::moves_two`]), from and to are those of the met or ma; `to` is
/// where the bia stands that steps on.
///
/// Nothing says that it is legal anywhere: see [`LegalMove`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

impl Move {
    /// Packs a move.
    #[must_use]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        Move(from.index() as u16 | (to.index() as u16) << 6 | (kind as u16) << 12)
    }

    /// Where the man stood.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_index((self.0 & 63) as u8)
    }

    /// Where it arrives.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_index((self.0 >> 6 & 63) as u8)
    }

    /// How it is made.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 12 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion,
            2 => MoveKind::KhunLeap,
            3 => MoveKind::MetLeap,
            4 => MoveKind::SutMet,
            _ => MoveKind::SutMa,
        }
    }

    /// Whether a bia becomes a met.
    #[must_use]
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0 >> 12 == MoveKind::Promotion as u16
    }

    /// Where the bia arrives that makes room for a met or ma, if two men move.
    #[must_use]
    pub fn bia_arrives(self) -> Option<Square> {
        let ahead = match self.to().rank() < 4 {
            true => self.to().rank() + 1,
            false => self.to().rank() - 1,
        };
        self.kind()
            .moves_two()
            .then(|| Square::new(self.to().file(), ahead))
            .flatten()
    }

    /// The packed form.
    #[must_use]
    pub const fn to_bits(self) -> u16 {
        self.0
    }

    /// The move of a packed form; `None` if the kind's bits mean nothing.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Option<Move> {
        if bits >> 12 <= MoveKind::SutMa as u16 {
            Some(Move(bits))
        } else {
            None
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.is_promotion() { "m" } else { "" };
        write!(f, "{}{}{suffix}", self.from(), self.to())
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move that the generator found legal in a position. Only the generator makes one.
///
/// It is legal in the position it was generated from and means nothing in any other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LegalMove(Move);

impl LegalMove {
    #[inline]
    pub(crate) const fn vouch(mv: Move) -> LegalMove {
        LegalMove(mv)
    }

    /// The move without the promise.
    #[must_use]
    #[inline]
    pub const fn raw(self) -> Move {
        self.0
    }

    /// Where the man stood.
    #[must_use]
    #[inline]
    pub const fn from(self) -> Square {
        self.0.from()
    }

    /// Where it arrives.
    #[must_use]
    #[inline]
    pub const fn to(self) -> Square {
        self.0.to()
    }

    /// How it is made.
    #[must_use]
    #[inline]
    pub const fn kind(self) -> MoveKind {
        self.0.kind()
    }

    /// Whether a bia becomes a met.
    #[must_use]
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.is_promotion()
    }
}

impl fmt::Display for LegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for LegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A wish in UCI form, which [`crate::Position::resolve`] turns into a [`LegalMove`] or refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UciMove {
    /// Where the man stands.
    pub from: Square,
    /// Where it shall go.
    pub to: Square,
    /// Whether the text asks for promotion (`m`).
    pub promotion: bool,
}

/// The text has not the form of a UCI move of makruk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a UCI move: want from and to squares and perhaps `m`, as in e3e4 or a5a6m")]
pub struct ParseUciError;

impl FromStr for UciMove {
    type Err = ParseUciError;

    fn from_str(text: &str) -> Result<UciMove, ParseUciError> {
        let promotion = match text.len() {
            4 => false,
            5 if text.ends_with('m') => true,
            _ => return Err(ParseUciError),
        };
        let square = |range| {
            text.get(range)
                .and_then(|part: &str| part.parse().ok())
                .ok_or(ParseUciError)
        };
        Ok(UciMove {
            from: square(0..2)?,
            to: square(2..4)?,
            promotion,
        })
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = if self.promotion { "m" } else { "" };
        write!(f, "{}{}{suffix}", self.from, self.to)
    }
}

impl From<Move> for UciMove {
    fn from(mv: Move) -> UciMove {
        UciMove {
            from: mv.from(),
            to: mv.to(),
            promotion: mv.is_promotion(),
        }
    }
}

/// A position has at most 16 men a side, none of which has more than 14 moves (and a khun ten with
/// its leaps), so no position has more moves than this.
const CAPACITY: usize = 224;

/// The legal moves of a position, in the generator's order, which is fixed.
#[derive(Clone)]
pub struct MoveList {
    moves: [LegalMove; CAPACITY],
    len: usize,
}

impl MoveList {
    /// An empty list.
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList {
            moves: [LegalMove(Move(0)); CAPACITY],
            len: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, mv: LegalMove) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [LegalMove];

    #[inline]
    fn deref(&self) -> &[LegalMove] {
        &self.moves[..self.len.min(CAPACITY)]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a LegalMove;
    type IntoIter = std::slice::Iter<'a, LegalMove>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
