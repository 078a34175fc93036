//! Streams that are simply written one after another: gzip members, bzip2 streams, zstd frames.

use std::io::{self, BufRead, Read};

use super::{
    buffered::Buffered,
    marks::Marks,
    source::{self, SourceCount},
    zstd::Zstd,
};
use crate::error::ContainerError;

/// A decoder of one stream, which leaves its source right behind the stream's end.
pub(super) trait Stream: Read + Sized {
    /// The container's name.
    const NAME: &'static str;
    /// Whether others may follow.
    const REPEATS: bool;
    /// How much is decoded at once, whoever asks for how much: a decoder that meets damage loses what it decoded in the
    /// same call, and that must be little, and the same for every reader.
    const BLOCK_BYTES: usize;

    /// Whether a stream may begin with this byte.
    fn begins_with(byte: u8) -> bool;
    /// Begins to decode.
    fn begin(source: Buffered, window_log_max: u32) -> io::Result<Self>;
    /// Gives the source back.
    fn end(self) -> Buffered;
    /// Passes over something that belongs to the container and holds no data; false where there is nothing such.
    fn pass_over(_source: &mut Buffered) -> io::Result<bool> {
        Ok(false)
    }
}

/// All streams as one.
pub(super) struct Members<S> {
    state: State<S>,
    count: SourceCount,
    marks: Marks,
    window_log_max: u32,
    /// Decoded bytes so far.
    at: u64,
    begun: bool,
    /// A block that was too long for who asked, and how much of it was given.
    block: Vec<u8>,
    given: usize,
}

enum State<S> {
    Between(Buffered),
    Within(S),
    Over,
}

impl<S: Stream> Members<S> {
    pub(super) fn new(
        source: Buffered,
        count: SourceCount,
        marks: Marks,
        window_log_max: u32,
    ) -> Self {
        Members {
            state: State::Between(source),
            count,
            marks,
            window_log_max,
            at: 0,
            begun: false,
            block: Vec::new(),
            given: 0,
        }
    }

    /// Goes on to the next stream, or to the end.
    fn next_stream(&mut self, mut source: Buffered) -> io::Result<()> {
        if self.begun && !S::REPEATS {
            return Ok(());
        }
        while S::pass_over(&mut source)? {}
        match next_byte(&mut source, self.begun)? {
            None => {}
            Some(byte) if S::begins_with(byte) => {
                self.begun = true;
                self.marks.add(source.taken(), self.at);
                self.state = State::Within(S::begin(source, self.window_log_max)?);
            }
            Some(_) if S::pass_over(&mut source)? => self.state = State::Between(source),
            Some(_) => {
                let fault = ContainerError::TrailingBytes {
                    container: S::NAME,
                    bytes_read: source.taken(),
                };
                return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
            }
        }
        Ok(())
    }

    fn step(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Over => Ok(Some(0)),
            State::Between(source) => self.next_stream(source).map(|()| None),
            State::Within(mut stream) => {
                let read = stream.read(into);
                match read {
                    Ok(0) => {
                        self.state = State::Between(stream.end());
                        return Ok(None);
                    }
                    Ok(read) => self.at += read as u64,
                    Err(_) => {}
                }
                self.state = State::Within(stream);
                read.map(Some)
            }
        }
    }

    fn name(&self, error: io::Error) -> io::Error {
        source::container_fault(error, |error| {
            let compressed_bytes = self.count.bytes();
            match error.kind() {
                io::ErrorKind::UnexpectedEof => ContainerError::Truncated {
                    container: S::NAME,
                    compressed_bytes,
                },
                _ => ContainerError::Damaged {
                    container: S::NAME,
                    compressed_bytes,
                    message: error.to_string(),
                },
            }
        })
    }
}

impl<S: Stream> Members<S> {
    /// A block, into a buffer of that length.
    fn decode(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.step(into) {
                Ok(None) => {}
                Ok(Some(read)) => return Ok(read),
                Err(error) => return Err(self.name(error)),
            }
        }
    }
}

impl<S: Stream> Read for Members<S> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        if self.given == self.block.len() {
            if let Some(into) = into.get_mut(..S::BLOCK_BYTES) {
                return self.decode(into);
            }
            let mut block = std::mem::take(&mut self.block);
            block.resize(S::BLOCK_BYTES, 0);
            let decoded = self.decode(&mut block);
            block.truncate(decoded.as_ref().map_or(0, |read| *read));
            (self.block, self.given) = (block, 0);
            decoded?;
        }
        let rest = &self.block[self.given..];
        let read = rest.len().min(into.len());
        into[..read].copy_from_slice(&rest[..read]);
        self.given += read;
        Ok(read)
    }
}

/// The next byte, if any. Zero bytes before it, which tapes and some tools pad with, are passed over between streams.
fn next_byte(source: &mut Buffered, padded: bool) -> io::Result<Option<u8>> {
    loop {
        let buffer = source.fill_buf()?;
        match buffer.iter().position(|byte| !padded || *byte != 0) {
            Some(0) => return Ok(Some(buffer[0])),
            Some(zeros) => source.consume(zeros),
            None if buffer.is_empty() => return Ok(None),
            None => {
                let zeros = buffer.len();
                source.consume(zeros);
            }
        }
    }
}

macro_rules! streams {
    ($($decoder:ty: $name:literal, repeats $repeats:literal, $first:pat => begins;)*) => {$(
        impl Stream for $decoder {
            const NAME: &'static str = $name;
            const REPEATS: bool = $repeats;
            const BLOCK_BYTES: usize = 4 << 10;

            fn begins_with(byte: u8) -> bool {
                matches!(byte, $first)
            }

            fn begin(source: Buffered, _window_log_max: u32) -> io::Result<Self> {
                Ok(<$decoder>::new(source))
            }

            fn end(self) -> Buffered {
                self.into_inner()
            }
        }
    )*};
}

streams! {
    flate2::bufread::GzDecoder<Buffered>: "gzip", repeats true, 0x1f => begins;
    flate2::bufread::DeflateDecoder<Buffered>: "zip", repeats false, _ => begins;
    bzip2::bufread::BzDecoder<Buffered>: "bzip2", repeats true, b'B' => begins;
}

impl Stream for Zstd {
    const NAME: &'static str = "zstd";
    const REPEATS: bool = true;
    // It decodes blocks of up to 128 KB in one go, whatever it is asked for.
    const BLOCK_BYTES: usize = 32 << 10;

    fn begins_with(byte: u8) -> bool {
        byte == 0x28
    }

    fn begin(source: Buffered, window_log_max: u32) -> io::Result<Self> {
        Zstd::begin(source, window_log_max)
    }

    fn end(self) -> Buffered {
        self.into_inner()
    }

    fn pass_over(source: &mut Buffered) -> io::Result<bool> {
        super::zstd::pass_skippable(source)
    }
}
