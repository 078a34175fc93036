//! `archives`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::Container;

row! {
    /// One row per input object: what was read of it and how many games it held.
    pub struct ArchiveRow in Table::Archives, ordered by [archive] {
        /// Path below the input's root.
        pub archive: String,
        /// BLAKE3 of the object's bytes as stored, hex.
        pub content_hash: Hex<32>,
        /// How the object is packed, decided by its first bytes, not by its name.
        pub container: Container,
        /// Text encoding of the whole object, lower case; null if nothing could be decoded.
        pub encoding: Option<Symbol>,
        /// Size of the object as stored.
        pub bytes: i64,
        /// Files inside the container that were read; 1 for a plain or single-stream object.
        pub members: i32,
        /// Size of the text after decompression, all members together.
        pub bytes_text: i64,
        /// Bytes of text that are a game, a separator or named unreadable; equals bytes_text.
        pub bytes_accounted: i64,
        /// Bytes of text that are named unreadable by a finding.
        pub bytes_unreadable: i64,
        /// Games found; the sum of the three next columns.
        pub games_found: i64,
        /// Games that replay to their end.
        pub games_accepted: i64,
        /// Games that stop at a move which cannot be played.
        pub games_rejected: i64,
        /// Games of variants or positions that were recognised and not judged.
        pub games_set_aside: i64,
        /// Findings on the object and its games by the stages read and replay.
        pub findings: i64,
    }
}
