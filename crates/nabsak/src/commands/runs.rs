//! `nabsak runs`: the commit log of an output folder.

use std::io::Write;
use std::sync::Arc;

use pipeline::{CommitView, Restored, commit_numbers};

use crate::cli::RunsCommand;
use crate::exit::{self, DONE, Exit};

pub(super) fn run(command: &RunsCommand) -> anyhow::Result<Exit> {
    match command {
        RunsCommand::List { dir } => list(dir),
        RunsCommand::Show { dir, commit } => show(dir, *commit),
        RunsCommand::Restore { dir, commit } => restore(dir, *commit),
    }
}

fn list(dir: &str) -> anyhow::Result<Exit> {
    let store = super::open_store(dir)?;
    let numbers = commit_numbers(store.as_ref()).map_err(super::pipeline_failure)?;
    if numbers.is_empty() {
        return Err(exit::usage(format!(
            "{dir} holds no commit: run a job into it first"
        )));
    }
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:>8} {:<28} {:<16} {:>8} {:>8}",
        "commit", "at", "run", "archives", "failed"
    )?;
    for number in numbers {
        let view =
            CommitView::open(Arc::clone(&store), Some(number)).map_err(super::pipeline_failure)?;
        let commit = view.commit();
        writeln!(
            out,
            "{number:>8} {:<28} {:<16} {:>8} {:>8}",
            commit.at,
            commit.run,
            commit.archives.len(),
            commit.failed.len()
        )?;
    }
    Ok(DONE)
}

fn show(dir: &str, number: Option<u64>) -> anyhow::Result<Exit> {
    let view =
        CommitView::open(super::open_store(dir)?, number).map_err(super::pipeline_failure)?;
    let commit = view.commit();
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "commit {} of job {}, run {}, {}",
        commit.number, commit.job, commit.run, commit.at
    )?;
    writeln!(out, "made by nabsak {}", commit.build)?;
    if let Some(engine) = &commit.engine {
        writeln!(out, "engine {engine}")?;
    }
    writeln!(
        out,
        "\n{:<16} {:>6} {:>12} {:>14}",
        "table", "parts", "rows", "bytes"
    )?;
    for (table, parts) in &commit.tables {
        let rows: u64 = parts.iter().map(|part| part.rows).sum();
        let bytes: u64 = parts.iter().map(|part| part.bytes).sum();
        writeln!(out, "{table:<16} {:>6} {rows:>12} {bytes:>14}", parts.len())?;
    }
    for chunk in &commit.failed {
        writeln!(
            out,
            "failed: {} chunk {} of {}: {}",
            chunk.stage, chunk.key, chunk.archive, chunk.reason
        )?;
    }
    Ok(DONE)
}

/// How many lost parts are named.
const GONE_SHOWN: usize = 10;

fn restore(dir: &str, number: u64) -> anyhow::Result<Exit> {
    let store = super::open_store(dir)?;
    let restored = pipeline::restore(store.as_ref(), number).map_err(super::pipeline_failure)?;
    let mut out = std::io::stdout().lock();
    match restored {
        Restored::Commit(new) => writeln!(
            out,
            "commit {new} holds the state of commit {number}. The page: nabsak report {dir} --html FILE"
        )?,
        Restored::Current => writeln!(out, "the current commit holds that state already")?,
        Restored::Gone(parts) => {
            let shown = parts
                .iter()
                .take(GONE_SHOWN)
                .map(|part| format!("\n  {part}"));
            let more = match parts.len().saturating_sub(GONE_SHOWN) {
                0 => String::new(),
                more => format!("\n  and {more} more"),
            };
            return Err(exit::failure(
                exit::OUTPUT,
                format!(
                    "commit {number} cannot be restored: {} of its parts are gone (output.keep_hours says how long they stay):{}{more}",
                    parts.len(),
                    shown.collect::<String>()
                ),
            ));
        }
    }
    Ok(DONE)
}
