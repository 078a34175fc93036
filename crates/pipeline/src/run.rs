//! The entry points: one run of a job on this machine; the plan, the tasks and the commit of an array job.

use std::fmt;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use store::{Location, S3Settings, Store};

use crate::dispatching::Dispatch;
use crate::isolating::ChildProgram;
use crate::job::{Job, JobError};
use crate::metrics::Metrics;
use crate::outcome::RunOutcome;
use crate::planning::Planned;
use crate::progress::{Progress, Silent};
use crate::stage::Stage;
use crate::tasking::{Share, TaskOutcome};

/// Asks a run to stop. The signal handler raises it; the run sees it within moments, takes its attempt markers back and returns.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is down.
    #[must_use]
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Raises the flag. Safe in a signal handler: it only stores to an atomic.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// The flag itself, for a search that looks at it among its nodes.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// Whether the flag is up.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Opens the stores a run needs. Tests put their own between, to lose replies and cut connections.
pub trait Stores: Send + Sync {
    /// The store at a place.
    ///
    /// # Errors
    /// As [`store::open`].
    fn open(
        &self,
        location: &Location,
        settings: &S3Settings,
    ) -> Result<Arc<dyn Store>, store::Error>;
}

/// The stores as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealStores;

impl Stores for RealStores {
    fn open(
        &self,
        location: &Location,
        settings: &S3Settings,
    ) -> Result<Arc<dyn Store>, store::Error> {
        store::open(location, settings)
    }
}

/// A named moment of a chunk, told to [`RunOptions::at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// The attempt marker is made, the work begins.
    Begin,
    /// The parts are written, the receipt is not.
    PartsWritten,
    /// The receipt is there.
    ReceiptWritten,
    /// A commit is about to be created.
    BeforeCommit,
}

/// Hears of every moment of every chunk; tests die there.
pub type Listener = Arc<dyn Fn(Moment, Stage) + Send + Sync>;

/// Hears that a process gets nowhere, with what it is at. A thread that hangs cannot be stopped, so the process should end: then
/// others take its chunks up, and a chunk that hangs again and again is taken apart.
pub type StallHook = Arc<dyn Fn(&str) + Send + Sync>;

/// How to run a job.
#[derive(Clone)]
pub struct RunOptions {
    /// Stops the run when raised.
    pub cancel: Cancel,
    /// Hears what happens.
    pub progress: Arc<dyn Progress>,
    /// Only say what would be done.
    pub dry_run: bool,
    /// Try chunks again that were set aside after too many deaths.
    pub retry_failed: bool,
    /// Where stores come from.
    pub stores: Arc<dyn Stores>,
    /// Called at each [`Moment`].
    pub at: Option<Listener>,
    /// The program that works on a chunk alone, where processes died at it; without one such a chunk is set aside.
    pub child: Option<ChildProgram>,
    /// Called where the work gets nowhere for as long as the job allows.
    pub stalled: Option<StallHook>,
    /// Has chunks done on other machines; `None`: this one does them all.
    pub dispatch: Option<Arc<dyn Dispatch>>,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            cancel: Cancel::new(),
            progress: Arc::new(Silent),
            dry_run: false,
            retry_failed: false,
            stores: Arc::new(RealStores),
            at: None,
            child: None,
            stalled: None,
            dispatch: None,
        }
    }
}

impl fmt::Debug for RunOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunOptions")
            .field("cancel", &self.cancel)
            .field("dry_run", &self.dry_run)
            .field("retry_failed", &self.retry_failed)
            .finish_non_exhaustive()
    }
}

/// Why a run could not be carried out. Broken archives, games and chunks are not errors: they are in the outcome.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The job is wrong (exit status 2).
    #[error(transparent)]
    Job(#[from] JobError),
    /// The job cannot be carried out as it stands (exit status 2).
    #[error("{0}")]
    Usage(String),
    /// There is nothing to read (exit status 3).
    #[error("no archive found; check the paths and the include patterns: {0}")]
    NoInput(String),
    /// The output or the input's store failed (exit status 5); run again to go on.
    #[error("{doing}: {source}")]
    Store {
        /// What was being done.
        doing: String,
        /// The store's error.
        source: store::Error,
    },
    /// The input's store failed in the middle of a reading (exit status 5); run again to go on.
    #[error("reading the input: {0}")]
    Input(String),
    /// The engine cannot be started (exit status 5).
    #[error("the engine cannot be used: {0}")]
    Engine(String),
    /// A part of a table, or a file between stages, is not the one that was written (exit status 5).
    #[error("{path} is damaged: {reason}. Run the job again: what it held is made anew")]
    Damaged {
        /// The object.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Another run of the job is at work, and this one is not to share its work (exit status 5).
    #[error(
        "another run of this job is at work here: {0}. Run again when it has ended, or see run.lock in the job file"
    )]
    Busy(String),
    /// The cluster cannot be had, or does not go on (exit status 5); run again to go on.
    #[error("{0}")]
    Cluster(String),
    /// Something the program made cannot be read back (exit status 5).
    #[error("{path} cannot be read back: {reason}. Delete it: the next run makes it anew")]
    Broken {
        /// The object.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

impl RunError {
    /// Whether something that should be in the output is not there.
    pub(crate) fn is_missing_object(&self) -> bool {
        matches!(
            self,
            RunError::Store {
                source: store::Error::NotFound { .. },
                ..
            }
        )
    }

    /// The process's exit status for this error: 2 wrong usage or job, 5 output or a service failed.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            RunError::Job(_) | RunError::Usage(_) => 2,
            RunError::NoInput(_) => 3,
            RunError::Store { .. }
            | RunError::Input(_)
            | RunError::Engine(_)
            | RunError::Damaged { .. }
            | RunError::Busy(_)
            | RunError::Cluster(_)
            | RunError::Broken { .. } => 5,
        }
    }
}

/// Runs a job on this machine: plans, runs what has no receipt, commits, cleans up.
///
/// # Errors
/// The job cannot be carried out, or the output cannot be written. What was done before stays and is not done again.
pub fn run(job: &Job, options: &RunOptions) -> Result<RunOutcome, RunError> {
    let outcome = crate::driver::run(job, options);
    if let (Err(error), false) = (&outcome, options.dry_run) {
        Metrics::new(job, false).ended(error.exit_status());
    }
    outcome
}

/// Does what a run asks of a child process (see [`RunOptions::child`]): one request is read to its end, the reply is one line. The process
/// is limited in memory from then on.
///
/// # Errors
/// The request is no request of this build, or the output failed.
pub fn alone(request: impl Read, options: &RunOptions) -> Result<String, RunError> {
    crate::alone::answer(request, options)
}

/// Plans a stage for an array job: writes a manifest of the chunks that are left of it, as far as the stages before it are done.
///
/// # Errors
/// The job cannot be carried out, or the output cannot be read or written.
pub fn plan(job: &Job, stage: Stage, options: &RunOptions) -> Result<Planned, RunError> {
    crate::planning::plan(job, stage, options)
}

/// Does chunks of a manifest, as [`run`] would. `place` is the manifest's path or URL; it lies in the output place.
///
/// # Errors
/// The index is beyond the manifest, another build made it, the output has gone on since, or the output cannot be written.
pub fn task(place: &str, share: Share, options: &RunOptions) -> Result<TaskOutcome, RunError> {
    crate::tasking::task(place, share, options)
}

/// Commits what tasks have done: statistics over all of it, and the commit. What is left is in the outcome.
///
/// # Errors
/// As [`run`].
pub fn commit(job: &Job, options: &RunOptions) -> Result<RunOutcome, RunError> {
    crate::driver::conclude(job, options)
}
