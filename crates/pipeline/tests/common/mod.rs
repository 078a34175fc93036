//! What the tests of whole runs share: games made by the rules, jobs over temporary folders, and the bytes that come out.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

pub mod faulty;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pipeline::{Job, RunOptions, RunOutcome};
use rules::{Line, Ruleset};

/// A small generator of the same numbers everywhere.
#[derive(Debug)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }
}

/// A game of legal moves without a plan, as pychess would write it.
pub fn game(rule_set: &str, variant: &str, seed: u64, plies: usize) -> String {
    let rules = Ruleset::builtin(rule_set).unwrap();
    let mut line = Line::from_start(&rules);
    let mut dice = Dice::new(seed + 1);
    let mut moves = String::new();
    for ply in 0..plies {
        let legal = line.position().legal_moves();
        if legal.is_empty() || line.ended().is_some() {
            break;
        }
        let mv = legal[dice.below(legal.len())];
        if ply % 2 == 0 {
            moves.push_str(&format!("{}. ", ply / 2 + 1));
        }
        moves.push_str(&notation::san::write(line.position(), mv));
        moves.push(' ');
        line.push(mv);
    }
    let result = match line.ended() {
        Some(ended) => ended.result.as_str(),
        None => ["1-0", "0-1", "1/2-1/2"][dice.below(3)],
    };
    format!(
        "[Event \"Test {seed}\"]\n[Site \"nowhere\"]\n[Date \"2026.{:02}.{:02}\"]\n[White \"player {}\"]\n[Black \"player {}\"]\n\
         [WhiteElo \"{}\"]\n[BlackElo \"{}\"]\n[Variant \"{variant}\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n",
        seed % 12 + 1,
        seed % 28 + 1,
        seed % 7,
        seed % 5 + 7,
        1200 + seed % 700,
        1300 + seed % 500,
    )
}

/// Games of both kinds.
pub fn archive(seeds: std::ops::Range<u64>) -> String {
    seeds
        .map(|seed| {
            if seed % 4 == 3 {
                game("ouk", "Cambodian", seed, 40)
            } else {
                game("makruk", "Makruk", seed, 40)
            }
        })
        .collect()
}

/// A folder with an input and room for outputs.
#[derive(Debug)]
pub struct Place {
    pub dir: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Place {
        let place = Place {
            dir: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(place.input()).unwrap();
        place
    }

    /// With three archives: plain, zstd, and one below a folder.
    pub fn with_games() -> Place {
        let place = Place::new();
        place.write("a.pgn", archive(0..12).as_bytes());
        place.write(
            "b.pgn.zst",
            &zstd::encode_all(archive(12..20).as_bytes(), 3).unwrap(),
        );
        place.write("sub/c.pgn", archive(20..24).as_bytes());
        place
    }

    pub fn input(&self) -> PathBuf {
        self.dir.path().join("in")
    }

    pub fn out(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.input().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// A quick job from the input into `out`.
    pub fn job(&self, out: &str, overrides: &[&str]) -> Job {
        job(
            &self.input().display().to_string(),
            &self.out(out).display().to_string(),
            overrides,
        )
    }
}

pub fn job(input: &str, output: &str, overrides: &[&str]) -> Job {
    let text = format!(
        "name = \"test\"\n[input]\narchives = [\"{input}\"]\n[analysis]\nnodes = 60\nhash_mib = 1\n[output]\ndir = \"{output}\"\n\
         [run]\nthreads = 2\nsearch_chunk_s = 1\n"
    );
    let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
    Job::parse("test.toml", &text, &overrides).unwrap()
}

pub fn run(job: &Job) -> RunOutcome {
    pipeline::run(job, &RunOptions::default()).unwrap()
}

/// Every part of every table but `runs`, with its bytes.
pub fn tables(out: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(out).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        if !folder.is_dir() || name == "_nabsak" || name == "runs" {
            continue;
        }
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let part = path.file_name().unwrap().to_str().unwrap();
            if unfinished(part) {
                continue;
            }
            found.insert(format!("{name}/{part}"), fs::read(&path).unwrap());
        }
    }
    found
}

/// What a killed process was writing; no reader takes it for an object, and a later clean-up sweeps it.
fn unfinished(name: &str) -> bool {
    name.starts_with(".tmp-")
}

/// Two outputs hold the same bytes under the same names; says which differ.
pub fn assert_same(one: &Path, two: &Path) {
    let (one, two) = (tables(one), tables(two));
    let names = |map: &BTreeMap<String, Vec<u8>>| map.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&two));
    let other: Vec<&String> = one
        .iter()
        .filter(|(name, bytes)| two[*name] != **bytes)
        .map(|(name, _)| name)
        .collect();
    assert!(other.is_empty(), "parts of other bytes: {other:?}");
    assert!(!one.is_empty());
}

/// Files below a folder of the output.
pub fn files(out: &Path, below: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![out.join(below)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if !unfinished(path.file_name().unwrap().to_str().unwrap()) {
                found.push(path.strip_prefix(out).unwrap().display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// What a run did of each stage.
pub fn done(outcome: &RunOutcome) -> u64 {
    outcome.stages.values().map(|tally| tally.done).sum()
}
