//! An input that can be read from anywhere: what a zip needs, and a reading that begins in the middle.

use std::{
    fmt,
    fs::File,
    io::{self, Cursor, Read, Seek, SeekFrom},
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
};

/// The bytes of one archive as they lie in a folder, in an object store or in memory.
pub trait Object: Send + Sync + fmt::Debug {
    /// Its length in bytes.
    fn size(&self) -> u64;

    /// Streams a range of its bytes; what lies beyond the end is just not there.
    ///
    /// # Errors
    /// The disk's or the network's.
    fn read(&self, range: Range<u64>) -> io::Result<Box<dyn Read + Send>>;
}

/// Bytes in memory.
#[derive(Clone)]
pub struct InMemory(Arc<[u8]>);

impl InMemory {
    /// Takes the bytes.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Self {
        InMemory(bytes.into())
    }
}

impl fmt::Debug for InMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InMemory({} bytes)", self.0.len())
    }
}

impl Object for InMemory {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, range: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let mut cursor = Cursor::new(Arc::clone(&self.0));
        cursor.set_position(range.start);
        Ok(Box::new(cursor.take(range.end.saturating_sub(range.start))))
    }
}

/// A file of this machine.
#[derive(Debug, Clone)]
pub struct OnDisk {
    path: PathBuf,
    size: u64,
}

impl OnDisk {
    /// Looks at the file.
    ///
    /// # Errors
    /// It is not there, is no file, or cannot be looked at.
    pub fn new(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        let found = std::fs::metadata(&path)?;
        if !found.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        Ok(OnDisk {
            path,
            size: found.len(),
        })
    }
}

impl Object for OnDisk {
    fn size(&self) -> u64 {
        self.size
    }

    fn read(&self, range: Range<u64>) -> io::Result<Box<dyn Read + Send>> {
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(range.start))?;
        Ok(Box::new(file.take(range.end.saturating_sub(range.start))))
    }
}

/// Small reads of an object, through one block that is kept.
pub(crate) struct Near<'a> {
    object: &'a dyn Object,
    block: Mutex<Block>,
}

#[derive(Default)]
struct Block {
    at: u64,
    bytes: Vec<u8>,
}

const BLOCK_BYTES: u64 = 256 << 10;

impl<'a> Near<'a> {
    pub(crate) fn new(object: &'a dyn Object) -> Self {
        Near {
            object,
            block: Mutex::default(),
        }
    }

    pub(crate) fn size(&self) -> u64 {
        self.object.size()
    }

    /// Up to `length` bytes from `at` on; fewer only at the end of the object.
    pub(crate) fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut block = self.block.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::with_capacity(length.min(BLOCK_BYTES as usize));
        while found.len() < length {
            let next = at.saturating_add(found.len() as u64);
            if next >= self.size() {
                break;
            }
            let held = block.at..block.at + block.bytes.len() as u64;
            if !held.contains(&next) {
                let end = next.saturating_add(BLOCK_BYTES);
                let mut bytes = Vec::new();
                self.object.read(next..end)?.read_to_end(&mut bytes)?;
                if bytes.is_empty() {
                    break;
                }
                *block = Block { at: next, bytes };
            }
            let skip = usize::try_from(next - block.at).unwrap_or(usize::MAX);
            let rest = block.bytes.get(skip..).unwrap_or_default();
            let step = rest.len().min(length - found.len());
            found.extend_from_slice(&rest[..step]);
        }
        Ok(found)
    }
}
