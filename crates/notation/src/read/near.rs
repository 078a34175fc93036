//! Legal moves that look like a token that is none: suggestions for a person, never applied.

use rules::{LegalMove, Position};

use super::letters::{Kinds, Letters};
use super::script;
use super::token::Wish;

/// At most this many suggestions.
const MOST: usize = 5;

/// Legal moves near a token, the nearest first; the generator's order breaks ties.
pub fn near(token: &str, letters: &Letters, position: &Position) -> Vec<LegalMove> {
    let wishes = script::wishes(token, letters).unwrap_or_default();
    let Some(wish) = wishes.first() else {
        return Vec::new();
    };
    let mut scored: Vec<(u8, LegalMove)> = position
        .legal_moves()
        .iter()
        .filter_map(|&mv| Some((difference(wish, position, mv)?, mv)))
        .collect();
    scored.sort_by_key(|&(difference, _)| difference);
    scored.into_iter().take(MOST).map(|(_, mv)| mv).collect()
}

/// How far a legal move is from the wish; none if too far. One slip of the pen: another man to the same square, or the
/// same man to a square one file or rank off.
fn difference(wish: &Wish, position: &Position, mv: LegalMove) -> Option<u8> {
    let man = position.man_at(mv.from())?;
    let kinds = if wish.loose_kinds == Kinds::ALL {
        origin_kinds(wish, position)
    } else {
        wish.loose_kinds
    };
    let same_man = kinds.has(man);
    let from = wish.from_file.is_none_or(|file| file == mv.from().file())
        && wish.from_rank.is_none_or(|rank| rank == mv.from().rank());
    let files = mv.to().file().abs_diff(wish.to.file());
    let ranks = mv.to().rank().abs_diff(wish.to.rank());
    match (same_man, from, files + ranks) {
        (true, true, 0) => Some(0),
        (true, true, 1) => Some(1),
        (true, false, 0) => Some(2),
        (false, _, 0) => Some(3),
        // The right file or the right rank, farther off: `Rh5` for `Rh2`.
        (true, true, _) if files == 0 || ranks == 0 => Some(2 + files + ranks),
        _ => None,
    }
}

fn origin_kinds(wish: &Wish, position: &Position) -> Kinds {
    let square = wish
        .from_file
        .zip(wish.from_rank)
        .and_then(|(file, rank)| rules::Square::new(file, rank));
    square
        .and_then(|square| position.man_at(square))
        .map_or(Kinds::ALL, Kinds::of)
}
