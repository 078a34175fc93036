//! The built-in engine as a UCI program of its own, for matches: `uci [RULE_SET]`.

use std::io::{BufReader, stdin, stdout};

use rules::Ruleset;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args().nth(1).unwrap_or_else(|| "makruk".into());
    engine::uci_loop(BufReader::new(stdin()), stdout(), &Ruleset::builtin(&id)?)?;
    Ok(())
}
