//! Each class by hand, and random archives against comparing every game with every other.

use std::collections::BTreeMap;
use std::convert::Infallible;

use super::relation;
use super::relation::Named;
use super::*;

struct List(Vec<GameRecord>);

impl GameRecords for List {
    type Error = Infallible;

    fn each(&self, visit: &mut dyn FnMut(u32, GameRecord)) -> Result<(), Infallible> {
        (0..)
            .zip(&self.0)
            .for_each(|(at, game)| visit(at, game.clone()));
        Ok(())
    }
}

fn game(id: u8, moves: impl IntoIterator<Item = u16>, players: &str, date: &str) -> GameRecord {
    let (white, black) = players.split_once('-').unwrap_or(("", ""));
    let known = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    GameRecord {
        start: 1,
        moves: moves.into_iter().collect(),
        white: known(white),
        black: known(black),
        date: known(date),
        round: None,
        dialect: "pgn".to_owned(),
        id: [id; 16],
    }
}

fn found(games: Vec<GameRecord>) -> Vec<(DuplicateClass, u8, u8)> {
    let Ok(found) = duplicates(&List(games), DuplicateLimits::default());
    let short = |found: &Duplicate| (found.class, found.canonical[0], found.id[0]);
    found.iter().map(short).collect()
}

#[test]
fn one_game_in_three_records() {
    let mut other = game(1, 0..56, "somchai -malee", "2026-01-02");
    other.dialect = "playok".to_owned();
    let records = vec![
        game(3, 0..56, "Somchai-Malee", "2026-01-02"),
        other,
        game(2, 0..56, "Somchai-Malee ", "2026-01-02"),
        // Its first 50 plies.
        game(4, 0..50, "Somchai-Malee", "2026-01-02"),
    ];
    assert_eq!(
        found(records),
        [
            (DuplicateClass::OtherDialect, 1, 1),
            (DuplicateClass::OtherDialect, 1, 2),
            (DuplicateClass::OtherDialect, 1, 3),
            (DuplicateClass::Prefix, 1, 1),
            (DuplicateClass::Prefix, 1, 4),
        ]
    );
}

#[test]
fn each_class() {
    let pair = |one: GameRecord, other: GameRecord| {
        let classes: Vec<_> = found(vec![one, other]).iter().map(|row| row.0).collect();
        classes.first().copied()
    };
    let base = || game(1, 0..60, "a-b", "2026");
    let edited = |at: &[usize]| {
        let mut other = game(2, 0..60, "a-b", "2026");
        at.iter().for_each(|&at| other.moves[at] = 999);
        other
    };
    assert_eq!(
        pair(base(), game(2, 0..60, "a-b", "2026")),
        Some(DuplicateClass::Exact)
    );
    assert_eq!(
        pair(base(), game(2, 0..60, "b-a", "2026")),
        Some(DuplicateClass::ColoursSwapped)
    );
    assert_eq!(
        pair(base(), game(2, 0..60, "c-d", "2026")),
        Some(DuplicateClass::SameMoves)
    );
    assert_eq!(
        pair(base(), game(2, 0..60, "a-b", "2025")),
        Some(DuplicateClass::SameMoves)
    );
    assert_eq!(
        pair(base(), game(2, 0..41, "c-d", "2025")),
        Some(DuplicateClass::Prefix)
    );
    assert_eq!(pair(base(), game(2, 0..39, "c-d", "2025")), None);
    assert_eq!(
        pair(base(), game(2, 0..10, "a-b", "2026")),
        Some(DuplicateClass::Prefix)
    );
    assert_eq!(pair(base(), edited(&[0, 59])), Some(DuplicateClass::Near));
    assert_eq!(pair(base(), edited(&[14, 15])), Some(DuplicateClass::Near));
    assert_eq!(
        pair(base(), edited(&[0, 30, 59])),
        Some(DuplicateClass::SamePlayers)
    );
    assert_eq!(
        pair(base(), game(2, 100..160, "a-b", "2026")),
        Some(DuplicateClass::SamePlayers)
    );
    // Twelve plies that two pairs of players have in common are an opening.
    assert_eq!(
        pair(game(1, 0..12, "a-b", "2026"), game(2, 0..12, "c-d", "2026")),
        None
    );
    let round = |id, round: &str| GameRecord {
        round: Some(round.to_owned()),
        ..game(id, (0..60).map(|ply| ply * u16::from(id)), "a-b", "2026")
    };
    assert_eq!(pair(round(1, "1"), round(2, "2")), None);
    // Nobody known, nothing in common but the lack of it.
    assert_eq!(pair(game(1, 0..0, "", ""), game(2, 0..0, "", "")), None);
    assert_eq!(pair(game(1, 0..30, "", ""), game(2, 50..80, "", "")), None);
}

