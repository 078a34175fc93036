//! What a run did.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::commit::{Coverage, FailedChunk};
use crate::key::ChunkKey;
use crate::stage::Stage;

/// What a run did, for the summary and the exit status.
#[derive(Clone, Debug, Default)]
pub struct RunOutcome {
    /// The run's id.
    pub run: String,
    /// The commit that is current after the run; `None` after a dry run over an empty folder.
    pub commit: Option<u64>,
    /// Whether this run made it.
    pub committed: bool,
    /// Whether the run was interrupted; the same command resumes it.
    pub interrupted: bool,
    /// Whether the deadline came before the work was done.
    pub deadline_came: bool,
    /// Figures over everything current.
    pub counts: Counts,
    /// What happened to each archive.
    pub archives: Vec<ArchiveOutcome>,
    /// Chunks by stage.
    pub stages: BTreeMap<Stage, ChunkTally>,
    /// Chunks that failed.
    pub failed: Vec<FailedChunk>,
    /// Games that the engine would not judge, by its reason.
    pub refusals: BTreeMap<String, u64>,
    /// The slowest chunks of this run, slowest first, ten at most.
    pub slowest: Vec<SlowChunk>,
    /// What each stage did and the time it took.
    pub paces: BTreeMap<Stage, Pace>,
    /// Of a dry run: what each stage would do, and the time it may take.
    pub estimates: BTreeMap<Stage, Estimate>,
    /// How much of the analysis is in.
    pub coverage: Coverage,
    /// Time the run took.
    pub elapsed: Duration,
}

impl RunOutcome {
    /// The first stage of which chunks were left undone.
    #[must_use]
    pub fn next_stage(&self) -> Option<Stage> {
        let mut stages = self.stages.iter();
        stages
            .find(|(_, tally)| tally.left > 0)
            .map(|(stage, _)| *stage)
    }

    /// The exit status: 130 interrupted; else the highest of 4 (chunks failed, the engine refused games, or the deadline came) and 3 (some input could not
    /// be read); else 0.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        if self.interrupted {
            130
        } else if !self.failed.is_empty() || !self.refusals.is_empty() || self.deadline_came {
            4
        } else if self
            .archives
            .iter()
            .any(|archive| matches!(archive.change, Change::Unreadable(_)))
        {
            3
        } else {
            0
        }
    }
}

/// Figures over everything that the commit holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Archives.
    pub archives: u64,
    /// Bytes of archives.
    pub bytes: u64,
    /// Games found.
    pub games_found: u64,
    /// Of them accepted.
    pub games_accepted: u64,
    /// Of them rejected.
    pub games_rejected: u64,
    /// Of them set aside.
    pub games_set_aside: u64,
    /// Plies of accepted and rejected games.
    pub plies: u64,
    /// Findings by severity: `note`, `warning`, `error`, `critical`.
    pub findings: BTreeMap<String, u64>,
    /// By class of duplicates: records that are there beside the first of their group.
    pub duplicates: BTreeMap<String, u64>,
    /// Rows by table.
    pub rows: BTreeMap<String, u64>,
}

/// What happened to an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveOutcome {
    /// Path below the input's root.
    pub archive: String,
    /// What happened.
    pub change: Change,
    /// Games found in it.
    pub games_found: u64,
}

/// What a run finds an archive to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Not in the commit before.
    New,
    /// Other bytes than in the commit before.
    Changed,
    /// The same bytes as in the commit before.
    Unchanged,
    /// It could not be read, with the reason.
    Unreadable(String),
    /// In the commit before, not in the input now.
    Removed,
}

/// Chunks of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkTally {
    /// All.
    pub planned: u64,
    /// Had a receipt.
    pub skipped: u64,
    /// Done by this run.
    pub done: u64,
    /// Failed.
    pub failed: u64,
    /// Not started.
    pub left: u64,
}

/// Work and the time it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// In the stage's unit.
    pub work: u64,
    /// Time from the stage's begin to its end.
    pub took: Duration,
}

/// What a stage would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How much.
    pub work: u64,
    /// What it is counted in: `bytes`, `plies`, `games`.
    pub unit: &'static str,
    /// Whether the work itself is an estimate: archives that are not indexed yet are part of it.
    pub about: bool,
    /// How long, at the pace of past runs; or why nobody knows.
    pub time: Result<Duration, &'static str>,
}

/// A chunk and the time it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlowChunk {
    /// Stage.
    pub stage: Stage,
    /// Key.
    pub key: ChunkKey,
    /// Archive.
    pub archive: String,
    /// Time.
    pub took: Duration,
}
