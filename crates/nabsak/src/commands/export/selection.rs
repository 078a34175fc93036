//! Games chosen by a condition in SQL.

use std::collections::BTreeSet;

use pipeline::CommitView;
use tables::Hex;

#[cfg(not(feature = "sql"))]
pub(super) fn of(_: &CommitView, _: &str) -> anyhow::Result<BTreeSet<Hex<16>>> {
    Err(crate::exit::usage(
        "this build has no SQL engine for --where; build one:  cargo build --release --features sql",
    ))
}

#[cfg(feature = "sql")]
pub(super) fn of(view: &CommitView, condition: &str) -> anyhow::Result<BTreeSet<Hex<16>>> {
    let session = crate::commands::query::session(view)?;
    let answer = session
        .ask(&format!("SELECT game_id FROM games WHERE ({condition})"))
        .map_err(|error| crate::exit::usage(format!("--where: {error}")))?;
    let mut ids = Vec::new();
    answer.write(query::Format::Csv, &mut ids)?;
    let ids = String::from_utf8(ids)?;
    Ok(ids
        .lines()
        .skip(1)
        .filter_map(|id| id.parse().ok())
        .collect())
}
