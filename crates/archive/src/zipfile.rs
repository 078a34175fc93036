//! The files of a zip: by its directory, or by their own headers where the directory is broken.
//!
//! Read here and not by the `zip` crate (which the tests hold this against), because that crate keeps only one of two
//! files of the same name and all of a directory of any size, and reads nothing without one. Numbers in parentheses
//! are sections of PKWARE's APPNOTE.TXT 6.3.

use std::io;

use crate::{
    container::packing::Packing,
    error::ContainerError,
    games::UnreadableReason,
    listing::Entries,
    object::Near,
    route::{Route, Step},
    settings::ReaderSettings,
};

mod directory;
mod headers;
mod office;

/// Sizes of 32 bits that do not fit stand in an extra field (4.5.3).
const IN_ZIP64: u64 = 0xffff_ffff;
const LOCAL_MAGIC: &[u8] = b"PK\x03\x04";
const LOCAL_BYTES: usize = 30;

/// Whether these first bytes are a zip's: a file, or the end of an empty directory.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(LOCAL_MAGIC) || head.starts_with(directory::END_MAGIC)
}

/// Lists the files of a zip.
pub(crate) fn list(near: &Near<'_>, settings: &ReaderSettings) -> io::Result<Entries> {
    let mut files = Files {
        entries: Entries::new(settings),
        office: office::Signs::default(),
    };
    if let Err(message) = directory::read(near, &mut files)? {
        files.entries = Entries::new(settings);
        files
            .entries
            .note(UnreadableReason::Container(ContainerError::Directory {
                message: message.to_owned(),
            }));
        headers::scan(near, &mut files)?;
    }
    if let Some(kind) = files.office.kind(near)? {
        files.entries = Entries::new(settings);
        files.entries.note(UnreadableReason::NotGameText(kind));
    }
    Ok(files.entries)
}

/// What is found of a zip, however it is found.
struct Files {
    entries: Entries,
    office: office::Signs,
}

/// What a header says of a file, in the directory or in front of the file.
#[derive(Debug, Clone, Default)]
struct FileHeader {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    crc: u32,
    packed: u64,
    unpacked: u64,
    /// Where the file's own header stands.
    at: u64,
    is_link: bool,
}

impl FileHeader {
    fn is_folder(&self) -> bool {
        self.name.ends_with(b"/") || self.name.ends_with(b"\\")
    }

    /// Takes what does not fit 32 bits from the extra field: only those numbers stand there, in this order (4.5.3).
    fn widen(&mut self, extra: &[u8], mut more: Option<&mut u64>) {
        let Some(mut field) = extra_field(extra, 1) else {
            return;
        };
        let mut take = |number: &mut u64| {
            if *number == IN_ZIP64
                && let Some((eight, rest)) = field.split_first_chunk::<8>()
            {
                *number = u64::from_le_bytes(*eight);
                field = rest;
            }
        };
        take(&mut self.unpacked);
        take(&mut self.packed);
        if let Some(number) = more.as_mut() {
            take(number);
        }
    }

    /// The way to the bytes behind the file's own header, or why there is none.
    fn route(&self, data: u64, size: u64) -> Result<Route, UnreadableReason> {
        // Bit 0; AES encryption also puts its own number in the place of the method (4.5.12, 4.4.5).
        if self.flags & 1 != 0 || self.method == 99 {
            return Err(UnreadableReason::Encrypted);
        }
        let route = Route::whole(data, data.saturating_add(self.packed).min(size));
        let route = match self.method {
            0 => route,
            8 => route.unpacked(Packing::Deflate),
            12 => route.unpacked(Packing::Bzip2),
            93 => route.unpacked(Packing::Zstd),
            method => return Err(UnreadableReason::UnknownMethod(method)),
        };
        Ok(route.then(Step::Check {
            bytes: self.unpacked,
            crc: self.crc,
        }))
    }
}

impl Files {
    /// Adds a file whose bytes begin at `data`.
    fn add(&mut self, near: &Near<'_>, header: &FileHeader, data: u64) {
        self.office.see(header, data);
        if header.is_folder() {
            return;
        }
        let found = if header.is_link {
            Err(UnreadableReason::NoFile("symbolic link"))
        } else {
            header.route(data, near.size())
        };
        self.entries.add(&header.name, found);
    }
}

/// The field of that number among the extra fields (4.5.1).
fn extra_field(mut extra: &[u8], number: u16) -> Option<&[u8]> {
    while let Some((head, rest)) = extra.split_first_chunk::<4>() {
        let (id, length) = (u16_at(head, 0), usize::from(u16_at(head, 2)));
        let field = rest.get(..length)?;
        if id == number {
            return Some(field);
        }
        extra = &rest[length..];
    }
    None
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    let two = bytes.get(at..at + 2).and_then(|two| two.try_into().ok());
    two.map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    let eight = bytes
        .get(at..at + 8)
        .and_then(|eight| eight.try_into().ok());
    eight.map_or(0, u64::from_le_bytes)
}

/// Where a file's bytes begin, by its own header; `None` if no header is there (4.3.7).
fn data_start(near: &Near<'_>, at: u64) -> io::Result<Option<u64>> {
    let local = near.read(at, LOCAL_BYTES)?;
    if !local.starts_with(LOCAL_MAGIC) || local.len() < LOCAL_BYTES {
        return Ok(None);
    }
    let lengths = u64::from(u16_at(&local, 26)) + u64::from(u16_at(&local, 28));
    Ok(Some(at + LOCAL_BYTES as u64 + lengths))
}
