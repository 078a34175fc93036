//! The files of a tar, header by header.
//!
//! The headers are read by the `tar` crate; the walk is our own, because that crate reads names of any length into
//! memory and gives up at the first damaged header, behind which there may be games.

use std::io::{self, Read};

use ::tar::{EntryType, Header, PaxExtensions};

use crate::{
    error::{ContainerError, container_error},
    games::UnreadableReason,
    listing::Entries,
    object::Near,
    route::{Route, Step},
    settings::ReaderSettings,
};

const BLOCK_BYTES: u64 = 512;
/// Longer names and PAX records are passed over.
const MAX_EXTENSION_BYTES: u64 = 64 << 10;

/// Whether these first bytes are a tar's first header. Its checksum has to fit: no magic number of 5 letters at byte
/// 257 is needed then, and old tars have none.
pub(crate) fn is_tar(head: &[u8]) -> bool {
    header(head).is_some_and(|header| {
        let known = header.as_ustar().is_some() || header.as_gnu().is_some();
        let name = header.path_bytes();
        known || !name.is_empty() && header.entry_size().is_ok() && header.mode().is_ok()
    })
}

/// The header in a block, if its checksum fits.
fn header(block: &[u8]) -> Option<&Header> {
    let block = block.get(..BLOCK_BYTES as usize)?;
    let header = Header::from_byte_slice(block);
    let sum: u32 = block
        .iter()
        .enumerate()
        .map(|(at, byte)| {
            if (148..156).contains(&at) {
                32
            } else {
                u32::from(*byte)
            }
        })
        .sum();
    (header.cksum().ok()? == sum).then_some(header)
}

/// Where a tar's bytes come from, front to back.
pub(crate) trait Blocks {
    /// Up to `length` bytes from `at` on, which never goes back.
    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>>;

    /// How many bytes there are; of a stream, how many have been read.
    fn delivered(&self) -> u64;
}

impl Blocks for Near<'_> {
    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        Near::read(self, at, length)
    }

    fn delivered(&self) -> u64 {
        self.size()
    }
}

/// A tar within a compressed stream.
pub(crate) struct Streamed<R> {
    reader: R,
    at: u64,
}

impl<R: Read> Streamed<R> {
    pub(crate) fn new(reader: R) -> Self {
        Streamed { reader, at: 0 }
    }
}

impl<R: Read> Blocks for Streamed<R> {
    fn read(&mut self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut scrap = vec![0; 64 << 10];
        while self.at < at {
            let room = usize::try_from(at - self.at)
                .unwrap_or(usize::MAX)
                .min(scrap.len());
            match self.reader.read(&mut scrap[..room]) {
                Ok(0) => return Ok(Vec::new()),
                Ok(read) => self.at += read as u64,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let mut found = Vec::new();
        let read = self
            .reader
            .by_ref()
            .take(length as u64)
            .read_to_end(&mut found);
        self.at += found.len() as u64;
        read.map(|_| found)
    }

    fn delivered(&self) -> u64 {
        self.at
    }
}

/// How the walk goes on.
struct Walk<'a, B> {
    blocks: B,
    base: &'a Base,
    at: u64,
    entries: Entries,
    /// Said by headers in front of the next file.
    long_name: Option<Vec<u8>>,
    pax_name: Option<Vec<u8>>,
    pax_size: Option<u64>,
    sparse: bool,
    /// Where the bytes of the last file that is read end.
    last_end: u64,
    /// A block of zeros was met: what follows may be another tar, or anything.
    ended: bool,
    /// A block that is no header was noted, and no header came since.
    lost: bool,
}

/// What the tar lies in.
#[derive(Debug, Clone)]
pub(crate) enum Base {
    /// The archive itself, of this size.
    Object(u64),
    /// A compressed stream.
    Stream(Route),
}

impl Base {
    /// The way to a stretch of the tar.
    fn route(&self, at: u64, length: u64) -> Route {
        match self {
            // The end of the archive may come before the end of the file: then the file is truncated.
            Base::Object(size) => Route::whole(at.min(*size), at.saturating_add(length).min(*size)),
            Base::Stream(stream) => stream.clone().then(Step::Skip(at)),
        }
        .then(Step::Take(length))
    }
}

/// Lists the files of a tar.
pub(crate) fn list(
    blocks: impl Blocks,
    base: &Base,
    settings: &ReaderSettings,
) -> io::Result<Entries> {
    let mut walk = Walk {
        blocks,
        base,
        at: 0,
        entries: Entries::new(settings),
        long_name: None,
        pax_name: None,
        pax_size: None,
        sparse: false,
        last_end: 0,
        ended: false,
        lost: false,
    };
    while !walk.entries.full {
        match walk.step() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => match container_error(&error) {
                // The compression broke: what was listed can still be read, the last file up to there.
                Some(fault) => {
                    let fault = fault.clone();
                    walk.broken(fault);
                    break;
                }
                None => return Err(error),
            },
        }
    }
    Ok(walk.entries)
}

