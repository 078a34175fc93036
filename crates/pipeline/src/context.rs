//! What every stage of a run needs: the job, the output, the readers' and judges' settings, threads, progress.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::alive::{Habits, Life};
use crate::alone::Choice;
use crate::chunk::{Done, Id};
use crate::isolating::DIED;
use crate::job::Job;
use crate::key::ChunkKey;
use crate::metrics::Metrics;
use crate::outcome::{ChunkTally, Pace, RunOutcome, SlowChunk};
use crate::output::Output;
use crate::progress::{Event, Rate};
use crate::pseudonyms::Pseudonyms;
use crate::receipt::Receipt;
use crate::rulebook::Rulebook;
use crate::run::{Cancel, Moment, RunError, RunOptions};
use crate::stage::Stage;

/// At most this many chunks are open at once: each holds a reader and the open parts of its tables.
const OPEN_CHUNKS: usize = 8;

/// The slowest chunks that the outcome names.
const SLOWEST: usize = 10;

/// Progress events come at most this often.
const EVENT_EVERY: Duration = Duration::from_millis(150);

/// Which chunks a process works on; of the others it takes what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// All of them.
    Everything,
    /// Those that are cheap and stand on receipts alone: cuts, aggregates and merged parts. The rest is left to tasks.
    Conclusions,
}

