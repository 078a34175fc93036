//! `perft RULESET DEPTH`: counts the leaves of the tree from the start position. For measuring.

use rules::{Ruleset, perft};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let id = args.next().unwrap_or_else(|| "makruk".to_owned());
    let depth = args.next().map_or(Ok(4), |text| text.parse())?;
    println!("{}", perft(&Ruleset::builtin(&id)?.start(), depth));
    Ok(())
}
