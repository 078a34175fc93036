//! The two counts (RULES 4, 5.3).
//!
//! One model serves every rule set: a running count is a number of plies `p`. For the board's
//! honour it starts at 0 with the counting side to move; for the pieces' honour at 2N (N = men on
//! the board) with the bare khun to move, or at 2N - 1 if the bare khun has just taken the last
//! bia and the other side has an uncounted move first. Each ply adds one, and the count is
//! exhausted when `p` exceeds a bound that depends on the rule set (`*_end`, `pieces_first`,
//! `pieces_over`).
//!
//! ```text
//!              trigger or command             each ply             p > bound
//!   no count ----------------------> p = 0, 2N or 2N-1 --> p + 1 -----------> exhausted (draw)
//!      ^                                   |  board only: a side is bare, no bia -> pieces' count
//!      +------ stop (board's honour only) -+
//! ```

mod begin;
mod close;
mod running;
mod told;

use thiserror::Error;

pub use begin::pieces_limit;
pub use close::CountClose;
pub use told::{ToldCount, ToldError};

use begin::{board_due, board_possible, early, may_begin, no_bia, pieces_begin, twice_the_men};

use crate::ruleset::{BoardTrigger, BoardWho, CountEnd, CountStart, FirstNumber, Ruleset};
use crate::{Color, Ending, FullMoves, LegalMove, Plies, Position, Role, SetupCount};

/// Which honour is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountKind {
    /// The board's honour (nap sak kradan).
    Board,
    /// The pieces' honour (nap sak mak).
    Pieces,
}

impl CountKind {
    /// `"board"` or `"pieces"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            CountKind::Board => "board",
            CountKind::Pieces => "pieces",
        }
    }

    /// The ending that exhaustion is.
    #[must_use]
    pub const fn ending(self) -> Ending {
        match self {
            CountKind::Board => Ending::BoardCount,
            CountKind::Pieces => Ending::PiecesCount,
        }
    }
}

/// A running count as an arbiter sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Count {
    /// Which honour.
    pub kind: CountKind,
    /// The counting side.
    pub side: Color,
    /// N, the men on the board when a pieces' honour count started; 0 for the board's honour.
    /// For a count that a FEN brought, the men on the board of the FEN.
    pub men: u8,
    /// The first number said.
    pub first: FullMoves,
    /// The number said last; one less than `first` before the first counted move.
    pub number: FullMoves,
    /// The limit L.
    pub limit: FullMoves,
    /// Replies that the other side still has in which to mate; 0 once the count is exhausted. Where
    /// the counting side has just stopped, what was left when it did.
    pub replies_left: u32,
    /// What ends the count if nothing else does.
    pub close: CountClose,
    /// Plies from here to the move that `close` names; 0 once the count is exhausted. `None` where
    /// the counting side has stopped.
    pub plies_left: Option<Plies>,
}

/// What a player says about the board's honour count, on his turn and before his move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountCommand {
    /// He starts to count: the move that follows is number 1.
    Start,
    /// He stops: the move that follows is counted, and none after it.
    Stop,
}

/// Why a command means nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CountError {
    /// The rule set starts the count by itself.
    #[error("counts start by themselves under this rule set")]
    Automatic,
    /// The rule set lets nobody stop this count.
    #[error("this count cannot be stopped under this rule set")]
    CannotStop,
    /// The board does not allow the count yet.
    #[error("the board does not allow the count: a bia is left, or a side is bare")]
    NotAllowed,
    /// A count is running already.
    #[error("a count is running already")]
    Running,
    /// The side to move counts nothing that it could stop.
    #[error("the side to move is not counting")]
    NotCounting,
}

/// Whether the counting side has said stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stop {
    /// It has not: the count goes on.
    #[default]
    No,
    /// Said, and the last counted move is still to be made.
    Asked,
    /// The last counted move has been made.
    Done,
}

