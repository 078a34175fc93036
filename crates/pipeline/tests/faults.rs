//! Faults: killed processes, lost replies, cut connections, changed objects. Afterwards the bytes are those of a quiet run.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use common::faulty::{Trouble, options};
use common::{Place, archive, assert_same, done, files, job, run};
use pipeline::{Cancel, Moment, RunOptions, Stage};

/// A process of its own that dies at a given moment. Not a test: the tests below start it.
#[test]
#[ignore = "started by other tests as a process to be killed"]
fn victim() {
    let Ok(at) = std::env::var("VICTIM_AT") else {
        return;
    };
    let left = AtomicU32::new(std::env::var("VICTIM_COUNT").unwrap().parse().unwrap());
    let options = RunOptions {
        at: Some(Arc::new(move |moment: Moment, stage: Stage| {
            if format!("{stage} {moment:?}") == at && left.fetch_sub(1, Ordering::SeqCst) == 1 {
                std::process::abort();
            }
        })),
        ..RunOptions::default()
    };
    let input = std::env::var("VICTIM_IN").unwrap();
    let output = std::env::var("VICTIM_OUT").unwrap();
    pipeline::run(&job(&input, &output, &[]), &options).unwrap();
}

/// Runs the job in a process that is killed at the `count`th time of `at`; whether it was.
fn killed(place: &Place, out: &str, at: &str, count: u32) -> bool {
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["victim", "--exact", "--ignored"])
        .env("VICTIM_AT", at)
        .env("VICTIM_COUNT", count.to_string())
        .env("VICTIM_IN", place.input())
        .env("VICTIM_OUT", place.out(out))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .unwrap();
    !status.success()
}

/// The stages whose chunks stand on their input alone; what aggregates stand on changes while a run goes on.
const CHUNKED: [Stage; 5] = [
    Stage::Index,
    Stage::Replay,
    Stage::Cut,
    Stage::Search,
    Stage::Assemble,
];

fn receipts(place: &Place, out: &str, stage: &Stage) -> Vec<String> {
    files(&place.out(out), &format!("_nabsak/receipts/{stage}"))
}

#[test]
fn killed_anywhere_and_run_again_gives_the_same_bytes() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    let moments = [
        ("index PartsWritten", 2),
        ("replay Begin", 3),
        ("replay PartsWritten", 2),
        ("replay ReceiptWritten", 2),
        ("cut PartsWritten", 1),
        ("search Begin", 1),
        ("search PartsWritten", 2),
        ("assemble PartsWritten", 2),
        ("aggregate PartsWritten", 3),
        ("aggregate BeforeCommit", 1),
        ("aggregate BeforeCommit", 2),
    ];
    for (number, (at, count)) in moments.into_iter().enumerate() {
        let out = format!("killed{number}");
        assert!(killed(&place, &out, at, count), "{at} {count} never came");
        let before: Vec<String> = CHUNKED
            .iter()
            .flat_map(|stage| receipts(&place, &out, stage))
            .collect();
        let outcome = run(&place.job(&out, &[]));
        assert_eq!(outcome.exit_status(), 0);
        let skipped: u64 = CHUNKED
            .iter()
            .filter_map(|stage| outcome.stages.get(stage))
            .map(|tally| tally.skipped)
            .sum();
        assert!(
            skipped >= before.len() as u64,
            "{at}: {before:?}, {:?}",
            outcome.stages
        );
        assert_same(&place.out("quiet"), &place.out(&out));
        assert!(
            files(&place.out(&out), "_nabsak/attempts").is_empty(),
            "{at}"
        );
    }
}

#[test]
fn a_chunk_that_kills_the_process_is_set_aside_and_tried_again_on_demand() {
    let place = Place::with_games();
    for _ in 0..3 {
        assert!(killed(&place, "out", "replay Begin", 1));
    }
    // The same chunk was first each time with one thread; with two, it may be either.
    let mut outcome = run(&place.job("out", &[]));
    if outcome.failed.is_empty() {
        assert!(killed(&place, "other", "replay Begin", 1));
        outcome = run(&place.job("out", &[]));
        assert_eq!(outcome.exit_status(), 0);
        return;
    }
    assert_eq!(outcome.exit_status(), 4);
    assert!(outcome.committed);
    assert!(
        outcome.failed[0].reason.contains("died 3 times"),
        "{:?}",
        outcome.failed
    );
    // It is not tried again by itself.
    let again = run(&place.job("out", &[]));
    assert_eq!((again.exit_status(), done(&again)), (4, 0));
    let options = RunOptions {
        retry_failed: true,
        ..RunOptions::default()
    };
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert_eq!(outcome.exit_status(), 0);
    run(&place.job("quiet", &[]));
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn an_interrupted_run_is_resumable_and_leaves_no_marker() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    for (stage, count) in [
        (Stage::Index, 1),
        (Stage::Replay, 2),
        (Stage::Search, 1),
        (Stage::Assemble, 2),
    ] {
        let out = format!("stopped {stage}");
        let cancel = Cancel::new();
        let (raise, left) = (cancel.clone(), AtomicU32::new(count));
        let options = RunOptions {
            cancel,
            at: Some(Arc::new(move |moment: Moment, at: Stage| {
                if moment == Moment::Begin
                    && at == stage
                    && left.fetch_sub(1, Ordering::SeqCst) == 1
                {
                    raise.raise();
                }
            })),
            ..RunOptions::default()
        };
        let outcome = pipeline::run(&place.job(&out, &[]), &options).unwrap();
        assert_eq!(outcome.exit_status(), 130);
        assert!(
            files(&place.out(&out), "_nabsak/attempts").is_empty(),
            "{stage}"
        );
        assert_eq!(run(&place.job(&out, &[])).exit_status(), 0);
        assert_same(&place.out("quiet"), &place.out(&out));
    }
}

