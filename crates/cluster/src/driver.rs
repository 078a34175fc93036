//! The driver's side: waves of chunks to a scheduler, and what to do when it, or the workers, are gone.

use std::time::{Duration, Instant, UNIX_EPOCH};

use pipeline::{Dispatch, Order, RunError};
use tokio::runtime::Runtime;

use crate::address::Address;
use crate::client::{Client, Fault, JobState};
use crate::error::ClusterError;
use crate::operator::{self, Work};

/// Chunks in a wave: the plan of one must stay far below the largest message.
const WAVE: usize = 1000;
/// How often a job is asked about.
const POLL: Duration = Duration::from_millis(200);
/// How often the store is asked what is done, at most; a listing that takes long is made seldom.
const LOOK: Duration = Duration::from_secs(1);
/// So many waves in a row may bring nothing.
const FRUITLESS: u32 = 3;
/// So many answers in a row that the job is unknown mean that it is lost.
const UNKNOWN: u32 = 3;

/// Does the chunks of a run on a Ballista cluster.
#[derive(Clone, Debug)]
pub struct Driver {
    address: Address,
    patience: Duration,
}

impl Driver {
    /// `patience`: how long to wait for a scheduler that does not answer, or for a first worker.
    #[must_use]
    pub fn new(address: Address, patience: Duration) -> Driver {
        Driver { address, patience }
    }
}

impl Dispatch for Driver {
    fn dispatch(&self, order: &Order<'_>) -> Result<(), RunError> {
        let line = Line::open(&self.address, self.patience).map_err(run_error)?;
        Stage {
            line,
            order,
            waves: 0,
        }
        .carry_out()
    }
}

pub(crate) fn run_error(error: ClusterError) -> RunError {
    match error.exit_status() {
        2 => RunError::Usage(error.to_string()),
        _ => RunError::Cluster(error.to_string()),
    }
}

/// A client with the patience for a scheduler that is away and for workers that do not come.
pub(crate) struct Line {
    address: Address,
    patience: Duration,
    runtime: Runtime,
    client: Client,
    away: Option<Instant>,
    idle: Option<Instant>,
}

impl Line {
    pub(crate) fn open(address: &Address, patience: Duration) -> Result<Line, ClusterError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|source| ClusterError::io("starting a thread", source))?;
        let client = {
            let _inside = runtime.enter();
            Client::new(address)
        };
        let client = client.map_err(|error| ClusterError::Failed(error.to_string()))?;
        Ok(Line {
            address: address.clone(),
            patience,
            runtime,
            client,
            away: None,
            idle: None,
        })
    }

    /// Whether a scheduler is there and has a worker now.
    pub(crate) fn is_ready(&mut self) -> Result<bool, ClusterError> {
        let answer = self.runtime.block_on(self.client.hello());
        let workers = self.answered(answer)?;
        self.has_workers(workers)
    }

    /// Waits until it is so; `false` where `stop` said so first.
    pub(crate) fn wait_ready(&mut self, stop: impl Fn() -> bool) -> Result<bool, ClusterError> {
        while !self.is_ready()? {
            if stop() {
                return Ok(false);
            }
            std::thread::sleep(POLL);
        }
        Ok(true)
    }

    /// The answer; `None` where there is none, which is borne for a while.
    fn answered<T>(&mut self, answer: Result<T, Fault>) -> Result<Option<T>, ClusterError> {
        match answer {
            Ok(answer) => {
                self.away = None;
                Ok(Some(answer))
            }
            Err(Fault::OtherBuild(text)) => Err(ClusterError::OtherBuild(format!(
                "{}: {text}",
                self.address
            ))),
            Err(Fault::Away(reason)) => {
                if self.away.get_or_insert_with(Instant::now).elapsed() < self.patience {
                    return Ok(None);
                }
                Err(ClusterError::NoScheduler {
                    address: self.address.clone(),
                    reason,
                    patience: self.patience,
                })
            }
        }
    }

    /// Whether there are workers; that there are none is borne for a while.
    fn has_workers(&mut self, workers: Option<u64>) -> Result<bool, ClusterError> {
        match workers {
            None => Ok(false),
            Some(0) => {
                if self.idle.get_or_insert_with(Instant::now).elapsed() < self.patience {
                    return Ok(false);
                }
                Err(ClusterError::NoWorkers {
                    address: self.address.clone(),
                    patience: self.patience,
                })
            }
            Some(_) => {
                self.idle = None;
                Ok(true)
            }
        }
    }
}

/// What became of a wave.
enum Wave {
    /// The job ended well, or the order is void.
    Over,
    /// It did not; what is open goes out again.
    Lost(String),
}

