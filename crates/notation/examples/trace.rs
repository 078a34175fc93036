//! `trace RULESET < requests > answers`: the trace protocol, one JSON object a line. For measuring.

use std::io::{BufRead, BufWriter, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let id = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "makruk".to_owned());
    let rules = rules::Ruleset::builtin(&id)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", notation::trace::run(&line?, &rules, false))?;
    }
    out.flush()?;
    Ok(())
}
