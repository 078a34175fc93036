//! A sliding window over a stream: what is not yet judged is held, all else is let go.

use std::io::{self, Read};

use crate::{
    encoding::Encoding,
    line::{LINE_END_BYTES, LineEnd, end_of_line},
    wide,
};

const CHUNK_BYTES: usize = 256 << 10;

/// Where a reading begins: the start of a member, or a cut point inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// Offset in the decompressed member, in bytes.
    pub byte_offset: u64,
    /// Number of the first game found from here.
    pub first_ordinal: u32,
    /// The encoding of the whole member where it is UTF-16, known from its first bytes.
    pub wide: Option<Encoding>,
}

impl Start {
    /// The beginning of a member.
    pub const BEGINNING: Start = Start {
        byte_offset: 0,
        first_ordinal: 1,
        wide: None,
    };
}

/// The bytes from the current item on. All positions are relative to that item's start.
pub(crate) struct Window<R> {
    reader: R,
    buffer: Vec<u8>,
    head: usize,
    /// End of what was read; behind it lies room, already zeroed.
    filled: usize,
    /// Offset of the item in the member.
    origin: u64,
    ended: bool,
    fault: Option<io::Error>,
    wide: Option<wide::Decoder>,
    /// The settings demand an encoding.
    settled: bool,
    /// What was let go last ended a line.
    at_line_start: bool,
    hasher: Option<blake3::Hasher>,
}

pub(crate) enum Line {
    /// A whole line; the last one of a stream may lack its end.
    Whole(LineEnd),
    /// No end within the limit.
    TooLong,
    /// Nothing is left.
    End,
}

impl<R: Read> Window<R> {
    /// `encoding` is what the settings demand, if anything.
    pub(crate) fn new(reader: R, start: Start, encoding: Option<Encoding>) -> Self {
        let mut window = Window {
            reader,
            buffer: Vec::new(),
            head: 0,
            filled: 0,
            origin: start.byte_offset,
            ended: false,
            fault: None,
            wide: None,
            settled: encoding.is_some(),
            at_line_start: true,
            hasher: None,
        };
        let settled = encoding.filter(|e| e.is_wide()).or(start.wide);
        if let Some(encoding) = settled {
            window.wide = Some(wide::Decoder::new(encoding));
        } else if start.byte_offset == 0 && encoding.is_none() {
            while window.filled < wide::HEAD_BYTES && window.fill() {}
            let head = &window.bytes()[..window.filled.min(wide::HEAD_BYTES)];
            if let Some(encoding) = wide::detect(head) {
                window.widen(encoding);
            }
        }
        window
    }

    /// Reads on as UTF-16, what is held and all that comes.
    pub(crate) fn widen(&mut self, encoding: Encoding) {
        let mut decoder = wide::Decoder::new(encoding);
        let raw = self.bytes().to_vec();
        self.buffer.clear();
        decoder.decode(&raw, &mut self.buffer);
        if self.ended {
            decoder.decode(&[], &mut self.buffer);
        }
        (self.head, self.filled) = (0, self.buffer.len());
        self.wide = Some(decoder);
    }

    /// Whether a demand from outside settles the encoding.
    pub(crate) fn is_settled(&self) -> bool {
        self.settled || self.wide.is_some()
    }

    /// Hash everything that is let go from now on.
    pub(crate) fn hash_bytes(&mut self) {
        self.hasher = Some(blake3::Hasher::new());
    }

    /// Whether the first byte is the first of a line.
    pub(crate) fn at_line_start(&self) -> bool {
        self.at_line_start
    }

