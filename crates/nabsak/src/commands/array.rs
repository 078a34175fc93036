//! `nabsak plan`, `task` and `commit`: a job as an array of Slurm, Kubernetes or AWS Batch.

use std::io::Write;

use pipeline::{RunOptions, RunOutcome, Share, Stage, TaskOutcome};

use super::run::{self, failure, options, read_job, this_command};
use crate::cli::{ArrayStage, CommitArgs, LogArgs, PlanArgs, TaskArgs};
use crate::exit::{self, DONE, Exit};
use crate::logging::say;

/// Plans a stage; standard output gets `name=value` lines that a shell can read.
pub(super) fn plan(args: &PlanArgs, log: &LogArgs) -> anyhow::Result<Exit> {
    let job = read_job(&args.job, &args.set)?;
    let stage = match args.stage {
        ArrayStage::Index => Stage::Index,
        ArrayStage::Replay => Stage::Replay,
        ArrayStage::Search => Stage::Search,
        ArrayStage::Assemble => Stage::Assemble,
    };
    let options = RunOptions {
        retry_failed: args.retry_failed,
        ..options(log)?
    };
    let planned =
        pipeline::plan(&job, stage, &options).map_err(|error| failure(&error, &this_command()))?;
    for (before, tally) in &planned.before {
        if tally.left + tally.failed > 0 {
            say(format!(
                "{before} is not complete: {} of {} chunks are missing; {stage} is planned for the others",
                tally.left + tally.failed,
                tally.planned
            ));
        }
    }
    if planned.given_up > 0 {
        say(format!(
            "{} chunks were given up after too many deaths and are left out; --retry-failed takes them up again",
            planned.given_up
        ));
    }
    let mut out = std::io::stdout().lock();
    writeln!(out, "chunks={}", planned.chunks)?;
    if let Some(manifest) = planned.manifest {
        let tasks = planned.chunks.min(args.max_tasks);
        writeln!(out, "manifest={manifest}")?;
        writeln!(out, "array=0-{}", tasks - 1)?;
        writeln!(out, "tasks={tasks}")?;
        writeln!(out, "stride={tasks}")?;
    } else {
        say(format!("nothing is left to do of {stage}"));
    }
    Ok(DONE)
}

/// Does a task's chunks.
pub(super) fn task(args: &TaskArgs, log: &LogArgs) -> anyhow::Result<Exit> {
    let index = match args.index {
        Some(index) => index,
        None => index_from(|name| std::env::var(name).ok())?,
    };
    let share = Share {
        index,
        stride: args.stride,
        threads: args.threads.map(usize::from),
    };
    let again = this_command();
    let outcome = pipeline::task(&args.manifest, share, &options(log)?)
        .map_err(|error| failure(&error, &again))?;
    if outcome.interrupted {
        run::say_interrupted(&again);
    } else {
        write!(std::io::stdout().lock(), "{}", after_task(&outcome, index))?;
    }
    Ok(Exit::from_code(outcome.exit_status()))
}

/// Where array jobs say which task this is.
const INDEX_VARIABLES: [&str; 3] = [
    "SLURM_ARRAY_TASK_ID",
    "JOB_COMPLETION_INDEX",
    "AWS_BATCH_JOB_ARRAY_INDEX",
];

fn index_from(variable: impl Fn(&str) -> Option<String>) -> anyhow::Result<u64> {
    let set: Vec<(&str, String)> = INDEX_VARIABLES
        .into_iter()
        .filter_map(|name| Some((name, variable(name)?)))
        .collect();
    match set.as_slice() {
        [(name, value)] => value
            .trim()
            .parse()
            .map_err(|_| exit::usage(format!("{name} is '{value}', not a whole number from 0"))),
        [] => Err(exit::usage(format!(
            "--index-from-env: none of {} is set",
            INDEX_VARIABLES.join(", ")
        ))),
        [(one, _), (other, _), ..] => Err(exit::usage(format!(
            "--index-from-env: both {one} and {other} are set: give --index"
        ))),
    }
}

fn after_task(outcome: &TaskOutcome, index: u64) -> String {
    let tally = &outcome.tally;
    let mut text = format!(
        "Task {index} ({}): of {} chunks in the manifest {} done, {} done before, {} failed, {} left, in {:.1} s\n",
        outcome.run,
        outcome.chunks,
        tally.done,
        tally.skipped,
        tally.failed,
        tally.left,
        outcome.elapsed.as_secs_f64()
    );
    for chunk in &outcome.failed {
        text.push_str(&format!(
            "Failed, and marked: {} chunk {} of {}: {}\n",
            chunk.stage, chunk.key, chunk.archive, chunk.reason
        ));
    }
    for (archive, reason) in &outcome.unreadable {
        text.push_str(&format!("Cannot be read: {archive}: {reason}\n"));
    }
    text
}

/// Commits what is there.
pub(super) fn commit(args: &CommitArgs, log: &LogArgs) -> anyhow::Result<Exit> {
    let job = read_job(&args.job, &args.set)?;
    let again = this_command();
    let outcome =
        pipeline::commit(&job, &options(log)?).map_err(|error| failure(&error, &again))?;
    if outcome.interrupted {
        run::say_interrupted(&again);
        return Ok(Exit::from_code(outcome.exit_status()));
    }
    let mut out = std::io::stdout().lock();
    if outcome.commit.is_some() {
        run::publish(&mut out, &job, &outcome)?;
    }
    write!(
        out,
        "{}",
        after_commit(&outcome, &args.job.display().to_string())
    )?;
    Ok(Exit::from_code(outcome.exit_status()))
}

fn after_commit(outcome: &RunOutcome, job: &str) -> String {
    let mut text = match outcome.commit {
        Some(number) if outcome.committed => format!("Commit {number}\n"),
        Some(number) => format!("Nothing to publish, commit {number} stays current\n"),
        None => "Nothing to publish yet\n".to_owned(),
    };
    text.push_str(&run::failures(outcome));
    for (stage, tally) in &outcome.stages {
        if tally.left + tally.failed > 0 {
            let done = tally.skipped + tally.done;
            text.push_str(&format!(
                "Not complete: {stage}: {done} of {} chunks done, {} failed, {} left ({:.1} % done)\n",
                tally.planned,
                tally.failed,
                tally.left,
                100.0 * done as f64 / tally.planned as f64
            ));
        }
    }
    if let Some(next) = outcome.next_stage() {
        text.push_str(&format!("Next: nabsak plan {job} --stage {next}\n"));
    } else if let Some(failed) = outcome.failed.first() {
        text.push_str(&format!(
            "To try the failed chunks again: nabsak plan {job} --stage {} --retry-failed\n",
            failed.stage
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_taken_from_the_one_variable_that_is_set() {
        let from = |set: &'static [(&'static str, &'static str)]| {
            index_from(move |name| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            })
        };
        for name in INDEX_VARIABLES {
            let found = index_from(|asked| (asked == name).then(|| "7".to_owned()));
            assert_eq!(found.ok(), Some(7), "{name}");
        }
        let said = |set| from(set).expect_err("refused").to_string();
        assert!(said(&[]).contains("JOB_COMPLETION_INDEX"));
        assert!(said(&[("SLURM_ARRAY_TASK_ID", "x")]).contains("not a whole number"));
        let two = &[
            ("SLURM_ARRAY_TASK_ID", "1"),
            ("AWS_BATCH_JOB_ARRAY_INDEX", "2"),
        ];
        assert!(said(two).contains("--index"));
    }
}
