//! The closed list of finding codes: one table gives name, usual severity, stage and meaning.

use std::str::FromStr;

use crate::finding::{Severity, Stage};

macro_rules! codes {
    ($($variant:ident $name:literal $severity:ident $stage:ident $meaning:literal),* $(,)?) => {
        /// What a finding is. The list is closed; adding to it is a minor change of the contracts.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FindingCode {
            $(#[doc = $meaning] $variant,)*
        }

        impl FindingCode {
            /// Every code.
            pub const ALL: &'static [FindingCode] = &[$(FindingCode::$variant),*];

            /// The name in tables.
            pub fn as_str(self) -> &'static str {
                match self { $(FindingCode::$variant => $name),* }
            }

            /// What it says, in one line.
            pub fn meaning(self) -> &'static str {
                match self { $(FindingCode::$variant => $meaning),* }
            }

            /// How grave it usually is.
            pub fn severity(self) -> Severity {
                match self { $(FindingCode::$variant => Severity::$severity),* }
            }

            /// The stage that usually finds it.
            pub fn stage(self) -> Stage {
                match self { $(FindingCode::$variant => Stage::$stage),* }
            }
        }
    };
}

codes! {
    // Moves
    IllegalMove "illegal_move" Error Replay "A token that no legal move fits; the game is replayed up to it.",
    AmbiguousMove "ambiguous_move" Error Replay "A token that two or more legal moves fit, and the next moves do not settle it.",
    UnreadableMove "unreadable_move" Error Replay "A token in the place of a move that is not a move in any spelling.",
    MoveTolerated "move_tolerated" Note Replay "A move read by meaning although it was spelled loosely.",
    CheckMarkWrong "check_mark_wrong" Note Replay "A check or mate mark that the board does not bear out, or one that is missing.",
    DrawOffered "draw_offered" Note Replay "A draw offer written after a move.",
    MoveNumberWrong "move_number_wrong" Note Replay "A move number that does not fit its ply; numbers never place a move.",
    MovesAfterEnd "moves_after_end" Error Replay "Moves recorded after the game was over.",
    NoMoves "no_moves" Note Replay "A game without a single move.",
    // Result and ending
    ResultContradictsBoard "result_contradicts_board" Critical Replay "The declared result or ending is not what stands on the board.",
    ResultMismatch "result_mismatch" Error Replay "Result tag and end marker say different things.",
    ResultMissing "result_missing" Warning Replay "The record does not say how the game ended.",
    EndingMismatch "ending_mismatch" Warning Replay "The declared ending is another one than the board shows, with the same result.",
    WinnerCannotMate "winner_cannot_mate" Note Replay "The declared winner has not the men to mate.",
    UnfinishedGame "unfinished_game" Note Replay "The record ends without a result and the board is not over.",
    // Counts
    CountPlayedOn "count_played_on" Error Replay "Play went on after a count had drawn the game.",
    CountCouldHaveExpired "count_could_have_expired" Note Replay "A board's honour count, had it been started, would have run out.",
    CountDrawImpossible "count_draw_impossible" Error Replay "A draw by counting is declared, but no count can have run out.",
    CountDrawPossible "count_draw_possible" Note Replay "A declared draw that a board's honour count could explain.",
    CountNumberWrong "count_number_wrong" Warning Replay "A count number in the record that the count as started does not give.",
    CountCommandInvalid "count_command_invalid" Warning Replay "A count started or stopped where the rules do not allow it.",
    MateByCountingSide "mate_by_counting_side" Warning Replay "The side that was counting gave mate: only a draw where the rule set says so.",
    CountRemarked "count_remarked" Note Replay "Words about counting in a comment: evidence, not a command.",
    // Repetition, clocks
    RepetitionPlayedOn "repetition_played_on" Note Replay "A position stood for the third time and play went on.",
    ClockRises "clock_rises" Warning Replay "A clock shows more time than base and increment can explain.",
    ClockLeft "clock_left" Warning Replay "A game declared lost on time although the loser's clock had time left.",
    ByoyomiExceeded "byoyomi_exceeded" Warning Replay "A side used more byo-yomi periods than it had, and play went on.",
    // Which game, which start
    VariantUnknown "variant_unknown" Warning Replay "The record does not say which game it is, and no setting does.",
    VariantSetAside "variant_set_aside" Note Replay "Another game than makruk, ouk or kar ouk: counted by name, not replayed.",
    RuleSetUnknown "rule_set_unknown" Warning Replay "The record names a rule set that is not known.",
    StartPositionInvalid "start_position_invalid" Error Replay "The start position cannot be one of this game.",
    StartPositionRepaired "start_position_repaired" Note Replay "A start position written loosely and read by meaning.",
    // Tags
    TagRepaired "tag_repaired" Note Replay "A tag value that was cleaned before use.",
    DateUnclear "date_unclear" Note Replay "A date that is partial, impossible, in another calendar or in an uncertain order.",
    TimeControlUnclear "time_control_unclear" Note Replay "A time control that is not in a known form, or unlikely as written.",
    RatingUnclear "rating_unclear" Note Replay "A rating that is not a number.",
    TerminationUnclear "termination_unclear" Note Replay "Termination words that do not map to an ending.",
    EvalUnclear "eval_unclear" Note Replay "A declared evaluation that could not be read, or was read loosely.",
    // Bytes
    BrokenText "broken_text" Warning Read "Text that is damaged or oddly written; what could be read was kept.",
    TruncatedInput "truncated_input" Error Read "The input ends before its container does.",
    UnreadableBytes "unreadable_bytes" Error Read "Bytes that belong to no game and no known separator.",
    EmptyArchive "empty_archive" Warning Read "An archive without a byte or without a game.",
    NotGameText "not_game_text" Warning Read "A file that holds no game text.",
    ArchiveUnreadable "archive_unreadable" Error Read "An archive that could not be read.",
    GameTooLarge "game_too_large" Error Read "A game beyond the size limit; it was skipped.",
    // Games compared
    DuplicateExact "duplicate_exact" Note Audit "Another record with the same moves, players and date is here.",
    DuplicateOtherDialect "duplicate_other_dialect" Note Audit "Other records with the same moves, players and date are here, in more than one dialect.",
    DuplicateColoursSwapped "duplicate_colours_swapped" Warning Audit "Another record has the same moves and date, and the players' colours swapped.",
    DuplicatePrefix "duplicate_prefix" Note Audit "One record is the beginning of another.",
    DuplicateNear "duplicate_near" Warning Audit "Another record is as long, and but one or two plies differ.",
    DuplicateSameMoves "duplicate_same_moves" Warning Audit "Another record has the same moves, too many for chance, under other names or another date.",
    DuplicateSamePlayers "duplicate_same_players" Note Audit "Another record has the same players and date, and other moves.",
    DuplicateResultsDiffer "duplicate_results_differ" Error Audit "Two records of one game declare different results.",
    // This program
    InternalError "internal_error" Critical Replay "A fault of this program while it worked on the game.",
}

/// A name that is no finding code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a finding code")]
pub struct UnknownFindingCode(String);

impl FromStr for FindingCode {
    type Err = UnknownFindingCode;

    fn from_str(name: &str) -> Result<FindingCode, UnknownFindingCode> {
        FindingCode::ALL
            .iter()
            .copied()
            .find(|code| code.as_str() == name)
            .ok_or_else(|| UnknownFindingCode(name.to_owned()))
    }
}

impl std::fmt::Display for FindingCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
