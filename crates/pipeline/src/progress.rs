//! What a run says while it runs. The command line draws bars or prints lines from it.

use std::time::Duration;

use crate::commit::FailedChunk;
use crate::key::ChunkKey;
use crate::stage::Stage;

/// Takes events; called from many threads at once.
pub trait Progress: Send + Sync {
    /// One event. Must return soon.
    fn event(&self, event: &Event<'_>);
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn event(&self, _event: &Event<'_>) {}
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The run began.
    Started {
        /// Its id.
        run: &'a str,
        /// The job's name.
        job: &'a str,
    },
    /// The input is listed.
    Planned {
        /// Archives found.
        archives: u64,
        /// Their size.
        bytes: u64,
    },
    /// A stage began.
    StageStarted {
        /// Which.
        stage: Stage,
        /// Chunks to do.
        chunks: u64,
        /// Chunks that were done before.
        skipped: u64,
        /// Work to do in the stage's unit, where known.
        total: u64,
        /// What the work is counted in: `bytes`, `plies`, `games`, `chunks`.
        unit: &'static str,
    },
    /// A stage went on. Sent a few times a second at most.
    Advanced {
        /// Which.
        stage: Stage,
        /// How far.
        facts: Rate,
    },
    /// A chunk is done.
    ChunkDone {
        /// Stage.
        stage: Stage,
        /// Key.
        key: ChunkKey,
        /// Archive, empty for chunks over everything.
        archive: &'a str,
        /// Time it took.
        took: Duration,
    },
    /// A chunk failed; the run goes on.
    ChunkFailed {
        /// Which, and why.
        chunk: &'a FailedChunk,
    },
    /// An archive could not be read; the run goes on.
    Unreadable {
        /// Which.
        archive: &'a str,
        /// Why.
        reason: &'a str,
    },
    /// A stage ended.
    StageDone {
        /// Which.
        stage: Stage,
        /// How far it came.
        facts: Rate,
    },
    /// A commit is there.
    Committed {
        /// Its number.
        number: u64,
        /// Parts it names.
        parts: u64,
    },
    /// A word to the user.
    Warning {
        /// The text.
        text: &'a str,
    },
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rate {
    /// Work done by this run.
    pub done: u64,
    /// Work to do, 0 where unknown.
    pub total: u64,
    /// Work a second since the stage began.
    pub per_second: f64,
    /// Time left at this rate, where the total is known.
    pub left: Option<Duration>,
    /// Time since the stage began.
    pub elapsed: Duration,
}
