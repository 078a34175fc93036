//! Bad input: each file costs itself only, with a finding; the run ends normally.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{Place, archive, assert_same, game, job, run};
use pipeline::{Change, CommitView, RunOptions};
use store::{Folder, Store};
use tables::{ArchiveRow, FindingRow, GameRow, PlyRow};

fn rows<R: tables::Row>(place: &Place, out: &str) -> Vec<R> {
    let store: Arc<dyn Store> = Arc::new(Folder::new(place.out(out)));
    CommitView::open(store, None)
        .unwrap()
        .rows()
        .collect::<Result<_, _>>()
        .unwrap()
}

fn shuffles(plies: usize) -> String {
    let mut text = String::from("[Event \"long\"]\n[Variant \"Makruk\"]\n[Result \"1/2-1/2\"]\n\n");
    for ply in 0..plies {
        if ply % 2 == 0 {
            text.push_str(&format!("{}. ", ply / 2 + 1));
        }
        text.push_str(["Ra2 ", "Ra7 ", "Ra1 ", "Ra8 "][ply % 4]);
        if ply % 16 == 15 {
            text.push('\n');
        }
    }
    text.push_str("1/2-1/2\n\n");
    text
}

fn bad_set(place: &Place) {
    place.write("good.pgn", archive(0..4).as_bytes());
    place.write("empty.pgn", b"");
    place.write("blank.pgn", b"\n\n  \n");
    let noise: Vec<u8> = (0..50_000u32)
        .map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    place.write("binary.pgn", &noise);
    // Long enough for several blocks: what comes before the break can be read.
    let packed = zstd::encode_all(archive(4..500).as_bytes(), 3).unwrap();
    place.write("truncated.pgn.zst", &packed[..packed.len() * 9 / 10]);
    place.write("line.pgn", "x".repeat(10_000_000).as_bytes());
    place.write("long.pgn", shuffles(20_000).as_bytes());
    let mut nul = archive(40..42).into_bytes();
    nul.extend_from_slice(&[0; 100]);
    nul.extend_from_slice(
        archive(42..43)
            .replace("[Site \"nowhere\"]", "[Site \"no\0where\"]")
            .as_bytes(),
    );
    place.write("nul.pgn", &nul);
    let start = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/8/8/R6r w - - 0 1\"]\n[Result";
    place.write(
        "khunless.pgn",
        game("makruk", "Makruk", 50, 6)
            .replace("[Result", start)
            .as_bytes(),
    );
    place.write("readme.txt", b"These are games of our club.\nEnjoy!\n");
}

#[test]
fn each_bad_file_is_a_finding_and_the_rest_is_there() {
    let place = Place::new();
    bad_set(&place);
    let outcome = run(&place.job("out", &["analysis.nodes=20"]));
    assert_eq!(outcome.exit_status(), 0, "{:?}", outcome.failed);
    let findings: Vec<FindingRow> = rows(&place, "out");
    let mut codes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for finding in &findings {
        codes
            .entry(finding.archive.as_str())
            .or_default()
            .push(finding.code.as_str());
    }
    let has = |archive: &str, code: &str| {
        let found = codes.get(archive).cloned().unwrap_or_default();
        assert!(found.contains(&code), "{archive}: {found:?}");
    };
    has("empty.pgn", "empty_archive");
    has("blank.pgn", "empty_archive");
    has("truncated.pgn.zst", "truncated_input");
    has("long.pgn", "repetition_played_on");
    has("khunless.pgn", "start_position_invalid");
    has("nul.pgn", "broken_text");
    for archive in ["binary.pgn", "line.pgn", "readme.txt"] {
        assert!(
            codes.contains_key(archive),
            "{archive} has no finding: {codes:?}"
        );
    }
    let games: Vec<GameRow> = rows(&place, "out");
    let of = |archive: &str| {
        games
            .iter()
            .filter(|game| game.archive == archive)
            .collect::<Vec<_>>()
    };
    assert_eq!(of("good.pgn").len(), 4);
    assert_eq!(of("nul.pgn").len(), 3);
    assert_eq!(of("long.pgn")[0].plies, 20_000);
    assert!(!of("truncated.pgn.zst").is_empty());
    assert_eq!(of("khunless.pgn")[0].status, tables::Status::Rejected);
    let plies: Vec<PlyRow> = rows(&place, "out");
    assert_eq!(
        plies.len() as i64,
        games.iter().map(|game| i64::from(game.plies)).sum::<i64>()
    );
    for archive in rows::<ArchiveRow>(&place, "out") {
        assert_eq!(
            archive.bytes_text, archive.bytes_accounted,
            "{}",
            archive.archive
        );
        assert_eq!(
            archive.games_found,
            of(&archive.archive).len() as i64,
            "{}",
            archive.archive
        );
    }
    run(&place.job("again", &["analysis.nodes=20", "run.threads=1"]));
    assert_same(&place.out("out"), &place.out("again"));
}

