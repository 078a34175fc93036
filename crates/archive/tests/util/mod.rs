//! Shared by the tests: files to read, and a small generator of numbers.
#![allow(
    dead_code,
    clippy::unwrap_used,
    missing_docs,
    unreachable_pub,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use std::sync::{Arc, Mutex};

use archive::{
    Accounting, Container, Cutting, Games, InMemory, Item, Object, Opener, RawGame, ReaderSettings,
    Route, Start, Survey, Unreadable, UnreadableReason, open, survey,
};

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

/// Games and unreadable stretches lie one after another, what is between them is a separator, and the sums agree.
pub fn check_accounting(bytes: &[u8], found: &Found) {
    let mut stretches: Vec<(u64, u64, bool)> = found
        .games
        .iter()
        .map(|game| (game.byte_offset, game.byte_length, true))
        .chain(
            found
                .unreadable
                .iter()
                .map(|stretch| (stretch.byte_offset, stretch.byte_length, false)),
        )
        .collect();
    stretches.sort();
    let mut at = 0;
    for (offset, length, _) in &stretches {
        assert!(*offset >= at, "stretches overlap at {offset}");
        check_separator(bytes, at as usize, *offset as usize, found);
        at = offset + length;
    }
    check_separator(bytes, at as usize, bytes.len(), found);
    let sum = |games: bool| {
        stretches
            .iter()
            .filter(|s| s.2 == games)
            .map(|s| s.1)
            .sum::<u64>()
    };
    assert_eq!(found.sums.game_bytes, sum(true));
    assert_eq!(found.sums.unreadable_bytes, sum(false));
    assert_eq!(found.sums.total_bytes(), bytes.len() as u64);
    for (i, game) in found.games.iter().enumerate() {
        assert_eq!(game.ordinal as usize, i + 1);
        let range = game.byte_offset as usize..(game.byte_offset + game.byte_length) as usize;
        assert_eq!(
            game.raw, &bytes[range],
            "the raw bytes are the archive's own"
        );
        for token in &game.tokens {
            assert!((token.offset as usize) < game.raw.len());
            game.text(token);
        }
    }
}

fn check_separator(bytes: &[u8], from: usize, to: usize, found: &Found) {
    let between = &bytes[from..to];
    if found.sums.wide.is_some() {
        // Where UTF-16 follows upon another encoding, nothing can be said of a separator's length.
        return;
    }
    let of_json = between.iter().any(|b| b"{}[]:".contains(b));
    for line in between.split(|b| matches!(b, b'\n' | b'\r')) {
        let blank =
            |b: &u8| b.is_ascii_whitespace() || matches!(b, 0 | 0x0b | 0x1a | 0xef | 0xbb | 0xbf);
        let whole = line;
        let first = line.iter().position(|b| !blank(b)).unwrap_or(line.len());
        let line = line[first..].trim_ascii_end();
        // Lines hidden by `%`, comments over positions, and the brackets, names and values around JSON records.
        let hidden = whole.first() == Some(&b'%') || line.first() == Some(&b'#');
        let value = of_json
            && line
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
        let json = value || line.iter().any(|b| b"[]{},:\"".contains(b));
        let heading = line.to_ascii_lowercase().starts_with(b"fen");
        assert!(
            hidden || json || heading || line.iter().all(blank),
            "no separator: {:?}",
            String::from_utf8_lossy(line)
        );
    }
}

/// A member of a container, put together from its ranges.
#[derive(Debug, PartialEq)]
pub struct Member {
    pub name: Option<String>,
    pub text: Vec<u8>,
    pub found: Found,
    pub notes: Vec<UnreadableReason>,
    /// Nothing of it is read: its notes say why.
    pub skipped: bool,
}

impl Member {
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("-")
    }

    pub fn says(&self) -> Vec<String> {
        let read = self.found.unreadable.iter().map(|u| &u.reason);
        self.notes
            .iter()
            .chain(read)
            .map(ToString::to_string)
            .collect()
    }
}

pub fn object(bytes: &[u8]) -> Arc<dyn Object> {
    Arc::new(InMemory::new(bytes.to_vec()))
}

pub fn survey_of(bytes: &[u8], target_bytes: u64, settings: &ReaderSettings) -> Survey {
    let cutting = Cutting {
        target_bytes,
        unpack: true,
    };
    survey(&object(bytes), cutting, settings).unwrap()
}

/// Reads an archive as the stages of a run do: a survey, then each range by the text of its route.
pub fn members(
    bytes: &[u8],
    target_bytes: u64,
    settings: &ReaderSettings,
) -> (Container, Vec<Member>) {
    let survey = survey_of(bytes, target_bytes, settings);
    let mut opener = Opener::new(object(bytes), settings);
    let mut members: Vec<Member> = Vec::new();
    for segment in &survey.segments {
        let route = segment.route.as_ref().map(|route| {
            let again: Route = route.to_string().parse().unwrap();
            assert_eq!(again, *route);
            again
        });
        let start = segment
            .range
            .as_ref()
            .map_or(Start::BEGINNING, |range| range.start);
        let (text, found) = match &route {
            None => (
                Vec::new(),
                read_from([].as_slice(), start_of_nothing(), settings),
            ),
            Some(route) => {
                let seen = Arc::new(Mutex::new(Vec::new()));
                let tee = Tee(opener.open(route).unwrap(), Arc::clone(&seen));
                let found = read_from(tee, start, settings);
                let text = seen.lock().unwrap().clone();
                (text, found)
            }
        };
        if let Some(range) = &segment.range {
            assert_eq!(text.len() as u64, range.byte_length, "{route:?}");
            assert_eq!(*blake3::hash(&text).as_bytes(), range.hash);
            assert_eq!(found.sums.games, range.games);
            assert_eq!(found.sums.incomplete, segment.broken);
        }
        let goes_on = start.byte_offset > 0;
        match members.last_mut().filter(|_| goes_on) {
            Some(member) => {
                assert_eq!(member.name, segment.member);
                assert_eq!(member.text.len() as u64, start.byte_offset);
                member.text.extend(text);
                member.notes.extend(segment.notes.clone());
                add(&mut member.found, found);
            }
            None => members.push(Member {
                name: segment.member.clone(),
                text,
                found,
                notes: segment.notes.clone(),
                skipped: route.is_none(),
            }),
        }
    }
    for member in &members {
        check_accounting(&member.text, &member.found);
    }
    (survey.container, members)
}

/// So that nothing says "empty" where there is nothing to read.
fn start_of_nothing() -> Start {
    Start {
        byte_offset: 1,
        ..Start::BEGINNING
    }
}

fn add(whole: &mut Found, part: Found) {
    whole.games.extend(part.games);
    whole.unreadable.extend(part.unreadable);
    let sums = &mut whole.sums;
    sums.games += part.sums.games;
    sums.game_bytes += part.sums.game_bytes;
    sums.separator_bytes += part.sums.separator_bytes;
    sums.unreadable += part.sums.unreadable;
    sums.unreadable_bytes += part.sums.unreadable_bytes;
    sums.incomplete |= part.sums.incomplete;
}

struct Tee<R>(R, Arc<Mutex<Vec<u8>>>);

impl<R: Read> Read for Tee<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(into)?;
        self.1.lock().unwrap().extend_from_slice(&into[..read]);
        Ok(read)
    }
}
