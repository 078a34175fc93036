//! Tasks of an array: stores that fail, archives that cannot be read, a run beside them. Afterwards the bytes are those of a quiet run.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use common::faulty::{Trouble, options};
use common::{Place, assert_same, done, run};
use pipeline::{RunOptions, Stage};

/// Plans a stage and gives the outcome of each of its tasks, in order.
fn array(
    job: &pipeline::Job,
    stage: Stage,
    options: &RunOptions,
) -> Vec<Result<pipeline::TaskOutcome, pipeline::RunError>> {
    let planned = pipeline::plan(job, stage, &RunOptions::default()).unwrap();
    let tasks = (0..planned.chunks).map(|index| {
        let share = pipeline::Share {
            index,
            stride: None,
            threads: None,
        };
        pipeline::task(planned.manifest.as_ref().unwrap(), share, options)
    });
    tasks.collect()
}

const ARRAYS: [Stage; 4] = [Stage::Index, Stage::Replay, Stage::Search, Stage::Assemble];

#[test]
fn an_object_that_may_not_be_read_is_the_same_finding_in_an_array() {
    let place = Place::with_games();
    let denied =
        || options(|call, key| (call == "read" && key == "b.pgn.zst").then_some(Trouble::Denied));
    pipeline::run(&place.job("quiet", &[]), &denied()).unwrap();
    let job = place.job("out", &[]);
    for stage in ARRAYS {
        for (index, outcome) in array(&job, stage, &denied()).into_iter().enumerate() {
            let outcome = outcome.unwrap();
            let unread: Vec<&str> = outcome
                .unreadable
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            // Archives are planned by name: the second cannot be read.
            let expected = stage == Stage::Index && index == 1;
            assert_eq!(outcome.exit_status(), if expected { 3 } else { 0 });
            assert_eq!(unread, if expected { vec!["b.pgn.zst"] } else { vec![] });
        }
    }
    let outcome = pipeline::commit(&job, &denied()).unwrap();
    assert_eq!(outcome.exit_status(), 3);
    assert_same(&place.out("quiet"), &place.out("out"));
    // Once it can be read, a plan takes it up.
    let planned = pipeline::plan(&job, Stage::Index, &RunOptions::default()).unwrap();
    assert_eq!(planned.chunks, 1);
}

#[test]
fn a_store_that_fails_under_a_task_costs_one_try() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    let job = place.job("out", &[]);
    let faults = [
        ("read", "a.pgn", Trouble::Unreachable),
        ("create", "games/", Trouble::NoSpace),
        ("create", "_nabsak/work", Trouble::Unreachable),
        ("create", "_nabsak/receipts/assemble/", Trouble::LostReply),
    ];
    for (stage, (call, key, trouble)) in ARRAYS.into_iter().zip(faults) {
        let failing =
            options(move |at, name| (at == call && name.starts_with(key)).then_some(trouble));
        let outcomes = array(&job, stage, &failing);
        let errors: Vec<u8> = outcomes
            .iter()
            .filter_map(|outcome| outcome.as_ref().err())
            .map(pipeline::RunError::exit_status)
            .collect();
        assert!(!errors.is_empty(), "{stage}: the fault was met");
        assert!(
            errors.iter().all(|status| *status == 5),
            "{stage}: {errors:?}"
        );
        for outcome in array(&job, stage, &RunOptions::default()) {
            assert_eq!(outcome.unwrap().exit_status(), 0);
        }
    }
    assert_eq!(
        pipeline::commit(&job, &RunOptions::default())
            .unwrap()
            .exit_status(),
        0
    );
    assert_same(&place.out("quiet"), &place.out("out"));
}

#[test]
fn a_run_and_tasks_at_once_make_one_state() {
    let place = Place::with_games();
    run(&place.job("quiet", &[]));
    let job = place.job("out", &[]);
    std::thread::scope(|scope| {
        let driver = scope.spawn(|| run(&place.job("out", &[])));
        for stage in ARRAYS {
            for outcome in array(&job, stage, &RunOptions::default()) {
                // What the run has cleaned away is planned again, by a person or by the next step.
                let status = outcome.map_or_else(|e| e.exit_status(), |o| o.exit_status());
                assert!([0, 2].contains(&status), "{stage}: {status}");
            }
            pipeline::commit(&job, &RunOptions::default()).unwrap();
        }
        assert_eq!(driver.join().unwrap().exit_status(), 0);
    });
    let last = run(&place.job("out", &[]));
    assert_eq!(done(&last), 0, "{:?}", last.stages);
    assert_same(&place.out("quiet"), &place.out("out"));
}
