//! The output place as the pipeline uses it: what is there, create-only writes, receipts, markers.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{Created, Store};

use crate::chunk::{self, Id};
use crate::commit::Commit;
use crate::key::{ChunkKey, part_hash};
use crate::receipt::{Part, Receipt};
use crate::run::RunError;
use crate::stage::Stage;

/// Folder of files between stages.
pub(crate) const WORK: &str = "_nabsak/work";

/// The output's store and the names of the objects in it.
///
/// The names are a listing taken at the start plus what this process wrote: other drivers' later objects are met by the create-only
/// writes, never missed for good.
#[derive(Debug)]
pub(crate) struct Output {
    store: Arc<dyn Store>,
    names: RwLock<BTreeSet<String>>,
    /// Whether all names were listed.
    listed: bool,
}

impl Output {
    /// Lists what is there.
    pub(crate) fn open(store: Arc<dyn Store>) -> Result<Output, RunError> {
        let output = Output {
            store,
            names: RwLock::default(),
            listed: true,
        };
        output.refresh()?;
        Ok(output)
    }

    /// Lists nothing: what a chunk needs is looked up when it begins. Thousands of tasks that each list everything would cost more
    /// than their work.
    pub(crate) fn unlisted(store: Arc<dyn Store>) -> Output {
        Output {
            store,
            names: RwLock::default(),
            listed: false,
        }
    }

    /// Looks up a chunk's receipt with its parts, and its markers, where names are not listed.
    pub(crate) fn look(&self, id: &Id) -> Result<(), RunError> {
        if self.listed {
            return Ok(());
        }
        let receipt = Receipt::path_of(id.stage, &id.key);
        if self.look_up(&receipt)? {
            let receipt: Receipt = self.get_json(&receipt)?;
            for part in &receipt.parts {
                self.look_up(&part.path)?;
            }
        }
        self.look_up(&chunk::failed_path(id))?;
        let markers = chunk::attempts_prefix(id);
        let found = self.store.list(&markers);
        let found = found.map_err(|source| failed(&format!("listing {markers}"), source))?;
        for marker in self.names(&markers) {
            self.unlearn(&marker);
        }
        found.iter().for_each(|entry| self.learn(&entry.key));
        Ok(())
    }

    /// Whether an object is there now.
    fn look_up(&self, path: &str) -> Result<bool, RunError> {
        match self.store.head(path) {
            Ok(_) => {
                self.learn(path);
                Ok(true)
            }
            Err(store::Error::NotFound { .. }) => {
                self.unlearn(path);
                Ok(false)
            }
            Err(source) => Err(failed(&format!("looking for {path}"), source)),
        }
    }

    /// Lists again.
    pub(crate) fn refresh(&self) -> Result<(), RunError> {
        let entries = self
            .store
            .list("")
            .map_err(|source| failed("listing the output", source))?;
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        *names = entries.into_iter().map(|entry| entry.key).collect();
        Ok(())
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.names
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains(path)
    }

    pub(crate) fn has_all(&self, parts: &[Part]) -> bool {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        parts.iter().all(|part| names.contains(&part.path))
    }

