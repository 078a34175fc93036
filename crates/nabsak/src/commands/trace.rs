//! `nabsak trace`: JSON lines in, JSON lines out, one call a game.

use std::io::{BufRead, BufWriter, Write};

use super::ruleset;
use crate::cli::TraceArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        writeln!(
            out,
            "{}",
            notation::trace::run(&line, &rules, args.until_end)
        )?;
    }
    out.flush()?;
    Ok(DONE)
}
