//! The closed lists of words that columns hold.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, StringArray};
use arrow_schema::DataType;

use crate::cell::{Cell, dictionary_type, dictionary_values};
use crate::error::CellError;

/// A closed list of words; its column is a dictionary string.
pub trait Word: Copy + PartialEq + 'static {
    /// All of them; a word's place here is its number in the dictionary.
    const WORDS: &'static [Self];
    /// The word as stored.
    fn word(self) -> &'static str;
}

/// The column of words.
fn word_array<'a, T: Word>(values: impl ExactSizeIterator<Item = Option<&'a T>>) -> ArrayRef {
    let place = |value: &T| T::WORDS.iter().position(|word| word == value).map(|place| place as i32);
    let keys: Int32Array = values.map(|value| value.and_then(place)).collect();
    let words: StringArray = T::WORDS.iter().map(|word| Some(word.word())).collect();
    Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(words)))
}

/// The word that is written so.
///
/// # Errors
/// If the list has no such word.
pub fn parse_word<T: Word>(text: &str) -> Result<T, CellError> {
    let unknown =
        || CellError::UnknownWord { expected: T::WORDS.iter().map(|word| word.word()).collect(), found: text.to_owned() };
    T::WORDS.iter().copied().find(|word| word.word() == text).ok_or_else(unknown)
}

macro_rules! cell_of_words {
    ($($ty:ty),* $(,)?) => { $(
        impl Cell for $ty {
            fn data_type() -> DataType {
                dictionary_type()
            }

            fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
                word_array(values)
            }

            fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
                dictionary_values(array, parse_word)
            }

            fn allowed() -> Option<Vec<&'static str>> {
                Some(<$ty as Word>::WORDS.iter().map(|word| word.word()).collect())
            }
        }
    )* };
}

/// Declares an enum that is nothing but a list of words.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $Name:ident { $( $(#[$word_meta:meta])* $Variant:ident = $word:literal, )* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Name {
            $( $(#[$word_meta])* $Variant, )*
        }

        impl Word for $Name {
            const WORDS: &'static [$Name] = &[$( $Name::$Variant ),*];

            fn word(self) -> &'static str {
                match self {
                    $( $Name::$Variant => $word, )*
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }

        cell_of_words!($Name);
    };
}

words! {
    /// A colour as a column has it.
    pub enum Side {
        /// White.
        White = "white",
        /// Black.
        Black = "black",
    }
}

words! {
    /// How an object is packed.
    pub enum Container {
        /// Not at all.
        Plain = "plain",
        /// gzip, one member or several.
        Gzip = "gzip",
        /// bzip2, one stream or several.
        Bzip2 = "bzip2",
        /// zstd, one frame or several.
        Zstd = "zstd",
    }
}

words! {
    /// Who played, as far as the record says.
    pub enum PlayerKind {
        /// Two people.
        Human = "human",
        /// Two engines.
        Engine = "engine",
        /// One of each.
        Mixed = "mixed",
        /// The record does not say.
        Unknown = "unknown",
    }
}

words! {
    /// What became of a game.
    pub enum Status {
        /// It replays to its end.
        Accepted = "accepted",
        /// It stops at a move that cannot be played.
        Rejected = "rejected",
        /// It was recognised and not judged.
        SetAside = "set_aside",
    }
}

words! {
    /// Whether engine statistics cover a game.
    pub enum AnalysisState {
        /// Every ply of the policy has been searched.
        Done = "done",
        /// Work is left.
        Pending = "pending",
        /// The engine failed on it.
        Failed = "failed",
        /// The job asks for none, or the game was not accepted.
        None = "none",
    }
}

words! {
    /// How a run ended.
    pub enum RunStatus {
        /// All chunks are done.
        Done = "done",
        /// Some chunks failed; the rest is committed.
        Partial = "partial",
    }
}

words! {
    /// Whose text a rule set is.
    pub enum Authority {
        /// A federation's or platform's own text.
        Binding = "binding",
        /// Pieced together from sources that do not bind.
        Assumed = "assumed",
        /// What an engine does.
        Engine = "engine",
    }
}

words! {
    /// Result of a game.
    pub enum GameResult {
        /// White wins.
        WhiteWins = "1-0",
        /// Black wins.
        BlackWins = "0-1",
        /// Drawn.
        Draw = "1/2-1/2",
    }
}

words! {
    /// Ending of a game (RULES 6.2).
    pub enum Ending {
        /// The side to move is mated.
        Checkmate = "checkmate",
        /// Kar ouk: the first check wins.
        FirstCheck = "first_check",
        /// The side to move has no move and is not in check.
        Stalemate = "stalemate",
        /// The board's honour count ran out.
        BoardCount = "board_count",
        /// The pieces' honour count ran out.
        PiecesCount = "pieces_count",
        /// The counting side mated, which only draws.
        MateByCounter = "mate_by_counter",
        /// The position occurred too often.
        Repetition = "repetition",
        /// Two khun alone.
        BareKings = "bare_kings",
        /// No one can mate.
        DeadPosition = "dead_position",
        /// The cap on plies was reached.
        PlyCap = "ply_cap",
        /// A side resigned.
        Resignation = "resignation",
        /// A side ran out of time.
        Time = "time",
        /// The players agreed.
        Agreement = "agreement",
        /// The game was broken off.
        Abandoned = "abandoned",
        /// A side made an illegal move.
        IllegalMove = "illegal_move",
        /// The record says that the game did not end.
        Unterminated = "unterminated",
    }
}

