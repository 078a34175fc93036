//! Input that is no archive, or hardly one: the run ends in order, says what is wrong, and reads the rest.

mod common;

use std::fs;
use std::path::Path;

use common::{nabsak, root, run_to, tables};

const GOOD: &str =
    "[Event \"good\"]\n[Variant \"makruk\"]\n[Result \"*\"]\n\n1. e4 d5 2. exd5 exd5 *\n\n";

/// A game of 20,000 plies: ruas to and fro.
fn endless() -> String {
    let mut text = String::from("[Event \"endless\"]\n[Variant \"makruk\"]\n[Result \"*\"]\n\n");
    for number in (1..=10_000).step_by(2) {
        text.push_str(&format!("{number}. Ra2 Ra7 {}. Ra1 Ra8\n", number + 1));
    }
    text.push_str("*\n");
    text
}

fn write_inputs(dir: &Path) {
    let file =
        |name: &str, bytes: &[u8]| fs::write(dir.join(name), bytes).expect("the input is written");
    file("good.pgn", GOOD.as_bytes());
    file("empty.pgn", b"");
    file(
        "binary.pgn",
        &(0..40_000_u32)
            .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
            .collect::<Vec<_>>(),
    );
    file(
        "picture.pgn",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01",
    );
    file("line.pgn", &vec![b'x'; 10 << 20]);
    file("endless.pgn", endless().as_bytes());
    file(
        "nul.pgn",
        GOOD.replace("exd5 exd5", "exd5\0\0 exd5").as_bytes(),
    );
    file(
        "kingless.pgn",
        b"[Event \"k\"]\n[Variant \"makruk\"]\n[FEN \"8/8/8/8/8/8/8/R7 w - - 0 1\"]\n[SetUp \"1\"]\n[Result \"*\"]\n\n1. Ra2 *\n",
    );
    let whole = fs::read(root().join("crates/archive/tests/data/dump.pgn.zst"));
    let whole = whole.expect("the sample archive is there");
    file("cut.pgn.zst", &whole[..whole.len() - 40]);
}

#[test]
fn a_bad_file_costs_itself_only() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    write_inputs(&inputs);
    let out = dir.path().join("out");
    let (summary, err) = run_to(0, nabsak().arg("audit").arg(&inputs).arg("--out").arg(&out));
    assert!(summary.contains("Report:"), "{summary}\n{err}");
    assert!(!tables(&out).is_empty());
    let page = fs::read_to_string(out.join("report.html")).expect("the page is there");
    for archive in [
        "empty.pgn",
        "binary.pgn",
        "picture.pgn",
        "line.pgn",
        "kingless.pgn",
        "cut.pgn.zst",
    ] {
        assert!(page.contains(archive), "the page says nothing of {archive}");
    }
}

#[test]
fn nothing_to_read_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    let (_, err) = run_to(
        3,
        nabsak()
            .arg("audit")
            .arg(dir.path())
            .arg("--out")
            .arg(dir.path().join("out")),
    );
    assert!(err.contains("no archive found"), "{err}");
}

#[test]
fn a_wrong_job_file_names_the_line_and_the_nearest_key() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("job.toml");
    let cases = [
        (
            "name = \"x\"\n[input]\narchives = [\"a\"]\n[analysis]\nnode = 5\n[output]\ndir = \"o\"\n",
            "5",
            "nodes",
        ),
        (
            "name = \"x\"\n[input]\narchives = [\"a\"]\n[analysis]\ngames = \"every\"\n[output]\ndir = \"o\"\n",
            "5",
            "all",
        ),
        (
            "name = \"x\"\n[input]\narchives = [\"a\"]\n[rules]\nmakruk = \"makruk-fary\"\n[output]\ndir = \"o\"\n",
            "5",
            "makruk-fairy",
        ),
    ];
    for (text, line, nearest) in cases {
        fs::write(&path, text).expect("the job file is written");
        let (_, err) = run_to(2, nabsak().arg("run").arg(&path));
        assert!(
            err.contains(&format!("job.toml:{line}")) || err.contains(&format!("line {line}")),
            "{err}"
        );
        assert!(err.contains(nearest), "{err}");
    }
}

#[test]
fn an_audit_fails_on_what_it_is_told_to() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("game.pgn");
    fs::write(&file, GOOD.replace("exd5 exd5", "exd5 Rh3")).expect("the input is written");
    let audit = |level: &str, code: i32| {
        let out = dir.path().join(level);
        run_to(
            code,
            nabsak()
                .arg("audit")
                .arg(&file)
                .args(["--fail-on", level])
                .arg("--out")
                .arg(out),
        )
    };
    audit("error", 1);
    audit("critical", 0);
    let (_, err) = run_to(
        2,
        nabsak()
            .arg("audit")
            .arg(&file)
            .args(["--fail-on", "errors"]),
    );
    assert!(err.contains("critical"), "{err}");
}
