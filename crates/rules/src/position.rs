//! A position: men, side to move, rights, clocks and the key.

use crate::ruleset::MoveRules;
use crate::{
    Bitboard, ByColor, ByRole, Color, FullMoves, LegalMove, Man, Plies, PositionError, Rights,
    Role, Ruleset, Setup, Square, UciMove, attacks, zobrist,
};

/// The bit that tells Black's letters from White's.
const BLACK_LETTER: u8 = b'a' - b'A';

/// A position that makes sense under its rule set. `Copy`, under 200 bytes.
///
/// It carries the few switches that decide how men move, so that generation and play need no
/// [`Ruleset`]. Counts and repetition are not part of it: see [`crate::CountState`] and
/// [`crate::Line`].
///
/// Invariants:
/// * exactly one khun a side, at most 16 men a side;
/// * the side not to move is not in check (but see [`Position::forgiving`]; no move takes a khun);
/// * promoted men are mets; no bia stands on or beyond its sixth rank (the fairy rule sets allow
///   it, as their engine does: RULES 2);
/// * rights are alive only where the rule set has them, and except in the fairy rule sets only
///   under the man they belong to;
/// * `key` equals the key computed afresh, and `board` shows the same men as the sets of squares.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    pub(crate) roles: ByRole<u64>,
    pub(crate) sides: [u64; 2],
    pub(crate) promoted: u64,
    /// The letter of the man on each square, 0 where there is none: asked for a man, one load
    /// answers. Letters rather than numbers, since FEN is written from it.
    pub(crate) board: [u8; 64],
    pub(crate) key: u64,
    pub(crate) ply_clock: Plies,
    pub(crate) fullmove: FullMoves,
    pub(crate) turn: Color,
    pub(crate) rights: Rights,
    pub(crate) checks_left: ByColor<u8>,
    pub(crate) rules: MoveRules,
}

impl Position {
    /// Checks a set-up and makes it a position. The count fields of the set-up are not looked at.
    ///
    /// # Errors
    ///
    /// The first of [`PositionError`]'s reasons that holds.
    pub fn from_setup(setup: &Setup, rules: &Ruleset) -> Result<Position, PositionError> {
        match Position::forgiving(setup, rules)? {
            (position, None) => Ok(position),
            (_, Some(fault)) => Err(fault),
        }
    }

    /// As [`Position::from_setup`], but forgives [`PositionError::OpponentInCheck`], which records
    /// contain, and gives it back beside the position. Play goes on from there as usual; the khun
    /// that could be taken is not.
    ///
    /// # Errors
    ///
    /// The first of [`PositionError`]'s other reasons that holds.
    pub fn forgiving(
        setup: &Setup,
        rules: &Ruleset,
    ) -> Result<(Position, Option<PositionError>), PositionError> {
        let mut position = Position::place(setup, rules)?;
        for color in Color::ALL {
            match position.of(color, Role::Khun).len() {
                0 => return Err(PositionError::NoKhun(color)),
                1 => {}
                _ => return Err(PositionError::ManyKhuns(color)),
            }
            if position.men(color).len() > 16 {
                return Err(PositionError::TooManyMen(color));
            }
        }
        position.claim_rights(setup.rights)?;
        position.key = position.fresh_key();
        let waiting = !setup.turn;
        let fault = position
            .attacked_by(position.khun(waiting), setup.turn)
            .then_some(PositionError::OpponentInCheck(waiting));
        Ok((position, fault))
    }

