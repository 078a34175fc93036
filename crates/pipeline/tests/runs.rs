//! Whole runs over a folder: the same bytes whatever happens on the way.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::fs;

use common::{Place, archive, assert_same, done, files, run, tables};
use pipeline::{Change, CommitView, RunOptions, Stage};
use store::{Folder, Store};
use tables::{ArchiveRow, EvaluationRow, GameRow, PlyRow};

fn view(place: &Place, out: &str) -> CommitView {
    let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(Folder::new(place.out(out)));
    CommitView::open(store, None).unwrap()
}

#[test]
fn a_run_fills_every_table() {
    let place = Place::with_games();
    let outcome = run(&place.job("out", &[]));
    assert_eq!(outcome.exit_status(), 0, "{outcome:?}");
    assert_eq!(
        (
            outcome.counts.archives,
            outcome.counts.games_found,
            outcome.counts.games_accepted
        ),
        (3, 24, 24)
    );
    assert!(
        outcome
            .archives
            .iter()
            .all(|archive| archive.change == Change::New)
    );
    assert_eq!(outcome.coverage.plies_done, outcome.coverage.plies_wanted);
    assert_eq!(outcome.coverage.games_done, 24);

    let view = view(&place, "out");
    let games: Vec<GameRow> = view.rows().collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 24);
    assert!(
        games
            .iter()
            .all(|game| game.analysis == tables::AnalysisState::Done)
    );
    let plies: Vec<PlyRow> = view.rows().collect::<Result<_, _>>().unwrap();
    let evaluations: Vec<EvaluationRow> = view.rows().collect::<Result<_, _>>().unwrap();
    assert_eq!(plies.len(), evaluations.len());
    let archives: Vec<ArchiveRow> = view.rows().collect::<Result<_, _>>().unwrap();
    assert!(
        archives
            .iter()
            .all(|a| a.games_found == a.games_accepted + a.games_rejected + a.games_set_aside)
    );
    assert_eq!(archives[0].bytes_text, archives[0].bytes);
    assert_eq!(view.runs().unwrap().len(), 1);

    // Each table's folder holds exactly the parts of the commit.
    let named: Vec<String> = view
        .commit()
        .tables
        .values()
        .flatten()
        .map(|part| part.path.clone())
        .collect();
    let mut there: Vec<String> = tables::Table::ALL
        .iter()
        .flat_map(|table| files(&place.out("out"), table.name()))
        .collect();
    let mut named = named;
    named.sort();
    there.sort();
    assert_eq!(named, there);
    assert!(files(&place.out("out"), "_nabsak/attempts").is_empty());
    let views = fs::read_to_string(place.out("out").join("views.sql")).unwrap();
    assert!(named.iter().all(|path| views.contains(path)));
}

#[test]
fn a_second_run_does_nothing() {
    let place = Place::with_games();
    let first = run(&place.job("out", &[]));
    let before = tables(&place.out("out"));
    let second = run(&place.job("out", &[]));
    assert_eq!(done(&second), 0, "{:?}", second.stages);
    assert!(!second.committed && second.commit == first.commit);
    assert!(
        second
            .archives
            .iter()
            .all(|archive| archive.change == Change::Unchanged)
    );
    assert_eq!(before, tables(&place.out("out")));
}

#[test]
fn two_outputs_and_any_number_of_threads_give_the_same_bytes() {
    let place = Place::with_games();
    run(&place.job("one", &["run.threads=1"]));
    run(&place.job("four", &["run.threads=4"]));
    run(&place.job("again", &["run.threads=4"]));
    assert_same(&place.out("one"), &place.out("four"));
    assert_same(&place.out("one"), &place.out("again"));
}

