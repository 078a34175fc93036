//! Performance ratings by FIDE's table (ANALYSIS 1.2).

/// Rating difference for a share of 50 % to 100 % in whole percents; FIDE B.02 of 2017, table 8.1a. Below 50 % the
/// same numbers are negative.
const DP: [i32; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158,
    166, 175, 184, 193, 202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366,
    383, 401, 422, 444, 470, 501, 538, 589, 677, 800,
];

fn dp_at(percent: u64) -> f64 {
    let at = |index: u64| DP.get(index as usize).copied().unwrap_or(800);
    f64::from(if percent >= 50 {
        at(percent - 50)
    } else {
        -at(50 - percent)
    })
}

/// FIDE's rating difference for `points` half points out of `games` games, linear between whole percents; `None`
/// without games or with more than two half points a game.
pub fn dp_for_share(half_points: u64, games: u64) -> Option<f64> {
    let most = games.checked_mul(2)?;
    if games == 0 || half_points > most {
        return None;
    }
    // Exact until the one division: percent = 100 * half_points / most.
    let hundredfold = u128::from(half_points) * 100;
    let (whole, rest) = (
        (hundredfold / u128::from(most)) as u64,
        (hundredfold % u128::from(most)) as u64,
    );
    let low = dp_at(whole);
    if rest == 0 {
        return Some(low);
    }
    Some(low + (dp_at(whole + 1) - low) * rest as f64 / most as f64)
}

/// Performance: the opponents' average rating plus FIDE's difference for the score, not rounded.
///
/// `rating_sum` is the sum of the opponents' ratings over exactly those `games` games. `None` without games.
pub fn performance(rating_sum: i64, half_points: u64, games: u64) -> Option<f64> {
    let difference = dp_for_share(half_points, games)?;
    Some(rating_sum as f64 / games as f64 + difference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_analysis_1_2() {
        assert_eq!(performance(1500, 2, 1), Some(2300.0));
        assert_eq!(dp_for_share(0, 1), Some(-800.0));
        assert_eq!(dp_for_share(1, 1), Some(0.0));
        assert_eq!(dp_for_share(2, 1), Some(800.0));
        // 5 % of 20 games is one point
        assert_eq!(dp_for_share(2, 20), Some(-470.0));
    }

    #[test]
    fn linear_between_whole_percents() {
        // 3 half points of 4: 75 % -> 193; 1 of 16: 6.25 % -> -444 + 0.25 * 22
        assert_eq!(dp_for_share(3, 2), Some(193.0));
        assert_eq!(dp_for_share(1, 8), Some(-438.5));
        // one third: 33.33 % between -125 and -117
        assert!((dp_for_share(2, 3).unwrap() - -122.333_333).abs() < 1e-5);
    }

    #[test]
    fn the_table_is_symmetric_and_rises() {
        for percent in 0..=100u64 {
            assert_eq!(dp_at(percent), -dp_at(100 - percent));
        }
        assert!((0..100).all(|percent| dp_at(percent) < dp_at(percent + 1)));
    }

    #[test]
    fn no_games_no_performance() {
        assert_eq!(performance(0, 0, 0), None);
        assert_eq!(dp_for_share(3, 1), None);
    }
}
