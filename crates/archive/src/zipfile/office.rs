//! Documents and programs that are zips.

use std::io;

use super::FileHeader;
use crate::object::Near;

/// What the names of the files have shown.
#[derive(Debug, Default)]
pub(super) struct Signs {
    has_content_types: bool,
    by_folder: Option<&'static str>,
    by_name: Option<&'static str>,
    /// Where a file `mimetype` lies that is not compressed, and its length.
    mimetype: Option<(u64, u64)>,
}

/// The type file of OpenDocument and EPUB is short.
const MAX_TYPE_BYTES: u64 = 128;

impl Signs {
    pub(super) fn see(&mut self, header: &FileHeader, data: u64) {
        let name = header.name.as_slice();
        self.has_content_types |= name == b"[Content_Types].xml";
        let folders: [(&[u8], &'static str); 3] = [
            (b"word/", "word document"),
            (b"xl/", "excel document"),
            (b"ppt/", "powerpoint document"),
        ];
        let folder = folders.iter().find(|(folder, _)| name.starts_with(folder));
        self.by_folder = self.by_folder.or(folder.map(|(_, kind)| *kind));
        self.by_name = self.by_name.or(match name {
            b"META-INF/MANIFEST.MF" => Some("java program"),
            b"AndroidManifest.xml" => Some("android program"),
            _ => None,
        });
        if name == b"mimetype" && header.method == 0 && header.packed <= MAX_TYPE_BYTES {
            self.mimetype = Some((data, header.packed));
        }
    }

    pub(super) fn kind(&self, near: &Near<'_>) -> io::Result<Option<&'static str>> {
        if let (true, Some(kind)) = (self.has_content_types, self.by_folder) {
            return Ok(Some(kind));
        }
        if let Some((at, length)) = self.mimetype {
            let text = near.read(at, length as usize)?;
            if text.starts_with(b"application/vnd.oasis.opendocument") {
                return Ok(Some("opendocument file"));
            }
            if text.starts_with(b"application/epub+zip") {
                return Ok(Some("e-book"));
            }
        }
        Ok(self.by_name)
    }
}