/// A running count in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Running {
    kind: CountKind,
    side: Color,
    men: u8,
    /// Whether the count began with a move of the other side, at 2N - 1.
    early: bool,
    limit: FullMoves,
    /// What the rule set, the men and the limit make of it: the count is exhausted when its plies exceed this.
    bound: Plies,
    plies: Plies,
    stop: Stop,
}

/// The state of the counts beside a position: `Copy`, a few bytes, so that a search can carry it.
///
/// Invariant: at most one count runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CountState {
    running: Option<Running>,
}

impl CountState {
    /// No count.
    pub const NONE: CountState = CountState { running: None };

    /// The count that the count fields of a FEN tell of.
    ///
    /// A FEN does not say who counts what (RULES 7). The counting side is the side to move if the
    /// plies are even, else the other. The count is taken as the pieces' honour if a side is bare
    /// (the counting side, where that count waits for a word), no bia is left and the plies are as
    /// many as it begins with (2N - 1 or more, N = men on the board), else as the board's honour.
    #[must_use]
    pub fn from_fields(
        fields: Option<SetupCount>,
        position: &Position,
        rules: &Ruleset,
    ) -> CountState {
        let Some(fields) = fields.filter(|fields| fields.limit > Plies::ZERO) else {
            return CountState::NONE;
        };
        let side = counting_side(fields.counted, position);
        let men = position.men_on_board();
        let enough = FullMoves(u32::from(men)) <= fields.counted.full_moves_begun();
        let bare = match rules.pieces_start {
            // The reference engine takes any number for the pieces' honour.
            CountStart::Auto => {
                let any = Color::ALL.into_iter().any(|color| position.is_bare(color));
                any && (enough || rules.lenient_setup)
            }
            CountStart::Manual => position.is_bare(side) && enough,
        };
        let kind = match bare && no_bia(position) {
            true => CountKind::Pieces,
            false => CountKind::Board,
        };
        let limit = fields.limit.full_moves_done() + less_in_fields(kind, rules);
        let men = match kind {
            CountKind::Pieces => {
                men.min(u8::try_from(fields.counted.full_moves_begun().0).unwrap_or(u8::MAX))
            }
            CountKind::Board => 0,
        };
        CountState {
            running: Some(Running {
                kind,
                side,
                men,
                early: early(men, fields.counted),
                limit,
                bound: running::bound(kind, men, limit, rules),
                plies: fields.counted,
                stop: Stop::No,
            }),
        }
    }

    /// The count fields of a FEN, if a count runs: the limit in plies as the reference engine
    /// writes it, and the plies counted.
    #[must_use]
    #[inline]
    pub fn fields(&self, rules: &Ruleset) -> Option<SetupCount> {
        let running = self.live()?;
        let less = less_in_fields(running.kind, rules);
        Some(SetupCount {
            limit: running.limit.less(less).plies(),
            counted: running.plies,
        })
    }

    /// The state as the reference engine sees it when it is told when the count began: `started` is
    /// 0 (by itself), negative (not begun) or the game ply of the start, counted from 1. For the
    /// fairy rule sets only, whose engine takes this in place of a command.
    ///
    /// It touches the board's honour. Where a side is bare and no bia is left, what runs is kept,
    /// except in ouk if the board's honour told of ends sooner (RULES 5.3).
    #[must_use]
    pub fn as_told(&self, started: i32, position: &Position, rules: &Ruleset) -> CountState {
        let Some(running) = self.running.filter(|_| started != 0) else {
            return *self;
        };
        let ply = 2 * i64::from(position.fullmove().0 - 1) + i64::from(position.turn() as u8);
        let since = (1 + ply - i64::from(started)).max(0);
        let plies = if started < 0 { 0 } else { since };
        let board = Running {
            plies: Plies(u32::try_from(plies).unwrap_or(u32::MAX)),
            ..Running::board(running.side, rules)
        };
        let bare = Color::ALL.into_iter().any(|color| position.is_bare(color));
        let sooner = rules.board_trigger == BoardTrigger::Le3 && board.left() < running.left();
        let told = match sooner {
            true => board,
            false if bare && no_bia(position) => running,
            // The engine does not touch the limit.
            false => Running {
                plies: board.plies,
                ..running
            },
        };
        CountState {
            running: Some(told),
        }
    }