    fn place(setup: &Setup, rules: &Ruleset) -> Result<Position, PositionError> {
        let mut position = Position {
            roles: ByRole::default(),
            sides: [0; 2],
            promoted: 0,
            board: [0; 64],
            key: 0,
            ply_clock: setup.ply_clock,
            fullmove: setup.fullmove.max(FullMoves(1)),
            turn: setup.turn,
            rights: Rights::NONE,
            checks_left: if rules.first_check_wins {
                setup.checks_left
            } else {
                ByColor { white: 1, black: 1 }
            },
            rules: rules.move_rules(),
        };
        for square in Square::ALL {
            let Some(man) = setup.man_at(square) else {
                continue;
            };
            if man.promoted && man.role != Role::Met {
                return Err(PositionError::PromotedNotMet(square));
            }
            let rank = match man.color {
                Color::White => square.rank(),
                Color::Black => 7 - square.rank(),
            };
            if man.role == Role::Bia && rank >= 5 && !rules.lenient_setup {
                return Err(PositionError::BiaPastPromotion(square));
            }
            position.roles[man.role] |= square.bit();
            position.sides[man.color as usize] |= square.bit();
            position.board[square.index()] = man.letter() as u8;
            if man.promoted {
                position.promoted |= square.bit();
            }
        }
        Ok(position)
    }

    fn claim_rights(&mut self, claimed: Rights) -> Result<(), PositionError> {
        for square in claimed.squares() {
            let color = if square.rank() == 0 {
                Color::White
            } else {
                Color::Black
            };
            if self.rules.lenient_setup {
                let known = self.rules.right_holder(square).is_some();
                let kept = known && self.men(color).contains(square);
                if kept {
                    self.rights = self.rights.with(Rights::of_square(square));
                }
                continue;
            }
            let Some(role) = self.rules.right_holder(square) else {
                return Err(PositionError::RightUnknown(square));
            };
            let at_home =
                self.of(color, role).contains(square) && self.promoted & square.bit() == 0;
            if !at_home {
                return Err(PositionError::RightWithoutMan(square));
            }
            self.rights = self.rights.with(Rights::of_square(square));
        }
        Ok(())
    }

    /// The position as a set-up, without a count.
    #[must_use]
    pub fn setup(&self) -> Setup {
        let mut setup = Setup::empty();
        for square in Square::ALL {
            setup.put(square, self.man_at(square));
        }
        setup.turn = self.turn;
        setup.rights = self.rights;
        setup.checks_left = self.checks_left;
        setup.ply_clock = self.ply_clock;
        setup.fullmove = self.fullmove;
        setup
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The man on a square.
    #[must_use]
    #[inline]
    pub fn man_at(&self, square: Square) -> Option<Man> {
        let letter = self.board[square.index()];
        (letter != 0).then(|| Man {
            color: match letter & BLACK_LETTER {
                0 => Color::White,
                _ => Color::Black,
            },
            role: Role::of_letter_byte(letter),
            promoted: self.promoted & square.bit() != 0,
        })
    }

    /// The role of the man on a square, of whichever side.
    #[must_use]
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        let letter = self.board[square.index()];
        (letter != 0).then(|| Role::of_letter_byte(letter))
    }

    /// The role of the man on an occupied square; a bia's on an empty one.
    #[inline]
    pub(crate) fn role_on(&self, square: usize) -> Role {
        Role::of_letter_byte(self.board[square & 63])
    }

    /// The FEN letter of the man on each square, a1 first, upper case for White; 0 where there is
    /// none. Promotion marks are not part of it: see [`Position::promoted`].
    #[must_use]
    #[inline]
    pub const fn letters(&self) -> &[u8; 64] {
        &self.board
    }

    /// One side's men, khun included.
    #[must_use]
    #[inline]
    pub const fn men(&self, color: Color) -> Bitboard {
        Bitboard(self.sides[color as usize])
    }

    /// One side's men of one role. Promoted bia are among the mets.
    #[must_use]
    #[inline]
    pub fn of(&self, color: Color, role: Role) -> Bitboard {
        Bitboard(self.roles[role] & self.sides[color as usize])
    }

