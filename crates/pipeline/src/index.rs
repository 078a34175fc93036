//! The stage index: what an input object is, and where it is cut.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use archive::{Container, Encoding, Start, cut_points};

use crate::chunk::{Halt, Made};
use crate::context::{Context, Meter, Stop};
use crate::input::Archive;
use crate::key::ChunkKey;
use crate::receipt::{Facts, IndexFacts, RangeFacts};

/// Goes up when the same object is indexed otherwise.
pub(crate) const INDEX_VERSION: u64 = 1;

/// The key of an object's index. Size and etag only save work: every later key stands on the hash of the bytes.
pub(crate) fn key(context: &Context<'_>, archive: &Archive) -> ChunkKey {
    ChunkKey::of("index")
        .field("archive", &archive.name)
        .number("size", archive.size)
        .field("etag", archive.etag.as_str())
        .field("reader", context.reader.identity())
        .number("chunk bytes", context.job.run.chunk_bytes)
        .number("version", INDEX_VERSION)
        .finish()
}

/// Reads an object once: its hash, its container, and where plain text is cut.
pub(crate) fn index(
    context: &Context<'_>,
    archive: &Archive,
    meter: &Meter<'_>,
) -> Result<Made, Halt> {
    let input = archive
        .store
        .read(&archive.key, None, Some(&archive.etag))
        .map_err(|error| blame(context, error))?;
    let (watched, seen) = Watched::new(input, context.stop());
    let mut reader = Head::new(Metered {
        inner: watched,
        meter,
    });
    let fault = |error: &std::io::Error| reading(context, error);
    let container = Container::of(reader.peek().map_err(|error| fault(&error))?);
    let cuts = if container == Container::Plain && archive.size > context.job.run.chunk_bytes {
        let cuts = cut_points(&mut reader, context.job.run.chunk_bytes, &context.reader);
        cuts.map_err(|error| fault(&error.source))?.ranges
    } else {
        Vec::new()
    };
    std::io::copy(&mut reader, &mut std::io::sink()).map_err(|error| fault(&error))?;
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let content_hash = seen.hasher.finalize().to_hex().to_string();
    let whole = RangeFacts {
        start: 0,
        end: seen.bytes,
        first_ordinal: 1,
        wide: None,
        hash: content_hash.clone(),
    };
    let ranges: Vec<RangeFacts> = cuts.iter().map(range_facts).collect();
    let facts = IndexFacts {
        content_hash,
        bytes: seen.bytes,
        container: container.as_str().to_owned(),
        ranges: if ranges.len() > 1 {
            ranges
        } else {
            vec![whole]
        },
    };
    Ok(Made {
        facts: Some(Facts::Index(facts)),
        ..Made::default()
    })
}

fn range_facts(range: &archive::CutRange) -> RangeFacts {
    RangeFacts {
        start: range.start.byte_offset,
        end: range.start.byte_offset + range.byte_length,
        first_ordinal: range.start.first_ordinal,
        wide: range
            .start
            .wide
            .map(|encoding| encoding.as_str().to_owned()),
        hash: blake3::Hash::from_bytes(range.hash).to_hex().to_string(),
    }
}

/// Where a reading of a range begins.
pub(crate) fn start(range: &RangeFacts) -> Start {
    Start {
        byte_offset: range.start,
        first_ordinal: range.first_ordinal,
        wide: range
            .wide
            .as_deref()
            .and_then(|name| name.parse::<Encoding>().ok()),
    }
}

/// Whether a failure of the input's store is the object's, or the whole store's.
pub(crate) fn blame(context: &Context<'_>, error: store::Error) -> Halt {
    use store::Error as E;
    if context.cancelled() {
        return Halt::Cancelled;
    }
    match error {
        E::NotFound { .. } | E::AccessDenied { .. } | E::Io { .. } | E::BadKey { .. } => {
            Halt::Unreadable(error.to_string())
        }
        E::Changed { .. } => Halt::Failed(error.to_string()),
        source => Halt::Fatal(crate::output::failed("reading the input", source)),
    }
}

/// The same for a failure met while reading.
pub(crate) fn reading(context: &Context<'_>, error: &std::io::Error) -> Halt {
    use store::Error as E;
    if context.cancelled() {
        return Halt::Cancelled;
    }
    match store::Error::of_io(error) {
        Some(E::Changed { .. }) => Halt::Failed(error.to_string()),
        Some(E::NotFound { .. } | E::AccessDenied { .. } | E::Io { .. }) | None => {
            Halt::Unreadable(error.to_string())
        }
        // A reader lends its error: what matters of it is said again.
        Some(other) => Halt::Fatal(crate::run::RunError::Input(other.to_string())),
    }
}

/// What went through a [`Watched`] reader.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) hasher: blake3::Hasher,
    pub(crate) bytes: u64,
}

/// A reader that hashes and counts what goes through it, and stops when the run does.
pub(crate) struct Watched<R> {
    inner: R,
    stop: Stop,
    seen: Arc<Mutex<Seen>>,
}

impl<R: Read> Watched<R> {
    pub(crate) fn new(inner: R, stop: Stop) -> (Watched<R>, Arc<Mutex<Seen>>) {
        let seen = Arc::new(Mutex::new(Seen::default()));
        (
            Watched {
                inner,
                stop,
                seen: Arc::clone(&seen),
            },
            seen,
        )
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.stop.raised() {
            return Err(std::io::Error::other("the run was told to stop"));
        }
        let count = self.inner.read(into)?;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.hasher.update(into.get(..count).unwrap_or_default());
        seen.bytes += count as u64;
        Ok(count)
    }
}

/// A reader that tells the meter.
struct Metered<'a, R> {
    inner: R,
    meter: &'a Meter<'a>,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(into)?;
        self.meter.add(count as u64);
        Ok(count)
    }
}

/// A reader whose first bytes can be looked at.
struct Head<R> {
    inner: R,
    head: Vec<u8>,
    given: usize,
}

/// Longer than every container's magic number.
const HEAD_BYTES: u64 = 16;

impl<R: Read> Head<R> {
    fn new(inner: R) -> Head<R> {
        Head {
            inner,
            head: Vec::new(),
            given: 0,
        }
    }

    fn peek(&mut self) -> std::io::Result<&[u8]> {
        self.inner
            .by_ref()
            .take(HEAD_BYTES)
            .read_to_end(&mut self.head)?;
        Ok(&self.head)
    }
}

impl<R: Read> Read for Head<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.head.get(self.given..).unwrap_or_default();
        if rest.is_empty() {
            return self.inner.read(into);
        }
        let count = rest.len().min(into.len());
        into.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.given += count;
        Ok(count)
    }
}
