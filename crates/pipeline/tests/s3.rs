//! From `s3://` to `s3://` against a real server: the bytes of the local run, and what happens when things are wrong.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{Place, assert_same, job, run};
use pipeline::{Job, Moment, RunOptions, Stage};
use store::Store;
use store::testing::{BUCKET, SeaweedFs};

/// Puts the input of a place into the server.
fn upload(server: &SeaweedFs, place: &Place, prefix: &str) {
    let store = server.store(prefix);
    for name in ["a.pgn", "b.pgn.zst", "sub/c.pgn"] {
        store
            .put(name, fs::read(place.input().join(name)).unwrap().into())
            .unwrap();
    }
}

/// Brings what the server holds into a folder.
fn download(server: &SeaweedFs, prefix: &str, to: &Path) {
    let store = server.store(prefix);
    for entry in store.list("").unwrap() {
        let path = to.join(&entry.key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, store.get(&entry.key).unwrap()).unwrap();
    }
}

fn s3_job(server: &SeaweedFs, input: &str, output: &str) -> Job {
    job(
        &format!("s3://{BUCKET}/{input}"),
        &format!("s3://{BUCKET}/{output}"),
        &[
            &format!("s3.endpoint={}", server.endpoint()),
            "s3.path_style=true",
            "s3.region=us-east-1",
        ],
    )
}

#[test]
fn s3_to_s3_gives_the_bytes_of_the_local_run() {
    let place = Place::with_games();
    let server = SeaweedFs::start();
    upload(&server, &place, "in");
    run(&place.job("local", &[]));
    let outcome = run(&s3_job(&server, "in", "out"));
    assert_eq!(outcome.exit_status(), 0);
    download(&server, "out", &place.out("s3"));
    assert_same(&place.out("local"), &place.out("s3"));
    let views = fs::read_to_string(place.out("s3").join("views.sql")).unwrap();
    assert!(
        views.contains(&format!("'s3://{BUCKET}/out/games/")),
        "{views}"
    );
    // Nothing new: nothing done.
    let again = run(&s3_job(&server, "in", "out"));
    assert_eq!(common::done(&again), 0, "{:?}", again.stages);
    // One object, a glob, and an object that is not there.
    let one = run(&s3_job(&server, "in/a.pgn", "one"));
    assert_eq!(
        (one.counts.games_found, one.archives[0].archive.as_str()),
        (12, "a.pgn")
    );
    let glob = run(&s3_job(&server, "in/*/c.*", "glob"));
    assert_eq!(
        (glob.counts.games_found, glob.archives[0].archive.as_str()),
        (4, "sub/c.pgn")
    );
    let gone = pipeline::run(
        &s3_job(&server, "in/gone.pgn", "gone"),
        &RunOptions::default(),
    )
    .unwrap_err();
    assert_eq!(gone.exit_status(), 3, "{gone}");
    assert!(
        gone.to_string().contains("in/gone.pgn does not exist"),
        "{gone}"
    );
}

#[test]
fn a_missing_bucket_is_named() {
    let server = SeaweedFs::start();
    let place = Place::with_games();
    upload(&server, &place, "in");
    let mut job = s3_job(&server, "in", "out");
    job.output.location = "s3://nobucket/out".to_owned();
    let error = pipeline::run(&job, &RunOptions::default()).unwrap_err();
    assert_eq!(error.exit_status(), 5);
    assert!(
        error.to_string().contains("no bucket `nobucket`"),
        "{error}"
    );
    let mut job = s3_job(&server, "in", "out");
    job.input.archives = vec!["s3://nobucket/in".to_owned()];
    let error = pipeline::run(&job, &RunOptions::default()).unwrap_err();
    assert_eq!(error.exit_status(), 5);
    assert!(error.to_string().contains("nobucket"), "{error}");
}

#[test]
fn a_server_that_dies_in_mid_run_is_named_and_the_run_resumes() {
    let place = Place::with_games();
    let mut server = SeaweedFs::start();
    upload(&server, &place, "in");
    run(&place.job("local", &[]));
    // The listener cannot hold the server, so it says when; this thread kills.
    let now = Arc::new(AtomicBool::new(false));
    let dead = Arc::new(AtomicBool::new(false));
    let (say, wait) = (Arc::clone(&now), Arc::clone(&dead));
    let options = RunOptions {
        at: Some(Arc::new(move |moment: Moment, stage: Stage| {
            if moment == Moment::PartsWritten && stage == Stage::Search {
                say.store(true, Ordering::SeqCst);
                while !wait.load(Ordering::SeqCst) {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        })),
        ..RunOptions::default()
    };
    let job = s3_job(&server, "in", "out");
    let error = std::thread::scope(|scope| {
        let run = scope.spawn(|| pipeline::run(&job, &options));
        while !now.load(Ordering::SeqCst) {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        server.kill();
        dead.store(true, Ordering::SeqCst);
        run.join().unwrap().unwrap_err()
    });
    assert_eq!(error.exit_status(), 5);
    assert!(error.to_string().contains("cannot be reached"), "{error}");
    server.restart();
    let outcome = run(&job);
    assert_eq!(outcome.exit_status(), 0);
    assert_eq!(
        outcome.stages[&Stage::Replay].done,
        0,
        "{:?}",
        outcome.stages
    );
    download(&server, "out", &place.out("s3"));
    assert_same(&place.out("local"), &place.out("s3"));
}

/// A process with other credentials than the server's. Not a test: the one below starts it.
#[test]
#[ignore = "started by another test with wrong credentials"]
fn stranger() {
    let Ok(endpoint) = std::env::var("STRANGER_ENDPOINT") else {
        return;
    };
    let job = job(
        &format!("s3://{BUCKET}/in"),
        &format!("s3://{BUCKET}/out"),
        &[
            &format!("s3.endpoint={endpoint}"),
            "s3.path_style=true",
            "s3.region=us-east-1",
        ],
    );
    let error = pipeline::run(&job, &RunOptions::default()).unwrap_err();
    println!("status {}: {error}", error.exit_status());
}

#[test]
fn wrong_credentials_are_named() {
    let server = SeaweedFs::start();
    for (id, secret, code) in [
        (
            store::testing::ACCESS_KEY_ID,
            "wrong",
            "SignatureDoesNotMatch",
        ),
        ("nobody", "wrong", "InvalidAccessKeyId"),
    ] {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["stranger", "--exact", "--ignored", "--nocapture"])
            .env("STRANGER_ENDPOINT", server.endpoint())
            .env("AWS_ACCESS_KEY_ID", id)
            .env("AWS_SECRET_ACCESS_KEY", secret)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("status 5") && text.contains(code), "{text}");
        assert!(
            !text.contains("wrong\n") && !text.contains("testsecret"),
            "{text}"
        );
    }
}
