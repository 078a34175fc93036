//! A folder of this machine as a store.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;

use crate::contents::{Created, Entry, Etag, LeftOut, MAX_OBJECT_BYTES, Store, Survey};
use crate::error::Error;
use crate::key::{self, UNFINISHED};
use crate::probe;

/// A [`Store`] in a folder, which is made by the first write.
///
/// Invariants:
/// - an object is a regular file that was complete and on the disk before it got its name;
/// - create-only is the file system's hard link, so that it holds between processes and, on a proper NFS, between machines;
/// - links to files and folders are followed, a folder inside itself only once.
#[derive(Debug, Clone)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The store below `root`. Touches nothing.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The path of the root, as given.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    fn walk(&self, prefix: &str, strict: bool) -> Result<Survey, Error> {
        let prefix = key::check_prefix(prefix)?;
        let mut walk = Walk {
            strict,
            ..Walk::default()
        };
        walk.folder(&self.root.join(prefix), prefix)?;
        let (mut entries, mut left_out) = (walk.entries, walk.left_out);
        entries.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        left_out.sort_unstable();
        Ok(Survey { entries, left_out })
    }

    fn path(&self, key: &str) -> Result<PathBuf, Error> {
        Ok(self.root.join(key::check(key)?))
    }

    fn place(&self, key: &str) -> String {
        self.root.join(key).display().to_string()
    }

    /// Opens an object and looks at the open file, so that both speak of one state.
    fn open(&self, key: &str) -> Result<(File, Entry), Error> {
        let path = self.path(key)?;
        let fail = |error: io::Error| match error.kind() {
            io::ErrorKind::NotADirectory => Error::NotFound {
                place: self.place(key),
            },
            _ => Error::of_file(self.place(key), error),
        };
        // Opening a named pipe would wait for its writer, so the kind is looked at first.
        if !fs::metadata(&path).map_err(fail)?.is_file() {
            return Err(Error::NotFound {
                place: self.place(key),
            });
        }
        let file = File::open(&path).map_err(fail)?;
        let entry = entry(key, &file.metadata().map_err(fail)?);
        Ok((file, entry))
    }

    /// Writes bytes to an unfinished file beside `path` and makes them durable.
    fn write_aside(&self, path: &Path, bytes: &[u8]) -> io::Result<Unfinished> {
        let parent = parent_of(path);
        make_folders(parent)?;
        let aside = Unfinished(parent.join(format!("{UNFINISHED}{}", probe::unique())));
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&aside.0)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(aside)
    }

    fn writable(&self, key: &str, bytes: &Bytes) -> Result<PathBuf, Error> {
        if bytes.len() > MAX_OBJECT_BYTES {
            return Err(Error::TooLarge {
                place: self.place(key),
                size: bytes.len() as u64,
            });
        }
        self.path(key)
    }
}

impl Store for Folder {
    fn describe(&self) -> String {
        self.root.display().to_string()
    }

