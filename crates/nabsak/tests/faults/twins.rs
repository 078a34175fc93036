//! The same work in two processes at once: nights that overlap, tasks that are started twice.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::common::{job, receipts, run_to, same_tables, tables};
use crate::night::{Night, inputs, nabsak, record, twice, until};

const SMALL: &str =
    "[analysis]\nnodes = 1000\n[run]\nthreads = 1\nsearch_chunk_s = 1\nbeat_s = 1\nattempts = 1\n";

fn quiet(dir: &Path, inputs: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let quiet = dir.join("quiet");
    std::fs::create_dir(&quiet).expect("a folder");
    run_to(
        0,
        crate::common::nabsak()
            .arg("run")
            .arg(job(&quiet, inputs, SMALL)),
    );
    tables(&quiet.join("out"))
}

fn locked(job: &Path, how: &str) -> Command {
    let mut command = nabsak();
    command
        .arg("run")
        .arg(job)
        .args(["--set", &format!("run.lock={how}")]);
    command
}

#[test]
fn nights_that_overlap_share_the_work_or_wait_or_stop() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["thai-club.pgn", "defects.pgn"]);
    let wanted = quiet(dir.path(), &inputs);
    let job = job(dir.path(), &inputs, SMALL);
    let out = dir.path().join("out");
    let log = |name: &str| dir.path().join(name);
    let mut first = Night::start(nabsak().arg("run").arg(&job), log("first.log"));
    until("an attempt at search", || {
        first.says("\"stage\":\"search\"")
    });
    let at = Instant::now();
    let mut second = Night::start(nabsak().arg("run").arg(&job), log("second.log"));
    let noticed = second.until("another run of this job is at work here", at);
    let mut third = Night::start(&mut locked(&job, "wait"), log("third.log"));
    let fourth = Night::run(5, &mut locked(&job, "stop"), log("fourth.log"));
    assert!(fourth.says("another run of this job is at work here"));
    assert!(fourth.says("goes on: nabsak "), "{}", fourth.text());
    first.ends(0);
    second.ends(0);
    let finished = at.elapsed();
    record("two nights overlap", noticed, finished, &[&first, &second]);
    assert!(second.says("sharing its work"));
    let again = twice(&[&first, &second]);
    assert!(again <= 2, "the work is shared: {again}");
    third.ends(0);
    assert!(third.says("waiting until it has ended"));
    assert!(!third.says("chunk begun"), "it found everything done");
    same_tables(&tables(&out), &wanted);
    // Nothing of it stays: no lock, no sign, no attempt.
    for left in ["_nabsak/lock", "_nabsak/alive", "_nabsak/attempts"] {
        let path = out.join(left);
        let files = std::fs::read_dir(&path).map_or(u32::from(path.exists()), files_below);
        assert_eq!(files, 0, "{left}");
    }
}

fn files_below(folder: std::fs::ReadDir) -> u32 {
    let entries = folder.flatten().map(|entry| {
        let below = std::fs::read_dir(entry.path());
        below.map_or(1, files_below)
    });
    entries.sum()
}

#[test]
fn a_task_started_twice_is_no_death_and_a_killed_one_is_taken_up() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["thai-club.pgn"]);
    let wanted = quiet(dir.path(), &inputs);
    let job = job(dir.path(), &inputs, SMALL);
    let out = dir.path().join("out");
    let plan = |stage: &str| {
        let mut plan = crate::common::nabsak();
        let (said, _) = run_to(0, plan.arg("plan").arg(&job).args(["--stage", stage]));
        let value = |name: &str| {
            let line = said.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_default().to_owned()
        };
        let chunks: u64 = value("chunks=").parse().expect("a number");
        (value("manifest="), chunks)
    };
    let task = |manifest: &str, index: u64| {
        let mut task = nabsak();
        task.args(["task", manifest, "--index", &index.to_string()]);
        task
    };
    let log = |name: String| dir.path().join(name);
    for stage in ["index", "replay", "search", "assemble"] {
        let (manifest, chunks) = plan(stage);
        for index in 0..chunks {
            if stage == "search" && index == 0 {
                let mut twin = Night::start(&mut task(&manifest, 0), log("twin.log".into()));
                until("its attempt", || twin.says("chunk begun"));
                let at = Instant::now();
                let mut late = Night::start(&mut task(&manifest, 0), log("late.log".into()));
                let noticed = late.until("waiting for another process", at);
                twin.ends(0);
                late.ends(0);
                record(
                    "a task started twice",
                    noticed,
                    at.elapsed(),
                    &[&twin, &late],
                );
                assert_eq!(twice(&[&twin, &late]), 0, "{}", late.text());
            } else if stage == "search" && index == 1 {
                let mut killed = Night::start(&mut task(&manifest, 1), log("killed.log".into()));
                until("its attempt", || killed.says("chunk begun"));
                killed.kill();
                let at = Instant::now();
                let mut again = Night::start(&mut task(&manifest, 1), log("again.log".into()));
                let noticed = again.until("processes died at this chunk", at);
                again.ends(0);
                record(
                    "a task killed (-9), attempts = 1",
                    noticed,
                    at.elapsed(),
                    &[&killed, &again],
                );
            } else {
                Night::run(
                    0,
                    &mut task(&manifest, index),
                    log(format!("{stage}{index}.log")),
                );
            }
        }
        assert_eq!(receipts(&out, stage).len() as u64, chunks, "{stage}");
    }
    run_to(0, crate::common::nabsak().arg("commit").arg(&job));
    same_tables(&tables(&out), &wanted);
}
