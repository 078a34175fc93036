//! Containers, told by their first bytes and never by their name.

use std::io::{self, Read};

use crate::settings::ReaderSettings;

mod bound;
pub(crate) mod buffered;
pub(crate) mod marks;
mod members;
pub(crate) mod packing;
pub(crate) mod source;
mod zstd;

use buffered::Buffered;
use packing::{Packing, Unpacking, unpack};
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
    /// Files in a zip.
    Zip,
    /// Files in a tar, whatever that is compressed with.
    Tar,
}

impl Container {
    /// All of them.
    pub const ALL: [Container; 6] = [
        Container::Plain,
        Container::Gzip,
        Container::Bzip2,
        Container::Zstd,
        Container::Zip,
        Container::Tar,
    ];

    /// The name that tables use.
    pub fn as_str(self) -> &'static str {
        match self {
            Container::Plain => "plain",
            Container::Gzip => "gzip",
            Container::Bzip2 => "bzip2",
            Container::Zstd => "zstd",
            Container::Zip => "zip",
            Container::Tar => "tar",
        }
    }

    /// The container whose magic number these first bytes are. A tar that is compressed shows its compression only;
    /// [`crate::survey`] looks inside.
    pub fn of(head: &[u8]) -> Container {
        match Packing::of(head) {
            Some(packing) => Container::packed(packing),
            None if crate::zipfile::is_zip(head) => Container::Zip,
            None if crate::tarfile::is_tar(head) => Container::Tar,
            None => Container::Plain,
        }
    }

    pub(crate) fn packed(packing: Packing) -> Container {
        match packing {
            Packing::Gzip => Container::Gzip,
            Packing::Bzip2 => Container::Bzip2,
            Packing::Zstd => Container::Zstd,
            // Nothing but a zip holds it.
            Packing::Deflate => Container::Zip,
        }
    }
}

/// A stream opened for reading.
pub struct Opened {
    /// How it is packed.
    pub container: Container,
    /// Its decompressed bytes. A fault of the compressed data is an `io::Error` that carries a
    /// [`crate::ContainerError`], after all bytes before it; any other `io::Error` is the input's own.
    pub reader: Box<dyn Read + Send>,
}

impl std::fmt::Debug for Opened {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Opened")
            .field("container", &self.container)
            .finish_non_exhaustive()
    }
}

/// Opens one stream; reads its first bytes to see what it is.
///
/// For what can only be read from its beginning to its end. The files inside a zip or a tar are found by
/// [`crate::survey`]; here their bytes come as they are.
///
/// # Errors
/// The input's own.
pub fn open(input: Box<dyn Read + Send>, settings: &ReaderSettings) -> io::Result<Opened> {
    let count = SourceCount::default();
    let mut source = Buffered::new(Box::new(Source::new(input, count.clone())));
    let head = source
        .peek(HEAD_BYTES)
        .map_err(source::unwrap_input_error)?;
    let container = Container::of(head);
    let reader: Box<dyn Read + Send> = match Packing::of(head) {
        Some(packing) => unpack(
            packing,
            source,
            Unpacking {
                settings,
                count,
                marks: marks::Marks::default(),
                before: marks::Mark::default(),
            },
        ),
        None => Box::new(Unwrapping(source)),
    };
    Ok(Opened { container, reader })
}

/// Enough to know a container by: a tar says what it is at byte 257, and its first header ends at 512.
pub(crate) const HEAD_BYTES: usize = 512;

/// An input that is not packed: only its errors need their wrapping taken off.
pub(crate) struct Unwrapping<R>(pub(crate) R);

impl<R: Read> Read for Unwrapping<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into).map_err(source::unwrap_input_error)
    }
}
