//! `nabsak bench`: a fixed set of positions searched on fixed terms. The nodes it takes are the engine's signature:
//! a change that alters no assessment leaves it as it is.

use std::io::Write;
use std::time::Instant;

use ::rules::{Line, Ruleset};
use anyhow::Context;
use engine::{Analyser, Budget, Builtin, BuiltinSettings, EngineError, Unit};

use crate::exit::{DONE, Exit};

/// Rule set and position, a pair a line.
const POSITIONS: &str = include_str!("bench.tsv");
const BUDGET: Budget = Budget {
    nodes: 100_000,
    depth: Some(9),
};

pub(super) fn run() -> anyhow::Result<Exit> {
    let mut engine = Builtin::new(&BuiltinSettings::default());
    let started = Instant::now();
    let (mut positions, mut nodes) = (0_u32, 0_u64);
    for row in POSITIONS.lines() {
        let (id, fen) = row.split_once('\t').context("a row of bench.tsv has no tab")?;
        let rules = Ruleset::builtin(id)?;
        let start = notation::fen::parse(fen, &rules)?;
        let line = Line::new(&rules, start.position, start.count_state);
        let unit = Unit {
            line: &line,
            played: None,
            budget: BUDGET,
        };
        match engine.assess(&unit) {
            Ok(assessment) => nodes += assessment.nodes,
            Err(EngineError::NoMoves { .. }) => {}
            Err(error) => return Err(error).with_context(|| fen.to_owned()),
        }
        positions += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    eprintln!("{positions} positions in {seconds:.2} s, {:.0} nodes/s", nodes as f64 / seconds);
    let mut out = std::io::stdout().lock();
    writeln!(out, "engine {}", engine.identity())?;
    writeln!(out, "nodes {nodes}")?;
    Ok(DONE)
}
