//! Clocks that show more than base and increment can explain, periods that were used up, time lost with time left.

use rules::{Color, Ending};
use serde_json::json;

use crate::declared::Declared;
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::note::Notebook;
use crate::record::ReplayedPly;
use crate::tags::clock::{ClockKind, TimeControl};
use crate::walk::Walk;

/// A clock may round up, and a server may give back what the line cost.
const SLACK_MS: u64 = 1_500;

/// A side that had so much and lost on time with its own move to make would have thought for as long.
const LONG_THOUGHT_MS: u64 = 60_000;

/// A game lost on time, held against the loser's last clock; and periods that were used up.
pub(crate) fn left_over(
    walk: &Walk<'_>,
    control: &TimeControl,
    declared: Declared,
    notes: &mut Notebook,
) {
    periods(&walk.plies, control, notes);
    let winner = declared.result.and_then(rules::GameResult::winner);
    let (Some(Ending::Time), Some(winner)) = (declared.ending, winner) else {
        return;
    };
    let loser = !winner;
    let last = walk.plies.iter().rposition(|ply| ply.side == loser);
    let clock = last.and_then(|index| Some((index, walk.plies[index].clock_ms?)));
    let Some((index, clock)) = clock else {
        return;
    };
    let (ply, left) = (u32::try_from(index).unwrap_or(0) + 1, u64::from(clock));
    let own_turn = walk.line.position().turn() == loser;
    let least = if own_turn { LONG_THOUGHT_MS } else { SLACK_MS };
    if left < least {
        return;
    }
    let name = if loser == Color::White {
        "White"
    } else {
        "Black"
    };
    let whose = if own_turn {
        "with its own move to make"
    } else {
        "while the other side was to move"
    };
    let message = format!(
        "{name} is said to have lost on time {whose}, but had {} left after ply {ply}",
        shown(left)
    );
    let finding = Finding::new(FindingCode::ClockLeft, message)
        .at_ply(ply)
        .with(&json!({ "clock_ms": left, "own_turn": own_turn }));
    // A long thought explains it, as far as the record goes.
    notes.add(match own_turn {
        true => finding
            .severity(Severity::Note)
            .certainty(Certainty::Possible),
        false => finding,
    });
}

/// Byo-yomi by the time that each move took: what is left of the base is spent first, then whole periods.
fn periods(plies: &[ReplayedPly], control: &TimeControl, notes: &mut Notebook) {
    let (Some(base), Some(period), Some(periods)) =
        (control.base_s, control.byoyomi_s, control.byoyomi_periods)
    else {
        return;
    };
    let ms = |seconds: u32| u64::from(seconds) * 1000;
    let period_ms = ms(period).max(1);
    let increment_ms = ms(control.increment_s.unwrap_or(0));
    let (mut left, mut used) = ([ms(base); 2], [0_u64; 2]);
    for (number, ply) in (1u32..).zip(plies) {
        // One move without a time, and nothing more can be told of its side.
        let Some(took) = ply.elapsed_ms.map(u64::from) else {
            return;
        };
        let side = usize::from(ply.side == Color::Black);
        let over = took.saturating_sub(left[side]).saturating_sub(SLACK_MS);
        left[side] = left[side].saturating_sub(took);
        if over == 0 {
            left[side] += increment_ms;
        }
        used[side] += over / period_ms;
        // With the last period gone the time is gone; a move that still follows was made without any.
        if used[side] >= u64::from(periods) {
            let message = format!(
                "ply {number} was made after all {periods} periods of {period} s were used up: {} by then",
                used[side]
            );
            let evidence = json!({ "periods": periods, "period_s": period, "used": used[side] });
            notes.add(
                Finding::new(FindingCode::ByoyomiExceeded, message)
                    .at_ply(number)
                    .with(&evidence),
            );
            return;
        }
    }
}

/// Looks at the clocks of a game with one stage: more stages, byo-yomi and sandclocks add time in ways of their own.
pub(crate) fn check(plies: &[ReplayedPly], control: &TimeControl, notes: &mut Notebook) {
    let (ClockKind::Clock, Some(base), Some(increment), []) = (
        control.kind,
        control.base_s,
        control.increment_s,
        control.stages.as_slice(),
    ) else {
        return;
    };
    let increment_ms = u64::from(increment) * 1000;
    let mut last = [u64::from(base) * 1000; 2];
    let mut rises = Vec::new();
    for (number, ply) in (1u32..).zip(plies) {
        let Some(clock) = ply.clock_ms.map(u64::from) else {
            continue;
        };
        let before = &mut last[usize::from(ply.side == Color::Black)];
        if clock > *before + increment_ms + SLACK_MS {
            rises.push((number, *before, clock));
        }
        *before = clock;
    }
    let Some(&(ply, before, after)) = rises.first() else {
        return;
    };
    let message = format!(
        "the clock goes from {} to {} with ply {ply}, more than the increment of {increment} s explains; {} such plies",
        shown(before),
        shown(after),
        rises.len()
    );
    let evidence = json!({ "before_ms": before, "after_ms": after, "increment_s": increment, "plies": rises.len() });
    notes.add(
        Finding::new(FindingCode::ClockRises, message)
            .at_ply(ply)
            .with(&evidence),
    );
}

fn shown(ms: u64) -> String {
    let seconds = ms / 1000;
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
