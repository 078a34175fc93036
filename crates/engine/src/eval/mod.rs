//! How good a position looks without looking ahead. Integers only: the same on every machine.

mod features;
mod mop_up;
mod pair;
pub mod trace;
mod weights;

use rules::ruleset::CountStart;
use rules::{Color, Count, CountKind, Position, Role, Ruleset};

use self::features::{Attacks, MATERIAL, PHASE_FULL, Tally};
use self::pair::Pair;
use self::weights::{TEMPO, WEIGHTS};
use crate::score::{EVAL_LIMIT, Value};
use crate::search::FAR;

/// The value of `pos` for the side to move.
///
/// `count` is the count that runs: what is left of it scales down the hunter's hopes. Where the rule set lets a side
/// start a board's honour count by will, none is running unless the record says so; that the weaker side may start one
/// takes an eighth off the stronger side's advantage, since 64 moves are enough for nearly every won ending.
pub(crate) fn evaluate(pos: &Position, rules: &Ruleset, count: Option<&Count>) -> Value {
    let attacks = Attacks::of(pos);
    let [mut white, mut black] = [Pair::default(); 2];
    attacks.note(pos, Color::White, &mut white);
    attacks.note(pos, Color::Black, &mut black);
    let total = white - black;
    let phase = features::phase(pos);
    let white = (total.mg * phase + total.eg * (PHASE_FULL - phase)) / PHASE_FULL;
    let white = ending(pos, rules, count, white);
    let value = if pos.turn() == Color::White {
        white
    } else {
        -white
    };
    (value + TEMPO).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

impl Tally for Pair {
    #[inline]
    fn add(&mut self, feature: usize, times: i32) {
        *self += WEIGHTS[feature] * times;
    }
}

/// The worth of a man that stands to be taken, for move ordering and exchanges.
pub(crate) const EXCHANGE: [Value; 6] = [95, 180, 278, 348, 610, 10_000];

/// Endgame knowledge on top of `white`, the plain value from White's view.
fn ending(pos: &Position, rules: &Ruleset, count: Option<&Count>, white: Value) -> Value {
    let strong = if white >= 0 {
        Color::White
    } else {
        Color::Black
    };
    let bare = pos.is_bare(!strong);
    let gap = force(pos, strong) - force(pos, !strong);
    // Whoever stands better must get on with it: without this it shuffles until the position repeats.
    let mut value = white.abs() * (256 - pos.ply_clock().0.min(100) as i32) / 256;
    let scale = mop_up::winning_scale(pos, strong, gap);
    if scale > 14 && (bare || (gap > 500 && force(pos, !strong) <= 200)) {
        value += mop_up::drive(pos, strong);
    }
    value = value * scale / 64;
    value = match count {
        Some(count) => value * count_scale(rules, count, strong) / 64,
        None if rules.board_start == CountStart::Manual
            && pos.role(Role::Bia).is_empty()
            && !bare =>
        {
            value * 7 / 8
        }
        None => value,
    };
    if strong == Color::White {
        value
    } else {
        -value
    }
}

/// In 64ths, what a running count leaves of the advantage of `strong`.
fn count_scale(rules: &Ruleset, count: &Count, strong: Color) -> i32 {
    // The counting side may stop a board's honour count by will, and then nothing hinders its own win.
    if count.side == strong && count.kind == CountKind::Board && rules.board_stop {
        return 64;
    }
    // Beyond this the search does not tell counts apart, so the evaluation must not either.
    64 * count.replies_left.clamp(1, FAR) as i32 / FAR as i32
}

/// What a side has besides khun and bia, at endgame worth.
pub(crate) fn force(pos: &Position, color: Color) -> i32 {
    [Role::Met, Role::Khon, Role::Ma, Role::Rua]
        .into_iter()
        .map(|role| pos.of(color, role).len() as i32 * WEIGHTS[MATERIAL + role as usize].eg)
        .sum()
}
