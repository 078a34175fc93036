//! `nabsak bench`: the engine's node signature; a change that alters no assessment leaves it as it is.

use std::io::Write;

use crate::exit::{DONE, Exit};
use crate::logging::say;

pub(super) fn run() -> anyhow::Result<Exit> {
    let bench = engine::bench();
    let seconds = bench.elapsed.as_secs_f64();
    say(format!(
        "{} positions in {seconds:.2} s, {} nodes/s",
        bench.positions,
        bench.nodes_per_second()
    ));
    writeln!(std::io::stdout().lock(), "nodes {}", bench.nodes)?;
    Ok(DONE)
}
