//! `openings`.

use crate::cell::{Key, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::Color;

row! {
    /// One row per position and move played from it.
    pub struct OpeningRow in Table::Openings, ordered by [variant, position_key, uci] {
        /// Makruk, ouk or kar-ouk.
        pub variant: Symbol,
        /// 64-bit key of the position before the move, hex.
        pub position_key: Key,
        /// The position before the move.
        pub fen: String,
        /// Smallest ply at which the move was played from here.
        pub ply: i32,
        /// The move, UCI.
        pub uci: String,
        /// The move in standard algebraic notation.
        pub san: String,
        /// Who moves.
        pub side: Color,
        /// Games White won.
        pub white_wins: i64,
        /// Games drawn.
        pub draws: i64,
        /// Games Black won.
        pub black_wins: i64,
        /// Games in which the move was played from here and whose result is known.
        pub n: i64,
        /// Lower end of the 95 % Wilson interval of the mover's share of wins.
        pub wilson_low: Option<f64>,
        /// Upper end of the 95 % Wilson interval of the mover's share of wins.
        pub wilson_high: Option<f64>,
        /// Games in which the mover's rating is known.
        pub n_rated: i64,
        /// Mover's mean rating over n_rated.
        pub average_rating: Option<f64>,
        /// Games in which the opponent's rating is known.
        pub n_performance: i64,
        /// Mean rating of the opponents plus the FIDE difference for the mover's score over n_performance.
        pub performance: Option<f64>,
    }
}
