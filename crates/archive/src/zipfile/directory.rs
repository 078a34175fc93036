//! The directory at the end of a zip (4.3.12 to 4.3.16).

use std::io;

use super::{FileHeader, Files, IN_ZIP64, LOCAL_MAGIC, data_start, u16_at, u32_at, u64_at};
use crate::{error::ContainerError, games::UnreadableReason, object::Near};

pub(super) const END_MAGIC: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
const END64_MAGIC: &[u8] = b"PK\x06\x06";
const END64_BYTES: usize = 56;
const LOCATOR_MAGIC: &[u8] = b"PK\x06\x07";
const LOCATOR_BYTES: u64 = 20;
pub(super) const ENTRY_MAGIC: &[u8] = b"PK\x01\x02";
const ENTRY_BYTES: usize = 46;
/// The comment behind the end record has a length of 16 bits.
const MAX_COMMENT_BYTES: u64 = 0xffff;

/// Where the directory is.
#[derive(Debug, Clone, Copy)]
struct Directory {
    at: u64,
    files: u64,
    /// What stands in front of the zip: offsets count from behind it.
    shift: u64,
}

/// Adds the files that the directories list; or says what is wrong with one. There are several where zips were written
/// one after another.
pub(super) fn read(near: &Near<'_>, files: &mut Files) -> io::Result<Result<(), &'static str>> {
    let mut limit = near.size();
    while limit > 0 {
        match read_last(near, limit, files)? {
            // What stands in front may be a program that unpacks, or another zip.
            Ok(shift) if shift > 0 && near.read(0, 4)? == LOCAL_MAGIC && shift < limit => {
                limit = shift;
            }
            Ok(_) => return Ok(Ok(())),
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(()))
}

/// The last directory before `limit`; gives how much stands in front of its zip.
fn read_last(
    near: &Near<'_>,
    limit: u64,
    files: &mut Files,
) -> io::Result<Result<u64, &'static str>> {
    let Some((end, after)) = find_end(near, limit)? else {
        return Ok(Err("there is no directory at the end"));
    };
    let Some(directory) = locate(near, end)? else {
        return Ok(Err("the directory is not where the end of the file says"));
    };
    let mut at = directory.at;
    // Files do not lie in one another: a zip that says so unpacks to far more than it seems.
    let mut stretches: Vec<(u64, u64)> = Vec::new();
    for _ in 0..directory.files {
        if files.entries.full {
            break;
        }
        let Some((mut header, length)) = entry(near, at)? else {
            return Ok(Err("the directory breaks off"));
        };
        at += length;
        header.at = header.at.saturating_add(directory.shift);
        match data_start(near, header.at)? {
            Some(data) => {
                stretches.push((header.at, data.saturating_add(header.packed)));
                files.add(near, &header, data);
            }
            None => files.entries.add(
                &header.name,
                Err(UnreadableReason::Container(ContainerError::Damaged {
                    container: "zip",
                    compressed_bytes: header.at,
                    message: "no file is where the directory says".to_owned(),
                })),
            ),
        }
    }
    stretches.sort_unstable();
    if stretches.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        files.entries.drop_files();
        files
            .entries
            .note(UnreadableReason::Container(ContainerError::Overlapping));
        return Ok(Ok(0));
    }
    if after < limit {
        files
            .entries
            .note(UnreadableReason::Container(ContainerError::TrailingBytes {
                container: "zip",
                bytes_read: after,
            }));
    }
    Ok(Ok(directory.shift))
}

/// The end record, the last one whose comment fits into what follows, and where that comment ends.
fn find_end(near: &Near<'_>, limit: u64) -> io::Result<Option<(u64, u64)>> {
    let from = limit.saturating_sub(END_BYTES as u64 + MAX_COMMENT_BYTES);
    let tail = near.read(from, usize::try_from(limit - from).unwrap_or(usize::MAX))?;
    let length = |at: usize| END_BYTES + usize::from(u16_at(&tail[at..], 20));
    let fits = |at: &usize| {
        at + length(*at) <= tail.len()
            // On one disk.
            && u16_at(&tail, at + 4) == u16_at(&tail, at + 6)
    };
    let found = memchr::memmem::rfind_iter(&tail, END_MAGIC).find(fits);
    Ok(found.map(|at| (from + at as u64, from + (at + length(at)) as u64)))
}

