//! `nabsak uci` and `nabsak bench`: the built-in engine for other programs, and its signature.

use std::io::{BufReader, Write};

use super::ruleset;
use crate::cli::UciArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &UciArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    engine::uci_loop(BufReader::new(std::io::stdin()), std::io::stdout(), &rules)?;
    Ok(DONE)
}

pub(super) fn bench() -> anyhow::Result<Exit> {
    writeln!(std::io::stdout().lock(), "{}", engine::bench())?;
    Ok(DONE)
}
