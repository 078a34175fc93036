//! What a caller may decide about reading.

use crate::{dialect::Dialect, encoding::Encoding};

/// How archives are opened, cut and decoded.
///
/// Every field that can change what is read is part of [`ReaderSettings::identity`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReaderSettings {
    /// Use this encoding for every game instead of detecting it. A UTF-16 value also applies to files without a mark.
    pub encoding: Option<Encoding>,
    /// Use this dialect for every game instead of detecting it.
    pub dialect: Option<Dialect>,
    /// Largest game in bytes; a larger one becomes an unreadable range. Memory is bounded by about twice this.
    pub max_game_bytes: usize,
    /// Decompressed bytes per compressed byte above which a stream is refused as a bomb (after the first 64 MiB).
    pub max_ratio: u64,
    /// Decompressed bytes above which a stream is refused.
    pub max_decompressed_bytes: u64,
    /// Files of one zip or tar; those beyond are not read.
    pub max_members: usize,
    /// Decompressed bytes of all files of one zip or tar together; files that begin beyond are not read.
    pub max_archive_bytes: u64,
    /// Largest zstd window, as a power of two; decompression needs that much memory. 10 to 31.
    pub zstd_window_log_max: u32,
}

impl Default for ReaderSettings {
    fn default() -> Self {
        ReaderSettings {
            encoding: None,
            dialect: None,
            max_game_bytes: 4 << 20,
            max_ratio: 2_000,
            max_decompressed_bytes: 1 << 40,
            max_members: 100_000,
            max_archive_bytes: 1 << 40,
            zstd_window_log_max: 27,
        }
    }
}

impl ReaderSettings {
    /// One line that is equal exactly when two settings read the same things; made for chunk keys.
    pub fn identity(&self) -> String {
        format!(
            "encoding={} dialect={} max_game_bytes={} max_ratio={} max_decompressed_bytes={} max_members={} max_archive_bytes={} zstd_window_log_max={}",
            self.encoding.map_or("auto", Encoding::as_str),
            self.dialect.map_or("auto", Dialect::as_str),
            self.max_game_bytes,
            self.max_ratio,
            self.max_decompressed_bytes,
            self.max_members,
            self.max_archive_bytes,
            self.zstd_window_log_max
        )
    }
}