#[test]
fn small_chunks_hold_the_same_rows() {
    let place = Place::new();
    // One megabyte is the smallest chunk.
    let text = archive(0..120);
    let copies = 2_600_000 / text.len() + 1;
    place.write("long.pgn", text.repeat(copies).as_bytes());
    run(&place.job("whole", &["analysis.engine=none"]));
    let outcome = run(&place.job("cut", &["analysis.engine=none", "run.chunk_mb=1"]));
    assert!(
        outcome.stages[&Stage::Replay].planned >= 3,
        "{:?}",
        outcome.stages
    );
    let rows =
        |out: &str| -> Vec<GameRow> { view(&place, out).rows().collect::<Result<_, _>>().unwrap() };
    assert!(rows("whole") == rows("cut"));
    let plies =
        |out: &str| -> Vec<PlyRow> { view(&place, out).rows().collect::<Result<_, _>>().unwrap() };
    assert!(plies("whole") == plies("cut"));
    // Repeated records count once.
    let openings = |out: &str| -> Vec<tables::OpeningRow> {
        view(&place, out).rows().collect::<Result<_, _>>().unwrap()
    };
    let first = openings("cut");
    assert!(first == openings("whole"));
    let started: i64 = first
        .iter()
        .filter(|row| row.ply == 1 && row.variant == "makruk")
        .map(|row| row.n)
        .sum();
    assert_eq!(started, 90);
}

#[test]
fn a_grown_archive_costs_only_its_new_games() {
    let place = Place::new();
    place.write("a.pgn", archive(0..40).as_bytes());
    place.write("b.pgn", archive(40..44).as_bytes());
    // One search chunk a few games long.
    let sets = ["analysis.nodes=4000"];
    let first = run(&place.job("out", &sets));
    assert!(first.stages[&Stage::Search].done > 5, "{:?}", first.stages);
    place.write("a.pgn", archive(0..41).as_bytes());
    let second = run(&place.job("out", &sets));
    assert!(second.committed);
    assert_eq!(second.stages[&Stage::Replay].done, 1);
    // The last search chunk of before is cut anew, and perhaps one more begins.
    assert!(
        second.stages[&Stage::Search].done <= 2,
        "{:?}",
        second.stages
    );
    assert_eq!(second.counts.games_found, 45);
    // The same as if it had been so from the start.
    run(&place.job("fresh", &sets));
    assert_same(&place.out("out"), &place.out("fresh"));
}

#[test]
fn added_changed_and_removed_archives_change_the_tables_exactly_there() {
    let place = Place::with_games();
    run(&place.job("out", &[]));
    place.write("a.pgn", archive(100..104).as_bytes());
    place.write("new.pgn", archive(50..52).as_bytes());
    fs::remove_file(place.input().join("sub/c.pgn")).unwrap();
    let outcome = run(&place.job("out", &[]));
    let change = |name: &str| {
        outcome
            .archives
            .iter()
            .find(|a| a.archive == name)
            .unwrap()
            .change
            .clone()
    };
    assert_eq!(change("a.pgn"), Change::Changed);
    assert_eq!(change("b.pgn.zst"), Change::Unchanged);
    assert_eq!(change("new.pgn"), Change::New);
    assert_eq!(change("sub/c.pgn"), Change::Removed);
    run(&place.job("fresh", &[]));
    assert_same(&place.out("out"), &place.out("fresh"));
}

#[test]
fn another_engine_setting_redoes_analysis_and_nothing_before_it() {
    let place = Place::with_games();
    run(&place.job("out", &[]));
    let outcome = run(&place.job("out", &["analysis.nodes=90"]));
    assert_eq!(
        outcome.stages[&Stage::Replay].done,
        0,
        "{:?}",
        outcome.stages
    );
    assert!(outcome.stages[&Stage::Search].done > 0);
    run(&place.job("fresh", &["analysis.nodes=90"]));
    assert_same(&place.out("out"), &place.out("fresh"));
    // And back, and without: nothing of it is left over.
    run(&place.job("out", &["analysis.engine=none"]));
    run(&place.job("none", &["analysis.engine=none"]));
    assert_same(&place.out("out"), &place.out("none"));
}

#[test]
fn kept_parts_stay_for_their_hours() {
    let place = Place::with_games();
    run(&place.job("out", &["output.keep_hours=1"]));
    let before = view(&place, "out");
    place.write("a.pgn", archive(100..104).as_bytes());
    run(&place.job("out", &["output.keep_hours=1"]));
    // A reader of the earlier commit still finds everything.
    let games: Vec<GameRow> = before.rows().collect::<Result<_, _>>().unwrap();
    assert_eq!(games.len(), 24);
    // Once the hours are over, only the current parts are left.
    run(&place.job("out", &[]));
    run(&place.job("fresh", &[]));
    assert_same(&place.out("out"), &place.out("fresh"));
}

