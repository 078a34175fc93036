//! `formations`.

use crate::cell::Symbol;
use crate::row;
use crate::table::Table;
use crate::words::Color;

row! {
    /// One row per formation, colour and formation met.
    pub struct FormationRow in Table::Formations, ordered by [variant, formation, side, opponent_formation] {
        /// Makruk, ouk or kar-ouk.
        pub variant: Symbol,
        /// Formation, an id of the formations file, or other.
        pub formation: Symbol,
        /// Its name in latin letters; null if it has none.
        pub name: Option<String>,
        /// Its Thai name; null if it has none.
        pub name_thai: Option<String>,
        /// The colour that set it up.
        pub side: Color,
        /// The formation it met, or all.
        pub opponent_formation: Symbol,
        /// Games this side won.
        pub wins: i64,
        /// Games drawn.
        pub draws: i64,
        /// Games this side lost.
        pub losses: i64,
        /// Games with a known result; the sum of the three.
        pub n: i64,
        /// Lower end of the 95 % Wilson interval of the share of wins.
        pub wilson_low: Option<f64>,
        /// Upper end of the 95 % Wilson interval of the share of wins.
        pub wilson_high: Option<f64>,
    }
}
