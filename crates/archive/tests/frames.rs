//! Packed archives of several members or frames: cut where a reading can begin, and read from there.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::io::Write;

use archive::{Container, ReaderSettings, Survey};
use util::{Found, Seeded, members, read, survey_of};

/// About three megabytes of games.
fn text() -> Vec<u8> {
    let (mut random, mut text) = (Seeded(11), vec![]);
    for i in 0..6_000 {
        let moves: String = (1..30)
            .map(|n| format!("{n}. e{} Nd{} ", random.below(8), random.below(8)))
            .collect();
        text.extend(format!("[Event \"{i}\"]\n[Result \"1-0\"]\n\n{moves}1-0\n\n").bytes());
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
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

/// The text in pieces of some length, each packed by itself; games go across the borders.
fn pieces(text: &[u8], bytes: usize, pack: fn(&[u8]) -> Vec<u8>) -> Vec<u8> {
    text.chunks(bytes).flat_map(pack).collect()
}

fn one(found: Vec<util::Member>) -> Found {
    let mut found = found;
    assert_eq!(found.len(), 1);
    found.remove(0).found
}

const TARGET_BYTES: u64 = 400_000;

fn check(archive: &[u8], whole: &Found, container: Container) -> Survey {
    let settings = ReaderSettings::default();
    let (kind, found) = members(archive, TARGET_BYTES, &settings);
    assert_eq!(kind, container);
    assert_eq!(one(found), *whole);
    survey_of(archive, TARGET_BYTES, &settings)
}

#[test]
fn frames_are_entered_where_they_begin() {
    let text = text();
    let whole = read(&text);
    let seek_table = b"\x5e\x2a\x4d\x18\x04\0\0\0abcd".to_vec();
    for (archive, container) in [
        (pieces(&text, 300_000, zstd), Container::Zstd),
        // pzstd and the seekable format: skippable frames between and at the end.
        (
            [seek_table.clone(), pieces(&text, 300_000, zstd), seek_table].concat(),
            Container::Zstd,
        ),
        (pieces(&text, 300_000, gzip), Container::Gzip),
        // bgzip: members of 64 KB, and an empty one at the end.
        (
            [pieces(&text, 65_280, gzip), gzip(b"")].concat(),
            Container::Gzip,
        ),
        (pieces(&text, 300_000, bzip2), Container::Bzip2),
    ] {
        let survey = check(&archive, &whole, container);
        let routes: Vec<_> = survey
            .segments
            .iter()
            .map(|s| s.route.clone().unwrap())
            .collect();
        // 3 MB by 400 KB, cut only where a reading can begin nearby.
        assert!((3..=8).contains(&routes.len()), "{} ranges", routes.len());
        for (number, route) in routes.iter().enumerate() {
            assert!(route.detour() <= TARGET_BYTES / 4, "{route}");
            // A skippable frame in front is 12 bytes.
            assert_eq!(route.from() > 12, number > 0, "{route}");
        }
    }
}

#[test]
fn a_single_frame_is_not_cut() {
    let text = text();
    let whole = read(&text);
    for (archive, container) in [
        (zstd(&text), Container::Zstd),
        (gzip(&text), Container::Gzip),
        (bzip2(&text), Container::Bzip2),
        // Packed twice: the inner borders help nobody.
        (gzip(&pieces(&text, 300_000, zstd)), Container::Gzip),
    ] {
        assert_eq!(check(&archive, &whole, container).segments.len(), 1);
    }
    // What is not packed is cut anywhere.
    let survey = check(&text, &whole, Container::Plain);
    assert!(survey.segments.len() >= 6);
    assert!(
        survey
            .segments
            .iter()
            .all(|s| s.route.as_ref().unwrap().is_plain())
    );
}

#[test]
fn a_broken_frame_ends_the_last_range() {
    let text = text();
    let whole = read(&text);
    let archive = pieces(&text, 300_000, zstd);
    let settings = ReaderSettings::default();
    for cut in [archive.len() - 7, archive.len() / 2, archive.len() / 3] {
        let found = one(members(&archive[..cut], TARGET_BYTES, &settings).1);
        let count = found.games.len();
        assert!(count > 1_000);
        assert_eq!(found.games, whole.games[..count]);
        assert!(found.sums.incomplete);
        let survey = survey_of(&archive[..cut], TARGET_BYTES, &settings);
        let broken: Vec<bool> = survey.segments.iter().map(|s| s.broken).collect();
        assert_eq!(broken.iter().filter(|b| **b).count(), 1);
        assert_eq!(broken.last(), Some(&true));
    }
    // A limit that comes in the middle comes at the same byte for whoever reads.
    let small = ReaderSettings {
        max_decompressed_bytes: 2_000_001,
        ..ReaderSettings::default()
    };
    let found = one(members(&archive, TARGET_BYTES, &small).1);
    assert_eq!(found.sums.total_bytes(), 2_000_001);
}

#[test]
fn large_files_in_containers_are_cut_too() {
    let text = text();
    let small = b"[Event \"x\"]\n\n1. e4 1-0\n".to_vec();
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in [("a.pgn", &text), ("b.pgn", &small), ("c.pgn", &text)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        builder
            .append_data(&mut header, name, bytes.as_slice())
            .unwrap();
    }
    let tar = builder.into_inner().unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let stored =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in [
        ("a.pgn", &text),
        ("b.pgn", &small),
        ("c.pgn", &pieces(&text, 300_000, zstd)),
    ] {
        zip.start_file(name, stored).unwrap();
        zip.write_all(bytes).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    let whole = read(&text);
    for (archive, kind) in [
        (zip, "zip"),
        (tar.clone(), "tar"),
        (pieces(&tar, 300_000, zstd), "tar.zst of frames"),
        (pieces(&tar, 300_000, gzip), "tar.gz of members"),
    ] {
        let settings = ReaderSettings::default();
        let (_, found) = members(&archive, TARGET_BYTES, &settings);
        assert_eq!(found.len(), 3, "{kind}");
        for number in [0, 2] {
            assert_eq!(found[number].found, whole, "{kind}");
        }
        let survey = survey_of(&archive, TARGET_BYTES, &settings);
        assert!(
            survey.segments.len() >= 8,
            "{kind}: {}",
            survey.segments.len()
        );
        for segment in &survey.segments {
            assert!(
                segment.route.as_ref().unwrap().detour() <= 300_000,
                "{kind}"
            );
        }
    }
    // One stream around all: the large files are not cut.
    let survey = survey_of(&gzip(&tar), TARGET_BYTES, &ReaderSettings::default());
    assert_eq!(survey.segments.len(), 3);
}
