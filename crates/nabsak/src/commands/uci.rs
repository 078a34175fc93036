//! `nabsak uci`: the built-in engine for any UCI program.

use std::io::BufReader;

use super::ruleset;
use crate::cli::UciArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &UciArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    engine::uci_loop(BufReader::new(std::io::stdin()), std::io::stdout(), &rules)?;
    Ok(DONE)
}
