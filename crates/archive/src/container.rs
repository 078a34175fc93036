//! Containers, told by their first bytes and never by their name.

use std::io::{self, BufRead, BufReader, Read};

use crate::{error::ContainerError, settings::ReaderSettings};

mod bound;
mod members;
mod source;

use bound::Bounded;
use members::{Bzip2, Gzip, Members};
use source::{Source, SourceCount};

/// How an archive is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Container {
    /// Not packed.
    Plain,
    /// One or more gzip members.
    Gzip,
    /// One or more bzip2 streams.
    Bzip2,
    /// Zstandard frames, skippable ones anywhere.
    Zstd,
}

impl Container {
    /// The name that tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Container::Plain => "plain",
            Container::Gzip => "gzip",
            Container::Bzip2 => "bzip2",
            Container::Zstd => "zstd",
        }
    }

    /// The container whose magic number a stream starts with.
    pub fn of(head: &[u8]) -> Container {
        match head {
            [0x1f, 0x8b, 8, ..] => Container::Gzip,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Container::Bzip2,
            // An empty stream has no block, only its end mark.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Container::Bzip2,
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Container::Zstd,
            _ => Container::Plain,
        }
    }
}

/// Longest magic number.
const MAGIC_BYTES: usize = 8;
const BUFFER_BYTES: usize = 128 << 10;

/// An archive opened for reading.
pub struct Opened {
    /// How it is packed.
    pub container: Container,
    /// Its decompressed bytes. A fault of the compressed data is an `io::Error` that carries a [`ContainerError`],
    /// after all bytes before it; any other `io::Error` is the input's own.
    pub reader: Box<dyn Read + Send>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened")
            .field("container", &self.container)
            .finish_non_exhaustive()
    }
}

/// Opens an archive; reads its first bytes to see what it is.
///
/// # Errors
/// The input's own, and a zstd decoder that cannot be set up.
pub fn open(input: Box<dyn Read + Send>, settings: &ReaderSettings) -> io::Result<Opened> {
    let count = SourceCount::default();
    let mut source = BufReader::with_capacity(BUFFER_BYTES, Source::new(input, count.clone()));
    let head = head(&mut source).map_err(source::unwrap_input_error)?;
    let container = Container::of(&head);
    let joined = io::Cursor::new(head).chain(source);
    let reader: Box<dyn Read + Send> = match container {
        Container::Plain => Box::new(Unwrapping(joined)),
        Container::Gzip => Box::new(Bounded::new(
            Members::new(Gzip::new(joined), count.clone()),
            count,
            settings,
        )),
        Container::Bzip2 => Box::new(Bounded::new(
            Members::new(Bzip2::new(joined), count.clone()),
            count,
            settings,
        )),
        Container::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(joined)?;
            decoder.window_log_max(settings.zstd_window_log_max)?;
            let faults = ZstdFaults {
                decoder,
                count: count.clone(),
                allowed: settings.zstd_window_log_max,
            };
            Box::new(Bounded::new(faults, count, settings))
        }
    };
    Ok(Opened { container, reader })
}

fn head(source: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(MAGIC_BYTES);
    source.take(MAGIC_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// A plain input: only its errors need their wrapping taken off.
struct Unwrapping<R>(R);

impl<R: Read> Read for Unwrapping<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(source::unwrap_input_error)
    }
}

/// Gives the zstd decoder's errors their names.
struct ZstdFaults<R: BufRead> {
    decoder: zstd::stream::read::Decoder<'static, R>,
    count: SourceCount,
    allowed: u32,
}

impl<R: BufRead> Read for ZstdFaults<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.decoder.read(into).map_err(|error| {
            source::container_fault(error, |error| {
                let message = error.to_string();
                let compressed_bytes = self.count.bytes();
                if error.kind() == io::ErrorKind::UnexpectedEof
                    || message.contains("incomplete frame")
                {
                    ContainerError::Truncated {
                        container: "zstd",
                        compressed_bytes,
                    }
                } else if message.contains("too much memory") {
                    ContainerError::WindowTooLarge {
                        allowed: self.allowed,
                    }
                } else {
                    ContainerError::Damaged {
                        container: "zstd",
                        compressed_bytes,
                        message,
                    }
                }
            })
        })
    }
}
