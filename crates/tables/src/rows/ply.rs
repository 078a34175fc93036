//! `plies`.

use crate::cell::{Hex, Key};
use crate::row;
use crate::table::Table;
use crate::words::{Color, CountKind};

row! {
    /// One row per ply played.
    pub struct PlyRow in Table::Plies, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Number of the ply in its game, 1 is the first.
        pub ply: i32,
        /// Who moved.
        pub side: Color,
        /// The move in standard algebraic notation as this program writes it.
        pub san: String,
        /// The move as from-square, to-square and m for a promotion.
        pub uci: String,
        /// The move as the record writes it.
        pub token: String,
        /// Where the token starts in the decompressed member.
        pub token_offset: Option<i64>,
        /// 64-bit key of the position after the ply, hex; leap rights are part of it where the rule set
        /// says so.
        pub position_key: Key,
        /// The side that moves next is in check.
        pub gives_check: bool,
        /// The move takes a man.
        pub is_capture: bool,
        /// The move promotes a bia.
        pub is_promotion: bool,
        /// Mover's clock after the move, as the record says.
        pub clock_ms: Option<i64>,
        /// Time used for the move, as the record says.
        pub elapsed_ms: Option<i64>,
        /// Evaluation the record declares after the move, White's view.
        pub eval_cp: Option<i32>,
        /// Mate distance the record declares, positive if White mates.
        pub eval_mate: Option<i32>,
        /// Search depth the record declares.
        pub eval_depth: Option<i32>,
        /// The declared evaluation as written.
        pub eval_text: Option<String>,
        /// Count running after the ply; null if none.
        pub count_kind: Option<CountKind>,
        /// The counting side.
        pub count_side: Option<Color>,
        /// Last number said; null until the first is.
        pub count_number: Option<i32>,
        /// Limit of the count.
        pub count_limit: Option<i32>,
        /// Replies in which the other side may still mate before the count draws the game.
        pub count_replies_left: Option<i32>,
        /// How often the position after the ply has occurred, this time included.
        pub repetitions: i32,
    }
}
