//! Every byte is somewhere, whatever the bytes are; and a member cut anywhere it may be cut reads as the whole.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::{fs, time::Instant};

use archive::{ReaderSettings, Start, cut_points};
use util::{Found, Seeded, Trickle, all_files, check_accounting, decompressed, read, read_from};

/// Reading the ranges one by one gives what reading the whole gives.
fn check_cuts(bytes: &[u8], whole: &Found, target: u64, settings: &ReaderSettings) {
    let cuts = cut_points(bytes, target, settings).unwrap();
    assert_eq!(cuts.sums, whole.sums);
    let (mut at, mut games, mut unreadable) = (0, vec![], vec![]);
    for range in &cuts.ranges {
        assert_eq!(range.start.byte_offset, at);
        assert_eq!(range.start.first_ordinal as usize, games.len() + 1);
        let part = &bytes[at as usize..(at + range.byte_length) as usize];
        assert_eq!(range.hash, *blake3::hash(part).as_bytes());
        let found = read_from(part, range.start, settings);
        assert_eq!(found.sums.games, range.games);
        games.extend(found.games);
        unreadable.extend(found.unreadable);
        at += range.byte_length;
    }
    assert_eq!(at, bytes.len() as u64);
    assert_eq!(games, whole.games);
    assert_eq!(unreadable, whole.unreadable);
}

fn check(bytes: &[u8]) {
    let found = read(bytes);
    check_accounting(bytes, &found);
    check_cuts(bytes, &found, 1, &ReaderSettings::default());
}

#[test]
fn every_file() {
    for path in all_files() {
        let bytes = decompressed(&fs::read(&path).unwrap());
        println!("{}", path.display());
        check(&bytes);
    }
}

#[test]
fn files_one_after_another() {
    let mut all = Vec::new();
    for path in all_files() {
        let bytes = decompressed(&fs::read(&path).unwrap());
        if bytes.len() < 10_000 {
            all.extend(bytes);
        }
    }
    let found = read(&all);
    check_accounting(&all, &found);
    for target in [1, 700, 5_000, 1 << 30] {
        check_cuts(&all, &found, target, &ReaderSettings::default());
    }
    let slow = read_from(
        Trickle(&all, Seeded(1)),
        Start::BEGINNING,
        &ReaderSettings::default(),
    );
    assert_eq!(
        slow, found,
        "the answer does not depend on how the bytes come in"
    );
}

