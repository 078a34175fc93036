//! An S3 bucket, or a look-alike's, as a store.

mod body;
mod connect;
mod fault;
mod settings;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use aws_sdk_s3::Client;
use aws_sdk_s3::config::SharedCredentialsProvider;
use aws_sdk_s3::config::timeout::TimeoutConfig;
use aws_sdk_s3::operation::get_object::GetObjectOutput;
use aws_sdk_s3::operation::list_objects_v2::ListObjectsV2Output;
use aws_sdk_s3::primitives::{ByteStream, DateTime};
use aws_sdk_s3::types::Object;
use bytes::Bytes;

pub use self::settings::{Checksums, S3Settings};
use crate::contents::{Created, Entry, Etag, MAX_OBJECT_BYTES, Store};
use crate::error::Error;
use crate::key;

/// Objects from this size on may take longer to go up than an answer may take to come.
const LARGE_BYTES: usize = 4 * 1024 * 1024;
/// Time for a large object to go up: 128 MiB at 110 kB/s. A connection that stalls is given up much earlier.
const LARGE_TIMEOUT: Duration = Duration::from_secs(20 * 60);
/// Attempts of a conditional write that met another one on its way (409).
const CONFLICT_ATTEMPTS: u32 = 6;

/// A [`Store`] in a bucket, below a prefix.
///
/// Cheap to clone; all clones share connections. Requests run on a small runtime of this crate; the calling thread waits.
#[derive(Debug, Clone)]
pub struct S3(Arc<Bucket>);

/// A bucket and the way to it.
#[derive(Debug)]
struct Bucket {
    client: Client,
    name: String,
    /// Empty, or ends in a slash.
    prefix: String,
    /// For messages: the endpoint's URL, or AWS and the region.
    endpoint: String,
    credentials: Option<SharedCredentialsProvider>,
    /// Objects in one page of a listing; `None` leaves it to the service.
    page: Option<i32>,
    /// Whether the bucket has answered: then a 404 means the object.
    seen: AtomicBool,
}

impl S3 {
    /// Prepares the way to a bucket. Reads the environment and profile files, asks nothing of the service yet.
    ///
    /// # Errors
    /// [`Error::Settings`] for an endpoint that is no URL, or AWS without a region.
    pub fn connect(bucket: &str, prefix: &str, settings: &S3Settings) -> Result<Self, Error> {
        connect::bucket(bucket, prefix, settings, None).map(|bucket| Self(Arc::new(bucket)))
    }

    /// As [`S3::connect`], with keys of a test's own instead of the chain's.
    #[cfg(any(test, feature = "testing"))]
    pub(crate) fn for_tests(
        bucket: &str,
        prefix: &str,
        settings: &S3Settings,
        id: &str,
        secret: &str,
    ) -> Result<Self, Error> {
        let keys = connect::Keys::new(id, secret, None, None, "testing");
        connect::bucket(bucket, prefix, settings, Some(keys)).map(|bucket| Self(Arc::new(bucket)))
    }

    #[cfg(test)]
    fn with_page(mut self, objects: i32) -> Self {
        Arc::get_mut(&mut self.0).expect("not cloned yet").page = Some(objects);
        self
    }

    fn writable(&self, key: &str, bytes: &Bytes) -> Result<String, Error> {
        if bytes.len() > MAX_OBJECT_BYTES {
            return Err(Error::TooLarge {
                place: self.0.place(key),
                size: bytes.len() as u64,
            });
        }
        self.0.full_key(key)
    }
}

impl Store for S3 {
    fn describe(&self) -> String {
        self.0.describe()
    }

    fn check(&self) -> Result<(), Error> {
        connect::wait(self.0.check())
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>, Error> {
        let prefix = key::check_prefix(prefix)?;
        let folder = match prefix {
            "" => self.0.prefix.clone(),
            _ => format!("{}{prefix}/", self.0.prefix),
        };
        let mut entries = connect::wait(self.0.list(&folder))?;
        entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        Ok(entries)
    }

    fn head(&self, key: &str) -> Result<Entry, Error> {
        key::check(key)?;
        connect::wait(self.0.head(key))
    }

    fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        if_match: Option<&Etag>,
    ) -> Result<Box<dyn Read + Send>, Error> {
        key::check(key)?;
        match connect::wait(self.0.open(key, range, if_match))? {
            Some((output, start)) => {
                let body = body::Body::new(Arc::clone(&self.0), key, output, start)?;
                Ok(Box::new(body))
            }
            None => Ok(Box::new(io::empty())),
        }
    }

