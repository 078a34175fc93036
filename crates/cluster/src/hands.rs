//! What a worker does with one chunk: one at a time, and stopping when the job is over or the worker has to go.

use std::future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use datafusion::error::{DataFusionError, Result};
use pipeline::{Cancel, RunError, RunOptions, Share, TaskOutcome};
use tokio::sync::Semaphore;

use crate::client::{Client, JobState};
use crate::operator::Work;
use crate::worker::WorkerSettings;

/// How often a worker that works asks whether its job still stands.
const LOOK: Duration = Duration::from_secs(1);

/// The chunk was done, or its failure is marked.
const SETTLED: &str = "settled";
/// The deadline came before it began.
const LEFT: &str = "left";

/// One worker process's hands.
#[derive(Debug)]
pub(crate) struct Hands {
    client: Client,
    threads: Option<usize>,
    chunks: RunOptions,
    /// A chunk uses every core by itself: two at once would only get in each other's way.
    permit: Semaphore,
    stopping: AtomicBool,
}

impl Hands {
    pub(crate) fn new(client: Client, settings: &WorkerSettings) -> Hands {
        Hands {
            client,
            threads: settings.threads,
            chunks: settings.chunks.clone(),
            permit: Semaphore::new(1),
            stopping: AtomicBool::new(false),
        }
    }

    /// Takes no chunk any more, lets go of the one at hand, and comes back when that is so.
    pub(crate) async fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        // The permit is free once the chunk at hand has stopped; it is never given back.
        if let Ok(permit) = self.permit.acquire().await {
            permit.forget();
        }
    }

    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    /// Does a chunk. Broken input and panics are outcomes, marked in the store; an error is one of the surroundings, and an I/O error
    /// says that another try may help.
    pub(crate) async fn take(&self, work: &Work, index: u64, job: &str) -> Result<&'static str> {
        let permit = self.permit.acquire().await;
        let permit = permit.map_err(|_| again("the worker has ended"))?;
        if self.is_stopping() {
            return future::pending().await;
        }
        if is_past(work.deadline_ms) {
            return Ok(LEFT);
        }
        tracing::info!(
            run = work.run,
            stage = work.stage,
            index,
            job,
            "chunk begun"
        );
        let begun = Instant::now();
        let done = self.work(work, index, job).await;
        let ms = begun.elapsed().as_millis() as u64;
        drop(permit);
        let (run, stage) = (&work.run, &work.stage);
        match done? {
            Ok(outcome) if outcome.interrupted => {
                tracing::info!(run, stage, index, job, ms, "chunk let go");
                if self.is_stopping() {
                    // The scheduler hears that this worker is gone and gives the chunk to another; an error would count against it.
                    return future::pending().await;
                }
                Err(again("the job was stopped"))
            }
            Ok(outcome) => {
                let (task, done, skipped, failed) = (
                    &outcome.run,
                    outcome.tally.done,
                    outcome.tally.skipped,
                    outcome.tally.failed,
                );
                tracing::info!(
                    run,
                    task,
                    stage,
                    index,
                    job,
                    done,
                    skipped,
                    failed,
                    ms,
                    "chunk ended"
                );
                Ok(SETTLED)
            }
            Err(error) => {
                tracing::warn!(run, stage, index, job, ms, %error, "chunk not done");
                // What is wrong with the order is wrong at every try.
                Err(match error.exit_status() {
                    2 => DataFusionError::Execution(error.to_string()),
                    _ => again(&error.to_string()),
                })
            }
        }
    }

    /// Works on another thread, and lets go when this future is dropped, the job is over or the worker has to stop.
    async fn work(
        &self,
        work: &Work,
        index: u64,
        job: &str,
    ) -> Result<std::result::Result<TaskOutcome, RunError>> {
        let cancel = LetGo(Cancel::new());
        let options = RunOptions {
            cancel: cancel.0.clone(),
            ..self.chunks.clone()
        };
        let share = Share {
            index,
            stride: None,
            threads: self.threads,
        };
        let manifest = work.manifest.clone();
        let mut task =
            tokio::task::spawn_blocking(move || pipeline::task(&manifest, share, &options));
        let mut look = tokio::time::interval(LOOK);
        look.tick().await;
        loop {
            tokio::select! {
                done = &mut task => {
                    return done.map_err(|error| again(&format!("the chunk's thread ended: {error}")));
                }
                _ = look.tick() => {
                    if self.is_stopping() || self.is_over(job).await {
                        cancel.0.raise();
                    }
                }
            }
        }
    }

    /// Whether a job ended without this chunk: cancelled, failed, or done by others. A scheduler that is away or forgot the job says
    /// nothing about it: then the chunk is worth finishing.
    async fn is_over(&self, job: &str) -> bool {
        let state = self.client.clone().state(job).await;
        matches!(state, Ok((JobState::Done | JobState::Failed(_), _)))
    }
}

/// Lets go of a chunk when nobody waits for it any more.
struct LetGo(Cancel);

impl Drop for LetGo {
    fn drop(&mut self) {
        self.0.raise();
    }
}

fn is_past(deadline_ms: Option<u64>) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.unwrap_or_default().as_millis();
    deadline_ms.is_some_and(|deadline| now >= u128::from(deadline))
}

/// The only kind of error after which Ballista tries again.
fn again(reason: &str) -> DataFusionError {
    DataFusionError::IoError(std::io::Error::other(reason.to_owned()))
}

/// Shared, so that the operator finds it in its session.
pub(crate) type SharedHands = Arc<Hands>;