    /// The state after a move from `before` to `after`.
    #[must_use]
    pub fn after(
        &self,
        rules: &Ruleset,
        before: &Position,
        mv: LegalMove,
        after: &Position,
    ) -> CountState {
        let took_bia = before.is_capture(mv) && before.role_at(mv.to()) == Some(Role::Bia);
        self.after_move(rules, took_bia, after)
    }

    /// The state after a move to `after` that took a bia or did not.
    #[inline]
    pub(crate) fn after_move(
        &self,
        rules: &Ruleset,
        took_bia: bool,
        after: &Position,
    ) -> CountState {
        match self.running {
            None if !may_begin(rules, after) => CountState::NONE,
            None => CountState::begun(rules, took_bia, after),
            Some(_) => self.counted(rules, took_bia, after),
        }
    }

    /// The state where no count ran.
    #[inline]
    fn begun(rules: &Ruleset, took_bia: bool, after: &Position) -> CountState {
        // With men on both sides only an automatic count of the board's honour begins.
        let bare = Color::ALL.into_iter().any(|color| after.is_bare(color));
        match bare || rules.board_start == CountStart::Auto {
            true => CountState::NONE.counted(rules, took_bia, after),
            false => CountState::NONE,
        }
    }

    fn counted(&self, rules: &Ruleset, took_bia: bool, after: &Position) -> CountState {
        let mut running = self.live();
        if let Some(count) = &mut running {
            count.plies = count.plies.next();
            if count.stop == Stop::Asked {
                count.stop = count.stop_heard();
            }
        }
        let pieces_run = running.is_some_and(|count| count.kind == CountKind::Pieces);
        if rules.pieces_start == CountStart::Auto
            && !pieces_run
            && let Some(plies) = pieces_begin(after, took_bia)
        {
            return CountState::pieces(after, plies, rules);
        }
        if rules.board_start == CountStart::Auto && running.is_none() && board_due(rules, after) {
            running = Some(Running::board(after.turn(), rules));
        }
        CountState { running }
    }

    fn pieces(position: &Position, plies: Plies, rules: &Ruleset) -> CountState {
        let (side, kind) = (counting_side(plies, position), CountKind::Pieces);
        let men = position.men_on_board();
        let limit = pieces_limit(position, !side, rules.snn);
        CountState {
            running: Some(Running {
                kind,
                side,
                men,
                early: early(men, plies),
                limit,
                bound: running::bound(kind, men, limit, rules),
                plies,
                stop: Stop::No,
            }),
        }
    }

    /// Whether no count runs, not even one that was stopped with the last move.
    #[must_use]
    #[inline]
    pub const fn is_none(&self) -> bool {
        self.running.is_none()
    }

    /// Whether a count runs and was not stopped.
    #[must_use]
    #[inline]
    pub fn goes_on(&self) -> bool {
        self.live().is_some()
    }

    /// Whether no count runs and the board lets none begin, nor be started by saying so.
    #[must_use]
    #[inline]
    pub(crate) fn is_far(&self, rules: &Ruleset, position: &Position) -> bool {
        self.is_none() && !may_begin(rules, position)
    }

    /// The count that runs, if any, as an arbiter sees it. A count that was stopped is still shown
    /// after its last counted move, and gone after the next.
    #[must_use]
    #[inline]
    pub fn count(&self, rules: &Ruleset) -> Option<Count> {
        self.running.map(|running| running.shown(rules))
    }

    /// The ending that an exhausted count is. Whether a mate comes first is for the caller: see the
    /// order of tests in [`crate::Line`].
    #[must_use]
    #[inline]
    pub fn exhausted(&self) -> Option<Ending> {
        let running = self.running?;
        (running.plies > running.bound).then(|| running.kind.ending())
    }