/// What mutations splice in: everything that means something to the reader.
const MORSELS: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\r\n",
    b"\r\r\n",
    b"\n\n",
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"\"",
    b"\\\"",
    b";",
    b"%",
    b"\n%",
    b"*",
    b"1-0",
    b"0-1",
    b"1/2-1/2",
    b"[Event \"x\"]\n",
    b"\n\n[Event \"x\"]\n[Site \"y\"]\n\n",
    b"[Termination \"normal\"]\n",
    b"\n1. e4 e5\n",
    b"\n\n1. d4 ",
    b"\0",
    b"\0\0\0",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xfe\xff",
    b"\x1a",
    b"\xe1",
    b"\xc2",
    "ม็".as_bytes(),
    b"$14",
    b"!?",
    b"...",
    b"--",
    b"1.",
    b"12...",
    b"{[%clk 0:01:02]}",
    b"{\"a\":1}",
    b"{\"moves\":[\"e3e4\",\"d6d5\"]}",
    b"{\"moves\":[",
    b"[{\"id\":1,\"moves\":[\"e3e4\"]},\n{\"id\":2,\"moves\":[]}]",
    b"{\"games\": [",
    b"\n{\"fen\":\"8/8/8/8/8/8/8/8 w\"}\n",
    b"\"}",
    b"\\u0e01",
    b"eyJtb3ZlcyI6WyJGZTNlNCIsImZkNmQ1Il19",
    b"\n8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50\n",
    b"\n# a note\n",
    b"This game is being played under Makruk (Thai Chess) rules.\n",
    b"Clock started on 04/09/2008\n",
    b"White win\n",
    b"c 3 - c 4",
    b"12-20",
    "บ ก๓-ก๔".as_bytes(),
    b" - ",
    b",",
    b"]",
    b"\n{\"a\": 1}\n",
    b"[%eval 0.1]",
    b"<html>",
    b"rnsmksnr/8/8/8/8/8/8/8 w\n",
    b"[White x]",
    b"[White 'x']",
    b"[White \"x\n",
    b"                    ",
    b"Dear all,\n",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Seeded) {
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] = random.next() as u8,
            1 => {
                let end = (at + random.below(40)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => bytes.truncate(at),
            3 => {
                let from = random.below(bytes.len() + 1);
                let part = bytes[from..(from + random.below(300)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ => {
                let morsel = MORSELS[random.below(MORSELS.len())];
                bytes.splice(at..at, morsel.iter().copied());
            }
        }
    }
}

#[test]
fn thousands_of_mutations() {
    let seeds: Vec<Vec<u8>> = all_files()
        .iter()
        .map(|path| decompressed(&fs::read(path).unwrap()))
        .filter(|bytes| bytes.len() < 5_000)
        .collect();
    // `MUTATIONS=1000000 MUTATION_SEED=7 cargo test` goes on for longer and elsewhere.
    let number = |name: &str, usual| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(usual)
    };
    let mut random = Seeded(number("MUTATION_SEED", 20_260_102).max(1));
    for round in 0..number("MUTATIONS", 6_000) {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        if random.below(3) == 0 {
            bytes.extend_from_slice(&seeds[random.below(seeds.len())]);
        }
        mutate(&mut bytes, &mut random);
        let result = std::panic::catch_unwind(|| check(&bytes));
        assert!(
            result.is_ok(),
            "round {round}: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
}

#[test]
fn small_limits_too() {
    let settings = ReaderSettings {
        max_game_bytes: 300,
        ..ReaderSettings::default()
    };
    let mut random = Seeded(7);
    let seeds: Vec<Vec<u8>> = [
        "tc.pgn",
        "names.pgn",
        "club.pgn",
        "comments.pgn",
        "utf16le.pgn",
    ]
    .map(util::data)
    .into();
    for round in 0..2_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        bytes.extend_from_slice(&seeds[random.below(seeds.len())]);
        mutate(&mut bytes, &mut random);
        let found = read_from(bytes.as_slice(), Start::BEGINNING, &settings);
        check_accounting(&bytes, &found);
        let slow = read_from(
            Trickle(&bytes, Seeded(round + 1)),
            Start::BEGINNING,
            &settings,
        );
        assert_eq!(slow, found);
        check_cuts(&bytes, &found, 1, &settings);
    }
}

#[test]
fn random_bytes_and_morsels() {
    let mut random = Seeded(99);
    for _ in 0..3_000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(60) {
            match random.below(3) {
                0 => bytes.push(random.next() as u8),
                _ => bytes.extend_from_slice(MORSELS[random.below(MORSELS.len())]),
            }
        }
        let result = std::panic::catch_unwind(|| check(&bytes));
        assert!(result.is_ok(), "{:?}", String::from_utf8_lossy(&bytes));
    }
}

/// Bounded work for each byte: inputs made to be slow take about as long as others.
#[test]
fn nothing_is_quadratic() {
    let patterns: &[&[u8]] = &[
        b"[",
        b"{",
        b"}",
        b"{{}",
        b"{ { } ",
        b"(",
        b")",
        b"[a ",
        b"[A \"x\"] zz ",
        b"[A \"x ",
        b"[A 'x'] ",
        b"\"]",
        b"1.1",
        b"1.",
        b"*",
        b";",
        b"\\",
        b"[A \"x\"]\n",
        b"\n",
        b"\r",
        b"%\n",
        b"\0",
        b"!",
        b"e4 ",
        b"1-0 ",
        b"\n\n{\n[A \"x\"]\n",
        b"\xe0",
        "ม".as_bytes(),
        b"( { ",
        b"1. e4 1-0\n\n",
        b"{\"a\":",
        b"{\"a\":[{\"moves\":1},",
        b"{\"a\":1},",
        b"{\"moves\":[\"e3e4\"",
        b"{\"moves\":[\"e3e4\"]}",
        b"{\"moves\":[\"e3e4\"\n",
        b"[{\"a\":\"",
        b"{\"fen\":\"\\u0e01",
        b"[[{",
        b"\n# x",
        b"\nfen\n",
        b"8/8/8/8/8/8/8/8 w\n",
        b"eyJtb3ZlcyI6WyJGZTNlNCIsImZkNmQ1Il19\n",
        b"This game is being played under x rules\n",
        b"'x' (1 day)\n",
        b"c 3 - ",
        b"e4 - ",
        b"1-2!",
        b"12x",
        "ม(".as_bytes(),
        "ม ".as_bytes(),
        b"\xff\xfe[\0",
    ];
    for pattern in patterns {
        for head in [b"[Event \"x\"]\n\n1. e4 ".as_slice(), b""] {
            let bytes: Vec<u8> = head
                .iter()
                .chain(pattern.iter().cycle().take(1 << 20))
                .copied()
                .collect();
            let begun = Instant::now();
            let found = read(&bytes);
            assert_eq!(found.sums.total_bytes(), bytes.len() as u64);
            let took = begun.elapsed();
            println!("{:?} {:?}", String::from_utf8_lossy(pattern), took);
            assert!(
                took.as_secs() < 5,
                "{:?} took {took:?}",
                String::from_utf8_lossy(pattern)
            );
        }
    }
    // Tags after the moves, each with a name of its own.
    let mut bytes = b"[Event \"x\"]\n\n1. e4 1-0\n".to_vec();
    (0..50_000).for_each(|i| bytes.extend(format!("[T{i} \"x\"]\n").bytes()));
    let begun = Instant::now();
    read(&bytes);
    assert!(begun.elapsed().as_secs() < 5);
}
