//! Making a move.

use crate::ruleset::RookLoss;
use crate::{
    Color, FullMoves, LegalMove, Man, MoveKind, Plies, Position, Rights, Role, attacks, zobrist,
};

impl Position {
    /// Makes a move that was generated from this position. Cannot fail.
    pub fn play(&mut self, mv: LegalMove) {
        self.play_with::<true, true>(mv);
    }

    /// Makes a move; without `KEYED` the key is left behind, without `CLOCKED` the clocks (perft).
    #[inline]
    pub(crate) fn play_with<const KEYED: bool, const CLOCKED: bool>(&mut self, mv: LegalMove) {
        let us = self.turn;
        let (from, to) = (mv.from().index(), mv.to().index());
        let (from_bit, to_bit) = (1u64 << from, 1u64 << to);
        let (man, taken) = (self.board[from], self.board[to]);
        let role = Role::of_letter_byte(man);
        // From the letter, which is at hand before the role is.
        let bia = man & 31 == Role::Bia.letter() as u8 & 31;
        let mut key = self.key ^ zobrist::BLACK_TO_MOVE;

        let capture = self.sides[!us as usize] & to_bit != 0;
        if capture {
            self.roles[Role::of_letter_byte(taken)] ^= to_bit;
            self.sides[!us as usize] ^= to_bit;
            if KEYED {
                key ^= zobrist::man(taken, to);
            }
        }
        self.board[from] = 0;
        self.board[to] = man;
        self.sides[us as usize] ^= from_bit | to_bit;
        self.roles[role] ^= from_bit | to_bit;
        if self.promoted & (from_bit | to_bit) != 0 {
            let was_promoted = self.promoted & from_bit != 0;
            self.promoted &= !(from_bit | to_bit);
            if was_promoted {
                self.promoted |= to_bit;
            }
        }
        if KEYED {
            key ^= zobrist::man(man, from) ^ zobrist::man(man, to);
        }
        if KEYED {
            self.key = key;
        }
        if !self.rights.is_empty() {
            let rook = role == Role::Rua;
            if capture || rook || self.rights.at_either(from, to) {
                self.lose_rights::<KEYED>(rook, capture, from, to);
            }
        }
        self.turn = !us;
        if CLOCKED {
            self.ply_clock = match capture || bia {
                true => Plies::ZERO,
                false => self.ply_clock.next(),
            };
            self.fullmove = self.fullmove + FullMoves(us as u32);
        }
        if mv.kind() != MoveKind::Normal {
            self.finish::<KEYED>(us, mv);
        }
        if self.rules.first_check_wins {
            self.spend_check::<KEYED>(us);
        }
    }

    /// What a move does besides: out of line, since few moves do.
    #[inline(never)]
    fn finish<const KEYED: bool>(&mut self, us: Color, mv: LegalMove) {
        let to = mv.to().index();
        match mv.kind() {
            MoveKind::Normal | MoveKind::KhunLeap | MoveKind::MetLeap => {}
            MoveKind::Promotion => self.promote::<KEYED>(us, to),
            MoveKind::SutMet | MoveKind::SutMa => self.step_on::<KEYED>(us, to),
        }
    }

    /// The bia that has arrived becomes a met.
    fn promote<const KEYED: bool>(&mut self, us: Color, to: usize) {
        let bit = 1u64 << to;
        let bia = self.board[to];
        let met = Man::new(us, Role::Met).letter() as u8;
        self.board[to] = met;
        self.roles[Role::Bia] ^= bit;
        self.roles[Role::Met] ^= bit;
        self.promoted |= bit;
        if KEYED {
            self.key ^= zobrist::man(bia, to) ^ zobrist::man(met, to);
        }
    }

    /// The bia on `to` has made room for a met or ma: it steps on. A bia move like any other.
    fn step_on<const KEYED: bool>(&mut self, us: Color, to: usize) {
        let ahead = ahead_of(us, to);
        let both = 1 << to | 1 << ahead;
        let bia = Man::new(us, Role::Bia).letter() as u8;
        self.board[ahead] = bia;
        self.roles[Role::Bia] ^= both;
        // The arrival of the other man has flipped the bit of the bia that stood there.
        self.sides[us as usize] |= both;
        self.ply_clock = Plies::ZERO;
        if KEYED {
            self.key ^= zobrist::man(bia, to) ^ zobrist::man(bia, ahead);
        }
    }

    /// Kar ouk: a check given is one less to give.
    #[inline(never)]
    fn spend_check<const KEYED: bool>(&mut self, us: Color) {
        if !self.in_check() {
            return;
        }
        let left = self.checks_left[us];
        self.checks_left[us] = left.saturating_sub(1);
        if KEYED {
            self.key ^= zobrist::checks(us as usize, left)
                ^ zobrist::checks(us as usize, self.checks_left[us]);
        }
    }

    /// Every way to lose a first-move right (RULES 5.1, 5.2). `self.turn` is still the mover's.
    #[inline(never)]
    fn lose_rights<const KEYED: bool>(
        &mut self,
        rook_moved: bool,
        capture: bool,
        from: usize,
        to: usize,
    ) {
        let before = self.rights;
        self.rights.lose(from);
        self.rights.lose(to);
        if capture && self.rules.leap_until_capture {
            self.rights = Rights::NONE;
        }
        let khun = self.khun(!self.turn);
        if rook_moved && self.rights.has(khun) {
            let lines = attacks::lines_of(khun.index());
            let lost = match self.rules.king_rook_loss {
                RookLoss::None => false,
                RookLoss::Line => lines >> to & 1 == 1,
                RookLoss::OpenLine => attacks::rua(to, self.all()) & khun.bit() != 0,
            };
            if lost {
                self.rights.lose(khun.index());
            }
        }
        if KEYED {
            self.key ^= zobrist::of_rights(before.0) ^ zobrist::of_rights(self.rights.0);
        }
    }
}

/// The square one step ahead, for a bia that is not on its last rank.
pub(crate) const fn ahead_of(us: Color, square: usize) -> usize {
    match us {
        Color::White => (square + 8) & 63,
        Color::Black => square.wrapping_sub(8) & 63,
    }
}
