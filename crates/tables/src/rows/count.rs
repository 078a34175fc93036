//! `counts`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::{
    Certainty, Color, CountBasis, CountDrawBy, CountKind, EpisodeEnd, MaterialClass,
};

row! {
    /// One row per counting episode of a game, or stretch in which one could have run where the record
    /// is silent.
    pub struct CountRow in Table::Counts, ordered by [] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// Rule set whose count this is.
        pub rule_set: Symbol,
        /// Number of the episode in its game, 1 is the first.
        pub episode: i32,
        /// Board's honour or pieces' honour.
        pub kind: CountKind,
        /// The counting side; where the record is silent the side with less material at the earliest start,
        /// null if equal.
        pub side: Option<Color>,
        /// First ply that can be the first counted move; where no number was said the ply that would have been it,
        /// which may lie beyond the game's last.
        pub start_ply_earliest: i32,
        /// Last ply that can be the first counted move; equal to the earliest if the rules or the record
        /// fix it.
        pub start_ply_latest: i32,
        /// Limit of the count.
        pub limit: i32,
        /// Number said, or sayable, on the first counted move.
        pub first_number: i32,
        /// Last number said; where the record is silent the highest that could have been said; null if game or count
        /// was over before the first number.
        pub last_number: Option<i32>,
        /// Replies that the other side still had when the episode ended; null where the record is silent.
        pub replies_left: Option<i32>,
        /// The move that draws the game if play goes on: the counting side's that says the last number, or the reply to it.
        pub draw_by: CountDrawBy,
        /// Number of that move's ply, in the game or beyond its end; where the record is silent for the earliest start.
        pub draw_ply: i32,
        /// How the episode ended; limit in a silent stretch: the count could have run out.
        pub ended: EpisodeEnd,
        /// Who says that it ran: the rules, the record, or nobody.
        pub basis: CountBasis,
        /// Possible where the record is silent, or where nothing binds the rule set, the count ran by itself and another
        /// reading of the variant counts otherwise; else proved.
        pub certainty: Certainty,
        /// What the side that must mate had at the start, by the classes of the limits table.
        pub material: MaterialClass,
        /// All men at the start, stronger side first, such as KRR-K; a promoted bia is a met here.
        pub signature: Symbol,
    }
}
