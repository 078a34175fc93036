//! Values to Arrow columns: one loop for each shape of value, and no null buffer where nothing is null.

use std::sync::Arc;

use arrow_array::{ArrayRef, ArrowPrimitiveType, BooleanArray, PrimitiveArray, StringArray};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer};

/// A column of numbers.
pub(crate) fn numbers<P: ArrowPrimitiveType>(
    values: impl ExactSizeIterator<Item = Option<P::Native>>,
) -> PrimitiveArray<P> {
    let mut there = Bits::with_capacity(values.len());
    let mut numbers = Vec::with_capacity(values.len());
    numbers.extend(values.map(|value| {
        there.push(value.is_some());
        value.unwrap_or_default()
    }));
    PrimitiveArray::new(numbers.into(), there.nulls())
}

/// A column of yes and no.
pub(crate) fn flags(values: impl ExactSizeIterator<Item = Option<bool>>) -> ArrayRef {
    let mut there = Bits::with_capacity(values.len());
    let mut flags = Bits::with_capacity(values.len());
    values.for_each(|value| {
        there.push(value.is_some());
        flags.push(value.unwrap_or_default());
    });
    Arc::new(BooleanArray::new(flags.buffer(), there.nulls()))
}

/// A column of text from values that can lend it; 16 bytes a value is the first guess at its size.
pub(crate) fn texts<'a>(values: impl ExactSizeIterator<Item = Option<&'a str>>) -> ArrayRef {
    let mut column = Text::with_capacity(values.len(), 16);
    for value in values {
        column
            .bytes
            .extend_from_slice(value.unwrap_or_default().as_bytes());
        column.end(value.is_some());
    }
    column.finish()
}

/// A column of bytes as hex digits. A value that follows itself, as the id of a game does ply
/// by ply, is turned into digits once.
pub(crate) fn digits<'a, const N: usize>(
    values: impl ExactSizeIterator<Item = Option<&'a [u8; N]>>,
) -> ArrayRef {
    let mut column = Text::with_capacity(values.len(), 2 * N);
    let mut last: Option<&[u8; N]> = None;
    let mut pairs = [[0; 2]; N];
    for value in values {
        if let Some(bytes) = value {
            if last != value {
                for (pair, byte) in pairs.iter_mut().zip(bytes) {
                    *pair = PAIRS[usize::from(*byte)];
                }
                last = value;
            }
            column.bytes.extend_from_slice(pairs.as_flattened());
        }
        column.end(value.is_some());
    }
    column.finish()
}

/// The two hex digits of each byte.
const PAIRS: [[u8; 2]; 256] = {
    const ALPHABET: &[u8; 16] = b"0123456789abcdef";
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [ALPHABET[byte >> 4], ALPHABET[byte & 15]];
        byte += 1;
    }
    pairs
};

/// A column of text that is being written.
struct Text {
    bytes: Vec<u8>,
    offsets: Vec<i32>,
    there: Bits,
}

impl Text {
    fn with_capacity(values: usize, bytes_each: usize) -> Text {
        let mut offsets = Vec::with_capacity(values + 1);
        offsets.push(0);
        Text {
            bytes: Vec::with_capacity(values * bytes_each),
            offsets,
            there: Bits::with_capacity(values),
        }
    }

    /// Ends a value. A batch has far less than 2 GiB of text.
    fn end(&mut self, there: bool) {
        self.offsets.push(self.bytes.len() as i32);
        self.there.push(there);
    }

    fn finish(self) -> ArrayRef {
        let offsets = OffsetBuffer::new(self.offsets.into());
        Arc::new(StringArray::new(
            offsets,
            self.bytes.into(),
            self.there.nulls(),
        ))
    }
}

/// Bits that come one by one.
struct Bits {
    words: Vec<u64>,
    word: u64,
    len: usize,
}

impl Bits {
    fn with_capacity(bits: usize) -> Bits {
        Bits {
            words: Vec::with_capacity(bits / 64 + 1),
            word: 0,
            len: 0,
        }
    }

    #[inline]
    fn push(&mut self, bit: bool) {
        self.word |= u64::from(bit) << (self.len % 64);
        self.len += 1;
        if self.len.is_multiple_of(64) {
            self.words.push(self.word.to_le());
            self.word = 0;
        }
    }

    fn buffer(mut self) -> BooleanBuffer {
        self.words.push(self.word.to_le());
        BooleanBuffer::new(Buffer::from_vec(self.words), 0, self.len)
    }

    /// The bits as what is there and what is null; nothing where all is there.
    fn nulls(self) -> Option<NullBuffer> {
        let nulls = NullBuffer::new(self.buffer());
        (nulls.null_count() > 0).then_some(nulls)
    }
}
