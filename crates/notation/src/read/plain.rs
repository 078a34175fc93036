//! Moves as we write them ourselves, read backwards from their target and without a list of legal moves.
//!
//! Nearly all tokens of nearly all archives are such moves. Whatever is not, letter for letter, is left to
//! [`super::match_move`], which would find the same move here and nothing to note.

use rules::{Bitboard, LegalMove, Line, Role, Square};

use super::letters::{Kinds, Letters};
use super::script::Script;
use super::token::CheckMark;
use crate::san;

/// A token that is our own SAN; whether its check mark is right shows only after the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plain<'a> {
    /// The move.
    pub mv: LegalMove,
    /// The token without its check mark.
    pub bare: &'a [u8],
    /// The check mark.
    pub mark: CheckMark,
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
pub fn match_plain<'a>(token: &'a [u8], line: &Line) -> Option<Plain<'a>> {
    let position = line.position();
    let (bare, mark) = match token {
        [.., b'1'..=b'8'] => (token, CheckMark::None),
        [bare @ .., b'+'] => (bare, CheckMark::Check),
        [bare @ .., b'#'] => (bare, CheckMark::Mate),
        _ => (token, CheckMark::None),
    };
    let (man, promotes) = match bare {
        [.., b'1'..=b'8'] => (bare, false),
        [man @ .., b'=', b'M'] => (man, true),
        _ => return None,
    };
    let [man @ .., file, rank] = man else {
        return None;
    };
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    let to = Square::new(file, rank)?;
    let (man, takes) = match man {
        [man @ .., b'x'] => (man, true),
        _ => (man, false),
    };
    let (role, origin) = match man {
        [] | [b'a'..=b'h'] => (Role::Bia, man),
        [letter, origin @ ..] => (role_of(*letter)?, origin),
    };
    // A leap or a sutra may go there too.
    let leaps = !position.rights().of(position.turn()).is_empty();
    if leaps && matches!(role, Role::Met | Role::Ma | Role::Khun) {
        return None;
    }
    let arrivals = line.arrivals(role, to);
    let from = origin_of(role, origin, takes, arrivals.origins())?;
    let mv = arrivals.of(from)?;
    let right = takes == position.is_capture(mv) && promotes == mv.is_promotion();
    right.then_some(Plain { mv, bare, mark })
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

/// The only one of the origins that an origin written as we write it leaves.
#[inline]
fn origin_of(role: Role, written: &[u8], takes: bool, origins: Bitboard) -> Option<Square> {
    let first = origins.first()?;
    match (role, written) {
        (Role::Bia, [file]) if takes => {
            origins.into_iter().find(|from| from.file() + b'a' == *file)
        }
        (Role::Bia, []) if takes => None,
        (_, []) => (origins == Bitboard::of(first)).then_some(first),
        (Role::Bia, _) => None,
        _ => told_apart(written, origins),
    }
}

#[cold]
fn told_apart(written: &[u8], origins: Bitboard) -> Option<Square> {
    origins
        .into_iter()
        .find(|&from| san::origin(from, origins).as_bytes() == written)
}
