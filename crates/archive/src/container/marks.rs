//! Where in a packed stream a decoder can begin.

use std::sync::{Arc, Mutex, PoisonError};

/// The beginning of a gzip member, a bzip2 stream or a zstd frame.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Offset in the packed stream.
    pub(crate) packed: u64,
    /// Offset in what it unpacks to.
    pub(crate) unpacked: u64,
}

/// Marks nearer to one another than this save nothing.
const APART_BYTES: u64 = 256 << 10;

/// The marks met so far, shared between the decoder and whoever cuts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks(Arc<Mutex<Vec<Mark>>>);

impl Marks {
    pub(crate) fn add(&self, packed: u64, unpacked: u64) {
        let mut marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let far = |last: &Mark| unpacked - last.unpacked >= APART_BYTES;
        if marks.last().is_none_or(far) {
            marks.push(Mark { packed, unpacked });
        }
    }

    /// The last mark at or before an offset in the unpacked stream.
    pub(crate) fn before(&self, unpacked: u64) -> Mark {
        let marks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let after = marks.partition_point(|mark| mark.unpacked <= unpacked);
        after
            .checked_sub(1)
            .and_then(|last| marks.get(last))
            .copied()
            .unwrap_or_default()
    }
}
