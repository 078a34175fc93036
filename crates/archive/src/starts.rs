//! Whether a packed stream may hold several members, without unpacking it.

use crate::container::packing::Packing;

/// Looks at a packed stream as it goes by, for more than one beginning of a gzip member, a bzip2 stream or a zstd frame.
///
/// It may be wrong where packed data look like a beginning by chance: then an unpacking finds nothing to cut, and nothing
/// else is lost.
#[derive(Debug, Clone)]
pub struct Starts {
    packing: Option<Packing>,
    found: u32,
    /// The end of what was seen before.
    tail: Vec<u8>,
}

/// The longest beginning that is looked at.
const BEGINNING_BYTES: usize = 10;

impl Starts {
    /// `head` is the first bytes of the stream; what is no packed stream has no beginnings.
    pub fn new(head: &[u8]) -> Self {
        Starts {
            packing: Packing::of(head),
            found: 0,
            tail: Vec::new(),
        }
    }

    /// Looks at the next bytes.
    pub fn see(&mut self, bytes: &[u8]) {
        let Some(packing) = self.packing.filter(|_| self.found < 2) else {
            return;
        };
        let border = bytes.len().min(BEGINNING_BYTES - 1);
        let before = self.tail.len();
        self.tail.extend_from_slice(&bytes[..border]);
        self.found += count(packing, &self.tail, before);
        self.found += count(packing, bytes, bytes.len());
        let end = bytes.len().saturating_sub(BEGINNING_BYTES - 1);
        if bytes.len() >= BEGINNING_BYTES - 1 {
            self.tail = bytes[end..].to_vec();
        } else {
            let end = self.tail.len().saturating_sub(BEGINNING_BYTES - 1);
            self.tail.drain(..end);
        }
    }

    /// Whether there seem to be several.
    pub fn several(&self) -> bool {
        self.found > 1
    }
}

/// How many beginnings lie wholly in `bytes` and start before `before`.
fn count(packing: Packing, bytes: &[u8], before: usize) -> u32 {
    type Beginning = (&'static [u8], fn(&[u8]) -> bool);
    let (magic, fits): Beginning = match packing {
        // Flags (of which the upper three are always 0), time, extra flags, system.
        Packing::Gzip => (b"\x1f\x8b\x08", |start| {
            start[3] < 0x20 && matches!(start[8], 0 | 2 | 4) && matches!(start[9], 0..=13 | 255)
        }),
        Packing::Bzip2 => (b"BZh", |start| &start[4..10] == b"1AY&SY"),
        Packing::Zstd | Packing::Deflate => (b"\x28\xb5\x2f\xfd", |_| true),
    };
    let whole = |at: &usize| *at < before && bytes.len() - at >= BEGINNING_BYTES;
    let starts = memchr::memmem::find_iter(bytes, magic)
        .filter(whole)
        .filter(|at| fits(&bytes[*at..]));
    starts.take(2).fold(0, |count, _| count + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_are_counted_however_the_bytes_come() {
        let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03and some data";
        let bzip2 = b"BZh91AY&SYand some data";
        let zstd = b"\x28\xb5\x2f\xfd\x04\x00and some data";
        for stream in [gzip.as_slice(), bzip2, zstd] {
            for (copies, several) in [(1, false), (2, true), (3, true)] {
                let bytes = stream.repeat(copies);
                for step in 1..40 {
                    let mut starts = Starts::new(&bytes);
                    bytes.chunks(step).for_each(|chunk| starts.see(chunk));
                    assert_eq!(starts.several(), several, "{copies} copies by {step}");
                }
            }
        }
        let mut plain = Starts::new(b"[Event");
        plain.see(&gzip.repeat(3));
        assert!(!plain.several());
    }
}
