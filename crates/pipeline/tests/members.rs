//! Zips and tars in a folder: each file a member, each game found once, the same for any cutting and number of threads.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::Arc;

use common::{Place, archive, assert_same, run};
use pipeline::CommitView;
use store::{Folder, Store};
use tables::{ArchiveRow, FindingRow, GameRow};

fn rows<R: tables::Row>(place: &Place, out: &str) -> Vec<R> {
    let store: Arc<dyn Store> = Arc::new(Folder::new(place.out(out)));
    CommitView::open(store, None)
        .unwrap()
        .rows()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, bytes) in files {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// The tar crate writes no names that lead out of a folder, so names are put in as they are.
fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        builder.append(&header, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

/// Games 0 to 29 in a zip, 30 to 59 in a tar, 60 to 89 in a tar.zst of many frames, 90 to 99 in one file.
fn packed_set(place: &Place) {
    let text = |seeds: std::ops::Range<u64>| archive(seeds).into_bytes();
    place.write(
        "club.zip",
        &zip_of(&[
            ("2026/z.pgn", &text(0..10)),
            ("2026/a.pgn", &text(10..29)),
            ("readme.txt", b"Games of the club.\n"),
            ("b.pgn.zst", &zstd(&text(29..30))),
        ]),
    );
    place.write(
        "club.tar",
        &tar_of(&[("t.pgn", &text(30..45)), ("s.pgn", &text(45..60))]),
    );
    let tar = tar_of(&[("../../x.pgn.txt", &text(60..61)), ("w.pgn", &text(61..90))]);
    let frames: Vec<u8> = tar.chunks(4_000).flat_map(zstd).collect();
    place.write("many.tar.zst", &frames);
    place.write("plain.pgn", &text(90..100));
    place.write(
        "letter.docx",
        &zip_of(&[
            ("[Content_Types].xml", b"<x/>"),
            ("word/document.xml", b"<x/>"),
        ]),
    );
    place.write("club.cbh", &[7u8, 200, 3, 1, 2, 250, 9, 3].repeat(200));
}

#[test]
fn each_file_is_a_member() {
    let place = Place::new();
    packed_set(&place);
    let outcome = run(&place.job("out", &["analysis.nodes=20"]));
    assert_eq!(outcome.exit_status(), 0, "{:?}", outcome.failed);
    assert_eq!(outcome.counts.games_found, 100);
    assert_eq!(outcome.counts.archives, 6);
    let mut members: BTreeMap<(String, String), usize> = BTreeMap::new();
    for game in rows::<GameRow>(&place, "out") {
        let member = game.member.unwrap_or("-".to_owned());
        *members.entry((game.archive, member)).or_default() += 1;
    }
    let found: Vec<(&str, &str, usize)> = members
        .iter()
        .map(|((archive, member), games)| (archive.as_str(), member.as_str(), *games))
        .collect();
    assert_eq!(
        found,
        [
            ("club.tar", "s.pgn", 15),
            ("club.tar", "t.pgn", 15),
            ("club.zip", "2026/a.pgn", 19),
            ("club.zip", "2026/z.pgn", 10),
            ("club.zip", "b.pgn.zst", 1),
            ("many.tar.zst", "w.pgn", 29),
            ("many.tar.zst", "x.pgn.txt", 1),
            ("plain.pgn", "-", 10),
        ]
    );
    let archives: Vec<(String, &str, i32, i64)> = rows::<ArchiveRow>(&place, "out")
        .into_iter()
        .map(|row| {
            assert_eq!(row.bytes_text, row.bytes_accounted, "{}", row.archive);
            (
                row.archive,
                row.container.as_str(),
                row.members,
                row.games_found,
            )
        })
        .collect();
    let archives: Vec<(&str, &str, i32, i64)> = archives
        .iter()
        .map(|(archive, container, members, games)| {
            (archive.as_str(), *container, *members, *games)
        })
        .collect();
    assert_eq!(
        archives,
        [
            ("club.cbh", "plain", 1, 0),
            ("club.tar", "tar", 2, 30),
            ("club.zip", "zip", 4, 30),
            ("letter.docx", "zip", 0, 0),
            ("many.tar.zst", "tar", 2, 30),
            ("plain.pgn", "plain", 1, 10),
        ]
    );
    let of_archives: Vec<(String, Option<String>, String)> = rows::<FindingRow>(&place, "out")
        .into_iter()
        .filter(|row| row.game_id.is_none())
        .map(|row| {
            (
                row.archive,
                row.member,
                format!("{}: {}", row.code, row.message),
            )
        })
        .collect();
    let said = |archive: &str, member: Option<&str>| {
        let of = of_archives
            .iter()
            .find(|row| row.0 == archive && row.1.as_deref() == member);
        of.map_or("", |row| row.2.as_str())
    };
    assert!(
        said("club.cbh", None)
            .contains("not_game_text: not game text: chessbase database; open it in ChessBase"),
        "{of_archives:?}"
    );
    assert!(said("letter.docx", None).contains("not game text: word document"));
    assert!(said("club.zip", Some("readme.txt")).starts_with("not_game_text"));
    assert!(
        said("many.tar.zst", Some("x.pgn.txt")).contains("the name is written ../../x.pgn.txt")
    );
    assert_eq!(of_archives.len(), 4, "{of_archives:?}");
}

/// The smallest chunks there are: the files are spread over many, and large files over several.
#[test]
fn the_same_games_however_they_are_cut() {
    let place = Place::new();
    packed_set(&place);
    let text = archive(0..1_500).into_bytes();
    assert!(text.len() > 600_000);
    let (one, two) = (text.repeat(3), text.repeat(2));
    let files: [(&str, &[u8]); 3] = [("one.pgn", &one), ("text.pgn", &text), ("two.pgn", &two)];
    place.write("large.zip", &zip_of(&files));
    place.write("large.tar", &tar_of(&files));
    place.write("single.tar.gz", &zstd(&tar_of(&files)));
    let frames = |bytes: &[u8]| bytes.chunks(200_000).flat_map(zstd).collect::<Vec<u8>>();
    place.write("frames.tar.zst", &frames(&tar_of(&files)));
    place.write("frames.pgn.zst", &frames(&one));
    run(&place.job("one", &["analysis.engine=none"]));
    let small = ["analysis.engine=none", "run.chunk_mb=1"];
    let outcome = run(&place.job("small", &small));
    let chunks = outcome.stages[&pipeline::Stage::Replay].planned;
    // Six small archives, and of 3.7 MB each: a zip of 3 files that are not cut (3), a tar that is (4 or more), one
    // stream (1) and two of frames (3 or more and 2 or more).
    assert!((19..=26).contains(&chunks), "{chunks} chunks");
    let ids = |out: &str| {
        let mut ids: Vec<(String, Option<String>, i64, String)> = rows::<GameRow>(&place, out)
            .into_iter()
            .map(|game| {
                (
                    game.archive,
                    game.member,
                    game.byte_offset,
                    game.game_id.to_string(),
                )
            })
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids("one").len(), 100 + 4 * 6 * 1_500 + 3 * 1_500);
    assert_eq!(ids("one"), ids("small"));
    run(&place.job(
        "threads",
        &["analysis.engine=none", "run.chunk_mb=1", "run.threads=1"],
    ));
    assert_same(&place.out("small"), &place.out("threads"));
    // Nothing is done twice.
    let again = run(&place.job("small", &small));
    assert_eq!(again.stages[&pipeline::Stage::Replay].done, 0);
}

#[test]
fn broken_containers_keep_what_is_whole() {
    let place = Place::new();
    let text = archive(0..40).into_bytes();
    let zip = zip_of(&[("a.pgn", &text), ("b.pgn", &text)]);
    place.write("cut.zip", &zip[..zip.len() * 3 / 4]);
    let tar = tar_of(&[("a.pgn", &text), ("b.pgn", &text)]);
    place.write(
        "cut.tar.zst",
        &tar.chunks(3_000).flat_map(zstd).collect::<Vec<u8>>()[..6_000],
    );
    place.write("cut.tar", &tar[..tar.len() * 3 / 4]);
    let outcome = run(&place.job("out", &["analysis.engine=none"]));
    assert_eq!(outcome.exit_status(), 0);
    let codes: BTreeMap<String, Vec<String>> = rows::<FindingRow>(&place, "out")
        .into_iter()
        .filter(|row| row.game_id.is_none())
        .fold(
            BTreeMap::new(),
            |mut codes: BTreeMap<String, Vec<String>>, row| {
                codes
                    .entry(row.archive)
                    .or_default()
                    .push(row.code.to_string());
                codes
            },
        );
    for archive in ["cut.zip", "cut.tar.zst", "cut.tar"] {
        let truncated = codes[archive]
            .iter()
            .filter(|code| *code == "truncated_input");
        assert_eq!(truncated.count(), 1, "{codes:?}");
    }
    let games = |name: &str| {
        rows::<GameRow>(&place, "out")
            .iter()
            .filter(|game| game.archive == name)
            .count()
    };
    assert!((40..80).contains(&games("cut.zip")));
    assert!((40..80).contains(&games("cut.tar")));
    assert!((1..80).contains(&games("cut.tar.zst")));
}
