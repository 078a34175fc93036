//! SAN as Fairy-Stockfish and pychess write it (RULES 7). Reading is in [`crate::read`].

use std::fmt;
use std::ops::Deref;

use crate::read::Word;
use rules::{Bitboard, LegalMove, MoveKind, Position, Role, Square, attacks_of};

/// Writes a move with minimal disambiguation against the legal moves of the position, and `+` or
/// `#`.
///
/// Bia moves bear no letter; a promotion ends with `=M`; a khun's leap reads `Kb2`. A met leap is
/// told apart from a met's step to the same square (`Mee3`, `Mde3`) except under the fairy rule
/// sets, which write `Me3` for both as their engine does. Kar ouk's winning check bears `#`. A
/// sutra's move tells where its bia went: `Me3/e4`, `Nc3/c4` (RULES 8).
#[must_use]
pub fn write(position: &Position, mv: LegalMove) -> String {
    of(position, mv).as_str().to_owned()
}

/// [`write()`] at the end of a text.
pub fn write_into(position: &Position, mv: LegalMove, out: &mut String) {
    out.push_str(of(position, mv).as_str());
}

/// [`write()`] without an allocation.
#[must_use]
pub fn of(position: &Position, mv: LegalMove) -> San {
    let mut san = bare(position, mv);
    if position.gives_check(mv) {
        let mut after = *position;
        after.play(mv);
        san.push(if after.has_legal_move() { b'+' } else { b'#' });
    }
    san
}

/// The move without its check sign.
#[must_use]
pub fn bare(position: &Position, mv: LegalMove) -> San {
    let mut san = San::default();
    let role = position.role_at(mv.from()).unwrap_or(Role::Bia);
    let capture = position.is_capture(mv);
    if role == Role::Bia {
        if capture {
            san.file(mv.from());
        }
    } else {
        san.push(role.letter() as u8);
        disambiguate(&mut san, position, mv, role);
    }
    if capture {
        san.push(b'x');
    }
    san.file(mv.to());
    san.rank(mv.to());
    if mv.is_promotion() {
        san.push(b'=');
        san.push(b'M');
    }
    if let Some(bia) = mv.raw().bia_arrives() {
        san.push(b'/');
        san.file(bia);
        san.rank(bia);
    }
    san
}

/// A move's text, all ASCII and in place; the longest is a sutra's: `Nb1c3/c4#`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct San {
    bytes: [u8; San::CAPACITY],
    len: u8,
}

impl San {
    const CAPACITY: usize = 15;

    /// A token as the text of a move; its bytes are ASCII.
    #[must_use]
    #[inline]
    pub fn of_word(word: Word) -> San {
        let (letters, len) = word.bytes();
        let mut bytes = [0; San::CAPACITY];
        bytes[..8].copy_from_slice(&letters);
        San { bytes, len }
    }

    /// Adds a character.
    #[inline]
    pub fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = byte;
            self.len += 1;
        }
    }

    fn append(&mut self, other: &San) {
        other.as_bytes().iter().for_each(|&byte| self.push(byte));
    }

    fn file(&mut self, square: Square) {
        self.push(b'a' + square.file());
    }

    fn rank(&mut self, square: Square) {
        self.push(b'1' + square.rank());
    }

    /// Whether it ends with the sign of a check or mate.
    #[must_use]
    #[inline]
    pub fn gives_check(&self) -> bool {
        let last = usize::from(self.len.wrapping_sub(1));
        matches!(self.bytes.get(last), Some(b'+' | b'#'))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Its bytes.
    #[must_use]
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl Deref for San {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq<&str> for San {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

fn disambiguate(san: &mut San, position: &Position, mv: LegalMove, role: Role) {
    if !may_have_rivals(position, mv, role) {
        return;
    }
    let ordinary = position.arrivals(role, mv.to()).origins();
    let leap = met_leap(position, mv.to(), role);
    let leaps = mv.kind() == MoveKind::MetLeap;
    let rivals = match (position.san_ambiguous_leap(), leaps) {
        (false, _) => ordinary | leap,
        (true, true) => leap,
        (true, false) => ordinary,
    };
    if rivals.len() > u32::from(rivals.contains(mv.from())) {
        san.append(&origin(mv.from(), rivals));
    }
}

/// Whether another man of the side and role attacks the square, or may leap there. Mostly not.
fn may_have_rivals(position: &Position, mv: LegalMove, role: Role) -> bool {
    let us = position.turn();
    // A man attacks the square if the other colour's man on the square would attack it.
    let from = attacks_of(!us, role, mv.to(), position.occupied()) & position.of(us, role);
    !position.rights().is_empty() || !(from & !Bitboard::of(mv.from())).is_empty()
}

/// Whence a met may leap to a square: at most once a game, so the list of moves is asked.
fn met_leap(position: &Position, to: Square, role: Role) -> Bitboard {
    if role != Role::Met || position.rights().of(position.turn()).is_empty() {
        return Bitboard::EMPTY;
    }
    let legal = position.legal_moves();
    let leap = legal
        .iter()
        .find(|mv| mv.kind() == MoveKind::MetLeap && mv.to() == to);
    leap.map_or(Bitboard::EMPTY, |leap| Bitboard::of(leap.from()))
}

/// What tells a man from its rivals: the file if that does, else the rank, else both; nothing where it has none.
pub(crate) fn origin(from: Square, rivals: Bitboard) -> San {
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals.into_iter().filter(|&rival| rival != from) {
        any = true;
        same_file |= rival.file() == from.file();
        same_rank |= rival.rank() == from.rank();
    }
    let mut san = San::default();
    if any && (!same_file || same_rank) {
        san.file(from);
    }
    if same_file {
        san.rank(from);
    }
    san
}
