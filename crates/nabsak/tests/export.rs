//! `nabsak export`, as a user types it.

mod common;

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use common::{nabsak, root, run_to};

fn audit(paths: &[&Path], out: &Path) {
    let mut command = nabsak();
    command.arg("audit").args(paths).arg("--out").arg(out);
    let (code, _, err) = common::run(&mut command);
    assert!(code == 0 || code == 3, "{err}");
}

fn pgn(out: &Path) -> String {
    let (text, _) = run_to(0, nabsak().args(["export", "--counts"]).arg(out));
    text
}

#[test]
fn original_bytes_read_again_are_the_same_games() {
    let dir = tempfile::tempdir().expect("a folder");
    let (out, again) = (dir.path().join("out"), dir.path().join("again"));
    audit(&[&root().join("demo")], &out);
    let all = dir.path().join("all.pgn");
    let (_, said) = run_to(
        0,
        nabsak()
            .args(["export", "--as", "original", "--out"])
            .args([&all, &out]),
    );
    audit(&[&all], &again);
    // Games that are not whole are written too: the PGN form leaves out as many of both.
    let (before, after) = (pgn(&out), pgn(&again));
    assert!(said.contains(" games written"), "{said}");
    assert!(before.len() > 100_000);
    for (left, right) in before.split("\n\n").zip(after.split("\n\n")) {
        assert_eq!(left, right);
    }
    assert_eq!(before.len(), after.len());
}

/// A zip with a packed file in a folder, and one file in UTF-16.
fn zipped(path: &Path) {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let wide = |text: &str| -> Vec<u8> {
        let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
        units.flat_map(u16::to_le_bytes).collect()
    };
    for (name, text) in [
        ("a/1.pgn", b"[Variant \"Makruk\"]\n\n1. e4 e5 2. Md2 *\n\n[Variant \"Makruk\"]\n\n1. c4 c5 2. Nd2 *".to_vec()),
        ("b.pgn", wide("[Variant \"Makruk\"]\n\n1. d4 d5 *\n")),
    ] {
        zip.start_file(name, options).expect("a file");
        zip.write_all(&text).expect("its text");
    }
    fs::write(path, zip.finish().expect("a zip").into_inner()).expect("the zip is written");
}

#[test]
fn a_zip_can_be_replayed_and_its_games_taken_out() {
    let dir = tempfile::tempdir().expect("a folder");
    let archive = dir.path().join("games.zip");
    zipped(&archive);
    let (sheet, _) = run_to(
        0,
        nabsak().arg("replay").arg(&archive).args(["--game", "2"]),
    );
    assert!(sheet.contains("games.zip, a/1.pgn, game 2"), "{sheet}");
    assert!(sheet.contains("Nd2"), "{sheet}");
    let (sheet, _) = run_to(
        0,
        nabsak().arg("replay").arg(&archive).args(["--game", "3"]),
    );
    assert!(sheet.contains("games.zip, b.pgn, game 1"), "{sheet}");
    assert!(sheet.contains("utf-16le"), "{sheet}");

    let out = dir.path().join("out");
    audit(&[&archive], &out);
    let export = || {
        let mut command = nabsak();
        command.args(["export", "--as", "original"]).arg(&out);
        command
    };
    let (text, said) = run_to(0, &mut export());
    assert_eq!(
        text,
        "[Variant \"Makruk\"]\n\n1. e4 e5 2. Md2 *\n\n[Variant \"Makruk\"]\n\n1. c4 c5 2. Nd2 *\n\n"
    );
    assert!(
        said.contains("2 games written\n1 not written: games, lists of positions, JSON and UTF-16"),
        "{said}"
    );

    // Moved, then changed.
    let moved = dir.path().join("moved");
    fs::create_dir(&moved).expect("a folder");
    fs::rename(&archive, moved.join("games.zip")).expect("it is moved");
    let (_, said) = run_to(3, &mut export());
    assert!(said.contains("no archive found"), "{said}");
    let (there, _) = run_to(0, export().arg("--input").arg(&moved));
    assert_eq!(there, text);
    fs::write(
        moved.join("games.zip"),
        b"[Variant \"Makruk\"]\n\n1. f4 *\n",
    )
    .expect("another");
    let (nothing, said) = run_to(3, export().arg("--input").arg(&moved));
    assert_eq!(nothing, "");
    assert!(
        said.contains("3 not written: games.zip is not as the run read it"),
        "{said}"
    );
    run_to(2, export().arg("--counts"));
}

#[test]
fn records_of_one_kind_go_into_one_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        fs::write(dir.path().join(name), text).expect("an archive");
    };
    let records = "{\"variant\":\"makruk\",\"moves\":[\"c3c4\",\"f6f5\"]}\n{\"variant\":\"makruk\",\"moves\":[\"e3e4\"]}\n";
    write("a.jsonl", records);
    let (first, again) = (dir.path().join("first"), dir.path().join("again"));
    let out = dir.path().join("out.jsonl");
    audit(&[&dir.path().join("a.jsonl")], &first);
    let export = |from: &Path| {
        let mut command = nabsak();
        command
            .args(["export", "--as", "original", "--out"])
            .args([&out])
            .arg(from);
        run_to(0, &mut command).1
    };
    assert!(export(&first).starts_with("2 games written"));
    audit(&[&out], &again);
    assert!(pgn(&first).contains("1. e4"));
    assert_eq!(pgn(&first), pgn(&again));

    // Beside them a game and a position would be lost.
    write("b.pgn", "[Variant \"Makruk\"]\n\n1. e4 e5 *\n");
    write(
        "makruk.epd",
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\n",
    );
    let all = dir.path().join("all");
    let files = ["a.jsonl", "b.pgn", "makruk.epd"].map(|name| dir.path().join(name));
    audit(&files.each_ref().map(|file| file.as_path()), &all);
    let said = export(&all);
    assert!(
        said.starts_with("2 games written\n2 not written: games, lists"),
        "{said}"
    );
}

#[cfg(unix)]
#[test]
fn what_stands_beside_a_written_file_stays() {
    let dir = tempfile::tempdir().expect("a folder");
    let archive = dir.path().join("a.pgn");
    fs::write(&archive, "[Variant \"Makruk\"]\n\n1. e4 e5 *\n").expect("an archive");
    let out = dir.path().join("out");
    audit(&[&archive], &out);
    let export = |to: &str| {
        let mut command = nabsak();
        command
            .current_dir(dir.path())
            .args(["export", "--out", to])
            .arg(&out);
        run_to(0, &mut command)
    };
    fs::write(dir.path().join("games.part"), "mine").expect("a file");
    fs::write(dir.path().join("old.pgn"), "old").expect("a file");
    std::os::unix::fs::symlink("old.pgn", dir.path().join("link.pgn")).expect("a link");
    export("games.pgn");
    export("link.pgn");
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).expect("it is there");
    assert_eq!(read("games.part"), "mine");
    assert!(read("games.pgn").contains("1. e4 e5"));
    assert_eq!(read("old.pgn"), read("games.pgn"));
    assert!(dir.path().join("link.pgn").is_symlink());
    export("/dev/null");
    let null = fs::metadata("/dev/null").expect("the device is there");
    assert!(!null.is_file());
    let names = fs::read_dir(dir.path()).expect("the folder").flatten();
    let parts = names.filter(|entry| entry.file_name().to_string_lossy().ends_with(".part"));
    assert_eq!(parts.count(), 1);
}