/// One stage's order on its way.
struct Stage<'a> {
    line: Line,
    order: &'a Order<'a>,
    waves: u32,
}

impl Stage<'_> {
    fn carry_out(&mut self) -> Result<(), RunError> {
        let mut fewest = usize::MAX;
        let mut fruitless = 0;
        let mut why = "their jobs ended without them".to_owned();
        loop {
            let open = self.order.open()?;
            if open.is_empty() || self.order.is_void() {
                return Ok(());
            }
            fruitless = if open.len() < fewest {
                0
            } else {
                fruitless + 1
            };
            fewest = fewest.min(open.len());
            if fruitless == FRUITLESS {
                return Err(RunError::Cluster(format!(
                    "{} of {} chunks of {} are still open after {FRUITLESS} tries: {why}",
                    open.len(),
                    self.order.chunks(),
                    self.order.stage()
                )));
            }
            let ready = self.line.wait_ready(|| self.order.is_void());
            if !ready.map_err(run_error)? {
                return Ok(());
            }
            let wave = open.get(..open.len().min(WAVE)).unwrap_or(&open);
            if let Wave::Lost(reason) = self.wave(wave)? {
                self.order.warn(&format!(
                    "the cluster lost a wave of {}, what is open goes out again: {reason}",
                    self.order.stage()
                ));
                why = reason;
                std::thread::sleep(LOOK);
            }
        }
    }

    /// Hands in a wave and waits for its end.
    fn wave(&mut self, indices: &[u64]) -> Result<Wave, RunError> {
        self.waves += 1;
        let order = self.order;
        let name = format!("{}-{}-{}", order.run(), order.stage(), self.waves);
        let plan = operator::plan(self.work(), indices);
        let plan = plan.map_err(|error| RunError::Cluster(error.to_string()))?;
        let line = &mut self.line;
        let submitted = line.runtime.block_on(line.client.submit(plan, &name));
        let reason = match &submitted {
            Err(Fault::Away(reason)) => reason.clone(),
            _ => String::new(),
        };
        let Some(job) = line.answered(submitted).map_err(run_error)? else {
            return Ok(Wave::Lost(reason));
        };
        let (run, stage, chunks) = (order.run(), order.stage().as_str(), indices.len());
        tracing::info!(run, stage, chunks, job, name, "wave handed in");
        self.wait(&job)
    }

    fn work(&self) -> Work {
        let order = self.order;
        let millis = |deadline: std::time::SystemTime| {
            let since = deadline.duration_since(UNIX_EPOCH).unwrap_or_default();
            u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
        };
        Work {
            build: pipeline::build_id(),
            run: order.run().to_owned(),
            stage: order.stage().to_string(),
            manifest: order.manifest().to_owned(),
            deadline_ms: order.deadline().map(millis),
        }
    }

    /// Waits for a job's end, telling the progress from what is in the store.
    fn wait(&mut self, job: &str) -> Result<Wave, RunError> {
        let mut unknown = 0;
        let mut look = Look::new();
        loop {
            std::thread::sleep(POLL);
            if self.order.is_cancelled() {
                self.stop(job);
                return Ok(Wave::Over);
            }
            let answer = self.line.runtime.block_on(self.line.client.state(job));
            let answer = self.line.answered(answer).map_err(run_error)?;
            let (state, workers) = answer.unzip();
            if let Err(error) = self.line.has_workers(workers) {
                self.stop(job);
                return Err(run_error(error));
            }
            match state {
                Some(JobState::Done) => return Ok(Wave::Over),
                Some(JobState::Failed(reason)) => return Ok(Wave::Lost(reason)),
                Some(JobState::Unknown) => unknown += 1,
                Some(JobState::Open) | None => unknown = 0,
            }
            if unknown == UNKNOWN {
                let reason = "the scheduler was started anew and has forgotten the job";
                return Ok(Wave::Lost(reason.to_owned()));
            }
            look.at(|| self.order.open().map(drop))?;
        }
    }

    fn stop(&mut self, job: &str) {
        let stopped = self.line.runtime.block_on(self.line.client.cancel(job));
        if let Err(fault) = stopped {
            tracing::warn!(
                run = self.order.run(),
                job,
                ?fault,
                "the job could not be stopped"
            );
        }
    }
}

/// Looks now and then: after a second, or after ten times what the last look took.
struct Look {
    due: Instant,
}

impl Look {
    fn new() -> Look {
        Look {
            due: Instant::now() + LOOK,
        }
    }

    fn at<E>(&mut self, look: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        let begun = Instant::now();
        if begun < self.due {
            return Ok(());
        }
        look()?;
        self.due = Instant::now() + LOOK.max(begun.elapsed() * 10);
        Ok(())
    }
}
