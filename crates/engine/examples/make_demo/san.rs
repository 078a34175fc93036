//! Moves as the dialects write them.

use rules::{LegalMove, Line, Man, Position, Role, Variant};

/// How a dialect spells men.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// `K M S N R`, a promoted bia is `M` too.
    Fairy,
    /// `K Q B N R`, a promoted bia is `P`, promotion `=P`.
    PlayOk,
}

fn letter(man: Man, spelling: Spelling) -> char {
    match (spelling, man.role) {
        (Spelling::PlayOk, Role::Met) if man.promoted => 'P',
        (Spelling::PlayOk, Role::Met) => 'Q',
        (Spelling::PlayOk, Role::Khon) => 'B',
        (_, role) => role.letter(),
    }
}

/// One move in SAN, with check and mate marks (PlayOK has no mate mark).
pub(crate) fn san(line: &Line, mv: LegalMove, spelling: Spelling) -> String {
    let pos = line.position();
    let Some(man) = pos.man_at(mv.from()) else {
        return mv.to_string();
    };
    let capture = if pos.is_capture(mv) { "x" } else { "" };
    let mut text = if man.role == Role::Bia {
        let file = mv.from().to_string().remove(0);
        if capture.is_empty() {
            mv.to().to_string()
        } else {
            format!("{file}x{}", mv.to())
        }
    } else {
        format!(
            "{}{}{capture}{}",
            letter(man, spelling),
            origin(pos, mv, man, spelling),
            mv.to()
        )
    };
    if mv.is_promotion() {
        text.push_str(if spelling == Spelling::PlayOk {
            "=P"
        } else {
            "=M"
        });
    }
    let mut next = *pos;
    next.play(mv);
    if next.in_check() {
        let over = !next.has_legal_move() || line.ruleset().variant() == Variant::KarOuk;
        text.push(if over && spelling != Spelling::PlayOk {
            '#'
        } else {
            '+'
        });
    }
    text
}

/// As much of the origin as tells the move from those of men with the same letter.
fn origin(pos: &Position, mv: LegalMove, man: Man, spelling: Spelling) -> String {
    let legal = pos.legal_moves();
    let same = |other: &&LegalMove| {
        other.from() != mv.from()
            && other.to() == mv.to()
            && pos.man_at(other.from()).is_some_and(|rival| {
                rival.role != Role::Bia && letter(rival, spelling) == letter(man, spelling)
            })
    };
    let rivals: Vec<&LegalMove> = legal.iter().filter(same).collect();
    let square = mv.from().to_string();
    if rivals.is_empty() {
        String::new()
    } else if rivals
        .iter()
        .all(|rival| rival.from().file() != mv.from().file())
    {
        square[..1].to_owned()
    } else if rivals
        .iter()
        .all(|rival| rival.from().rank() != mv.from().rank())
    {
        square[1..].to_owned()
    } else {
        square
    }
}
