//! The trait, and what its calls take and give.

use std::fmt;
use std::io::Read;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use crate::error::Error;
use crate::probe;

/// The largest object that [`Store::create`] and [`Store::put`] take, in bytes.
///
/// An S3 object of this size still goes up in one request, and only a single request can be create-only.
pub const MAX_OBJECT_BYTES: usize = 128 * 1024 * 1024;

/// One object as a listing or a [`Store::head`] shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The key, relative to the store's root.
    pub key: String,
    /// Length in bytes.
    pub size: u64,
    /// Changes whenever the object is written anew.
    pub etag: Etag,
    /// When the object was last written, by the store's clock; `None` where the store does not say.
    pub mtime: Option<SystemTime>,
}

/// A tag of one written state of an object, without the quotes of HTTP.
///
/// S3: the service's ETag. Folder: made of size, modification time and inode. It saves work and guards reads;
/// it is no content hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Etag(String);

impl Etag {
    /// Takes a tag as a service writes it, with or without quotes.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let text = text.strip_prefix("W/").unwrap_or(text);
        Self(text.trim_matches('"').to_owned())
    }

    /// The tag without quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Etag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a create-only write met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "the loser of a race has to read what the winner wrote"]
pub enum Created {
    /// This call made the object; its bytes are durable.
    Created,
    /// The key was taken; nothing was written. After a lost reply and a retry inside the client the taker may have
    /// been this same call, so compare bytes where that matters.
    Exists,
}

/// A listing, and what it had to leave out.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// The objects, sorted by key in byte order.
    pub entries: Vec<Entry>,
    /// What may hold data and is no object, sorted by name.
    pub left_out: Vec<LeftOut>,
}

/// Something a listing left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    /// Its name below the root; what is not UTF-8 in it shows as the replacement character.
    pub name: String,
    /// Why.
    pub reason: String,
}

/// A place of objects: a folder or a bucket below a prefix.
///
/// Keys are `/`-separated and relative to the root; no part is empty, `.`, `..` or begins with `.tmp-`. Every call blocks.
/// Call it from plain threads (rayon, `spawn_blocking`), never from inside an async task.
pub trait Store: Send + Sync + fmt::Debug {
    /// The root for a person to read: a path or `s3://bucket/prefix`.
    fn describe(&self) -> String;

    /// Whether the root can be reached with these credentials, and is there.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a missing folder, [`Error::NoSuchBucket`], or why the service refused.
    fn check(&self) -> Result<(), Error>;

    /// Every object in the folder `prefix` and below, sorted by key in byte order; `""` is the root, and a `/` at the end changes nothing.
    ///
    /// A folder or prefix that is not there has no objects. Names that are no key (unfinished writes, folder markers,
    /// names that are not UTF-8, dangling links, devices) are left out, with a warning in the log where data may be meant.
    ///
    /// # Errors
    /// Whatever stops the listing from being complete.
    fn list(&self, prefix: &str) -> Result<Vec<Entry>, Error>;

    /// As [`Store::list`], for a folder of other people's: what cannot be looked into is left out with its reason, and the
    /// rest is listed.
    ///
    /// # Errors
    /// The folder itself cannot be listed.
    fn survey(&self, prefix: &str) -> Result<Survey, Error> {
        Ok(Survey {
            entries: self.list(prefix)?,
            left_out: Vec::new(),
        })
    }

    /// Size, etag and time of one object.
    ///
    /// # Errors
    /// [`Error::NotFound`] where there is none.
    fn head(&self, key: &str) -> Result<Entry, Error>;

    /// Streams an object, or `range` of its bytes. A range reaches at most to the end: what lies beyond is just not there.
    ///
    /// With `if_match` only that state of the object is read. A broken connection is resumed where it broke, never
    /// across a change. Errors met while reading come as [`std::io::Error`]; [`Error::of_io`] finds the [`Error`] inside.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Changed`] where `if_match` is not the present state.
    fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        if_match: Option<&Etag>,
    ) -> Result<Box<dyn Read + Send>, Error>;

    /// A whole object in memory.
    ///
    /// # Errors
    /// As [`Store::read`].
    fn get(&self, key: &str) -> Result<Bytes, Error> {
        let mut bytes = Vec::new();
        self.read(key, None, None)?
            .read_to_end(&mut bytes)
            .map_err(|error| Error::from_read(self.describe(), key, error))?;
        Ok(bytes.into())
    }

    /// Writes an object only if its key is free. Of any number of racing calls exactly one gets [`Created::Created`]; no reader
    /// ever sees part of an object.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above [`MAX_OBJECT_BYTES`], [`Error::NoSpace`], [`Error::NotCreateOnly`], ...
    fn create(&self, key: &str, bytes: Bytes) -> Result<Created, Error>;

    /// Writes an object whether or not one was there; readers see the old or the new, never a mixture. For the few
    /// files that are only a convenience; everything else is created once.
    ///
    /// # Errors
    /// As [`Store::create`].
    fn put(&self, key: &str, bytes: Bytes) -> Result<(), Error>;

    /// Removes an object; one that is not there is no error.
    ///
    /// # Errors
    /// [`Error::AccessDenied`], [`Error::Unreachable`], ...
    fn delete(&self, key: &str) -> Result<(), Error>;

    /// Removes what writes that were killed left behind, where they are older than `age`; gives their number.
    /// A store without such remains does nothing.
    ///
    /// # Errors
    /// As [`Store::list`].
    fn sweep(&self, age: Duration) -> Result<u64, Error> {
        let _ = age;
        Ok(0)
    }

    /// Lets threads race to create one key, to find a store that would let two of them win. Writes below
    /// `_nabsak/probe/` and cleans up after itself.
    ///
    /// # Errors
    /// [`Error::NotCreateOnly`] says what went wrong and what to do; other errors as for [`Store::create`].
    fn probe_create_only(&self) -> Result<(), Error> {
        probe::race(self)
    }
}
