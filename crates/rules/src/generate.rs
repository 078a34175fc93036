//! Legal moves, and only legal ones: pins and checks are worked out once a position, so that no
//! move is made and taken back.

use crate::play::ahead_of;
use crate::ruleset::{KingLeap, MetLeap};
use crate::{
    Bitboard, Color, LegalMove, Move, MoveKind, MoveList, Position, Role, Square, attacks,
};

use attacks::{FILE_A, FILE_H};

/// The first rank of each side.
const RANK_OF_HOME: [u64; 2] = [0xff, 0xff << 56];

/// What is done with the moves found. One generator serves the list and the count.
trait Sink {
    /// A man on `from` may go to each of `targets`.
    fn man(&mut self, from: usize, targets: u64, kind: MoveKind);
    /// Bia may go to each of `targets`, each from the square `back` below it.
    fn bia(&mut self, targets: u64, back: i32, promotion_zone: u64);
}

impl Sink for MoveList {
    #[inline]
    fn man(&mut self, from: usize, mut targets: u64, kind: MoveKind) {
        let from = Square::from_index(from as u8);
        while targets != 0 {
            let to = Square::from_index(targets.trailing_zeros() as u8);
            self.push(LegalMove::vouch(Move::new(from, to, kind)));
            targets &= targets - 1;
        }
    }

    #[inline]
    fn bia(&mut self, mut targets: u64, back: i32, promotion_zone: u64) {
        while targets != 0 {
            let to = targets.trailing_zeros() as i32;
            let kind = if promotion_zone >> to & 1 == 1 {
                MoveKind::Promotion
            } else {
                MoveKind::Normal
            };
            let from = Square::from_index((to - back) as u8);
            let to = Square::from_index(to as u8);
            self.push(LegalMove::vouch(Move::new(from, to, kind)));
            targets &= targets - 1;
        }
    }
}

struct Counter(u32);

impl Sink for Counter {
    #[inline]
    fn man(&mut self, _from: usize, targets: u64, _kind: MoveKind) {
        self.0 += targets.count_ones();
    }

    #[inline]
    fn bia(&mut self, targets: u64, _back: i32, _promotion_zone: u64) {
        self.0 += targets.count_ones();
    }
}