fn locate(near: &Near<'_>, end: u64) -> io::Result<Option<Directory>> {
    let record = near.read(end, END_BYTES)?;
    let mut directory = Directory {
        at: u64::from(u32_at(&record, 16)),
        files: u64::from(u16_at(&record, 10)),
        shift: 0,
    };
    let mut bytes = u64::from(u32_at(&record, 12));
    let mut directory_end = end;
    if let Some((record, at)) = zip64_end(near, end)? {
        directory.files = u64_at(&record, 32);
        bytes = u64_at(&record, 40);
        directory.at = u64_at(&record, 48);
        directory_end = at;
    }
    if directory.files == 0 {
        return Ok(Some(directory));
    }
    // Right before its end, with whatever was put in front of the zip; else where it says.
    let by_end = directory_end.checked_sub(bytes);
    for at in [by_end, Some(directory.at)].into_iter().flatten() {
        if at >= directory.at && near.read(at, 4)? == ENTRY_MAGIC {
            return Ok(Some(Directory {
                at,
                files: directory.files,
                shift: at - directory.at,
            }));
        }
    }
    Ok(None)
}

/// The end record with numbers of 64 bits, and where it stands.
fn zip64_end(near: &Near<'_>, end: u64) -> io::Result<Option<(Vec<u8>, u64)>> {
    let Some(at) = end.checked_sub(LOCATOR_BYTES) else {
        return Ok(None);
    };
    let locator = near.read(at, LOCATOR_BYTES as usize)?;
    if !locator.starts_with(LOCATOR_MAGIC) {
        return Ok(None);
    }
    // Where it says, or right before the locator where something was put in front of the zip.
    let near_by = at.checked_sub(END64_BYTES as u64);
    for at in [Some(u64_at(&locator, 8)), near_by].into_iter().flatten() {
        let record = near.read(at, END64_BYTES)?;
        if record.starts_with(END64_MAGIC) && record.len() == END64_BYTES {
            return Ok(Some((record, at)));
        }
    }
    Ok(None)
}

/// One entry and its length.
fn entry(near: &Near<'_>, at: u64) -> io::Result<Option<(FileHeader, u64)>> {
    let fixed = near.read(at, ENTRY_BYTES)?;
    if !fixed.starts_with(ENTRY_MAGIC) || fixed.len() < ENTRY_BYTES {
        return Ok(None);
    }
    let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(&fixed, at)));
    let mut names = near.read(at + ENTRY_BYTES as u64, name + extra)?;
    if names.len() < name + extra {
        return Ok(None);
    }
    let extra = names.split_off(name);
    // Unix modes stand in the upper half of the attributes (4.4.2, 4.4.15).
    let by_unix = fixed[5] == 3;
    let mut header = FileHeader {
        name: names,
        flags: u16_at(&fixed, 8),
        method: u16_at(&fixed, 10),
        crc: u32_at(&fixed, 16),
        packed: u64::from(u32_at(&fixed, 20)),
        unpacked: u64::from(u32_at(&fixed, 24)),
        at: u64::from(u32_at(&fixed, 42)),
        is_link: by_unix && u32_at(&fixed, 38) >> 28 == 0xa,
    };
    let mut own = header.at;
    header.widen(&extra, Some(&mut own));
    header.at = own;
    if header.at == IN_ZIP64 && near.size() < IN_ZIP64 {
        return Ok(None);
    }
    let length = (ENTRY_BYTES + header.name.len() + extra.len() + comment) as u64;
    Ok(Some((header, length)))
}