#[test]
fn a_missing_file_is_a_finding_and_status_three() {
    let place = Place::with_games();
    let input = place.input().display().to_string();
    let inputs = format!("input.archives=[\"{input}\", \"{input}/gone.pgn\"]");
    let outcome = run(&place.job("out", &[&inputs]));
    assert_eq!(outcome.exit_status(), 3);
    assert!(outcome.committed);
    assert_eq!(outcome.counts.games_found, 24);
    let gone = outcome
        .archives
        .iter()
        .find(|archive| archive.archive == "gone.pgn")
        .unwrap();
    assert!(
        matches!(&gone.change, Change::Unreadable(reason) if reason.contains("does not exist")),
        "{gone:?}"
    );
    let findings: Vec<FindingRow> = rows(&place, "out");
    assert!(
        findings
            .iter()
            .any(|finding| finding.code.as_str() == "archive_unreadable"
                && finding.archive == "gone.pgn")
    );
}

#[test]
fn an_input_of_nothing_is_an_error_and_keeps_what_is_there() {
    let place = Place::with_games();
    run(&place.job("out", &[]));
    let empty = job(
        &place
            .dir
            .path()
            .join("out/_nabsak/none")
            .display()
            .to_string(),
        &place.out("out").display().to_string(),
        &[],
    );
    // A path that is not there is an archive that cannot be read; an empty folder is no archive at all.
    std::fs::create_dir(place.dir.path().join("empty")).unwrap();
    let nothing = job(
        &place.dir.path().join("empty").display().to_string(),
        &place.out("out").display().to_string(),
        &[],
    );
    let error = pipeline::run(&nothing, &RunOptions::default()).unwrap_err();
    assert_eq!(error.exit_status(), 3);
    assert!(error.to_string().contains("no archive found"), "{error}");
    assert_eq!(rows::<GameRow>(&place, "out").len(), 24);
    drop(empty);
}

#[test]
fn two_archives_of_one_name_are_an_error() {
    let place = Place::new();
    place.write("x/a.pgn", archive(0..1).as_bytes());
    place.write("y/a.pgn", archive(1..2).as_bytes());
    let input = place.input().display().to_string();
    let error = pipeline::run(
        &place.job(
            "out",
            &[&format!("input.archives=[\"{input}/x\", \"{input}/y\"]")],
        ),
        &RunOptions::default(),
    )
    .unwrap_err();
    assert_eq!(error.exit_status(), 2);
    assert!(
        error
            .to_string()
            .contains("two archives are called 'a.pgn'"),
        "{error}"
    );
    // Globs, and the same file named twice.
    let inputs = format!("input.archives=[\"{input}/*/a.pgn\", \"{input}\"]");
    let outcome = run(&place.job("out", &[&inputs]));
    assert_eq!(outcome.counts.archives, 2);
}

#[test]
fn include_and_exclude_choose() {
    let place = Place::with_games();
    place.write("notes.txt", b"nothing");
    place.write(".hidden.pgn", archive(90..91).as_bytes());
    let names = |overrides: &[&str], out: &str| {
        run(&place.job(out, overrides))
            .archives
            .into_iter()
            .map(|archive| archive.archive)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(
            &["input.include=[\"**/*.pgn\"]", "analysis.engine=none"],
            "one"
        ),
        ["a.pgn", "sub/c.pgn"]
    );
    assert_eq!(
        names(
            &[
                "input.exclude=[\"sub/**\", \"*.txt\"]",
                "analysis.engine=none"
            ],
            "two"
        ),
        ["a.pgn", "b.pgn.zst"]
    );
}