    fn check(&self) -> Result<(), Error> {
        match fs::metadata(&self.root) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(Error::Settings(format!(
                "{} is a file, not a folder",
                self.describe()
            ))),
            Err(error) => Err(Error::of_file(self.describe(), error)),
        }
    }

    fn list(&self, prefix: &str) -> Result<Vec<Entry>, Error> {
        let survey = self.walk(prefix, true)?;
        for left in &survey.left_out {
            tracing::warn!(root = %self.root.display(), name = left.name, reason = left.reason, "left out");
        }
        Ok(survey.entries)
    }

    fn survey(&self, prefix: &str) -> Result<Survey, Error> {
        self.walk(prefix, false)
    }

    fn head(&self, key: &str) -> Result<Entry, Error> {
        Ok(self.open(key)?.1)
    }

    fn read(
        &self,
        key: &str,
        range: Option<Range<u64>>,
        if_match: Option<&Etag>,
    ) -> Result<Box<dyn Read + Send>, Error> {
        let (mut file, entry) = self.open(key)?;
        let place = self.place(key);
        if if_match.is_some_and(|wanted| *wanted != entry.etag) {
            return Err(Error::Changed { place });
        }
        let range = range.unwrap_or(0..u64::MAX);
        let end = range.end.min(entry.size);
        let left = end.saturating_sub(range.start);
        if left > 0 && range.start > 0 {
            file.seek(SeekFrom::Start(range.start))
                .map_err(|error| Error::of_file(place.clone(), error))?;
        }
        Ok(Box::new(FileBody {
            file,
            left,
            state: if_match.is_some().then_some(entry.etag),
            place,
        }))
    }

    fn create(&self, key: &str, bytes: Bytes) -> Result<Created, Error> {
        let path = self.writable(key, &bytes)?;
        let fail = |error| Error::of_file(self.place(key), error);
        // Only saves the writing; the hard link below is what decides.
        if path.symlink_metadata().is_ok() {
            return Ok(Created::Exists);
        }
        let aside = self.write_aside(&path, &bytes).map_err(fail)?;
        let outcome = match fs::hard_link(&aside.0, &path) {
            Ok(()) => Created::Created,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Created::Exists,
            Err(error) if cannot_link(&error) => {
                return Err(Error::NotCreateOnly {
                    place: self.describe(),
                    detail: format!("this file system has no hard links ({error})"),
                });
            }
            Err(error) => return Err(fail(error)),
        };
        drop(aside);
        sync_folder(parent_of(&path)).map_err(fail)?;
        Ok(outcome)
    }

    fn put(&self, key: &str, bytes: Bytes) -> Result<(), Error> {
        let path = self.writable(key, &bytes)?;
        let fail = |error| Error::of_file(self.place(key), error);
        let aside = self.write_aside(&path, &bytes).map_err(fail)?;
        fs::rename(&aside.0, &path).map_err(fail)?;
        sync_folder(parent_of(&path)).map_err(fail)
    }

    fn delete(&self, key: &str) -> Result<(), Error> {
        match fs::remove_file(self.path(key)?) {
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                Err(Error::of_file(self.place(key), error))
            }
            _ => Ok(()),
        }
    }

    fn sweep(&self, age: Duration) -> Result<u64, Error> {
        let mut walk = Walk::default();
        walk.folder(&self.root, "")?;
        if walk.unfinished.is_empty() {
            return Ok(0);
        }
        // The time of the file system, which is a server's where the folder is one: this machine's clock may be another.
        let now = self
            .write_aside(&self.root.join("now"), b"")
            .and_then(|now| fs::metadata(&now.0)?.modified())
            .map_err(|error| Error::of_file(self.describe(), error))?;
        let mut swept = 0;
        for path in walk.unfinished {
            let old = fs::metadata(&path)
                .and_then(|found| found.modified())
                .is_ok_and(|written| {
                    now.duration_since(written)
                        .is_ok_and(|passed| passed >= age)
                });
            // Another process may sweep the same file, so a failed removal counts for nothing.
            swept += u64::from(old && fs::remove_file(&path).is_ok());
        }
        Ok(swept)
    }
}

/// A file without its name yet; dropped, it is removed.
struct Unfinished(PathBuf);

impl Drop for Unfinished {
    fn drop(&mut self) {
        match fs::remove_file(&self.0) {
            // After a rename there is nothing left under this name.
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(path = %self.0.display(), %error, "an unfinished file stays behind");
            }
            _ => {}
        }
    }
}

/// The bytes of an open file; with a state to hold to, the end is only reached if the file is still in it.
struct FileBody {
    file: File,
    left: u64,
    state: Option<Etag>,
    place: String,
}

impl Read for FileBody {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let got = (&mut self.file).take(self.left).read(buffer)?;
        self.left -= got as u64;
        if got > 0 {
            return Ok(got);
        }
        let cut = self.left > 0;
        self.left = 0;
        if let Some(state) = self.state.take()
            && (cut || entry("", &self.file.metadata()?).etag != state)
        {
            let place = std::mem::take(&mut self.place);
            return Err(Error::Changed { place }.into_io());
        }
        Ok(0)
    }
}