    /// Names that begin with this, sorted.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let from = names.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        from.take_while(|name| name.starts_with(prefix))
            .cloned()
            .collect()
    }

    fn learn(&self, path: &str) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.insert(path.to_owned());
    }

    fn unlearn(&self, path: &str) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.remove(path);
    }

    /// Creates an object once.
    pub(crate) fn create(&self, path: &str, bytes: Bytes) -> Result<Created, RunError> {
        let created = self
            .store
            .create(path, bytes)
            .map_err(|source| failed(&format!("writing {path}"), source))?;
        self.learn(path);
        Ok(created)
    }

    pub(crate) fn put(&self, path: &str, bytes: Bytes) -> Result<(), RunError> {
        self.store
            .put(path, bytes)
            .map_err(|source| failed(&format!("writing {path}"), source))?;
        self.learn(path);
        Ok(())
    }

    pub(crate) fn delete(&self, path: &str) -> Result<(), RunError> {
        self.store
            .delete(path)
            .map_err(|source| failed(&format!("removing {path}"), source))?;
        self.unlearn(path);
        Ok(())
    }

    /// Removes what killed processes were writing longer ago than `age`.
    pub(crate) fn sweep(&self, age: Duration) -> Result<(), RunError> {
        let swept = self
            .store
            .sweep(age)
            .map_err(|source| failed("sweeping unfinished writes", source))?;
        if swept > 0 {
            tracing::info!(swept, "unfinished writes removed");
        }
        Ok(())
    }

    pub(crate) fn get(&self, path: &str) -> Result<Bytes, RunError> {
        self.store
            .get(path)
            .map_err(|source| failed(&format!("reading {path}"), source))
    }

    pub(crate) fn get_json<T: DeserializeOwned>(&self, path: &str) -> Result<T, RunError> {
        let bytes = self.get(path)?;
        serde_json::from_slice(&bytes).map_err(|error| RunError::Broken {
            path: path.to_owned(),
            reason: error.to_string(),
        })
    }

    /// Writes a part of a table under the name that its bytes give it. A part of that name is the same part.
    pub(crate) fn part(
        &self,
        table: &str,
        key: &ChunkKey,
        rows: u64,
        bytes: Vec<u8>,
    ) -> Result<Part, RunError> {
        let path = format!("{table}/{key}-{}.parquet", part_hash(&bytes));
        self.write_part(table, path, rows, bytes)
    }

    /// Writes a file between stages.
    pub(crate) fn work(&self, key: &ChunkKey, rows: u64, bytes: Vec<u8>) -> Result<Part, RunError> {
        let path = format!("{WORK}/{key}-{}.jsonl.zst", part_hash(&bytes));
        self.write_part(WORK, path, rows, bytes)
    }

    fn write_part(
        &self,
        table: &str,
        path: String,
        rows: u64,
        bytes: Vec<u8>,
    ) -> Result<Part, RunError> {
        let part = Part {
            table: table.to_owned(),
            path,
            rows,
            bytes: bytes.len() as u64,
            first_row: 0,
        };
        if !self.has(&part.path) {
            match self.create(&part.path, bytes.into())? {
                Created::Created | Created::Exists => {}
            }
        }
        Ok(part)
    }

    /// The receipt of a chunk, if it has one.
    pub(crate) fn receipt(
        &self,
        stage: Stage,
        key: &ChunkKey,
    ) -> Result<Option<Receipt>, RunError> {
        let path = Receipt::path_of(stage, key);
        if self.has(&path) {
            self.get_json(&path).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Creates the receipt; where another was first, that one is the chunk's.
    pub(crate) fn publish(&self, receipt: Receipt) -> Result<Receipt, RunError> {
        let path = receipt.path();
        match self.create(&path, json(&path, &receipt)?)? {
            Created::Created => Ok(receipt),
            Created::Exists => {
                let first: Receipt = self.get_json(&path)?;
                first.parts.iter().for_each(|part| self.learn(&part.path));
                Ok(first)
            }
        }
    }

    /// Removes a receipt whose parts are gone, so that the chunk can be done again.
    pub(crate) fn forget(&self, stage: Stage, key: &ChunkKey) -> Result<(), RunError> {
        self.delete(&Receipt::path_of(stage, key))
    }

    /// The current commit, if any.
    pub(crate) fn current(&self) -> Result<Option<Commit>, RunError> {
        let last = self
            .names(Commit::LOG)
            .iter()
            .filter_map(|path| Commit::number_in(path))
            .max();
        last.map(|number| crate::view::read(self.store.as_ref(), number))
            .transpose()
    }
}

/// JSON for an object of ours: one line, keys in the order of the struct.
pub(crate) fn json<T: Serialize>(path: &str, value: &T) -> Result<Bytes, RunError> {
    serde_json::to_vec(value)
        .map(Bytes::from)
        .map_err(|error| RunError::Broken {
            path: path.to_owned(),
            reason: error.to_string(),
        })
}

/// A store's failure with what was being done.
pub(crate) fn failed(doing: &str, source: store::Error) -> RunError {
    RunError::Store {
        doing: doing.to_owned(),
        source,
    }
}