#[test]
fn a_folder_belongs_to_one_job_name() {
    let place = Place::with_games();
    run(&place.job("out", &[]));
    let error = pipeline::run(
        &place.job("out", &["name=other"]),
        &pipeline::RunOptions::default(),
    )
    .unwrap_err();
    assert_eq!(error.exit_status(), 2);
    assert!(
        error.to_string().contains("belongs to the job 'test'"),
        "{error}"
    );
}

#[test]
fn a_dry_run_touches_nothing() {
    let place = Place::with_games();
    let options = RunOptions {
        dry_run: true,
        ..RunOptions::default()
    };
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert_eq!(outcome.stages[&Stage::Index].left, 3);
    assert!(!place.out("out").exists());
    run(&place.job("out", &[]));
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert!(
        outcome.stages.values().all(|tally| tally.left == 0),
        "{:?}",
        outcome.stages
    );
}

#[test]
fn findings_only_analyses_marked_games() {
    let place = Place::new();
    let mut text = archive(0..3);
    text.push_str(&archive(3..4).replace("\n\n1. ", "\n\n1. Ra8 "));
    text.push_str(
        &archive(4..5)
            .replace("[Result \"1-0\"]", "[Result \"0-1\"]")
            .replace("[Result \"1/2-1/2\"]", "[Result \"0-1\"]"),
    );
    place.write("a.pgn", text.as_bytes());
    let outcome = run(&place.job("out", &["analysis.games=findings"]));
    assert!(outcome.coverage.games_done < 4, "{:?}", outcome.coverage);
    let games: Vec<GameRow> = view(&place, "out")
        .rows()
        .collect::<Result<_, _>>()
        .unwrap();
    assert!(
        games
            .iter()
            .any(|game| game.analysis == tables::AnalysisState::None)
    );
}

#[test]
fn metrics_are_written() {
    let place = Place::with_games();
    let path = place.out("metrics.prom");
    let set = format!("run.metrics={}", path.display());
    let dry = RunOptions {
        dry_run: true,
        ..RunOptions::default()
    };
    pipeline::run(&place.job("out", &[&set]), &dry).unwrap();
    assert!(!path.exists());
    let nothing = place.job("out", &[&set, "input.include=[\"*.none\"]"]);
    let error = pipeline::run(&nothing, &RunOptions::default()).unwrap_err();
    assert_eq!(error.exit_status(), 3);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("nabsak_exit_status{job_name=\"test\"} 3"),
        "{text}"
    );
    run(&place.job("out", &[&format!("run.metrics={}", path.display())]));
    let text = fs::read_to_string(path).unwrap();
    assert!(
        text.contains("nabsak_games{job_name=\"test\",status=\"accepted\"} 24"),
        "{text}"
    );
    assert!(
        text.contains("nabsak_exit_status{job_name=\"test\"} 0"),
        "{text}"
    );
}

#[test]
fn a_uci_engine_takes_the_built_in_ones_place() {
    let place = Place::new();
    place.write(
        "makruk.pgn",
        (0..3)
            .map(|seed| common::game("makruk", "Makruk", seed, 20))
            .collect::<String>()
            .as_bytes(),
    );
    place.write(
        "ouk.pgn",
        common::game("ouk", "Cambodian", 9, 20).as_bytes(),
    );
    let program = engine::fairy_stockfish();
    let engine = format!("analysis.engine=uci:{}", program.display());
    let outcome = run(&place.job("out", &[&engine, "analysis.nodes=300"]));
    assert_eq!(outcome.coverage.games_done, 3, "{outcome:?}");
    // Debian's has old ouk rules: it is not asked, and the games say so.
    assert_eq!(outcome.coverage.games_failed, 1);
    run(&place.job("again", &[&engine, "analysis.nodes=300", "run.threads=1"]));
    assert_same(&place.out("out"), &place.out("again"));
    let wrong = place.job("wrong", &["analysis.engine=uci:/nowhere/engine"]);
    let error = pipeline::run(&wrong, &pipeline::RunOptions::default()).unwrap_err();
    assert_eq!(error.exit_status(), 5);
    assert!(error.to_string().contains("/nowhere/engine"), "{error}");
}
