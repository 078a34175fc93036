//! One chunk from attempt marker to receipt, whatever its stage: skip, count deaths, catch panics, publish.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::commit::FailedChunk;
use crate::context::Context;
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

/// What a chunk's work gives.
#[derive(Debug, Default)]
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
    /// The run was told to stop before it was done.
    Left,
}

/// A failed marker: a chunk that was given up.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Failure {
    version: u32,
    chunk: FailedChunk,
    /// It took the process down: only `--retry-failed` tries it again. Otherwise the next run does.
    deadly: bool,
}

fn failed_path(id: &Id) -> String {
    format!("_nabsak/failed/{}/{}", id.stage, id.key)
}

fn attempts_prefix(id: &Id) -> String {
    format!("_nabsak/attempts/{}/{}/", id.stage, id.key)
}

/// Runs a chunk, or finds that it is done. `usable` says whether a receipt that is there can still be used.
pub(crate) fn run(
    context: &Context<'_>,
    id: &Id,
    usable: impl Fn(&Receipt) -> bool,
    work: impl FnOnce() -> Result<Made, Halt>,
) -> Result<Done, RunError> {
    if let Some(receipt) = context.output.receipt(id.stage, &id.key)? {
        if usable(&receipt) {
            // A process that died right after the receipt left its marker.
            clear(context, id)?;
            return Ok(Done::Skipped(receipt));
        }
        context.output.forget(id.stage, &id.key)?;
    }
    if context.cancelled() {
        return Ok(Done::Left);
    }
    if let Some(failed) = given_up(context, id)? {
        return Ok(Done::Failed(failed));
    }
    let attempt = begin(context, id)?;
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
            context.output.delete(&attempt)?;
            Ok(Done::Left)
        }
        Err(Halt::Unreadable(reason)) => {
            clear(context, id)?;
            Ok(Done::Unreadable(reason))
        }
        Err(Halt::Failed(reason)) => {
            let attempts = attempts(context, id);
            clear(context, id)?;
            give_up(context, id, reason, attempts, false).map(Done::Failed)
        }
        Err(Halt::Fatal(error)) => {
            // The chunk is not to blame. Where the output itself is gone, the marker stays and costs one attempt.
            if let Err(second) = context.output.delete(&attempt) {
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

/// Makes the attempt marker and gives its path.
fn begin(context: &Context<'_>, id: &Id) -> Result<String, RunError> {
    let path = format!("{}{}", attempts_prefix(id), context.unique());
    let created = context.output.create(&path, context.run.clone().into())?;
    tracing::trace!(?created, path, "attempt");
    Ok(path)
}

/// Takes the attempt markers back: the process lives.
fn clear(context: &Context<'_>, id: &Id) -> Result<(), RunError> {
    let markers = context.output.names(&attempts_prefix(id));
    markers
        .iter()
        .try_for_each(|path| context.output.delete(path))
}

/// Whether the chunk was given up before, or is to be given up now because of its deaths.
fn given_up(context: &Context<'_>, id: &Id) -> Result<Option<FailedChunk>, RunError> {
    let path = failed_path(id);
    if context.output.has(&path) {
        let failure: Failure = context.output.get_json(&path)?;
        if failure.deadly && !context.options.retry_failed {
            return Ok(Some(failure.chunk));
        }
        context.output.delete(&path)?;
        clear(context, id)?;
    }
    let deaths = attempts(context, id);
    if deaths < context.job.run.attempts {
        return Ok(None);
    }
    let reason = format!(
        "the process died {deaths} times while it worked on this chunk; --retry-failed tries it again"
    );
    clear(context, id)?;
    give_up(context, id, reason, deaths, true).map(Some)
}

fn give_up(
    context: &Context<'_>,
    id: &Id,
    reason: String,
    attempts: u32,
    deadly: bool,
) -> Result<FailedChunk, RunError> {
    let chunk = FailedChunk {
        stage: id.stage,
        key: id.key,
        archive: id.archive.clone(),
        reason,
        attempts,
    };
    let path = failed_path(id);
    let failure = Failure {
        version: FORMAT,
        chunk,
        deadly,
    };
    context.output.put(&path, json(&path, &failure)?)?;
    tracing::warn!(run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, reason = failure.chunk.reason, "chunk failed");
    context.options.progress.event(&Event::ChunkFailed {
        chunk: &failure.chunk,
    });
    Ok(failure.chunk)
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