    fn create(&self, key: &str, bytes: Bytes) -> Result<Created, Error> {
        let full = self.writable(key, &bytes)?;
        connect::wait(self.0.create(key, &full, bytes))
    }

    fn put(&self, key: &str, bytes: Bytes) -> Result<(), Error> {
        let full = self.writable(key, &bytes)?;
        connect::wait(self.0.put(key, &full, bytes))
    }

    fn delete(&self, key: &str) -> Result<(), Error> {
        let full = self.0.full_key(key)?;
        connect::wait(self.0.delete(key, &full))
    }
}

impl Bucket {
    fn describe(&self) -> String {
        let root = format!("s3://{}/{}", self.name, self.prefix);
        root.trim_end_matches('/').to_owned()
    }

    fn place(&self, key: &str) -> String {
        format!("s3://{}/{}{key}", self.name, self.prefix)
    }

    fn full_key(&self, key: &str) -> Result<String, Error> {
        let full = format!("{}{}", self.prefix, key::check(key)?);
        key::check(&full)?;
        Ok(full)
    }

    async fn check(&self) -> Result<(), Error> {
        let request = self.client.list_objects_v2().bucket(&self.name);
        let request = request.prefix(&self.prefix).max_keys(1);
        match Box::pin(request.send()).await {
            Ok(_) => self.answered(),
            Err(error) => return Err(self.fault(self.describe(), error).await),
        }
        Ok(())
    }

    /// Before the first write: some look-alikes would make a missing bucket instead of saying so.
    async fn exists(&self) -> Result<(), Error> {
        if self.seen.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.check().await
    }

    fn answered(&self) {
        self.seen.store(true, Ordering::Relaxed);
    }

