//! Many nights, a few games each: what is there afterwards is what one run would have made, in as few objects.
//!
//! `tools/nights` runs the same for a year of 100 games a night and prints what it measured.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use common::{Place, archive, assert_same, done, files, run, tables};
use pipeline::{CommitView, Job, RunOptions, Stage};
use store::{Folder, Store};
use tables::{FindingRow, GameRow, PlyRow, Table};

/// Search is off: what is looked at is what grows from night to night. Random games share no opening beyond a few plies.
const SETS: [&str; 2] = ["analysis.engine=none", "statistics.opening_plies=6"];

/// Games of players who play one game each: no two are a pair for the search for duplicates.
fn strangers(seeds: std::ops::Range<u64>) -> String {
    let name = |seed: u64| format!("\"no {seed}, ");
    seeds
        .map(|seed| archive(seed..seed + 1).replace("\"player ", &name(seed)))
        .collect()
}

fn setting(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.map_or(usual, |text| text.parse().unwrap())
}

fn view(place: &Place, out: &str) -> CommitView {
    let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(Folder::new(place.out(out)));
    CommitView::open(store, None).unwrap()
}

/// Objects of each table.
fn objects(place: &Place, out: &str) -> BTreeMap<&'static str, usize> {
    let count = |table: Table| (table.name(), files(&place.out(out), table.name()).len());
    Table::ALL.into_iter().map(count).collect()
}

/// The time it takes to read the games, their plies and findings: the best of three.
fn reading(place: &Place, out: &str) -> (usize, Duration) {
    let read = || {
        let begun = Instant::now();
        let view = view(place, out);
        let games = view.rows::<GameRow>().map(Result::unwrap).count();
        let plies = view.rows::<PlyRow>().map(Result::unwrap).count();
        let findings = view.rows::<FindingRow>().map(Result::unwrap).count();
        (games + plies + findings, begun.elapsed())
    };
    (0..3)
        .map(|_| read())
        .min_by_key(|(_, took)| *took)
        .unwrap()
}

struct Nights {
    place: Place,
    games: u64,
    written: BTreeMap<String, std::ops::Range<u64>>,
}

impl Nights {
    fn job(&self, out: &str) -> Job {
        self.place.job(out, &SETS)
    }

    fn put(&mut self, name: &str, seeds: std::ops::Range<u64>) {
        self.place.write(name, strangers(seeds.clone()).as_bytes());
        self.written.insert(name.to_owned(), seeds);
    }

    /// What is new tonight.
    fn night(&mut self, night: u64) -> String {
        let name = format!("2026/night-{night:03}.pgn");
        let first = night * self.games;
        self.put(&name, first..first + self.games);
        name
    }

    fn total(&self) -> u64 {
        self.written
            .values()
            .map(|seeds| seeds.end - seeds.start)
            .sum()
    }
}