impl Position {
    /// All legal moves, in a fixed order.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<MoveList, false>(&mut list);
        list
    }

    /// The legal captures and promotions.
    #[must_use]
    pub fn noisy_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate::<MoveList, true>(&mut list);
        list
    }

    /// The number of legal moves.
    #[must_use]
    pub fn count_legal(&self) -> usize {
        let mut counter = Counter(0);
        self.generate::<Counter, false>(&mut counter);
        counter.0 as usize
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.can_move(self.in_check())
    }

    /// [`Position::has_legal_move`] for a caller that knows whether the side to move is in check.
    ///
    /// A man that no pin can hold mostly has a move, and a bia's step is the soonest found.
    #[inline]
    pub(crate) fn can_move(&self, in_check: bool) -> bool {
        if self.check_given() {
            return false;
        }
        let free = self.sides[self.turn as usize] & !self.exposed();
        let bia = self.roles[Role::Bia] & free;
        let steps = match self.turn {
            Color::White => forward::<true>(bia),
            Color::Black => forward::<false>(bia),
        };
        !in_check && steps & !self.all() != 0 || self.can_move_else(in_check, free & !bia)
    }

    #[inline(never)]
    fn can_move_else(&self, in_check: bool, officers: u64) -> bool {
        let us = self.turn;
        let reach = !(self.sides[us as usize] | self.roles[Role::Khun]);
        // A rua that moves at all moves to a square next to it.
        let moves = |from: Square| {
            let role = self.role_on(from.index());
            attacks::near(us, role, from.index()) & reach != 0
        };
        !in_check && Bitboard(officers).into_iter().any(moves)
            || self.can_khun_step()
            || self.count_legal() != 0
    }

    /// Whether the khun has a step, out of check or not.
    fn can_khun_step(&self) -> bool {
        let own = self.sides[self.turn as usize];
        let khuns = self.roles[Role::Khun];
        let steps = attacks::khun(self.khun(self.turn).index()) & !(own | khuns);
        Bitboard(steps)
            .into_iter()
            .any(|to| self.is_safe_after(khuns & own, to))
    }

    #[inline]
    fn generate<S: Sink, const NOISY: bool>(&self, sink: &mut S) {
        if self.check_given() {
            return;
        }
        match self.turn {
            Color::White => self.generate_for::<true, NOISY, S>(sink),
            Color::Black => self.generate_for::<false, NOISY, S>(sink),
        }
    }

    fn generate_for<const WHITE: bool, const NOISY: bool, S: Sink>(&self, sink: &mut S) {
        let us = if WHITE { Color::White } else { Color::Black };
        let own = self.sides[us as usize];
        let enemy = self.sides[!us as usize];
        let khun_bit = self.roles[Role::Khun] & own;
        let khun = khun_bit.trailing_zeros() as usize & 63;
        let danger = match WHITE {
            true => self.attack_map::<false>(self.all() ^ khun_bit),
            false => self.attack_map::<true>(self.all() ^ khun_bit),
        };
        // No move takes a khun: it matters only in set-ups that no game reaches.
        let khuns = self.roles[Role::Khun];
        let reach = if NOISY {
            enemy & !khuns
        } else {
            !(own | khuns)
        };
        sink.man(
            khun,
            attacks::khun(khun) & reach & !danger,
            MoveKind::Normal,
        );

        let mut answer = u64::MAX;
        if danger & khun_bit != 0 {
            let checkers = self.checkers().0;
            if checkers & (checkers - 1) != 0 {
                return;
            }
            answer = checkers | attacks::between(khun, checkers.trailing_zeros() as usize);
        }
        let pinned = self.pinned(khun, own, enemy);
        self.officers::<WHITE, S>(sink, own & !pinned, reach & answer);
        self.all_bia::<WHITE, NOISY, S>(sink, khun, pinned, answer);
        if pinned != 0 {
            self.pinned_officers::<WHITE, S>(sink, khun, pinned, reach & answer);
        }
        if !NOISY && !self.rights.of(us).is_empty() {
            self.leaps::<WHITE, S>(sink, khun, pinned, danger, answer);
        }
    }

    /// Met, khon, ma and rua that no pin holds.
    #[inline]
    fn officers<const WHITE: bool, S: Sink>(&self, sink: &mut S, free: u64, reach: u64) {
        let us = if WHITE { Color::White } else { Color::Black };
        let mut men = self.roles[Role::Met] & free;
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            sink.man(from, attacks::met(from) & reach, MoveKind::Normal);
            men &= men - 1;
        }
        men = self.roles[Role::Khon] & free;
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            sink.man(from, attacks::khon(us, from) & reach, MoveKind::Normal);
            men &= men - 1;
        }
        men = self.roles[Role::Ma] & free;
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            sink.man(from, attacks::ma(from) & reach, MoveKind::Normal);
            men &= men - 1;
        }
        men = self.roles[Role::Rua] & free;
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            sink.man(
                from,
                attacks::rua(from, self.all()) & reach,
                MoveKind::Normal,
            );
            men &= men - 1;
        }
    }

    /// All bia at once. A pin along the file leaves a bia its step; any other pin leaves nothing.
    #[inline]
    fn all_bia<const WHITE: bool, const NOISY: bool, S: Sink>(
        &self,
        sink: &mut S,
        khun: usize,
        pinned: u64,
        answer: u64,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let bia = self.roles[Role::Bia] & self.sides[us as usize];
        let zone: u64 = if WHITE { !0 << 40 } else { !0 >> 40 };
        let enemy = self.sides[!us as usize] & !self.roles[Role::Khun] & answer;
        let mut steps = forward::<WHITE>(bia & (!pinned | attacks::file_of(khun)));
        steps &= !self.all() & answer;
        if NOISY {
            steps &= zone;
        }
        let free = bia & !pinned;
        if WHITE {
            sink.bia(steps, 8, zone);
            sink.bia(forward_west::<true>(free) & enemy, 7, zone);
            sink.bia(forward_east::<true>(free) & enemy, 9, zone);
        } else {
            sink.bia(steps, -8, zone);
            sink.bia(forward_west::<false>(free) & enemy, -9, zone);
            sink.bia(forward_east::<false>(free) & enemy, -7, zone);
        }
    }

    /// Rooks move along their pin; a khon pinned along the file has its forward step.
    #[inline(never)]
    fn pinned_officers<const WHITE: bool, S: Sink>(
        &self,
        sink: &mut S,
        khun: usize,
        pinned: u64,
        reach: u64,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let mut men = pinned & (self.roles[Role::Rua] | self.roles[Role::Khon]);
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            let targets = if self.roles[Role::Rua] >> from & 1 == 1 {
                attacks::rua(from, self.all())
            } else {
                attacks::khon(us, from)
            };
            sink.man(
                from,
                targets & reach & pin_line(khun, from),
                MoveKind::Normal,
            );
            men &= men - 1;
        }
    }

    /// First-move leaps (RULES 5.1, 5.2) and sutras (RULES 8). Leaps go to an empty square only. The khun's not out of check, nor
    /// to an attacked square; the met's also as an answer to check.
    #[inline(never)]
    fn leaps<const WHITE: bool, S: Sink>(
        &self,
        sink: &mut S,
        khun: usize,
        pinned: u64,
        danger: u64,
        answer: u64,
    ) {
        let us = if WHITE { Color::White } else { Color::Black };
        let empty = !self.all();
        for home in self.rights.of(us).squares() {
            let from = home.index();
            if from == khun {
                let targets = match self.rules.king_leap {
                    KingLeap::None => 0,
                    KingLeap::Fwd => attacks::khun_leap(us, from),
                    KingLeap::Knight => attacks::ma(from),
                };
                if danger >> khun & 1 == 0 {
                    sink.man(from, targets & empty & !danger, MoveKind::KhunLeap);
                }
                continue;
            }
            let met = self.of(us, Role::Met).contains(home);
            if self.rules.sut_met && met {
                let ahead = forward::<WHITE>(forward::<WHITE>(home.bit()));
                self.sutra::<S>(sink, from, ahead, MoveKind::SutMet);
            } else if self.rules.sut_ma && self.of(us, Role::Ma).contains(home) {
                let ahead = attacks::ma(from)
                    & forward::<WHITE>(forward::<WHITE>(RANK_OF_HOME[us as usize]));
                self.sutra::<S>(sink, from, ahead, MoveKind::SutMa);
            } else if met {
                let step = forward::<WHITE>(home.bit());
                let mut targets = forward::<WHITE>(step) & empty & answer;
                let allowed = match self.rules.met_leap {
                    MetLeap::None => false,
                    MetLeap::Jump => true,
                    MetLeap::Slide => step & empty != 0,
                };
                if pinned >> from & 1 == 1 {
                    targets &= pin_line(khun, from);
                }
                if allowed {
                    sink.man(from, targets, MoveKind::MetLeap);
                }
            }
        }
    }

    /// A sutra's move: to an own bia's square from which that bia can step on, if the own khun is
    /// safe when both have moved. Once or twice a game, so it is simply tried.
    fn sutra<S: Sink>(&self, sink: &mut S, from: usize, bia: u64, kind: MoveKind) {
        let us = self.turn;
        let targets = Bitboard(bia & self.roles[Role::Bia] & self.sides[us as usize]);
        for to in targets {
            if self.all() >> ahead_of(us, to.index()) & 1 == 1 {
                continue;
            }
            let from_square = Square::from_index(from as u8);
            let mut after = *self;
            after.play_with::<false, false>(LegalMove::vouch(Move::new(from_square, to, kind)));
            if !after.attacked_by(after.khun(us), !us) {
                sink.man(from, to.bit(), kind);
            }
        }
    }

    /// Own men that stand alone between their khun and an enemy rook: only rooks can pin.
    #[inline]
    fn pinned(&self, khun: usize, own: u64, enemy: u64) -> u64 {
        let lines = attacks::lines_of(khun);
        let mut rooks = self.roles[Role::Rua] & enemy & lines;
        let mut pinned = 0;
        while rooks != 0 {
            let between = attacks::between(khun, rooks.trailing_zeros() as usize) & self.all();
            if between & between.wrapping_sub(1) == 0 {
                pinned |= between & own;
            }
            rooks &= rooks - 1;
        }
        pinned
    }

    /// Every square that a side attacks, on a board so occupied.
    #[inline]
    fn attack_map<const WHITE: bool>(&self, occupied: u64) -> u64 {
        let color = if WHITE { Color::White } else { Color::Black };
        let side = self.sides[color as usize];
        let [bia, met, khon, ma, rua, khun] = self.roles.0;
        let all_diagonal = (met | khon) & side;
        let ahead = all_diagonal | bia & side;
        let mut map = forward_west::<WHITE>(ahead) | forward_east::<WHITE>(ahead);
        map |= match WHITE {
            true => forward_west::<false>(all_diagonal) | forward_east::<false>(all_diagonal),
            false => forward_west::<true>(all_diagonal) | forward_east::<true>(all_diagonal),
        };
        map |= forward::<WHITE>(khon & side);
        map |= attacks::khun((khun & side).trailing_zeros() as usize);
        let mut men = ma & side;
        while men != 0 {
            map |= attacks::ma(men.trailing_zeros() as usize);
            men &= men - 1;
        }
        men = rua & side;
        while men != 0 {
            map |= attacks::rua(men.trailing_zeros() as usize, occupied);
            men &= men - 1;
        }
        map
    }
}

/// The rank or file through the khun on which a pinned man stands.
fn pin_line(khun: usize, man: usize) -> u64 {
    if khun & 7 == man & 7 {
        attacks::file_of(khun)
    } else {
        attacks::rank_of(khun)
    }
}

#[inline]
const fn forward<const WHITE: bool>(men: u64) -> u64 {
    if WHITE { men << 8 } else { men >> 8 }
}

/// One step forward and to the a-side.
#[inline]
const fn forward_west<const WHITE: bool>(men: u64) -> u64 {
    let men = men & !FILE_A;
    if WHITE { men << 7 } else { men >> 9 }
}

/// One step forward and to the h-side.
#[inline]
const fn forward_east<const WHITE: bool>(men: u64) -> u64 {
    let men = men & !FILE_H;
    if WHITE { men << 9 } else { men >> 7 }
}
