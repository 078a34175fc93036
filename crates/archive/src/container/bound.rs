//! Bounds what a small input may grow to.

use std::io::{self, Read};

use super::{marks::Mark, source::SourceCount};
use crate::{error::ContainerError, settings::ReaderSettings};

/// Below this size no ratio is looked at: a few kilobytes of blanks are no bomb.
const RATIO_FREE_BYTES: u64 = 64 << 20;

pub(super) struct Bounded<R> {
    inner: R,
    count: SourceCount,
    /// What lies before the place where the decoder began.
    before: Mark,
    decompressed_bytes: u64,
    max_ratio: u64,
    max_bytes: u64,
}

impl<R> Bounded<R> {
    pub(super) fn new(
        inner: R,
        count: SourceCount,
        before: Mark,
        settings: &ReaderSettings,
    ) -> Self {
        Bounded {
            inner,
            count,
            before,
            decompressed_bytes: before.unpacked,
            max_ratio: settings.max_ratio,
            max_bytes: settings.max_decompressed_bytes,
        }
    }

    fn is_bomb(&self, compressed_bytes: u64) -> bool {
        let ratio_broken = self.decompressed_bytes > RATIO_FREE_BYTES
            && self.decompressed_bytes / compressed_bytes.max(1) > self.max_ratio;
        ratio_broken || self.decompressed_bytes > self.max_bytes
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        // One byte beyond the limit is asked for, to know that there is one.
        let room = self.max_bytes.saturating_sub(self.decompressed_bytes);
        let room = usize::try_from(room).unwrap_or(usize::MAX).max(1);
        let room = room.min(into.len());
        let read = self.inner.read(&mut into[..room])?;
        self.decompressed_bytes += read as u64;
        let compressed_bytes = self.before.packed + self.count.bytes();
        if !self.is_bomb(compressed_bytes) {
            return Ok(read);
        }
        let (decompressed_bytes, max_ratio, max_bytes) =
            (self.decompressed_bytes, self.max_ratio, self.max_bytes);
        let fault = ContainerError::Bomb {
            decompressed_bytes,
            compressed_bytes,
            max_ratio,
            max_bytes,
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, fault))
    }
}
