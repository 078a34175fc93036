//! Clocks that show more than base and increment can explain.

use rules::Color;
use serde_json::json;

use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;
use crate::record::ReplayedPly;
use crate::tags::clock::{ClockKind, TimeControl};

/// A clock may round up, and a server may give back what the line cost.
const SLACK_MS: u64 = 1_500;

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
