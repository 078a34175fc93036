//! How good a position looks without looking ahead. Integers only: the same on every machine.

mod mop_up;
mod pair;
mod weights;

use rules::ruleset::CountStart;
use rules::{Color, Count, CountKind, Position, Role, Ruleset};

use self::mop_up::DARK;
use self::pair::Pair;
use self::weights as w;
use crate::board::{self, FILE_A, FILE_H};
use crate::score::{EVAL_LIMIT, Value};
use crate::search::FAR;

/// The value of `pos` for the side to move.
///
/// `count` is the count that runs: what is left of it scales down the hunter's hopes. Where the rule set lets a side
/// start a board's honour count by will, none is running unless the record says so; that the weaker side may start one
/// takes an eighth off the stronger side's advantage, since 64 moves are enough for nearly every won ending.
pub(crate) fn evaluate(pos: &Position, rules: &Ruleset, count: Option<&Count>) -> Value {
    let sides = Sides::of(pos);
    let mut total = Pair::default();
    let mut phase = 0;
    for color in [Color::White, Color::Black] {
        let (score, weight) = sides.side(pos, color);
        phase += weight;
        if color == Color::White { total += score } else { total -= score }
    }
    let phase = phase.min(w::PHASE_FULL);
    let white = (total.mg * phase + total.eg * (w::PHASE_FULL - phase)) / w::PHASE_FULL;
    let white = ending(pos, rules, count, white);
    let value = if pos.turn() == Color::White { white } else { -white };
    (value + w::TEMPO).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

/// The worth of a man that stands to be taken, for move ordering and exchanges.
pub(crate) const EXCHANGE: [Value; 6] = [95, 180, 278, 348, 610, 10_000];

/// Endgame knowledge on top of `white`, the plain value from White's view.
fn ending(pos: &Position, rules: &Ruleset, count: Option<&Count>, white: Value) -> Value {
    let strong = if white >= 0 { Color::White } else { Color::Black };
    let bare = pos.men(!strong).0.count_ones() == 1;
    let armed_gap = force(pos, strong) - force(pos, !strong);
    let mut value = white.abs();
    let scale = mop_up::winning_scale(pos, strong, armed_gap);
    if scale > 14 && (bare || (armed_gap > 500 && force(pos, !strong) <= 200)) {
        value += mop_up::drive(pos, strong);
    }
    value = value * scale / 64;
    value = match count {
        Some(count) => value * count_scale(rules, count, strong) / 64,
        None if rules.board_start == CountStart::Manual && no_bia(pos) && !bare => value * 7 / 8,
        None => value,
    };
    if strong == Color::White { value } else { -value }
}

/// In 64ths, what a running count leaves of the advantage of `strong`.
fn count_scale(rules: &Ruleset, count: &Count, strong: Color) -> i32 {
    // The counting side may stop a board's honour count by will, and then nothing hinders its own win.
    if count.side == strong && count.kind == CountKind::Board && rules.board_stop {
        return 64;
    }
    // Beyond this the search does not tell counts apart, so the evaluation must not either.
    64 * i32::from(count.replies_left.clamp(1, FAR)) / i32::from(FAR)
}

fn no_bia(pos: &Position) -> bool {
    (pos.of(Color::White, Role::Bia).0 | pos.of(Color::Black, Role::Bia).0) == 0
}

/// What a side has besides khun and bia, at endgame worth.
pub(crate) fn force(pos: &Position, color: Color) -> i32 {
    [Role::Met, Role::Khon, Role::Ma, Role::Rua]
        .into_iter()
        .map(|role| pos.of(color, role).0.count_ones() as i32 * w::MATERIAL[role as usize].eg)
        .sum()
}

/// What each side attacks, found once for all terms.
struct Sides {
    bia: [u64; 2],
    by_role: [[u64; 6]; 2],
    all: [u64; 2],
}

impl Sides {
    fn of(pos: &Position) -> Sides {
        let mut sides = Sides { bia: [0; 2], by_role: [[0; 6]; 2], all: [0; 2] };
        for color in [Color::White, Color::Black] {
            let c = color as usize;
            sides.bia[c] = board::bia_attacks(color, pos.of(color, Role::Bia).0);
            sides.by_role[c][Role::Bia as usize] = sides.bia[c];
            sides.by_role[c][Role::Khun as usize] = board::khun(pos.khun(color).index());
            for role in [Role::Met, Role::Khon, Role::Ma, Role::Rua] {
                let mut men = pos.of(color, role).0;
                let mut attacked = 0;
                while men != 0 {
                    attacked |= board::attacks(role, color, men.trailing_zeros() as usize, pos.occupied().0);
                    men &= men - 1;
                }
                sides.by_role[c][role as usize] = attacked;
            }
            sides.all[c] = sides.by_role[c].iter().fold(0, |all, attacked| all | attacked);
        }
        sides
    }

    /// All terms of one side and its weight in the game phase.
    fn side(&self, pos: &Position, color: Color) -> (Pair, i32) {
        let mut score = self.bia_terms(pos, color);
        let mut phase = 0;
        let mut attack = 0;
        let ring = board::khun(pos.khun(!color).index()) | 1 << pos.khun(!color).index();
        for role in [Role::Met, Role::Khon, Role::Ma, Role::Rua] {
            let mut men = pos.of(color, role).0;
            while men != 0 {
                let sq = men.trailing_zeros() as usize;
                men &= men - 1;
                let attacked = board::attacks(role, color, sq, pos.occupied().0);
                if attacked & ring != 0 {
                    attack += w::KHUN_ATTACKER[role as usize];
                }
                phase += w::PHASE[role as usize];
                score += w::MATERIAL[role as usize] + self.piece(pos, color, role, sq, attacked);
            }
        }
        if self.bia[color as usize] & ring != 0 {
            attack += w::KHUN_ATTACKER[0];
        }
        score.mg += self.danger(ring, color, attack);
        score += self.khun_terms(pos, color) + self.threats(pos, color) + pairs(pos, color);
        (score, phase)
    }

    fn bia_terms(&self, pos: &Position, color: Color) -> Pair {
        let own = pos.of(color, Role::Bia).0;
        let enemy = pos.of(!color, Role::Bia).0;
        let mut score = w::BIA_CHAIN * (own & self.bia[color as usize]).count_ones() as i32;
        score += w::BIA_PHALANX * (own & (own << 1) & !FILE_A).count_ones() as i32;
        let mut men = own;
        while men != 0 {
            let sq = men.trailing_zeros() as usize;
            men &= men - 1;
            let rank = relative_rank(sq, color);
            score += w::MATERIAL[0] + w::BIA_RANK[rank];
            score.mg += w::BIA_FILE[sq % 8];
            if enemy & board::stoppers(color, sq) == 0 && (2..=4).contains(&rank) {
                score += w::BIA_PASSED[5 - rank];
                let next = if color == Color::White { sq + 8 } else { sq - 8 };
                if pos.men(!color).0 & 1 << next != 0 {
                    score += w::BIA_BLOCKED;
                }
            }
        }
        score
    }

    fn piece(&self, pos: &Position, color: Color, role: Role, sq: usize, attacked: u64) -> Pair {
        let centre = centre(sq);
        let rank = relative_rank(sq, color);
        let free = (attacked & !pos.men(color).0 & !self.bia[!color as usize]).count_ones() as i32;
        match role {
            Role::Met => w::MET_CENTRE * centre + pair_of(w::MET_RANK[rank]),
            Role::Khon => w::KHON_CENTRE * centre + pair_of(w::KHON_RANK[rank]) + w::KHON_MOBILITY * (free - 3),
            Role::Ma => w::MA_CENTRE * centre + w::MA_MOBILITY * (free - 4),
            Role::Rua => {
                let file = FILE_A << (sq % 8);
                let open = if pos.of(color, Role::Bia).0 & file != 0 {
                    Pair::default()
                } else if pos.of(!color, Role::Bia).0 & file != 0 {
                    w::RUA_HALF_OPEN
                } else {
                    w::RUA_OPEN
                };
                w::RUA_CENTRE * centre + w::RUA_MOBILITY * (free - 6) + open
            }
            Role::Bia | Role::Khun => Pair::default(),
        }
    }

    /// What `color`'s attackers of weight `attack` are worth against the khun in `ring`.
    fn danger(&self, ring: u64, color: Color, attack: i32) -> i32 {
        let enemy = !color as usize;
        let guards = self.by_role[enemy][..5].iter().fold(0, |all, attacked| all | attacked);
        let weak = (ring & self.all[color as usize] & !guards).count_ones() as i32;
        let weight = attack + w::KHUN_WEAK_SQUARE * weak;
        (weight * weight / w::KHUN_DANGER_DIVISOR).min(w::KHUN_DANGER_MOST)
    }

    fn khun_terms(&self, pos: &Position, color: Color) -> Pair {
        let sq = pos.khun(color).index();
        let guards = pos.of(color, Role::Bia).0 | pos.of(color, Role::Met).0 | pos.of(color, Role::Khon).0;
        let shelter = (board::khun(sq) & guards).count_ones() as i32;
        w::KHUN_CENTRE * centre(sq) + w::KHUN_RANK[relative_rank(sq, color)] + w::KHUN_SHELTER * shelter
    }

    /// Own men under attack.
    fn threats(&self, pos: &Position, color: Color) -> Pair {
        let (own, enemy) = (color as usize, !color as usize);
        let pieces = pos.men(color).0 & !pos.of(color, Role::Bia).0 & !pos.of(color, Role::Khun).0;
        let by_bia = pieces & self.bia[enemy];
        let light = self.by_role[enemy][Role::Met as usize];
        let middling = light | self.by_role[enemy][Role::Khon as usize] | self.by_role[enemy][Role::Ma as usize];
        let (rua, ma) = (pos.of(color, Role::Rua).0, pos.of(color, Role::Ma).0);
        let lesser = (rua & middling | (ma | pos.of(color, Role::Khon).0) & light) & !by_bia;
        let men = pos.men(color).0 & !pos.of(color, Role::Khun).0;
        let hanging = men & self.all[enemy] & !self.all[own];
        w::BIA_THREAT * by_bia.count_ones() as i32
            + w::LESSER_THREAT * lesser.count_ones() as i32
            + w::HANGING * hanging.count_ones() as i32
    }
}

/// Men that work together.
fn pairs(pos: &Position, color: Color) -> Pair {
    let ma = pos.of(color, Role::Ma).0;
    let mut score = Pair::default();
    if ma.count_ones() == 2 && board::ma(ma.trailing_zeros() as usize) & ma != 0 {
        score += w::MA_LINKED;
    }
    let mets = pos.of(color, Role::Met).0;
    if mets & DARK != 0 && mets & !DARK != 0 {
        score += w::METS_YOKED;
    }
    score + w::LEAP_RIGHT * board::leap_rights(pos, color)
}

fn pair_of(both: i32) -> Pair {
    pair::p(both, both)
}

/// 0 for White's first rank and Black's eighth, up to 7.
fn relative_rank(sq: usize, color: Color) -> usize {
    if color == Color::White { sq / 8 } else { 7 - sq / 8 }
}

/// 0 on the rim, 3 on the four middle squares.
fn centre(sq: usize) -> i32 {
    let from_middle = |line: usize| (2 * line as i32 - 7).abs() / 2;
    3 - from_middle(sq % 8).max(from_middle(sq / 8))
}

const _: () = assert!(FILE_A << 7 == FILE_H);
