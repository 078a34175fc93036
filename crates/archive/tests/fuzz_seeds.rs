//! What the fuzzer began with and what it found, each time again.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod fuzzed;
mod util;

use std::{fs, path::Path};

fn seeds(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        check(&fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn containers() {
    seeds("container", fuzzed::container);
}

#[test]
fn dialects() {
    seeds("dialect", fuzzed::dialect);
}

#[test]
fn texts() {
    seeds("text", fuzzed::text);
}
