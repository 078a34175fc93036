//! Outside engines that speak UCI, run as child processes.

mod child;
mod command;
mod engine;
mod protocol;

pub use self::command::{UciCommand, fairy_stockfish};
pub use self::engine::UciEngine;
