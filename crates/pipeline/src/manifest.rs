//! The manifest of an array job: the chunks of one stage, with all that a task needs to do any of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use store::Etag;

use crate::context::Context;
use crate::input::Archive;
use crate::job::Job;
use crate::key::ChunkKey;
use crate::output::failed;
use crate::receipt::{Part, SearchFacts};
use crate::run::RunError;
use crate::stage::Stage;

/// Folder of the manifests, one below it for each stage.
pub(crate) const PLANS: &str = "_nabsak/plans";

/// A manifest. It lies at `_nabsak/plans/<stage>/<hash of its bytes>`: the same plan over the same state is the same object.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Version of this JSON.
    pub(crate) version: u32,
    pub(crate) stage: Stage,
    /// The program that made it; only the same one does its tasks.
    pub(crate) build: String,
    /// The identity of the engine, where the job has one.
    pub(crate) engine: Option<String>,
    pub(crate) job: Job,
    /// Archives that chunks name by their place here.
    pub(crate) archives: Vec<PlannedArchive>,
    /// Replay chunks that chunks of later stages name by their place here.
    pub(crate) replays: Vec<PlannedReplay>,
    /// The chunks; a task's index is a place here.
    pub(crate) chunks: Vec<PlannedChunk>,
}

/// An input object in the state that was listed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PlannedArchive {
    pub(crate) name: String,
    /// A folder's whole path, or `s3://bucket/prefix`.
    root: String,
    key: String,
    size: u64,
    etag: String,
}

impl PlannedArchive {
    pub(crate) fn of(archive: &Archive) -> PlannedArchive {
        PlannedArchive {
            name: archive.name.clone(),
            root: archive.root.to_string(),
            key: archive.key.clone(),
            size: archive.size,
            etag: archive.etag.as_str().to_owned(),
        }
    }

    /// The archive, its store opened.
    pub(crate) fn open(&self, context: &Context<'_>) -> Result<Archive, RunError> {
        let opening = |source| failed(&format!("opening {}", self.root), source);
        let root = self.root.parse().map_err(opening)?;
        let settings = context.job.s3.settings();
        let store = context.options.stores.open(&root, &settings);
        Ok(Archive {
            name: self.name.clone(),
            store: store.map_err(opening)?,
            root,
            key: self.key.clone(),
            size: self.size,
            etag: Etag::new(&self.etag),
        })
    }
}

/// A replay chunk that is done.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PlannedReplay {
    pub(crate) archive: String,
    pub(crate) key: ChunkKey,
    /// Where its rows of the other tables are.
    pub(crate) parts: Vec<Part>,
    /// Where its rows of `games` are.
    pub(crate) games: Vec<Part>,
}

/// A chunk to do.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlannedChunk {
    Index {
        key: ChunkKey,
        archive: usize,
    },
    Replay {
        key: ChunkKey,
        archive: usize,
        /// Key of the archive's index.
        index: ChunkKey,
        /// Its place among the index's chunks.
        chunk: usize,
    },
    Search {
        replay: usize,
        facts: SearchFacts,
    },
    Assemble {
        key: ChunkKey,
        replay: usize,
        /// Key of the cut; absent where there is none.
        cut: Option<ChunkKey>,
        /// Search chunks that have no scores, by their place in the cut.
        without: BTreeMap<usize, Without>,
    },
}

impl PlannedChunk {
    /// Its key.
    pub(crate) fn key(&self) -> ChunkKey {
        match self {
            PlannedChunk::Index { key, .. }
            | PlannedChunk::Replay { key, .. }
            | PlannedChunk::Assemble { key, .. } => *key,
            PlannedChunk::Search { facts, .. } => facts.key,
        }
    }
}

/// Why a search chunk has no scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Without {
    Pending,
    Failed,
}
