//! The Wilson score interval (ANALYSIS 1.5).

use serde::{Deserialize, Serialize};

/// A share's interval, both ends from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The normal quantile of a two-sided 95 % interval.
const Z_95: f64 = 1.959_963_984_540_054;

/// The 95 % Wilson interval of `hits` out of `n`; `None` for n = 0 or more hits than trials.
///
/// It assumes independent trials. Games of one player are not, so the true interval is wider.
pub fn wilson(hits: u64, n: u64) -> Option<Interval> {
    if n == 0 || hits > n {
        return None;
    }
    let (count, z2) = (n as f64, Z_95 * Z_95);
    let share = hits as f64 / count;
    let scale = 1.0 + z2 / count;
    let centre = (share + z2 / (2.0 * count)) / scale;
    let half =
        Z_95 * libm::sqrt(share * (1.0 - share) / count + z2 / (4.0 * count * count)) / scale;
    // Both ends are exact at 0 and n hits; rounding must not show there.
    let low = if hits == 0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let high = if hits == n {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    Some(Interval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-5, "{a} is not {b}");
    }

    #[test]
    fn the_values_of_analysis_1_5() {
        let none = wilson(0, 10).unwrap();
        assert_eq!(none.low, 0.0);
        close(none.high, 0.2775);
        let half = wilson(5, 10).unwrap();
        close(half.low, 0.2366);
        close(half.high, 0.7634);
    }

    #[test]
    fn ends_are_exact_and_mirrored() {
        let all = wilson(10, 10).unwrap();
        assert_eq!(all.high, 1.0);
        close(all.low, 1.0 - 0.2775);
    }

    #[test]
    fn nothing_to_say_about_nothing() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(3, 2), None);
    }
}
