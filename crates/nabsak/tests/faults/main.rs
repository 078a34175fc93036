//! Faults on real processes with small chunks: whatever happens, the rows are those of a quiet run, every game is there once, no reader
//! meets an orphan, and the log says what happened and how to go on. Each fault leaves a line of figures (see `night::record`).

#[path = "../common/mod.rs"]
mod common;

mod clocks;
mod damaged;
mod frozen;
mod full;
mod killed;
mod night;
mod poison;
mod service;
mod twins;
