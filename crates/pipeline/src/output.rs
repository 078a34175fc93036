//! The output place as the pipeline uses it: what is there, create-only writes, receipts, markers.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::{Created, Store};

use crate::chunk::{self, Id};
use crate::commit::Commit;
use crate::key::{ChunkKey, keeps_its_name, part_hash};
use crate::receipt::{Part, Receipt};
use crate::run::RunError;
use crate::stage::Stage;

/// Folder of files between stages.
pub(crate) const WORK: &str = "_nabsak/work";

/// The output's store, and the names and sizes of the objects in it.
///
/// The names are a listing taken at the start plus what this process wrote: other drivers' later objects are met by the create-only
/// writes, never missed for good.
#[derive(Debug)]
pub(crate) struct Output {
    store: Arc<dyn Store>,
    names: RwLock<BTreeMap<String, u64>>,
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
        match self.listed {
            true => Ok(()),
            false => self.look_again(id),
        }
    }

    /// Looks up a chunk's receipt with its parts, and its markers: another process may be at it.
    pub(crate) fn look_again(&self, id: &Id) -> Result<(), RunError> {
        self.look_up(&Receipt::path_of(id.stage, &id.key))?;
        if let Some(receipt) = self.receipt(id.stage, &id.key)? {
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
        found
            .iter()
            .for_each(|entry| self.learn(&entry.key, entry.size));
        Ok(())
    }

    /// Whether an object is there now.
    fn look_up(&self, path: &str) -> Result<bool, RunError> {
        match self.store.head(path) {
            Ok(entry) => {
                self.learn(path, entry.size);
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
        *names = entries
            .into_iter()
            .map(|entry| (entry.key, entry.size))
            .collect();
        Ok(())
    }

    /// Whether all names were listed at the start.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.names
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(path)
    }

    /// Whether all parts are there and as long as they were made. One that is shorter was cut off by a fault of the disk or a hand.
    pub(crate) fn has_all(&self, parts: &[Part]) -> bool {
        parts.iter().all(|part| self.has_part(part))
    }

    fn has_part(&self, part: &Part) -> bool {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let size = names.get(&part.path).copied();
        if let Some(size) = size.filter(|size| *size != part.bytes) {
            let Part { path, bytes, .. } = part;
            tracing::warn!(path, size, bytes, "damaged: it is made anew");
        }
        size == Some(part.bytes)
    }

    /// Names that begin with this, sorted.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        let from = names.range::<str, _>((Bound::Included(prefix), Bound::Unbounded));
        from.take_while(|(name, _)| name.starts_with(prefix))
            .map(|(name, _)| name.clone())
            .collect()
    }

    fn learn(&self, path: &str, size: u64) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.insert(path.to_owned(), size);
    }

    fn unlearn(&self, path: &str) {
        let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
        names.remove(path);
    }

    /// Creates an object once.
    pub(crate) fn create(&self, path: &str, bytes: Bytes) -> Result<Created, RunError> {
        let size = bytes.len() as u64;
        let created = self
            .store
            .create(path, bytes)
            .map_err(|source| failed(&format!("writing {path}"), source))?;
        self.learn(path, size);
        Ok(created)
    }

    pub(crate) fn put(&self, path: &str, bytes: Bytes) -> Result<(), RunError> {
        let size = bytes.len() as u64;
        self.store
            .put(path, bytes)
            .map_err(|source| failed(&format!("writing {path}"), source))?;
        self.learn(path, size);
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

    /// A part's bytes, if they are those that its name promises.
    pub(crate) fn part_bytes(&self, path: &str) -> Result<Bytes, RunError> {
        part_bytes(self.store.as_ref(), path)
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
        if self.has_part(&part) {
            return Ok(part);
        }
        if self.has(&part.path) {
            // The name says which bytes it should hold, and it holds fewer or more.
            self.delete(&part.path)?;
        }
        let bytes = Bytes::from(bytes);
        if self.create(&part.path, bytes.clone())? == Created::Exists {
            // Another process wrote the same part, or what was cut off was not listed yet.
            self.look_up(&part.path)?;
            if !self.has_part(&part) {
                self.delete(&part.path)?;
                let created = self.create(&part.path, bytes)?;
                tracing::debug!(?created, path = part.path, "written again");
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
        if !self.has(&path) {
            return Ok(None);
        }
        match self.get_json(&path) {
            Err(RunError::Broken { reason, .. }) => {
                tracing::warn!(path, reason, "damaged: the chunk is done again");
                self.delete(&path)?;
                Ok(None)
            }
            receipt => receipt.map(Some),
        }
    }

    /// Creates the receipt; where another was first, that one is the chunk's.
    pub(crate) fn publish(&self, receipt: Receipt) -> Result<Receipt, RunError> {
        let path = receipt.path();
        match self.create(&path, json(&path, &receipt)?)? {
            Created::Created => Ok(receipt),
            Created::Exists => {
                let first: Receipt = self.get_json(&path)?;
                first
                    .parts
                    .iter()
                    .for_each(|part| self.learn(&part.path, part.bytes));
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

/// A part's bytes, if they are those that its name promises.
pub(crate) fn part_bytes(store: &dyn Store, path: &str) -> Result<Bytes, RunError> {
    let reading = |source| failed(&format!("reading {path}"), source);
    let bytes = store.get(path).map_err(reading)?;
    if keeps_its_name(path, &bytes) {
        return Ok(bytes);
    }
    Err(RunError::Damaged {
        path: path.to_owned(),
        reason: format!(
            "its {} bytes are not those that its name promises",
            bytes.len()
        ),
    })
}

/// A store's failure with what was being done.
pub(crate) fn failed(doing: &str, source: store::Error) -> RunError {
    RunError::Store {
        doing: doing.to_owned(),
        source,
    }
}
