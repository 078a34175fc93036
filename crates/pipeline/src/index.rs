//! The stage index: what an input object is, and where it is cut.

use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

use archive::{Cutting, Encoding, Route, Segment, Start, Starts, Survey, survey};

use crate::chunk::{Halt, Made};
use crate::context::{Context, Meter, Stop};
use crate::fault;
use crate::input::Archive;
use crate::key::ChunkKey;
use crate::object::StoredObject;
use crate::receipt::{ChunkFacts, Facts, IndexFacts, NoteFacts, RangeFacts};
use crate::stage::Stage;
use crate::stretches;

/// Goes up when the same object is indexed otherwise.
pub(crate) const INDEX_VERSION: u64 = 4;

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

/// Reads an object: its hash, its container, its members, and where they are cut.
pub(crate) fn index(
    context: &Context<'_>,
    archive: &Archive,
    meter: &Meter<'_>,
) -> Result<Made, Halt> {
    fault::at(Stage::Index, archive.name.as_bytes());
    let (content_hash, bytes, several) = hash(context, archive, meter)?;
    let object = StoredObject::new(archive, context.stop());
    let object: Arc<dyn archive::Object> = Arc::new(object);
    let chunk_bytes = context.job.run.chunk_bytes;
    let cutting = Cutting {
        target_bytes: chunk_bytes,
        // A stream that unpacks to less than a chunk is not worth it; text packs to a fifth or so.
        unpack: several && bytes > chunk_bytes / 10,
    };
    let survey = survey(&object, cutting, &context.reader)
        .map_err(|error| reading(context, &error.source))?;
    let counted = |segment: &&Segment| {
        let first = segment
            .range
            .as_ref()
            .is_none_or(|range| range.start.byte_offset == 0);
        segment.route.is_some() && first
    };
    let members = survey.segments.iter().filter(counted).count();
    let facts = IndexFacts {
        container: survey.container.as_str().to_owned(),
        members: u32::try_from(members).unwrap_or(u32::MAX),
        chunks: chunks(&archive.name, &survey, &content_hash, bytes, chunk_bytes),
        content_hash,
        bytes,
    };
    Ok(Made {
        facts: Some(Facts::Index(facts)),
        ..Made::default()
    })
}

/// The hash of the object's bytes, their number, and whether they look like several packed streams.
fn hash(
    context: &Context<'_>,
    archive: &Archive,
    meter: &Meter<'_>,
) -> Result<(String, u64, bool), Halt> {
    let input = archive
        .store
        .read(&archive.key, None, Some(&archive.etag))
        .map_err(|error| blame(context, error))?;
    let (mut reader, seen) = Watched::new(input, context.stop());
    let mut block = vec![0; BLOCK_BYTES];
    let mut starts = None;
    loop {
        let read = match reader.read(&mut block) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.map_err(|error| reading(context, &error))?,
        };
        if read == 0 {
            break;
        }
        let bytes = block.get(..read).unwrap_or_default();
        starts.get_or_insert_with(|| Starts::new(bytes)).see(bytes);
        meter.add(read as u64);
    }
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let several = starts.is_some_and(|starts| starts.several());
    Ok((
        seen.hasher.finalize().to_hex().to_string(),
        seen.bytes,
        several,
    ))
}

const BLOCK_BYTES: usize = 256 << 10;

/// Puts the segments of an archive into chunks: small files together, up to the size of a chunk.
///
/// Files in one packed stream that cannot be entered in its middle stay in one chunk: each chunk would unpack the stream
/// from its beginning.
fn chunks(
    name: &str,
    survey: &Survey,
    content_hash: &str,
    object_bytes: u64,
    chunk_bytes: u64,
) -> Vec<ChunkFacts> {
    let mut chunks: Vec<ChunkFacts> = Vec::new();
    let mut open_bytes = 0;
    let many = survey.segments.len() > 1;
    for (number, segment) in survey.segments.iter().enumerate() {
        let next = survey.segments.get(number + 1);
        let goes_on = |other: Option<&Segment>| {
            let start = other
                .and_then(|other| other.range.as_ref())
                .map(|range| range.start);
            start.is_some_and(|start| start.byte_offset > 0)
        };
        let mut range = range_facts(name, segment, content_hash, object_bytes);
        range.whole = !goes_on(Some(segment)) && !goes_on(next);
        let detour = segment.route.as_ref().map_or(0, Route::detour);
        let bytes = range.end - range.start;
        let fits = open_bytes + bytes <= chunk_bytes || detour > chunk_bytes / 4;
        match chunks.last_mut().filter(|_| many && fits) {
            Some(chunk) => chunk.ranges.push(range),
            None => {
                open_bytes = 0;
                chunks.push(ChunkFacts {
                    ranges: vec![range],
                });
            }
        }
        open_bytes += bytes;
    }
    chunks
}

fn range_facts(
    archive: &str,
    segment: &Segment,
    content_hash: &str,
    object_bytes: u64,
) -> RangeFacts {
    let member = segment.member.clone();
    let notes = segment.notes.iter().map(|reason| {
        let (code, message) = stretches::finding(reason, member.as_deref().unwrap_or(archive));
        NoteFacts {
            code: code.as_str().to_owned(),
            message,
        }
    });
    let facts = RangeFacts {
        notes: notes.collect(),
        route: segment.route.as_ref().map(Route::to_string),
        broken: segment.broken,
        first_ordinal: 1,
        member,
        ..RangeFacts::default()
    };
    match &segment.range {
        Some(range) => RangeFacts {
            start: range.start.byte_offset,
            end: range.start.byte_offset + range.byte_length,
            first_ordinal: range.start.first_ordinal,
            wide: range
                .start
                .wide
                .map(|encoding| encoding.as_str().to_owned()),
            hash: blake3::Hash::from_bytes(range.hash).to_hex().to_string(),
            hash_of_text: true,
            ..facts
        },
        None if segment.route.is_some() => RangeFacts {
            end: object_bytes,
            hash: content_hash.to_owned(),
            hash_of_text: segment.route.as_ref().is_some_and(Route::is_plain),
            ..facts
        },
        None => facts,
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
