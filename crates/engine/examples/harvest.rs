//! Quiet positions of self-play games with their results, for tuning: `harvest RULE_SET GAMES NODES SEED THREADS`.
//!
//! One line a position: `FEN;result (2 White won, 1 draw, 0 Black won);score for White in centipawns`.

use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::selfplay::{Dice, Pairing, Player, play};
use engine::{Builtin, BuiltinSettings, Score};
use notation::fen;
use rules::{Color, GameResult, Line, Ruleset};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [id, games, nodes, seed, threads] = args.as_slice() else {
        return Err("harvest RULE_SET GAMES NODES SEED THREADS".into());
    };
    let rules = Ruleset::builtin(id)?;
    let (games, nodes, seed): (u64, u64, u64) = (games.parse()?, nodes.parse()?, seed.parse()?);
    let next = AtomicU64::new(0);
    let work = || {
        let mut engine = Builtin::new(&BuiltinSettings { hash_mib: 1 });
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return;
            }
            let mut dice = Dice::new(seed * 1_000_003 + number);
            let mut player = || Player {
                nodes: nodes / 2 + dice.below(nodes),
                slips: 15,
                resigns_at: Some(1500),
                agrees_from: Some(160),
                counts: false,
                flags: 0,
            };
            let players = [player(), player()];
            let pairing = Pairing {
                rules: std::sync::Arc::clone(&rules),
                players,
                opening_plies: 10,
                longest: 300,
                seed: dice.roll(),
            };
            let record = play(&mut engine, &pairing);
            let result = match record.result {
                GameResult::WhiteWins => 2,
                GameResult::Draw => 1,
                GameResult::BlackWins => 0,
            };
            let mut line = Line::from_start(&rules);
            let mut text = String::new();
            for ply in &record.plies {
                let pos = line.position();
                let quiet = !pos.in_check()
                    && !pos.is_capture(ply.mv)
                    && !ply.mv.is_promotion()
                    && !ply.slip;
                let armed = Color::ALL.into_iter().all(|color| !pos.is_bare(color));
                if let (true, true, Some(Score::Cp(cp))) = (quiet, armed, ply.score) {
                    let white = if pos.turn() == Color::White { cp } else { -cp };
                    if white.abs() < 3000 {
                        text.push_str(&format!("{};{result};{white}\n", fen::write_position(pos)));
                    }
                }
                line.push(ply.mv);
            }
            if std::io::stdout().lock().write_all(text.as_bytes()).is_err() {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.parse().unwrap_or(1) {
            scope.spawn(work);
        }
    });
    Ok(())
}
