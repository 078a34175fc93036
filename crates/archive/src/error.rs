//! What can go wrong, apart from the text itself: bad text is never an error.

use std::io;

/// A fault of a container's bytes: a property of the archive, the same at every try.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The stream stops inside a member, stream or frame.
    #[error(
        "truncated {container} stream: the compressed data end after {compressed_bytes} bytes, in the middle of a frame"
    )]
    Truncated {
        /// `gzip`, `bzip2`, `zstd`, `zip` or `tar`.
        container: &'static str,
        /// Compressed bytes that were there.
        compressed_bytes: u64,
    },
    /// The compressed data contradict themselves.
    #[error(
        "damaged {container} stream near compressed byte {compressed_bytes}: {message}; games read from it before may be damaged, too"
    )]
    Damaged {
        /// `gzip`, `bzip2`, `zstd`, `zip` or `tar`.
        container: &'static str,
        /// Compressed bytes read when it was noticed.
        compressed_bytes: u64,
        /// The decoder's words.
        message: String,
    },
    /// Bytes after the last member that are not another one.
    #[error(
        "{bytes_read} bytes into the {container} file, what follows the last complete member is no {container} data"
    )]
    TrailingBytes {
        /// `gzip`, `bzip2`, `zstd`, `zip` or `tar`.
        container: &'static str,
        /// Compressed bytes before them.
        bytes_read: u64,
    },
    /// A zstd frame wants a larger window than the settings allow.
    #[error(
        "the zstd frame asks for a window of {wanted_bytes} bytes, and 2^{allowed} are allowed: set `zstd_window_log_max` to {needed} (31 is the most there is) or compress again without --long"
    )]
    WindowTooLarge {
        /// What the frame's header asks for.
        wanted_bytes: u64,
        /// The setting that would admit it, as a power of two.
        needed: u32,
        /// The setting, as a power of two.
        allowed: u32,
    },
    /// A zip without a directory that can be read: its files are those whose own headers were found.
    #[error(
        "the zip's directory is missing or damaged ({message}): its files were looked for by their own headers"
    )]
    Directory {
        /// What is wrong.
        message: String,
    },
    /// Files that lie in one another, so that a small zip unpacks to a large one.
    #[error("refused as a decompression bomb: files of the zip overlap")]
    Overlapping,
    /// The stream grows beyond the ratio or the size that the settings allow.
    #[error(
        "refused as a decompression bomb: {decompressed_bytes} bytes out of {compressed_bytes} (limits: ratio {max_ratio}, {max_bytes} bytes)"
    )]
    Bomb {
        /// Bytes so far.
        decompressed_bytes: u64,
        /// Bytes they came from.
        compressed_bytes: u64,
        /// The setting.
        max_ratio: u64,
        /// The setting.
        max_bytes: u64,
    },
}

impl ContainerError {
    /// Whether only a reading of a whole file of a zip can find it, at its end.
    pub(crate) fn is_of_check(&self) -> bool {
        match self {
            ContainerError::Damaged { container, .. }
            | ContainerError::Truncated { container, .. } => *container == "zip",
            _ => false,
        }
    }
}

/// The input could not be read at all: the disk or the network failed, not the archive.
#[derive(Debug, thiserror::Error)]
#[error("reading the archive failed at byte {byte_offset} of the decompressed member")]
pub struct ReadError {
    /// Decompressed bytes dealt with before.
    pub byte_offset: u64,
    /// What the reader said.
    #[source]
    pub source: io::Error,
}

/// The container's fault that an I/O error carries, if it is one.
pub fn container_error(error: &io::Error) -> Option<&ContainerError> {
    error.get_ref()?.downcast_ref()
}
