//! `rules_speed WHAT RULESET ROUNDS`: does one thing over and over, for callgrind. Prints how many of them a round is.
//!
//! Two runs of different ROUNDS subtracted give the instructions of a unit without those of starting up;
//! `tools/bench_rules.py` does that. For `bulk`, `made` and `bare`, ROUNDS is the depth and the number printed that of
//! the leaves. The positions of the others are those of random games with fixed seeds.

use std::hint::black_box;
use std::sync::Arc;

use notation::read::{Word, match_plain};
use notation::{fen, san, trace};
use rules::{CountState, LegalMove, Line, Position, Ruleset, UciMove, perft, perft_made};

const GAMES: u64 = 40;
const LONGEST: u32 = 240;

struct Ply {
    before: Position,
    mv: LegalMove,
    after: Position,
    count: CountState,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [what, id, rounds] = args.as_slice() else {
        return Err("usage: rules_speed WHAT RULESET ROUNDS".into());
    };
    let rules = Ruleset::builtin(id)?;
    let rounds: u32 = rounds.parse()?;
    let units = match what.as_str() {
        "bulk" => perft(&rules.start(), rounds),
        "made" => perft_made(&rules.start(), rounds, true),
        "bare" => perft_made(&rules.start(), rounds, false),
        _ => over_and_over(what, &rules, rounds)?,
    };
    println!("{units}");
    Ok(())
}

fn over_and_over(what: &str, rules: &Arc<Ruleset>, rounds: u32) -> Result<u64, String> {
    let games: Vec<Vec<Ply>> = (1..=GAMES).map(|seed| game(rules, seed)).collect();
    let plies: Vec<&Ply> = games.iter().flatten().collect();
    let requests: Vec<String> = games.iter().map(|game| request(game)).collect();
    let tokens: Vec<String> = plies
        .iter()
        .map(|ply| san::write(&ply.before, ply.mv))
        .collect();
    let lines: Vec<Line> = plies
        .iter()
        .map(|ply| Line::new(rules, ply.before, CountState::NONE))
        .collect();
    let mut writer = fen::Writer::new();
    for _ in 0..rounds {
        match what {
            "fen" => plies.iter().for_each(|ply| {
                black_box(writer.write(&ply.after, &ply.count, rules));
            }),
            "san" => plies.iter().for_each(|ply| {
                black_box(san::of(&ply.before, ply.mv));
            }),
            "read" => lines.iter().zip(&tokens).for_each(|(line, token)| {
                black_box(Word::new(token.as_bytes()).and_then(|word| match_plain(word, line)));
            }),
            "legal" => plies.iter().for_each(|ply| {
                black_box(ply.before.legal_moves());
            }),
            "resolve" => plies.iter().for_each(|ply| {
                black_box(ply.before.resolve(UciMove::from(ply.mv.raw())));
            }),
            "line" => games.iter().for_each(|game| {
                let mut line = Line::from_start(rules);
                game.iter().for_each(|ply| {
                    line.push(ply.mv);
                });
                black_box(&line);
            }),
            "trace" => requests.iter().for_each(|request| {
                black_box(trace::run(request, rules, false));
            }),
            _ => return Err(format!("`{what}` is nothing that is measured")),
        }
    }
    Ok(plies.len() as u64)
}

/// A game of random moves, up to its first ending.
fn game(rules: &Arc<Ruleset>, seed: u64) -> Vec<Ply> {
    let mut line = Line::from_start(rules);
    let mut state = seed;
    let mut plies = Vec::new();
    while line.ended().is_none() && line.plies().0 < LONGEST {
        let before = *line.position();
        let legal = before.legal_moves();
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mv = legal[(state >> 33) as usize % legal.len()];
        line.push(mv);
        plies.push(Ply {
            before,
            mv,
            after: *line.position(),
            count: *line.count_state(),
        });
    }
    plies
}

fn request(game: &[Ply]) -> String {
    let moves: Vec<String> = game.iter().map(|ply| ply.mv.to_string()).collect();
    serde_json::json!({"id": 1, "moves": moves}).to_string()
}