    /// Both sides' men of one role.
    #[must_use]
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.roles[role])
    }

    /// The promoted bia of both sides.
    #[must_use]
    #[inline]
    pub const fn promoted(&self) -> Bitboard {
        Bitboard(self.promoted)
    }

    /// All men.
    #[must_use]
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.all())
    }

    #[inline]
    pub(crate) const fn all(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// Where a side's khun stands.
    #[must_use]
    #[inline]
    pub fn khun(&self, color: Color) -> Square {
        let khun = self.roles[Role::Khun] & self.sides[color as usize];
        Square::from_index(khun.trailing_zeros() as u8)
    }

    /// First-move rights that are alive.
    #[must_use]
    #[inline]
    pub const fn rights(&self) -> Rights {
        self.rights
    }

    /// Whether the side to move has a first-move right.
    #[must_use]
    #[inline]
    pub const fn has_rights(&self) -> bool {
        !self.rights.of(self.turn).is_empty()
    }

    /// Checks that each side still has to give to win; always one where first check does not win.
    #[must_use]
    pub const fn checks_left(&self) -> ByColor<u8> {
        self.checks_left
    }

    /// Whether the first check wins (kar ouk).
    #[must_use]
    pub const fn first_check_wins(&self) -> bool {
        self.rules.first_check_wins
    }

    /// Whether a side has given its winning check (kar ouk), so that there are no moves.
    #[must_use]
    #[inline]
    pub fn check_given(&self) -> bool {
        self.rules.first_check_wins && self.checks_left[!self.turn] == 0
    }

    /// Whether a first move of such a man moves a bia too (sut met, sut ma: RULES 8).
    #[must_use]
    pub const fn has_sutra(&self, role: Role) -> bool {
        match role {
            Role::Met => self.rules.sut_met,
            Role::Ma => self.rules.sut_ma,
            _ => false,
        }
    }

    /// Whether the rule set leaves a met leap out of SAN's comparison of rivals, as its engine does
    /// (RULES 7, 11.2).
    #[must_use]
    pub const fn san_ambiguous_leap(&self) -> bool {
        self.rules.san_ambiguous_leap
    }

    /// Plies since the last capture or bia move.
    #[must_use]
    pub const fn ply_clock(&self) -> Plies {
        self.ply_clock
    }

    /// Number of the full move, 1 at the start of a game.
    #[must_use]
    pub const fn fullmove(&self) -> FullMoves {
        self.fullmove
    }

    /// The key that repetition compares: men, side to move, checks left, and rights where the rule
    /// set counts them as part of the position (`rep_rights`). Promotion marks and counts are not
    /// part of it (RULES 6).
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        if self.rules.rep_rights {
            self.key
        } else {
            self.key ^ zobrist::of_rights(self.rights.0)
        }
    }

    /// The key that tells apart all positions with different moves: rights are always part of it.
    /// This is the one that moves keep up to date, so that no move has to ask the rule set.
    #[must_use]
    #[inline]
    pub const fn position_key(&self) -> u64 {
        self.key
    }

    /// The key computed from nothing; equals [`Position::position_key`].
    #[must_use]
    pub fn fresh_key(&self) -> u64 {
        let mut key = 0;
        for color in Color::ALL {
            for role in Role::ALL {
                let letter = Man::new(color, role).letter() as u8;
                for square in self.of(color, role) {
                    key ^= zobrist::man(letter, square.index());
                }
            }
            key ^= zobrist::checks(color as usize, self.checks_left[color]);
        }
        if self.turn == Color::Black {
            key ^= zobrist::BLACK_TO_MOVE;
        }
        key ^ zobrist::of_rights(self.rights.0)
    }

    /// The men of both sides that attack a square, if `occupied` were the occupied squares.
    ///
    /// Attackers outside `occupied` are not left out: mask them off. Leaps attack nothing.
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let s = square.index();
        let [bia, met, khon, ma, rua, khun] = self.roles.0;
        let of = |color: Color| {
            // A man of this colour attacks the square if the other colour's man on the square
            // would attack it.
            let back = !color;
            (attacks::bia(back, s) & bia | attacks::khon(back, s) & khon)
                & self.sides[color as usize]
        };
        Bitboard(
            of(Color::White)
                | of(Color::Black)
                | attacks::met(s) & met
                | attacks::ma(s) & ma
                | attacks::khun(s) & khun
                | attacks::rua(s, occupied.0) & rua,
        )
    }

    /// Whether a side attacks a square.
    #[must_use]
    #[inline]
    pub fn attacked_by(&self, square: Square, color: Color) -> bool {
        let men = self.sides[color as usize];
        self.is_attacked(square.index(), men, color, self.all())
    }

    /// The squares that the man on a square attacks, by own or other men held or not.
    #[must_use]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        match self.man_at(square) {
            Some(man) => attacks_of(man.color, man.role, square, self.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// The enemy men that give check to the side to move.
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        let khun = self.khun(self.turn);
        self.attackers_to(khun, self.occupied()) & self.men(!self.turn)
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn in_check(&self) -> bool {
        self.attacked_by(self.khun(self.turn), !self.turn)
    }

    /// Whether a move takes a man.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: LegalMove) -> bool {
        self.sides[!self.turn as usize] & mv.to().bit() != 0
    }

    /// Whether a move gives check, without making it.
    #[must_use]
    pub fn gives_check(&self, mv: LegalMove) -> bool {
        let us = self.turn;
        if mv.kind().moves_two() {
            let mut after = *self;
            after.play(mv);
            return after.in_check();
        }
        let khun = self.khun(!us);
        let (from, to) = (mv.from().bit(), mv.to().bit());
        let occupied = self.all() & !from | to;
        let role = match mv.is_promotion() {
            true => Role::Met,
            false => self.role_on(mv.from().index()),
        };
        let mut rooks = self.roles[Role::Rua] & self.sides[us as usize] & !from;
        if role == Role::Rua {
            rooks |= to;
        } else if attacks_of(us, role, mv.to(), Bitboard(occupied)).contains(khun) {
            return true;
        }
        rooks & attacks::lines_of(khun.index()) != 0
            && attacks::rua(khun.index(), occupied) & rooks != 0
    }

    /// Whether the moves that are legal here are those of another position, under whichever rule set, and so on after each
    /// of them: a [`LegalMove`] of the one is one of the other.
    #[must_use]
    pub fn moves_like(&self, other: &Position) -> bool {
        let men = |p: &Position| {
            (
                p.roles,
                p.sides,
                p.promoted,
                p.turn,
                p.rights,
                p.checks_left,
            )
        };
        let alike = self.rules.first_check_wins == other.rules.first_check_wins;
        // All other switches that decide about moves are about rights.
        men(self) == men(other) && (self.rules == other.rules || self.rights.is_empty() && alike)
    }

    /// The legal move that a wish names exactly, promotion included.
    #[must_use]
    pub fn resolve(&self, wish: UciMove) -> Option<LegalMove> {
        let ordinary = self.arrivals(self.role_at(wish.from)?, wish.to);
        match ordinary.of(wish.from) {
            Some(mv) => (mv.is_promotion() == wish.promotion).then_some(mv),
            None if self.rights.of(self.turn).is_empty() => None,
            // A leap or a sutra.
            None => {
                let legal = self.legal_moves();
                let named = |mv: &&LegalMove| UciMove::from(mv.raw()) == wish;
                legal.iter().find(named).copied()
            }
        }
    }
}

/// The squares that a man would attack from a square on a board so occupied. Leaps attack nothing.
#[must_use]
#[inline]
pub fn attacks_of(color: Color, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    let s = square.index();
    Bitboard(match role {
        Role::Bia => attacks::bia(color, s),
        Role::Met => attacks::met(s),
        Role::Khon => attacks::khon(color, s),
        Role::Ma => attacks::ma(s),
        Role::Rua => attacks::rua(s, occupied.0),
        Role::Khun => attacks::khun(s),
    })
}

impl std::fmt::Debug for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for rank in (0..8).rev() {
            for file in 0..8 {
                let man = Square::new(file, rank).and_then(|square| self.man_at(square));
                write!(f, "{}", man.map_or('.', Man::letter))?;
            }
            f.write_str("/")?;
        }
        write!(f, " {} {}", self.turn.letter(), self.rights)
    }
}
