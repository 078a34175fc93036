//! `nabsak run`: a job file from input to report.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use indicatif::{HumanBytes, HumanCount, HumanDuration};
use pipeline::{Cancel, Change, ChildProgram, CommitView, Dispatch, Job, RunOptions, RunOutcome};
use store::Store;

use super::{cluster, progress};
use crate::cli::{LogArgs, RunArgs};
use crate::exit::{self, Exit};
use crate::logging::{program, say};

pub(super) fn run(args: &RunArgs, log: &LogArgs) -> anyhow::Result<Exit> {
    let job = read_job(&args.job, &args.set)?;
    let dispatch = cluster::dispatch(&args.cluster)?;
    let outcome = carry_out(&job, log, args.dry_run, args.retry_failed, dispatch)?;
    Ok(Exit::from_code(outcome.exit_status()))
}

/// The job of a file, with what was set over it.
pub(super) fn read_job(path: &Path, set: &[String]) -> anyhow::Result<Job> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| exit::usage(format!("cannot read the job file {name}: {error}")))?;
    Job::parse(&name, &text, set).map_err(exit::usage)
}

/// Runs a job, prints its summary and writes its page; what `run` and `audit` share.
pub(super) fn carry_out(
    job: &Job,
    log: &LogArgs,
    dry_run: bool,
    retry_failed: bool,
    dispatch: Option<Arc<dyn Dispatch>>,
) -> anyhow::Result<RunOutcome> {
    let again = this_command();
    let options = RunOptions {
        dry_run,
        retry_failed,
        dispatch: dispatch.filter(|_| !dry_run),
        ..options(log)?
    };
    let outcome = pipeline::run(job, &options).map_err(|error| failure(&error, &again))?;
    if outcome.interrupted {
        say_interrupted(&again);
        return Ok(outcome);
    }
    let mut out = std::io::stdout().lock();
    if dry_run {
        write!(out, "{}", plan(&outcome))?;
        return Ok(outcome);
    }
    let outcome = match publish(&mut out, job, &outcome) {
        Ok(()) => outcome,
        // A part of another run that this one had no reason to read.
        Err(error) => match mended(job, &outcome)? {
            0 => return Err(error),
            _ => {
                let outcome =
                    pipeline::run(job, &options).map_err(|error| failure(&error, &again))?;
                publish(&mut out, job, &outcome)?;
                outcome
            }
        },
    };
    write!(out, "{}", after_run(&outcome, &again))?;
    Ok(outcome)
}

/// Takes away the parts of the outcome's commit whose bytes are not those that were written; their number.
fn mended(job: &Job, outcome: &RunOutcome) -> anyhow::Result<usize> {
    let view = CommitView::open(output_store(job)?, outcome.commit)?;
    let faults = view.verify()?;
    for fault in &faults {
        say(format!("damaged, and made anew: {fault}"));
        view.store().delete(&fault.path)?;
    }
    Ok(faults.len())
}

/// How a job is run from a command line: with progress, and an end in order at Ctrl-C.
pub(super) fn options(log: &LogArgs) -> anyhow::Result<RunOptions> {
    let cancel = Cancel::new();
    on_interrupt(&cancel)?;
    Ok(RunOptions {
        cancel,
        progress: progress::choose(log),
        ..unattended()
    })
}

/// How chunks are done where nobody looks on: with a child for those at which processes died, and an end to what gets nowhere.
pub(super) fn unattended() -> RunOptions {
    RunOptions {
        child: child(),
        stalled: Some(Arc::new(|text: &str| {
            say(format!(
                "{text}: this process is given up; what is done is kept. To go on: {}",
                this_command()
            ));
            std::process::exit(5);
        })),
        ..RunOptions::default()
    }
}

/// This program once more, for a chunk at which processes died.
fn child() -> Option<ChildProgram> {
    let program = std::env::current_exe().ok()?;
    let args = ["--quiet", "alone"].map(Into::into).into();
    Some(ChildProgram { program, args })
}

