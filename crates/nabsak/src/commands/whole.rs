//! Files that people name: written aside and renamed, so that whoever reads one at any moment reads a whole one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a file, or into what is no file (a pipe, a terminal).
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let written = match fs::metadata(path) {
        Ok(there) if !there.is_file() => fs::write(path, bytes),
        _ => write_aside(path, bytes),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

fn write_aside(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // A link stays a link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = path.with_file_name(format!(".tmp-{name}-{}", std::process::id()));
    let written = File::create(&aside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| fs::rename(&aside, &path));
    if renamed.is_err() {
        // What went wrong is told; what is left of it is nobody's.
        drop(fs::remove_file(&aside));
    }
    renamed
}
