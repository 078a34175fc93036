//! replay(write(game)) == game, in every dialect's letters; and games of a length no person plays.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::collections::BTreeSet;

use archive::Dialect;
use replay::{FindingCode, Judge, Replay};
use rules::{LegalMove, Ruleset, Variant};
use util::accepted;
use util::writer::{self, Random, Style, random_game, record};

fn tags(variant: Variant, style: Style) -> &'static str {
    match (variant, style) {
        (Variant::Makruk, Style::PlayOk) => "[Site \"PlayOK\"]\n",
        (Variant::Makruk, _) => "[Variant \"Makruk\"]\n",
        (Variant::Ouk, _) => "[Variant \"Cambodian\"]\n",
        (Variant::KarOuk, _) => "[Variant \"Karouk\"]\n",
    }
}

#[test]
fn random_games_come_back_in_every_dialect() {
    let mut random = Random(20_261_130);
    for round in 0..60 {
        for id in ["makruk", "ouk", "kar-ouk"] {
            let rules = Ruleset::builtin(id).unwrap();
            let moves = random_game(&rules, 20 + 10 * (round % 30), &mut random);
            let mut hashes = BTreeSet::new();
            for style in Style::ALL {
                if style == Style::PlayOk && id != "makruk" {
                    continue;
                }
                let text = record(&rules, &moves, style, tags(rules.variant(), style), "*");
                let replay = util::text(&text, &Judge::default());
                let game = accepted(&replay);
                let back: Vec<LegalMove> = game.plies.iter().map(|ply| ply.mv).collect();
                assert_eq!(back, moves, "{id} {style:?}\n{text}");
                let spelled = style == Style::Standard || style == Style::PlayOk;
                let tolerated = util::has(&replay, FindingCode::MoveTolerated)
                    || util::has(&replay, FindingCode::CheckMarkWrong);
                assert!(
                    !spelled || !tolerated,
                    "{id} {style:?} {:#?}\n{text}",
                    replay.findings()
                );
                hashes.insert(game.moves_hash);
            }
            assert_eq!(hashes.len(), 1);
        }
    }
}

/// One game in every dialect is one game: the same moves, the same hash, the same promoted bia on the last board.
#[test]
fn one_game_in_every_dialect() {
    let mut random = Random(20_261_201);
    let (mut thai, mut told) = (0, 0);
    for round in 0..40 {
        for id in ["makruk", "ouk"] {
            let rules = Ruleset::builtin(id).unwrap();
            let moves = random_game(&rules, 30 + 5 * (round % 30), &mut random);
            let mut seen = BTreeSet::new();
            for &dialect in Dialect::ALL {
                let of_one = match dialect {
                    Dialect::Epd | Dialect::Ren => continue,
                    Dialect::PlayOk | Dialect::MakrukJs => id == "makruk",
                    Dialect::KhmerClient => id == "ouk",
                    _ => true,
                };
                if !of_one {
                    continue;
                }
                let text = writer::in_dialect(&rules, &moves, dialect);
                let mut settings = archive::ReaderSettings::default();
                if matches!(dialect, Dialect::MakrukJs | Dialect::HandTyped) {
                    settings.dialect = Some(dialect);
                }
                let replays =
                    util::bytes_under(text.clone().into_bytes(), "x", &settings, &Judge::default());
                assert_eq!(replays.len(), 1, "{dialect:?}\n{text}");
                if dialect == Dialect::Numbered && replays[0].status() == "rejected" {
                    // Nobody's khun or met has moved in a way that its mirror image could not.
                    assert!(util::finding(&replays[0], FindingCode::AmbiguousMove).ply == Some(1));
                    continue;
                }
                told += u32::from(dialect == Dialect::Numbered);
                let game = match &replays[0] {
                    Replay::Accepted(game) => game,
                    other => panic!("{dialect:?} {:#?}\n{text}", other.findings()),
                };
                if !matches!(dialect, Dialect::Uci | Dialect::Pgn) {
                    assert_eq!(game.dialect, dialect, "{text}");
                }
                let back: Vec<LegalMove> = game.plies.iter().map(|ply| ply.mv).collect();
                assert_eq!(back, moves, "{dialect:?}\n{text}");
                seen.insert((game.moves_hash, game.final_fen.clone()));
            }
            assert_eq!(seen.len(), 1, "{id} {seen:?}");
            if id != "makruk" {
                continue;
            }
            // Short Thai moves are ambiguous by letter now and then; then they are not guessed.
            let replay = util::text(&writer::in_thai_short(&moves, &rules), &Judge::default());
            match &replay {
                Replay::Accepted(game) => {
                    seen.insert((game.moves_hash, game.final_fen.clone()));
                    assert_eq!(seen.len(), 1);
                    thai += 1;
                }
                _ => assert!(
                    util::has(&replay, FindingCode::AmbiguousMove),
                    "{:#?}",
                    replay.findings()
                ),
            }
        }
    }
    assert!(
        thai >= 30 && told >= 60,
        "{thai} of 40 in short Thai, {told} of 80 in numbers"
    );
}