/// One run's surroundings.
pub(crate) struct Context<'a> {
    pub(crate) job: &'a Job,
    pub(crate) options: &'a RunOptions,
    pub(crate) output: Output,
    pub(crate) rulebook: Rulebook,
    pub(crate) reader: archive::ReaderSettings,
    /// What stands for players' names, where the job wants that.
    pub(crate) pseudonyms: Option<Pseudonyms>,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) metrics: Metrics,
    /// Which games of the chunk: all, but for a child that looks for those that are to blame.
    pub(crate) choice: Choice,
    /// That this process lives, and which others do.
    pub(crate) life: Life,
    /// The run's id.
    pub(crate) run: String,
    reach: Reach,
    started: Instant,
    abort: Arc<AtomicBool>,
    serial: AtomicU64,
    slowest: Mutex<Vec<SlowChunk>>,
    /// Chunks that were open when other machines were asked to do them.
    dispatched: Mutex<BTreeSet<(Stage, ChunkKey)>>,
    outcome: Mutex<RunOutcome>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        job: &'a Job,
        options: &'a RunOptions,
        output: Output,
        reach: Reach,
    ) -> Result<Context<'a>, RunError> {
        let rulebook = Rulebook::new(&job.rules, job.input.numbering)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(job.threads())
            .thread_name(|number| format!("replay-{number}"))
            .build()
            .map_err(|error| {
                RunError::Usage(format!("cannot start {} threads: {error}", job.threads()))
            })?;
        let run = run_id();
        let habits = Habits {
            driver: output.is_listed(),
            every: job.run.beat,
            stall: job.run.stall,
        };
        let store = Arc::clone(output.store());
        let life = Life::new(store, &run, habits, options.stalled.clone());
        Ok(Context {
            life,
            choice: Choice::default(),
            job,
            options,
            output,
            rulebook,
            reader: reader_settings(job),
            pseudonyms: Pseudonyms::of(job)?,
            reach,
            pool,
            metrics: Metrics::new(job, options.dry_run),
            outcome: Mutex::new(RunOutcome {
                run: run.clone(),
                ..RunOutcome::default()
            }),
            run,
            started: Instant::now(),
            abort: Arc::default(),
            serial: AtomicU64::new(0),
            slowest: Mutex::default(),
            dispatched: Mutex::default(),
        })
    }

    /// Whether this process does chunks of the stage itself.
    pub(crate) fn works_on(&self, stage: Stage) -> bool {
        self.reach == Reach::Everything
            || matches!(stage, Stage::Cut | Stage::Aggregate | Stage::Compact)
    }

    /// Whether a chunk's receipt is one to go by: with `--retry-failed`, chunks are open again in which games took processes down.
    pub(crate) fn goes_by(&self, receipt: &Receipt) -> bool {
        !self.options.retry_failed || receipt.count(DIED) == 0
    }

    /// Whether work has to stop: the user said so, or another thread met a fatal error.
    pub(crate) fn cancelled(&self) -> bool {
        self.options.cancel.is_raised() || self.abort.load(Ordering::SeqCst)
    }

    /// A new plan: what the last one met is over.
    pub(crate) fn begin_again(&self) {
        self.abort.store(false, Ordering::SeqCst);
        self.note(|outcome| outcome.stages.clear());
    }

    /// The same question for readers that outlive this context's borrow.
    pub(crate) fn stop(&self) -> Stop {
        Stop {
            cancel: self.options.cancel.clone(),
            abort: Arc::clone(&self.abort),
        }
    }

    /// Whether no new chunk may begin.
    pub(crate) fn deadline_came(&self) -> bool {
        let deadline = self.job.run.deadline;
        self.reach == Reach::Everything
            && deadline.is_some_and(|deadline| self.started.elapsed() >= deadline)
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(crate) fn at(&self, moment: Moment, stage: Stage) {
        if let Some(listener) = &self.options.at {
            listener(moment, stage);
        }
    }

    /// A name no other marker of any run has.
    pub(crate) fn unique(&self) -> String {
        format!(
            "{}.{}",
            self.run,
            self.serial.fetch_add(1, Ordering::SeqCst)
        )
    }

    /// How many chunks are worked on at once.
    pub(crate) fn open_chunks(&self) -> usize {
        self.job.threads().min(OPEN_CHUNKS)
    }

    /// Runs `work` over the items on `workers` threads and gives the results in the items' order. The first fatal error stops the
    /// others.
    pub(crate) fn each<T: Sync, R: Send>(
        &self,
        workers: usize,
        items: &[T],
        work: impl Fn(&T) -> Result<R, RunError> + Sync,
    ) -> Result<Vec<R>, RunError> {
        let next = AtomicU64::new(0);
        let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
        let failure: Mutex<Option<RunError>> = Mutex::new(None);
        let one = || {
            while let Some((at, item)) = take(items, &next) {
                match work(item) {
                    Ok(result) => results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, result)),
                    Err(error) => {
                        self.abort.store(true, Ordering::SeqCst);
                        failure
                            .lock()
                            .unwrap_or_else(PoisonError::into_inner)
                            .get_or_insert(error);
                        return;
                    }
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..workers.min(items.len()) {
                scope.spawn(one);
            }
            one();
        });
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => {
                let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
                results.sort_unstable_by_key(|(at, _)| *at);
                Ok(results.into_iter().map(|(_, result)| result).collect())
            }
        }
    }

    /// Notes a chunk that this run finished.
    pub(crate) fn chunk_done(&self, id: &Id, took: Duration) {
        tracing::info!(run = self.run, stage = %id.stage, chunk = %id.key, archive = id.archive, ms = took.as_millis() as u64, "chunk done");
        self.options.progress.event(&Event::ChunkDone {
            stage: id.stage,
            key: id.key,
            archive: &id.archive,
            took,
        });
        let mut slowest = self.slowest.lock().unwrap_or_else(PoisonError::into_inner);
        slowest.push(SlowChunk {
            stage: id.stage,
            key: id.key,
            archive: id.archive.clone(),
            took,
        });
        slowest.sort_by_key(|chunk| std::cmp::Reverse(chunk.took));
        slowest.truncate(SLOWEST);
    }

    /// Notes chunks that other machines were asked to do: what is done of them is this run's doing.
    pub(crate) fn dispatched(&self, stage: Stage, keys: Vec<ChunkKey>) {
        let dispatched = self.dispatched.lock();
        let mut dispatched = dispatched.unwrap_or_else(PoisonError::into_inner);
        dispatched.extend(keys.into_iter().map(|key| (stage, key)));
    }

    /// Notes chunks that had receipts when the stage was planned.
    pub(crate) fn tally_skipped(&self, stage: Stage, skipped: u64) {
        self.note(|outcome| {
            let sum = outcome.stages.entry(stage).or_default();
            sum.planned += skipped;
            sum.skipped += skipped;
        });
    }

    /// Notes what became of the chunks of a stage.
    pub(crate) fn tally<'d>(&self, stage: Stage, done: impl IntoIterator<Item = &'d Done>) {
        let mut tally = ChunkTally::default();
        let dispatched = self.dispatched.lock();
        let dispatched = dispatched.unwrap_or_else(PoisonError::into_inner);
        for done in done {
            tally.planned += 1;
            match done {
                Done::Skipped(receipt) if dispatched.contains(&(stage, receipt.key)) => {
                    tally.done += 1;
                }
                Done::Skipped(_) => tally.skipped += 1,
                Done::Made(_) => tally.done += 1,
                Done::Failed(_) | Done::Unreadable(_) => tally.failed += 1,
                Done::Left | Done::Busy => tally.left += 1,
            }
        }
        self.metrics.stage(stage, &tally);
        self.note(|outcome| {
            let sum = outcome.stages.entry(stage).or_default();
            sum.planned += tally.planned;
            sum.skipped += tally.skipped;
            sum.done += tally.done;
            sum.failed += tally.failed;
            sum.left += tally.left;
        });
    }

    /// Changes the outcome.
    pub(crate) fn note(&self, change: impl FnOnce(&mut RunOutcome)) {
        change(&mut self.outcome.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The outcome so far.
    pub(crate) fn outcome(&self) -> RunOutcome {
        let mut outcome = self
            .outcome
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        outcome.slowest = self
            .slowest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        outcome.elapsed = self.elapsed();
        outcome
    }

    /// Begins to measure a stage.
    pub(crate) fn meter(
        &self,
        stage: Stage,
        chunks: u64,
        skipped: u64,
        total: u64,
        unit: &'static str,
    ) -> Meter<'_> {
        self.options.progress.event(&Event::StageStarted {
            stage,
            chunks,
            skipped,
            total,
            unit,
        });
        Meter {
            context: self,
            stage,
            total,
            done: AtomicU64::new(0),
            started: Instant::now(),
            last: Mutex::new(Instant::now()),
        }
    }
}

