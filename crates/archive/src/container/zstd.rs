//! One zstd frame: its window looked at before it is decoded.

use std::io::{self, Read};

use super::buffered::Buffered;
use crate::error::ContainerError;

/// The longest header: magic, descriptor, window, dictionary id, content size.
const HEADER_BYTES: usize = 4 + 1 + 1 + 4 + 8;

/// Skippable frames: 16 magic numbers, then the length.
const SKIPPABLE_HEADER_BYTES: usize = 8;

pub(super) struct Zstd(zstd::stream::read::Decoder<'static, Buffered>);

impl Zstd {
    pub(super) fn begin(mut source: Buffered, window_log_max: u32) -> io::Result<Zstd> {
        let wanted = window_bytes(source.peek(HEADER_BYTES)?);
        if let Some(wanted_bytes) = wanted.filter(|bytes| *bytes > 1 << window_log_max.min(63)) {
            let fault = ContainerError::WindowTooLarge {
                wanted_bytes,
                needed: wanted_bytes
                    .checked_next_power_of_two()
                    .map_or(64, u64::trailing_zeros),
                allowed: window_log_max,
            };
            return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
        }
        let mut decoder = zstd::stream::read::Decoder::with_buffer(source)?.single_frame();
        decoder.window_log_max(window_log_max.clamp(10, 31))?;
        Ok(Zstd(decoder))
    }

    pub(super) fn into_inner(self) -> Buffered {
        self.0.finish()
    }
}

impl Read for Zstd {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}

/// Passes over a skippable frame, if one is next.
pub(super) fn pass_skippable(source: &mut Buffered) -> io::Result<bool> {
    let &[0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d] = source.peek(SKIPPABLE_HEADER_BYTES)? else {
        return Ok(false);
    };
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    match source.pass(SKIPPABLE_HEADER_BYTES as u64 + length)? {
        true => Ok(true),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The window that a frame asks for, by its header (RFC 8878, section 3.1.1.1).
fn window_bytes(frame: &[u8]) -> Option<u64> {
    let header = frame.get(4..)?;
    let (descriptor, rest) = header.split_first()?;
    let single_segment = descriptor & 0x20 != 0;
    if !single_segment {
        let window = rest.first()?;
        let base = 1u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    let dictionary_bytes = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size = rest.get(dictionary_bytes..)?;
    let little_endian = |length: usize| {
        let bytes = size.get(..length)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0u64, |sum, byte| sum << 8 | u64::from(*byte)),
        )
    };
    match descriptor >> 6 {
        0 => little_endian(1),
        1 => little_endian(2).map(|size| size + 256),
        2 => little_endian(4),
        _ => little_endian(8),
    }
}
