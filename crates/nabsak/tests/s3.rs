//! The program against a real S3 server: from bucket to bucket gives the bytes of the local run, and what is wrong is said.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use common::{job, nabsak, root, run_to, same_tables, tables};
use store::Store;
use store::testing::SeaweedFs;

const SMALL: &str = "[analysis]\nnodes = 100\n";

fn with(command: &mut Command, server: &SeaweedFs) {
    command.envs(server.env());
}

fn s3_job(dir: &Path, input: &str, output: &str) -> std::path::PathBuf {
    let path = dir.join("s3.toml");
    let text = format!(
        "name = \"test\"\n[input]\narchives = [{input:?}]\n[output]\ndir = {output:?}\n{SMALL}"
    );
    fs::write(&path, text).expect("the job file is written");
    path
}

/// The tables but `runs` below a prefix.
fn tables_in(store: &dyn Store) -> BTreeMap<String, Vec<u8>> {
    let entries = store.list("").expect("the bucket is listed");
    entries
        .iter()
        .filter(|entry| entry.key.ends_with(".parquet"))
        .filter(|entry| !entry.key.starts_with('_') && !entry.key.starts_with("runs/"))
        .map(|entry| {
            (
                entry.key.clone(),
                store.get(&entry.key).expect("the part is read").to_vec(),
            )
        })
        .collect()
}

#[test]
fn from_bucket_to_bucket_gives_the_bytes_of_the_local_run() {
    let server = SeaweedFs::start();
    let archives = server.store("archives");
    let dir = tempfile::tempdir().expect("a folder");
    let local = dir.path().join("in");
    fs::create_dir(&local).expect("a folder");
    for name in ["defects.pgn", "playok"] {
        copy(&root().join("demo").join(name), &local, name, &archives);
    }
    run_to(0, nabsak().arg("run").arg(job(dir.path(), &local, SMALL)));
    let wanted = tables(&dir.path().join("out"));

    let s3 = s3_job(dir.path(), "s3://games/archives", "s3://games/results");
    let mut command = nabsak();
    with(&mut command, &server);
    let (summary, _) = run_to(0, command.arg("run").arg(&s3));
    assert!(
        summary.contains("s3://games/results/report.html"),
        "{summary}"
    );
    same_tables(&wanted, &tables_in(&server.store("results")));

    let mut again = nabsak();
    with(&mut again, &server);
    let (summary, _) = run_to(0, again.arg("run").arg(&s3));
    assert!(summary.contains("nothing new"), "{summary}");
}

fn copy(from: &Path, to: &Path, key: &str, bucket: &dyn Store) {
    if from.is_dir() {
        let to = to.join(from.file_name().unwrap_or_default());
        fs::create_dir(&to).expect("a folder");
        for entry in fs::read_dir(from).expect("the folder is read").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            copy(&entry.path(), &to, &format!("{key}/{name}"), bucket);
        }
        return;
    }
    let bytes = fs::read(from).expect("the archive is read");
    fs::write(to.join(from.file_name().unwrap_or_default()), &bytes)
        .expect("the archive is copied");
    bucket
        .put(key, bytes.into())
        .expect("the archive is uploaded");
}

#[test]
fn what_is_wrong_with_the_service_is_said() {
    let mut server = SeaweedFs::start();
    server
        .store("archives")
        .put("a.pgn", "[Variant \"makruk\"]\n\n1. e4 *\n".into())
        .expect("the archive is uploaded");
    let dir = tempfile::tempdir().expect("a folder");
    let good = s3_job(dir.path(), "s3://games/archives", "s3://games/results");

    let mut command = nabsak();
    with(&mut command, &server);
    let (_, err) = run_to(
        5,
        command
            .env("AWS_SECRET_ACCESS_KEY", "wrong")
            .arg("run")
            .arg(&good),
    );
    assert!(
        err.contains("AWS_SECRET_ACCESS_KEY") || err.contains("secret"),
        "{err}"
    );

    let bad = s3_job(
        dir.path(),
        "s3://no-such-bucket/archives",
        "s3://games/results",
    );
    let mut command = nabsak();
    with(&mut command, &server);
    let (_, err) = run_to(5, command.arg("run").arg(&bad));
    assert!(err.contains("no-such-bucket"), "{err}");

    let bad = s3_job(
        dir.path(),
        "s3://games/no-such-prefix",
        "s3://games/results",
    );
    let mut command = nabsak();
    with(&mut command, &server);
    let (_, err) = run_to(3, command.arg("run").arg(&bad));
    assert!(err.contains("no-such-prefix"), "{err}");

    let good = s3_job(dir.path(), "s3://games/archives", "s3://games/results");
    server.kill();
    let mut command = nabsak();
    with(&mut command, &server);
    let (_, err) = run_to(5, command.arg("run").arg(&good));
    assert!(err.contains("the same command goes on"), "{err}");

    server.restart();
    let mut command = nabsak();
    with(&mut command, &server);
    run_to(0, command.arg("run").arg(&good));
}
