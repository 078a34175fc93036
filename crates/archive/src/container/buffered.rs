//! A buffered reader that knows how many bytes were taken from it, and can be looked into without taking any.

use std::io::{self, BufRead, Read};

const BUFFER_BYTES: usize = 128 << 10;

pub(crate) struct Buffered {
    input: Box<dyn Read + Send>,
    buffer: Vec<u8>,
    head: usize,
    filled: usize,
    taken: u64,
}

impl Buffered {
    pub(crate) fn new(input: Box<dyn Read + Send>) -> Self {
        Buffered {
            input,
            buffer: Vec::new(),
            head: 0,
            filled: 0,
            taken: 0,
        }
    }

    /// Bytes taken so far: the offset of the next one.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// The next bytes, `length` of them unless the input ends before.
    pub(crate) fn peek(&mut self, length: usize) -> io::Result<&[u8]> {
        while self.filled - self.head < length.min(BUFFER_BYTES) && self.fill()? > 0 {}
        let end = self.filled.min(self.head.saturating_add(length));
        Ok(&self.buffer[self.head..end])
    }

    /// Reads on behind what is there.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.resize(BUFFER_BYTES, 0);
        if self.filled == self.buffer.len() {
            self.buffer.copy_within(self.head..self.filled, 0);
            self.filled -= std::mem::take(&mut self.head);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let read = read?;
                    self.filled += read;
                    return Ok(read);
                }
            }
        }
    }

    /// Passes over `length` bytes; false where the input ends before.
    pub(crate) fn pass(&mut self, mut length: u64) -> io::Result<bool> {
        while length > 0 {
            let there = self.fill_buf()?.len();
            if there == 0 {
                return Ok(false);
            }
            let step = usize::try_from(length).unwrap_or(there).min(there);
            self.consume(step);
            length -= step as u64;
        }
        Ok(true)
    }
}

impl BufRead for Buffered {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.head == self.filled {
            (self.head, self.filled) = (0, 0);
            self.fill()?;
        }
        Ok(&self.buffer[self.head..self.filled])
    }

    fn consume(&mut self, amount: usize) {
        let amount = amount.min(self.filled - self.head);
        self.head += amount;
        self.taken += amount as u64;
    }
}

impl Read for Buffered {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let there = self.fill_buf()?;
        let read = there.len().min(into.len());
        into[..read].copy_from_slice(&there[..read]);
        self.consume(read);
        Ok(read)
    }
}
