//! Lines to test with.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part of what they share"
)]

use std::sync::Arc;

use notation::fen;
use rules::{LegalMove, Line, Ruleset, UciMove};

/// A builtin rule set.
pub fn ruleset(id: &str) -> Arc<Ruleset> {
    Ruleset::builtin(id).expect("a builtin rule set")
}

/// The line of a FEN.
pub fn line(id: &str, fen: &str) -> Line {
    let rules = ruleset(id);
    let start = fen::parse(fen, &rules).expect("a good FEN");
    Line::new(&rules, start.position, start.count_state)
}

/// A legal move by its UCI name.
pub fn legal(line: &Line, uci: &str) -> LegalMove {
    let wish: UciMove = uci.parse().expect("the form of a move");
    line.position()
        .resolve(wish)
        .unwrap_or_else(|| panic!("{uci} is legal in {:?}", line.position()))
}

/// A line from the start position.
pub fn played(id: &str, moves: &str) -> Line {
    let mut line = Line::from_start(&ruleset(id));
    for uci in moves.split_whitespace() {
        let mv = legal(&line, uci);
        line.push(mv);
    }
    line
}

/// A makruk game of 56 plies, from its start.
pub const GAME: &str = "c1b2 e6e5 d1e2 e8e7 e3e4 a6a5 a1a2 g6g5 b3b4 a5b4 h3h4 b4c3m h4g5 c6c5 g5g6m a8a3 e1f2 f6f5 \
    e2d1 f5e4 f3e4 a3a2 g6h7 c5c4 b2c3 a2a3 h1h6 c4d3m h6g6 h8h7 g6e6 e7f7 e6d6 g8f6 d6d3 h7h4 g3h4 a3a5 c3c4 a5c5 \
    h4h5 c8d7 f1e2 c5c7 d3e3 d7c8 e2f3 f6e4 f3e4 f7g8 f2g3 f8g7 h5h6m g8h8 g1e2 c7a7";