/// One listing on its way.
#[derive(Default)]
struct Walk {
    entries: Vec<Entry>,
    left_out: Vec<LeftOut>,
    unfinished: Vec<PathBuf>,
    /// Whether a folder below that cannot be looked into is an error.
    strict: bool,
    /// Device and inode of the folders between the root and here: a link back to one of them would never end.
    above: BTreeSet<(u64, u64)>,
}

impl Walk {
    fn folder(&mut self, path: &Path, key: &str) -> Result<(), Error> {
        let fail = |error| Error::of_file(path.display().to_string(), error);
        let (found, names) =
            match fs::metadata(path).and_then(|found| Ok((found, fs::read_dir(path)?))) {
                Ok(pair) => pair,
                // A folder nobody has written to yet, one removed meanwhile, or a file where a folder was asked for.
                Err(error)
                    if matches!(
                        error.kind(),
                        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                    ) =>
                {
                    return Ok(());
                }
                Err(error) => return Err(fail(error)),
            };
        let identity = (found.dev(), found.ino());
        if !self.above.insert(identity) {
            self.leave(key, "a link that leads back to a folder above it");
            return Ok(());
        }
        for name in names {
            let name = name.map_err(fail)?.file_name();
            let path = path.join(&name);
            let Some(name) = name.to_str() else {
                let name = format!("{}{}", below(key), name.to_string_lossy());
                self.leave(&name, "its name is not UTF-8: rename it");
                continue;
            };
            if name.starts_with(UNFINISHED) {
                self.unfinished.push(path);
                continue;
            }
            let key = format!("{}{name}", below(key));
            self.one(&path, key)?;
        }
        self.above.remove(&identity);
        Ok(())
    }

    fn leave(&mut self, name: &str, reason: &str) {
        self.left_out.push(LeftOut {
            name: name.to_owned(),
            reason: reason.to_owned(),
        });
    }

    fn one(&mut self, path: &Path, key: String) -> Result<(), Error> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => match self.folder(path, &key) {
                Err(Error::AccessDenied { .. }) if !self.strict => {
                    self.leave(&key, "the folder may not be read: mend its permissions")
                }
                other => other?,
            },
            Ok(found) if found.is_file() => match key::fault(&key) {
                None => self.entries.push(entry(&key, &found)),
                Some(reason) => self.leave(&key, reason),
            },
            Ok(_) => self.leave(&key, "neither file nor folder"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A file removed since the folder was read is nobody's loss, a link to nothing may be.
                if path.is_symlink() {
                    self.leave(&key, "a link to nothing");
                }
            }
            Err(error) => return Err(Error::of_file(path.display().to_string(), error)),
        }
        Ok(())
    }
}

/// What stands before a name in this folder.
fn below(key: &str) -> String {
    if key.is_empty() {
        String::new()
    } else {
        format!("{key}/")
    }
}

fn entry(key: &str, found: &Metadata) -> Entry {
    let etag = format!(
        "{:x}-{:x}.{:09}-{:x}",
        found.size(),
        found.mtime(),
        found.mtime_nsec(),
        found.ino()
    );
    Entry {
        key: key.to_owned(),
        size: found.size(),
        etag: Etag::new(&etag),
        mtime: found.modified().ok(),
    }
}

fn parent_of(path: &Path) -> &Path {
    path.parent()
        .filter(|parent| !parent.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// Makes a folder and those above it, each durable in the one that holds it.
fn make_folders(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let parent = parent_of(path);
    if parent != path {
        make_folders(parent)?;
    }
    match fs::create_dir(path) {
        Ok(()) => sync_folder(parent),
        // Another writer was first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        // Some network file systems cannot sync a folder and need not.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// EPERM is what Linux answers on FAT and on some network file systems.
fn cannot_link(error: &io::Error) -> bool {
    const EPERM: i32 = 1;
    error.raw_os_error() == Some(EPERM) || error.kind() == io::ErrorKind::Unsupported
}

#[cfg(test)]
mod tests;
