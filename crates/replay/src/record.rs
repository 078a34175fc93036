//! What replaying gives: a game, a rejection, or a game set aside.

use archive::{Dialect, Encoding, Tags};
use notation::san::San;
use rules::{Authority, Count, Ended, Ending, GameResult, LegalMove, RulesetId, Variant};

use crate::finding::{Certainty, Finding};
use crate::ids::{GameId, MovesHash, RecordHash};
use crate::ledger::{CountCommandAt, CountEpisode, StartInterval};
use crate::place::Place;
use crate::tags::GameTags;
use crate::verdicts::Verdict;

/// The three ends of the road that a raw game takes.
///
/// ```text
///            variant or source unknown, another game -> SetAside
/// RawGame -> every move legal                        -> Accepted
///            a start or a move that cannot be         -> Rejected (with the good plies)
/// ```
#[derive(Debug, Clone)]
pub enum Replay {
    /// Every move was legal.
    Accepted(Box<ReplayedGame>),
    /// Something could not be replayed; what came before is kept as evidence.
    Rejected(Box<Rejection>),
    /// Not replayed, because it is another game or nobody says which.
    SetAside(Box<SetAside>),
}

/// A game up to the point where it could not be replayed.
#[derive(Debug, Clone)]
pub struct Rejection {
    /// The game so far: its good plies. After a start position that cannot be, there are none.
    pub game: ReplayedGame,
    /// The ply (1-based) of the first bad token; 0 if the start position was bad.
    pub ply: u32,
    /// One sentence: why.
    pub reason: String,
}

/// A game that was not replayed.
#[derive(Debug, Clone)]
pub struct SetAside {
    /// The game's id.
    pub id: GameId,
    /// The hash of its bytes.
    pub record_hash: RecordHash,
    /// Where it lies.
    pub place: Place,
    /// How it was written.
    pub dialect: Dialect,
    /// How its text was encoded.
    pub encoding: Encoding,
    /// Its tags, normalised.
    pub tags: GameTags,
    /// Its tags as written, in order.
    pub raw_tags: Tags,
    /// The variant it names: the known name of another game, or the words of the record; empty if it names none.
    pub variant: String,
    /// Why it was set aside.
    pub reason: String,
    /// The setting that would admit it.
    pub admit: Option<String>,
    /// The declared result.
    pub result_declared: Option<GameResult>,
    /// The declared ending.
    pub ending_declared: Option<Ending>,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// A game replayed under one rule set. What the record declares and what the rules derive stand side by side.
#[derive(Debug, Clone)]
pub struct ReplayedGame {
    /// The game's id.
    pub id: GameId,
    /// The hash of its bytes.
    pub record_hash: RecordHash,
    /// Where it lies.
    pub place: Place,
    /// How it was written.
    pub dialect: Dialect,
    /// How its text was encoded.
    pub encoding: Encoding,
    /// Its tags, normalised.
    pub tags: GameTags,
    /// Its tags as written, in order.
    pub raw_tags: Tags,
    /// Which game it is.
    pub variant: Variant,
    /// The rule set it was judged under.
    pub rule_set: RulesetId,
    /// Whose text that rule set is.
    pub authority: Authority,
    /// Whether the record, its source or the job binds that rule set.
    pub bound: bool,
    /// The position it starts from; empty if the record's start position could not be read.
    pub start_fen: String,
    /// Its plies.
    pub plies: Vec<ReplayedPly>,
    /// The declared result.
    pub result_declared: Option<GameResult>,
    /// The declared ending, where the record's words map to one.
    pub ending_declared: Option<Ending>,
    /// The first ending the rules find; none while the board is not over.
    pub derived: Option<Ended>,
    /// How sure the declared result is under the rules (the derived one, where none is declared).
    pub certainty: Certainty,
    /// Counting episodes, in order.
    pub counts: Vec<CountEpisode>,
    /// Where the record is silent: the plies in which a count could have been started, by kind and side.
    pub silent_starts: Vec<StartInterval>,
    /// Count commands of the record that were carried out: a line is rebuilt from start, moves and these.
    pub count_commands: Vec<CountCommandAt>,
    /// What the compared rule sets make of it, the judging one's verdict first; empty where none of them is of its variant.
    pub verdicts: Vec<Verdict>,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The position after the last ply.
    pub final_fen: String,
    /// The hash of start and moves.
    pub moves_hash: MovesHash,
}

/// One ply of a replayed game.
#[derive(Debug, Clone)]
pub struct ReplayedPly {
    /// The move.
    pub mv: LegalMove,
    /// The side that made it.
    pub side: rules::Color,
    /// The move in our SAN.
    pub san: San,
    /// The move as the record wrote it, where that is not our SAN: see [`ReplayedPly::token`].
    pub written: Option<Box<str>>,
    /// Where the token starts, in the game's raw bytes.
    pub token_offset: u32,
    /// Key of the position after it.
    pub key: u64,
    /// Whether it gives check.
    pub in_check: bool,
    /// Whether it captures.
    pub capture: bool,
    /// Whether a bia promotes.
    pub promotion: bool,
    /// The mover's clock after it, in milliseconds.
    pub clock_ms: Option<u32>,
    /// The time spent on it, in milliseconds.
    pub elapsed_ms: Option<u32>,
    /// What the record says the position after it is worth.
    pub eval: Option<Box<PlyEval>>,
    /// The count that runs after it.
    pub count: Option<Count>,
    /// How often the position after it has stood, itself included.
    pub repetitions: u8,
}

impl ReplayedPly {
    /// The move as the record wrote it.
    pub fn token(&self) -> &str {
        self.written.as_deref().unwrap_or(&self.san)
    }
}

/// An evaluation the record declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyEval {
    /// As written.
    pub text: String,
    /// White's view; none if it could not be read.
    pub score: Option<DeclaredScore>,
    /// Search depth, where the record has it.
    pub depth: Option<u32>,
}

