//! The demo job, as the README runs it: what it must find, that it says what it did, and that a second run has nothing to do.

mod common;

use std::collections::BTreeMap;
use std::fs;

use bytes::Bytes;
use common::{nabsak, root, run_to, same_tables};
use tables::{FindingRow, GameRow, read_all};

#[test]
fn the_demo_finds_what_was_planted_and_runs_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("demo");
    let set = format!("output.dir={}", out.display());
    let run = |extra: &[&str]| {
        let job = root().join("jobs/demo.toml");
        run_to(
            0,
            nabsak()
                .current_dir(root())
                .arg("run")
                .arg(job)
                .args(["--set", &set])
                .args(extra),
        )
    };
    let (summary, _) = run(&["--set", "analysis.nodes=200"]);
    assert!(summary.contains("Report:"), "{summary}");
    assert!(out.join("report.html").is_file());
    assert!(out.join("views.sql").is_file());
    planted(&out);

    let first = common::tables(&out);
    let (summary, _) = run(&["--set", "analysis.nodes=200"]);
    assert!(
        summary.contains("nothing new") && summary.contains(" 0 chunks done"),
        "{summary}"
    );
    same_tables(&first, &common::tables(&out));

    let other = dir.path().join("one-thread");
    let job = root().join("jobs/demo.toml");
    let set = format!("output.dir={}", other.display());
    run_to(
        0,
        nabsak().current_dir(root()).arg("run").arg(job).args([
            "--set",
            &set,
            "--set",
            "analysis.nodes=200",
            "--set",
            "run.threads=1",
        ]),
    );
    same_tables(&first, &common::tables(&other));
}

/// Every finding that `demo/EXPECTED.tsv` names is there.
fn planted(out: &std::path::Path) {
    let games: Vec<GameRow> = rows(out, "games");
    let findings: Vec<FindingRow> = rows(out, "findings");
    let place: BTreeMap<_, _> = games
        .iter()
        .map(|game| (game.game_id, (game.archive.clone(), game.ordinal)))
        .collect();
    let expected = fs::read_to_string(root().join("demo/EXPECTED.tsv")).expect("the list is there");
    let mut checked = 0;
    for row in expected
        .lines()
        .skip(1)
        .filter(|row| !row.trim().is_empty())
    {
        let mut cells = row.split('\t');
        let (archive, game, code) = (cells.next(), cells.next(), cells.next());
        let (Some(archive), Some(game), Some(code)) = (archive, game, code) else {
            panic!("demo/EXPECTED.tsv: {row:?} has fewer than three columns");
        };
        let game: i32 = game.parse().expect("a game's number");
        let found = findings.iter().any(|finding| {
            let at = finding.game_id.and_then(|id| place.get(&id));
            finding.code.as_str() == code && at == Some(&(archive.to_owned(), game))
        });
        assert!(found, "{archive}, game {game}: no {code}");
        checked += 1;
    }
    assert!(checked >= 12, "only {checked} planted defects are listed");
}

fn rows<R: tables::Row>(out: &std::path::Path, table: &str) -> Vec<R> {
    let folder = fs::read_dir(out.join(table)).expect("the table's folder is there");
    folder
        .flatten()
        .flat_map(|part| {
            let bytes = fs::read(part.path()).expect("the part is read");
            read_all::<R>(Bytes::from(bytes)).expect("the part holds rows")
        })
        .collect()
}