/// Small numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

fn archive(seed: u64) -> Vec<GameRecord> {
    let mut dice = Dice(seed);
    let names = ["a-b", "b-a", "c-d", ""];
    let mut games: Vec<GameRecord> = Vec::new();
    for id in 0..60u8 {
        let mut record = match games.len() {
            // A copy of an earlier game, cut, edited or under other names.
            1.. if dice.roll(3) > 0 => {
                let mut copy = games[dice.roll(games.len() as u64) as usize].clone();
                match dice.roll(4) {
                    0 => copy.moves.truncate(dice.roll(80) as usize),
                    1 | 2 => {
                        for _ in 0..=dice.roll(3) {
                            let at = dice.roll(copy.moves.len().max(1) as u64) as usize;
                            copy.moves
                                .iter_mut()
                                .skip(at)
                                .take(1)
                                .for_each(|mv| *mv ^= 1);
                        }
                    }
                    _ => {}
                }
                copy
            }
            _ => {
                let length = dice.roll(90);
                let first = dice.roll(3) as u16 * 1000;
                game(id, (0..length).map(|ply| first + ply as u16), "", "")
            }
        };
        if dice.roll(2) == 0 {
            let players = names[dice.roll(4) as usize];
            let date = ["2026", "2025", ""][dice.roll(3) as usize];
            record = game(id, record.moves, players, date);
        }
        record.id = [id; 16];
        games.push(record);
    }
    games
}

type Edge = (DuplicateClass, [u8; 16], [u8; 16], bool);

/// The groups that pairs make: the smallest id spreads along the pairs until nothing changes.
fn slowly_grouped(edges: &[Edge]) -> Vec<Duplicate> {
    let mut smallest = BTreeMap::new();
    let mut mixed = BTreeMap::new();
    for (class, one, other, _) in edges {
        for id in [one, other] {
            smallest.insert((*class, *id), *id);
            mixed.insert((*class, *id), false);
        }
    }
    loop {
        let before = (smallest.clone(), mixed.clone());
        for (class, one, other, differ) in edges {
            let (a, b) = ((*class, *one), (*class, *other));
            let (low, any) = (
                smallest[&a].min(smallest[&b]),
                mixed[&a] | mixed[&b] | differ,
            );
            for key in [a, b] {
                smallest.insert(key, low);
                mixed.insert(key, any);
            }
        }
        if before == (smallest.clone(), mixed.clone()) {
            break;
        }
    }
    let of = |(&(class, id), &canonical): (&(DuplicateClass, [u8; 16]), &[u8; 16])| Duplicate {
        class: match class {
            DuplicateClass::Exact if mixed[&(class, id)] => DuplicateClass::OtherDialect,
            class => class,
        },
        canonical,
        id,
    };
    let mut found: Vec<Duplicate> = smallest.iter().map(of).collect();
    found.sort_unstable();
    found
}

#[test]
fn keys_miss_nothing_and_passes_change_nothing() {
    for seed in 0..30 {
        let games = archive(seed);
        let mut edges = Vec::new();
        let relation = |one: &GameRecord, other: &GameRecord| {
            relation::relation(&Named::new(one.clone()), &Named::new(other.clone()))
        };
        let exact = |one: &GameRecord, other: &GameRecord| {
            one.id < other.id && relation(one, other) == Some(DuplicateClass::Exact)
        };
        let heads = |game: &&GameRecord| !games.iter().any(|other| exact(other, game));
        for one in &games {
            let twins = games.iter().filter(|other| exact(one, other));
            let edge =
                |class, other: &GameRecord| (class, one.id, other.id, one.dialect != other.dialect);
            edges.extend(twins.map(|other| edge(DuplicateClass::Exact, other)));
            for other in games.iter().filter(heads).filter(|_| heads(&one)) {
                let class = relation(one, other).filter(|_| one.id < other.id);
                edges.extend(class.map(|class| edge(class, other)));
            }
        }
        let want = slowly_grouped(&edges);
        let mut turned = games.clone();
        turned.reverse();
        for (games, keys, records) in [(games, 4_000_000, 100_000), (turned, 37, 5)] {
            let Ok(got) = duplicates(&List(games), DuplicateLimits { keys, records });
            assert_eq!(got, want, "seed {seed}");
        }
    }
}
