//! What a stream is compressed with, told by its first bytes.

use std::{fmt, io::Read, str::FromStr};

use super::{
    bound::Bounded,
    buffered::Buffered,
    marks::{Mark, Marks},
    members::Members,
    source::SourceCount,
    zstd::Zstd,
};
use crate::settings::ReaderSettings;

/// How a stream is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Packing {
    /// gzip members.
    Gzip,
    /// bzip2 streams.
    Bzip2,
    /// zstd frames.
    Zstd,
    /// A bare deflate stream, as zip files hold.
    Deflate,
}

impl Packing {
    const ALL: [Packing; 4] = [
        Packing::Gzip,
        Packing::Bzip2,
        Packing::Zstd,
        Packing::Deflate,
    ];

    /// A stable name.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Bzip2 => "bzip2",
            Packing::Zstd => "zstd",
            Packing::Deflate => "deflate",
        }
    }

    /// The packing whose magic number a stream starts with; deflate has none.
    pub(crate) fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Packing::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, ..] => Some(Packing::Bzip2),
            // An empty stream has no block, only its end mark.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, ..] => Some(Packing::Bzip2),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => {
                Some(Packing::Zstd)
            }
            _ => None,
        }
    }
}

impl fmt::Display for Packing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Packing {
    type Err = ();

    fn from_str(name: &str) -> Result<Packing, ()> {
        let found = Packing::ALL.iter().find(|packing| packing.as_str() == name);
        found.copied().ok_or(())
    }
}

/// What an unpacking needs beside its bytes.
#[derive(Clone)]
pub(crate) struct Unpacking<'a> {
    pub(crate) settings: &'a ReaderSettings,
    /// Counts the bytes of the archive itself, whatever lies between.
    pub(crate) count: SourceCount,
    pub(crate) marks: Marks,
    /// What lies before the first byte of the stream.
    pub(crate) before: Mark,
}

/// Unpacks a stream, within the bounds of the settings.
pub(crate) fn unpack(
    packing: Packing,
    source: Buffered,
    with: Unpacking<'_>,
) -> Box<dyn Read + Send> {
    match packing {
        Packing::Gzip => members::<flate2::bufread::GzDecoder<Buffered>>(source, with),
        Packing::Bzip2 => members::<bzip2::bufread::BzDecoder<Buffered>>(source, with),
        Packing::Zstd => members::<Zstd>(source, with),
        Packing::Deflate => members::<flate2::bufread::DeflateDecoder<Buffered>>(source, with),
    }
}

fn members<S: super::members::Stream + Send + 'static>(
    source: Buffered,
    with: Unpacking<'_>,
) -> Box<dyn Read + Send> {
    let window_log_max = with.settings.zstd_window_log_max;
    let members: Members<S> = Members::new(source, with.count.clone(), with.marks, window_log_max);
    Box::new(Bounded::new(
        members,
        with.count,
        with.before,
        with.settings,
    ))
}
