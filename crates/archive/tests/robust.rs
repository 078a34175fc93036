//! Damaged containers and arbitrary values: nothing panics, nothing runs away, nothing is lost.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::io::{Cursor, Write};

use archive::{ReaderSettings, Start, comment, date, open, outcome, time_control};
use util::{Seeded, data, read_from};

fn containers() -> Vec<Vec<u8>> {
    let text = [data("tc.pgn"), data("names.pgn"), data("league.pgn")].concat();
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(&text).unwrap();
    let gzip = gzip.finish().unwrap();
    let zstd = zstd::encode_all(text.as_slice(), 1).unwrap();
    vec![
        [gzip.clone(), gzip].concat(),
        [
            data("pychess_db_2026-01.pgn.bz2"),
            data("pychess_db_2026-01.pgn.bz2"),
        ]
        .concat(),
        [data("dump.pgn.zst"), zstd].concat(),
    ]
}

#[test]
fn mutated_containers() {
    let (seeds, mut random) = (containers(), Seeded(4));
    let settings = ReaderSettings {
        max_decompressed_bytes: 1 << 20,
        ..ReaderSettings::default()
    };
    for _ in 0..3_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.next() as u8,
                1 => bytes[at] ^= 1 << random.below(8),
                2 => bytes.truncate(at.max(1)),
                _ => drop(bytes.drain(at..(at + random.below(50)).min(bytes.len() - 1).max(at))),
            }
        }
        let opened = open(Box::new(Cursor::new(bytes)), &settings).unwrap();
        let found = read_from(opened.reader, Start::BEGINNING, &settings);
        assert!(found.sums.total_bytes() <= (1 << 20) + (256 << 10));
        // What is broken says so once.
        let faults = found
            .unreadable
            .iter()
            .filter(|u| matches!(u.reason, archive::UnreadableReason::Container(_)));
        assert_eq!(faults.count(), usize::from(found.sums.incomplete));
    }
}

fn zip_of(files: &[(&str, &[u8])], method: zip::CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// Archives of several files, and of several frames.
fn archives() -> Vec<Vec<u8>> {
    let (one, two, three) = (data("tc.pgn"), data("names.pgn"), data("utf16le.pgn"));
    let long = format!("{}x.pgn", "folder/".repeat(20));
    let packed = zstd::encode_all(one.as_slice(), 1).unwrap();
    let files: [(&str, &[u8]); 4] = [
        ("one.pgn", &one),
        (&long, &two),
        ("three.pgn", &three),
        ("four.pgn.zst", &packed),
    ];
    let tar = tar_of(&files);
    let frames = tar
        .chunks(3_000)
        .flat_map(|part| zstd::encode_all(part, 1).unwrap());
    let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    gzip.write_all(&tar).unwrap();
    vec![
        zip_of(&files, zip::CompressionMethod::Stored),
        zip_of(&files, zip::CompressionMethod::Deflated),
        frames.collect(),
        gzip.finish().unwrap(),
        tar,
    ]
}

/// Flips, cuts, repeats and exchanges pieces; and writes large numbers where lengths may stand.
fn damage(bytes: &mut Vec<u8>, other: &[u8], random: &mut Seeded) {
    let at = random.below(bytes.len());
    let end = (at + random.below(600)).min(bytes.len());
    match random.below(7) {
        0 => bytes[at] = random.next() as u8,
        1 => bytes[at] ^= 1 << random.below(8),
        2 => bytes.truncate(at.max(1)),
        3 => drop(bytes.drain(at..end.min(bytes.len() - 1).max(at))),
        4 => bytes.extend_from_within(at..end),
        5 => {
            let from = random.below(other.len());
            let piece = &other[from..(from + random.below(600)).min(other.len())];
            bytes.splice(at..end, piece.iter().copied());
            bytes.push(0);
        }
        _ => {
            let end = (at + 4).min(bytes.len());
            bytes[at..end].fill([0, 0x7f, 0xff][random.below(3)]);
        }
    }
}

/// Whatever happens to a container, each of its files is accounted for to the byte, and the ranges of a survey hold what
/// the survey says.
#[test]
fn mutated_archives_of_files() {
    let (seeds, mut random) = (archives(), Seeded(21));
    let settings = ReaderSettings {
        max_decompressed_bytes: 1 << 20,
        max_archive_bytes: 2 << 20,
        max_members: 50,
        ..ReaderSettings::default()
    };
    for round in 0..4_000 {
        let mut bytes = seeds[random.below(seeds.len())].clone();
        let other = &seeds[random.below(seeds.len())];
        for _ in 0..=random.below(4) {
            damage(&mut bytes, other, &mut random);
        }
        let read = std::panic::catch_unwind(|| util::members(&bytes, 2_000, &settings));
        let Ok((_, found)) = read else {
            let path = std::env::temp_dir().join("nabsak-mutated-archive");
            std::fs::write(&path, &bytes).unwrap();
            panic!("round {round}: see {}", path.display());
        };
        assert!(found.len() <= 2 * 50 + 10, "round {round}");
    }
}

/// The files kept here and beside the repository, alone and all in one zip and tar: nothing is lost on the way.
#[test]
fn every_file_alone_and_in_containers() {
    let settings = ReaderSettings::default();
    let mut files = Vec::new();
    for path in util::all_files() {
        let bytes = std::fs::read(&path).unwrap();
        let (_, alone) = util::members(&bytes, 5_000, &settings);
        assert_eq!(alone.len(), 1, "{}", path.display());
        files.push((path.display().to_string().replace("..", "up"), bytes, alone));
    }
    let all: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, bytes, _)| (name.as_str(), bytes.as_slice()))
        .collect();
    for archive in [
        zip_of(&all, zip::CompressionMethod::Deflated),
        tar_of(
            &all.iter()
                .map(|(name, bytes)| (name.trim_start_matches('/'), *bytes))
                .collect::<Vec<_>>(),
        ),
    ] {
        let (_, found) = util::members(&archive, 5_000, &settings);
        assert_eq!(found.len(), files.len());
        for (member, (name, _, alone)) in found.iter().zip(&files) {
            assert_eq!(member.found, alone[0].found, "{name}");
        }
    }
}

