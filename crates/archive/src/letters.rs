//! Eight letters in one number, the first of them lowest.

/// Each byte is 1.
pub(crate) const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of each byte.
pub(crate) const HIGH: u64 = 0x80 * ONES;
