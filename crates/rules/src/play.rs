//! Making a move.

use crate::ruleset::RookLoss;
use crate::{Color, LegalMove, MoveKind, Position, Rights, Role, attacks, zobrist};

impl Position {
    /// Makes a move that was generated from this position. Cannot fail.
    pub fn play(&mut self, mv: LegalMove) {
        self.play_with::<true>(mv);
    }

    /// Makes a move; without `KEYED`, key and clocks are left behind (perft).
    #[inline]
    pub(crate) fn play_with<const KEYED: bool>(&mut self, mv: LegalMove) {
        let us = self.turn;
        let (from, to) = (mv.from().index(), mv.to().index());
        let (from_bit, to_bit) = (1u64 << from, 1u64 << to);
        let role = self.role_index(from);
        let mut key = 0;

        let capture = self.sides[!us as usize] & to_bit != 0;
        if capture {
            let taken = self.role_index(to);
            self.roles.0[taken.min(5)] &= !to_bit;
            self.sides[!us as usize] &= !to_bit;
            if KEYED {
                key ^= zobrist::man(!us as usize, taken, to);
            }
        }
        self.sides[us as usize] ^= from_bit | to_bit;
        self.roles.0[role.min(5)] ^= from_bit | to_bit;
        let was_promoted = self.promoted & from_bit != 0;
        self.promoted &= !(from_bit | to_bit);
        if was_promoted {
            self.promoted |= to_bit;
        }
        if KEYED {
            key ^= zobrist::man(us as usize, role, from) ^ zobrist::man(us as usize, role, to);
        }
        if mv.kind() == MoveKind::Promotion {
            self.roles[Role::Bia] &= !to_bit;
            self.roles[Role::Met] |= to_bit;
            self.promoted |= to_bit;
            if KEYED {
                key ^= zobrist::man(us as usize, Role::Bia as usize, to)
                    ^ zobrist::man(us as usize, Role::Met as usize, to);
            }
        }
        if !self.rights.is_empty() {
            let before = self.rights;
            self.lose_rights(role == Role::Rua as usize, capture, from, to);
            if KEYED && self.rules.rep_rights {
                key ^= zobrist::of_rights(before.0) ^ zobrist::of_rights(self.rights.0);
            }
        }
        self.turn = !us;
        if KEYED {
            self.key ^= key ^ zobrist::BLACK_TO_MOVE;
            self.ply_clock = match capture || role == Role::Bia as usize {
                true => 0,
                false => self.ply_clock.saturating_add(1),
            };
            self.fullmove = self.fullmove.saturating_add(us as u32);
        }
        if self.rules.first_check_wins && self.in_check() {
            self.spend_check::<KEYED>(us);
        }
    }

    fn spend_check<const KEYED: bool>(&mut self, us: Color) {
        let left = self.checks_left[us];
        self.checks_left[us] = left.saturating_sub(1);
        if KEYED {
            self.key ^= zobrist::checks(us as usize, left)
                ^ zobrist::checks(us as usize, self.checks_left[us]);
        }
    }

    /// Every way to lose a first-move right (RULES 5.1, 5.2). `self.turn` is still the mover's.
    #[inline(never)]
    fn lose_rights(&mut self, rook_moved: bool, capture: bool, from: usize, to: usize) {
        self.rights.lose(from);
        self.rights.lose(to);
        if capture && self.rules.leap_until_capture {
            self.rights = Rights::NONE;
        }
        let khun = self.khun(!self.turn);
        if rook_moved && self.rights.has(khun) {
            let lines = attacks::file_of(khun.index()) | attacks::rank_of(khun.index());
            let lost = match self.rules.king_rook_loss {
                RookLoss::None => false,
                RookLoss::Line => lines >> to & 1 == 1,
                RookLoss::OpenLine => attacks::rua(to, self.all()) & khun.bit() != 0,
            };
            if lost {
                self.rights.lose(khun.index());
            }
        }
    }
}
