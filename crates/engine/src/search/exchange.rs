//! Static exchange: what a run of captures on one square brings in the end.

use rules::{Bitboard, Color, Move, Position, Role};

use crate::board;
use crate::eval::EXCHANGE;
use crate::score::Value;

/// From cheap to dear: the order in which men are thrown into an exchange.
const ORDER: [Role; 6] = [
    Role::Bia,
    Role::Met,
    Role::Khon,
    Role::Ma,
    Role::Rua,
    Role::Khun,
];

/// Whether `mv`, with the best replies on its target square, gains at least `threshold`.
///
/// Pins are not seen, nor promotions later in the run: it is an estimate for ordering and pruning.
pub(crate) fn gains(pos: &Position, mv: Move, threshold: Value) -> bool {
    let (from, to) = (mv.from().index(), mv.to().index());
    let Some(mut mover) = pos.role_at(mv.from()) else {
        return false;
    };
    let mut balance = -threshold;
    if let Some(victim) = pos.role_at(mv.to()) {
        balance += EXCHANGE[victim as usize];
    }
    if mv.is_promotion() {
        balance += EXCHANGE[Role::Met as usize] - EXCHANGE[Role::Bia as usize];
        mover = Role::Met;
    }
    if balance < 0 {
        return false;
    }
    balance = EXCHANGE[mover as usize] - balance;
    if balance <= 0 {
        return true;
    }
    let mut occupied = (pos.occupied().0 & !(1 << from)) | 1 << to;
    let mut attackers = pos.attackers_to(mv.to(), Bitboard(occupied)).0;
    let ruas = pos.role(Role::Rua).0;
    let mut side = pos.turn();
    let mut ours = true;
    loop {
        side = !side;
        attackers &= occupied;
        let mine = attackers & pos.men(side).0;
        if mine == 0 {
            return ours;
        }
        ours = !ours;
        let Some((role, man)) = cheapest(pos, side, mine) else {
            return ours;
        };
        if role == Role::Khun {
            // The khun may take only what is no longer guarded.
            return if attackers & pos.men(!side).0 != 0 {
                !ours
            } else {
                ours
            };
        }
        balance = EXCHANGE[role as usize] - balance;
        if balance < i32::from(ours) {
            return ours;
        }
        occupied ^= man;
        attackers |= board::rua(to, occupied) & ruas;
    }
}

fn cheapest(pos: &Position, side: Color, mine: u64) -> Option<(Role, u64)> {
    ORDER.into_iter().find_map(|role| {
        let men = mine & pos.of(side, role).0;
        (men != 0).then_some((role, men & men.wrapping_neg()))
    })
}