#[test]
fn arbitrary_values() {
    const MORSELS: &[&str] = &[
        "[%clk ",
        "[%eval ",
        "[%emt ",
        "[%cnt ",
        "[%count start]",
        "]",
        "0:01:59.1",
        "-0.42",
        "#-3",
        "M",
        "+0.29/34 434s",
        "/",
        "s",
        ",",
        ":",
        "+",
        "x",
        "*",
        "-",
        "?",
        "2569",
        ".",
        "99999999999999999999",
        "0",
        "1",
        "๒๕",
        "é",
        "d=1, wv=",
        " ",
        "40/9000",
        "in 5 days",
        "½",
        "White win",
    ];
    let mut random = Seeded(3);
    for _ in 0..30_000 {
        let text: String = (0..random.below(8))
            .map(|_| MORSELS[random.below(MORSELS.len())])
            .collect();
        let facts = comment::parse(&text);
        assert!(facts.text.len() <= text.len());
        let day = date::parse(&text);
        assert!(day.day.is_none() || day.month.is_some() && day.year.is_some());
        let control = time_control::parse(&text);
        assert!(control.byoyomi_s.is_some() == control.byoyomi_periods.is_some());
        outcome::parse(&text);
    }
}

#[test]
fn random_bytes_are_no_game() {
    // What a game can start with, so that chance need not find it.
    let starts: [&[u8]; 8] = [b"", b"*", b"(", b";", b"{", b"$1 ", b"1. ", b"[Event]\n"];
    for seed in 0..160 {
        let mut random = Seeded(1000 + seed);
        let mut bytes = starts[seed as usize % starts.len()].to_vec();
        bytes.extend((0..40_000).map(|_| (random.next() >> 24) as u8));
        let found = read_from(
            bytes.as_slice(),
            Start::BEGINNING,
            &ReaderSettings::default(),
        );
        assert_eq!(found.games.len(), 0, "seed {seed}");
        assert!(found.unreadable.len() <= 2, "{:?}", found.unreadable);
        assert_eq!(found.sums.total_bytes(), bytes.len() as u64);
        let reason = found.unreadable[0].reason.to_string();
        assert_eq!(reason, "not game text: binary data", "seed {seed}");
    }
}

#[test]
fn a_game_with_some_odd_bytes_stays_a_game() {
    let game = "[Event \"x\"]\n[White \"A\0\0B\u{1}\"]\n\n1. e4 {\u{1b}[1mgood\u{1b}[0m} e5 \0\0\0\0 2. d4 1-0\n";
    let nuls = format!("[Event \"x\"]\n\n1. e4 {} e5 1-0\n", "\0".repeat(512));
    for text in [game, &nuls] {
        let found = read_from(
            text.as_bytes(),
            Start::BEGINNING,
            &ReaderSettings::default(),
        );
        assert_eq!((found.games.len(), found.unreadable.len()), (1, 0));
    }
}

#[test]
fn text_without_games_is_a_file_of_another_kind() {
    for text in [
        "# Games\n\nOf the club.\n\n* one\n* two\n\n1. Install it.\n",
        "white,black,result\nA,B,1-0\n",
        "# of the job\nname = \"x\"\n\n[input]\npaths = [\"a\"]\n",
        &"a".repeat(100_000),
    ] {
        let found = read_from(
            text.as_bytes(),
            Start::BEGINNING,
            &ReaderSettings::default(),
        );
        let reasons: Vec<_> = found.unreadable.iter().map(|u| &u.reason).collect();
        let want = archive::UnreadableReason::NotGameText("readable text without a game");
        assert_eq!((found.games.len(), reasons), (0, vec![&want]), "{text:.20}");
    }
    // Between games it is damage.
    let text = "[Event \"a\"]\n\n1. e4 e5 1-0\n\nlorem ipsum\n\n[Event \"b\"]\n\n1. e4 1-0\n";
    let found = read_from(
        text.as_bytes(),
        Start::BEGINNING,
        &ReaderSettings::default(),
    );
    assert_eq!(found.games.len(), 2);
    assert_eq!(found.unreadable[0].reason, archive::UnreadableReason::Prose);
}
