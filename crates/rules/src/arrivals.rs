//! Moves looked for backwards: from a square to the men that can go there. A reader of moves knows man and square, and
//! needs no list of all legal moves.

use crate::{Bitboard, Color, LegalMove, Move, MoveKind, Position, Role, Square, attacks};

/// The legal moves of one kind of man to one square, leaps and sutras aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrivals {
    origins: u64,
    to: Square,
    kind: MoveKind,
}

impl Arrivals {
    /// Where the men stand that may go there.
    #[must_use]
    #[inline]
    pub const fn origins(self) -> Bitboard {
        Bitboard(self.origins)
    }

    /// The move of the man on this square, if it is one of them.
    #[must_use]
    #[inline]
    pub fn of(self, from: Square) -> Option<LegalMove> {
        let may = self.origins & from.bit() != 0;
        may.then(|| LegalMove::vouch(Move::new(from, self.to, self.kind)))
    }
}

impl Position {
    /// From where a man of this kind may legally go to a square by its ordinary move: neither a leap nor a sutra.
    #[must_use]
    #[inline]
    pub fn arrivals(&self, role: Role, to: Square) -> Arrivals {
        self.arrivals_when(self.in_check(), role, to)
    }

    /// [`Position::arrivals`] for a caller that knows whether the side to move is in check.
    #[inline]
    pub(crate) fn arrivals_when(&self, in_check: bool, role: Role, to: Square) -> Arrivals {
        let own = self.sides[self.turn as usize];
        let closed = own | self.roles[Role::Khun];
        if closed & to.bit() != 0 || self.check_given() {
            let kind = MoveKind::Normal;
            return Arrivals {
                origins: 0,
                to,
                kind,
            };
        }
        let reaching = self.roles[role] & own & self.back(role, to);
        let risky = match in_check {
            true => reaching,
            false => reaching & self.exposed(),
        };
        let origins = match risky {
            0 => reaching,
            _ => reaching & !self.unsafe_of(risky, to),
        };
        let zone = match self.turn {
            Color::White => 40..64,
            Color::Black => 0..24,
        };
        let kind = match role == Role::Bia && zone.contains(&to.index()) {
            true => MoveKind::Promotion,
            false => MoveKind::Normal,
        };
        Arrivals { origins, to, kind }
    }

    /// Those of some men whose move to a square leaves the own khun in check.
    fn unsafe_of(&self, men: u64, to: Square) -> u64 {
        let (mut found, mut left) = (0, men);
        while left != 0 {
            let from = left & left.wrapping_neg();
            if !self.is_safe_after(from, to) {
                found |= from;
            }
            left ^= from;
        }
        found
    }

    /// The men whose moves can put the own khun in check, if it is not: itself, and where a rua of the other side stands on
    /// its rank or file, those that stand there too.
    #[inline]
    pub(crate) fn exposed(&self) -> u64 {
        let khun = self.khun(self.turn);
        let lines = attacks::lines_of(khun.index());
        let rua = self.roles[Role::Rua] & self.sides[!self.turn as usize];
        match rua & lines {
            0 => khun.bit(),
            _ => lines | khun.bit(),
        }
    }

    /// From where such men of the side to move reach a square that no own man holds, own khun aside.
    #[inline]
    fn back(&self, role: Role, to: Square) -> u64 {
        let (us, square) = (self.turn, to.index());
        match role {
            Role::Bia if self.sides[!us as usize] & to.bit() != 0 => attacks::bia(!us, square),
            Role::Bia => match us {
                Color::White => to.bit() >> 8,
                Color::Black => to.bit() << 8,
            },
            Role::Rua => attacks::rua(square, self.all()),
            _ => attacks::near(!us, role, square),
        }
    }

    /// Whether the own khun is safe once the man on `from` stands on `to`.
    #[inline]
    pub(crate) fn is_safe_after(&self, from: u64, to: Square) -> bool {
        let us = self.turn;
        let khun = self.roles[Role::Khun] & self.sides[us as usize];
        let khun = match khun == from {
            true => to.index(),
            false => khun.trailing_zeros() as usize,
        };
        let enemy = self.sides[!us as usize] & !to.bit();
        !self.is_attacked(khun, enemy, !us, self.all() & !from | to.bit())
    }

    /// Whether the side to move is in check by an ordinary move to `to`, with which the other side has come here from a
    /// position in which it gave none.
    #[inline]
    pub(crate) fn is_checked_by(&self, to: usize) -> bool {
        let them = !self.turn;
        let khun = self.khun(self.turn);
        let rua = self.roles[Role::Rua] & self.sides[them as usize];
        attacks::near(them, self.role_on(to), to) & khun.bit() != 0
            || rua & attacks::lines_of(khun.index()) != 0
                && rua & attacks::rua(khun.index(), self.all()) != 0
    }

    /// Whether men of a side, of which `enemy` are looked at, attack a square on a board so occupied.
    #[inline]
    pub(crate) fn is_attacked(&self, square: usize, enemy: u64, by: Color, occupied: u64) -> bool {
        let [bia, met, khon, ma, rua, khun] = self.roles.0;
        // A man attacks a square if the other colour's man on the square would attack it.
        let near = attacks::bia(!by, square) & bia
            | attacks::met(square) & met
            | attacks::khon(!by, square) & khon
            | attacks::ma(square) & ma
            | attacks::khun(square) & khun;
        let rua = rua & enemy;
        near & enemy != 0
            || rua & attacks::lines_of(square) != 0 && rua & attacks::rua(square, occupied) != 0
    }
}
