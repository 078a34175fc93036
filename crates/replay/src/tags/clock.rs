//! Time controls: PGN stages, byo-yomi, sandclock; anything else stays text.

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
    /// Moves of the first stage; none if it lasts for the whole game.
    pub stage_moves: Option<u32>,
    /// Number of stages.
    pub stages: u8,
    /// Length of a byo-yomi period, in seconds.
    pub byoyomi_s: Option<u32>,
    /// Number of byo-yomi periods.
    pub byoyomi_periods: Option<u32>,
    /// What was odd about it.
    pub note: Option<ClockNote>,
}

/// Kinds of clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClockKind {
    /// The record does not tell, or in words that are not understood.
    #[default]
    Unknown,
    /// Played without a clock.
    None,
    /// One or more stages, with or without increment.
    Stages,
    /// A base time, then periods.
    ByoYomi,
    /// A sandclock: what one side uses, the other gains.
    Sandclock,
}

/// What is odd about a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockNote {
    /// As many moves as seconds: most likely another meaning than PGN's.
    Unlikely,
    /// `0+0`: a game without a clock, written as a clock.
    ZeroClock,
    /// Byo-yomi, which PGN has no form for.
    ByoYomi,
    /// A sandclock.
    Sandclock,
    /// Days for a move.
    Correspondence,
    /// Words or a name that are not understood.
    Unreadable,
}

impl ClockNote {
    /// One phrase for people.
    pub fn phrase(self) -> &'static str {
        match self {
            ClockNote::Unlikely => "unlikely as PGN reads it (that many moves in so little time)",
            ClockNote::ZeroClock => "no clock, written as a clock of nothing",
            ClockNote::ByoYomi => "byo-yomi, which PGN has no form for",
            ClockNote::Sandclock => "a sandclock",
            ClockNote::Correspondence => "correspondence: kept as text",
            ClockNote::Unreadable => "not a known form: kept as text",
        }
    }
}

/// A clock above a week is no clock.
const MOST_SECONDS: u32 = 7 * 24 * 3600;

impl TimeControl {
    /// Reads a tag value.
    pub fn parse(text: &str) -> TimeControl {
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return TimeControl::default();
        }
        let kept = TimeControl {
            text: Some(text.to_owned()),
            ..TimeControl::default()
        };
        match trimmed {
            "?" => kept,
            "-" => TimeControl {
                kind: ClockKind::None,
                ..kept
            },
            "0" | "0+0" => TimeControl {
                kind: ClockKind::None,
                note: Some(ClockNote::ZeroClock),
                ..kept
            },
            _ => sandclock(trimmed, &kept)
                .or_else(|| byoyomi(trimmed, &kept))
                .or_else(|| stages(trimmed, &kept))
                .unwrap_or_else(|| TimeControl {
                    note: Some(unreadable(trimmed)),
                    ..kept
                }),
        }
    }
}

fn unreadable(text: &str) -> ClockNote {
    if text.to_lowercase().contains("day") {
        ClockNote::Correspondence
    } else {
        ClockNote::Unreadable
    }
}

/// `*180`.
fn sandclock(text: &str, kept: &TimeControl) -> Option<TimeControl> {
    let base = seconds(text.strip_prefix('*')?)?;
    let note = Some(ClockNote::Sandclock);
    Some(TimeControl {
        kind: ClockKind::Sandclock,
        base_s: Some(base),
        stages: 1,
        note,
        ..kept.clone()
    })
}

/// `900+30x3` (period times number), `5m+3x30s` (number times period, told by the unit).
fn byoyomi(text: &str, kept: &TimeControl) -> Option<TimeControl> {
    let (base, periods) = text.split_once('+')?;
    let (left, right) = periods.split_once(['x', 'X', '×'])?;
    let (period, number) = if right.ends_with(['s', 'm']) {
        (right, left)
    } else {
        (left, right)
    };
    Some(TimeControl {
        kind: ClockKind::ByoYomi,
        base_s: Some(seconds(base)?),
        increment_s: Some(0),
        byoyomi_s: Some(seconds(period)?),
        byoyomi_periods: Some(number.parse().ok()?),
        stages: 1,
        note: Some(ClockNote::ByoYomi),
        ..kept.clone()
    })
}

