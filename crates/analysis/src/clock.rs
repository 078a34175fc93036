//! What a player did with the time.

use rules::Color;
use serde::{Deserialize, Serialize};

/// What the record says about the clock at one ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveClock {
    /// Left on the mover's clock after the move, in milliseconds.
    pub clock_ms: Option<i64>,
    /// Used for the move, in milliseconds.
    pub elapsed_ms: Option<i64>,
}

/// One player's use of the clock in one game. Times are milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockUse {
    /// Own moves with a known time.
    pub timed_moves: u32,
    /// Spent on those moves.
    pub spent_ms: i64,
    /// The longest of them.
    pub longest_ms: i64,
    /// The ply (1-based) of the longest, the first where several are equal.
    pub longest_ply: u32,
    /// The lowest clock shown after an own move.
    pub lowest_clock_ms: Option<i64>,
}

/// Clock use of `color`. `moves` are all plies of the game in order with their movers; `base_ms` and `increment_ms`
/// are the time control. `None` where not one own move has a time.
///
/// A written elapsed time is taken as it is. Otherwise the time is the fall of the clock plus the increment, the
/// first move being measured from the base (and then without an increment, as servers do). A clock that rises by more
/// than the increment (added periods, broken records) times no move. Byo-yomi is not known here.
pub fn clock_use(
    color: Color,
    moves: impl IntoIterator<Item = (Color, MoveClock)>,
    base_ms: Option<i64>,
    increment_ms: Option<i64>,
) -> Option<ClockUse> {
    let mut previous = base_ms;
    let mut increment = 0;
    let mut use_: Option<ClockUse> = None;
    let mut lowest: Option<i64> = None;
    for (index, (mover, clock)) in moves.into_iter().enumerate() {
        if mover != color {
            continue;
        }
        let fall = previous
            .zip(clock.clock_ms)
            .map(|(before, after)| before.saturating_add(increment).saturating_sub(after));
        previous = clock.clock_ms;
        increment = increment_ms.unwrap_or(0);
        lowest = [lowest, clock.clock_ms].into_iter().flatten().min();
        let Some(spent) = clock.elapsed_ms.or(fall).filter(|spent| *spent >= 0) else {
            continue;
        };
        let ply = index as u32 + 1;
        let so_far = use_.get_or_insert(ClockUse {
            timed_moves: 0,
            spent_ms: 0,
            longest_ms: -1,
            longest_ply: ply,
            lowest_clock_ms: None,
        });
        so_far.timed_moves += 1;
        so_far.spent_ms = so_far.spent_ms.saturating_add(spent);
        if spent > so_far.longest_ms {
            (so_far.longest_ms, so_far.longest_ply) = (spent, ply);
        }
    }
    use_.map(|known| ClockUse {
        lowest_clock_ms: lowest,
        ..known
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(clocks: &[i64]) -> Vec<(Color, MoveClock)> {
        let sides = [Color::White, Color::Black];
        let clock = |ms: &i64| MoveClock {
            clock_ms: Some(*ms),
            elapsed_ms: None,
        };
        clocks
            .iter()
            .enumerate()
            .map(|(i, ms)| (sides[i % 2], clock(ms)))
            .collect()
    }

    #[test]
    fn falls_of_the_clock() {
        // 60+2: White 58 (2 s), 57 (3 s with the increment), Black 50 (10 s), 52 (0 s)
        let moves = game(&[58_000, 50_000, 57_000, 52_000]);
        let white = clock_use(Color::White, moves.clone(), Some(60_000), Some(2_000)).unwrap();
        assert_eq!(
            (
                white.timed_moves,
                white.spent_ms,
                white.longest_ms,
                white.longest_ply
            ),
            (2, 5_000, 3_000, 3)
        );
        let black = clock_use(Color::Black, moves, Some(60_000), Some(2_000)).unwrap();
        assert_eq!(
            (black.spent_ms, black.longest_ply, black.lowest_clock_ms),
            (10_000, 2, Some(50_000))
        );
    }

    #[test]
    fn without_a_base_the_first_move_is_not_timed() {
        let use_ = clock_use(Color::White, game(&[58_000, 0, 57_000]), None, None).unwrap();
        assert_eq!((use_.timed_moves, use_.spent_ms), (1, 1_000));
    }

    #[test]
    fn a_rising_clock_times_nothing() {
        let use_ = clock_use(
            Color::White,
            game(&[10_000, 0, 90_000, 0, 80_000]),
            Some(11_000),
            None,
        )
        .unwrap();
        assert_eq!((use_.timed_moves, use_.spent_ms), (2, 11_000));
    }

    #[test]
    fn a_written_time_wins() {
        let moves = [(
            Color::White,
            MoveClock {
                clock_ms: Some(1),
                elapsed_ms: Some(700),
            },
        )];
        assert_eq!(
            clock_use(Color::White, moves, Some(60_000), None)
                .unwrap()
                .spent_ms,
            700
        );
    }

    #[test]
    fn no_clock_no_use() {
        assert_eq!(clock_use(Color::Black, game(&[1]), None, None), None);
    }
}
