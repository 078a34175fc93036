//! `nabsak runs restore`: an earlier state becomes the current one again, as long as its parts are there.

mod common;

use std::fs;

use common::{job, nabsak, root, run_to, tables};

#[test]
fn an_earlier_state_comes_back_or_it_is_said_what_is_gone() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    let copy = |name: &str| {
        fs::copy(root().join("demo").join(name), inputs.join(name)).expect("it is copied");
    };
    copy("defects.pgn");
    let kept = "keep_hours = 24\n[analysis]\nengine = \"none\"\n";
    let path = job(dir.path(), &inputs, kept);
    let out = dir.path().join("out");
    let run = || run_to(0, nabsak().arg("run").arg(&path));
    let games = || {
        let (text, _) = run_to(0, nabsak().arg("runs").args(["show"]).arg(&out));
        let line = text.lines().find(|line| line.starts_with("games "));
        line.expect("the table games").to_owned()
    };
    let restore = |code, number: &str| {
        run_to(
            code,
            nabsak().args(["runs", "restore"]).arg(&out).arg(number),
        )
    };
    run();
    let first = games();
    copy("thai-club.pgn");
    run();
    let second = games();
    assert_ne!(first, second);

    let (said, _) = restore(0, "2");
    assert!(said.contains("holds that state already"), "{said}");
    let (said, _) = restore(0, "1");
    assert!(
        said.contains("commit 3 holds the state of commit 1"),
        "{said}"
    );
    assert_eq!(games(), first);
    let views = fs::read_to_string(out.join("views.sql")).expect("the views are there");
    assert!(views.contains("Commit 3"), "{views}");
    let (list, _) = run_to(0, nabsak().args(["runs", "list"]).arg(&out));
    assert!(list.contains("restored-from-1"), "{list}");
    // What ran has run: both rows of the table stay, and the report still opens.
    run_to(0, nabsak().arg("report").arg(&out));
    let (_, err) = restore(2, "9");
    assert!(err.contains("no commit 9"), "{err}");

    // The next run commits what the input holds, and with no time to keep them the earlier parts go.
    let (said, _) = run_to(
        0,
        nabsak()
            .arg("run")
            .arg(&path)
            .args(["--set", "output.keep_hours=0"]),
    );
    assert!(said.contains("commit 4"), "{said}");
    assert_eq!(games(), second);
    let before = tables(&out);
    let (_, err) = restore(5, "1");
    assert!(err.contains("cannot be restored"), "{err}");
    assert!(err.contains("archives/"), "{err}");
    assert_eq!(tables(&out), before);
}