impl<B: Blocks> Walk<'_, B> {
    fn step(&mut self) -> io::Result<bool> {
        let block = self.blocks.read(self.at, BLOCK_BYTES as usize)?;
        if block.is_empty() {
            self.no_end_mark();
            return Ok(false);
        }
        if block.iter().all(|byte| *byte == 0) {
            self.ended = true;
            self.at = self.at.saturating_add(BLOCK_BYTES);
            return Ok(block.len() == BLOCK_BYTES as usize);
        }
        match header(&block) {
            Some(header) => {
                (self.lost, self.ended) = (false, false);
                self.file(&header.clone())?;
            }
            None => {
                self.no_header(block.len());
                self.at = self.at.saturating_add(BLOCK_BYTES);
            }
        }
        Ok(block.len() == BLOCK_BYTES as usize)
    }

    /// Something else stands where a header should. Tars are searched for the next one, block by block.
    fn no_header(&mut self, there: usize) {
        if self.lost {
            return;
        }
        self.lost = true;
        let (container, at) = ("tar", self.at);
        self.entries
            .note(UnreadableReason::Container(if self.ended {
                ContainerError::TrailingBytes {
                    container,
                    bytes_read: at,
                }
            } else if there < BLOCK_BYTES as usize {
                ContainerError::Truncated {
                    container,
                    compressed_bytes: at + there as u64,
                }
            } else {
                ContainerError::Damaged {
                    container,
                    compressed_bytes: at,
                    message: "a block that is no header; going on at the next one".to_owned(),
                }
            }));
    }

    /// Two blocks of zeros end a tar: without them files may be missing. If the last file is cut short, that one says so.
    fn no_end_mark(&mut self) {
        let there = self.blocks.delivered();
        if !self.ended && !self.lost && there >= self.last_end {
            self.entries
                .note(UnreadableReason::Container(ContainerError::Truncated {
                    container: "tar",
                    compressed_bytes: there,
                }));
        }
    }

    /// The stream broke. If it did in a file, that file says so.
    fn broken(&mut self, fault: ContainerError) {
        if self.blocks.delivered() >= self.last_end {
            self.entries.note(UnreadableReason::Container(fault));
        }
    }

    fn file(&mut self, header: &Header) -> io::Result<()> {
        let data = self.at + BLOCK_BYTES;
        let kind = header.entry_type();
        let extension = kind.is_gnu_longname()
            || kind.is_gnu_longlink()
            || kind.is_pax_local_extensions()
            || kind.is_pax_global_extensions();
        let size = match (self.pax_size.filter(|_| !extension), header.entry_size()) {
            (Some(size), _) | (None, Ok(size)) => size,
            (None, Err(_)) => {
                self.no_header(BLOCK_BYTES as usize);
                self.at = data;
                return Ok(());
            }
        };
        self.at = data.saturating_add(size.div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES));
        if extension {
            return self.extension(kind, data, size);
        }
        let own_name = header.path_bytes().into_owned();
        let name = self
            .pax_name
            .take()
            .or(self.long_name.take())
            .unwrap_or(own_name);
        self.pax_size = None;
        let sparse = std::mem::take(&mut self.sparse);
        if kind.is_dir() || kind.is_file() && name.ends_with(b"/") {
            return Ok(());
        }
        let found = match not_read(kind, sparse) {
            Some(what) => Err(UnreadableReason::NoFile(what)),
            None => {
                self.last_end = data.saturating_add(size);
                Ok(self.base.route(data, size))
            }
        };
        if kind.is_gnu_sparse() {
            self.pass_sparse_headers(header, data)?;
        }
        self.entries.add(&name, found);
        Ok(())
    }

    /// A header that says something about the next one.
    fn extension(&mut self, kind: EntryType, data: u64, size: u64) -> io::Result<()> {
        if size > MAX_EXTENSION_BYTES || kind.is_gnu_longlink() || kind.is_pax_global_extensions() {
            return Ok(());
        }
        let bytes = self.blocks.read(data, size as usize)?;
        if kind.is_gnu_longname() {
            let end = bytes
                .iter()
                .position(|byte| *byte == 0)
                .unwrap_or(bytes.len());
            self.long_name = Some(bytes[..end].to_vec());
            return Ok(());
        }
        for record in PaxExtensions::new(&bytes).flatten() {
            let number = || record.value().ok().and_then(|value| value.parse().ok());
            match record.key_bytes() {
                b"path" => self.pax_name = Some(record.value_bytes().to_vec()),
                b"GNU.sparse.name" => self.pax_name = Some(record.value_bytes().to_vec()),
                b"size" => self.pax_size = number(),
                key if key.starts_with(b"GNU.sparse.") => self.sparse = true,
                _ => {}
            }
        }
        Ok(())
    }

    /// More pieces of a sparse file than its header has room for stand in blocks between the header and the data.
    fn pass_sparse_headers(&mut self, header: &Header, data: u64) -> io::Result<()> {
        let mut more = header.as_gnu().is_some_and(|gnu| gnu.isextended[0] != 0);
        let mut at = data;
        while more {
            let block = self.blocks.read(at, BLOCK_BYTES as usize)?;
            more = block.get(504).is_some_and(|byte| *byte != 0);
            at = at.saturating_add(BLOCK_BYTES);
            self.at = self.at.saturating_add(BLOCK_BYTES);
        }
        Ok(())
    }
}

/// Why a kind of entry is not read.
fn not_read(kind: EntryType, sparse: bool) -> Option<&'static str> {
    match kind {
        _ if sparse || kind.is_gnu_sparse() => Some("sparse file"),
        _ if kind.is_file() || kind.is_contiguous() => None,
        EntryType::Symlink => Some("symbolic link"),
        EntryType::Link => Some("hard link"),
        EntryType::Char | EntryType::Block => Some("device"),
        EntryType::Fifo => Some("pipe"),
        _ => Some("tar entry of an unknown kind"),
    }
}
