//! Archives to stages, chunks, receipts and commits.
//!
//! In comes a [`Job`] (what to read, which rules judge, which engine, where to write); out go Parquet parts, receipts and a
//! commit that names them all. A run is a chain of stages, each a set of chunks, each chunk a pure function of its [`ChunkKey`]:
//! any number of processes may run the same chunks, and the first receipt wins. The store holds the only state that matters.
//!
//! This crate refuses to know how moves are made, how text is tokenised or how a report looks.

mod aggregating;
mod alive;
mod alone;
mod analysts;
mod assembling;
mod chunk;
mod cleaning;
mod commit;
mod compacting;
mod context;
mod dispatching;
mod driver;
mod duplicates;
mod estimating;
mod fault;
mod here;
mod index;
mod input;
mod isolating;
mod job;
mod key;
mod lines;
mod lock;
mod manifest;
mod mending;
mod metrics;
mod object;
mod originals;
mod outcome;
mod output;
mod parts;
mod pieces;
mod places;
mod planning;
mod progress;
mod pseudonyms;
mod publishing;
mod reading;
mod receipt;
mod repeated;
mod replaying;
mod reporting;
mod restoring;
mod rulebook;
mod run;
mod search;
mod stage;
mod stages;
mod statistics;
mod stretches;
mod tasking;
mod unit;
mod view;
mod views;
mod work;

pub use commit::{ArchiveState, ChunkState, Commit, Coverage, FailedChunk};
pub use dispatching::{Dispatch, Order};
pub use isolating::ChildProgram;
pub use job::{
    AnalysisSettings, AuditOptions, EngineChoice, Entry, GameChoice, Input, Job, JobError, JobFile,
    KEYS, KeySpec, Kind, Limits, Lock, Origin, Output, Patterns, RuleChoice, RuleFile, RunSettings,
    S3Access, SourceRule, Value, job_for_audit,
};
pub use key::{ChunkKey, KeyFields, NotAKey};
pub use originals::{GamePlace, Originals};
pub use outcome::{
    ArchiveOutcome, Change, ChunkTally, Counts, Estimate, Pace, RunOutcome, SlowChunk,
};
pub use planning::Planned;
pub use progress::{Event, Progress, Rate, Silent};
pub use publishing::{build_id, set_build_id};
pub use reading::PartRows;
pub use receipt::{
    ChunkFacts, CompactFacts, CutFacts, Facts, IndexFacts, MemberFacts, NoteFacts, Part,
    RangeFacts, Receipt, ReplayFacts, SearchFacts,
};
pub use restoring::{Restored, restore};
pub use run::{
    Cancel, Listener, Moment, RealStores, RunError, RunOptions, StallHook, Stores, alone, commit,
    plan, run, task,
};
pub use stage::Stage;
pub use tasking::{Share, TaskOutcome};
pub use view::{CommitView, PartFault, numbers as commit_numbers};

/// Every version that is part of a key, in one line: outputs made under the same ones can be compared.
#[must_use]
pub fn versions() -> String {
    format!(
        "index={} replay={} cut={} search={} assemble={} aggregate={} compact={} tables={} curve={}",
        index::INDEX_VERSION,
        replay::REPLAY_VERSION,
        search::CUT_VERSION,
        engine::SEARCH_VERSION,
        assembling::ASSEMBLE_VERSION,
        aggregating::AGGREGATE_VERSION,
        compacting::COMPACT_VERSION,
        tables::Table::CONTRACT_VERSION,
        analysis::WinCurve::PROVISIONAL.version,
    )
}
