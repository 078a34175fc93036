//! What a game sheet shows.

use serde::{Deserialize, Serialize};

use super::{Grade, RuleSetLine};

/// A game for an arbiter's desk.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Id of the game.
    pub game_id: String,
    /// Path of the archive.
    pub archive: String,
    /// File in it.
    pub member: Option<String>,
    /// Place of the game there, from 1.
    pub ordinal: u64,
    /// Where its bytes begin in the decompressed member.
    pub byte_offset: u64,
    /// How many bytes it has.
    pub byte_length: u64,
    /// Dialect of the record.
    pub dialect: String,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// White's rating.
    pub white_elo: Option<i64>,
    /// Black's rating.
    pub black_elo: Option<i64>,
    /// Event.
    pub event: Option<String>,
    /// Site.
    pub site: Option<String>,
    /// Round.
    pub round: Option<String>,
    /// Date.
    pub date: Option<String>,
    /// Time control as written.
    pub time_control: Option<String>,
    /// Variant.
    pub variant: String,
    /// Rule set that judged it.
    pub rule_set: Option<RuleSetLine>,
    /// `accepted`, `rejected` or `set_aside`.
    pub status: String,
    /// Why it was rejected or set aside.
    pub reason: Option<String>,
    /// What the record says.
    pub declared: Verdict,
    /// What the rules say.
    pub derived: Verdict,
    /// How sure the declared result is under the rules (the derived one, where none is declared); empty if set aside.
    pub certainty: String,
    /// Position before the first ply, if it is not the usual one.
    pub start_fen: Option<String>,
    /// Plies of the game; more than `moves` where the cap cut.
    pub plies: u32,
    /// The moves shown.
    pub moves: Vec<SheetMove>,
    /// The token that could not be played, of a rejected game.
    pub stopped_at: Option<String>,
    /// Its findings, worst first.
    pub findings: Vec<SheetFinding>,
    /// Findings in all.
    pub findings_total: u64,
    /// The counts.
    pub count: Vec<CountStep>,
    /// Plies with a count in all.
    pub count_total: u64,
}

/// A result and an ending, as somebody sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// `1-0`, `0-1`, `1/2-1/2`.
    pub result: Option<String>,
    /// Why, a word of RULES 6.2.
    pub ending: Option<String>,
}

/// One move of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetMove {
    /// Ply, from 1.
    pub ply: u32,
    /// Full-move number as counted from the start position.
    pub number: u32,
    /// Whether White moved.
    pub white: bool,
    /// The move.
    pub san: String,
    /// The worst finding about this ply.
    pub grade: Option<Grade>,
}

/// One finding of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetFinding {
    /// How bad.
    pub grade: Grade,
    /// How sure.
    pub certainty: String,
    /// What.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Rule set it rests on.
    pub rule_set: Option<String>,
    /// Ply, from 1.
    pub ply: Option<u32>,
    /// First byte in the decompressed member.
    pub byte_offset: Option<u64>,
    /// How many bytes.
    pub byte_length: Option<u64>,
    /// The board to draw.
    pub board: Option<SheetBoard>,
}

/// A board to draw.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SheetBoard {
    /// The position.
    pub fen: String,
    /// What to mark.
    pub marks: crate::board::Marks,
    /// What it shows, in a few words.
    pub caption: String,
}

/// The count at one ply.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountStep {
    /// Ply after which it stood so, from 1.
    pub ply: u32,
    /// The move.
    pub san: String,
    /// `board` or `pieces`.
    pub kind: String,
    /// The counting side.
    pub side: String,
    /// Last number said; none before the first counted move.
    pub number: Option<i64>,
    /// Limit.
    pub limit: i64,
    /// Replies that the other side still has.
    pub replies_left: Option<i64>,
}
