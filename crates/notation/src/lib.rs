//! Text of positions and moves, to and from `rules` types.
//!
//! In: FEN, UCI and SAN as archives write them. Out: positions, legal moves, notes on what was
//! repaired; and the canonical text of both. The crate refuses to know files, tags and games.
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