#[test]
fn many_nights_are_one_run() {
    let count = setting("NABSAK_NIGHTS", 30);
    let mut nights = Nights {
        place: Place::new(),
        games: setting("NABSAK_GAMES", 8),
        written: BTreeMap::new(),
    };
    let mut took = Vec::new();
    let mut paces = BTreeMap::new();
    for night in 0..count {
        nights.night(night);
        let begun = Instant::now();
        let outcome = run(&nights.job("nights"));
        took.push(begun.elapsed());
        assert_eq!(outcome.exit_status(), 0, "{outcome:?}");
        assert_eq!(
            outcome.stages[&Stage::Replay].done,
            1,
            "only tonight's games"
        );
        assert_eq!(outcome.counts.games_found, nights.total());
        assert_eq!(outcome.counts.rows["games"], nights.total());
        paces = outcome.paces;
    }
    let nothing = Instant::now();
    assert_eq!(done(&run(&nights.job("nights"))), 0);
    let nothing = nothing.elapsed();

    let once = Instant::now();
    run(&nights.job("once"));
    let once = once.elapsed();
    assert_same(&nights.place.out("nights"), &nights.place.out("once"));
    let (many, one) = (
        objects(&nights.place, "nights"),
        objects(&nights.place, "once"),
    );
    assert_eq!(many, one);
    let (rows, many_took) = reading(&nights.place, "nights");
    let (same_rows, one_took) = reading(&nights.place, "once");
    assert_eq!(rows, same_rows);

    // The same games in one archive: as few objects as there can be.
    let whole = Place::new();
    let texts: Vec<String> = nights.written.values().cloned().map(strangers).collect();
    whole.write("whole.pgn", texts.concat().as_bytes());
    run(&whole.job("whole", &SETS));
    let (_, whole_took) = reading(&whole, "whole");
    let fewest = objects(&whole, "whole");

    let below = |name: &str| files(&nights.place.out("nights"), name).len();
    let commit = view(&nights.place, "nights").commit().number;
    let bytes = |number: u64| {
        let path = format!("nights/_nabsak/commits/{number:010}");
        fs::metadata(nights.place.out(&path)).unwrap().len()
    };
    println!(
        "nights {count}, games a night {}, rows {rows}",
        nights.games
    );
    println!(
        "a night: first {:?}, median {:?}, last {:?}, longest {:?}",
        took[0],
        median(&took),
        took[took.len() - 1],
        took.iter().max().unwrap()
    );
    for (stage, pace) in &paces {
        println!("the last night's {stage}: {:?}", pace.took);
    }
    println!("a night without news {nothing:?}; all in one run {once:?}");
    println!("reading all: nights {many_took:?}, one run {one_took:?}, one archive {whole_took:?}");
    for (table, objects) in &many {
        println!(
            "{table:<14} {objects:>5} objects; one run {}, one archive {}",
            one[table], fewest[table]
        );
    }
    println!(
        "below _nabsak: {} objects, {} of them receipts; {} commits, the last {} bytes",
        below("_nabsak"),
        below("_nabsak/receipts"),
        below("_nabsak/commits"),
        bytes(commit)
    );
}

