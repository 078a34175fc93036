//! A running count: its numbers, what is left of it, what ends it.

use super::{Count, CountClose, CountKind, Running, Stop, end_of};
use crate::ruleset::{CountEnd, FirstNumber, PiecesOver, Ruleset};
use crate::{Color, FullMoves, Plies};

impl Running {
    pub(super) fn board(side: Color, rules: &Ruleset) -> Running {
        Running {
            kind: CountKind::Board,
            side,
            men: 0,
            early: false,
            limit: rules.board_limit,
            bound: bound(CountKind::Board, 0, rules.board_limit, rules),
            plies: Plies::ZERO,
            stop: Stop::No,
        }
    }

    pub(super) fn shown(&self, rules: &Ruleset) -> Count {
        let less = match self.kind {
            CountKind::Pieces if rules.pieces_first == FirstNumber::N => FullMoves(1),
            _ => FullMoves(0),
        };
        let men = FullMoves(u32::from(self.men));
        Count {
            kind: self.kind,
            side: self.side,
            men: self.men,
            first: (men + FullMoves(1)).less(less),
            number: self.plies.full_moves_begun().less(less),
            limit: self.limit,
            replies_left: self.replies_left(),
            close: self.close(less),
            plies_left: self.plies_left(),
        }
    }

    /// Plies left before the count is exhausted; negative once it is.
    pub(super) fn left(&self) -> i64 {
        i64::from(self.bound.0) - i64::from(self.plies.0)
    }

    /// A stop with the last number comes too late: the move with which a side stops still counts
    /// (T), so the reply to that number is the last one.
    pub(super) fn stop_heard(&self) -> Stop {
        if self.left() > 0 {
            Stop::Done
        } else {
            Stop::No
        }
    }

    pub(super) fn plies_left(&self) -> Option<Plies> {
        let left = self.bound.0.saturating_add(1).saturating_sub(self.plies.0);
        (self.stop != Stop::Done).then_some(Plies(left))
    }

    /// The move that comes first at a ply beyond the bound: the counting side moves to odd plies.
    /// `less`: how much less than the full moves begun is said.
    pub(super) fn close(&self, less: FullMoves) -> CountClose {
        let drawn = self.bound.next();
        if self.stop == Stop::Done {
            CountClose::Stopped
        } else if drawn < FullMoves(u32::from(self.men)).plies() {
            CountClose::AtOnce
        } else if drawn.is_even() {
            CountClose::ReplyTo(drawn.full_moves_done().less(less))
        } else {
            CountClose::Said(drawn.full_moves_begun().less(less))
        }
    }

    /// Replies come at even plies (the counting side moves from even to odd). The last one that
    /// can mate is at `bound + 1` where that is even (exhausted unless it mates), else at `bound`.
    pub(super) fn replies_left(&self) -> u32 {
        if self.plies > self.bound {
            return 0;
        }
        self.bound
            .full_moves_begun()
            .less(self.plies.full_moves_done())
            .0
    }
}

/// The count is exhausted when its plies exceed this.
pub(super) fn bound(kind: CountKind, men: u8, limit: FullMoves, rules: &Ruleset) -> Plies {
    let end = end_of(kind, rules);
    let all = limit.plies();
    let bound = match end {
        CountEnd::Reply => all.less(Plies(1)),
        CountEnd::Exceed => all,
        CountEnd::Reach => all.less(Plies(2)),
    };
    if kind == CountKind::Board {
        return bound;
    }
    let men = FullMoves(u32::from(men));
    let (bound, first) = match rules.pieces_first {
        FirstNumber::N => (bound + Plies(2), men),
        FirstNumber::N1 => (bound, men + FullMoves(1)),
    };
    match rules.pieces_over {
        PiecesOver::OneReply if men >= limit => men.plies() + Plies(1),
        // Exhausted before the first counted move, and before the uncounted move at 2N - 1.
        PiecesOver::None if men > limit || first > limit && end == CountEnd::Reach => {
            bound.min(men.plies().less(Plies(2)))
        }
        _ => bound,
    }
}
