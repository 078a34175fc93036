//! `players`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::Color;

row! {
    /// One row per analysed game and colour.
    pub struct PlayerRow in Table::Players, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Which colour.
        pub side: Color,
        /// Name as in games.white or games.black.
        pub player: Option<String>,
        /// Declared rating.
        pub rating: Option<i32>,
        /// 1, 0.5 or 0 by the declared result, else by the derived; null if neither is known.
        pub score: Option<f64>,
        /// Moves this side played.
        pub moves: i32,
        /// Moves the engine looked at; all below is over these.
        pub moves_analysed: i32,
        /// Game accuracy; null without analysed moves.
        pub accuracy: Option<f64>,
        /// Mean loss per analysed move; null without analysed moves.
        pub acpl: Option<f64>,
        /// Sum of the losses.
        pub loss_cp: i64,
        /// Moves equal to the engine's choice.
        pub best_moves: i32,
        /// Best_moves by moves_analysed; null without analysed moves.
        pub best_move_rate: Option<f64>,
        /// Moves of class best.
        pub n_best: i32,
        /// Moves of class good.
        pub n_good: i32,
        /// Moves of class inaccuracy.
        pub n_inaccuracy: i32,
        /// Moves of class mistake.
        pub n_mistake: i32,
        /// Moves of class blunder.
        pub n_blunder: i32,
        /// Own moves with a known time.
        pub clock_moves: i32,
        /// Time used over these moves; null if none is known.
        pub clock_used_ms: Option<i64>,
        /// Longest time for one move.
        pub clock_longest_ms: Option<i64>,
        /// Ply of that move.
        pub clock_longest_ply: Option<i32>,
        /// Lowest clock shown after an own move.
        pub clock_lowest_ms: Option<i64>,
        /// Name and version of the win curve.
        pub curve: Symbol,
        /// Identity of the engine: code version and settings.
        pub engine_id: Symbol,
    }
}
