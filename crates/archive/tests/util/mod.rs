//! Shared by the tests: files to read, and a small generator of numbers.
#![allow(dead_code, clippy::unwrap_used, missing_docs, unreachable_pub)]

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use archive::{Accounting, Games, Item, RawGame, ReaderSettings, Start, Unreadable, open};

pub fn data(name: &str) -> Vec<u8> {
    fs::read(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/data")
            .join(name),
    )
    .unwrap()
}

/// The files kept here, and larger sets beside the repository where they are present.
pub fn all_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in [
        "tests/data",
        "../../../shared/cases",
        "../../../shared/archives",
    ] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files)
        } else {
            files.push(path)
        }
    }
}

#[derive(Debug, PartialEq)]
pub struct Found {
    pub games: Vec<RawGame>,
    pub unreadable: Vec<Unreadable>,
    pub sums: Accounting,
}

pub fn read_from(bytes: impl Read, start: Start, settings: &ReaderSettings) -> Found {
    let (mut games, mut unreadable, mut end) = (vec![], vec![], None);
    for item in Games::new(bytes, start, settings) {
        assert!(end.is_none(), "nothing comes after the end");
        match item.unwrap() {
            Item::Game(game) => games.push(*game),
            Item::Unreadable(stretch) => unreadable.push(stretch),
            Item::End(sums) => end = Some(sums),
        }
    }
    Found {
        games,
        unreadable,
        sums: end.expect("the end always comes"),
    }
}

/// Reads decompressed bytes.
pub fn read(bytes: &[u8]) -> Found {
    read_from(bytes, Start::BEGINNING, &ReaderSettings::default())
}

/// Opens an archive and reads it.
pub fn read_archive(bytes: &[u8]) -> Found {
    let settings = ReaderSettings::default();
    let opened = open(Box::new(std::io::Cursor::new(bytes.to_vec())), &settings).unwrap();
    read_from(opened.reader, Start::BEGINNING, &settings)
}

pub fn decompressed(bytes: &[u8]) -> Vec<u8> {
    let opened = open(
        Box::new(std::io::Cursor::new(bytes.to_vec())),
        &ReaderSettings::default(),
    )
    .unwrap();
    let (mut reader, mut out) = (opened.reader, vec![]);
    // A broken stream gives what there is.
    reader.read_to_end(&mut out).ok();
    out
}

pub fn moves(game: &RawGame) -> Vec<String> {
    game.moves()
        .map(|token| game.text(token).into_owned())
        .collect()
}

pub fn move_lists(bytes: &[u8]) -> Vec<String> {
    read(bytes)
        .games
        .iter()
        .map(|game| moves(game).join(" "))
        .collect()
}

/// xorshift64*: the same numbers everywhere.
pub struct Seeded(pub u64);

impl Seeded {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 33) as usize % bound.max(1)
    }
}

/// A reader that gives a few bytes at a time, as networks do.
pub struct Trickle<'a>(pub &'a [u8], pub Seeded);

impl Read for Trickle<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let length = (1 + self.1.below(7)).min(into.len());
        self.0.read(&mut into[..length])
    }
}