words! {
    /// Which honour is counted.
    pub enum CountKind {
        /// Board's honour.
        Board = "board",
        /// Pieces' honour.
        Pieces = "pieces",
    }
}

words! {
    /// How a counting episode ended.
    pub enum CountEnd {
        /// The count ran out on the board.
        Expired = "expired",
        /// The other side mated in time.
        Mate = "mate",
        /// The counting side stopped it.
        Stopped = "stopped",
        /// A pieces' honour count took its place.
        Replaced = "replaced",
        /// The ground for it fell away.
        Void = "void",
        /// The game ended with it running.
        Running = "running",
    }
}

words! {
    /// How sure a statement is.
    pub enum Certainty {
        /// It follows from the record and a rule set that binds, or on which all agree.
        Proved = "proved",
        /// It depends on something the record does not say, or on a rule that sources read differently.
        Possible = "possible",
        /// It cannot be so.
        Impossible = "impossible",
        /// It is a figure, not a fact.
        Statistical = "statistical",
    }
}

words! {
    /// How bad a finding is.
    pub enum Severity {
        /// Worth knowing.
        Note = "note",
        /// Worth a look.
        Warning = "warning",
        /// Wrong.
        Error = "error",
        /// Wrong, and others depend on it.
        Critical = "critical",
    }
}

words! {
    /// Which stage found it.
    pub enum Stage {
        /// Reading the archive.
        Read = "read",
        /// Replaying the game.
        Replay = "replay",
        /// Analysing it.
        Analysis = "analysis",
        /// Comparing games.
        Audit = "audit",
    }
}

words! {
    /// Judgement of a move.
    pub enum MoveClass {
        /// The engine's choice, or as good.
        Best = "best",
        /// It costs little.
        Good = "good",
        /// It costs 5 points of win chance.
        Inaccuracy = "inaccuracy",
        /// It costs 10.
        Mistake = "mistake",
        /// It costs 15.
        Blunder = "blunder",
    }
}

words! {
    /// Phase of a game.
    pub enum Phase {
        /// Opening.
        Opening = "opening",
        /// Middlegame.
        Middlegame = "middlegame",
        /// Endgame.
        Endgame = "endgame",
    }
}

words! {
    /// What was found.
    pub enum FindingCode {
        /// `illegal_move`.
        IllegalMove = "illegal_move",
        /// `ambiguous_move`.
        AmbiguousMove = "ambiguous_move",
        /// `unreadable_move`.
        UnreadableMove = "unreadable_move",
        /// `moves_after_end`.
        MovesAfterEnd = "moves_after_end",
        /// `result_contradicts_board`.
        ResultContradictsBoard = "result_contradicts_board",
        /// `result_mismatch`.
        ResultMismatch = "result_mismatch",
        /// `result_missing`.
        ResultMissing = "result_missing",
        /// `count_played_on`.
        CountPlayedOn = "count_played_on",
        /// `count_could_have_expired`.
        CountCouldHaveExpired = "count_could_have_expired",
        /// `count_draw_impossible`.
        CountDrawImpossible = "count_draw_impossible",
        /// `mate_by_counting_side`.
        MateByCountingSide = "mate_by_counting_side",
        /// `winner_cannot_mate`.
        WinnerCannotMate = "winner_cannot_mate",
        /// `repetition_played_on`.
        RepetitionPlayedOn = "repetition_played_on",
        /// `variant_unknown`.
        VariantUnknown = "variant_unknown",
        /// `variant_set_aside`.
        VariantSetAside = "variant_set_aside",
        /// `start_position_invalid`.
        StartPositionInvalid = "start_position_invalid",
        /// `start_position_repaired`.
        StartPositionRepaired = "start_position_repaired",
        /// `broken_text`.
        BrokenText = "broken_text",
        /// `truncated_input`.
        TruncatedInput = "truncated_input",
        /// `unreadable_bytes`.
        UnreadableBytes = "unreadable_bytes",
        /// `empty_archive`.
        EmptyArchive = "empty_archive",
        /// `not_game_text`.
        NotGameText = "not_game_text",
        /// `archive_unreadable`.
        ArchiveUnreadable = "archive_unreadable",
        /// `game_too_large`.
        GameTooLarge = "game_too_large",
        /// `tag_repaired`.
        TagRepaired = "tag_repaired",
        /// `date_unclear`.
        DateUnclear = "date_unclear",
        /// `time_control_unclear`.
        TimeControlUnclear = "time_control_unclear",
        /// `clock_rises`.
        ClockRises = "clock_rises",
        /// `move_tolerated`.
        MoveTolerated = "move_tolerated",
        /// `internal_error`.
        InternalError = "internal_error",
    }
}
