//! Chunk keys: BLAKE3 over named fields. What may change a chunk's bytes is in its key, and nothing else is.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of one chunk of one stage: 128 bits of BLAKE3 over the fields that decide its bytes.
///
/// Threads, workers, retries, deadlines, logging and the output place are never in a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ChunkKey([u8; 16]);

impl ChunkKey {
    /// Starts a key of this kind (`replay`, `search`, ...).
    #[must_use]
    pub fn of(kind: &str) -> KeyFields {
        let mut hasher = blake3::Hasher::new();
        feed(&mut hasher, b"nabsak", kind.as_bytes());
        KeyFields { hasher }
    }

    /// The raw 128 bits.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for ChunkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ChunkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkKey({self})")
    }
}

/// A text that is no chunk key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no chunk key: 32 hexadecimal digits expected")]
pub struct NotAKey(String);

impl FromStr for ChunkKey {
    type Err = NotAKey;

    fn from_str(text: &str) -> Result<ChunkKey, NotAKey> {
        let fault = || NotAKey(text.to_owned());
        if text.len() != 32 || !text.is_ascii() {
            return Err(fault());
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| fault())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| fault())?;
        }
        Ok(ChunkKey(bytes))
    }
}

impl From<ChunkKey> for String {
    fn from(key: ChunkKey) -> String {
        key.to_string()
    }
}

impl TryFrom<String> for ChunkKey {
    type Error = NotAKey;

    fn try_from(text: String) -> Result<ChunkKey, NotAKey> {
        text.parse()
    }
}

/// A key in the making. Fields are fed with their names and lengths, so no two field lists run into each other.
#[derive(Clone, Debug)]
pub struct KeyFields {
    hasher: blake3::Hasher,
}

impl KeyFields {
    /// Adds a field of bytes or text.
    #[must_use]
    pub fn field(mut self, name: &str, value: impl AsRef<[u8]>) -> KeyFields {
        feed(&mut self.hasher, name.as_bytes(), value.as_ref());
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn number(self, name: &str, value: u64) -> KeyFields {
        self.field(name, value.to_le_bytes())
    }

    /// Adds a field that may be absent; absent and empty differ.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl AsRef<[u8]>>) -> KeyFields {
        match value {
            Some(value) => self.field(name, value),
            None => self.field(&format!("no {name}"), []),
        }
    }

    /// Adds other keys in the order given.
    #[must_use]
    pub fn keys<'a>(
        mut self,
        name: &str,
        keys: impl IntoIterator<Item = &'a ChunkKey>,
    ) -> KeyFields {
        let mut count = 0u64;
        for key in keys {
            feed(&mut self.hasher, name.as_bytes(), &key.0);
            count += 1;
        }
        self.number("count of keys", count)
    }

    /// The key.
    #[must_use]
    pub fn finish(self) -> ChunkKey {
        ChunkKey(hash128(&self.hasher))
    }
}

fn feed(hasher: &mut blake3::Hasher, name: &[u8], value: &[u8]) {
    hasher.update(&(name.len() as u64).to_le_bytes());
    hasher.update(name);
    hasher.update(&(value.len() as u64).to_le_bytes());
    hasher.update(value);
}

fn hash128(hasher: &blake3::Hasher) -> [u8; 16] {
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    bytes
}

/// The hash that names a part by its bytes: 64 bits of BLAKE3 in hexadecimal.
#[must_use]
pub(crate) fn part_hash(bytes: &[u8]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(bytes);
    let full = hash128(&hasher);
    full.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Whether bytes are those that the name of a part promises; a name of another form promises nothing.
#[must_use]
pub(crate) fn keeps_its_name(path: &str, bytes: &[u8]) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    stem.split_once('-')
        .is_none_or(|(_, hash)| hash == part_hash(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_into_each_other() {
        let one = ChunkKey::of("x").field("a", "bc").finish();
        let two = ChunkKey::of("x").field("ab", "c").finish();
        let three = ChunkKey::of("x").field("a", "b").field("", "c").finish();
        assert!(one != two && one != three && two != three);
        assert_ne!(
            ChunkKey::of("x").maybe("a", None::<&str>).finish(),
            ChunkKey::of("x").maybe("a", Some("")).finish()
        );
    }

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let key = ChunkKey::of("replay").number("n", 7).finish();
        assert_eq!(key.to_string().parse(), Ok(key));
        assert!("xyz".parse::<ChunkKey>().is_err());
    }
}
