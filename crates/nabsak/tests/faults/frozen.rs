//! A process that stops beating without dying: others take its chunks up, and when it wakes it finds them done.

use std::time::{Duration, Instant};

use crate::common::{job, receipts, run_to, same_tables, tables};
use crate::night::{Night, begun, inputs, nabsak, record, until};

/// Some seconds of search in chunks of about one, and beats of a second.
const BEATING: &str =
    "[analysis]\nnodes = 1500\n[run]\nthreads = 1\nsearch_chunk_s = 1\nbeat_s = 1\n";

#[test]
fn a_frozen_run_is_taken_for_dead_and_does_no_harm_when_it_wakes() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["thai-club.pgn"]);
    let quiet = dir.path().join("quiet");
    std::fs::create_dir(&quiet).expect("a folder");
    run_to(
        0,
        crate::common::nabsak()
            .arg("run")
            .arg(job(&quiet, &inputs, BEATING)),
    );
    let wanted = tables(&quiet.join("out"));

    let job = job(dir.path(), &inputs, BEATING);
    let out = dir.path().join("out");
    let mut frozen = Night::start(nabsak().arg("run").arg(&job), dir.path().join("frozen.log"));
    until("a search receipt", || !receipts(&out, "search").is_empty());
    frozen.signal("STOP");
    let at = Instant::now();
    let mut other = Night::start(nabsak().arg("run").arg(&job), dir.path().join("other.log"));
    let noticed = other.until("a process died at this chunk", at);
    other.ends(0);
    let finished = at.elapsed();
    assert!(other.says("another run of this job is at work here"));
    assert!(
        noticed >= Duration::from_secs(3),
        "three beats of a second: {noticed:?}"
    );
    same_tables(&tables(&out), &wanted);
    frozen.signal("CONT");
    frozen.ends(0);
    record(
        "a run frozen (SIGSTOP) beyond three beats, thawed later",
        noticed,
        finished,
        &[&frozen, &other],
    );
    same_tables(&tables(&out), &wanted);
    let again: u64 = begun(&[&frozen, &other])
        .values()
        .map(|times| times - 1)
        .sum();
    assert!(
        again <= 4,
        "what the frozen one was at, and no more: {again}"
    );
    let (summary, _) = run_to(0, crate::common::nabsak().arg("run").arg(&job));
    assert!(summary.contains("nothing new"), "{summary}");
    same_tables(&tables(&out), &wanted);
}
