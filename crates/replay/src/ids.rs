//! The three names a game goes by. A newtype each, so that they cannot be swapped.

use std::fmt;
use std::str::FromStr;

use crate::place::Place;

macro_rules! hash_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub [u8; 16]);

        impl $name {
            /// No game's: where a judge names none.
            pub(crate) const NONE: $name = $name([0; 16]);

            /// The 16 bytes.
            pub fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// 32 lower-case hexadecimal digits.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                parse_hex(text).map($name)
            }
        }
    };
}

hash_id! {
    /// One game at one place: 128 bits of BLAKE3 over (archive, member, byte offset, raw bytes).
    GameId
}
hash_id! {
    /// The game's raw bytes alone: links, rulings and reuse go by it.
    RecordHash
}
hash_id! {
    /// Start position and moves, whatever dialect they were written in.
    MovesHash
}

/// Text that is not a 128-bit id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected 32 hexadecimal digits, found `{0}`")]
pub struct IdError(String);

fn parse_hex(text: &str) -> Result<[u8; 16], IdError> {
    let wrong = || IdError(text.to_owned());
    if text.len() != 32 || !text.is_ascii() {
        return Err(wrong());
    }
    let mut bytes = [0; 16];
    for (index, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[2 * index..2 * index + 2], 16).map_err(|_| wrong())?;
    }
    Ok(bytes)
}

/// What a game and its record are called: the game's raw bytes at their place.
///
/// The id takes the bytes by their whole hash, so that they are hashed once.
pub fn names(place: &Place, raw: &[u8]) -> (GameId, RecordHash) {
    let bytes = blake3::hash(raw);
    let mut hasher = blake3::Hasher::new();
    field(&mut hasher, place.archive.as_bytes());
    // A member may have an empty name, so "no member" is another length than any name.
    match &place.member {
        Some(member) => field(&mut hasher, member.as_bytes()),
        None => {
            hasher.update(&u64::MAX.to_le_bytes());
        }
    }
    hasher.update(&place.byte_offset.to_le_bytes());
    hasher.update(bytes.as_bytes());
    (GameId(short(&hasher.finalize())), RecordHash(short(&bytes)))
}

impl RecordHash {
    /// The hash of a game's raw bytes.
    pub fn new(raw: &[u8]) -> RecordHash {
        RecordHash(short(&blake3::hash(raw)))
    }
}

impl MovesHash {
    /// The hash of a game: its start position (FEN) and its moves (their 16 bits, little-endian).
    pub fn new(start_fen: &str, moves: impl Iterator<Item = u16>) -> MovesHash {
        let mut bytes = Vec::with_capacity(start_fen.len() + 256);
        bytes.extend_from_slice(start_fen.as_bytes());
        bytes.push(0);
        moves.for_each(|mv| bytes.extend_from_slice(&mv.to_le_bytes()));
        MovesHash(short(&blake3::hash(&bytes)))
    }
}

fn field(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn short(hash: &blake3::Hash) -> [u8; 16] {
    let (short, _) = hash.as_bytes().split_at(16);
    let mut id = [0; 16];
    id.copy_from_slice(short);
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_comes_back() {
        let id = RecordHash::new(b"1. c4 c5 *");
        assert_eq!(id.to_string().parse::<RecordHash>(), Ok(id));
        assert!("xyz".parse::<RecordHash>().is_err());
        assert!("é".repeat(16).parse::<RecordHash>().is_err());
    }

    #[test]
    fn place_is_part_of_a_game_id_but_not_of_a_record_hash() {
        let at = |offset| Place {
            byte_offset: offset,
            ..Place::nowhere()
        };
        assert_ne!(names(&at(0), b"x").0, names(&at(1), b"x").0);
        assert_eq!(names(&at(0), b"x").1, names(&at(1), b"x").1);
        assert_eq!(names(&at(0), b"x").1, RecordHash::new(b"x"));
        let member = Place {
            member: Some(String::new()),
            ..Place::nowhere()
        };
        assert_ne!(names(&member, b"x").0, names(&at(0), b"x").0);
    }
}
