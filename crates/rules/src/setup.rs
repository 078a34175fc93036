//! What a FEN or a user may ask for, sense or nonsense, and why it is refused.

use thiserror::Error;

use crate::{ByColor, Color, FullMoves, Man, Plies, Rights, Role, Square};

/// A board as someone wrote it. It may be nonsense: [`crate::Position::from_setup`] is the road to
/// a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The man on each square, a1 first.
    pub board: [Option<Man>; 64],
    /// The side to move.
    pub turn: Color,
    /// First-move rights claimed.
    pub rights: Rights,
    /// Checks that each side still has to give to win (kar ouk: one); one where the rule set has
    /// no such rule.
    pub checks_left: ByColor<u8>,
    /// The running count as a FEN tells it, if any.
    pub count: Option<SetupCount>,
    /// Plies since the last capture or bia move (0 while a count takes its field).
    pub ply_clock: Plies,
    /// Number of the full move, 1 at the start.
    pub fullmove: FullMoves,
}

/// The count fields of a FEN (RULES 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetupCount {
    /// The limit: the count is exhausted when the plies counted exceed it.
    pub limit: Plies,
    /// The plies counted so far.
    pub counted: Plies,
}

impl Setup {
    /// An empty board, White to move, move 1.
    #[must_use]
    pub fn empty() -> Setup {
        Setup {
            board: [None; 64],
            turn: Color::White,
            rights: Rights::NONE,
            checks_left: ByColor { white: 1, black: 1 },
            count: None,
            ply_clock: Plies::ZERO,
            fullmove: FullMoves(1),
        }
    }

    /// The man on a square.
    #[must_use]
    pub fn man_at(&self, square: Square) -> Option<Man> {
        self.board[square.index()]
    }

    /// Puts a man on a square, or takes it off.
    pub fn put(&mut self, square: Square, man: Option<Man>) {
        self.board[square.index()] = man;
    }

    /// The squares of one side's men of one role.
    pub fn squares(&self, color: Color, role: Role) -> impl Iterator<Item = Square> {
        Square::ALL.into_iter().filter(move |&square| {
            self.man_at(square)
                .is_some_and(|man| man.color == color && man.role == role)
        })
    }
}

/// Why a [`Setup`] is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// A side has no khun.
    #[error("{} has no khun", .0.as_str())]
    NoKhun(Color),
    /// A side has more than one khun.
    #[error("{} has more than one khun", .0.as_str())]
    ManyKhuns(Color),
    /// A side has more than 16 men, which no game can reach.
    #[error("{} has more than 16 men", .0.as_str())]
    TooManyMen(Color),
    /// A man that is no met is marked as a promoted bia.
    #[error("the man on {0} is marked as promoted but is no met")]
    PromotedNotMet(Square),
    /// A bia stands on or beyond its sixth rank, where it should have promoted (RULES 2).
    #[error("the bia on {0} stands on or beyond its sixth rank, where it must have promoted")]
    BiaPastPromotion(Square),
    /// A right is claimed for a home square where its man does not stand (RULES 7).
    #[error("the first-move right of {0} is claimed, but its man does not stand there")]
    RightWithoutMan(Square),
    /// A right is claimed that the rule set does not have.
    #[error("a first-move right of {0} is claimed, which this rule set does not have")]
    RightUnknown(Square),
    /// The side that is not to move could be taken.
    #[error("{} is in check but not to move", .0.as_str())]
    OpponentInCheck(Color),
}
