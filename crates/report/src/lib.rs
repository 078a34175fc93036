//! The figures of a commit, for people.
//!
//! In: a [`CommitView`](pipeline::CommitView), read once by [`collect()`] in bounded memory. Out: [`Figures`], a plain
//! struct that can be kept or compared, and three ways to show it, and an [`Explorer`] that makes pages as they are asked for: [`terminal()`] for a summary, [`html()`] for one
//! self-contained file with a sheet for each faulty game, [`board_svg()`] for a single board.
//!
//! Rendering computes nothing and reads nothing: the same figures give the same bytes. Names and comments from
//! archives are foreign text; they are escaped in HTML and cleaned of control characters everywhere. The crate refuses
//! to know how games are judged or where parts come from.
//!
//! ```
//! use report::{Marks, board_svg};
//!
//! let svg = board_svg("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", &Marks::default())?;
//! assert!(svg.starts_with("<svg"));
//! # Ok::<(), report::BoardError>(())
//! ```

mod board;
mod chart;
mod collect;
mod explorer;
mod export;
mod figures;
mod html;
mod men;
#[cfg(test)]
mod sample;
mod terminal;
mod text;

pub use board::{BoardError, Marks, board_svg};
pub use collect::{CollectError, Limits, collect, collect_within, sheet_of, verdict_words};
pub use explorer::{Explorer, Page};
pub use export::{MoveLetters, NotPgn, PgnOptions, pgn};
pub use figures::*;
pub use html::{html, sheet_html};
pub use terminal::terminal;
pub use text::clean;
