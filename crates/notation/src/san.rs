//! SAN as Fairy-Stockfish and pychess write it (RULES 7). Reading is in [`crate::read`].

use rules::{LegalMove, MoveKind, Position, Role, Square};

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
    let mut san = bare(position, mv, legal);
    if position.gives_check(mv) {
        let mut after = *position;
        after.play(mv);
        san.push(if after.has_legal_move() { '+' } else { '#' });
    }
    san
}

/// The move without its check sign.
#[must_use]
pub fn bare(position: &Position, mv: LegalMove, legal: &[LegalMove]) -> String {
    let mut san = String::with_capacity(8);
    let role = position.role_at(mv.from()).unwrap_or(Role::Bia);
    let capture = position.is_capture(mv);
    if role == Role::Bia {
        if capture {
            push_file(&mut san, mv.from());
        }
    } else {
        san.push(role.letter());
        disambiguate(&mut san, position, mv, role, legal);
    }
    if capture {
        san.push('x');
    }
    push_file(&mut san, mv.to());
    push_rank(&mut san, mv.to());
    if mv.is_promotion() {
        san.push_str("=M");
    }
    if let Some(bia) = mv.raw().bia_arrives() {
        san.push('/');
        push_file(&mut san, bia);
        push_rank(&mut san, bia);
    }
    san
}

/// File if that tells the move from its rivals, else rank, else both.
fn disambiguate(
    san: &mut String,
    position: &Position,
    mv: LegalMove,
    role: Role,
    legal: &[LegalMove],
) {
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
        push_file(san, mv.from());
    }
    if same_file {
        push_rank(san, mv.from());
    }
}

fn push_file(san: &mut String, square: Square) {
    san.push(char::from(b'a' + square.file()));
}

fn push_rank(san: &mut String, square: Square) {
    san.push(char::from(b'1' + square.rank()));
}