/// A declared score in White's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeclaredScore {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves: White mates if positive, Black if negative or zero.
    Mate(i32),
}

impl Replay {
    /// The game's id.
    pub fn id(&self) -> GameId {
        match self {
            Replay::Accepted(game) => game.id,
            Replay::Rejected(rejection) => rejection.game.id,
            Replay::SetAside(aside) => aside.id,
        }
    }

    /// Where the game lies.
    pub fn place(&self) -> &Place {
        match self {
            Replay::Accepted(game) => &game.place,
            Replay::Rejected(rejection) => &rejection.game.place,
            Replay::SetAside(aside) => &aside.place,
        }
    }

    /// The normalised tags.
    pub fn tags(&self) -> &GameTags {
        match self {
            Replay::Accepted(game) => &game.tags,
            Replay::Rejected(rejection) => &rejection.game.tags,
            Replay::SetAside(aside) => &aside.tags,
        }
    }

    /// What was found.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Replay::Accepted(game) => &game.findings,
            Replay::Rejected(rejection) => &rejection.game.findings,
            Replay::SetAside(aside) => &aside.findings,
        }
    }

    /// The replayed game, whole or up to its first bad token.
    pub fn game(&self) -> Option<&ReplayedGame> {
        match self {
            Replay::Accepted(game) => Some(game),
            Replay::Rejected(rejection) => Some(&rejection.game),
            Replay::SetAside(_) => None,
        }
    }

    /// `accepted`, `rejected` or `set_aside`.
    pub fn status(&self) -> &'static str {
        match self {
            Replay::Accepted(_) => "accepted",
            Replay::Rejected(_) => "rejected",
            Replay::SetAside(_) => "set_aside",
        }
    }

    /// The name of the game: `makruk`, `ouk`, `kar-ouk`, or the name it was set aside under (may be empty).
    pub fn variant_name(&self) -> &str {
        match self {
            Replay::Accepted(game) => game.variant.as_str(),
            Replay::Rejected(rejection) => rejection.game.variant.as_str(),
            Replay::SetAside(aside) => &aside.variant,
        }
    }
}

impl ReplayedGame {
    /// The moves in UCI, separated by spaces.
    pub fn moves_uci(&self) -> String {
        use std::fmt::Write;
        let mut text = String::with_capacity(self.plies.len() * 5);
        for (index, ply) in self.plies.iter().enumerate() {
            let gap = if index == 0 { "" } else { " " };
            // Writing to a String cannot fail.
            let _ = write!(text, "{gap}{}", ply.mv.raw());
        }
        text
    }
}
