//! The commit log: numbered, create-only objects under `_nabsak/commits/`, each holding the whole state.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::key::ChunkKey;
use crate::receipt::Part;
use crate::stage::Stage;

/// One commit: every current part of every table, and what is missing. The current one is the highest number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Version of this JSON.
    pub version: u32,
    /// Its number, from 1.
    pub number: u64,
    /// The job that owns the folder.
    pub job: String,
    /// The run that made it.
    pub run: String,
    /// When, in UTC (RFC 3339).
    pub at: String,
    /// Version of the program that made it.
    pub build: String,
    /// Hash over everything a reader can see; two commits with the same one hold the same state.
    pub state: ChunkKey,
    /// Every part of every table, in archive order.
    pub tables: BTreeMap<String, Vec<Part>>,
    /// Files between stages that are still good.
    pub work: Vec<Part>,
    /// Receipts that this state stands on.
    pub receipts: Vec<String>,
    /// The archives.
    pub archives: Vec<ArchiveState>,
    /// Chunks that failed.
    pub failed: Vec<FailedChunk>,
    /// How much of the analysis is in.
    pub coverage: Coverage,
    /// The engine whose scores are in `evaluations`, if any.
    pub engine: Option<String>,
    /// The rule-set files of the job, by id: what judged, where it does not come with the program.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rule_sets: BTreeMap<String, String>,
    /// The job's inputs, folders as whole paths: where the archives lay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<String>,
    /// Where pseudonyms stand for players' names: a hash of their key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pseudonyms: Option<String>,
}

impl Commit {
    /// Folder of the log.
    pub const LOG: &'static str = "_nabsak/commits/";

    /// Where commit `number` lies.
    #[must_use]
    pub fn path_of(number: u64) -> String {
        format!("{}{number:010}", Commit::LOG)
    }

    /// The number in a commit's path.
    #[must_use]
    pub fn number_in(path: &str) -> Option<u64> {
        path.strip_prefix(Commit::LOG)
            .and_then(|digits| digits.parse().ok())
    }

    /// Parts of a table.
    #[must_use]
    pub fn parts(&self, table: &str) -> &[Part] {
        self.tables.get(table).map_or(&[], Vec::as_slice)
    }
}

/// One archive of a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveState {
    /// Path below the input's root.
    pub archive: String,
    /// Hash of its bytes; `None` where it could not be read.
    pub content_hash: Option<String>,
    /// Its replay chunks in order.
    pub chunks: Vec<ChunkState>,
    /// Why it could not be read.
    pub unreadable: Option<String>,
}

/// One replay chunk of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkState {
    /// Its key.
    pub replay: ChunkKey,
    /// The key of the chunk that put its games and scores together.
    pub assemble: Option<ChunkKey>,
}

/// A chunk that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedChunk {
    /// Its stage.
    pub stage: Stage,
    /// Its key.
    pub key: ChunkKey,
    /// Its archive.
    pub archive: String,
    /// What went wrong.
    pub reason: String,
    /// How often it was tried.
    pub attempts: u32,
}

/// How much of the analysis that the job asks for is in the tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// Plies the job wants analysed.
    pub plies_wanted: u64,
    /// Plies with an evaluation.
    pub plies_done: u64,
    /// Games whose analysis is complete.
    pub games_done: u64,
    /// Games still to analyse.
    pub games_pending: u64,
    /// Games whose analysis failed.
    pub games_failed: u64,
}
