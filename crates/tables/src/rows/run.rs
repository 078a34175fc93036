//! `runs`.

use crate::cell::{Hex, Symbol, Timestamp};
use crate::row;
use crate::table::Table;
use crate::words::RunStatus;

row! {
    /// One row per run: what ran, on what, when and how much. The only table with times in it.
    pub struct RunRow in Table::Runs, ordered by [commit] {
        /// Number of the commit the run wrote.
        pub commit: i64,
        /// Name of the job.
        pub job: String,
        /// BLAKE3 of the job file as checked, hex.
        pub job_hash: Hex<32>,
        /// Version of this program.
        pub version: String,
        /// Identity of the build.
        pub build_id: String,
        /// Input roots, space-separated.
        pub roots: String,
        /// BLAKE3 over paths and content hashes of all inputs, hex.
        pub inputs_hash: Hex<32>,
        /// BLAKE3 over the rule sets used, hex.
        pub rules_hash: Hex<32>,
        /// Identity of the engine; null without analysis.
        pub engine_id: Option<Symbol>,
        /// When the run started.
        pub started_at: Timestamp,
        /// When the commit was made.
        pub finished_at: Timestamp,
        /// How the run ended.
        pub status: RunStatus,
        /// Input objects.
        pub archives: i64,
        /// Games found.
        pub games_found: i64,
        /// Games accepted.
        pub games_accepted: i64,
        /// Games rejected.
        pub games_rejected: i64,
        /// Games set aside.
        pub games_set_aside: i64,
        /// Games whose analysis is done.
        pub games_analysed: i64,
        /// Plies replayed.
        pub plies: i64,
        /// Findings.
        pub findings: i64,
        /// Chunks this run worked out.
        pub chunks_done: i64,
        /// Chunks whose receipt was already there.
        pub chunks_reused: i64,
        /// Chunks that failed.
        pub chunks_failed: i64,
        /// Worker threads of the run; null in rows of versions before 1.3.
        pub threads: Option<i32>,
        /// Bytes of archives this run indexed; null in rows of versions before 1.3.
        pub index_bytes: Option<i64>,
        /// Time of the stage index; null in rows of versions before 1.3.
        pub index_ms: Option<i64>,
        /// Bytes of text this run replayed; null in rows of versions before 1.3.
        pub replay_bytes: Option<i64>,
        /// Time of the stage replay; null in rows of versions before 1.3.
        pub replay_ms: Option<i64>,
        /// Different plies this run searched; null in rows of versions before 1.3.
        pub search_plies: Option<i64>,
        /// Time of the stage search; null in rows of versions before 1.3.
        pub search_ms: Option<i64>,
        /// Nodes a ply that the job asked of the search; null without analysis and in rows of versions before 1.3.
        pub search_nodes: Option<i64>,
        /// Games this run put together with their scores; null in rows of versions before 1.3.
        pub assemble_games: Option<i64>,
        /// Time of the stage assemble; null in rows of versions before 1.3.
        pub assemble_ms: Option<i64>,
        /// Time of the stages aggregate and compact; null in rows of versions before 1.3.
        pub aggregate_ms: Option<i64>,
        /// The slowest chunks of the run, slowest first, as a JSON list of stage, archive and ms; null in rows of versions before 1.3.
        pub slowest: Option<String>,
    }
}
