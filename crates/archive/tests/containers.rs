//! Containers by content: several members, broken ends, bombs; and inputs that are no archives at all.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::io::{self, Cursor, Read, Write};

use archive::{
    Container, ContainerError, Games, Item, ReaderSettings, Start, UnreadableReason, open,
};
use util::{Found, Seeded, data, read, read_archive, read_from};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(vec![], bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

const SKIPPABLE: &[u8] = b"\x50\x2a\x4d\x18\x04\x00\x00\x00abcd";

fn container(bytes: &[u8]) -> Container {
    open(
        Box::new(Cursor::new(bytes.to_vec())),
        &ReaderSettings::default(),
    )
    .unwrap()
    .container
}

/// Many games, so that a cut falls among them.
fn many_games() -> Vec<u8> {
    let (mut random, mut text) = (Seeded(5), vec![]);
    for i in 0..2_000 {
        let moves: String = (1..20)
            .map(|n| format!("{n}. e{} Nd{} ", random.below(8), random.below(8)))
            .collect();
        text.extend(format!("[Event \"{i}\"]\n[Result \"1-0\"]\n\n{moves}1-0\n\n").bytes());
    }
    text
}

#[test]
fn several_members() {
    let text = many_games();
    let (first, second) = text.split_at(text.len() / 3);
    let whole = read(&text);
    for (archive, kind) in [
        (text.clone(), Container::Plain),
        ([gzip(first), gzip(second)].concat(), Container::Gzip),
        (
            [gzip(first), gzip(second), vec![0; 700]].concat(),
            Container::Gzip,
        ),
        ([bzip2(first), bzip2(second)].concat(), Container::Bzip2),
        ([zstd(first), zstd(second)].concat(), Container::Zstd),
        (
            [
                SKIPPABLE.to_vec(),
                zstd(first),
                SKIPPABLE.to_vec(),
                zstd(second),
                SKIPPABLE.to_vec(),
            ]
            .concat(),
            Container::Zstd,
        ),
    ] {
        assert_eq!(container(&archive), kind);
        assert_eq!(read_archive(&archive), whole);
    }
}

#[test]
fn empty_ones() {
    for archive in [vec![], gzip(b""), bzip2(b""), zstd(b""), SKIPPABLE.to_vec()] {
        let found = read_archive(&archive);
        assert_eq!(found.sums.total_bytes(), 0);
        assert_eq!(found.unreadable[0].reason, UnreadableReason::Empty);
    }
    assert_eq!(container(&bzip2(b"")), Container::Bzip2);
}

fn fault(found: &Found) -> &ContainerError {
    match &found.unreadable.last().unwrap().reason {
        UnreadableReason::Container(fault) => fault,
        other => panic!("{other}"),
    }
}

#[test]
fn a_truncated_stream_keeps_every_complete_game() {
    let text = many_games();
    let whole = read(&text);
    for (archive, name) in [
        (gzip(&text), "gzip"),
        (bzip2(&text), "bzip2"),
        (zstd(&text), "zstd"),
    ] {
        for cut in [
            archive.len() - 1,
            archive.len() - 9,
            archive.len() * 2 / 3,
            20,
            12,
        ] {
            let found = read_archive(&archive[..cut]);
            let count = found.games.len();
            assert_eq!(found.games, whole.games[..count], "{name} cut at {cut}");
            assert!(found.sums.incomplete);
            assert!(
                matches!(fault(&found), ContainerError::Truncated { container, .. } if *container == name),
                "{name} {cut}"
            );
            let broken = found.unreadable.last().unwrap();
            assert_eq!(
                broken.byte_offset + broken.byte_length,
                found.sums.total_bytes()
            );
            // The offset is that of the first game that is not complete.
            if let Some(next) = whole.games.get(count) {
                assert!(broken.byte_offset <= next.byte_offset);
            }
        }
    }
}

#[test]
fn a_damaged_stream_is_named() {
    let text = many_games();
    for mut archive in [gzip(&text), bzip2(&text), zstd(&text)] {
        let middle = archive.len() / 2;
        archive[middle..middle + 40].fill(0x55);
        let found = read_archive(&archive);
        assert!(matches!(
            fault(&found),
            ContainerError::Damaged { .. } | ContainerError::Truncated { .. }
        ));
    }
    let trailing = [gzip(&text), b"hello".to_vec()].concat();
    let found = read_archive(&trailing);
    assert_eq!(found.games.len(), 2_000);
    assert!(matches!(
        fault(&found),
        ContainerError::TrailingBytes { .. }
    ));
}

#[test]
fn bombs_are_refused() {
    let blanks = vec![b' '; 8 << 20];
    let packed = zstd(&blanks);
    let bomb: Vec<u8> = packed
        .iter()
        .cycle()
        .take(packed.len() * 40)
        .copied()
        .collect();
    let found = read_archive(&bomb);
    assert!(
        matches!(fault(&found), ContainerError::Bomb { .. }),
        "{found:?}"
    );
    assert!(found.sums.total_bytes() < 80 << 20);
    let settings = ReaderSettings {
        max_decompressed_bytes: 1_000,
        ..ReaderSettings::default()
    };
    let opened = open(Box::new(Cursor::new(gzip(&many_games()))), &settings).unwrap();
    assert!(matches!(
        fault(&read_from(opened.reader, Start::BEGINNING, &settings)),
        ContainerError::Bomb { .. }
    ));
}

#[test]
fn a_window_that_is_too_large_is_named() {
    let mut encoder = zstd::stream::Encoder::new(vec![], 3).unwrap();
    encoder.window_log(24).unwrap();
    encoder.write_all(&many_games()).unwrap();
    let archive = encoder.finish().unwrap();
    let settings = ReaderSettings {
        zstd_window_log_max: 20,
        ..ReaderSettings::default()
    };
    let opened = open(Box::new(Cursor::new(archive.clone())), &settings).unwrap();
    let found = read_from(opened.reader, Start::BEGINNING, &settings);
    assert_eq!(
        fault(&found),
        &ContainerError::WindowTooLarge {
            wanted_bytes: 1 << 24,
            needed: 24,
            allowed: 20
        }
    );
    // It says what would help, and that does.
    let text = fault(&found).to_string();
    assert!(text.contains("set `zstd_window_log_max` to 24"), "{text}");
    let settings = ReaderSettings {
        zstd_window_log_max: 24,
        ..settings
    };
    let opened = open(Box::new(Cursor::new(archive)), &settings).unwrap();
    let found = read_from(opened.reader, Start::BEGINNING, &settings);
    assert_eq!((found.games.len(), found.sums.incomplete), (2_000, false));
}

/// A disk that fails is not a broken archive.
#[test]
fn errors_of_the_input_come_through() {
    struct Failing(Cursor<Vec<u8>>);
    impl Read for Failing {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let room = into.len().min(700);
            match self.0.read(&mut into[..room])? {
                0 => Err(io::Error::new(
                    io::ErrorKind::ConnectionReset,
                    "the line went dead",
                )),
                read => Ok(read),
            }
        }
    }
    let text = many_games();
    for archive in [text.clone(), gzip(&text), bzip2(&text), zstd(&text)] {
        let half = archive[..archive.len() / 2].to_vec();
        let settings = ReaderSettings::default();
        let opened = open(Box::new(Failing(Cursor::new(half))), &settings).unwrap();
        let items: Vec<_> = Games::new(opened.reader, Start::BEGINNING, &settings).collect();
        let error = items.last().unwrap().as_ref().unwrap_err();
        assert_eq!(error.source.kind(), io::ErrorKind::ConnectionReset);
        assert_eq!(error.source.to_string(), "the line went dead");
        assert!(items.iter().rev().skip(1).all(Result::is_ok));
    }
}

