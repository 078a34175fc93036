//! When the board lets a count begin, and with which limit (RULES 4, 5.3).

use crate::ruleset::{BoardTrigger, BoardWho, Ruleset};
use crate::{Color, FullMoves, Plies, Position, Role};

pub(crate) fn twice_the_men(position: &Position) -> Plies {
    FullMoves(u32::from(position.men_on_board())).plies()
}

#[inline]
pub(crate) fn no_bia(position: &Position) -> bool {
    position.role(Role::Bia).is_empty()
}

/// Whether the board lets any count begin or be started. Nearly always a bia is left, and no side is short of men.
#[inline]
pub(crate) fn may_begin(rules: &Ruleset, position: &Position) -> bool {
    no_bia(position)
        || rules.board_trigger == BoardTrigger::Le3
            && Color::ALL.into_iter().any(|c| is_short(position, c))
}

/// Whether a side has three men at most, khun included.
#[inline]
fn is_short(position: &Position, color: Color) -> bool {
    let but_one = |men: u64| men & men.wrapping_sub(1);
    but_one(but_one(but_one(position.men(color).0))) == 0
}

/// The plies at which a pieces' honour count begins after a move, if it does (RULES 4.2). Khun
/// against khun begins none: nobody is left to mate.
pub(crate) fn pieces_begin(after: &Position, took_bia: bool) -> Option<Plies> {
    let both_bare = Color::ALL.into_iter().all(|color| after.is_bare(color));
    if !no_bia(after) || both_bare {
        return None;
    }
    let twice = twice_the_men(after);
    if after.is_bare(after.turn()) {
        Some(twice)
    } else if after.is_bare(!after.turn()) && took_bia {
        Some(twice.less(Plies(1)))
    } else {
        None
    }
}

/// Whether an automatic board's honour count begins for the side to move.
pub(crate) fn board_due(rules: &Ruleset, after: &Position) -> bool {
    let side = after.turn();
    board_possible(rules, after)
        && match rules.board_who {
            BoardWho::Le3 => is_short(after, side),
            BoardWho::Weaker | BoardWho::Armed | BoardWho::ToMove => true,
        }
}

pub(crate) fn board_possible(rules: &Ruleset, position: &Position) -> bool {
    let neither_bare = !Color::ALL.into_iter().any(|c| position.is_bare(c));
    neither_bare
        && match rules.board_trigger {
            BoardTrigger::NoPawns => no_bia(position),
            BoardTrigger::Le3 => Color::ALL.into_iter().any(|c| is_short(position, c)),
        }
}

/// The limit L of the pieces' honour count: the first line that fits what the
/// stronger side has (RULES 4.2).
#[must_use]
pub fn pieces_limit(position: &Position, attacker: Color, snn: FullMoves) -> FullMoves {
    let have = |role| position.of(attacker, role).len();
    let (rua, khon, ma) = (have(Role::Rua), have(Role::Khon), have(Role::Ma));
    match (rua, khon, ma) {
        (2.., _, _) => FullMoves(8),
        (1, _, _) => FullMoves(16),
        (0, 2.., _) => FullMoves(22),
        (0, 0, 2..) => FullMoves(32),
        (0, 1, 2..) => snn,
        (0, 1, _) => FullMoves(44),
        _ => FullMoves(64),
    }
}

/// Whether a count of so many plies is at its beginning, and that at 2N - 1.
pub(crate) fn early(men: u8, plies: Plies) -> bool {
    FullMoves(u32::from(men)).plies().less(Plies(1)) == plies && plies > Plies::ZERO
}
