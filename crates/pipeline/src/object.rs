//! An input object as the archive reader wants it: readable from anywhere, in the state that was listed.

use std::fmt;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use store::{Etag, Store};

use crate::context::Stop;
use crate::input::Archive;

/// Every read asks for the same state of the object, and ends when the run is told to stop.
pub(crate) struct StoredObject {
    store: Arc<dyn Store>,
    key: String,
    size: u64,
    etag: Etag,
    stop: Stop,
    read: Arc<AtomicU64>,
}

impl StoredObject {
    pub(crate) fn new(archive: &Archive, stop: Stop) -> StoredObject {
        StoredObject {
            store: Arc::clone(&archive.store),
            key: archive.key.clone(),
            size: archive.size,
            etag: archive.etag.clone(),
            stop,
            read: Arc::default(),
        }
    }

    /// How many bytes have been read.
    pub(crate) fn bytes_read(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.read)
    }
}

impl fmt::Debug for StoredObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredObject")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl archive::Object for StoredObject {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let whole = range.start == 0 && range.end >= self.size;
        let body = self
            .store
            .read(&self.key, (!whole).then_some(range), Some(&self.etag))
            .map_err(store::Error::into_io)?;
        Ok(Box::new(Body {
            body,
            stop: self.stop.clone(),
            read: Arc::clone(&self.read),
        }))
    }
}

struct Body {
    body: Box<dyn Read + Send>,
    stop: Stop,
    read: Arc<AtomicU64>,
}

impl Read for Body {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.stop.raised() {
            return Err(io::Error::other("the run was told to stop"));
        }
        let count = self.body.read(into)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
