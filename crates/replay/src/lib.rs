//! Raw games to replayed games.
//!
//! In: a [`archive::RawGame`] (tags, tokens and bytes, no legality), its [`Place`] and a [`Judge`] (which rule set judges).
//! Out: a [`Replay`]: an accepted game with its plies, count ledger and findings, a rejection with the good plies before
//! the first bad token, or a game set aside by name.
//!
//! What the record declares and what the rules derive stand side by side; neither overwrites the other, and a bad game is
//! never an `Err`. This crate knows no files, no engines and no tables, and looks at one game at a time.
//!
//! ```
//! use archive::{Games, Item, ReaderSettings, Start, open};
//! use replay::{FindingCode, Judge, Place, Replay, replay};
//!
//! let text = b"[Variant \"Makruk\"]\n\n1. Nd2 g5 2. Rh5 1-0\n";
//! let (settings, judge) = (ReaderSettings::default(), Judge::default());
//! let opened = open(Box::new(text.as_slice()), &settings)?;
//! for item in Games::new(opened.reader, Start::BEGINNING, &settings) {
//!     if let Item::Game(raw) = item? {
//!         let replayed = replay(&raw, &Place::nowhere(), &judge);
//!         let Replay::Rejected(rejection) = &replayed else { panic!() };
//!         assert_eq!((rejection.ply, rejection.game.plies.len()), (3, 2));
//!         assert_eq!(replayed.findings()[0].code, FindingCode::IllegalMove);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod checks;
mod clocks;
mod code;
mod commands;
mod comments;
mod declared;
mod endings;
mod episodes;
mod finding;
mod handicap;
mod ids;
mod inferred;
mod judge;
mod ledger;
mod material;
mod note;
mod parting;
mod place;
mod readings;
mod record;
mod refusal;
mod remarks;
mod replay;
mod rights_log;
mod scores;
mod script;
mod silence;
mod spelling;
mod start;
pub mod tags;
mod text_notes;
mod trunk;
mod variant;
mod verdicts;
mod walk;
mod which;

pub use code::UnknownFindingCode;
pub use finding::{Certainty, Finding, FindingCode, Severity, Stage};
pub use ids::{GameId, IdError, MovesHash, RecordHash, names};
pub use judge::{Judge, JudgeError, Ruling, SourceRule};
pub use ledger::{
    CountAction, CountBasis, CountCommandAt, CountEpisode, EpisodeEnd, MaterialClass, StartInterval,
};
pub use place::Place;
pub use record::{DeclaredScore, PlyEval, Rejection, Replay, ReplayedGame, ReplayedPly, SetAside};
pub use replay::replay;
pub use variant::{Named, recognise};
pub use verdicts::{Parting, Refused, Verdict};

/// Part of every replay key: goes up whenever the same input gives other output.
pub const REPLAY_VERSION: u32 = 5;