#[test]
fn twenty_thousand_plies() {
    // Two ma that go round and round.
    let mut text = String::from("[Variant \"Makruk\"]\n\n");
    for index in 0..5_000 {
        text.push_str(&format!(
            "{}. Nd2 Nd7 {}. Nb1 Nb8\n",
            2 * index + 1,
            2 * index + 2
        ));
    }
    text.push_str("1-0\n");
    let replay = util::text(&text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.plies.len(), 20_000);
    assert!(util::has(&replay, FindingCode::RepetitionPlayedOn));
    assert!(game.findings.len() < 10, "{:#?}", game.findings);
}

#[test]
fn mutated_records_never_panic() {
    let mut random = Random(7);
    let rules = Ruleset::builtin("ouk").unwrap();
    for _ in 0..300 {
        let moves = random_game(&rules, 60, &mut random);
        let style = Style::ALL[random.below(4)];
        let style = if style == Style::PlayOk {
            Style::Standard
        } else {
            style
        };
        let mut bytes =
            record(&rules, &moves, style, tags(rules.variant(), style), "1-0").into_bytes();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.below(256) as u8,
                1 => bytes.insert(at, b"{}()[]\"%;=?-x+#1aK"[random.below(18)]),
                _ => {
                    bytes.remove(at);
                }
            }
        }
        let settings = archive::ReaderSettings::default();
        let opened = archive::open(Box::new(std::io::Cursor::new(bytes)), &settings).unwrap();
        for item in archive::Games::new(opened.reader, archive::Start::BEGINNING, &settings) {
            if let Ok(archive::Item::Game(raw)) = item {
                let replay = replay::replay(&raw, &replay::Place::nowhere(), &Judge::default());
                let _ = replay.status();
            }
        }
    }
}

/// Not a test of right or wrong: `cargo test --release -p nabsak-replay -- --ignored --nocapture speed`.
#[test]
#[ignore = "prints a speed"]
fn speed() {
    let mut random = Random(99);
    let rules = Ruleset::builtin("makruk").unwrap();
    let mut text = String::new();
    for _ in 0..2_000 {
        let moves = random_game(&rules, 120, &mut random);
        text.push_str(&record(
            &rules,
            &moves,
            Style::Standard,
            "[Event \"x\"]\n[Variant \"Makruk\"]\n",
            "1/2-1/2",
        ));
        text.push('\n');
    }
    let settings = archive::ReaderSettings::default();
    let judge = Judge::default();
    let begin = cpu();
    let opened =
        archive::open(Box::new(std::io::Cursor::new(text.into_bytes())), &settings).unwrap();
    let games: Vec<Box<archive::RawGame>> =
        archive::Games::new(opened.reader, archive::Start::BEGINNING, &settings)
            .filter_map(|item| match item.unwrap() {
                archive::Item::Game(raw) => Some(raw),
                _ => None,
            })
            .collect();
    let read = cpu() - begin;
    let begin = cpu();
    let mut plies = 0;
    for raw in &games {
        plies += replay::replay(raw, &replay::Place::nowhere(), &judge)
            .game()
            .unwrap()
            .plies
            .len();
    }
    let replayed = cpu() - begin;
    println!(
        "{} games, {plies} plies: read {read:?}, replayed {replayed:?}, {:.0} plies/s",
        games.len(),
        plies as f64 / replayed.as_secs_f64()
    );
}

/// CPU time of this thread, so that a busy machine does not blur the figure (Linux; elsewhere nothing).
fn cpu() -> std::time::Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|text| text.parse().ok());
    std::time::Duration::from_nanos(nanos.unwrap_or_default())
}
