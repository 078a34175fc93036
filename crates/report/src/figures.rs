//! What a report shows: plain numbers and words, nothing computed while rendering.
//!
//! Lists are capped when they are filled; beside each capped list stands the number of all, so that a page can say
//! what it leaves out. Text comes from archives and may hold anything: the renderers clean and escape it.

mod sheet;

pub use sheet::{CountStep, Sheet, SheetBoard, SheetFinding, SheetMove, Verdict};

use serde::{Deserialize, Serialize};

/// Everything a report shows of one commit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Which run made it, with what.
    pub run: RunFacts,
    /// What was read.
    pub read: ReadFigures,
    /// What was found.
    pub findings: FindingFigures,
    /// How games ended, by variant.
    pub results: Vec<ResultFigures>,
    /// Draws by counting.
    pub counts: CountFigures,
    /// Rule sets compared.
    pub compared: ComparedFigures,
    /// How moves were judged.
    pub moves: MoveFigures,
    /// Opening moves, by variant.
    pub openings: Vec<OpeningFigures>,
    /// Formations.
    pub formations: Vec<FormationLine>,
    /// Games with an error or worse.
    pub sheets: Vec<Sheet>,
    /// Games that deserve a sheet; more than `sheets` where the cap cut.
    pub sheets_total: u64,
}

/// Which run, with what.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Name of the job.
    pub job: String,
    /// Number of the commit.
    pub commit: u64,
    /// When the commit was made, RFC 3339.
    pub at: String,
    /// Version of the program.
    pub version: String,
    /// Input roots.
    pub roots: String,
    /// Engine identity, if there was one.
    pub engine: Option<String>,
    /// Version of the win curve.
    pub curve: String,
    /// Whether the curve was fitted on another game.
    pub curve_provisional: bool,
    /// Rule sets that judged games.
    pub rule_sets: Vec<RuleSetLine>,
    /// Chunks that failed: what and why.
    pub failed: Vec<String>,
    /// Failed chunks in all.
    pub failed_total: u64,
    /// The slowest chunks of the last run, slowest first: stage and archive, and milliseconds.
    #[serde(default)]
    pub slowest: Vec<(String, u64)>,
}

/// A rule set and what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RuleSetLine {
    /// Its id.
    pub id: String,
    /// Its title; empty if it is not known here.
    pub title: String,
    /// `binding`, `assumed` or `engine`.
    pub authority: String,
    /// Games that it judged.
    pub games: u64,
}

/// A word and how often.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counted {
    /// The word.
    pub name: String,
    /// How often.
    pub n: u64,
}

/// What was read. Sums are over every archive, listed or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadFigures {
    /// Input objects.
    pub archives: u64,
    /// Bytes as stored.
    pub bytes: u64,
    /// Bytes of text after decompression.
    pub bytes_text: u64,
    /// Of these, accounted for: games, separators, and bytes named unreadable.
    pub bytes_accounted: u64,
    /// Of these, named unreadable by a finding.
    pub bytes_unreadable: u64,
    /// Games found: the sum of the three below.
    pub games_found: u64,
    /// Games that replay to their end.
    pub games_accepted: u64,
    /// Games that stop at a move which cannot be played.
    pub games_rejected: u64,
    /// Games recognised and not judged.
    pub games_set_aside: u64,
    /// Plies replayed.
    pub plies: u64,
    /// Games by variant, the names of those set aside among them.
    pub variants: Vec<Counted>,
    /// Games by dialect.
    pub dialects: Vec<Counted>,
    /// By class of duplicates: records that are there beside the first of their group.
    pub duplicates: Vec<Counted>,
    /// Why games were set aside, and which setting would admit them.
    pub set_aside: Vec<Counted>,
    /// The archives, in order of path.
    pub lines: Vec<ArchiveLine>,
}

/// One archive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArchiveLine {
    /// Path below the input's root.
    pub archive: String,
    /// How it is packed.
    pub container: String,
    /// Encoding of its text.
    pub encoding: String,
    /// Bytes as stored.
    pub bytes: u64,
    /// Games found.
    pub found: u64,
    /// Accepted.
    pub accepted: u64,
    /// Rejected.
    pub rejected: u64,
    /// Set aside.
    pub set_aside: u64,
    /// Findings.
    pub findings: u64,
    /// Whether every byte of its text is accounted for.
    pub complete: bool,
}