/// The child's side.
pub(super) fn alone(log: &LogArgs) -> anyhow::Result<Exit> {
    let reply = pipeline::alone(std::io::stdin().lock(), &options(log)?)
        .map_err(super::pipeline_failure)?;
    writeln!(std::io::stdout().lock(), "{reply}")?;
    Ok(exit::DONE)
}

/// A pipeline error with its exit code, and the command that goes on.
pub(super) fn failure(error: &pipeline::RunError, again: &str) -> anyhow::Error {
    let exit = Exit::from_code(error.exit_status());
    exit::failure(exit, format!("{error}{}", how_to_go_on(exit, again)))
}

pub(super) fn say_interrupted(again: &str) {
    say(format!(
        "interrupted; what is done is kept. To go on: {again}"
    ));
}

/// Prints the summary of the outcome's commit, and writes its page where the job wants one.
pub(super) fn publish(out: &mut impl Write, job: &Job, outcome: &RunOutcome) -> anyhow::Result<()> {
    let view = CommitView::open(output_store(job)?, outcome.commit)?;
    let figures = report::collect(&view)?;
    write!(out, "{}", report::terminal(&figures))?;
    if job.output.report {
        let page = report::html(&figures);
        let written = write_page(view.store(), &job.output.location, page)?;
        writeln!(out, "\nReport: {written}")?;
    }
    Ok(())
}

/// The command that resumes or repeats this run: what was typed, as a shell takes it.
pub(super) fn this_command() -> String {
    let quote = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', r"'\''"))
        }
    };
    let typed = std::env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned());
    let mut words = vec![program().to_owned()];
    words.extend(typed.filter(|word| word != "--retry-failed").map(quote));
    words.join(" ")
}

/// The first signal asks the run to stop in order; the second ends the process at once.
fn on_interrupt(cancel: &Cancel) -> anyhow::Result<()> {
    let cancel = cancel.clone();
    ctrlc::set_handler(move || {
        if cancel.is_raised() {
            std::process::exit(130);
        }
        say("stopping; press Ctrl-C again to stop at once");
        cancel.raise();
    })
    .context("cannot watch for Ctrl-C")
}

fn output_store(job: &Job) -> anyhow::Result<Arc<dyn Store>> {
    let location = job.output.location.parse().map_err(exit::usage)?;
    Ok(store::open(&location, &job.s3.settings())?)
}

fn how_to_go_on(exit: Exit, again: &str) -> String {
    if exit == exit::OUTPUT {
        format!("\nWhat is done is kept. When this is mended, the same command goes on: {again}")
    } else {
        String::new()
    }
}

fn write_page(store: &Arc<dyn Store>, location: &str, page: String) -> anyhow::Result<String> {
    store.put("report.html", page.into())?;
    Ok(match location.strip_prefix("s3://") {
        Some(_) => format!("{}/report.html", location.trim_end_matches('/')),
        None => PathBuf::from(location)
            .join("report.html")
            .display()
            .to_string(),
    })
}

fn plan(outcome: &RunOutcome) -> String {
    let mut text = String::from("A run would do:\n");
    for (stage, tally) in &outcome.stages {
        text.push_str(&format!(
            "  {:<10} {:>6} chunks to do, {:>6} done before\n",
            stage.as_str(),
            tally.planned.saturating_sub(tally.skipped),
            tally.skipped
        ));
    }
    if outcome.estimates.is_empty() {
        text.push_str("Nothing is left but what a commit makes of it.\n");
        return text;
    }
    text.push_str("At the pace of past runs, on as many threads as this job takes:\n");
    let mut known = Some(Duration::ZERO);
    for (stage, estimate) in &outcome.estimates {
        let work = match (estimate.work, estimate.unit) {
            (0, _) => "not known yet".to_owned(),
            (bytes, "bytes") => HumanBytes(bytes).to_string(),
            (count, unit) => format!("{} {unit}", HumanCount(count)),
        };
        let about = if estimate.about && estimate.work > 0 {
            "about "
        } else {
            ""
        };
        let time = match estimate.time {
            Ok(time) => format!("about {}", HumanDuration(time)),
            Err(why) => format!("unknown, {why}"),
        };
        known = known.and_then(|sum| Some(sum + estimate.time.ok()?));
        text.push_str(&format!("  {:<10} {about}{work}: {time}\n", stage.as_str()));
    }
    match known {
        Some(sum) => text.push_str(&format!("About {} in all.\n", HumanDuration(sum))),
        None => text.push_str("How long it takes in all is unknown.\n"),
    }
    text
}