/// `600`, `180+2`, `40/9000+30:1800+30`.
fn stages(text: &str, kept: &TimeControl) -> Option<TimeControl> {
    let stages: Option<Vec<_>> = text.split(':').map(stage).collect();
    let stages = stages?;
    let (moves, base, increment) = *stages.first()?;
    // A minute for a move at the least reading: 180 moves in 180 seconds is one side's habit of writing something else.
    let unlikely = moves.is_some_and(|moves| base < 2 * moves) && increment == 0;
    Some(TimeControl {
        kind: ClockKind::Stages,
        base_s: Some(base),
        increment_s: Some(increment),
        stage_moves: moves,
        stages: u8::try_from(stages.len()).unwrap_or(u8::MAX),
        note: unlikely.then_some(ClockNote::Unlikely),
        ..kept.clone()
    })
}

fn stage(text: &str) -> Option<(Option<u32>, u32, u32)> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), time),
        None => (None, text),
    };
    let (base, increment) = match time.split_once('+') {
        Some((base, increment)) => (seconds(base)?, seconds(increment)?),
        None => (seconds(time)?, 0),
    };
    Some((moves, base, increment))
}

/// `600`, `600.5` (the part is dropped), `30s`, `5m`.
fn seconds(text: &str) -> Option<u32> {
    let (digits, unit) = match text.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (text.strip_suffix('s').unwrap_or(text), 1),
    };
    let whole = match digits.split_once('.') {
        Some((whole, part))
            if !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            whole
        }
        Some(_) => return None,
        None => digits,
    };
    if whole.is_empty() || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    whole
        .parse::<u32>()
        .ok()?
        .checked_mul(unit)
        .filter(|&seconds| seconds <= MOST_SECONDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ClockKind, Option<u32>, Option<u32>, Option<ClockNote>) {
        let control = TimeControl::parse(text);
        (
            control.kind,
            control.base_s,
            control.increment_s,
            control.note,
        )
    }

    #[test]
    fn spellings() {
        use ClockKind::{ByoYomi, None as NoClock, Sandclock, Stages, Unknown};
        assert_eq!(read("600"), (Stages, Some(600), Some(0), None));
        assert_eq!(read("180+2"), (Stages, Some(180), Some(2), None));
        assert_eq!(
            read("180/180"),
            (Stages, Some(180), Some(0), Some(ClockNote::Unlikely))
        );
        assert_eq!(TimeControl::parse("180/180").stage_moves, Some(180));
        assert_eq!(
            read("40/9000+30:1800+30"),
            (Stages, Some(9000), Some(30), None)
        );
        assert_eq!(TimeControl::parse("40/1500:40/1500:40/1500").stages, 3);
        assert_eq!(read("-"), (NoClock, None, None, None));
        assert_eq!(read("?"), (Unknown, None, None, None));
        assert_eq!(
            read("0+0"),
            (NoClock, None, None, Some(ClockNote::ZeroClock))
        );
        assert_eq!(
            read("*180"),
            (Sandclock, Some(180), None, Some(ClockNote::Sandclock))
        );
        assert_eq!(read("0+30"), (Stages, Some(0), Some(30), None));
        let periods = TimeControl::parse("900+30x3");
        assert_eq!((periods.kind, periods.base_s), (ByoYomi, Some(900)));
        assert_eq!(
            (periods.byoyomi_s, periods.byoyomi_periods),
            (Some(30), Some(3))
        );
        let units = TimeControl::parse("5m+3x30s");
        assert_eq!(
            (units.base_s, units.byoyomi_s, units.byoyomi_periods),
            (Some(300), Some(30), Some(3))
        );
        for text in [
            "rapid-10",
            "90 minutes for 40 moves, then 30 minutes",
            "+",
            "1+",
            "99999999999",
        ] {
            assert_eq!(
                read(text),
                (Unknown, None, None, Some(ClockNote::Unreadable)),
                "{text}"
            );
        }
        assert_eq!(read("1 in 5 days").3, Some(ClockNote::Correspondence));
        assert_eq!(
            TimeControl::parse("rapid-10").text.as_deref(),
            Some("rapid-10")
        );
    }
}
