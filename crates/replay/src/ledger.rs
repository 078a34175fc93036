//! The count ledger: counting episodes of one game, and the count commands of the record.

use rules::{Color, CountClose, CountKind, FullMoves};

use crate::finding::Certainty;

/// A count command of the record, carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountCommandAt {
    /// The ply (1-based) of the move before which it was given, by the side that makes that move.
    pub ply: u32,
    /// The side that gave it.
    pub side: Color,
    /// What it did.
    pub action: CountAction,
}

/// What a count command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountAction {
    /// Start a board's honour count.
    Start,
    /// Stop it.
    Stop,
}

impl CountAction {
    /// The word in tables and in `{[%count start]}`.
    pub fn as_str(self) -> &'static str {
        match self {
            CountAction::Start => "start",
            CountAction::Stop => "stop",
        }
    }
}

/// One stretch of counting, or the stretch in which one could have run where the record is silent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountEpisode {
    /// Board's or pieces' honour.
    pub kind: CountKind,
    /// The counting side. Where the record is silent, the side with less material at the earliest start; none if equal.
    pub side: Option<Color>,
    /// The ply (1-based) of the first counted move, at the earliest. Where no number was said this is the ply that would
    /// have been it, and may lie beyond the last one.
    pub start_ply_earliest: u32,
    /// The same, at the latest. Equal to the earliest where the rules or the record fix it.
    pub start_ply_latest: u32,
    /// The limit.
    pub limit: FullMoves,
    /// The number said (or sayable) on the first counted move.
    pub first_number: FullMoves,
    /// The last number said; where the record is silent, the highest that could have been said. None if the game or the
    /// count was over before the first number.
    pub last_number: Option<FullMoves>,
    /// Replies that the other side still had when the episode ended; none where the record is silent.
    pub replies_left: Option<u32>,
    /// The move that draws it if play goes on: the number said, or the reply to it.
    pub close: CountClose,
    /// The ply (1-based) of that move, in the game or beyond its end; where the record is silent, for the earliest start.
    pub draw_ply: u32,
    /// How it ended.
    pub ended: EpisodeEnd,
    /// What the other side had at the start, by the classes of the limits table.
    pub material: MaterialClass,
    /// All men at the start, stronger side first: `KRR-K`. Promoted bia are mets here.
    pub signature: String,
    /// Who says that it ran.
    pub basis: CountBasis,
    /// Possible where the record is silent, or where nothing binds the rule set, the count ran by itself and another
    /// reading of the variant counts otherwise; else proved.
    pub certainty: Certainty,
}

impl CountEpisode {
    /// Whether this is the other's count too: same start, numbers, limit and end.
    pub(crate) fn same_count(&self, other: &CountEpisode) -> bool {
        let of = |episode: &CountEpisode| {
            (
                (episode.kind, episode.side, episode.limit),
                (episode.start_ply_earliest, episode.start_ply_latest),
                (episode.first_number, episode.last_number, episode.ended),
            )
        };
        of(self) == of(other)
    }
}

/// The plies in which one side could have started a count by saying so, where the record is silent about that kind of count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StartInterval {
    /// Board's honour, or pieces' honour where the rule set leaves that to the players too.
    pub kind: CountKind,
    /// The side that could have started it.
    pub side: Color,
    /// The earliest ply (1-based) that could have been its first counted move.
    pub earliest: u32,
    /// The latest such ply.
    pub latest: u32,
    /// Whether it could not have been started at every turn of that side in between.
    pub broken: bool,
    /// The earliest ply after which such a count would have run out; none if none can have by the end of the game.
    pub expires: Option<u32>,
    /// The latest first counted move with which the count would have run out by the end of the game.
    pub latest_in_time: Option<u32>,
}

/// Who says that a count ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CountBasis {
    /// It runs by itself under the rule set.
    Rule,
    /// The record says so.
    Record,
    /// Nobody: the record is silent, and one could have run.
    Silent,
}

impl CountBasis {
    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            CountBasis::Rule => "rule",
            CountBasis::Record => "record",
            CountBasis::Silent => "silent",
        }
    }
}

/// How a counting episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EpisodeEnd {
    /// The count ran out: a draw. In a silent stretch: it could have run out.
    Limit,
    /// The counting side was mated in time.
    Mate,
    /// The counting side gave mate.
    MateByCounter,
    /// The game ended on the board in another way.
    OtherEnding,
    /// The counting side stopped it.
    Stopped,
    /// The pieces' honour count took its place.
    Replaced,
    /// The record ended while it ran.
    RecordEnded,
}

impl EpisodeEnd {
    /// All.
    pub const ALL: [EpisodeEnd; 7] = [
        EpisodeEnd::Limit,
        EpisodeEnd::Mate,
        EpisodeEnd::MateByCounter,
        EpisodeEnd::OtherEnding,
        EpisodeEnd::Stopped,
        EpisodeEnd::Replaced,
        EpisodeEnd::RecordEnded,
    ];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            EpisodeEnd::Limit => "limit",
            EpisodeEnd::Mate => "mate",
            EpisodeEnd::MateByCounter => "mate_by_counter",
            EpisodeEnd::OtherEnding => "other_ending",
            EpisodeEnd::Stopped => "stopped",
            EpisodeEnd::Replaced => "replaced",
            EpisodeEnd::RecordEnded => "record_ended",
        }
    }
}

/// What the side that must mate has, by the rows of the limits table (RULES 4.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MaterialClass {
    /// Two rua or more.
    TwoRua,
    /// One rua.
    OneRua,
    /// No rua, two khon or more.
    TwoKhon,
    /// No rua, less than two khon, two ma.
    TwoMa,
    /// No rua, one khon, less than two ma.
    OneKhon,
    /// One ma, or only mets and bia.
    Other,
}

impl MaterialClass {
    /// All, in the order of the limits table.
    pub const ALL: [MaterialClass; 6] = [
        MaterialClass::TwoRua,
        MaterialClass::OneRua,
        MaterialClass::TwoKhon,
        MaterialClass::TwoMa,
        MaterialClass::OneKhon,
        MaterialClass::Other,
    ];

    /// The name in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            MaterialClass::TwoRua => "two_rua",
            MaterialClass::OneRua => "one_rua",
            MaterialClass::TwoKhon => "two_khon",
            MaterialClass::TwoMa => "two_ma",
            MaterialClass::OneKhon => "one_khon",
            MaterialClass::Other => "other",
        }
    }
}
