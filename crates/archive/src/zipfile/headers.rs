//! The files of a zip without a directory: searched for by their own headers (4.3.7), front to back.

use std::io;

use super::{
    FileHeader, Files, LOCAL_BYTES, LOCAL_MAGIC, directory::ENTRY_MAGIC, u16_at, u32_at, u64_at,
};
use crate::object::Near;

/// A header with a longer name than this is none.
const MAX_NAME_BYTES: usize = 4_096;
const BLOCK_BYTES: usize = 64 << 10;
const DESCRIPTOR_MAGIC: &[u8] = b"PK\x07\x08";

/// Sizes and checksum stand behind the file (4.4.4, bit 3).
const DESCRIPTOR_FLAG: u16 = 8;

pub(super) fn scan(near: &Near<'_>, files: &mut Files) -> io::Result<()> {
    let mut search = Search::new(near);
    let mut at = 0;
    while !files.entries.full {
        let Some(found) = search.find(at, &[LOCAL_MAGIC])? else {
            return Ok(());
        };
        let Some((mut header, data)) = local(near, found)? else {
            at = found + LOCAL_MAGIC.len() as u64;
            continue;
        };
        if header.flags & DESCRIPTOR_FLAG != 0 && header.packed == 0 {
            at = end_of_data(&mut search, &mut header, data)?;
        } else {
            at = data.saturating_add(header.packed);
        }
        files.add(near, &header, data);
    }
    Ok(())
}

/// A file's own header, and where its bytes begin.
fn local(near: &Near<'_>, at: u64) -> io::Result<Option<(FileHeader, u64)>> {
    let fixed = near.read(at, LOCAL_BYTES)?;
    let [name, extra] = [26, 28].map(|at| usize::from(u16_at(&fixed, at)));
    if fixed.len() < LOCAL_BYTES || name > MAX_NAME_BYTES || u16_at(&fixed, 4) > 100 {
        return Ok(None);
    }
    let mut names = near.read(at + LOCAL_BYTES as u64, name + extra)?;
    if names.len() < name + extra {
        return Ok(None);
    }
    let extra = names.split_off(name);
    let mut header = FileHeader {
        name: names,
        flags: u16_at(&fixed, 6),
        method: u16_at(&fixed, 8),
        crc: u32_at(&fixed, 14),
        packed: u64::from(u32_at(&fixed, 18)),
        unpacked: u64::from(u32_at(&fixed, 22)),
        at,
        is_link: false,
    };
    header.widen(&extra, None);
    let data = at + (LOCAL_BYTES + header.name.len() + extra.len()) as u64;
    Ok(Some((header, data)))
}

/// The end of a file whose length stands behind it: the first place where a description of that very length stands, or
/// the next header. Gives where to search on.
fn end_of_data(search: &mut Search<'_>, header: &mut FileHeader, data: u64) -> io::Result<u64> {
    let near = search.near;
    let mut at = data;
    while let Some(found) = search.find(at, &[DESCRIPTOR_MAGIC, LOCAL_MAGIC, ENTRY_MAGIC])? {
        let tail = near.read(found, 24)?;
        let length = found - data;
        if tail.starts_with(DESCRIPTOR_MAGIC) {
            let sizes = [
                (u64::from(u32_at(&tail, 8)), u64::from(u32_at(&tail, 12))),
                (u64_at(&tail, 8), u64_at(&tail, 16)),
            ];
            if let Some((packed, unpacked)) = sizes.into_iter().find(|sizes| sizes.0 == length) {
                (header.packed, header.unpacked) = (packed, unpacked);
                header.crc = u32_at(&tail, 4);
                return Ok(found + 4);
            }
        } else if let Some(before) = length.checked_sub(12) {
            // A description without its magic number.
            let sizes = near.read(data + before, 12)?;
            if u64::from(u32_at(&sizes, 4)) == before {
                header.packed = before;
                header.unpacked = u64::from(u32_at(&sizes, 8));
                header.crc = u32_at(&sizes, 0);
                return Ok(found);
            }
        }
        at = found + 1;
    }
    // Broken off: all there is, and more than that would be right.
    header.packed = near.size().saturating_sub(data);
    header.unpacked = u64::MAX;
    Ok(near.size())
}

/// Looks for magic numbers front to back, each byte once.
struct Search<'a> {
    near: &'a Near<'a>,
    at: u64,
    block: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(near: &'a Near<'a>) -> Self {
        Search {
            near,
            at: 0,
            block: Vec::new(),
        }
    }

    /// The first place from `from` on where one of the magic numbers stands.
    fn find(&mut self, mut from: u64, magic: &[&[u8]]) -> io::Result<Option<u64>> {
        loop {
            let held = self.at..self.at + self.block.len() as u64;
            // A magic number may lie across the border.
            if !held.contains(&from) || held.end - from < 4 {
                self.at = from;
                self.block = self.near.read(from, BLOCK_BYTES)?;
            }
            let skip = usize::try_from(from - self.at).unwrap_or(usize::MAX);
            let rest = self.block.get(skip..).unwrap_or_default();
            let found = memchr::memmem::find_iter(rest, b"PK")
                .find(|place| magic.iter().any(|magic| rest[*place..].starts_with(magic)));
            if let Some(place) = found {
                return Ok(Some(from + place as u64));
            }
            let block_end = self.at + self.block.len() as u64;
            if block_end >= self.near.size() || self.block.len() < 4 {
                return Ok(None);
            }
            from = block_end - 3;
        }
    }
}
