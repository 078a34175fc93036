//! Archive bytes to raw games: containers, encodings, dialects.
//!
//! In comes a stream of bytes, out come [`RawGame`]s: tags and tokens with their places, the writer's dialect, the
//! encoding, and a note for every oddity. Every byte of a member is in a game, in a known separator or in a named
//! unreadable stretch. This crate knows no rules: whether a move is legal, which game a tag names and what a position
//! is, it does not ask.
//!
//! ```
//! use archive::{Games, Item, ReaderSettings, Start, open};
//!
//! let file = b"[Event \"club\"]\n[Variant \"Makruk\"]\n\n1. Nd2 g5 2. f4 1/2-1/2\n";
//! let settings = ReaderSettings::default();
//! let opened = open(Box::new(file.as_slice()), &settings)?;
//! for item in Games::new(opened.reader, Start::BEGINNING, &settings) {
//!     if let Item::Game(game) = item? {
//!         assert_eq!(game.tag("variant"), Some("Makruk"));
//!         let moves: Vec<_> = game.moves().map(|token| game.text(token)).collect();
//!         assert_eq!(moves, ["Nd2", "g5", "f4"]);
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod container;
mod cut;
mod cutter;
mod dialect;
mod encoding;
mod error;
mod form;
mod game;
mod games;
mod letters;
mod line;
mod listing;
mod member_name;
mod note;
mod object;
mod opener;
mod plain_tag;
mod records;
mod route;
mod settings;
mod sniff;
mod starts;
mod survey;
mod tag;
mod tags;
mod tarfile;
mod token;
mod tokenizer;
mod wide;
mod window;
mod zipfile;

pub mod comment;
pub mod date;
pub mod outcome;
pub mod time_control;

pub use comment::{CommentFacts, CountMark, DeclaredEval, EvalValue, EvalView};
pub use container::{Container, Opened, open};
pub use cut::{CutRange, Cuts, cut_points};
pub use date::{DateOddity, DateReading};
pub use dialect::{Dialect, UnknownDialect};
pub use encoding::{Encoding, UnknownEncoding};
pub use error::{ContainerError, ReadError, container_error};
pub use game::RawGame;
pub use games::{Accounting, GameText, Games, Item, Slice, Slices, Unreadable, UnreadableReason};
pub use note::{NoteKind, TextNote};
pub use object::{InMemory, Object, OnDisk};
pub use opener::Opener;
pub use outcome::ResultMarker;
pub use route::{NotARoute, Route};
pub use settings::ReaderSettings;
pub use sniff::{advice, kind_by_name};
pub use starts::Starts;
pub use survey::{Cutting, Segment, Survey, survey};
pub use tags::{RawTag, Tags};
pub use time_control::{ClockKind, Stage, TimeControl};
pub use token::{CommentStyle, Token, TokenKind};
pub use window::Start;
