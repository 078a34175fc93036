//! Says which build this is: a hash over the sources of every crate, the lock file, the compiler and its target. `nabsak` and
//! `nabsak-worker` of one build say the same, wherever they were compiled from the same sources, with git or without.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What of a crate is no part of its build.
const LEFT_OUT: [&str; 5] = ["tests", "fuzz", "benches", "examples", "target"];

fn main() {
    let root = PathBuf::from(env("CARGO_MANIFEST_DIR")).join("../..");
    let mut hasher = blake3::Hasher::new();
    let mut files = vec![root.join("Cargo.toml"), root.join("Cargo.lock")];
    for krate in entries(&root.join("crates")) {
        for part in entries(&krate) {
            let name = part.file_name().unwrap_or_default().to_string_lossy();
            if !LEFT_OUT.contains(&name.as_ref()) && !name.starts_with('.') {
                walk(&part, &mut files);
            }
        }
    }
    for file in &files {
        let name = file.strip_prefix(&root).unwrap_or(file);
        add(&mut hasher, name.to_string_lossy().as_bytes());
        add(&mut hasher, &fs::read(file).unwrap_or_default());
        println!("cargo::rerun-if-changed={}", file.display());
    }
    // A new file in a folder changes the folder.
    println!("cargo::rerun-if-changed={}", root.join("crates").display());
    let compiler = Command::new(env("RUSTC")).arg("-vV").output();
    add(
        &mut hasher,
        &compiler.map(|told| told.stdout).unwrap_or_default(),
    );
    for name in ["TARGET", "PROFILE", "CARGO_ENCODED_RUSTFLAGS"] {
        add(&mut hasher, env(name).as_bytes());
    }
    let id = hasher.finalize().to_hex();
    println!("cargo::rustc-env=NABSAK_BUILD={}", &id[..16]);
}

fn env(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// With its length, so that two fields cannot be taken for others.
fn add(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes());
    hasher.update(bytes);
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

fn walk(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        entries(path).iter().for_each(|entry| walk(entry, files));
    } else {
        files.push(path.to_owned());
    }
}
