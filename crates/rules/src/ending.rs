//! How games end.

use std::fmt;

use crate::Color;

/// Why a game is over: the closed list of RULES 6.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// In check and no legal move.
    Checkmate,
    /// Kar ouk: the first check.
    FirstCheck,
    /// Not in check and no legal move: draw.
    Stalemate,
    /// The board's honour count ran out: draw.
    BoardCount,
    /// The pieces' honour count ran out: draw.
    PiecesCount,
    /// The counting side mated while counting, where that is a draw.
    MateByCounter,
    /// Third occurrence of a position.
    Repetition,
    /// Only the two khuns are left.
    BareKings,
    /// Neither side can mate.
    DeadPosition,
    /// The rule set's length cap was reached.
    PlyCap,
    /// A player gave up.
    Resignation,
    /// A player's time ran out.
    Time,
    /// Draw by agreement.
    Agreement,
    /// A player left.
    Abandoned,
    /// A player made an illegal move and lost by it.
    IllegalMove,
    /// The record stops before the end.
    Unterminated,
}

impl Ending {
    /// All endings, in the order of RULES 6.2.
    pub const ALL: [Ending; 16] = [
        Ending::Checkmate,
        Ending::FirstCheck,
        Ending::Stalemate,
        Ending::BoardCount,
        Ending::PiecesCount,
        Ending::MateByCounter,
        Ending::Repetition,
        Ending::BareKings,
        Ending::DeadPosition,
        Ending::PlyCap,
        Ending::Resignation,
        Ending::Time,
        Ending::Agreement,
        Ending::Abandoned,
        Ending::IllegalMove,
        Ending::Unterminated,
    ];

    /// The name used in tables and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Ending::Checkmate => "checkmate",
            Ending::FirstCheck => "first_check",
            Ending::Stalemate => "stalemate",
            Ending::BoardCount => "board_count",
            Ending::PiecesCount => "pieces_count",
            Ending::MateByCounter => "mate_by_counter",
            Ending::Repetition => "repetition",
            Ending::BareKings => "bare_kings",
            Ending::DeadPosition => "dead_position",
            Ending::PlyCap => "ply_cap",
            Ending::Resignation => "resignation",
            Ending::Time => "time",
            Ending::Agreement => "agreement",
            Ending::Abandoned => "abandoned",
            Ending::IllegalMove => "illegal_move",
            Ending::Unterminated => "unterminated",
        }
    }

    /// The ending of a name, as [`Ending::as_str`] writes it.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|e| e.as_str() == name)
    }

    /// Whether the board and its history alone show this ending.
    #[must_use]
    pub const fn is_on_board(self) -> bool {
        !matches!(
            self,
            Ending::Resignation
                | Ending::Time
                | Ending::Agreement
                | Ending::Abandoned
                | Ending::IllegalMove
                | Ending::Unterminated
        )
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who won. An unknown result (`*`) is `Option::None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// The win of a side.
    #[must_use]
    pub const fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::WhiteWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// The side that won, if any.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw => None,
        }
    }

    /// The PGN result marker.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// The result of a PGN marker; `*` and anything else give `None`.
    #[must_use]
    pub fn from_marker(marker: &str) -> Option<GameResult> {
        [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
        ]
        .into_iter()
        .find(|result| result.as_str() == marker)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An ending met in a line of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Why.
    pub ending: Ending,
    /// Who won.
    pub result: GameResult,
    /// The number of the ply of the line that brought it (0 = the start position).
    pub ply: u32,
}