    /// The hash since the last call.
    pub(crate) fn take_hash(&mut self) -> [u8; 32] {
        match self.hasher.replace(blake3::Hasher::new()) {
            Some(hasher) => hasher.finalize().into(),
            None => [0; 32],
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[self.head..self.filled]
    }

    pub(crate) fn origin(&self) -> u64 {
        self.origin
    }

    pub(crate) fn wide(&self) -> Option<Encoding> {
        self.wide.as_ref().map(wide::Decoder::encoding)
    }

    /// A byte left over at the end of a UTF-16 stream.
    pub(crate) fn has_odd_byte(&self) -> bool {
        self.ended && self.wide.as_ref().is_some_and(wide::Decoder::has_odd_byte)
    }

    /// The odd byte is let go; its value goes into the hash.
    pub(crate) fn drop_odd_byte(&mut self) {
        if let Some(byte) = self.wide.as_mut().and_then(wide::Decoder::take_odd_byte) {
            self.origin += 1;
            if let Some(hasher) = &mut self.hasher {
                hasher.update(&[byte]);
            }
        }
    }

    /// Whether the stream came whole to its end and nothing of it is left.
    pub(crate) fn is_used_up(&self) -> bool {
        self.ended && self.fault.is_none() && self.bytes().is_empty()
    }

    /// The error that ended the stream early.
    pub(crate) fn take_fault(&mut self) -> Option<io::Error> {
        self.fault.take()
    }

    /// The largest number of bytes up to `limit` that can be let go without cutting a letter of UTF-16 in two.
    pub(crate) fn whole_letters(&self, limit: usize) -> usize {
        let bytes = self.bytes();
        let mut length = bytes.len().min(limit);
        while self.wide.is_some()
            && length > 0
            && bytes.get(length).is_some_and(|b| b & 0xc0 == 0x80)
        {
            length -= 1;
        }
        length
    }

    /// Lets go of the first `length` bytes; returns how many bytes of the member they are.
    pub(crate) fn release(&mut self, length: usize) -> u64 {
        let released = &self.buffer[self.head..self.head + length];
        let member_bytes = match &self.wide {
            None => length as u64,
            Some(_) => wide::source_length(released),
        };
        if let Some(hasher) = &mut self.hasher {
            match &self.wide {
                None => hasher.update(released),
                Some(decoder) => hasher.update(&wide::encode(released, decoder.encoding())),
            };
        }
        if let Some(last) = released.last() {
            self.at_line_start = matches!(last, b'\n' | b'\r');
        }
        self.head += length;
        self.origin += member_bytes;
        member_bytes
    }

    /// The line that starts at `from`, which ends at most `limit` bytes after the item's start. A line counts as too
    /// long by its length alone, so that the answer never depends on how the stream came in.
    pub(crate) fn line(&mut self, from: usize, limit: usize) -> Line {
        let mut searched = from;
        loop {
            match end_of_line(self.bytes(), searched) {
                Some(end) if end.content > limit => return Line::TooLong,
                // A CR at the end of what is there may be the start of a longer line end.
                Some(end) if self.ended || end.content + LINE_END_BYTES <= self.bytes().len() => {
                    return Line::Whole(end);
                }
                Some(end) => searched = end.content,
                None if self.bytes().len() > limit => return Line::TooLong,
                None if self.ended && from >= self.bytes().len() => return Line::End,
                None if self.ended => {
                    let end = self.bytes().len();
                    return Line::Whole(LineEnd {
                        content: end,
                        next: end,
                    });
                }
                None => searched = self.bytes().len(),
            }
            self.fill();
        }
    }

    /// Reads on; false at the end.
    pub(crate) fn fill(&mut self) -> bool {
        if self.ended {
            return false;
        }
        let read = match &mut self.wide {
            None => {
                make_room(&mut self.buffer, &mut self.head, &mut self.filled);
                read_some(&mut self.reader, &mut self.buffer[self.filled..])
            }
            Some(decoder) => {
                let mut raw = vec![0; CHUNK_BYTES];
                let read = read_some(&mut self.reader, &mut raw);
                let got = read.as_ref().map_or(0, |n| *n);
                self.buffer.truncate(self.filled);
                self.buffer.drain(..std::mem::take(&mut self.head));
                decoder.decode(&raw[..got], &mut self.buffer);
                self.filled = self.buffer.len();
                return self.settle(read);
            }
        };
        self.filled += read.as_ref().map_or(0, |n| *n);
        self.settle(read)
    }

    fn settle(&mut self, read: io::Result<usize>) -> bool {
        match read {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) => {
                self.ended = true;
                self.fault = Some(error);
            }
        }
        !self.ended
    }
}

/// Leaves at least half a chunk free behind what was read, moving it to the front first.
fn make_room(buffer: &mut Vec<u8>, head: &mut usize, filled: &mut usize) {
    if buffer.len() - *filled >= CHUNK_BYTES / 2 {
        return;
    }
    buffer.copy_within(*head..*filled, 0);
    *filled -= std::mem::take(head);
    if buffer.len() - *filled < CHUNK_BYTES / 2 {
        buffer.resize(*filled + CHUNK_BYTES, 0);
    }
}

fn read_some(reader: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(into) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}