#[test]
fn what_is_no_game_text_is_named() {
    for (bytes, want) in [
        (
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR[Event \"x\"]".as_slice(),
            "not game text: png image",
        ),
        (
            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj",
            "not game text: pdf document",
        ),
        (
            b"PK\x03\x04\x14\0\x06\0",
            "not game text: zip archive or office document",
        ),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "not game text: jpeg image"),
        (
            b"\x01\x02\x03\x04\x05\x06binary",
            "not game text: binary data",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1[Event \"x\"]",
            "not game text: office document",
        ),
        (
            b"SQLite format 3\0\x10\0\x01\x01\0\x40",
            "not game text: sqlite database",
        ),
        (b"Scid.si\0\x01\x90\0", "not game text: scid database"),
        (b"Scid.sn\0\0\0\0\x01", "not game text: scid database"),
        (
            b"\0\0\x2c\0\x2e\x01\0\0\0\x05",
            "not game text: chessbase database",
        ),
        (b"\x7fELF\x02\x01\x01\0", "not game text: program"),
        (b"MZ\x90\0\x03\0\0\0", "not game text: program"),
        (b"ID3\x04\0\0\0\0\x10\x23", "not game text: sound"),
        (b"RIFF\x24\0\0\0WAVEfmt ", "not game text: sound or film"),
        (b"\0\0\0\x18ftypmp42", "not game text: film"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "not game text: 7z archive"),
        (b"Rar!\x1a\x07\x01\0", "not game text: rar archive"),
        (b"\xfd7zXZ\0\0\x04", "not game text: xz archive"),
        (b"BM\x36\x10\0\0\0\0\0\0\x36", "not game text: bmp image"),
        (b"GIF89a\x10\0", "not game text: gif image"),
        (b"<!DOCTYPE html><html>", "not game text: html or xml page"),
        (
            b"{\"words\":[\"e3e4\"]}",
            "not game text: json without a game",
        ),
        (
            b"{\n  \"words\": [\"e3e4\"]\n}",
            "not game text: json without a game",
        ),
        (
            b"Dear all,\nI enclose the game.\n",
            "not game text: readable text without a game",
        ),
    ] {
        let found = read_archive(bytes);
        assert_eq!(found.games.len(), 0, "{want}");
        assert_eq!(found.unreadable.len(), 1, "{want}");
        assert_eq!(found.unreadable[0].reason.to_string(), want);
        assert_eq!(found.sums.unreadable_bytes, bytes.len() as u64);
    }
}

#[test]
fn a_line_of_ten_megabytes() {
    let line = vec![b'x'; 10 << 20];
    let found = read(&line);
    assert_eq!((found.games.len(), found.unreadable.len()), (0, 1));
    let game = |name: &str| format!("[Event \"{name}\"]\n\n1. e4 e5 1-0\n\n").into_bytes();
    // Between games it costs itself only; within a game it costs that game.
    let between = [game("a"), line.clone(), b"\n".to_vec(), game("b")].concat();
    let found = read(&between);
    assert_eq!(found.games.len(), 2);
    assert_eq!(found.sums.unreadable_bytes, (10 << 20) + 1);
    let within = [
        game("a"),
        b"[Event \"c\"]\n\n1. e4 {".to_vec(),
        line,
        b"}\n".to_vec(),
        game("b"),
    ]
    .concat();
    let found = read(&within);
    assert_eq!(
        found
            .games
            .iter()
            .map(|game| game.tag("Event").unwrap())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    assert_eq!(
        found.unreadable[0].reason,
        UnreadableReason::GameTooLarge { max_bytes: 4 << 20 }
    );
}

#[test]
fn a_long_game_is_read() {
    let moves: String = (1..=10_000)
        .map(|n| format!("{n}. Ra{} Rh{}\n", 1 + n % 2, 8 - n % 2))
        .collect();
    let found = read(format!("[Event \"long\"]\n\n{moves}*\n").as_bytes());
    assert_eq!(found.games[0].moves().count(), 20_000);
    assert_eq!(found.games[0].notes, []);
}

#[test]
fn nul_bytes_are_blanks() {
    let found = read(b"\0\0[Event \"x\"]\0\n\n1. e4\0 e5\0\0 1-0\n\0\0\0");
    assert_eq!(util::moves(&found.games[0]), ["e4", "e5"]);
    assert_eq!(
        found.games[0]
            .notes
            .iter()
            .map(|note| note.kind.as_str())
            .collect::<Vec<_>>(),
        ["nul_byte"]
    );
}

#[test]
fn the_real_dump_has_three_games() {
    let found = read_archive(&data("dump.pgn.zst"));
    assert_eq!(
        found
            .games
            .iter()
            .map(|game| game.moves().count())
            .collect::<Vec<_>>(),
        [24, 20, 14]
    );
    let found = read_archive(&data("pychess_db_2026-01.pgn.bz2"));
    assert_eq!(
        found
            .games
            .iter()
            .map(|game| game.moves().count())
            .collect::<Vec<_>>(),
        [56, 48]
    );
}

#[test]
fn items_end_with_the_sums() {
    let items: Vec<_> =
        Games::new(b"".as_slice(), Start::BEGINNING, &ReaderSettings::default()).collect();
    assert!(matches!(
        items.as_slice(),
        [Ok(Item::Unreadable(_)), Ok(Item::End(_))]
    ));
}

/// Books of Polyglot have no magic number: their entries are sorted.
#[test]
fn an_opening_book_is_named() {
    let book: Vec<u8> = (1u64..200)
        .flat_map(|number| {
            let entry =
                (u128::from(number * 0x0001_2345_6789_abcd) << 64) | (796 << 48) | (7 << 32);
            entry.to_be_bytes()
        })
        .collect();
    let found = read_archive(&book);
    assert_eq!(
        found.unreadable[0].reason.to_string(),
        "not game text: polyglot opening book"
    );
    assert_eq!(found.sums.unreadable_bytes, book.len() as u64);
}

/// Where the bytes say nothing the name may.
#[test]
fn kinds_by_name() {
    let noise: Vec<u8> = (0..4_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let found = read_archive(&noise);
    let reason = found.unreadable[0].reason.clone();
    assert_eq!(reason.to_string(), "not game text: binary data");
    let named = reason.clone().for_name("archive/club.SG4");
    assert_eq!(named.to_string(), "not game text: scid database");
    assert!(named.advice().unwrap().contains("export the games as PGN"));
    assert_eq!(
        reason.clone().for_name("club.cbh").to_string(),
        "not game text: chessbase database"
    );
    assert_eq!(reason.clone().for_name("club"), reason);
    // A name says nothing about a file whose bytes do.
    let png = read_archive(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR");
    let reason = png.unreadable[0].reason.clone();
    assert_eq!(reason.clone().for_name("x.cbh"), reason);
}