/// Chunks that took longer than this are named, the slowest first.
const SLOW: Duration = Duration::from_secs(1);
const SLOW_SHOWN: usize = 5;

fn slowest(outcome: &RunOutcome) -> String {
    let slow = outcome.slowest.iter().filter(|chunk| chunk.took >= SLOW);
    let lines = slow.take(SLOW_SHOWN).map(|chunk| {
        let archive = match chunk.archive.as_str() {
            "" => String::new(),
            archive => format!(" of {}", report::clean(archive)),
        };
        let seconds = chunk.took.as_secs_f64();
        format!(
            "  {:>8.1} s  {} chunk {}{archive}\n",
            seconds, chunk.stage, chunk.key
        )
    });
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => lines,
        false => format!("Slowest chunks\n{lines}"),
    }
}

/// What this run did, as opposed to what the commit holds.
fn after_run(outcome: &RunOutcome, again: &str) -> String {
    let (done, skipped) = outcome
        .stages
        .values()
        .fold((0, 0), |(done, skipped), tally| {
            (done + tally.done, skipped + tally.skipped)
        });
    let commit = match outcome.commit {
        Some(number) if outcome.committed => format!("commit {number}"),
        Some(number) => format!("nothing new, commit {number} stays current"),
        None => "no commit".to_owned(),
    };
    let mut text = format!(
        "Run {}: {commit}; {done} chunks done, {skipped} done before, in {:.1} s\n",
        outcome.run,
        outcome.elapsed.as_secs_f64()
    );
    text.push_str(&slowest(outcome));
    text.push_str(&failures(outcome));
    let unread =
        |archive: &&pipeline::ArchiveOutcome| matches!(archive.change, Change::Unreadable(_));
    let unread = outcome.archives.iter().filter(unread).count();
    if unread > 0 {
        text.push_str(&format!(
            "{unread} of the inputs cannot be read. When that is mended: {again}\n"
        ));
    }
    if !outcome.failed.is_empty() {
        text.push_str(&format!(
            "To try the failed chunks again: {again} --retry-failed\n"
        ));
    }
    if outcome.deadline_came {
        text.push_str(&format!(
            "The deadline came first{}. To go on: {again}\n",
            share_done(outcome)
        ));
    }
    text
}

/// How far the work is: of the plies to analyse; before those are known, of the chunks.
fn share_done(outcome: &RunOutcome) -> String {
    let coverage = outcome.coverage;
    let share = |done: u64, all: u64| 100.0 * done as f64 / all.max(1) as f64;
    let chunks =
        |of: fn(&pipeline::ChunkTally) -> u64| outcome.stages.values().map(of).sum::<u64>();
    let (planned, left) = (chunks(|tally| tally.planned), chunks(|tally| tally.left));
    match (coverage.plies_wanted, left) {
        (0, 0) => String::new(),
        (0, _) => format!(
            ": {} of {planned} chunks done ({:.1} %)",
            planned - left,
            share(planned - left, planned)
        ),
        (wanted, _) => format!(
            ": {} of {} plies analysed ({:.1} %)",
            HumanCount(coverage.plies_done),
            HumanCount(wanted),
            share(coverage.plies_done, wanted)
        ),
    }
}

/// The chunks that failed and the games that the engine would not judge, a line each.
pub(super) fn failures(outcome: &RunOutcome) -> String {
    let mut text = String::new();
    for chunk in &outcome.failed {
        text.push_str(&format!(
            "Failed after {} attempts: {} chunk {} of {}: {}\n",
            chunk.attempts, chunk.stage, chunk.key, chunk.archive, chunk.reason
        ));
    }
    for (reason, games) in &outcome.refusals {
        text.push_str(&format!("Not analysed: {games} games: {reason}\n"));
    }
    text
}