/// How bad a finding is; the order is from mild to bad.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Worth knowing.
    #[default]
    Note,
    /// Worth a look.
    Warning,
    /// Wrong.
    Error,
    /// The record contradicts the board.
    Critical,
}

impl Grade {
    /// From bad to mild, as reports list them.
    pub const WORST_FIRST: [Grade; 4] =
        [Grade::Critical, Grade::Error, Grade::Warning, Grade::Note];

    /// The word in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Grade::Note => "note",
            Grade::Warning => "warning",
            Grade::Error => "error",
            Grade::Critical => "critical",
        }
    }
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingFigures {
    /// Findings in all.
    pub total: u64,
    /// Findings by grade, in the order of [`Grade::WORST_FIRST`].
    pub by_grade: [u64; 4],
    /// Findings by code, grade and certainty, worst first.
    pub by_code: Vec<CodeLine>,
    /// The findings, worst first.
    pub lines: Vec<FindingLine>,
}

/// A code with its number of findings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeLine {
    /// The code.
    pub code: String,
    /// What it says, in one line; empty if it is not known here.
    pub meaning: String,
    /// How bad.
    pub grade: Grade,
    /// How sure.
    pub certainty: String,
    /// How many.
    pub n: u64,
}

/// One finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingLine {
    /// How bad.
    pub grade: Grade,
    /// How sure.
    pub certainty: String,
    /// What.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Which archive.
    pub archive: String,
    /// Which file in it.
    pub member: Option<String>,
    /// The game; `None` if it is about the archive.
    pub game_id: Option<String>,
    /// Place of the game in its member, from 1.
    pub ordinal: Option<u64>,
    /// White against Black, as far as known.
    pub players: Option<String>,
    /// The ply it is about, from 1.
    pub ply: Option<u32>,
    /// First byte it is about, in the decompressed member.
    pub byte_offset: Option<u64>,
    /// Whether the game has a sheet in this report.
    pub has_sheet: bool,
}

/// How games of a variant ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultFigures {
    /// The variant.
    pub variant: String,
    /// White won.
    pub white_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Black won.
    pub black_wins: u64,
    /// Neither the record nor the board says.
    pub unknown: u64,
    /// Endings, most frequent first: derived from the board, else declared.
    pub endings: Vec<Counted>,
}

/// A share with its 95 % interval, all from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Draws by counting.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountFigures {
    /// One line per rule set and kind of players, over all material.
    pub groups: Vec<CountGroup>,
    /// One line per rule set, kind of players and material class, most games first.
    pub materials: Vec<CountGroup>,
    /// Games in which a count ran out.
    pub draws: Vec<CountDrawLine>,
    /// Such games in all.
    pub draws_total: u64,
}

/// Count draws of a group of games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountGroup {
    /// Rule set.
    pub rule_set: String,
    /// Kind of players.
    pub player_kind: String,
    /// Material class, or `all`.
    pub material: String,
    /// Games of the population.
    pub games: u64,
    /// Of these, games that reached a board without unpromoted bia.
    pub no_bia: u64,
    /// Of these, games that reached a bare khun.
    pub bare_khun: u64,
    /// Games of the population whose draw a count made.
    pub all_proved: u64,
    /// Further games of the population whose declared draw a count could explain.
    pub all_possible: u64,
    /// As `all_proved`, among `no_bia`.
    pub proved: u64,
    /// As `all_possible`, among `no_bia`.
    pub possible: u64,
    /// From the lower end for proved to the upper end for proved and possible, over `no_bia`.
    pub range: Option<Range>,
    /// Games left out, with the reason.
    pub left_out: Vec<Counted>,
}

/// One game drawn by a count.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CountDrawLine {
    /// The game.
    pub game_id: String,
    /// Its archive.
    pub archive: String,
    /// Its place there.
    pub ordinal: u64,
    /// White against Black.
    pub players: String,
    /// Rule set.
    pub rule_set: String,
    /// `board` or `pieces`.
    pub kind: String,
    /// The counting side.
    pub side: String,
    /// Material class.
    pub material: String,
    /// First number said.
    pub first: i64,
    /// Last number said.
    pub last: i64,
    /// Limit.
    pub limit: i64,
    /// How sure.
    pub certainty: String,
}

