//! `count_rates`.

use crate::cell::{Symbol};
use crate::row;
use crate::table::Table;

row! {
    /// One row per rule set, material class and rating band: how often a count draws.
    pub struct CountRateRow in Table::CountRates, ordered by [rule_set, material, band] {
        /// Rule set.
        pub rule_set: Symbol,
        /// Material class as in counts.material, or all.
        pub material: Symbol,
        /// Rating band of the two players' mean rating, provisional, unrated, or all.
        pub band: Symbol,
        /// Games of the population: accepted, standard start, no engine, no duplicate.
        pub games: i64,
        /// Of these, games that reach a position without unpromoted bia.
        pub games_no_bia: i64,
        /// Of these, games in which a side is left with its khun alone.
        pub games_bare_khun: i64,
        /// Bare-khun games that the endgame table calls won when the count starts; null without tables.
        pub games_table_won: Option<i64>,
        /// Draws in which the count ran out on the board or the record says so.
        pub draws_proved: i64,
        /// Declared draws that a count could explain.
        pub draws_possible: i64,
        /// Draws_proved by games_no_bia; null if there are none.
        pub rate_low: Option<f64>,
        /// Draws_proved + draws_possible by games_no_bia.
        pub rate_high: Option<f64>,
        /// Lower end of the 95 % Wilson interval of rate_low.
        pub wilson_low: Option<f64>,
        /// Upper end of the 95 % Wilson interval of rate_high.
        pub wilson_high: Option<f64>,
        /// Games left out because an engine played.
        pub excluded_engine: i64,
        /// Games left out because they do not start from the standard position.
        pub excluded_start: i64,
        /// Games left out because they repeat another record.
        pub excluded_duplicate: i64,
    }
}
