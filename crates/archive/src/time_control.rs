//! Time controls as tags hold them.

/// What a time control tag says. The text itself is the caller's to keep.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The kind of clock.
    pub kind: ClockKind,
    /// Time of the first period, in seconds.
    pub base_s: Option<u32>,
    /// Added for each move of the first period, in seconds.
    pub increment_s: Option<u32>,
    /// Length of one byo-yomi period, in seconds.
    pub byoyomi_s: Option<u32>,
    /// Number of byo-yomi periods.
    pub byoyomi_periods: Option<u32>,
    /// All periods, where there are several or one has a number of moves.
    pub stages: Vec<Stage>,
    /// What was odd, for people.
    pub oddities: Vec<String>,
}

/// The kind of clock a game was played with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClockKind {
    /// Not told, or told in words we do not read.
    #[default]
    Unknown,
    /// No clock at all.
    None,
    /// Time for the game or for periods, with or without increment.
    Clock,
    /// Base time, then byo-yomi.
    Byoyomi,
    /// An hourglass.
    Sandclock,
    /// Days for a move.
    Correspondence,
}

/// One period of a time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// Moves in it; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// Its time in seconds.
    pub base_s: u32,
    /// Added for each move, in seconds.
    pub increment_s: u32,
}

/// Reads a time control tag (FORMATS 7). What is not certain stays `None`. Never fails.
pub fn parse(text: &str) -> TimeControl {
    let text = text.trim();
    let of = |kind| TimeControl {
        kind,
        ..TimeControl::default()
    };
    match text {
        "" | "?" => return of(ClockKind::Unknown),
        "-" => return of(ClockKind::None),
        _ => {}
    }
    sandclock(text)
        .or_else(|| listed(text))
        .or_else(|| byoyomi(text))
        .or_else(|| stages(text))
        .or_else(|| correspondence(text))
        .unwrap_or_else(|| TimeControl {
            oddities: vec![format!("not a time control we read: `{text}`")],
            ..of(ClockKind::Unknown)
        })
}

fn sandclock(text: &str) -> Option<TimeControl> {
    let base_s = seconds(text.strip_prefix('*')?)?;
    Some(TimeControl {
        kind: ClockKind::Sandclock,
        base_s: Some(base_s),
        oddities: vec![format!(
            "an hourglass: what one side spends, the other gains: `{text}`"
        )],
        ..TimeControl::default()
    })
}

/// `900+30x3`, `5m+3x30s`, `300+0+30x3`: which factor is the period is told by the unit or by size.
fn byoyomi(text: &str) -> Option<TimeControl> {
    let (front, back) = text.rsplit_once('+')?;
    let (first, second) = back.split_once(['x', 'X', '×'])?;
    let (period, periods) = match (first.ends_with('s'), second.ends_with('s')) {
        (_, true) => (second, first),
        _ => (first, second),
    };
    let (base, increment) = front.split_once('+').unwrap_or((front, "0"));
    Some(TimeControl {
        kind: ClockKind::Byoyomi,
        base_s: Some(seconds(base)?),
        increment_s: Some(seconds(increment)?),
        byoyomi_s: Some(seconds(period)?),
        byoyomi_periods: Some(number(periods)?),
        stages: Vec::new(),
        oddities: vec![format!("byo-yomi, which PGN does not know: `{text}`")],
    })
}

/// `300, 0, 30, 3`: base, increment, length and number of periods, as Ttakji names them.
fn listed(text: &str) -> Option<TimeControl> {
    let numbers: Vec<u32> = text.split(',').map(number).collect::<Option<_>>()?;
    let [base, increment, period, periods] = *numbers.as_slice() else {
        return None;
    };
    let kind = if period > 0 && periods > 0 {
        ClockKind::Byoyomi
    } else {
        ClockKind::Clock
    };
    let told = |value: u32| (kind == ClockKind::Byoyomi).then_some(value);
    Some(TimeControl {
        kind,
        base_s: Some(base),
        increment_s: Some(increment),
        byoyomi_s: told(period),
        byoyomi_periods: told(periods),
        stages: Vec::new(),
        oddities: vec![format!(
            "base, increment, periods and their number, which PGN does not know: `{text}`"
        )],
    })
}

