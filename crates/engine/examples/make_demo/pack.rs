//! The containers: gzip with several members, bzip2 with several streams, zstd with a skippable frame first.

use std::io::{Result, Write};

use bzip2::write::BzEncoder;
use flate2::write::GzEncoder;

/// One gzip member a part.
pub(crate) fn gzip(parts: &[String]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in parts {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::new(9));
        encoder.write_all(part.as_bytes())?;
        bytes.extend(encoder.finish()?);
    }
    Ok(bytes)
}

/// One bzip2 stream a part.
pub(crate) fn bzip2(parts: &[String]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for part in parts {
        let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::best());
        encoder.write_all(part.as_bytes())?;
        bytes.extend(encoder.finish()?);
    }
    Ok(bytes)
}

/// A skippable frame with a note, then one frame a part.
pub(crate) fn zstd(parts: &[String]) -> Result<Vec<u8>> {
    let note = b"nabsak demo archive";
    let mut bytes = vec![0x50, 0x2a, 0x4d, 0x18];
    bytes.extend((note.len() as u32).to_le_bytes());
    bytes.extend(note);
    for part in parts {
        bytes.extend(zstd::encode_all(part.as_bytes(), 19)?);
    }
    Ok(bytes)
}
