//! `findings`.

use crate::cell::{Hex, Symbol};
use crate::row;
use crate::table::Table;
use crate::words::{Certainty, FindingCode, Severity, Stage};

row! {
    /// One row per finding: what is wrong or worth knowing, where, and how sure.
    pub struct FindingRow in Table::Findings, ordered by [] {
        /// Game it is about; null if it is about an archive.
        pub game_id: Option<Hex<16>>,
        /// Path below the input's root.
        pub archive: String,
        /// File inside the container; null if the object is one stream.
        pub member: Option<String>,
        /// Where in the decompressed member the finding points; null if nowhere in particular.
        pub byte_offset: Option<i64>,
        /// Length of the bytes it points at.
        pub byte_length: Option<i64>,
        /// Which stage found it.
        pub stage: Stage,
        /// What was found.
        pub code: FindingCode,
        /// How bad it is.
        pub severity: Severity,
        /// How sure it is.
        pub certainty: Certainty,
        /// Ply it is about, 1 is the first; null if none.
        pub ply: Option<i32>,
        /// Position it is about.
        pub fen: Option<String>,
        /// Rule set it rests on; null if none.
        pub rule_set: Option<Symbol>,
        /// One sentence for a person.
        pub message: String,
        /// Further facts as one JSON object.
        pub evidence: Option<String>,
    }
}
