//! One chunk from attempt marker to receipt, whatever its stage: skip, count deaths, catch panics, publish.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::alive::Sign;
use crate::alone::Piece;
use crate::commit::FailedChunk;
use crate::context::Context;
use crate::isolating;
use crate::key::ChunkKey;
use crate::output::json;
use crate::progress::Event;
use crate::receipt::{FORMAT, Facts, Part, Receipt};
use crate::run::{Moment, RunError};
use crate::stage::Stage;

/// Why a chunk has no receipt.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The run was told to stop.
    Cancelled,
    /// This chunk cannot be done now; the others can.
    Failed(String),
    /// It takes processes down: only `--retry-failed` tries it again.
    Deadly(String),
    /// The input object cannot be read; the others can.
    Unreadable(String),
    /// The run cannot go on.
    Fatal(RunError),
}

impl From<RunError> for Halt {
    fn from(error: RunError) -> Halt {
        Halt::Fatal(error)
    }
}

/// Which chunk it is.
#[derive(Clone, Debug)]
pub(crate) struct Id {
    pub(crate) stage: Stage,
    pub(crate) key: ChunkKey,
    /// Archive it belongs to; empty for chunks over everything.
    pub(crate) archive: String,
}

impl Id {
    pub(crate) fn new(stage: Stage, key: ChunkKey, archive: &str) -> Id {
        Id {
            stage,
            key,
            archive: archive.to_owned(),
        }
    }
}

/// What a chunk's work gives.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) parts: Vec<Part>,
    pub(crate) counts: BTreeMap<String, u64>,
    pub(crate) facts: Option<Facts>,
}

/// What became of a chunk.
#[derive(Debug)]
pub(crate) enum Done {
    /// It had a receipt.
    Skipped(Receipt),
    /// This run did it, or another driver was quicker.
    Made(Receipt),
    /// It failed, now or before, and is left out.
    Failed(FailedChunk),
    /// Its input cannot be read.
    Unreadable(String),
    /// Another process that lives is at it.
    Busy,
    /// The run was told to stop before it was done.
    Left,
}

/// What to do about a chunk that another living process is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Leave it for now: there is other work.
    Leave,
    /// Wait until it is done or that process is dead.
    Wait,
}

/// A failed marker: a chunk that was given up.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Failure {
    version: u32,
    chunk: FailedChunk,
    /// It took the process down: only `--retry-failed` tries it again. Otherwise the next run does.
    deadly: bool,
    /// Its input could not be read: a finding about the archive, not a failed chunk.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unreadable: bool,
}

pub(crate) fn failed_path(id: &Id) -> String {
    failed_path_of(id.stage, &id.key)
}

fn failed_path_of(stage: Stage, key: &ChunkKey) -> String {
    format!("{}{key}", failed_folder(stage))
}

/// The folder of a stage's failed markers.
pub(crate) fn failed_folder(stage: Stage) -> String {
    format!("_nabsak/failed/{stage}/")
}

/// The folder of all attempt markers.
pub(crate) const ATTEMPTS: &str = "_nabsak/attempts/";

/// The folder of a chunk's attempt markers.
pub(crate) fn attempts_prefix(id: &Id) -> String {
    format!("{ATTEMPTS}{}/{}/", id.stage, id.key)
}

/// Runs a chunk, or finds that it is done. `usable` says whether a receipt that is there can still be used.
pub(crate) fn run(
    context: &Context<'_>,
    id: &Id,
    patience: Patience,
    usable: impl Fn(&Receipt) -> bool,
    alone: impl Fn() -> Option<Piece>,
    work: impl FnOnce() -> Result<Made, Halt>,
) -> Result<Done, RunError> {
    let (mut waited, mut looked) = (false, context.life.has_company());
    loop {
        match once(context, id, looked, &usable)? {
            Ready::Done(done) => return Ok(done),
            // Another driver may have come since the listing: what is worked on is worth a look, what is done is not.
            Ready::Open(_) if !looked => looked = true,
            Ready::Open(deaths) => {
                if let Some(marker) = begin(context, id, deaths)? {
                    let piece = alone().filter(|_| deaths >= deaths_alone(context));
                    return match (piece, &context.options.child) {
                        (Some(piece), Some(child)) => attempt(context, id, &marker, || {
                            isolating::isolate(context, child, id, deaths, piece)
                        }),
                        _ => attempt(context, id, &marker, work),
                    };
                }
            }
            Ready::Busy(_) if patience == Patience::Leave => return Ok(Done::Busy),
            Ready::Busy(_) if context.cancelled() || context.deadline_came() => {
                return Ok(Done::Left);
            }
            Ready::Busy(sign) => {
                if !waited {
                    tracing::info!(run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, by = sign.who(), "waiting for another process that is at this chunk");
                }
                (waited, looked) = (true, true);
                context.life.pulse();
                thread::sleep(context.life.patience());
            }
        }
    }
}

/// Deaths after which a chunk is worked on in a child.
fn deaths_alone(context: &Context<'_>) -> u32 {
    context.job.run.attempts.min(isolating::DEATHS)
}

