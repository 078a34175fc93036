//! Engines that judge moves of makruk, ouk and kar ouk.
//!
//! In: a [`Unit`], that is a line of play, perhaps the move that was played in it, and a budget. Out: an [`Assessment`]:
//! the best move, its score, and the played move's score on equal terms. Two kinds of engine keep one contract,
//! [`Analyser`]: the built-in one ([`Builtin`]) and any UCI engine as a child process ([`UciEngine`]). The built-in one
//! also talks UCI itself ([`uci_loop`]).
//!
//! The crate refuses to know archives, tables, win chances and blunders: it gives scores, others say what they mean.
//!
//! ```
//! use engine::{Analyser, Budget, Builtin, BuiltinSettings, Score, Unit};
//! use rules::{Line, Ruleset};
//!
//! let makruk = Ruleset::builtin("makruk")?;
//! let line = Line::from_start(&makruk);
//! let mut engine = Builtin::new(&BuiltinSettings::default());
//! let assessment = engine.assess(&Unit { line: &line, played: None, budget: Budget::nodes(2_000) })?;
//! assert!(matches!(assessment.score, Score::Cp(-100..=100)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyser;
mod bench;
mod board;
mod builtin;
mod error;
mod eval;
mod score;
mod search;
pub mod selfplay;
mod serve;
mod uci;

pub use analyser::{Analyser, Assessment, Budget, EngineId, Unit};
pub use bench::{Bench, bench};
pub use builtin::{Builtin, BuiltinSettings, MAX_HASH_MIB, SEARCH_VERSION};
pub use error::{EngineError, Retry};
pub use eval::trace as tuning;
pub use score::Score;
pub use serve::uci_loop;
pub use uci::{UciCommand, UciEngine, fairy_stockfish};