    /// Whether the side to move may start the board's honour count by saying so.
    #[must_use]
    pub fn may_start_board(&self, rules: &Ruleset, position: &Position) -> bool {
        self.check_start(rules, position).is_ok()
    }

    fn check_start(&self, rules: &Ruleset, position: &Position) -> Result<(), CountError> {
        if rules.board_start == CountStart::Auto {
            return Err(CountError::Automatic);
        }
        if self.live().is_some() {
            return Err(CountError::Running);
        }
        let side = position.turn();
        let allowed = board_possible(rules, position)
            && match rules.board_who {
                BoardWho::Weaker | BoardWho::ToMove => true,
                BoardWho::Armed => !position.is_bare(side),
                BoardWho::Le3 => position.men(side).len() <= 3,
            };
        allowed.then_some(()).ok_or(CountError::NotAllowed)
    }

    /// The side to move starts to count: the board's honour, or the pieces' honour where the side
    /// is bare and the rule set leaves that count to the players too.
    ///
    /// # Errors
    ///
    /// [`CountError`] if the rule set or the board does not allow it; the state is then unchanged.
    pub fn start(&mut self, rules: &Ruleset, position: &Position) -> Result<(), CountError> {
        // Khun against khun: nobody is left to mate.
        let bare = position.is_bare(position.turn())
            && !position.is_bare(!position.turn())
            && no_bia(position);
        if bare && rules.pieces_start == CountStart::Manual {
            let restart =
                rules.pieces_restart || self.live().is_none_or(|c| c.kind == CountKind::Board);
            if !restart {
                return Err(CountError::Running);
            }
            *self = CountState::pieces(position, twice_the_men(position), rules);
            return Ok(());
        }
        self.start_board(rules, position)
    }

    /// The side to move starts the board's honour count: its next move is number 1.
    ///
    /// # Errors
    ///
    /// [`CountError`] if the rule set or the board does not allow it; the state is then unchanged.
    pub fn start_board(&mut self, rules: &Ruleset, position: &Position) -> Result<(), CountError> {
        self.check_start(rules, position)?;
        self.running = Some(Running::board(position.turn(), rules));
        Ok(())
    }

    /// The side to move stops its count: its next move is the last one counted.
    ///
    /// # Errors
    ///
    /// [`CountError`] if it counts nothing or may not stop; the state is then unchanged.
    pub fn stop(&mut self, rules: &Ruleset, position: &Position) -> Result<(), CountError> {
        let side = position.turn();
        match &mut self.running {
            Some(running) if running.side == side && running.stop == Stop::No => {
                let may = match running.kind {
                    CountKind::Board => rules.board_stop,
                    CountKind::Pieces => rules.pieces_restart,
                };
                if !may {
                    return Err(CountError::CannotStop);
                }
                running.stop = Stop::Asked;
                Ok(())
            }
            _ => Err(CountError::NotCounting),
        }
    }

    /// The running count that still goes on.
    #[inline]
    fn live(&self) -> Option<Running> {
        self.running.filter(|count| count.stop != Stop::Done)
    }
}

/// The counting side of a count of so many plies: the side to move if they are even.
fn counting_side(plies: Plies, position: &Position) -> Color {
    if plies.is_even() {
        position.turn()
    } else {
        !position.turn()
    }
}

/// The reference engine writes one move less where the move that makes the plies pass 2(L - 1) is
/// the draw (RULES 7): the one that says L, if the first number said is N + 1.
fn less_in_fields(kind: CountKind, rules: &Ruleset) -> FullMoves {
    let says_n = kind == CountKind::Pieces && rules.pieces_first == FirstNumber::N;
    FullMoves(u32::from(end_of(kind, rules) == CountEnd::Reach && !says_n))
}

fn end_of(kind: CountKind, rules: &Ruleset) -> CountEnd {
    match kind {
        CountKind::Board => rules.board_end,
        CountKind::Pieces => rules.pieces_end,
    }
}
