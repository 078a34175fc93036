//! One file per command, or few that belong together; each reads its arguments, builds, runs and prints.

mod array;
mod audit;
mod bench;
mod board;
mod cluster;
mod export;
mod perft;
mod progress;
mod query;
mod replay;
mod report;
mod rules;
mod run;
mod runs;
mod serve;
mod trace;
mod uci;
mod whole;

use std::sync::Arc;

use ::rules::{Position, Ruleset};

use crate::cli::{ClusterCommand, Command, LogArgs, WorkerCommand};
use crate::exit::{self, Exit};

/// Runs one command and gives its exit code.
pub(crate) fn run(command: Command, log: &LogArgs) -> anyhow::Result<Exit> {
    match command {
        Command::Run(args) => run::run(&args, log),
        Command::Audit(args) => audit::run(&args, log),
        Command::Replay(args) => replay::run(&args),
        Command::Query(args) => query::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Board(args) => board::run(&args),
        Command::Rules { command } => rules::run(&command),
        Command::Perft(args) => perft::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Uci(args) => uci::run(&args),
        Command::Bench => bench::run(),
        Command::Plan(args) => array::plan(&args, log),
        Command::Task(args) => array::task(&args, log),
        Command::Commit(args) => array::commit(&args, log),
        Command::Alone => run::alone(log),
        Command::Cluster {
            command: ClusterCommand::Scheduler(args),
        } => cluster::scheduler(&args),
        Command::Runs { command } => runs::run(&command),
    }
}

/// Runs one command of the worker's.
pub(crate) fn run_worker(command: WorkerCommand, log: &LogArgs) -> anyhow::Result<Exit> {
    match command {
        WorkerCommand::Task(args) => array::task(&args, log),
        WorkerCommand::Alone => run::alone(log),
        WorkerCommand::Cluster(args) => cluster::worker(&args),
    }
}

/// The rule set a user named, or whose file he named: what has a slash or ends in `.toml` is a file.
fn ruleset(name: &str) -> anyhow::Result<Arc<Ruleset>> {
    if !name.contains(['/', '\\']) && !name.ends_with(".toml") {
        return Ruleset::builtin(name).map_err(exit::usage);
    }
    let wrong = |reason: String| exit::usage(format!("rule set file {name}: {reason}"));
    let text = std::fs::read_to_string(name).map_err(|error| wrong(error.to_string()))?;
    Ruleset::from_toml(&text).map_err(|error| wrong(error.to_string()))
}

/// The position a user gave, or the rule set's start.
fn position(fen: Option<&str>, rules: &Ruleset) -> anyhow::Result<Position> {
    match fen {
        None => Ok(rules.start()),
        Some(fen) => {
            let start = notation::fen::parse(fen, rules)
                .map_err(|error| exit::usage(format!("--fen: {error}")))?;
            for note in &start.notes {
                eprintln!("--fen: {note}");
            }
            Ok(start.position)
        }
    }
}

/// The store at an output place a user typed; S3 is reached as the environment says.
fn open_store(place: &str) -> anyhow::Result<Arc<dyn store::Store>> {
    let location: store::Location = place.parse().map_err(exit::usage)?;
    Ok(store::open(&location, &store::S3Settings::default())?)
}

/// Makes sure that all parts of a commit can be read: what is gone or cut off is named before anything is answered from the rest.
fn check(view: &pipeline::CommitView, dir: &str) -> anyhow::Result<()> {
    whole_or_named(view.check(), dir)
}

/// As [`check`], reading every part to its end.
fn verify(view: &pipeline::CommitView, dir: &str) -> anyhow::Result<()> {
    whole_or_named(view.verify(), dir)
}

/// How many damaged parts are named.
const FAULTS_SHOWN: usize = 10;

fn whole_or_named(
    faults: Result<Vec<pipeline::PartFault>, pipeline::RunError>,
    dir: &str,
) -> anyhow::Result<()> {
    let faults = faults.map_err(pipeline_failure)?;
    if faults.is_empty() {
        return Ok(());
    }
    let shown = faults.iter().take(FAULTS_SHOWN);
    let shown: String = shown.map(|fault| format!("\n  {fault}")).collect();
    let more = match faults.len().saturating_sub(FAULTS_SHOWN) {
        0 => String::new(),
        more => format!("\n  and {more} more"),
    };
    Err(exit::failure(
        exit::OUTPUT,
        format!(
            "{} parts of {dir} cannot be read:{shown}{more}\nRun the job again (nabsak run JOB.toml): it makes them anew, and nothing else",
            faults.len()
        ),
    ))
}

/// A pipeline error with its own exit code.
fn pipeline_failure(error: pipeline::RunError) -> anyhow::Error {
    exit::failure(Exit::from_code(error.exit_status()), error)
}
