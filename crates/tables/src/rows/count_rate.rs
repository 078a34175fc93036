//! `count_rates`.

use crate::cell::Symbol;
use crate::row;
use crate::table::Table;
use crate::words::{PlayerKind, Population};

row! {
    /// One row per rule set, material class, rating band, kind of players and population: how often a
    /// count draws.
    pub struct CountRateRow in Table::CountRates, ordered by [rule_set, material, band, player_kind, population] {
        /// Rule set that judged the games.
        pub rule_set: Symbol,
        /// Material class (as in counts.material) of the bare-khun games of the row, or all for every game.
        pub material: Symbol,
        /// Band of the two players' mean rating, provisional, unrated, or all for every game.
        pub band: Symbol,
        /// Who played; there is no row of all kinds, for engines' games say nothing about people's.
        pub player_kind: PlayerKind,
        /// Which games of the group are the denominator.
        pub population: Population,
        /// The denominator: games of the population.
        pub n: i64,
        /// Draws of any kind among them.
        pub draws: i64,
        /// Draws in which the count ran out on the board, or the record says so.
        pub draws_proved: i64,
        /// Further draws, declared, that a count could explain.
        pub draws_possible: i64,
        /// Draws_proved by n; null if n is 0.
        pub rate_low: Option<f64>,
        /// Draws_proved + draws_possible by n; null if n is 0.
        pub rate_high: Option<f64>,
        /// Lower end of the 95 % Wilson interval of rate_low.
        pub proved_wilson_low: Option<f64>,
        /// Upper end of the 95 % Wilson interval of rate_low.
        pub proved_wilson_high: Option<f64>,
        /// Lower end of the 95 % Wilson interval of rate_high.
        pub possible_wilson_low: Option<f64>,
        /// Upper end of the 95 % Wilson interval of rate_high.
        pub possible_wilson_high: Option<f64>,
        /// Games of the group in which a board's honour count was started.
        pub board_counts: i64,
        /// Games of the group in which a pieces' honour count was started.
        pub pieces_counts: i64,
        /// Games of the group not counted because another record of the game is.
        pub left_out_duplicate: i64,
        /// Games of the group not counted because they began from a set-up position.
        pub left_out_start: i64,
        /// Games of the group not counted because they could not be replayed to their end.
        pub left_out_rejected: i64,
        /// Games of the group not counted because neither record nor board gives a result.
        pub left_out_no_result: i64,
    }
}
