//! Parts and receipts: what a chunk made. A receipt is created last and once; the first one wins and losers read it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::isolating::DIED;
use crate::key::ChunkKey;
use crate::stage::Stage;

/// Version of the JSON of receipts, markers and commits.
pub(crate) const FORMAT: u32 = 1;

/// One object a chunk wrote: `<table>/<chunk key>-<hash of the bytes>.parquet` below the output's root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Part {
    /// The table, or `_work` for files between stages.
    pub table: String,
    /// Key of the object below the output's root.
    pub path: String,
    /// Rows in it.
    pub rows: u64,
    /// Its size.
    pub bytes: u64,
    /// Where in the object its rows begin, where they are a stretch of a merged one; a commit names whole objects.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub first_row: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The proof that a chunk is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// Version of this JSON.
    pub version: u32,
    /// The stage.
    pub stage: Stage,
    /// The chunk.
    pub key: ChunkKey,
    /// The archive it belongs to; empty for chunks over everything.
    pub archive: String,
    /// What it wrote.
    pub parts: Vec<Part>,
    /// Figures by name, such as `games_accepted`.
    pub counts: BTreeMap<String, u64>,
    /// What later stages need to know.
    pub facts: Facts,
}

impl Receipt {
    /// Where the receipt of a chunk lies.
    #[must_use]
    pub fn path_of(stage: Stage, key: &ChunkKey) -> String {
        format!("{}{key}", Receipt::folder_of(stage))
    }

    /// The folder of a stage's receipts.
    pub(crate) fn folder_of(stage: Stage) -> String {
        format!("_nabsak/receipts/{stage}/")
    }

    /// Where this receipt lies.
    #[must_use]
    pub fn path(&self) -> String {
        Receipt::path_of(self.stage, &self.key)
    }

    /// What keys of later chunks say of this one: its key, and how many of its games took processes down. A chunk that is done again
    /// with those games in it gives other rows under the same key.
    pub(crate) fn standing(&self) -> ChunkKey {
        match self.count(DIED) {
            0 => self.key,
            died => ChunkKey::of("with games that died")
                .keys("chunk", [&self.key])
                .number("games", died)
                .finish(),
        }
    }

    /// A figure, 0 where the chunk names none.
    #[must_use]
    pub fn count(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }
}

/// What a stage tells the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Facts {
    /// Nothing.
    None,
    /// Of an input object.
    Index(IndexFacts),
    /// Of a replay chunk.
    Replay(ReplayFacts),
    /// Of the plies of a replay chunk.
    Cut(CutFacts),
    /// Of merged parts.
    Compact(CompactFacts),
}

/// What the index stage knows of an input object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexFacts {
    /// BLAKE3 of the object's bytes, hexadecimal.
    pub content_hash: String,
    /// Size of the object.
    pub bytes: u64,
    /// `plain`, `gzip`, `bzip2`, `zstd`, `zip`, `tar`.
    pub container: String,
    /// Files in the container that are read; 1 where the object is one stream.
    pub members: u32,
    /// The replay chunks, in order, together the whole object.
    pub chunks: Vec<ChunkFacts>,
}

/// A replay chunk's input: ranges of members, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkFacts {
    /// In the order of the archive; one at least.
    pub ranges: Vec<RangeFacts>,
}

impl ChunkFacts {
    /// Length of all ranges.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.ranges
            .iter()
            .map(|range| range.end - range.start)
            .sum()
    }
}

/// A range of a member, or something about a member that is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RangeFacts {
    /// The file in the container; absent where the object is one stream.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub member: Option<String>,
    /// The way to its text, as `archive::Route` writes it; absent where there is nothing to read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub route: Option<String>,
    /// First byte in the decompressed member; in the object where that is not cut.
    pub start: u64,
    /// First byte after it.
    pub end: u64,
    /// Ordinal of its first game, from 1.
    pub first_ordinal: u32,
    /// The encoding of the whole member where it is UTF-16, known from its first bytes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub wide: Option<String>,
    /// BLAKE3 of the range's text, hexadecimal; of the object's bytes where that is not cut.
    pub hash: String,
    /// Whether it is all of its member.
    pub whole: bool,
    /// Whether `hash` is that of the text.
    pub hash_of_text: bool,
    /// Whether the container is broken within the range, so that its text does not say all.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub broken: bool,
    /// Findings that are known without reading the text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<NoteFacts>,
}

/// A finding of the index stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteFacts {
    /// The finding's code.
    pub code: String,
    /// Its message.
    pub message: String,
}

/// What replay knows of a chunk beyond its counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplayFacts {
    /// Encodings of its games, with the number of games in each.
    pub encodings: BTreeMap<String, u64>,
    /// The newest date among its games; search takes the newest first.
    pub newest: Option<String>,
    /// Games with a finding of severity warning or above; search takes chunks with such games first.
    pub marked: u64,
}

/// Whose rows are in merged parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompactFacts {
    /// In the order of their rows.
    pub members: Vec<MemberFacts>,
}

/// A replay chunk whose rows are merged with others'.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberFacts {
    /// Its key.
    pub replay: ChunkKey,
    /// The key of the chunk that put its games and scores together.
    pub assemble: ChunkKey,
    /// How many of the rows of each table are its own.
    pub rows: BTreeMap<String, u64>,
}

/// The search chunks of a replay chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutFacts {
    /// In order of games.
    pub chunks: Vec<SearchFacts>,
}

/// One search chunk: consecutive games of a replay chunk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchFacts {
    /// Its key, made of the keys of its units.
    pub key: ChunkKey,
    /// The first game, counted from 0 in the order of the `games` rows of the replay chunk.
    pub first_game: u64,
    /// How many games.
    pub games: u64,
    /// How many plies are analysed.
    pub plies: u64,
    /// How many different units those plies are.
    pub units: u64,
    /// How many of the games carry a finding of severity warning or above.
    pub marked: u64,
}
