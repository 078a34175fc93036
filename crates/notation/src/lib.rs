//! Text of positions and moves, to and from `rules` types.
//!
//! In: FEN, UCI and SAN as archives write them. Out: positions, legal moves, notes on what was
//! repaired; and the canonical text of both. The crate refuses to know files, tags and games.
//!
//! | module | what | source |
//! |---|---|---|
//! | [`fen`] | positions: strict, lenient with each repair as a note, REN, makruk-js; the tail that says who counts | RULES 7, 8, 8.5; FORMATS 3 |
//! | [`read`] | a move in any dialect's letters, each tolerance noted | FORMATS 2; RULES 7, 8 |
//! | [`san`] | the written move, the sutras' too | RULES 7, 8 |
//! | [`uci`] | from, to and `m` | RULES 7, 8 |
//! | [`trace`] | a game's positions, line by line | DESIGN 6 |
//!
//! Each is fuzzed: `fuzz/README.md`.
//!
//! ```
//! use notation::{fen, san, uci};
//! use rules::{Line, Ruleset};
//!
//! let ouk = Ruleset::builtin("ouk")?;
//! let start = fen::parse("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w EDed 0 1", &ouk)?;
//! let mut line = Line::new(&ouk, start.position, start.count_state);
//!
//! let leap = uci::parse("d1b2", line.position())?;
//! assert_eq!(san::write(line.position(), leap), "Kb2");
//! line.push(leap);
//! assert!(fen::write(&line).ends_with(" b Ede - 1 1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod fen;
pub mod read;
pub mod san;
pub mod thai;
pub mod trace;
pub mod uci;