    async fn list(&self, folder: &str) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        let mut token = None;
        loop {
            let page = self.page(folder, token.take()).await?;
            for object in page.contents() {
                entries.extend(self.listed(object));
            }
            match page.next_continuation_token() {
                Some(next) if page.is_truncated() == Some(true) => token = Some(next.to_owned()),
                _ => return Ok(entries),
            }
        }
    }

    async fn page(
        &self,
        folder: &str,
        token: Option<String>,
    ) -> Result<ListObjectsV2Output, Error> {
        let request = self.client.list_objects_v2().bucket(&self.name);
        let request = request
            .prefix(folder)
            .set_continuation_token(token)
            .set_max_keys(self.page);
        match Box::pin(request.send()).await {
            Ok(page) => {
                self.answered();
                Ok(page)
            }
            Err(error) => Err(self
                .fault(format!("s3://{}/{folder}", self.name), error)
                .await),
        }
    }

    /// An object of a listing as an entry; none for what is no key here.
    fn listed(&self, object: &Object) -> Option<Entry> {
        let full = object.key()?;
        let key = full.strip_prefix(&self.prefix)?;
        if let Some(reason) = key::fault(key) {
            // Consoles make empty objects with a slash at the end to show a folder.
            if !(full.ends_with('/') && object.size() == Some(0)) {
                tracing::warn!(bucket = self.name, key = full, reason, "left out");
            }
            return None;
        }
        Some(entry(
            key,
            object.size(),
            object.e_tag(),
            object.last_modified(),
        ))
    }

    async fn head(&self, key: &str) -> Result<Entry, Error> {
        let request = self.client.head_object().bucket(&self.name);
        match Box::pin(request.key(self.full_key(key)?).send()).await {
            Ok(head) => {
                self.answered();
                Ok(entry(
                    key,
                    head.content_length(),
                    head.e_tag(),
                    head.last_modified(),
                ))
            }
            Err(error) => {
                let fault = self.fault(self.place(key), error).await;
                // A HEAD has no body and so no code: a listing says what is wrong with the key or the bucket.
                match fault {
                    Error::AccessDenied { .. }
                    | Error::Service {
                        status: 300..500, ..
                    } => {
                        self.check().await?;
                        Err(fault)
                    }
                    _ => Err(fault),
                }
            }
        }
    }

    /// Opens an object from the start of `range`; `None` where there is nothing to read in it.
    async fn open(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        if_match: Option<&Etag>,
    ) -> Result<Option<(GetObjectOutput, u64)>, Error> {
        let start = range.as_ref().map_or(0, |range| range.start);
        if range.as_ref().is_none_or(|range| range.start < range.end) {
            let request = self
                .client
                .get_object()
                .bucket(&self.name)
                .key(self.full_key(key)?);
            let request = request
                .set_range(range.map(header))
                .set_if_match(if_match.map(|etag| format!("\"{etag}\"")));
            match Box::pin(request.send()).await {
                Ok(output) => {
                    self.answered();
                    return Ok(Some((output, start)));
                }
                Err(error) if fault::status(&error) != Some(416) => {
                    return Err(self.fault(self.place(key), error).await);
                }
                // The range begins at the end or beyond: nothing to read, if the object is the one meant.
                Err(_) => {}
            }
        }
        let state = self.head(key).await?.etag;
        if if_match.is_some_and(|wanted| *wanted != state) {
            return Err(Error::Changed {
                place: self.place(key),
            });
        }
        Ok(None)
    }

    async fn create(&self, key: &str, full: &str, bytes: Bytes) -> Result<Created, Error> {
        self.exists().await?;
        let mut attempt = 0;
        loop {
            attempt += 1;
            let request = self.client.put_object().bucket(&self.name).key(full);
            let request = request
                .if_none_match("*")
                .body(ByteStream::from(bytes.clone()));
            let error = match Box::pin(request.customize().config_override(patience(&bytes)).send())
                .await
            {
                Ok(_) => {
                    self.answered();
                    return Ok(Created::Created);
                }
                Err(error) => error,
            };
            match fault::status(&error) {
                Some(412) => {
                    self.answered();
                    return Ok(Created::Exists);
                }
                // Another write of this key is under way: the winner is not known yet.
                Some(409) if attempt < CONFLICT_ATTEMPTS => {
                    tokio::time::sleep(Duration::from_millis(50 << attempt)).await;
                }
                Some(501) => {
                    return Err(Error::NotCreateOnly {
                        place: self.describe(),
                        detail: "the service does not know If-None-Match".to_owned(),
                    });
                }
                _ => return Err(self.fault(self.place(key), error).await),
            }
        }
    }

    async fn put(&self, key: &str, full: &str, bytes: Bytes) -> Result<(), Error> {
        self.exists().await?;
        let request = self.client.put_object().bucket(&self.name).key(full);
        let patience = patience(&bytes);
        let request = request.body(ByteStream::from(bytes)).customize();
        match Box::pin(request.config_override(patience).send()).await {
            Ok(_) => self.answered(),
            Err(error) => return Err(self.fault(self.place(key), error).await),
        }
        Ok(())
    }

    async fn delete(&self, key: &str, full: &str) -> Result<(), Error> {
        let request = self.client.delete_object().bucket(&self.name).key(full);
        match Box::pin(request.send()).await {
            Ok(_) => Ok(()),
            Err(error) => match self.fault(self.place(key), error).await {
                Error::NotFound { .. } => Ok(()),
                fault => Err(fault),
            },
        }
    }
}

/// More time for the answer to a large upload, since the clock starts with its first byte.
fn patience(bytes: &Bytes) -> aws_sdk_s3::config::Builder {
    let config = aws_sdk_s3::Config::builder();
    if bytes.len() < LARGE_BYTES {
        return config;
    }
    config.timeout_config(TimeoutConfig::builder().read_timeout(LARGE_TIMEOUT).build())
}

/// A range as HTTP writes it: the last byte counts, and an end past every object is left open.
fn header(range: Range<u64>) -> String {
    if range.end > i64::MAX as u64 {
        format!("bytes={}-", range.start)
    } else {
        format!("bytes={}-{}", range.start, range.end - 1)
    }
}

fn entry(key: &str, size: Option<i64>, etag: Option<&str>, time: Option<&DateTime>) -> Entry {
    Entry {
        key: key.to_owned(),
        size: size.and_then(|size| u64::try_from(size).ok()).unwrap_or(0),
        etag: Etag::new(etag.unwrap_or_default()),
        mtime: time.and_then(|time| SystemTime::try_from(*time).ok()),
    }
}

#[cfg(test)]
mod tests;