/// Rule sets compared with those that judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedFigures {
    /// Games judged by more than one rule set.
    pub games: u64,
    /// Of these, games on which all of them agree.
    pub alike: u64,
    /// Each rule set beside one that judged.
    pub pairs: Vec<ComparedPair>,
    /// Games on which two differ for the same reason, most games first.
    pub groups: Vec<ComparedGroup>,
}

/// Two rule sets, one of which judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedPair {
    /// The rule set that judged.
    pub judging: String,
    /// The one compared with it.
    pub other: String,
    /// Whose text the other is.
    pub authority: String,
    /// Games of both.
    pub games: u64,
    /// Of these, games on which they agree.
    pub alike: u64,
}

/// Games on which two rule sets differ by the same switches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedGroup {
    /// The rule set that judged.
    pub judging: String,
    /// The one compared with it.
    pub other: String,
    /// The switch that explains the difference, or several that do it together; empty if none do.
    pub switches: String,
    /// How many games.
    pub games: u64,
    /// The first of them.
    pub first: ComparedGame,
}

/// A game on which two rule sets differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ComparedGame {
    /// The game.
    pub game_id: String,
    /// Its archive.
    pub archive: String,
    /// Its place there, from 1.
    pub ordinal: u64,
    /// White against Black.
    pub players: String,
    /// The ply at which they part.
    pub ply: u32,
    /// What the judging one makes of it.
    pub judged: String,
    /// What the other makes of it.
    pub compared: String,
    /// Whether the game has a sheet in this report.
    pub has_sheet: bool,
}

/// How moves were judged, with the coverage that the figures rest on.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MoveFigures {
    /// Accepted games.
    pub games: u64,
    /// Of these, games whose analysis is complete.
    pub games_analysed: u64,
    /// Games still waiting.
    pub games_pending: u64,
    /// Games the engine failed on.
    pub games_failed: u64,
    /// Plies of accepted games.
    pub plies: u64,
    /// Analysed plies.
    pub plies_analysed: u64,
    /// By variant and phase.
    pub phases: Vec<PhaseLine>,
    /// By player, most analysed moves first.
    pub players: Vec<PlayerLine>,
    /// Players in all.
    pub players_total: u64,
}

/// Moves of a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PhaseLine {
    /// Variant.
    pub variant: String,
    /// Phase.
    pub phase: String,
    /// Analysed moves.
    pub evaluated: u64,
    /// By class: best, good, inaccuracy, mistake, blunder.
    pub classes: [u64; 5],
    /// Mean lost centipawns.
    pub acpl: Option<f64>,
    /// 95 % interval of the share of blunders.
    pub blunder_range: Option<Range>,
}

/// Moves of a player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// Name.
    pub player: String,
    /// Variant.
    pub variant: String,
    /// Games.
    pub games: u64,
    /// Own moves.
    pub moves: u64,
    /// Of these, analysed.
    pub evaluated: u64,
    /// Mean of the accuracies of the games.
    pub accuracy: Option<f64>,
    /// Mean lost centipawns.
    pub acpl: Option<f64>,
    /// By class: best, good, inaccuracy, mistake, blunder.
    pub classes: [u64; 5],
    /// Blunders in opening, middlegame, endgame.
    pub blunders: [u64; 3],
    /// Analysed moves in opening, middlegame, endgame.
    pub phase_moves: [u64; 3],
}

/// Openings of a variant: a small tree of moves, depth first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpeningFigures {
    /// Variant.
    pub variant: String,
    /// Moves, each followed by the replies to it.
    pub lines: Vec<OpeningLine>,
}

/// One move of the opening tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpeningLine {
    /// How deep in the tree: 1 is a first move.
    pub ply: u32,
    /// The move.
    pub san: String,
    /// White won.
    pub white_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Black won.
    pub black_wins: u64,
    /// Games with a result.
    pub n: u64,
    /// 95 % interval of the mover's share of wins.
    pub win_range: Option<Range>,
    /// Mean rating of the movers.
    pub average_rating: Option<f64>,
    /// Performance of the movers.
    pub performance: Option<f64>,
}

/// A formation and how it fared, from the view of the side that had it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FormationLine {
    /// Variant.
    pub variant: String,
    /// Id.
    pub formation: String,
    /// Name in Latin letters.
    pub name: Option<String>,
    /// Name in Thai script.
    pub thai: Option<String>,
    /// `white` or `black`.
    pub side: String,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Games.
    pub n: u64,
    /// 95 % interval of the share of wins.
    pub win_range: Option<Range>,
}
