//! `duplicates`.

use crate::cell::Hex;
use crate::row;
use crate::table::Table;
use crate::words::DuplicateClass;

row! {
    /// One row per accepted game and group of games that are one game, or nearly; the same game may be in groups of
    /// several classes. Where records are one game (exact, other_dialect), only the one with the smallest id is in groups
    /// of other classes.
    pub struct DuplicateRow in Table::Duplicates, ordered by [class, canonical_game_id, game_id] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// How the games of the group belong together. Statistics leave out a game of exact or other_dialect that is not
        /// the canonical one; all other classes are for a person to judge.
        pub class: DuplicateClass,
        /// The smallest id of the group.
        pub canonical_game_id: Hex<16>,
        /// Number of games in the group.
        pub group_size: i32,
    }
}
