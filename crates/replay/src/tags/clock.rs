//! Time controls: the text, and what `archive` reads in it.

pub use archive::{ClockKind, Stage};

/// A time control: the text, and what it certainly says, in seconds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// As written; none if there is no such tag or it is empty.
    pub text: Option<String>,
    /// What kind of clock it is.
    pub kind: ClockKind,
    /// Base time of the first stage, in seconds.
    pub base_s: Option<u32>,
    /// Increment a move in the first stage, in seconds.
    pub increment_s: Option<u32>,
    /// Length of a byo-yomi period, in seconds.
    pub byoyomi_s: Option<u32>,
    /// Number of byo-yomi periods.
    pub byoyomi_periods: Option<u32>,
    /// All stages, where there are several or one has a number of moves.
    pub stages: Vec<Stage>,
    /// What was odd about it, for people.
    pub note: Option<String>,
}

impl TimeControl {
    /// Reads a tag value.
    pub fn parse(text: &str) -> TimeControl {
        if text.trim().is_empty() {
            return TimeControl::default();
        }
        let reading = archive::time_control::parse(text);
        TimeControl {
            text: Some(text.to_owned()),
            kind: reading.kind,
            base_s: reading.base_s,
            increment_s: reading.increment_s,
            byoyomi_s: reading.byoyomi_s,
            byoyomi_periods: reading.byoyomi_periods,
            stages: reading.stages,
            note: (!reading.oddities.is_empty()).then(|| reading.oddities.join("; ")),
        }
    }
}
