//! How long to think.

use std::time::{Duration, Instant};

use super::command::Go;

/// Kept back for the way to the GUI.
const LAG: Duration = Duration::from_millis(5);

/// The moments after which no iteration begins, and at which the search ends.
pub(super) fn plan(go: &Go, side: usize, now: Instant) -> (Option<Instant>, Option<Instant>) {
    if let Some(time) = go.movetime {
        let margin = LAG.min(time / 20);
        return (None, Some(now + time - margin));
    }
    let Some(left) = go.time[side] else {
        return (None, None);
    };
    let usable = left.saturating_sub(LAG);
    let share = usable / go.moves_to_go.unwrap_or(28).clamp(1, 28) + go.increment[side] * 3 / 4;
    let most = usable * 4 / 5;
    (
        Some(now + (share * 3 / 5).min(most)),
        Some(now + (share * 3).min(most)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_more_than_the_clock_has() {
        let now = Instant::now();
        let mut go = Go {
            time: [Some(Duration::from_millis(100)); 2],
            ..Go::default()
        };
        go.increment = [Duration::from_secs(10); 2];
        let (soft, hard) = plan(&go, 0, now);
        assert!(soft <= hard && hard <= Some(now + Duration::from_millis(95)));
        assert_eq!(plan(&Go::default(), 1, now), (None, None));
    }
}