/// How a chunk stands before work on it.
enum Ready {
    /// There is nothing to do.
    Done(Done),
    /// Another process is at it.
    Busy(Sign),
    /// It is to be done; so many processes have died at it.
    Open(u32),
}

/// Looks how a chunk stands.
fn once(
    context: &Context<'_>,
    id: &Id,
    again: bool,
    usable: impl Fn(&Receipt) -> bool,
) -> Result<Ready, RunError> {
    if again {
        context.output.look_again(id)?;
    } else {
        context.output.look(id)?;
    }
    let works = context.works_on(id.stage);
    if let Some(receipt) = context.output.receipt(id.stage, &id.key)? {
        if usable(&receipt) && (context.goes_by(&receipt) || !works) {
            // A process that died right after the receipt left its marker.
            clear(context, id)?;
            return Ok(Ready::Done(Done::Skipped(receipt)));
        }
        if works {
            context.output.forget(id.stage, &id.key)?;
        }
    }
    if !works {
        return undone(context, id).map(Ready::Done);
    }
    if context.cancelled() {
        return Ok(Ready::Done(Done::Left));
    }
    if let Some(failed) = failed_for_good(context, id)? {
        return Ok(Ready::Done(Done::Failed(failed)));
    }
    let others = Others::of(context, id)?;
    if let Some(sign) = others.living.into_iter().next() {
        return Ok(Ready::Busy(sign));
    }
    let isolable = matches!(id.stage, Stage::Index | Stage::Replay | Stage::Search);
    let isolable = isolable && context.options.child.is_some();
    if others.deaths >= context.job.run.attempts && !isolable {
        let failed = died_too_often(context, id, others.deaths)?;
        return Ok(Ready::Done(Done::Failed(failed)));
    }
    Ok(Ready::Open(others.deaths))
}

/// Works on a chunk.
fn attempt(
    context: &Context<'_>,
    id: &Id,
    marker: &str,
    work: impl FnOnce() -> Result<Made, Halt>,
) -> Result<Done, RunError> {
    let name = format!("{} chunk {} of '{}'", id.stage, id.key, id.archive);
    context.life.begin(&name);
    let done = carry_out(context, id, marker, work);
    context.life.end(&name);
    done
}

fn carry_out(
    context: &Context<'_>,
    id: &Id,
    attempt: &str,
    work: impl FnOnce() -> Result<Made, Halt>,
) -> Result<Done, RunError> {
    let started = Instant::now();
    context.at(Moment::Begin, id.stage);
    let outcome = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Halt::Failed(words_of(panic.as_ref()))));
    match outcome {
        Ok(made) => {
            context.at(Moment::PartsWritten, id.stage);
            let receipt = publish(context, id, made)?;
            context.at(Moment::ReceiptWritten, id.stage);
            clear(context, id)?;
            context.chunk_done(id, started.elapsed());
            Ok(Done::Made(receipt))
        }
        Err(Halt::Cancelled) => {
            context.output.delete(attempt)?;
            Ok(Done::Left)
        }
        Err(Halt::Unreadable(reason)) => {
            clear(context, id)?;
            let failure = failure(id, reason.clone(), 1);
            mark(
                context,
                &Failure {
                    unreadable: true,
                    ..failure
                },
            )?;
            Ok(Done::Unreadable(reason))
        }
        Err(Halt::Deadly(reason)) => {
            let attempts = attempts(context, id);
            clear(context, id)?;
            let failure = Failure {
                deadly: true,
                ..failure(id, reason, attempts)
            };
            give_up(context, failure).map(Done::Failed)
        }
        Err(Halt::Failed(reason)) => {
            let attempts = attempts(context, id);
            clear(context, id)?;
            give_up(context, failure(id, reason, attempts)).map(Done::Failed)
        }
        Err(Halt::Fatal(error)) => {
            // The chunk is not to blame. Where the output itself is gone, the marker stays and costs one attempt.
            if let Err(second) = context.output.delete(attempt) {
                tracing::debug!(%second, "the attempt marker stays");
            }
            Err(error)
        }
    }
}

fn publish(context: &Context<'_>, id: &Id, made: Made) -> Result<Receipt, RunError> {
    context.output.publish(Receipt {
        version: FORMAT,
        stage: id.stage,
        key: id.key,
        archive: id.archive.clone(),
        parts: made.parts,
        counts: made.counts,
        facts: made.facts.unwrap_or(Facts::None),
    })
}

fn attempts(context: &Context<'_>, id: &Id) -> u32 {
    u32::try_from(context.output.names(&attempts_prefix(id)).len()).unwrap_or(u32::MAX)
}