/// `600`, `180+2`, `40/9000+30:1800+30`.
fn stages(text: &str) -> Option<TimeControl> {
    let stages: Vec<Stage> = text.split(':').map(stage).collect::<Option<_>>()?;
    let first = *stages.first()?;
    let mut control = TimeControl {
        kind: ClockKind::Clock,
        base_s: Some(first.base_s),
        increment_s: Some(first.increment_s),
        ..TimeControl::default()
    };
    if first.base_s == 0 && first.increment_s == 0 {
        control = TimeControl {
            kind: ClockKind::None,
            ..TimeControl::default()
        };
        control
            .oddities
            .push(format!("`{text}` read as no clock, as pychess writes it"));
        return Some(control);
    }
    if let Some(moves) = first
        .moves
        .filter(|moves| *moves >= first.base_s || *moves > 100)
    {
        control.oddities.push(format!(
            "{moves} moves in {} seconds is unlikely",
            first.base_s
        ));
    }
    if stages.len() > 1 || first.moves.is_some() {
        control.stages = stages;
    }
    Some(control)
}

fn stage(text: &str) -> Option<Stage> {
    let (moves, time) = match text.split_once('/') {
        Some((moves, time)) => (Some(number(moves)?), time),
        None => (None, text),
    };
    let (base, increment) = time.split_once('+').unwrap_or((time, "0"));
    Some(Stage {
        moves,
        base_s: seconds(base)?,
        increment_s: seconds(increment)?,
    })
}

/// `1 in 5 days`, `5 days`, `3 days/move`.
fn correspondence(text: &str) -> Option<TimeControl> {
    let days = text
        .split(|c: char| !c.is_alphabetic())
        .any(|word| matches!(word, "day" | "days" | "Days" | "Day"));
    days.then(|| TimeControl {
        kind: ClockKind::Correspondence,
        ..TimeControl::default()
    })
}

/// Seconds, with a unit or without: `300`, `5m`, `30s`, `1h`. A fraction of a second is not read.
fn seconds(text: &str) -> Option<u32> {
    let text = text.trim();
    for (unit, factor) in [('s', 1), ('m', 60), ('h', 3_600)] {
        if let Some(count) = text.strip_suffix(unit) {
            return number(count)?.checked_mul(factor);
        }
    }
    number(text)
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        None
    } else {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls() {
        for (text, kind, base_s, increment_s, odd) in [
            ("600", ClockKind::Clock, Some(600), Some(0), 0),
            ("180+2", ClockKind::Clock, Some(180), Some(2), 0),
            ("180/180", ClockKind::Clock, Some(180), Some(0), 1),
            (
                "40/9000+30:1800+30",
                ClockKind::Clock,
                Some(9000),
                Some(30),
                0,
            ),
            (
                "40/1500:40/1500:40/1500",
                ClockKind::Clock,
                Some(1500),
                Some(0),
                0,
            ),
            ("60/60", ClockKind::Clock, Some(60), Some(0), 1),
            ("-", ClockKind::None, None, None, 0),
            ("?", ClockKind::Unknown, None, None, 0),
            ("", ClockKind::Unknown, None, None, 0),
            ("*180", ClockKind::Sandclock, Some(180), None, 1),
            ("900+30x3", ClockKind::Byoyomi, Some(900), Some(0), 1),
            ("0+30", ClockKind::Clock, Some(0), Some(30), 0),
            ("0+0", ClockKind::None, None, None, 1),
            ("1 in 5 days", ClockKind::Correspondence, None, None, 0),
            ("rapid-10", ClockKind::Unknown, None, None, 1),
            (
                "90 minutes for the first 40 moves",
                ClockKind::Unknown,
                None,
                None,
                1,
            ),
            ("99999999999", ClockKind::Unknown, None, None, 1),
        ] {
            let control = parse(text);
            let got = (
                control.kind,
                control.base_s,
                control.increment_s,
                control.oddities.len(),
            );
            assert_eq!(got, (kind, base_s, increment_s, odd), "{text}");
        }
    }

    #[test]
    fn stages_and_periods() {
        let two = parse("40/9000+30:1800+30").stages;
        assert_eq!(
            two[0],
            Stage {
                moves: Some(40),
                base_s: 9000,
                increment_s: 30
            }
        );
        assert_eq!(
            two[1],
            Stage {
                moves: None,
                base_s: 1800,
                increment_s: 30
            }
        );
        let byoyomi = |text| {
            (
                parse(text).base_s,
                parse(text).byoyomi_s,
                parse(text).byoyomi_periods,
            )
        };
        assert_eq!(byoyomi("300+30x3"), (Some(300), Some(30), Some(3)));
        assert_eq!(byoyomi("5m+3x30s"), (Some(300), Some(30), Some(3)));
        assert_eq!(byoyomi("300, 0, 30, 3"), (Some(300), Some(30), Some(3)));
        assert_eq!(byoyomi("300,5,0,0"), (Some(300), None, None));
        assert_eq!(byoyomi("300,5,0"), (None, None, None));
    }
}
