//! Follows routes into an archive.

use std::{
    fmt,
    io::{self, Read},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    container::{
        Unwrapping,
        buffered::Buffered,
        marks::{Mark, Marks},
        packing::{Packing, Unpacking, unpack},
        source::{Source, SourceCount},
    },
    error::ContainerError,
    object::Object,
    route::{Route, Step},
    settings::ReaderSettings,
};

/// Opens members and ranges of one archive, one after the other.
///
/// What lies in one compressed stream should be opened in the order of the stream: then it is unpacked once. A reading
/// that is opened ends the one before.
pub struct Opener {
    object: Arc<dyn Object>,
    settings: ReaderSettings,
    base: Option<Base>,
    /// Counts what was read of the archive for the route that was opened last.
    count: SourceCount,
}

impl fmt::Debug for Opener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opener")
            .field("object", &self.object)
            .finish_non_exhaustive()
    }
}

/// A compressed stream that several members lie in.
struct Base {
    from: u64,
    to: u64,
    packing: Packing,
    before: Mark,
    marks: Marks,
    count: SourceCount,
    stream: Arc<Mutex<Stream>>,
}

struct Stream {
    reader: Box<dyn Read + Send>,
    at: u64,
    broken: bool,
}

impl Opener {
    /// Opens nothing yet.
    pub fn new(object: Arc<dyn Object>, settings: &ReaderSettings) -> Self {
        Opener {
            object,
            settings: settings.clone(),
            base: None,
            count: SourceCount::default(),
        }
    }

    /// The text that a route leads to. A fault of the container is an `io::Error` that carries a [`ContainerError`],
    /// after all bytes before it; any other is the input's own.
    ///
    /// # Errors
    /// The input's own.
    pub fn open(&mut self, route: &Route) -> io::Result<Box<dyn Read + Send>> {
        let mut steps = route.steps.as_slice();
        let (mut reader, count): (Box<dyn Read + Send>, SourceCount) = match steps {
            [Step::Unpack(packing, before), rest @ ..] => {
                steps = rest;
                let mut skip = 0;
                if let [Step::Skip(bytes), rest @ ..] = steps {
                    (steps, skip) = (rest, *bytes);
                }
                self.within_stream(route, *packing, *before, skip)?
            }
            _ => {
                let count = SourceCount::default();
                let input = self.object.read(route.from..route.to)?;
                let source = Source::new(input, count.clone());
                (Box::new(Unwrapping(source)), count)
            }
        };
        self.count = count;
        for step in steps {
            reader = match *step {
                Step::Unpack(packing, before) => self.further(reader, packing, before),
                Step::Skip(bytes) => Box::new(Skipping {
                    reader,
                    left: bytes,
                }),
                Step::Take(bytes) => Box::new(Taking {
                    reader,
                    left: bytes,
                    taken: 0,
                }),
                Step::Check { bytes, crc } => Box::new(Checking {
                    reader,
                    bytes,
                    crc,
                    seen: flate2::Crc::new(),
                    total: 0,
                    over: false,
                }),
            };
        }
        Ok(reader)
    }

    /// Unpacks once more what was opened last.
    pub(crate) fn further(
        &self,
        reader: Box<dyn Read + Send>,
        packing: Packing,
        before: Mark,
    ) -> Box<dyn Read + Send> {
        // Its errors pass as those of an input; the bound is on what the archive itself gave.
        let source = Source::new(reader, SourceCount::default());
        let with = Unpacking {
            settings: &self.settings,
            count: self.count.clone(),
            marks: Marks::default(),
            before,
        };
        unpack(packing, Buffered::new(Box::new(source)), with)
    }

    /// Where the stream that was opened last can be entered, as far as it was read.
    pub(crate) fn marks(&self) -> Marks {
        self.base
            .as_ref()
            .map(|base| base.marks.clone())
            .unwrap_or_default()
    }

