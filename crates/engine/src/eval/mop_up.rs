//! Winning a won ending: who can mate at all, and the way a bare khun must be driven.

use rules::{Color, Position, Role, Square};

/// Squares a1, c1 ... h8: the dark ones.
pub(crate) const DARK: u64 = 0xAA55_AA55_AA55_AA55;

/// In 64ths, how much of its advantage `strong` keeps: 64 where a win is the rule, next to nothing where mate cannot
/// be forced, in between where the other side is armed.
///
/// The bare-khun rows follow the endgame facts of FSF and the KMITL tables (ma and met: won in 4% of positions; two
/// ma, one khon, paired mets of one colour: drawn). For armed endings without bia it is the gap that counts.
pub(crate) fn winning_scale(pos: &Position, strong: Color, gap: i32) -> i32 {
    if pos.of(strong, Role::Bia).0 != 0 {
        return 64;
    }
    let weak = !strong;
    if pos.men(weak).0.count_ones() == 1 {
        return if can_mate(pos, strong) { 64 } else { 5 };
    }
    match gap {
        ..=200 => 14,
        201..=300 => 24,
        301..=420 => 36,
        421..=520 => 48,
        _ => 64,
    }
}

/// Whether `strong`, without bia, can in general mate a bare khun.
fn can_mate(pos: &Position, strong: Color) -> bool {
    let number = |role| pos.of(strong, role).0.count_ones();
    let (rua, khon, ma, met) = (
        number(Role::Rua),
        number(Role::Khon),
        number(Role::Ma),
        number(Role::Met),
    );
    let mets = pos.of(strong, Role::Met).0;
    let yoked = mets & DARK != 0 && mets & !DARK != 0;
    rua > 0
        || khon > 1
        || (khon == 1 && ma + met > 0)
        || (ma > 0 && met > 1)
        || (met > 2 && yoked)
        || (ma > 1 && met > 0)
}

/// A bonus for `strong` that grows as the bare khun nears the rim, the right corner, and the men that hunt it.
pub(crate) fn drive(pos: &Position, strong: Color) -> i32 {
    let hunted = pos.khun(!strong);
    let hunter = pos.khun(strong);
    let mut bonus = 22 * rim(hunted) + 9 * (7 - distance(hunted, hunter));
    let mut men = pos.men(strong).0 & !pos.of(strong, Role::Rua).0;
    while men != 0 {
        let sq = men.trailing_zeros() as u8;
        men &= men - 1;
        bonus += 2 * (7 - distance_index(sq, hunted.index() as u8));
    }
    bonus + corner(pos, strong, hunted)
}

/// Mets mate in a corner of their own colour; without rua the other corners are shelter.
fn corner(pos: &Position, strong: Color, hunted: Square) -> i32 {
    if pos.of(strong, Role::Rua).0 != 0 {
        return 0;
    }
    let mets = pos.of(strong, Role::Met).0;
    let (dark, light) = (mets & DARK != 0, mets & !DARK != 0);
    let (file, rank) = (hunted.index() as i32 % 8, hunted.index() as i32 / 8);
    let to_dark = (file + rank).min(14 - file - rank);
    let to_light = (7 - file + rank).min(7 - rank + file);
    match (dark, light) {
        (true, false) => 12 * (7 - to_dark),
        (false, true) => 12 * (7 - to_light),
        _ => 6 * (7 - to_dark.min(to_light)),
    }
}

/// 0 in the middle to 3 on the rim, the nearer side counting most, the other a third.
fn rim(sq: Square) -> i32 {
    let (file, rank) = (sq.index() as i32 % 8, sq.index() as i32 / 8);
    let from_middle = |line: i32| (2 * line - 7).abs() / 2;
    let (a, b) = (from_middle(file), from_middle(rank));
    a.max(b) + a.min(b) / 3
}

fn distance(a: Square, b: Square) -> i32 {
    distance_index(a.index() as u8, b.index() as u8)
}

fn distance_index(a: u8, b: u8) -> i32 {
    let files = (i32::from(a % 8) - i32::from(b % 8)).abs();
    let ranks = (i32::from(a / 8) - i32::from(b / 8)).abs();
    files.max(ranks)
}
