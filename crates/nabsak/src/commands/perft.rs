//! `nabsak perft`: leaves of the move tree.

use std::io::Write;

use super::{position, ruleset};
use crate::cli::PerftArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    let position = position(args.fen.as_deref(), &rules)?;
    let mut out = std::io::stdout().lock();
    let nodes = if args.divide && args.depth > 0 {
        let mut total = 0;
        for (mv, nodes) in ::rules::perft_divide(&position, args.depth) {
            writeln!(out, "{mv}: {nodes}")?;
            total += nodes;
        }
        total
    } else {
        ::rules::perft(&position, args.depth)
    };
    writeln!(out, "{nodes}")?;
    Ok(DONE)
}
