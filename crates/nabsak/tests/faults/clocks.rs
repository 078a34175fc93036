//! Clocks that are wrong: nothing is judged by them.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime};

use crate::common::{job, nabsak as plain, receipts, run_to, tables};
use crate::night::{Night, inputs, nabsak, record, twice, until};

const SMALL: &str = "keep_hours = 24\n[analysis]\nnodes = 1000\n[run]\nthreads = 1\nsearch_chunk_s = 1\nbeat_s = 1\n";

/// The library that shifts a process's clock, beside the program of Debian's `faketime`; `./test` brings it.
fn library() -> PathBuf {
    let program =
        env::var_os("NABSAK_FAKETIME").map_or_else(|| "/usr/bin/faketime".into(), PathBuf::from);
    let usr = program
        .parent()
        .and_then(|bin| bin.parent())
        .expect("it lies in a folder bin");
    // Where it is not installed but unpacked, the program is a wrapper beside the unpacked files.
    let folders = ["lib", "debian/usr/lib"].map(|lib| fs::read_dir(usr.join(lib)));
    let folders = folders.into_iter().flatten().flatten().flatten();
    folders
        .map(|folder| folder.path().join("faketime/libfaketimeMT.so.1"))
        .find(|library| library.is_file())
        .expect(
            "no libfaketime on this machine: run ./test, which brings it, or set NABSAK_FAKETIME",
        )
}

fn shifted(hours: i32) -> Command {
    let mut command = nabsak();
    command
        .env("LD_PRELOAD", library())
        .env("FAKETIME", format!("{hours:+}h"))
        .env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        .env("NO_FAKE_STAT", "1");
    command
}

#[test]
fn two_runs_whose_clocks_are_days_apart_make_one_state() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["thai-club.pgn"]);
    let quiet = dir.path().join("quiet");
    fs::create_dir(&quiet).expect("a folder");
    run_to(0, plain().arg("run").arg(job(&quiet, &inputs, SMALL)));
    let wanted = tables(&quiet.join("out"));
    let job = job(dir.path(), &inputs, SMALL);
    let out = dir.path().join("out");
    let mut past = Night::start(
        shifted(-50).arg("run").arg(&job),
        dir.path().join("past.log"),
    );
    until("an attempt at search", || past.says("\"stage\":\"search\""));
    let at = Instant::now();
    let mut future = Night::start(
        shifted(50).arg("run").arg(&job),
        dir.path().join("future.log"),
    );
    let noticed = future.until("another run of this job is at work here", at);
    past.ends(0);
    future.ends(0);
    record(
        "two runs whose clocks are 100 hours apart",
        noticed,
        at.elapsed(),
        &[&past, &future],
    );
    assert!(twice(&[&past, &future]) <= 2);
    // What a commit named stays for keep_hours by the store's time, not by that of the run that cleans up.
    let stays = |commit: &str| run_to(0, plain().args(["runs", "restore"]).arg(&out).arg(commit));
    fs::copy(
        crate::common::root().join("demo/defects.pgn"),
        dir.path().join("in/defects.pgn"),
    )
    .expect("it is copied");
    Night::run(
        0,
        shifted(50).arg("run").arg(&job),
        dir.path().join("later.log"),
    );
    Night::run(
        0,
        shifted(50)
            .arg("run")
            .arg(&job)
            .args(["--set", "analysis.nodes=20"]),
        dir.path().join("last.log"),
    );
    stays("1");
    fs::remove_file(dir.path().join("in/defects.pgn")).expect("it is removed");
    // A lock and signs from the future of a machine that is no more hold nobody up for long.
    fs::write(out.join("_nabsak/lock"), "gone").expect("a lock is written");
    let signs = out.join("_nabsak/alive");
    fs::create_dir_all(&signs).expect("a folder");
    let sign = r#"{"version":1,"run":"gone","driver":true,"host":"far","pid":1,"place":"far away","since":"1","every_s":1,"beat":7}"#;
    fs::write(signs.join("gone"), sign).expect("a sign is written");
    let future_time = SystemTime::now() + Duration::from_secs(360_000);
    let file = fs::File::options()
        .write(true)
        .open(signs.join("gone"))
        .expect("the sign is there");
    file.set_modified(future_time).expect("its time is set");
    let at = Instant::now();
    let waiting = Night::run(
        0,
        nabsak()
            .arg("run")
            .arg(&job)
            .args(["--set", "run.lock=wait"]),
        dir.path().join("waiting.log"),
    );
    assert!(
        waiting.says("the run that held the lock is dead"),
        "{}",
        waiting.text()
    );
    assert!(
        at.elapsed() >= Duration::from_secs(3),
        "three beats of a second"
    );
    record(
        "a lock from a dead machine, dated 100 hours ahead",
        at.elapsed(),
        at.elapsed(),
        &[&waiting],
    );
    assert!(!receipts(&out, "search").is_empty());
    assert!(
        wanted
            .keys()
            .filter(|name| name.starts_with("evaluations/"))
            .all(|name| tables(&out).contains_key(name))
    );
}
