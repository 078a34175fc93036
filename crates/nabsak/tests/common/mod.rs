//! What the tests of the program share: the built binary, small jobs, and the bytes of an output folder.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The built program.
pub(crate) fn nabsak() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nabsak"));
    command.stdin(Stdio::null()).arg("--quiet");
    command
}

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the project is there")
}

/// Runs, and gives exit code, standard output and standard error.
pub(crate) fn run(command: &mut Command) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the program speaks UTF-8");
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

/// Runs and insists on the exit code.
pub(crate) fn run_to(code: i32, command: &mut Command) -> (String, String) {
    let (got, out, err) = run(command);
    assert_eq!(
        got, code,
        "exit code of {command:?}\n--- stdout\n{out}\n--- stderr\n{err}"
    );
    (out, err)
}

/// A job file in `dir` that reads `archives` and writes `dir/out`.
pub(crate) fn job(dir: &Path, archives: &Path, more: &str) -> PathBuf {
    let path = dir.join("job.toml");
    let text = format!(
        "name = \"test\"\n[input]\narchives = [{:?}]\n[output]\ndir = {:?}\n{more}\n",
        archives.display().to_string(),
        dir.join("out").display().to_string(),
    );
    fs::write(&path, text).expect("the job file is written");
    path
}

/// Every file of an output folder that must not depend on how the run went, by path: the tables but `runs`.
pub(crate) fn tables(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for table in fs::read_dir(out).expect("the output folder is there") {
        let table = table.expect("the folder is read").path();
        let name = table
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !table.is_dir() || name == "runs" || name.starts_with('_') {
            continue;
        }
        for part in fs::read_dir(&table).expect("the table's folder is read") {
            let part = part.expect("the folder is read").path();
            let part_name = part
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            // An unfinished write that a killed run left; a later run sweeps it, and no reader's glob meets it.
            if part_name.starts_with(".tmp-") {
                continue;
            }
            files.insert(
                format!("{name}/{part_name}"),
                fs::read(&part).expect("the part is read"),
            );
        }
    }
    files
}

/// Receipts of one stage.
pub(crate) fn receipts(out: &Path, stage: &str) -> Vec<String> {
    let Ok(folder) = fs::read_dir(out.join("_nabsak/receipts").join(stage)) else {
        return Vec::new();
    };
    let mut names: Vec<_> = folder
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| !name.starts_with('.'))
        .collect();
    names.sort();
    names
}

/// Insists on the same parts with the same bytes.
pub(crate) fn same_tables(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(left), names(right));
    for (name, bytes) in left {
        assert!(right.get(name) == Some(bytes), "{name} differs");
    }
    assert!(!left.is_empty(), "there are no tables at all");
}
