//! Runs and tasks that end before their time: the same command goes on, and the bytes are those of a quiet run.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use crate::common::{job, nabsak, receipts, root, run_to, same_tables, tables};
use crate::night::{self, Night};

/// Two demo archives in small chunks: some seconds of work in several stages.
fn inputs(dir: &Path) -> std::path::PathBuf {
    let inputs = dir.join("in");
    fs::create_dir_all(&inputs).expect("a folder");
    let demo = root().join("demo");
    let mut copied = 0;
    for entry in fs::read_dir(demo)
        .expect("the demo archive is there")
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.contains(".pgn") && copied < 2 {
            fs::copy(entry.path(), inputs.join(&name)).expect("the archive is copied");
            copied += 1;
        }
    }
    assert_eq!(copied, 2, "the demo holds PGN archives");
    inputs
}

const SMALL: &str = "[analysis]\nnodes = 400\n[run]\nsearch_chunk_s = 1\n";

fn quiet(dir: &Path, inputs: &Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let dir = dir.join("quiet");
    fs::create_dir_all(&dir).expect("a folder");
    run_to(0, nabsak().arg("run").arg(job(&dir, inputs, SMALL)));
    tables(&dir.join("out"))
}

fn wait_for(what: &str, mut seen: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !seen() {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "waited in vain for {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn start(command: &mut Command) -> Child {
    command.spawn().expect("the program starts")
}

#[test]
fn killed_and_run_again_gives_the_same_bytes_and_does_nothing_twice() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path());
    let wanted = quiet(dir.path(), &inputs);
    let out = dir.path().join("out");
    let job = job(dir.path(), &inputs, SMALL);
    let mut nights = Vec::new();
    for stage in ["index", "replay", "search", "assemble"] {
        let done = receipts(&out, stage).len();
        let log = dir.path().join(format!("{stage}.log"));
        let mut night = Night::start(night::nabsak().arg("run").arg(&job), log);
        wait_for(&format!("a receipt of {stage}, or the end"), || {
            receipts(&out, stage).len() > done || night.is_over()
        });
        night.kill();
        nights.push(night);
    }
    let killed = Instant::now();
    let stamps = |stage: &str| -> Vec<_> {
        let folder = out.join("_nabsak/receipts").join(stage);
        let written = |name: &String| {
            fs::metadata(folder.join(name))
                .and_then(|meta| meta.modified())
                .ok()
        };
        receipts(&out, stage)
            .iter()
            .map(|name| (name.clone(), written(name)))
            .collect()
    };
    let before: Vec<_> = ["index", "replay", "search"]
        .iter()
        .map(|stage| stamps(stage))
        .collect();
    let last = Night::start(
        night::nabsak().arg("run").arg(&job),
        dir.path().join("last.log"),
    );
    let noticed = last.until("chunk", killed);
    let mut last = last;
    last.ends(0);
    nights.push(last);
    let all: Vec<&Night> = nights.iter().collect();
    night::record(
        "driver killed (-9) in index, replay, search and assemble",
        noticed,
        killed.elapsed(),
        &all,
    );
    for (stage, before) in ["index", "replay", "search"].iter().zip(before) {
        let after = stamps(stage);
        assert!(
            before.iter().all(|receipt| after.contains(receipt)),
            "{stage}: a receipt was made anew"
        );
    }
    same_tables(&tables(&out), &wanted);
    let (summary, _) = run_to(0, nabsak().arg("run").arg(&job));
    assert!(summary.contains("nothing new"), "{summary}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_with_130_and_goes_on() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path());
    let wanted = quiet(dir.path(), &inputs);
    let out = dir.path().join("out");
    let job = job(dir.path(), &inputs, SMALL);
    let mut child = start(nabsak().arg("run").arg(&job));
    wait_for("a replay receipt", || !receipts(&out, "replay").is_empty());
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill runs").success());
    let code = child.wait().expect("it ends").code();
    assert_eq!(code, Some(130));
    let attempts = out.join("_nabsak/attempts");
    let left = walk(&attempts);
    assert!(
        left.is_empty(),
        "a run that stops in order takes its attempt markers back: {left:?}"
    );
    run_to(0, nabsak().arg("run").arg(&job));
    same_tables(&tables(&out), &wanted);
}

#[test]
fn an_interrupted_run_does_not_wait_for_its_engine() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = night::inputs(dir.path(), &["thai-club.pgn"]);
    // One ply of this takes most of an hour.
    let job = job(dir.path(), &inputs, "[analysis]\nnodes = 1000000000\n");
    let mut night = Night::start(night::nabsak().arg("run").arg(&job), dir.path().join("log"));
    wait_for("an attempt at search", || {
        night.says("\"stage\":\"search\"")
    });
    std::thread::sleep(Duration::from_millis(300));
    night.signal("INT");
    let at = Instant::now();
    night.ends(130);
    assert!(at.elapsed() < Duration::from_secs(20), "{:?}", at.elapsed());
    night::record(
        "interrupted (Ctrl-C) in the middle of a long search",
        at.elapsed(),
        at.elapsed(),
        &[&night],
    );
    assert!(walk(&dir.path().join("out/_nabsak/attempts")).is_empty());
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(walk(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}
