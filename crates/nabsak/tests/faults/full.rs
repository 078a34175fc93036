//! A disk that is full: the run says so and ends, and goes on when there is room.

use std::fs;
use std::process::Command;
use std::time::Instant;

use crate::common::{job, nabsak as plain, run_to, same_tables, tables};
use crate::night::{Night, inputs, nabsak, record};

const SMALL: &str = "[analysis]\nnodes = 50\n";

#[test]
fn a_full_disk_ends_the_run_in_order() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["thai-club.pgn", "korat-open.pgn"]);
    let quiet = dir.path().join("quiet");
    fs::create_dir(&quiet).expect("a folder");
    run_to(0, plain().arg("run").arg(job(&quiet, &inputs, SMALL)));
    let job = job(dir.path(), &inputs, SMALL);
    let out = dir.path().join("out");
    fs::create_dir(&out).expect("a folder");
    // A file system of its own of 300 kB, in a name space of its own, so that it needs no root; what was written is copied out at the end.
    let mut command = Command::new("unshare");
    let program = nabsak();
    let words = program
        .get_args()
        .map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let script = format!(
        "mount -t tmpfs -o size=300k none {out:?} && {:?} {} run {job:?}; code=$?; cp -a {out:?} {:?}; exit $code",
        env!("CARGO_BIN_EXE_nabsak"),
        words.join(" "),
        dir.path().join("kept"),
    );
    command.args(["-rm", "sh", "-c", &script]);
    let at = Instant::now();
    let full = Night::run(5, &mut command, dir.path().join("full.log"));
    let noticed = at.elapsed();
    assert!(full.says("no space left for"), "{}", full.text());
    assert!(
        full.says("the same command goes on: nabsak "),
        "{}",
        full.text()
    );
    // With room again, from what was written.
    let copied = Command::new("cp")
        .arg("-a")
        .arg(dir.path().join("kept/."))
        .arg(&out)
        .status();
    assert!(copied.expect("cp runs").success());
    let last = Night::run(
        0,
        nabsak().arg("run").arg(&job),
        dir.path().join("last.log"),
    );
    record("disk full", noticed, at.elapsed(), &[&full, &last]);
    same_tables(&tables(&out), &tables(&quiet.join("out")));
}
