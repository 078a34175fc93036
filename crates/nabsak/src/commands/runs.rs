//! `nabsak runs`: the commit log of an output folder.

use std::io::Write;
use std::sync::Arc;

use pipeline::{CommitView, commit_numbers};

use crate::cli::RunsCommand;
use crate::exit::{self, DONE, Exit};

pub(super) fn run(command: &RunsCommand) -> anyhow::Result<Exit> {
    match command {
        RunsCommand::List { dir } => list(dir),
        RunsCommand::Show { dir, commit } => show(dir, *commit),
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
