//! The job files that ship with the program, each run over the demo archives, so that what they promise is what happens.

mod common;

use std::fs;

use common::{nabsak, root, run, run_to};

/// Runs a job of `jobs/` over the demo into a folder of the test's, with less analysis; gives its standard output.
fn over_the_demo(name: &str, more: &[&str]) -> (tempfile::TempDir, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("out").display().to_string();
    let demo = root().join("demo").display().to_string();
    let mut command = nabsak();
    command
        .arg("run")
        .arg(root().join("jobs").join(name))
        .args(["--set", &format!("input.archives=[{demo:?}]")])
        .args(["--set", &format!("output.dir={out}")]);
    for set in more {
        command.args(["--set", set]);
    }
    let (code, said, err) = run(&mut command);
    assert_eq!(code, 0, "{said}\n{err}");
    assert!(dir.path().join("out/report.html").exists());
    assert!(said.contains("commit "), "{said}");
    (dir, said)
}

#[test]
fn nightly() {
    let figures = tempfile::tempdir().expect("a folder");
    let metrics = figures.path().join("nightly.prom");
    let set = format!("run.metrics={}", metrics.display());
    let (_dir, said) = over_the_demo("nightly.toml", &["analysis.nodes=20", &set]);
    assert!(said.contains("34 archives"), "{said}");
    let figures = fs::read_to_string(metrics).expect("the textfile is written");
    for name in ["nabsak_exit_status", "nabsak_run_end_time_seconds"] {
        assert!(
            figures.contains(name),
            "{name} of the job file's comment: {figures}"
        );
    }
}

#[test]
fn federation_audit() {
    let (dir, said) = over_the_demo("federation-audit.toml", &[]);
    let folder = |table: &str| {
        let parts = fs::read_dir(dir.path().join("out").join(table)).expect("the table is there");
        parts.count()
    };
    assert!(folder("verdicts") > 0, "{said}");
    assert!(said.contains("makruk-ttakji"), "{said}");
}

#[test]
fn monthly_report() {
    let (_dir, said) = over_the_demo(
        "monthly-report.toml",
        &["analysis.nodes=20", "input.include=[\"playok/**\"]"],
    );
    assert!(said.contains("25 archives"), "{said}");
}

/// What a run will cost is told from past runs, and what a deadline left is told with its share; both name the way on.
#[test]
fn estimates_and_deadlines_are_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    let copy = |name: &str| {
        fs::copy(root().join("demo").join(name), inputs.join(name)).expect("it is copied");
    };
    copy("defects.pgn");
    let more = "[analysis]\nnodes = 300\n[run]\nsearch_chunk_s = 1\n";
    let path = common::job(dir.path(), &inputs, more);
    let file = path.display().to_string();
    let dry = || run_to(0, nabsak().args(["run", &file, "--dry-run"])).0;
    let said = dry();
    assert!(said.contains("unknown, no run yet"), "{said}");
    assert!(
        said.contains("How long it takes in all is unknown"),
        "{said}"
    );
    run_to(0, nabsak().args(["run", &file]));
    assert!(dry().contains("Nothing is left"), "{}", dry());
    copy("thai-club.pgn");
    let said = dry();
    let search = said.lines().find(|line| line.contains("plies: about "));
    assert!(search.is_some(), "{said}");
    // On a quick machine the first run's index and replay are over before their pace can be told: then the sum is not told either.
    let sum = match said.contains("long enough to measure") {
        true => "How long it takes in all is unknown.",
        false => " in all.",
    };
    assert!(said.contains(sum), "{said}");
    assert_eq!(said.matches(" in all").count(), 1, "{said}");
    let (said, _) = run_to(
        4,
        nabsak()
            .args(["run", &file, "--set", "run.deadline=1s"])
            .args(["--set", "analysis.nodes=30000"]),
    );
    assert!(said.contains("plies analysed ("), "{said}");
    assert!(said.contains("To go on: nabsak --quiet run "), "{said}");
    // The pieces that took long are named, here and on the page.
    let page = fs::read_to_string(dir.path().join("out/report.html")).expect("the page");
    assert!(page.contains("Slowest pieces of the last run"), "{page}");
}
