//! How columns lie in Parquet where its own way, a dictionary and statistics of each page, is not the best one.
//!
//! Each choice was measured on real rows by `cargo run --release -p nabsak-tables --example bench_columns`; the gains stand in
//! `BENCHMARKS.md`.

use crate::table::Table;

impl Table {
    /// The columns whose values hardly repeat; a Parquet dictionary of them would cost time and save nothing. Small numbers
    /// whose runs zstd sees by itself are among them.
    pub fn hardly_repeating(self) -> &'static [&'static str] {
        match self {
            Table::Archives => &["archive", "content_hash"],
            Table::Games => &["game_id", "record_hash", "moves", "moves_hash", "final_fen"],
            Table::Plies => &["ply", "position_key", "clock_ms", "repetitions"],
            Table::Findings => &["fen", "message", "evidence"],
            Table::Evaluations => &["ply", "pv", "accuracy", "nodes"],
            Table::Players => &["accuracy", "acpl", "loss_cp"],
            Table::GameOpenings => &["game_id"],
            Table::Duplicates => &["game_id", "canonical_game_id"],
            Table::Openings => &["fen"],
            Table::Verdicts => &["refused_reason"],
            Table::Counts | Table::CountRates | Table::Formations | Table::Runs => &[],
        }
    }

    /// The numbers that lie near the one before: what is stored is the difference.
    pub fn near_the_last(self) -> &'static [&'static str] {
        match self {
            Table::Games => &[
                "byte_offset",
                "byte_length",
                "ordinal",
                "white_elo",
                "black_elo",
                "plies",
                "ending_ply",
            ],
            Table::Plies => &[
                "token_offset",
                "eval_cp",
                "count_number",
                "count_replies_left",
            ],
            Table::Counts => &["start_ply_earliest", "start_ply_latest", "draw_ply"],
            Table::Evaluations => &["score_cp", "played_cp"],
            _ => &[],
        }
    }

    /// The columns by which no reader can pass a page over: hashes, moves, words that alternate. Their least and greatest
    /// values say nothing, and to find them costs as much as to write the column.
    pub fn without_statistics(self) -> &'static [&'static str] {
        match self {
            Table::Games => &["game_id", "record_hash", "moves", "moves_hash", "final_fen"],
            Table::Plies => &[
                "game_id",
                "side",
                "san",
                "uci",
                "token",
                "position_key",
                "eval_text",
            ],
            Table::Evaluations => &["game_id", "side", "best_uci", "pv"],
            Table::Findings => &["game_id", "fen", "message", "evidence"],
            Table::Players | Table::GameOpenings | Table::Counts | Table::Verdicts => &["game_id"],
            Table::Archives
            | Table::Duplicates
            | Table::CountRates
            | Table::Openings
            | Table::Formations
            | Table::Runs => &[],
        }
    }

    /// The columns of which a lower level of zstd makes nearly as little as a higher one, in a fraction of the time: hex digits
    /// of hashes have nothing to find but their alphabet, and moves are all alike.
    pub fn packed_lightly(self) -> &'static [&'static str] {
        match self {
            Table::Archives => &["content_hash"],
            Table::Games => &["game_id", "record_hash", "moves", "moves_hash"],
            Table::Plies => &["position_key"],
            Table::GameOpenings => &["game_id"],
            Table::Duplicates => &["game_id", "canonical_game_id"],
            _ => &[],
        }
    }
}
