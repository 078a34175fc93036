//! A store between the pipeline and the real one, which fails where a test wants it to.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use pipeline::{RunOptions, Stores};
use store::{Created, Entry, Error, Etag, Location, S3Settings, Store};

/// What a wrapped store does to one call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trouble {
    /// The server cannot be reached.
    Unreachable,
    /// The write is done, the reply is lost.
    LostReply,
    /// The write is done, and the client's second try meets it.
    OwnObject,
    /// The disk is full.
    NoSpace,
    /// The object is not what was listed.
    Changed,
    /// The credentials may not read it.
    Denied,
}

/// Decides over a call by its name and key.
type Judge = Arc<dyn Fn(&str, &str) -> Option<Trouble> + Send + Sync>;

#[derive(Clone)]
struct Faulty {
    inner: Arc<dyn Store>,
    judge: Judge,
}

impl std::fmt::Debug for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.inner.fmt(f)
    }
}

impl Faulty {
    fn error(&self, trouble: Trouble, key: &str) -> Error {
        let place = format!("{}/{key}", self.inner.describe());
        match trouble {
            Trouble::NoSpace => Error::NoSpace { place },
            Trouble::Changed => Error::Changed { place },
            Trouble::Denied => Error::AccessDenied {
                place,
                detail: "no".to_owned(),
            },
            _ => Error::Unreachable {
                endpoint: "http://nowhere".to_owned(),
                detail: "connection reset".to_owned(),
            },
        }
    }
}

impl Store for Faulty {
    fn describe(&self) -> String {
        self.inner.describe()
    }

    fn check(&self) -> Result<(), Error> {
        self.inner.check()
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>, Error> {
        self.inner.list(prefix)
    }

    fn head(&self, key: &str) -> Result<Entry, Error> {
        self.inner.head(key)
    }

    fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        etag: Option<&Etag>,
    ) -> Result<Box<dyn Read + Send>, Error> {
        match (self.judge)("read", key) {
            Some(trouble) => Err(self.error(trouble, key)),
            None => self.inner.read(key, range, etag),
        }
    }

    fn create(&self, key: &str, bytes: Bytes) -> Result<Created, Error> {
        match (self.judge)("create", key) {
            None => self.inner.create(key, bytes),
            Some(Trouble::OwnObject) => self.inner.create(key, bytes).map(|_| Created::Exists),
            Some(Trouble::LostReply) => {
                self.inner.create(key, bytes).map(|_| ())?;
                Err(self.error(Trouble::LostReply, key))
            }
            Some(trouble) => Err(self.error(trouble, key)),
        }
    }

    fn put(&self, key: &str, bytes: Bytes) -> Result<(), Error> {
        self.inner.put(key, bytes)
    }

    fn delete(&self, key: &str) -> Result<(), Error> {
        self.inner.delete(key)
    }
}

struct Wrapping(Judge);

impl Stores for Wrapping {
    fn open(&self, location: &Location, settings: &S3Settings) -> Result<Arc<dyn Store>, Error> {
        let inner = store::open(location, settings)?;
        Ok(Arc::new(Faulty {
            inner,
            judge: Arc::clone(&self.0),
        }))
    }
}

/// Options whose stores ask `judge` before each reading and creating.
pub fn options(
    judge: impl Fn(&str, &str) -> Option<Trouble> + Send + Sync + 'static,
) -> RunOptions {
    RunOptions {
        stores: Arc::new(Wrapping(Arc::new(judge))),
        ..RunOptions::default()
    }
}
