//! `replay_speed FILE ROUNDS WHAT [RULESET]`: one thing over and over, for callgrind. Prints how many moves a round has.
//!
//! Two runs of different ROUNDS subtracted give the instructions of a round without those of starting up. WHAT is `read`
//! (text to raw games), `replay` (raw games, read once, to replayed ones) or `whole` (text to replayed games). With
//! RULESET all games of its variant are bound to it; with `nameless` after that, hashes are left out.

use std::hint::black_box;
use std::io::Cursor;
use std::sync::Arc;

use archive::{Games, Item, RawGame, ReaderSettings, Start, open};
use replay::{Judge, Place, Replay, replay};
use rules::Ruleset;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [file, rounds, what, bound @ ..] = args.as_slice() else {
        return Err(
            "usage: replay_speed FILE ROUNDS read|replay|whole [RULESET [nameless]]".into(),
        );
    };
    let (text, rounds, mut judge): (Arc<[u8]>, _, _) = (
        std::fs::read(file)?.into(),
        rounds.parse()?,
        Judge::default(),
    );
    if bound.len() > 1 {
        judge.nameless();
    }
    if let [id, ..] = bound {
        let rules = Ruleset::builtin(id)?;
        judge.bind(rules.variant(), rules.id())?;
    }
    let mut games = Vec::new();
    each(&text, |raw| games.push(raw))?;
    let plies = |replayed: Replay| replayed.game().map_or(0, |game| game.plies.len());
    let mut moves = 0;
    for _ in 0..rounds {
        moves = 0;
        match what.as_str() {
            "read" => each(&text, |raw| moves += black_box(raw).moves().count())?,
            "replay" => games.iter().for_each(|raw| {
                moves += plies(black_box(replay(raw, &Place::nowhere(), &judge)));
            }),
            "whole" => each(&text, |raw| {
                moves += plies(black_box(replay(&raw, &Place::nowhere(), &judge)));
            })?,
            _ => return Err(format!("`{what}` is nothing that is measured").into()),
        }
    }
    println!("{moves}");
    Ok(())
}

fn each(
    text: &Arc<[u8]>,
    mut take: impl FnMut(Box<RawGame>),
) -> Result<(), Box<dyn std::error::Error>> {
    let settings = ReaderSettings::default();
    let opened = open(Box::new(Cursor::new(Arc::clone(text))), &settings)?;
    for item in Games::new(opened.reader, Start::BEGINNING, &settings) {
        if let Item::Game(raw) = item? {
            take(raw);
        }
    }
    Ok(())
}
