//! Every row of the perft table up to ten million nodes, and those beyond where the whole table lies
//! beside the repository.
//!
//! The numbers come from Fairy-Stockfish (c19b5f6c); see the fairy rule sets. Rows run in parallel.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use rules::{Ruleset, perft};

fn check_row(row: &str) -> Result<(), String> {
    let fields: Vec<_> = row.split('\t').collect();
    let [variant, fen, depth, nodes, _category] = *fields else {
        return Err(format!("not a row: {row}"));
    };
    let position = support::position(fen, &support::fairy(variant));
    let got = perft(&position, depth.parse().unwrap());
    let want: u64 = nodes.parse().unwrap();
    (got == want)
        .then_some(())
        .ok_or(format!("{row}: got {got}"))
}

#[test]
fn every_row() {
    let mut rows: Vec<&str> = include_str!("perft.tsv").lines().skip(1).collect();
    assert_eq!(rows.len(), 654);
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/goldens/perft.tsv"
    );
    let whole = std::fs::read_to_string(path).unwrap_or_default();
    let known: HashSet<&str> = rows.iter().copied().collect();
    rows.extend(whole.lines().skip(1).filter(|row| !known.contains(row)));
    // The longest first, so that no thread is left with one at the end.
    rows.sort_by_key(|row| {
        let nodes: u64 = row.split('\t').nth(3).unwrap().parse().unwrap();
        std::cmp::Reverse(nodes)
    });
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut wrong = Vec::new();
                    while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
                        wrong.extend(check_row(row).err());
                    }
                    wrong
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn start_positions() {
    for (id, depth, nodes) in [
        ("makruk", 4, 273_026),
        ("makruk", 5, 6_223_994),
        ("ouk", 4, 361_719),
        ("ouk", 5, 8_597_966),
    ] {
        let rules = Ruleset::builtin(id).unwrap();
        assert_eq!(perft(&rules.start(), depth), nodes, "{id} depth {depth}");
    }
}
