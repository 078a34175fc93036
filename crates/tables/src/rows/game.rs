//! `games`.

use crate::cell::{Hex, Symbol, Tags};
use crate::row;
use crate::table::Table;
use crate::words::{AnalysisState, Authority, Certainty, Ending, GameResult, PlayerKind, Status};

row! {
    /// One row per game found, whatever became of it; declared and derived facts stand side by side.
    pub struct GameRow in Table::Games, ordered by [archive] {
        /// The game's id: 128 bits of BLAKE3 over archive, member, offset and raw bytes, hex.
        pub game_id: Hex<16>,
        /// 128 bits of BLAKE3 over the game's raw bytes, hex; equal for the same record in two archives.
        pub record_hash: Hex<16>,
        /// Path below the input's root.
        pub archive: String,
        /// File inside the container; null if the object is one stream.
        pub member: Option<String>,
        /// Where the game starts in the decompressed member.
        pub byte_offset: i64,
        /// Length of the game's raw bytes.
        pub byte_length: i64,
        /// Place of the game in its member, 1 is the first.
        pub ordinal: i32,
        /// Which program's form the record has, such as playok, winboard, pychess, cutechess, pgn.
        pub dialect: Symbol,
        /// Text encoding of this game, lower case.
        pub encoding: Symbol,
        /// Tag Event, trimmed; null if absent or a placeholder.
        pub event: Option<String>,
        /// Tag Site, trimmed; null if absent or a placeholder.
        pub site: Option<String>,
        /// Date of the game in ISO 8601, as much of it as is certain: YYYY, YYYY-MM or YYYY-MM-DD; Buddhist
        /// years turned to Gregorian.
        pub date: Option<String>,
        /// Tag Round, trimmed; null if absent or a placeholder.
        pub round: Option<String>,
        /// White's name, trimmed; null if absent or a placeholder.
        pub white: Option<String>,
        /// Black's name, trimmed; null if absent or a placeholder.
        pub black: Option<String>,
        /// White's declared rating.
        pub white_elo: Option<i32>,
        /// Black's declared rating.
        pub black_elo: Option<i32>,
        /// White's rating is marked provisional (1500?).
        pub white_elo_provisional: bool,
        /// Black's rating is marked provisional (1500?).
        pub black_elo_provisional: bool,
        /// Tag TimeControl as written.
        pub time_control: Option<String>,
        /// Base time of the first stage.
        pub base_s: Option<i32>,
        /// Time added per move in the first stage.
        pub increment_s: Option<i32>,
        /// Length of one byo-yomi period.
        pub byoyomi_s: Option<i32>,
        /// Number of byo-yomi periods.
        pub byoyomi_periods: Option<i32>,
        /// Tag Termination as written.
        pub termination: Option<String>,
        /// Who played, as far as the record says.
        pub player_kind: PlayerKind,
        /// Every tag as written, in order; a repeated name gets #2, #3 after it.
        pub tags: Tags,
        /// Makruk, ouk, kar-ouk, else the name under which the game was set aside; the empty text,
        /// a value of its own and never null, if neither the record nor a setting says which game it is.
        pub variant: Symbol,
        /// Rule set that judged the game; null if set aside.
        pub rule_set: Option<Symbol>,
        /// Whose text the rule set is; null if set aside.
        pub authority: Option<Authority>,
        /// The record, its source or the job binds the rule set.
        pub bound: bool,
        /// What became of the game.
        pub status: Status,
        /// Why the game was rejected or set aside; null if accepted.
        pub reason: Option<String>,
        /// First ply that could not be played, 0 if the start position was bad; null unless rejected.
        pub reason_ply: Option<i32>,
        /// Setting that would admit a game that was set aside; null if there is none.
        pub admit: Option<String>,
        /// Position before the first ply; null if none could be set up.
        pub start_fen: Option<String>,
        /// The moves played, UCI, space-separated; of a rejected game those before the bad one; empty if
        /// set aside.
        pub moves: String,
        /// 128 bits of BLAKE3 over start position and moves, hex; equal for the same moves under other
        /// names; null if set aside.
        pub moves_hash: Option<Hex<16>>,
        /// Number of moves in moves.
        pub plies: i32,
        /// Where the record starts or stops a board's honour count: ply before which it is said, side, + or
        /// -, such as 41w+ 97w-; null if nowhere.
        pub count_commands: Option<String>,
        /// Result by the record; null if it gives none.
        pub result_declared: Option<GameResult>,
        /// Result by the rules; null while the board is not over.
        pub result_derived: Option<GameResult>,
        /// Ending by the record's words; null if it gives none.
        pub ending_declared: Option<Ending>,
        /// Ending by the rules; null while the board is not over.
        pub ending_derived: Option<Ending>,
        /// First ply after which the board is over; null while it is not.
        pub ending_ply: Option<i32>,
        /// How sure the declared result is under the rules (the derived one, where none is declared); null
        /// if set aside.
        pub certainty: Option<Certainty>,
        /// Position after the last ply, with its count; null if no start position.
        pub final_fen: Option<String>,
        /// Whether engine statistics cover this game.
        pub analysis: AnalysisState,
    }
}
