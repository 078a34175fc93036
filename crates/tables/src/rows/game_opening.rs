//! `game_openings`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;

row! {
    /// One row per accepted game from the standard start: how each side set up.
    pub struct GameOpeningRow in Table::GameOpenings, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Makruk, ouk or kar-ouk.
        pub variant: Symbol,
        /// White's formation, a slash, Black's, such as ma_phuk_right/unnamed.
        pub opening_key: Symbol,
        /// Plies after which the formations were read: 16, or in a shorter game those before its first
        /// capture, or all.
        pub formation_ply: i32,
        /// White's formation, an id of the formations file, or unnamed.
        pub white_formation: Symbol,
        /// Squares of White's ma.
        pub white_ma: Symbol,
        /// Squares of White's khon and met.
        pub white_detail: Symbol,
        /// Black's formation, read as if Black were White.
        pub black_formation: Symbol,
        /// Squares of Black's ma, read as if Black were White.
        pub black_ma: Symbol,
        /// Squares of Black's khon and met, read as if Black were White.
        pub black_detail: Symbol,
        /// Ply of the game's first capture; null if there is none.
        pub first_capture_ply: Option<i32>,
        /// White's formation just before the first capture.
        pub white_formation_at_first_capture: Option<Symbol>,
        /// Black's formation just before the first capture.
        pub black_formation_at_first_capture: Option<Symbol>,
    }
}
