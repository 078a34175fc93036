//! Moves as we write them ourselves, read backwards from their target and without a list of legal moves.
//!
//! Nearly all tokens of nearly all archives are such moves. Whatever is not, letter for letter, is left to
//! [`super::match_move`], which would find the same move here and nothing to note.

use rules::{Bitboard, LegalMove, Line, Role, Square};

use super::letters::{Kinds, Letters};
use super::script::Script;
use super::token::CheckMark;
use crate::san;

/// A token of at most eight bytes as one number, its first byte the lowest and nothing beyond its last: all of it is at hand
/// without a look at memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    letters: u64,
    bits: u32,
}

impl Word {
    /// The token of these bytes; none if it is empty or too long.
    pub fn new(bytes: &[u8]) -> Option<Word> {
        let mut letters = [0; 8];
        letters.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Word::of(u64::from_le_bytes(letters), bytes.len() as u32)
    }

    /// The token of the first so many of eight bytes; none if it is empty or too long.
    #[inline]
    pub fn of(letters: u64, length: u32) -> Option<Word> {
        let bits = length.wrapping_mul(8);
        matches!(length, 1..=8).then(|| Word {
            letters: letters & u64::MAX >> ((64 - bits) & 63),
            bits,
        })
    }

    /// Its bytes, and zeros behind them.
    #[inline]
    pub(crate) fn bytes(self) -> ([u8; 8], u8) {
        (self.letters.to_le_bytes(), (self.bits / 8) as u8)
    }

    fn without_last(self) -> Word {
        let bits = self.bits - 8;
        Word {
            letters: self.letters & !(0xff << bits),
            bits,
        }
    }
}

/// A token that is our own SAN; whether its check mark is right shows only after the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain {
    /// The move.
    pub mv: LegalMove,
    /// The token without its check mark.
    pub bare: Word,
    /// The check mark.
    pub mark: CheckMark,
    /// Whether the move takes a man.
    pub takes: bool,
}

impl Letters {
    /// Whether [`match_plain`] reads our SAN as these letters would: they are ours.
    pub fn are_ours(&self) -> bool {
        let ours = [
            (b'K', Kinds::KHUN),
            (b'M', Kinds::METS),
            (b'S', Kinds::KHON),
            (b'N', Kinds::MA),
            (b'R', Kinds::RUA),
        ];
        let same = |(letter, kinds)| {
            let meaning = self.meaning(letter);
            meaning.is_some_and(|meaning| meaning.kinds == kinds && !meaning.alias)
        };
        self.script() == Script::Squares
            && self.writes_promotion(b'M')
            && ours.into_iter().all(same)
    }
}

/// Reads a token that is our own SAN in a line's position, of letters that are ours. `None`: not certainly, so look closer.
#[inline]
pub fn match_plain(word: Word, line: &Line) -> Option<Plain> {
    let position = line.position();
    // The last byte is the highest; what has been read is shifted out.
    let (mut rest, mut bits) = (word.letters << ((64 - word.bits) & 63), word.bits);
    let mut pass = |rest: &mut u64, read: u32| {
        *rest <<= read;
        bits -= read;
    };
    let mark = match (rest >> 56) as u8 {
        b'+' => CheckMark::Check,
        b'#' => CheckMark::Mate,
        _ => CheckMark::None,
    };
    let mut bare = word;
    if mark != CheckMark::None {
        pass(&mut rest, 8);
        bare = word.without_last();
    }
    let promotes = (rest >> 48) as u16 == u16::from_le_bytes(*b"=M");
    if promotes {
        pass(&mut rest, 16);
    }
    // Zeros in front of a shorter token are no square.
    let square = ((rest >> 48) as u16).wrapping_sub(u16::from_le_bytes(*b"a1"));
    if square & 0xf8f8 != 0 {
        return None;
    }
    let to = Square::from_index((square | square >> 5) as u8);
    pass(&mut rest, 16);
    let takes = (rest >> 56) as u8 == b'x';
    if takes {
        pass(&mut rest, 8);
    }
    let first = word.letters as u8;
    let role = match (bits, first) {
        (0, _) if !takes => Role::Bia,
        (8, b'a'..=b'h') if takes => Role::Bia,
        (8.., _) => role_of(first)?,
        _ => return None,
    };
    // A leap or a sutra may go there too.
    if position.has_rights() && matches!(role, Role::Met | Role::Ma | Role::Khun) {
        return None;
    }
    let arrivals = line.arrivals(role, to);
    let origins = arrivals.origins();
    let from = match (role, bits) {
        (Role::Bia, 8) => origins & Bitboard::file(first - b'a'),
        (_, 0 | 8) => origins,
        _ => told_apart(&word.letters.to_le_bytes()[1..(bits / 8) as usize], origins),
    };
    let mv = arrivals.of(from.only()?)?;
    let right = takes == position.is_capture(mv) && promotes == mv.is_promotion();
    right.then_some(Plain {
        mv,
        bare,
        mark,
        takes,
    })
}

#[inline]
fn role_of(letter: u8) -> Option<Role> {
    Some(match letter {
        b'N' => Role::Ma,
        b'R' => Role::Rua,
        b'S' => Role::Khon,
        b'M' => Role::Met,
        b'K' => Role::Khun,
        _ => return None,
    })
}

/// The origin that is so written as we write it, if there is one.
#[cold]
fn told_apart(written: &[u8], origins: Bitboard) -> Bitboard {
    let mut all = origins.into_iter();
    let from = all.find(|&from| san::origin(from, origins).as_bytes() == written);
    from.map_or(Bitboard::EMPTY, Bitboard::of)
}
