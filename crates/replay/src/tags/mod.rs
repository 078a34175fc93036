//! Tags, normalised. The text as written is always kept beside what was understood.

use crate::tags::clock::TimeControl;
use crate::tags::date::DateTag;
use crate::tags::player::PlayerKind;
use crate::tags::rating::Rating;

pub mod clock;
pub mod date;
pub mod player;
pub mod rating;
pub(crate) mod read;

/// A game's tags, normalised. A tag that is missing, empty or `?` is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameTags {
    /// `Event`.
    pub event: Option<String>,
    /// `Site`.
    pub site: Option<String>,
    /// `Date`, else `UTCDate`, else the date of `GameStartTime`.
    pub date: DateTag,
    /// `Round`.
    pub round: Option<String>,
    /// `White`, spaces trimmed.
    pub white: Option<String>,
    /// `Black`, spaces trimmed.
    pub black: Option<String>,
    /// `WhiteElo`.
    pub white_rating: Rating,
    /// `BlackElo`.
    pub black_rating: Rating,
    /// `TimeControl`.
    pub time_control: TimeControl,
    /// `Termination`, as written.
    pub termination: Option<String>,
    /// Who played.
    pub player_kind: PlayerKind,
}