/// How the job's archives are read.
fn reader_settings(job: &Job) -> archive::ReaderSettings {
    let limits = &job.input.limits;
    archive::ReaderSettings {
        encoding: job.input.encoding,
        dialect: job.input.dialect,
        zstd_window_log_max: limits.zstd_window_log_max,
        max_ratio: limits.max_ratio,
        max_decompressed_bytes: limits.max_decompressed_bytes,
        max_archive_bytes: limits.max_archive_bytes,
        max_members: limits.max_members,
        ..archive::ReaderSettings::default()
    }
}

/// Whether work has to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop {
    cancel: Cancel,
    abort: Arc<AtomicBool>,
}

impl Stop {
    pub(crate) fn raised(&self) -> bool {
        self.cancel.is_raised() || self.abort.load(Ordering::SeqCst)
    }
}

fn take<'t, T>(items: &'t [T], next: &AtomicU64) -> Option<(usize, &'t T)> {
    let at = usize::try_from(next.fetch_add(1, Ordering::SeqCst)).ok()?;
    items.get(at).map(|item| (at, item))
}

/// Measures a stage.
pub(crate) struct Meter<'a> {
    context: &'a Context<'a>,
    stage: Stage,
    total: u64,
    done: AtomicU64,
    started: Instant,
    last: Mutex<Instant>,
}

impl Meter<'_> {
    /// Some work is done.
    pub(crate) fn add(&self, work: u64) {
        self.done.fetch_add(work, Ordering::Relaxed);
        self.context.life.pulse();
        let Ok(mut last) = self.last.try_lock() else {
            return;
        };
        if last.elapsed() >= EVENT_EVERY {
            *last = Instant::now();
            self.context.options.progress.event(&Event::Advanced {
                stage: self.stage,
                facts: self.rate(),
            });
            self.context
                .metrics
                .work(self.stage, self.done.load(Ordering::Relaxed));
        }
    }

    /// So much of the work is done.
    pub(crate) fn set(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.add(0);
    }

    /// The stage is over.
    pub(crate) fn finish(self) {
        let pace = Pace {
            work: self.done.load(Ordering::Relaxed),
            took: self.started.elapsed(),
        };
        self.context.metrics.work(self.stage, pace.work);
        self.context.note(|outcome| {
            let sum = outcome.paces.entry(self.stage).or_default();
            sum.work += pace.work;
            sum.took += pace.took;
        });
        self.context.options.progress.event(&Event::StageDone {
            stage: self.stage,
            facts: self.rate(),
        });
    }

    fn rate(&self) -> Rate {
        let done = self.done.load(Ordering::Relaxed);
        let elapsed = self.started.elapsed();
        let seconds = elapsed.as_secs_f64();
        let per_second = if seconds > 0.0 {
            done as f64 / seconds
        } else {
            0.0
        };
        let left = self.total.saturating_sub(done) as f64 / per_second;
        Rate {
            done,
            total: self.total,
            per_second,
            left: (self.total > 0 && left.is_finite())
                .then(|| Duration::from_secs_f64(left.min(1e9))),
            elapsed,
        }
    }
}

/// Sorts by time of start; no two are equal.
fn run_id() -> String {
    use std::hash::{BuildHasher, Hasher, RandomState};
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    // Each RandomState is seeded by the system.
    let word = RandomState::new().build_hasher().finish();
    format!("{now}-{:08x}", word as u32)
}
