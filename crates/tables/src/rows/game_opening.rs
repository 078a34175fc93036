//! `game_openings`.

use crate::cell::{Hex, Key, Symbol};
use crate::row;
use crate::table::Table;

row! {
    /// One row per accepted game: how each side set up.
    pub struct GameOpeningRow in Table::GameOpenings, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Makruk, ouk or kar-ouk.
        pub variant: Symbol,
        /// White's formation, an id of the formations file, or other.
        pub white_formation: Symbol,
        /// Black's formation, an id of the formations file, or other.
        pub black_formation: Symbol,
        /// Ply at which the formations were read.
        pub formation_ply: i32,
        /// 64-bit key of the position at that ply, hex.
        pub opening_key: Key,
        /// Moves up to that ply, UCI, space-separated.
        pub opening_moves: String,
    }
}
