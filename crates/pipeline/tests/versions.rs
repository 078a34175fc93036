//! The versions beside the code are part of every key: output that changes without one of them would be taken for what it was.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Place, run, tables};

/// One hash over all parts of a small archive, with the versions they were made under.
const KNOWN: &str = "tests/versions.txt";

#[test]
fn output_changes_only_with_a_version() {
    let place = Place::with_games();
    run(&place.job("out", &[]));
    let mut hasher = blake3::Hasher::new();
    for (name, bytes) in tables(&place.out("out")) {
        // The key in a name changes with the version; what is in the parts must not change without one.
        hasher.update(name.split('/').next().unwrap().as_bytes());
        hasher.update(blake3::hash(&bytes).as_bytes());
    }
    let versions = pipeline::versions();
    let found = format!("{versions}\n{}\n", hasher.finalize().to_hex());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(KNOWN);
    if std::env::var_os("NABSAK_BLESS").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == found,
        "the parts of a small archive are other bytes than {KNOWN} knows.\nknown:\n{known}found:\n{found}\
         Raise the version of what changed (REPLAY_VERSION, SEARCH_VERSION, ASSEMBLE_VERSION, AGGREGATE_VERSION, the contract or the \
         curve), then write the file anew: NABSAK_BLESS=1 cargo test --release -p nabsak-pipeline --test versions"
    );
}
