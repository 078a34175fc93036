//! Containers that are simply written one after another: gzip members, bzip2 streams.

use std::io::{self, BufRead, Read};

use super::source::{self, SourceCount};
use crate::error::ContainerError;

/// A decoder of one member at a time.
pub(super) trait Member: Read {
    const NAME: &'static str;

    /// Whether another member starts where the last one ended, zero padding skipped; opens it if so.
    fn open_next(&mut self) -> io::Result<Next>;
}

pub(super) enum Next {
    Opened,
    End,
    Foreign,
}

/// All members of a stream as one.
pub(super) struct Members<M> {
    member: M,
    count: SourceCount,
    over: bool,
}

impl<M> Members<M> {
    pub(super) fn new(member: M, count: SourceCount) -> Self {
        Members {
            member,
            count,
            over: false,
        }
    }
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.over && !into.is_empty() {
            let read = self.member.read(into).map_err(|error| self.name(error))?;
            if read > 0 {
                return Ok(read);
            }
            match self.member.open_next().map_err(|error| self.name(error))? {
                Next::Opened => {}
                Next::End => self.over = true,
                Next::Foreign => {
                    self.over = true;
                    let fault = ContainerError::TrailingBytes {
                        container: M::NAME,
                        bytes_read: self.count.bytes(),
                    };
                    return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
                }
            }
        }
        Ok(0)
    }
}

impl<M: Member> Members<M> {
    fn name(&self, error: io::Error) -> io::Error {
        source::container_fault(error, |error| {
            let compressed_bytes = self.count.bytes();
            match error.kind() {
                io::ErrorKind::UnexpectedEof => ContainerError::Truncated {
                    container: M::NAME,
                    compressed_bytes,
                },
                _ => ContainerError::Damaged {
                    container: M::NAME,
                    compressed_bytes,
                    message: error.to_string(),
                },
            }
        })
    }
}

/// Skips zero bytes, which tapes and some tools pad with; the next byte, if any.
fn next_byte(source: &mut impl BufRead) -> io::Result<Option<u8>> {
    loop {
        let buffer = source.fill_buf()?;
        match buffer.iter().position(|b| *b != 0) {
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

/// gzip members.
pub(super) struct Gzip<R: BufRead>(Option<flate2::bufread::GzDecoder<R>>);

impl<R: BufRead> Gzip<R> {
    pub(super) fn new(source: R) -> Self {
        Gzip(Some(flate2::bufread::GzDecoder::new(source)))
    }
}

impl<R: BufRead> Read for Gzip<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |decoder| decoder.read(into))
    }
}

impl<R: BufRead> Member for Gzip<R> {
    const NAME: &'static str = "gzip";

    fn open_next(&mut self) -> io::Result<Next> {
        let Some(decoder) = self.0.take() else {
            return Ok(Next::End);
        };
        let mut source = decoder.into_inner();
        match next_byte(&mut source)? {
            None => Ok(Next::End),
            Some(0x1f) => {
                self.0 = Some(flate2::bufread::GzDecoder::new(source));
                Ok(Next::Opened)
            }
            Some(_) => Ok(Next::Foreign),
        }
    }
}

/// bzip2 streams.
pub(super) struct Bzip2<R: BufRead>(Option<bzip2::bufread::BzDecoder<R>>);

impl<R: BufRead> Bzip2<R> {
    pub(super) fn new(source: R) -> Self {
        Bzip2(Some(bzip2::bufread::BzDecoder::new(source)))
    }
}

impl<R: BufRead> Read for Bzip2<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |decoder| decoder.read(into))
    }
}

impl<R: BufRead> Member for Bzip2<R> {
    const NAME: &'static str = "bzip2";

    fn open_next(&mut self) -> io::Result<Next> {
        let Some(decoder) = self.0.take() else {
            return Ok(Next::End);
        };
        let mut source = decoder.into_inner();
        match next_byte(&mut source)? {
            None => Ok(Next::End),
            Some(b'B') => {
                self.0 = Some(bzip2::bufread::BzDecoder::new(source));
                Ok(Next::Opened)
            }
            Some(_) => Ok(Next::Foreign),
        }
    }
}