/// Makes the attempt marker and gives its path; none where another process made one at the same moment, and goes before.
fn begin(context: &Context<'_>, id: &Id, deaths: u32) -> Result<Option<String>, RunError> {
    // The sign stands before the marker: a marker without a sign is a dead process's.
    context.life.give_sign()?;
    let path = format!("{}{}", attempts_prefix(id), context.unique());
    let created = context.output.create(&path, context.run.clone().into())?;
    if context.life.has_company() || !context.output.is_listed() {
        context.output.look_again(id)?;
        let others = Others::of(context, id)?.living;
        if others.iter().any(|other| other.run < context.run) {
            context.output.delete(&path)?;
            return Ok(None);
        }
    }
    tracing::debug!(run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, deaths, ?created, "chunk begun");
    if deaths > 0 {
        tracing::warn!(target: "pipeline::mending", run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, deaths, "a process died at this chunk; it is tried again");
    }
    Ok(Some(path))
}

/// What other processes' attempt markers say of a chunk.
struct Others {
    /// Processes that are at it.
    living: Vec<Sign>,
    /// Processes that died at it.
    deaths: u32,
}

impl Others {
    fn of(context: &Context<'_>, id: &Id) -> Result<Others, RunError> {
        let mut others = Others {
            living: Vec::new(),
            deaths: 0,
        };
        for marker in context.output.names(&attempts_prefix(id)) {
            let run = run_in(&marker);
            // A marker of our own is left from a pass that a store's failure ended.
            if run == context.run {
                continue;
            }
            match context.life.living(run)? {
                Some(sign) => others.living.push(sign),
                None => others.deaths += 1,
            }
        }
        Ok(others)
    }
}

/// The run in a marker's path.
pub(crate) fn run_in(marker: &str) -> &str {
    let name = marker.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(run, _)| run)
}

/// Takes the attempt markers back: the process lives.
fn clear(context: &Context<'_>, id: &Id) -> Result<(), RunError> {
    let markers = context.output.names(&attempts_prefix(id));
    markers
        .iter()
        .try_for_each(|path| context.output.delete(path))
}

/// The failed marker of a chunk, if it has one.
fn failed_before(context: &Context<'_>, id: &Id) -> Result<Option<Failure>, RunError> {
    let path = failed_path(id);
    context
        .output
        .has(&path)
        .then(|| context.output.get_json(&path))
        .transpose()
}

/// A chunk without a receipt that this process leaves to others: what its marker says of it.
fn undone(context: &Context<'_>, id: &Id) -> Result<Done, RunError> {
    Ok(match failed_before(context, id)? {
        Some(failure) if failure.unreadable => Done::Unreadable(failure.chunk.reason),
        Some(failure) => Done::Failed(failure.chunk),
        None => Done::Left,
    })
}

/// Whether a chunk without a usable receipt is one to do, or was given up for good. With `--retry-failed` its marker
/// is taken back and it is open again.
pub(crate) fn is_open(context: &Context<'_>, id: &Id) -> Result<bool, RunError> {
    match failed_before(context, id)? {
        Some(failure) if failure.deadly && !context.options.retry_failed => Ok(false),
        Some(failure) if failure.deadly => {
            context.output.delete(&failed_path(id))?;
            clear(context, id)?;
            Ok(true)
        }
        _ => Ok(true),
    }
}

/// What a chunk's failed marker says, if it was given up for good. Any other marker is taken away.
fn failed_for_good(context: &Context<'_>, id: &Id) -> Result<Option<FailedChunk>, RunError> {
    if let Some(failure) = failed_before(context, id)? {
        if failure.deadly && !context.options.retry_failed {
            return Ok(Some(failure.chunk));
        }
        context.output.delete(&failed_path(id))?;
        clear(context, id)?;
    }
    Ok(None)
}

/// Gives up a chunk at which as many processes died as the job allows.
fn died_too_often(context: &Context<'_>, id: &Id, deaths: u32) -> Result<FailedChunk, RunError> {
    let reason = format!(
        "the process died {deaths} times while it worked on this chunk; --retry-failed tries it again"
    );
    clear(context, id)?;
    let failure = Failure {
        deadly: true,
        ..failure(id, reason, deaths)
    };
    give_up(context, failure)
}

fn failure(id: &Id, reason: String, attempts: u32) -> Failure {
    Failure {
        version: FORMAT,
        chunk: FailedChunk {
            stage: id.stage,
            key: id.key,
            archive: id.archive.clone(),
            reason,
            attempts,
        },
        deadly: false,
        unreadable: false,
    }
}

/// Writes a failed marker.
fn mark(context: &Context<'_>, failure: &Failure) -> Result<(), RunError> {
    let path = failed_path_of(failure.chunk.stage, &failure.chunk.key);
    context.output.put(&path, json(&path, failure)?)
}

fn give_up(context: &Context<'_>, failure: Failure) -> Result<FailedChunk, RunError> {
    mark(context, &failure)?;
    let chunk = failure.chunk;
    tracing::warn!(run = context.run, stage = %chunk.stage, chunk = %chunk.key, archive = chunk.archive, reason = chunk.reason, "chunk failed");
    let event = Event::ChunkFailed { chunk: &chunk };
    context.options.progress.event(&event);
    Ok(chunk)
}

/// What a panic said.
pub(crate) fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!(
        "internal error: {}",
        text.unwrap_or_else(|| "a panic without words".to_owned())
    )
}
