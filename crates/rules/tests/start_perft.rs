//! Perft from the start positions (RULES' reference numbers).
#![allow(clippy::unwrap_used)]

use rules::{Ruleset, perft};

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
