//! `counts`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::{Certainty, CountEnd, CountKind, Side};

row! {
    /// One row per counting episode of a game under a rule set.
    pub struct CountRow in Table::Counts, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Rule set whose count this is.
        pub rule_set: Symbol,
        /// Number of the episode in its game, 1 is the first.
        pub episode: i32,
        /// Board's honour or pieces' honour.
        pub kind: CountKind,
        /// The counting side.
        pub side: Side,
        /// First ply that can be the first counted move.
        pub start_ply_earliest: i32,
        /// Last ply that can be the first counted move; equal to the earliest if the start is known.
        pub start_ply_latest: i32,
        /// Last ply of the episode.
        pub end_ply: i32,
        /// Men on the board when a pieces' honour count starts, 0 for the board's honour.
        pub men: i32,
        /// Limit of the count.
        pub limit: i32,
        /// First number said.
        pub first_number: i32,
        /// Last number said, counted from the earliest start.
        pub last_number: i32,
        /// How the episode ended.
        pub ended: CountEnd,
        /// Proved if the start is known, else possible.
        pub certainty: Certainty,
        /// The other side's men besides the khun, strongest first in the letters R S N M, then v and the
        /// counting side's.
        pub material: Symbol,
    }
}