fn median(took: &[Duration]) -> Duration {
    let mut sorted = took.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// Archives that change, grow and go are in the middle of merged parts: exactly their rows change.
#[test]
fn changes_in_the_middle_of_merged_parts() {
    let mut nights = Nights {
        place: Place::new(),
        games: 6,
        written: BTreeMap::new(),
    };
    for night in 0..12 {
        nights.night(night);
    }
    let names: Vec<String> = nights.written.keys().cloned().collect();
    let same = |nights: &Nights, step: &str| {
        let outcome = run(&nights.job("out"));
        assert!(outcome.committed, "{step}");
        let fresh = format!("fresh-{step}");
        run(&nights.job(&fresh));
        assert_same(&nights.place.out("out"), &nights.place.out(&fresh));
        outcome
    };
    let first = same(&nights, "all");
    assert_eq!(first.stages[&Stage::Replay].done, 12);
    // They are merged: fewer objects than archives.
    assert!(objects(&nights.place, "out")["plies"] < 12);

    nights.put(&names[3], 500..504);
    let outcome = same(&nights, "changed");
    assert_eq!(outcome.stages[&Stage::Replay].done, 1);
    nights.put(&names[5], 30..38);
    assert_eq!(same(&nights, "grown").stages[&Stage::Replay].done, 1);
    fs::remove_file(nights.place.input().join(&names[7])).unwrap();
    nights.written.remove(&names[7]);
    assert_eq!(same(&nights, "removed").stages[&Stage::Replay].done, 0);
    nights.put("2026/aaa.pgn", 600..601);
    assert_eq!(same(&nights, "before").stages[&Stage::Replay].done, 1);

    // What is done once over merged rows: an engine comes and goes.
    let sets = ["analysis.nodes=20", "analysis.hash_mib=1"];
    let outcome = run(&nights.place.job("out", &sets));
    assert_eq!(
        outcome.stages[&Stage::Replay].done,
        0,
        "{:?}",
        outcome.stages
    );
    run(&nights.place.job("searched", &sets));
    assert_same(&nights.place.out("out"), &nights.place.out("searched"));
    let outcome = same(&nights, "without");
    assert_eq!(
        outcome.stages[&Stage::Replay].done,
        0,
        "{:?}",
        outcome.stages
    );

    // All but one go: what is left has its own parts again, made from merged ones.
    for name in &names[1..] {
        if nights.written.remove(name).is_some() {
            fs::remove_file(nights.place.input().join(name)).unwrap();
        }
    }
    fs::remove_file(nights.place.input().join("2026/aaa.pgn")).unwrap();
    let outcome = same(&nights, "alone");
    assert_eq!(
        outcome.stages[&Stage::Replay].done,
        0,
        "{:?}",
        outcome.stages
    );
    assert_eq!(outcome.counts.games_found, 6);
}

/// A merged part that is lost costs its chunks' work once more, and no row.
#[test]
fn a_lost_merged_part_is_made_again() {
    let mut nights = Nights {
        place: Place::new(),
        games: 3,
        written: BTreeMap::new(),
    };
    for night in 0..5 {
        nights.night(night);
    }
    run(&nights.job("out"));
    let before = tables(&nights.place.out("out"));
    let plies = files(&nights.place.out("out"), "plies");
    fs::remove_file(nights.place.out("out").join(&plies[0])).unwrap();
    let outcome = run(&nights.job("out"));
    assert_eq!(outcome.exit_status(), 0);
    assert!(outcome.stages[&Stage::Replay].done > 0);
    assert_eq!(before, tables(&nights.place.out("out")));
}

/// A run that is killed between the merging and the commit leaves nothing that a later one trips over.
#[test]
fn a_run_that_ends_before_its_commit() {
    let mut nights = Nights {
        place: Place::new(),
        games: 3,
        written: BTreeMap::new(),
    };
    for night in 0..4 {
        nights.night(night);
    }
    run(&nights.job("out"));
    nights.night(4);
    let options = RunOptions {
        at: Some(std::sync::Arc::new(|moment, _| {
            assert!(moment != pipeline::Moment::BeforeCommit, "killed here");
        })),
        ..RunOptions::default()
    };
    let job = nights.job("out");
    let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        pipeline::run(&job, &options).map(|outcome| outcome.exit_status())
    }));
    assert!(killed.is_err());
    let outcome = run(&nights.job("out"));
    assert!(outcome.committed);
    assert_eq!(outcome.stages[&Stage::Replay].done, 0);
    run(&nights.job("fresh"));
    assert_same(&nights.place.out("out"), &nights.place.out("fresh"));
}

/// Makes every file below a folder this many days old.
fn age(place: &Place, below: &str, days: u64) {
    let then = std::time::SystemTime::now() - Duration::from_secs(days * 24 * 3600);
    for name in files(&place.out("out"), below) {
        let file = fs::File::options()
            .write(true)
            .open(place.out("out").join(name));
        file.unwrap().set_modified(then).unwrap();
    }
}

