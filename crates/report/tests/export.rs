//! Out as PGN and in again: the same moves and the same counts.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::path::{Path, PathBuf};

use archive::{Games, Item, ReaderSettings, Start, open};
use replay::{Judge, Place, Replay};
use report::{MoveLetters, NotPgn, PgnOptions, pgn};
use rules::Ruleset;
use tables::{AnalysisState, CountRow, FindingRow, GameRow, PlyRow, Status};

fn demo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../demo")
        .join(name)
}

fn replays(bytes: Vec<u8>) -> Vec<Replay> {
    let settings = ReaderSettings::default();
    let judge = Judge::default();
    let opened = open(Box::new(std::io::Cursor::new(bytes)), &settings).unwrap();
    let games = Games::new(opened.reader, Start::BEGINNING, &settings);
    games
        .filter_map(|item| match item.unwrap() {
            Item::Game(raw) => {
                let place = Place {
                    archive: "a.pgn".to_owned(),
                    member: None,
                    ordinal: raw.ordinal,
                    byte_offset: raw.byte_offset,
                    byte_length: raw.byte_length,
                };
                Some(replay::replay(&raw, &place, &judge))
            }
            _ => None,
        })
        .collect()
}

fn written(replay: &Replay, options: PgnOptions) -> Result<String, NotPgn> {
    let game = GameRow::new(replay, AnalysisState::None);
    let plies: Vec<PlyRow> = replay
        .game()
        .into_iter()
        .flat_map(PlyRow::of_game)
        .collect();
    let findings: Vec<FindingRow> = FindingRow::of_game(replay).collect();
    let id = game.rule_set.as_deref().unwrap_or("makruk");
    pgn(
        &game,
        &plies,
        &findings,
        &Ruleset::builtin(id).unwrap(),
        options,
    )
}

/// What must come back.
fn essence(replay: &Replay) -> (String, Option<String>, String, Vec<CountRow>) {
    let row = GameRow::new(replay, AnalysisState::None);
    let counts = replay.game().into_iter().flat_map(CountRow::of_game);
    let counts = counts
        .map(|count| CountRow {
            game_id: row.game_id,
            ..count
        })
        .collect();
    let result = row.result_declared.map(|result| format!("{result:?}"));
    (
        format!("{:?} {}", row.moves_hash, row.moves),
        result,
        row.final_fen.unwrap_or_default(),
        counts,
    )
}

const FULL: PgnOptions = PgnOptions {
    letters: MoveLetters::Latin,
    comments: true,
    counts: true,
    findings: true,
};

#[test]
fn out_and_in_again() {
    let bare = PgnOptions {
        comments: false,
        counts: false,
        findings: false,
        ..FULL
    };
    let mut games = 0;
    for name in [
        "korat-open.pgn",
        "thai-club.pgn",
        "engine-cup-ouk.pgn",
        "winboard-phnom-penh.pgn",
        "engine-league.pgn.gz",
    ] {
        for first in replays(std::fs::read(demo(name)).unwrap()) {
            if first.status() != "accepted" {
                assert!(matches!(written(&first, FULL), Err(NotPgn::NotWhole(_))));
                continue;
            }
            let thai = PgnOptions {
                letters: MoveLetters::Thai,
                ..FULL
            };
            for options in [FULL, bare, thai] {
                let text = written(&first, options).unwrap();
                let again = replays(text.clone().into_bytes());
                assert_eq!(again.len(), 1, "{text}");
                let (mut before, mut after) = (essence(&first), essence(&again[0]));
                let id = after.3.first().map(|count| count.game_id);
                before
                    .3
                    .iter_mut()
                    .for_each(|count| count.game_id = id.unwrap());
                assert_eq!(before, after, "{name}\n{text}");
                after.3.clear();
            }
            games += 1;
        }
    }
    assert!(games > 150, "{games}");
}

#[test]
fn marks_of_a_count_come_back() {
    let text = "[Variant \"Makruk\"]\n[FEN \"7k/8/8/8/3r4/8/2M5/K5R1 w - - 0 1\"]\n[SetUp \"1\"]\n[White \"A \\\"B\\\" \\\\ C\"]\n\n\
        1. Mb3 Rd5 {[%count start] [%clk 0:01:59.1] [%eval -1.50,12]} 2. Mc2 Rd4 3. Mb3 Rd5 {[%count stop]} 4. Mc2 Rd4 1/2-1/2\n";
    let first = replays(text.as_bytes().to_vec()).remove(0);
    let out = written(&first, FULL).unwrap();
    for part in [
        "[%count start] [%cnt 1/64] [%clk 0:01:59.1] [%eval",
        "[%cnt 2/64]",
        "[%count stop] [%cnt 3/64]",
        "[White \"A \\\"B\\\" \\\\ C\"]",
        "2. Mc2",
    ] {
        assert!(out.replace('\n', " ").contains(part), "{part}\n{out}");
    }
    let again = replays(out.into_bytes()).remove(0);
    let counts = |replay: &Replay| {
        let game = replay.game().unwrap();
        (game.counts.clone(), game.count_commands.clone())
    };
    assert_eq!(counts(&first), counts(&again));
    assert!(!counts(&first).0.is_empty());
    assert_eq!(
        GameRow::new(&again, AnalysisState::None).status,
        Status::Accepted
    );
}
