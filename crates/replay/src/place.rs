//! Where a game lies.

/// Where a game lies in the input: everything a reader needs to show its bytes again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Path below the input's root.
    pub archive: String,
    /// File inside a container, where there is one.
    pub member: Option<String>,
    /// 1-based number of the game in its member.
    pub ordinal: u32,
    /// Offset of the game's first byte in the decompressed member.
    pub byte_offset: u64,
    /// Length of the game's bytes.
    pub byte_length: u64,
}

impl Place {
    /// A place for games that come from no archive: tests and single games typed by hand.
    pub fn nowhere() -> Place {
        Place {
            archive: String::new(),
            member: None,
            ordinal: 1,
            byte_offset: 0,
            byte_length: 0,
        }
    }
}
