//! Objects of the output that are not what was written: readers say so and what to do, and a run makes them anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::common::{job, nabsak as plain, run_to, same_tables, tables};
use crate::night::{Night, inputs, nabsak, record};

const SMALL: &str = "[analysis]\nnodes = 50\n";

/// Its name, the table that it strikes, how, and what readers say of it.
type Fault<'a> = (&'a str, &'a str, &'a dyn Fn(&Path), &'a str);

fn part(out: &Path, table: &str) -> PathBuf {
    let mut parts: Vec<PathBuf> = fs::read_dir(out.join(table))
        .expect("the table's folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    parts.sort();
    parts.remove(0)
}

fn write(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).expect("the object is written");
}

#[test]
fn what_is_damaged_is_named_by_readers_and_made_anew_by_a_run() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["defects.pgn", "thai-club.pgn"]);
    let job = job(dir.path(), &inputs, SMALL);
    let out = dir.path().join("out");
    run_to(0, plain().arg("run").arg(&job));
    let wanted = tables(&out);
    let cut = |path: &Path| {
        let bytes = fs::read(path).expect("the part is read");
        write(path, &bytes[..bytes.len() / 2]);
    };
    let garble = |path: &Path| {
        let mut bytes = fs::read(path).expect("the part is read");
        let middle = bytes.len() / 2;
        bytes[middle - 40..middle].fill(0xff);
        write(path, &bytes);
    };
    let gone = |path: &Path| fs::remove_file(path).expect("the part is removed");
    let faults: [Fault<'_>; 5] = [
        ("a part cut off", "games", &cut, "bytes instead of"),
        ("a part gone", "plies", &gone, "it is gone"),
        (
            "a part of evaluations cut off",
            "evaluations",
            &cut,
            "bytes instead of",
        ),
        ("a statistic cut off", "openings", &cut, "bytes instead of"),
        ("a part gone", "findings", &gone, "it is gone"),
    ];
    for (number, (fault, table, strike, words)) in faults.into_iter().enumerate() {
        let path = part(&out, table);
        strike(&path);
        let at = Instant::now();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let sql = format!("SELECT count(*) FROM {table}");
        for reader in [
            plain().arg("query").arg(&out).arg(&sql),
            plain().arg("report").arg(&out),
        ] {
            let (_, err) = run_to(5, reader);
            assert!(err.contains(&name) && err.contains(words), "{err}");
            assert!(err.contains("Run the job again"), "{err}");
        }
        let noticed = at.elapsed();
        let log = dir.path().join(format!("{number}.log"));
        let night = Night::run(0, nabsak().arg("run").arg(&job), log);
        record(
            &format!("{fault} ({table})"),
            noticed,
            at.elapsed(),
            &[&night],
        );
        same_tables(&tables(&out), &wanted);
    }
    // Damage that changes no length is met when the part is read.
    let path = part(&out, "games");
    garble(&path);
    let (_, err) = run_to(5, plain().arg("report").arg(&out));
    assert!(err.contains("not those that its name promises"), "{err}");
    let (_, err) = run_to(
        5,
        plain()
            .arg("query")
            .arg(&out)
            .args(["SELECT * FROM games", "--format", "json"]),
    );
    assert!(err.contains("not those that its name promises"), "{err}");
    let second = dir.path().join("in/korat-open.pgn");
    fs::copy(crate::common::root().join("demo/korat-open.pgn"), &second).expect("it is copied");
    let at = Instant::now();
    let night = Night::run(
        0,
        nabsak().arg("run").arg(&job),
        dir.path().join("garbled.log"),
    );
    assert!(night.says("removed: it is made anew"), "{}", night.text());
    record(
        "a part with other bytes of the same length",
        at.elapsed(),
        at.elapsed(),
        &[&night],
    );
    let quiet = dir.path().join("quiet");
    fs::create_dir(&quiet).expect("a folder");
    run_to(
        0,
        plain()
            .arg("run")
            .arg(crate::common::job(&quiet, &dir.path().join("in"), SMALL)),
    );
    same_tables(&tables(&out), &tables(&quiet.join("out")));
    // The same where nothing is new, and so nothing of it has to be read but for the page.
    garble(&part(&out, "games"));
    let (_, err) = run_to(0, plain().arg("run").arg(&job));
    assert!(err.contains("damaged, and made anew"), "{err}");
    same_tables(&tables(&out), &tables(&quiet.join("out")));
    // A receipt that was cut off: its chunk is done again.
    let receipt = part(&out, "_nabsak/receipts/replay");
    cut(&receipt);
    let night = Night::run(
        0,
        nabsak().arg("run").arg(&job),
        dir.path().join("receipt.log"),
    );
    assert!(
        night.says("damaged: the chunk is done again"),
        "{}",
        night.text()
    );
    same_tables(&tables(&out), &tables(&quiet.join("out")));
}

#[test]
fn a_page_is_replaced_as_a_whole_or_not_at_all() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["defects.pgn"]);
    let job = job(dir.path(), &inputs, "[analysis]\nengine = \"none\"\n");
    run_to(0, plain().arg("run").arg(&job));
    let pages = dir.path().join("pages");
    fs::create_dir(&pages).expect("a folder");
    let page = pages.join("page.html");
    write(&page, b"the old page");
    let report = || {
        let mut report = plain();
        report
            .arg("report")
            .arg(dir.path().join("out"))
            .arg("--html")
            .arg(&page);
        report
    };
    // A reader that has the old page open keeps it whole; a limit on the size of files stops the new one in its middle.
    let mut limited = std::process::Command::new("sh");
    let line = format!(
        "ulimit -f 4; exec {:?} report {:?} --html {:?}",
        env!("CARGO_BIN_EXE_nabsak"),
        dir.path().join("out"),
        page
    );
    let status = limited.arg("-c").arg(line).status().expect("sh runs");
    assert!(!status.success());
    assert_eq!(fs::read(&page).expect("it is read"), b"the old page");
    run_to(0, &mut report());
    assert!(
        fs::read_to_string(&page)
            .expect("it is read")
            .contains("</html>")
    );
}
