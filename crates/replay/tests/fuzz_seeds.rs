//! What the fuzzer began with and what it found, each time again.
#![allow(
    clippy::unwrap_used,
    reason = "a test that finds nothing to unwrap has failed"
)]

mod fuzzed;

use std::{fs, path::Path};

#[test]
fn games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds/games");
    let mut count = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        println!("{}", path.display());
        fuzzed::games(&fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 0);
}
