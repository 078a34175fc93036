//! The closed lists of words that columns hold.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray};
use arrow_schema::DataType;

pub use analysis::{Class, DuplicateClass, Phase};
pub use archive::Container;
pub use replay::tags::player::PlayerKind;
pub use replay::{Certainty, CountBasis, EpisodeEnd, FindingCode, MaterialClass, Severity, Stage};
pub use rules::{Authority, Color, CountKind, Ending, GameResult};

use crate::cell::{Cell, dictionary_type, dictionary_values};
use crate::columns;
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
    let place = |value: &T| {
        T::WORDS
            .iter()
            .position(|word| word == value)
            .map(|place| place as i32)
    };
    let keys = columns::numbers::<Int32Type>(values.map(|value| value.and_then(place)));
    let words: StringArray = T::WORDS.iter().map(|word| Some(word.word())).collect();
    Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(words)))
}

/// The word that is written so.
///
/// # Errors
/// If the list has no such word.
pub fn parse_word<T: Word>(text: &str) -> Result<T, CellError> {
    let unknown = || CellError::UnknownWord {
        expected: T::WORDS.iter().map(|word| word.word()).collect(),
        found: text.to_owned(),
    };
    T::WORDS
        .iter()
        .copied()
        .find(|word| word.word() == text)
        .ok_or_else(unknown)
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

/// Makes words of an enum that has its names already, where it lives.
macro_rules! words_of {
    ($($ty:ty: $all:expr;)*) => { $(
        impl Word for $ty {
            const WORDS: &'static [$ty] = $all;

            fn word(self) -> &'static str {
                self.as_str()
            }
        }

        cell_of_words!($ty);
    )* };
}

words_of! {
    Color: &Color::ALL;
    Ending: &Ending::ALL;
    GameResult: &[GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
    CountKind: &[CountKind::Board, CountKind::Pieces];
    Authority: &[Authority::Binding, Authority::Assumed, Authority::Engine];
    Container: &Container::ALL;
    PlayerKind: &PlayerKind::ALL;
    Certainty: &Certainty::ALL;
    Severity: &Severity::ALL;
    Stage: &Stage::ALL;
    FindingCode: FindingCode::ALL;
    EpisodeEnd: &EpisodeEnd::ALL;
    CountBasis: &[CountBasis::Rule, CountBasis::Record, CountBasis::Silent];
    MaterialClass: &MaterialClass::ALL;
    Class: &Class::ALL;
    Phase: &Phase::ALL;
    DuplicateClass: &DuplicateClass::ALL;
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
    /// What draws a game when a count runs out.
    pub enum CountDrawBy {
        /// The counting side's move that says the last number.
        Said = "said",
        /// The other side's reply to it.
        Reply = "reply",
        /// The position with too many men in which the count began.
        AtOnce = "at_once",
        /// Nothing: the counting side has stopped.
        Stopped = "stopped",
    }
}

impl From<rules::CountClose> for CountDrawBy {
    fn from(close: rules::CountClose) -> CountDrawBy {
        match close {
            rules::CountClose::Said(_) => CountDrawBy::Said,
            rules::CountClose::ReplyTo(_) => CountDrawBy::Reply,
            rules::CountClose::AtOnce => CountDrawBy::AtOnce,
            rules::CountClose::Stopped => CountDrawBy::Stopped,
        }
    }
}

words! {
    /// Which games of a group are the denominator of a count rate.
    pub enum Population {
        /// All of them.
        Games = "games",
        /// Those that reached a board without unpromoted bia.
        NoBia = "no_bia",
        /// Those of these that reached a bare khun.
        BareKhun = "bare_khun",
    }
}