    fn within_stream(
        &mut self,
        route: &Route,
        packing: Packing,
        before: Mark,
        skip: u64,
    ) -> io::Result<(Box<dyn Read + Send>, SourceCount)> {
        let fits = |base: &Base| {
            let same = (base.from, base.to) == (route.from, route.to)
                && (base.packing, base.before) == (packing, before);
            let stream = base.stream.lock().unwrap_or_else(PoisonError::into_inner);
            same && !stream.broken && stream.at <= skip
        };
        if !self.base.as_ref().is_some_and(fits) {
            self.base = None;
        }
        let base = match self.base.take() {
            Some(base) => base,
            None => self.begin(route, packing, before)?,
        };
        let reader = Within {
            stream: Arc::clone(&base.stream),
            from: skip,
        };
        let count = base.count.clone();
        self.base = Some(base);
        Ok((Box::new(reader), count))
    }

    fn begin(&self, route: &Route, packing: Packing, before: Mark) -> io::Result<Base> {
        let count = SourceCount::default();
        let input = self.object.read(route.from..route.to)?;
        let source = Source::new(input, count.clone());
        let marks = Marks::default();
        let with = Unpacking {
            settings: &self.settings,
            count: count.clone(),
            marks: marks.clone(),
            before,
        };
        let reader = unpack(packing, Buffered::new(Box::new(source)), with);
        Ok(Base {
            from: route.from,
            to: route.to,
            packing,
            before,
            marks,
            count,
            stream: Arc::new(Mutex::new(Stream {
                reader,
                at: 0,
                broken: false,
            })),
        })
    }
}

/// A shared stream, from some place on.
struct Within {
    stream: Arc<Mutex<Stream>>,
    from: u64,
}

impl Read for Within {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        let stream = &mut *stream;
        let wanted = self.from.saturating_sub(stream.at);
        let result = pass(&mut stream.reader, wanted, &mut stream.at).and_then(|there| {
            if there {
                stream.reader.read(into)
            } else {
                Ok(0)
            }
        });
        match result {
            Ok(read) => {
                stream.at += read as u64;
                Ok(read)
            }
            Err(error) => {
                stream.broken = error.kind() != io::ErrorKind::Interrupted;
                Err(error)
            }
        }
    }
}

/// Passes over bytes; false where there are not so many.
fn pass(reader: &mut impl Read, mut bytes: u64, at: &mut u64) -> io::Result<bool> {
    let mut scrap = [0; 16 << 10];
    while bytes > 0 {
        let room = usize::try_from(bytes)
            .unwrap_or(usize::MAX)
            .min(scrap.len());
        let read = reader.read(&mut scrap[..room])?;
        if read == 0 {
            return Ok(false);
        }
        bytes -= read as u64;
        *at += read as u64;
    }
    Ok(true)
}

struct Skipping<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for Skipping<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut passed = 0;
        let there = pass(&mut self.reader, self.left, &mut passed);
        self.left -= passed;
        if there? {
            self.reader.read(into)
        } else {
            Ok(0)
        }
    }
}

fn fault(fault: ContainerError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

/// A member of a tar: exactly so many bytes.
struct Taking<R> {
    reader: R,
    left: u64,
    taken: u64,
}

impl<R: Read> Read for Taking<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(into.len());
        if room == 0 {
            return Ok(0);
        }
        let read = self.reader.read(&mut into[..room])?;
        if read == 0 {
            self.left = 0;
            return Err(fault(ContainerError::Truncated {
                container: "tar",
                compressed_bytes: self.taken,
            }));
        }
        self.left -= read as u64;
        self.taken += read as u64;
        Ok(read)
    }
}

/// A member of a zip, held against its length and checksum at its end.
struct Checking<R> {
    reader: R,
    bytes: u64,
    crc: u32,
    seen: flate2::Crc,
    total: u64,
    over: bool,
}

impl<R: Read> Read for Checking<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.over || into.is_empty() {
            return Ok(0);
        }
        let read = self.reader.read(into)?;
        if read > 0 {
            self.total += read as u64;
            self.seen.update(&into[..read]);
            return Ok(read);
        }
        self.over = true;
        if self.total < self.bytes {
            return Err(fault(ContainerError::Truncated {
                container: "zip",
                compressed_bytes: self.total,
            }));
        }
        if self.total > self.bytes || self.seen.sum() != self.crc {
            return Err(fault(ContainerError::Damaged {
                container: "zip",
                compressed_bytes: self.total,
                message: "length or checksum are not what the zip says of the file".to_owned(),
            }));
        }
        Ok(0)
    }
}
