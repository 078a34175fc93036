//! SAN as Fairy-Stockfish and pychess write it (RULES 7). Reading is in [`crate::read`].

use rules::{LegalMove, MoveKind, Position, Role, Square, attacks_of};

/// Writes a move with minimal disambiguation against the legal moves of the position, and `+` or
/// `#`.
///
/// Bia moves bear no letter; a promotion ends with `=M`; a khun's leap reads `Kb2`. A met leap is
/// told apart from a met's step to the same square (`Mee3`, `Mde3`) except under the fairy rule
/// sets, which write `Me3` for both as their engine does. Kar ouk's winning check bears `#`. A
/// sutra's move tells where its bia went: `Me3/e4`, `Nc3/c4` (RULES 8).
#[must_use]
pub fn write(position: &Position, mv: LegalMove) -> String {
    write_among(position, mv, &position.legal_moves())
}

/// [`write()`] for a caller that has the position's legal moves already.
#[must_use]
pub fn write_among(position: &Position, mv: LegalMove, legal: &[LegalMove]) -> String {
    let mut san = String::with_capacity(8);
    write_into(position, mv, legal, &mut san);
    san
}

/// [`write_among`] at the end of a text.
pub fn write_into(position: &Position, mv: LegalMove, legal: &[LegalMove], out: &mut String) {
    let mut san = bare_text(position, mv, legal);
    if position.gives_check(mv) {
        let mut after = *position;
        after.play(mv);
        san.push(if after.has_legal_move() { b'+' } else { b'#' });
    }
    out.push_str(san.as_str());
}

/// The move without its check sign.
#[must_use]
pub fn bare(position: &Position, mv: LegalMove, legal: &[LegalMove]) -> String {
    bare_text(position, mv, legal).as_str().to_owned()
}

/// A move's text on its way, all ASCII; the longest is a sutra's: `Nb1c3/c4#`.
#[repr(align(16))]
struct Text {
    bytes: [u8; 16],
    len: usize,
}

impl Text {
    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len % 16] = byte;
        self.len += 1;
    }

    fn file(&mut self, square: Square) {
        self.push(b'a' + square.file());
    }

    fn rank(&mut self, square: Square) {
        self.push(b'1' + square.rank());
    }

    fn as_str(&self) -> &str {
        let text = std::str::from_utf8(&self.bytes).unwrap_or_default();
        text.get(..self.len).unwrap_or_default()
    }
}

fn bare_text(position: &Position, mv: LegalMove, legal: &[LegalMove]) -> Text {
    let mut san = Text {
        bytes: [0; 16],
        len: 0,
    };
    let role = position.role_at(mv.from()).unwrap_or(Role::Bia);
    let capture = position.is_capture(mv);
    if role == Role::Bia {
        if capture {
            san.file(mv.from());
        }
    } else {
        san.push(role.letter() as u8);
        disambiguate(&mut san, position, mv, role, legal);
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

/// File if that tells the move from its rivals, else rank, else both.
fn disambiguate(
    san: &mut Text,
    position: &Position,
    mv: LegalMove,
    role: Role,
    legal: &[LegalMove],
) {
    if !may_have_rivals(position, mv, role) {
        return;
    }
    let leap = |mv: LegalMove| mv.kind() == MoveKind::MetLeap;
    let rivals = legal.iter().filter(|rival| {
        rival.to() == mv.to()
            && rival.from() != mv.from()
            && position.role_at(rival.from()) == Some(role)
            && !(position.san_ambiguous_leap() && leap(**rival) != leap(mv))
    });
    let (mut any, mut same_file, mut same_rank) = (false, false, false);
    for rival in rivals {
        any = true;
        same_file |= rival.from().file() == mv.from().file();
        same_rank |= rival.from().rank() == mv.from().rank();
    }
    if any && (!same_file || same_rank) {
        san.file(mv.from());
    }
    if same_file {
        san.rank(mv.from());
    }
}

/// Whether another man of the side and role attacks the square, or may leap there. Mostly not, and
/// then no list of moves need be gone through.
fn may_have_rivals(position: &Position, mv: LegalMove, role: Role) -> bool {
    let us = position.turn();
    // A man attacks the square if the other colour's man on the square would attack it.
    let from = attacks_of(!us, role, mv.to(), position.occupied()) & position.of(us, role);
    !position.rights().is_empty() || from.len() > u32::from(from.contains(mv.from()))
}
