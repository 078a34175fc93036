//! A count told in full: what the count fields of a FEN leave out (RULES 8.5).

use thiserror::Error;

use super::begin::{early, no_bia, pieces_limit};
use super::{CountState, Running, Stop, less_in_fields};
use crate::ruleset::{BoardTrigger, FirstNumber, Ruleset};
use crate::{Color, CountKind, FullMoves, Plies, Position};

/// A count as the tail of our own FENs tells it: who counts what, how far, since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ToldCount {
    /// Which honour (`cb`, `cp`).
    pub kind: CountKind,
    /// The counting side (`cb`, `cp`).
    pub side: Color,
    /// The number said last (`cn`); before the first, one less than it.
    pub number: FullMoves,
    /// The limit L (`cl`); `None` where the text leaves it to the rules.
    pub limit: Option<FullMoves>,
    /// The number of the first ply made under the count (`st`): of the move that said the first
    /// number, or of the uncounted move before it (RULES 4.2, case 2). Counted from 1 as the move
    /// number of the position tells it, so that it is 0 or less if that number is too small.
    /// `None` where the text does not tell.
    pub start: Option<i64>,
    /// Whether the counting side has said stop.
    pub stop: Stop,
}

/// Why a told count cannot stand in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ToldError {
    /// The other side is to move although the counting side has said nothing yet.
    #[error("{} is to move, but before the first number the counting side is", .0.as_str())]
    NothingSaid(Color),
    /// A number whose plies no clock holds.
    #[error("no count comes as far as {}", .0.0)]
    TooFar(FullMoves),
    /// A pieces' honour count by a side that has men besides its khun.
    #[error("{} counts the pieces' honour but is not bare", .0.as_str())]
    NotBare(Color),
    /// A count that no bia allows.
    #[error("there is a bia on the board, so that the {}'s honour is not counted", .0.as_str())]
    BiaLeft(CountKind),
    /// A board's honour count that needs a side with three men or fewer.
    #[error("neither side has three men or fewer, so that the board's honour is not counted")]
    ManyMen,
    /// A limit of no moves, or of one where the first number said would be the draw.
    #[error("the limit leaves no move to count")]
    NoLimit,
    /// A pieces' honour count that has not come as far as the men on the board.
    #[error("the pieces' honour count begins with the men on the board, which are {}", .0.0)]
    BelowMen(FullMoves),
    /// The start does not go with the number said and the men on the board.
    #[error("a count that began with ply {0} would have said another number by now")]
    Start(i64),
    /// A stop that is said by the wrong side, or before anything was counted.
    #[error("it is not {}'s turn, so that the count cannot have been stopped so", .0.as_str())]
    StopTurn(Color),
    /// The rule set lets nobody stop this count.
    #[error("the {}'s honour count cannot be stopped under this rule set", .0.as_str())]
    CannotStop(CountKind),
}

/// A count of the pieces' honour begins with a bare khun and at most 16 men on the other side; the
/// reference engine's set-ups may have any number.
const MOST_MEN: u32 = 32;

impl CountState {
    /// The count as the tail of a FEN tells it, if one runs or has just been stopped.
    #[must_use]
    pub fn told(&self, position: &Position, rules: &Ruleset) -> Option<ToldCount> {
        let running = self.running?;
        let number = running.plies.full_moves_begun();
        let since = i64::from(running.plies.0) - i64::from(running.begun().0);
        Some(ToldCount {
            kind: running.kind,
            side: running.side,
            number: number.less(said_less(running.kind, rules)),
            limit: Some(running.limit),
            start: Some(next_ply(position) - since),
            stop: running.stop,
        })
    }

    /// The state that a told count is, held against the position.
    ///
    /// # Errors
    ///
    /// [`ToldError`] if the position, the rule set and what is told cannot all be right.
    pub fn from_told(
        told: &ToldCount,
        position: &Position,
        rules: &Ruleset,
    ) -> Result<CountState, ToldError> {
        told.check_board(position, rules)?;
        let plies = told.plies(position, rules)?;
        told.check_stop(position, rules)?;
        let limit = told.limit.unwrap_or_else(|| match told.kind {
            CountKind::Board => rules.board_limit,
            CountKind::Pieces => pieces_limit(position, !told.side, rules.snn),
        });
        // What the count fields cannot show is no limit (RULES 7).
        if limit <= less_in_fields(told.kind, rules) {
            return Err(ToldError::NoLimit);
        }
        let begun = told.begun(plies, position)?;
        let men = u8::try_from(begun.full_moves_begun().0).unwrap_or(u8::MAX);
        Ok(CountState {
            running: Some(Running {
                kind: told.kind,
                side: told.side,
                men,
                early: early(men, begun),
                limit,
                bound: super::running::bound(told.kind, men, limit, rules),
                plies,
                stop: told.stop,
            }),
        })
    }
}

