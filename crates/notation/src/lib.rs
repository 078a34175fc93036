//! Text of positions and moves, to and from `rules` types.
//!
//! In: FEN, UCI and SAN as archives write them. Out: positions, legal moves, notes on what was
//! repaired; and the canonical text of both. The crate refuses to know files, tags and games.

pub mod fen;
pub mod read;
pub mod san;
pub mod trace;
pub mod uci;
