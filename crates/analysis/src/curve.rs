//! From engine scores to win chances.

use rules::Color;
use serde::{Deserialize, Serialize};

/// What the standard start is worth to White in centipawns, where no search of it is at hand (ANALYSIS 1.1).
///
/// Only the standard start: a game from a set-up position is measured from that position's own score.
pub const START_CP: i32 = 15;

/// An engine's score from **White's** view.
///
/// Invariants: `Mate(n)` has n ≠ 0; n > 0 means that White mates in n full moves, n < 0 that Black does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Eval {
    /// Centipawns, not clamped.
    Cp(i32),
    /// Full moves to mate.
    Mate(i32),
}

/// Beyond this many centipawns a score says no more about the result (ANALYSIS 1.1).
pub(crate) const CLAMP_CP: i32 = 1000;

impl Eval {
    /// The score of the standard start: [`START_CP`].
    pub const START: Eval = Eval::Cp(START_CP);

    /// The same score with the colours swapped.
    pub fn flipped(self) -> Eval {
        match self {
            Eval::Cp(cp) => Eval::Cp(cp.saturating_neg()),
            Eval::Mate(n) => Eval::Mate(n.saturating_neg()),
        }
    }

    /// The score from `color`'s view, in the same form. It is its own inverse: what an engine says from the view of
    /// `color` becomes White's view by the same call.
    pub fn seen_by(self, color: Color) -> Eval {
        match color {
            Color::White => self,
            Color::Black => self.flipped(),
        }
    }

    /// Centipawns clamped to ±1000, a mate being ±1000.
    pub fn clamped_cp(self) -> i32 {
        match self {
            Eval::Cp(cp) => cp.clamp(-CLAMP_CP, CLAMP_CP),
            Eval::Mate(n) if n > 0 => CLAMP_CP,
            Eval::Mate(_) => -CLAMP_CP,
        }
    }

    /// A number that orders scores from worst to best for White, mates by their distance beyond every centipawn score.
    pub(crate) fn rank(self) -> i64 {
        const MATE: i64 = 1 << 40;
        match self {
            Eval::Cp(cp) => i64::from(cp),
            Eval::Mate(n) if n > 0 => MATE - i64::from(n),
            Eval::Mate(n) => -MATE - i64::from(n),
        }
    }
}

/// A logistic win curve with the name that outputs carry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinCurve {
    /// Goes into keys and reports; a new multiplier needs a new version.
    pub version: &'static str,
    /// Whether the multiplier was fitted on another game than the one that is judged.
    pub provisional: bool,
    /// Per centipawn.
    pub multiplier: f64,
}

impl WinCurve {
    /// The multiplier that lila PR #11148 fitted on standard chess (ANALYSIS 1.1).
    ///
    /// **Provisional**: makruk and ouk draw far more and win far slower than chess. Until a curve is fitted on their
    /// own games, its percentages rank moves; they do not predict results.
    pub const PROVISIONAL: WinCurve = WinCurve {
        version: "lila-11148-provisional",
        provisional: true,
        multiplier: 0.003_682_08,
    };

    /// Winning chances of White, -1 to 1.
    pub fn chances(&self, eval: Eval) -> f64 {
        let cp = f64::from(eval.clamped_cp());
        (2.0 / (1.0 + libm::exp(-self.multiplier * cp)) - 1.0).clamp(-1.0, 1.0)
    }

    /// Win chance of White in percent, 0 to 100, a draw counting half.
    pub fn percent(&self, eval: Eval) -> f64 {
        50.0 + 50.0 * self.chances(eval)
    }

    /// Win chance of `color` in percent.
    pub fn percent_for(&self, eval: Eval, color: Color) -> f64 {
        self.percent(eval.seen_by(color))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVE: WinCurve = WinCurve::PROVISIONAL;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-5, "{a} is not {b}");
    }

    #[test]
    fn percent_by_hand() {
        close(CURVE.percent(Eval::Cp(0)), 50.0);
        // e^-0.368208 = 0.691973, 100 / 1.691973
        close(CURVE.percent(Eval::Cp(100)), 59.102_59);
        // e^-0.0552312 = 0.946266, 100 / 1.946266
        close(CURVE.percent(Eval::START), 51.380_43);
        // e^-3.68208 = 0.025170, 100 / 1.025170
        close(CURVE.percent(Eval::Cp(1000)), 97.544_76);
    }

    #[test]
    fn beyond_the_clamp_and_mates_are_equal() {
        assert_eq!(CURVE.percent(Eval::Cp(4000)), CURVE.percent(Eval::Cp(1000)));
        assert_eq!(CURVE.percent(Eval::Mate(9)), CURVE.percent(Eval::Cp(1000)));
        assert_eq!(
            CURVE.percent(Eval::Mate(-1)),
            CURVE.percent(Eval::Cp(-1000))
        );
    }

    #[test]
    fn the_other_side_has_the_rest() {
        for cp in [-700, -15, 0, 1, 333] {
            close(
                CURVE.percent_for(Eval::Cp(cp), Color::White)
                    + CURVE.percent_for(Eval::Cp(cp), Color::Black),
                100.0,
            );
        }
    }

    #[test]
    fn rank_orders_mates_by_distance() {
        let worst_to_best = [
            Eval::Mate(-1),
            Eval::Mate(-5),
            Eval::Cp(-90_000),
            Eval::Cp(0),
            Eval::Cp(90_000),
            Eval::Mate(5),
            Eval::Mate(1),
        ];
        assert!(
            worst_to_best
                .windows(2)
                .all(|pair| pair[0].rank() < pair[1].rank())
        );
    }
}