impl Running {
    /// The plies at which the count began.
    fn begun(&self) -> Plies {
        let twice = FullMoves(u32::from(self.men)).plies();
        twice.less(Plies(u32::from(self.early)))
    }
}

impl ToldCount {
    fn check_board(&self, position: &Position, rules: &Ruleset) -> Result<(), ToldError> {
        let few = Color::ALL.into_iter().any(|c| position.men(c).len() <= 3);
        let bia = !no_bia(position);
        match (self.kind, rules.board_trigger) {
            (CountKind::Pieces, _) if !position.is_bare(self.side) => {
                Err(ToldError::NotBare(self.side))
            }
            (CountKind::Pieces, _) | (CountKind::Board, BoardTrigger::NoPawns) if bia => {
                Err(ToldError::BiaLeft(self.kind))
            }
            (CountKind::Board, BoardTrigger::Le3) if !few => Err(ToldError::ManyMen),
            _ => Ok(()),
        }
    }

    /// The plies counted: even where the counting side is to move.
    fn plies(&self, position: &Position, rules: &Ruleset) -> Result<Plies, ToldError> {
        let said = self.number + said_less(self.kind, rules);
        let waits = position.turn() != self.side;
        if waits && said == FullMoves(0) {
            return Err(ToldError::NothingSaid(position.turn()));
        }
        if said > FullMoves(u32::MAX / 2) {
            return Err(ToldError::TooFar(self.number));
        }
        Ok(said.plies().less(Plies(u32::from(waits))))
    }

    fn check_stop(&self, position: &Position, rules: &Ruleset) -> Result<(), ToldError> {
        let speaker = match self.stop {
            Stop::No => return Ok(()),
            Stop::Asked => self.side,
            Stop::Done => !self.side,
        };
        let may = match self.kind {
            CountKind::Board => rules.board_stop,
            CountKind::Pieces => rules.pieces_restart,
        };
        match () {
            () if !may => Err(ToldError::CannotStop(self.kind)),
            () if position.turn() != speaker => Err(ToldError::StopTurn(speaker)),
            () => Ok(()),
        }
    }

    /// The plies at which the count began; as a FEN's count fields are read if it is not told.
    fn begun(&self, plies: Plies, position: &Position) -> Result<Plies, ToldError> {
        let men = FullMoves(u32::from(position.men_on_board()));
        if self.kind == CountKind::Pieces && plies.full_moves_begun() < men {
            return Err(ToldError::BelowMen(men));
        }
        let Some(start) = self.start else {
            return Ok(match self.kind {
                CountKind::Board => Plies::ZERO,
                CountKind::Pieces => men.plies().min(plies),
            });
        };
        let wrong = ToldError::Start(start);
        let since = next_ply(position).saturating_sub(start);
        let since = u32::try_from(since).map_err(|_| wrong)?;
        let begun = Plies(plies.0.checked_sub(since).ok_or(wrong)?);
        let fits = match self.kind {
            CountKind::Board => begun == Plies::ZERO,
            CountKind::Pieces => {
                // No ply takes more than one man off.
                let most = (men + FullMoves(since)).min(FullMoves(MOST_MEN));
                (men..=most).contains(&begun.full_moves_begun())
            }
        };
        fits.then_some(begun).ok_or(wrong)
    }
}

/// The number of the ply that is made next, counted from 1 as the move number tells.
fn next_ply(position: &Position) -> i64 {
    let full = i64::from(position.fullmove().0) - 1;
    2 * full + 1 + i64::from(position.turn() == Color::Black)
}

/// How much less than the full moves begun is said: N where F says N + 1 (RULES 4.2).
fn said_less(kind: CountKind, rules: &Ruleset) -> FullMoves {
    let less = kind == CountKind::Pieces && rules.pieces_first == FirstNumber::N;
    FullMoves(u32::from(less))
}
