//! Quiet play: moves that take, threaten and check nothing and repeat nothing thrice.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

use rules::{LegalMove, Line, Plies, Ruleset};

/// Moves in UCI from a FEN: first the given ones, then quiet ones, so many plies in all. The same moves whatever the rule
/// set's counts say.
pub fn moves(fen: &str, id: &str, first: &str, plies: u32) -> Vec<String> {
    let rules = Ruleset::builtin(id).unwrap();
    let start = notation::fen::parse(fen, &rules).unwrap();
    let mut line = Line::new(&rules, start.position, rules::CountState::NONE);
    let mut played = Vec::new();
    for text in first.split_whitespace() {
        let mv = line.position().resolve(text.parse().unwrap()).expect(text);
        line.push(mv);
        played.push(text.to_owned());
    }
    let mut stack = vec![(line, played)];
    let mut seed: u64 = 64;
    loop {
        let (line, played) = stack.last().unwrap();
        if line.plies() >= Plies(plies) {
            return played.clone();
        }
        let legal = line.position().legal_moves();
        let next: Vec<(Line, LegalMove)> = legal
            .iter()
            .filter_map(|&mv| Some((step(line, mv)?, mv)))
            .collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        match next.get((seed >> 33) as usize % next.len().max(1)) {
            Some((line, mv)) => {
                let mut played = played.clone();
                played.push(mv.to_string());
                stack.push((line.clone(), played));
            }
            None => stack.truncate(stack.len().saturating_sub(12).max(1)),
        }
    }
}

fn step(line: &Line, mv: LegalMove) -> Option<Line> {
    let mut after = line.clone();
    after.push(mv);
    let position = after.position();
    let replies = position.legal_moves();
    let calm = !position.in_check()
        && !replies.is_empty()
        && !replies.iter().any(|&reply| position.is_capture(reply))
        && !line.position().is_capture(mv);
    (calm && after.repetitions() < 3).then_some(after)
}

/// A record of moves in UCI.
pub fn record(variant: &str, fen: &str, tags: &str, moves: &[String], result: &str) -> String {
    let mut text =
        format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n{tags}[Result \"{result}\"]\n\n");
    for (index, mv) in moves.iter().enumerate() {
        text.push_str(mv);
        text.push(if index % 10 == 9 { '\n' } else { ' ' });
    }
    text.push_str(result);
    text.push('\n');
    text
}
