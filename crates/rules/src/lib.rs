//! The rules of makruk, ouk chatrang and kar ouk.
//!
//! In: a set-up and moves. Out: positions, legal moves, counts, endings, keys and perft, under a
//! rule set that is data ([`Ruleset`], `rulesets/*.toml`). The crate refuses to know text (no FEN,
//! no SAN: see `notation`), files and time.
//!
//! ```
//! use rules::{Line, Ruleset, UciMove, perft};
//!
//! let makruk = Ruleset::builtin("makruk")?;
//! assert_eq!(perft(&makruk.start(), 3), 12_012);
//!
//! let mut line = Line::from_start(&makruk);
//! let wish: UciMove = "e3e4".parse()?;
//! let mv = line.position().resolve(wish).expect("a bia may step forward");
//! assert_eq!(line.push(mv), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrivals;
mod attacks;
mod bitboard;
mod color;
mod count;
mod ending;
mod generate;
mod line;
mod man;
mod material;
mod moves;
mod pass;
mod perft;
mod play;
mod position;
mod rights;
pub mod ruleset;
mod setup;
mod square;
mod units;
mod zobrist;

pub use arrivals::Arrivals;
pub use bitboard::{Bitboard, Squares};
pub use color::{ByColor, Color};
pub use count::{
    Count, CountClose, CountCommand, CountError, CountKind, CountState, Stop, ToldCount, ToldError,
    pieces_limit,
};
pub use ending::{Ended, Ending, GameResult};
pub use line::Line;
pub use man::{ByRole, Man, Role};
pub use moves::{LegalMove, Move, MoveKind, MoveList, ParseUciError, UciMove};
pub use perft::{perft, perft_divide, perft_made};
pub use position::{Position, attacks_of};
pub use rights::Rights;
pub use ruleset::{Authority, Ruleset, RulesetError, RulesetId, Variant};
pub use setup::{PositionError, Setup, SetupCount};
pub use square::{ParseSquareError, Square};
pub use units::{FullMoves, Plies};