#[test]
fn a_deadline_publishes_what_is_done_and_the_next_run_goes_on() {
    let place = Place::with_games();
    run(&place.job("quiet", &["analysis.nodes=3000"]));
    let mut nights = 0;
    loop {
        nights += 1;
        let outcome = run(&place.job("out", &["analysis.nodes=3000", "run.deadline=1s"]));
        assert!(outcome.commit.is_some());
        if outcome.exit_status() == 0 {
            break;
        }
        assert_eq!(outcome.exit_status(), 4);
        assert!(outcome.deadline_came);
        assert!(
            nights < 60,
            "no night publishes more: {:?}",
            outcome.coverage
        );
    }
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn two_drivers_at_once_make_one_state() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    std::thread::scope(|scope| {
        let drivers: Vec<_> = (0..2)
            .map(|_| scope.spawn(|| run(&place.job("out", &[]))))
            .collect();
        for driver in drivers {
            assert_eq!(driver.join().unwrap().exit_status(), 0);
        }
    });
    let last = run(&place.job("out", &[]));
    assert_eq!(done(&last), 0, "{:?}", last.stages);
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn a_store_that_fails_once_costs_one_run_and_no_byte() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    let faults = [
        ("create", "games/", Trouble::Unreachable),
        ("create", "_nabsak/receipts/replay/", Trouble::LostReply),
        ("create", "_nabsak/receipts/search/", Trouble::Unreachable),
        ("create", "evaluations/", Trouble::NoSpace),
        ("create", "_nabsak/commits/", Trouble::LostReply),
        ("create", "_nabsak/attempts/assemble/", Trouble::NoSpace),
        ("read", "_nabsak/work", Trouble::Unreachable),
        ("read", "a.pgn", Trouble::Unreachable),
    ];
    for (number, (call, key, trouble)) in faults.into_iter().enumerate() {
        let out = format!("out{number}");
        let hit = Mutex::new(false);
        let options = options(move |at, name| {
            let mut hit = hit.lock().unwrap();
            let now = at == call && name.starts_with(key) && !*hit;
            *hit |= now;
            now.then_some(trouble)
        });
        let error = pipeline::run(&place.job(&out, &[]), &options).expect_err(key);
        assert_eq!(error.exit_status(), 5, "{error}");
        let outcome = run(&place.job(&out, &[]));
        assert_eq!(outcome.exit_status(), 0);
        assert_same(&place.out("quiet"), &place.out(&out));
    }
}

#[test]
fn a_client_that_meets_its_own_objects_goes_on() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    let probes = |key: &str| key.starts_with("_nabsak/probe");
    let options =
        options(move |call, key| (call == "create" && !probes(key)).then_some(Trouble::OwnObject));
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert_eq!(outcome.exit_status(), 0);
    assert!(outcome.committed);
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn an_object_that_changed_in_mid_run_fails_its_chunks_with_a_clear_message() {
    let place = Place::with_games();
    let reads = Mutex::new(BTreeMap::<String, u32>::new());
    let options = options(move |call, key| {
        let mut reads = reads.lock().unwrap();
        let count = reads.entry(key.to_owned()).or_default();
        *count += u32::from(call == "read");
        // The first reading is the index, the second is replay.
        (call == "read" && key == "a.pgn" && *count == 2).then_some(Trouble::Changed)
    });
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert_eq!(outcome.exit_status(), 4);
    assert!(
        outcome.failed[0]
            .reason
            .contains("changed while it was being worked on"),
        "{:?}",
        outcome.failed
    );
    assert_eq!(outcome.counts.games_found, 12, "the rest is committed");
    let outcome = run(&place.job("out", &[]));
    assert_eq!((outcome.exit_status(), outcome.counts.games_found), (0, 24));
    run(&place.job("quiet", &[]));
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn an_object_that_may_not_be_read_is_a_finding() {
    let place = Place::with_games();
    let options =
        options(|call, key| (call == "read" && key == "b.pgn.zst").then_some(Trouble::Denied));
    let outcome = pipeline::run(&place.job("out", &[]), &options).unwrap();
    assert_eq!(outcome.exit_status(), 3);
    assert_eq!(outcome.counts.games_found, 16);
    assert_eq!(run(&place.job("out", &[])).exit_status(), 0);
    place.write("later.pgn", archive(60..61).as_bytes());
    assert_eq!(run(&place.job("out", &[])).counts.games_found, 25);
}
