//! `nabsak trace`: JSON lines in, JSON lines out, one call a game.

use std::io::{BufRead, BufWriter, Write};

use super::ruleset;
use crate::cli::TraceArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &TraceArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().split(b'\n') {
        // A line that is no UTF-8 gets its answer like any other that is no request.
        let line = String::from_utf8_lossy(&line?).into_owned();
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
