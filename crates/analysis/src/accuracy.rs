//! Accuracy of a move and of a game (ANALYSIS 1.1).

use rules::{ByColor, Color};

/// Accuracy of one move in percent, from the mover's win chance in percent before and after it.
///
/// 100 where the chance did not fall; otherwise the exponential of ANALYSIS 1.1 with its "uncertainty bonus" of 1,
/// which the public description leaves out.
pub fn move_accuracy(win_before: f64, win_after: f64) -> f64 {
    if win_after >= win_before {
        return 100.0;
    }
    let fall = win_before - win_after;
    let raw =
        103.166_810_071_164_9 * libm::exp(-0.043_544_153_867_539_51 * fall) - 3.166_924_740_191_411;
    (raw + 1.0).clamp(0.0, 100.0)
}

/// Game accuracy of each colour in percent: the mean of the volatility-weighted and the harmonic mean of its moves.
///
/// `start` is White's win chance in percent before the first ply; each item of `plies` is one evaluated ply in order:
/// who moved, White's win chance after it, and the move's own accuracy. `None` for a colour without an evaluated
/// move. Plies without a score are simply not given: the caller states the coverage.
pub fn game_accuracy(start: f64, plies: &[(Color, f64, f64)]) -> ByColor<Option<f64>> {
    let weights = volatility_weights(start, plies);
    let of = |color: Color| {
        let own: Vec<(f64, f64)> = plies
            .iter()
            .zip(&weights)
            .filter(|(ply, _)| ply.0 == color)
            .map(|(ply, weight)| (ply.2, *weight))
            .collect();
        Some((weighted_mean(&own)? + harmonic_mean(&own)?) / 2.0)
    };
    ByColor {
        white: of(Color::White),
        black: of(Color::Black),
    }
}

/// One weight per ply: how much the win chance moved around it, so that quiet plies say little.
fn volatility_weights(start: f64, plies: &[(Color, f64, f64)]) -> Vec<f64> {
    let sequence: Vec<f64> = std::iter::once(start)
        .chain(plies.iter().map(|ply| ply.1))
        .collect();
    let size = (plies.len() / 10).clamp(2, 8).min(sequence.len());
    let first = sequence.get(..size).unwrap_or_default();
    std::iter::repeat_n(first, size.saturating_sub(2))
        .chain(sequence.windows(size.max(1)))
        .map(|window| standard_deviation(window).clamp(0.5, 12.0))
        .take(plies.len())
        .collect()
}

/// Of the whole population, not of a sample.
fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    libm::sqrt(
        values
            .iter()
            .map(|value| (value - mean) * (value - mean))
            .sum::<f64>()
            / n,
    )
}

fn weighted_mean(own: &[(f64, f64)]) -> Option<f64> {
    let weight: f64 = own.iter().map(|(_, weight)| weight).sum();
    (weight > 0.0).then(|| {
        own.iter()
            .map(|(accuracy, weight)| accuracy * weight)
            .sum::<f64>()
            / weight
    })
}

/// An accuracy below 1 counts as 1: a single move of accuracy 0 would otherwise divide by zero (en-croissant#111).
fn harmonic_mean(own: &[(f64, f64)]) -> Option<f64> {
    let inverse: f64 = own
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(1.0))
        .sum();
    (inverse > 0.0).then(|| own.len() as f64 / inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 5e-4, "{a} is not {b}");
    }

    #[test]
    fn no_fall_is_perfect() {
        assert_eq!(move_accuracy(50.0, 50.0), 100.0);
        assert_eq!(move_accuracy(50.0, 73.0), 100.0);
    }

    #[test]
    fn a_fall_by_hand() {
        // 103.16681 * e^-0.4354415 - 3.166925 + 1; e^-0.4354415 = 0.646979
        close(move_accuracy(60.0, 50.0), 64.579_83);
        // the curve is nearly 100 for a tiny fall, and the bonus may not lift it above
        assert_eq!(move_accuracy(50.0, 49.9), 100.0);
        assert_eq!(move_accuracy(100.0, 0.0), 0.0);
    }

    #[test]
    fn a_game_without_moves_has_no_accuracy() {
        let none = game_accuracy(50.0, &[]);
        assert_eq!((none.white, none.black), (None, None));
    }

    #[test]
    fn one_move_is_its_own_accuracy() {
        let one = game_accuracy(51.0, &[(Color::White, 41.0, 64.0)]);
        close(one.white.unwrap(), 64.0);
        assert_eq!(one.black, None);
    }

    #[test]
    fn a_short_game_by_hand() {
        // windows of two: (50,50) -> 0.5, (50,30) -> 10, (30,30) -> 0.5, (30,30) -> 0.5
        let plies = [
            (Color::White, 50.0, 100.0),
            (Color::Black, 30.0, 100.0),
            (Color::White, 30.0, 40.0),
            (Color::Black, 30.0, 100.0),
        ];
        let accuracy = game_accuracy(50.0, &plies);
        // White: weighted (100*0.5 + 40*0.5)/1 = 70; harmonic 2/(1/100 + 1/40) = 57.142857
        close(accuracy.white.unwrap(), (70.0 + 57.142_857) / 2.0);
        close(accuracy.black.unwrap(), 100.0);
    }

    #[test]
    fn a_move_of_accuracy_zero_does_not_divide_by_zero() {
        let accuracy = game_accuracy(
            50.0,
            &[(Color::White, 0.0, 0.0), (Color::White, 0.0, 100.0)],
        );
        assert!(accuracy.white.unwrap().is_finite());
    }

    #[test]
    fn weights_are_one_per_ply_and_the_first_window_is_repeated() {
        // 30 plies: window 3, one copy of the first, 29 sliding windows
        let plies: Vec<_> = (0..30)
            .map(|i| (Color::White, if i == 0 { 90.0 } else { 50.0 }, 100.0))
            .collect();
        let weights = volatility_weights(50.0, &plies);
        assert_eq!(weights.len(), 30);
        assert_eq!(weights[0], weights[1]);
        assert_eq!(weights[29], 0.5);
        // (50, 90, 50) has a deviation of 18.86, clamped
        assert_eq!(weights[0], 12.0);
    }
}