/// A killed run's parts go when nothing came back to them, and commits that nobody can read any more go with the season.
#[test]
fn debris_and_old_commits_go() {
    let mut nights = Nights {
        place: Place::new(),
        games: 2,
        written: BTreeMap::new(),
    };
    nights.night(0);
    run(&nights.job("out"));
    // Killed before its commit; then the archive of that night is gone.
    let name = nights.night(1);
    let options = RunOptions {
        at: Some(std::sync::Arc::new(|moment, _| {
            assert!(moment != pipeline::Moment::BeforeCommit, "killed here");
        })),
        ..RunOptions::default()
    };
    let job = nights.job("out");
    let killed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        pipeline::run(&job, &options).map(|outcome| outcome.exit_status())
    }));
    assert!(killed.is_err());
    fs::remove_file(nights.place.input().join(&name)).unwrap();
    nights.written.remove(&name);
    run(&nights.job("out"));
    run(&nights.job("fresh"));
    let fresh = tables(&nights.place.out("fresh"));
    assert!(
        tables(&nights.place.out("out")).len() > fresh.len(),
        "what is young may be another run's"
    );
    age(&nights.place, "", 8);
    run(&nights.job("out"));
    assert_same(&nights.place.out("out"), &nights.place.out("fresh"));
    let receipts = |out: &str| files(&nights.place.out(out), "_nabsak/receipts").len();
    assert_eq!(receipts("out"), receipts("fresh"));

    let commits = |nights: &Nights| files(&nights.place.out("out"), "_nabsak/commits").len();
    for night in 2..5 {
        nights.night(night);
        run(&nights.job("out"));
    }
    assert_eq!(commits(&nights), 4);
    age(&nights.place, "_nabsak/commits", 91);
    run(&nights.job("out"));
    // The current one stays, whatever its age.
    assert_eq!(commits(&nights), 1);
    assert_eq!(view(&nights.place, "out").commit().number, 4);
    assert_eq!(view(&nights.place, "out").runs().unwrap().len(), 4);
    nights.night(5);
    assert_eq!(run(&nights.job("out")).commit, Some(5));
}

/// A dry run says what is left and how long it may take, from past runs; and that nobody knows where there is none.
#[test]
fn a_dry_run_estimates_from_past_runs() {
    let mut nights = Nights {
        place: Place::new(),
        games: 40,
        written: BTreeMap::new(),
    };
    nights.night(0);
    let sets = ["analysis.nodes=2000", "analysis.hash_mib=1"];
    let dry = |sets: &[&str]| {
        let options = RunOptions {
            dry_run: true,
            ..RunOptions::default()
        };
        pipeline::run(&nights.place.job("out", sets), &options).unwrap()
    };
    let first = dry(&sets).estimates;
    let stages: Vec<Stage> = first.keys().copied().collect();
    assert_eq!(
        stages,
        [
            Stage::Index,
            Stage::Replay,
            Stage::Search,
            Stage::Assemble,
            Stage::Aggregate
        ]
    );
    assert!(
        first
            .values()
            .all(|estimate| estimate.time == Err("no run yet"))
    );
    let size = fs::metadata(nights.place.input().join("2026/night-000.pgn"))
        .unwrap()
        .len();
    assert_eq!(first[&Stage::Index].work, size);

    let outcome = run(&nights.place.job("out", &sets));
    assert!(dry(&sets).estimates.is_empty(), "nothing is left");
    // Four times as much of the same: the plies are told from the bytes, the time from the plies.
    let more = strangers(1000..1160);
    nights.place.write("more.pgn", more.as_bytes());
    let estimates = dry(&sets).estimates;
    let search = &estimates[&Stage::Search];
    let (done, took) = (
        outcome.coverage.plies_wanted,
        outcome.paces[&Stage::Search].took,
    );
    let ratio = search.work as f64 / done as f64;
    assert!((3.5..4.5).contains(&ratio), "{ratio}");
    assert!(search.about);
    let time = search.time.unwrap().as_secs_f64() / took.as_secs_f64();
    // Equal plies are searched once: the pace is that of different ones.
    assert!((3.0..6.0).contains(&time), "{time}");
    assert_eq!(estimates[&Stage::Index].work, more.len() as u64);
    // Half as many nodes: all plies anew, each in half the time. Another engine's pace is not known.
    let half = &dry(&["analysis.nodes=1000", "analysis.hash_mib=1"]).estimates[&Stage::Search];
    assert!(half.work > search.work);
    let by_ply =
        |estimate: &pipeline::Estimate| estimate.time.unwrap().as_secs_f64() / estimate.work as f64;
    let ratio = by_ply(half) / by_ply(search);
    assert!((0.49..0.51).contains(&ratio), "{ratio}");
    let other = dry(&["analysis.nodes=2000", "analysis.hash_mib=2"]).estimates;
    assert_eq!(
        other[&Stage::Search].time,
        Err("no run with this engine yet")
    );
}
