//! Replays the seeds that fuzzing has left: what once reached new code must go on holding.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod fuzzed;

use std::path::Path;

fn replay(target: &str, hold: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target);
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    names.sort();
    assert!(names.len() > 20, "{target}: {} seeds", names.len());
    for name in names {
        // The name is shown if a seed fails.
        println!("{}", name.display());
        hold(&std::fs::read(&name).unwrap());
    }
}

#[test]
fn positions() {
    replay("fen", fuzzed::fen);
}

#[test]
fn moves() {
    replay("moves", fuzzed::moves);
}

#[test]
fn traces() {
    replay("trace", fuzzed::trace);
}

#[test]
fn rule_sets() {
    replay("ruleset", fuzzed::ruleset);
}
