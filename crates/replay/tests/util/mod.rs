//! Reading test files into replays.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

use std::path::{Path, PathBuf};
pub mod quiet;
pub mod writer;

use archive::{Games, Item, ReaderSettings, Start, open};
use replay::{Finding, FindingCode, Judge, Place, Replay, ReplayedGame};

/// A file below `tests/`.
pub fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(path)
}

/// All games of a file, replayed.
pub fn file(path: &Path, judge: &Judge) -> Vec<Replay> {
    let bytes = std::fs::read(path).unwrap();
    bytes_of(bytes, &path.file_name().unwrap().to_string_lossy(), judge)
}

/// All games of some bytes, replayed.
pub fn bytes_of(bytes: Vec<u8>, name: &str, judge: &Judge) -> Vec<Replay> {
    bytes_under(bytes, name, &ReaderSettings::default(), judge)
}

/// All games of a file, as if it had another path.
pub fn file_named(path: &Path, name: &str) -> Vec<Replay> {
    bytes_of(std::fs::read(path).unwrap(), name, &Judge::default())
}

/// All games of some bytes, replayed, under settings of the reader.
pub fn bytes_under(
    bytes: Vec<u8>,
    name: &str,
    settings: &ReaderSettings,
    judge: &Judge,
) -> Vec<Replay> {
    let opened = open(Box::new(std::io::Cursor::new(bytes)), settings).unwrap();
    let mut replays = Vec::new();
    for item in Games::new(opened.reader, Start::BEGINNING, settings) {
        match item.unwrap() {
            Item::Game(raw) => {
                let place = Place {
                    archive: name.to_owned(),
                    member: None,
                    ordinal: raw.ordinal,
                    byte_offset: raw.byte_offset,
                    byte_length: raw.byte_length,
                };
                replays.push(replay::replay(&raw, &place, judge));
            }
            Item::Unreadable(unreadable) => panic!("{name}: {unreadable:?}"),
            Item::End(_) => {}
        }
    }
    replays
}

/// The games of a case's file.
pub fn case(path: &str) -> Vec<Replay> {
    file(&here(&format!("cases/{path}")), &Judge::default())
}

/// The only game of a text.
pub fn text(text: &str, judge: &Judge) -> Replay {
    let mut replays = bytes_of(text.as_bytes().to_vec(), "text.pgn", judge);
    assert_eq!(replays.len(), 1, "{text}");
    replays.remove(0)
}

/// The accepted game.
pub fn accepted(replay: &Replay) -> &ReplayedGame {
    match replay {
        Replay::Accepted(game) => game,
        other => panic!("not accepted: {:?}", other.findings()),
    }
}

/// The first finding with a code.
pub fn finding(replay: &Replay, code: FindingCode) -> &Finding {
    let found = replay
        .findings()
        .iter()
        .find(|finding| finding.code == code);
    found.unwrap_or_else(|| panic!("no {code}: {:#?}", replay.findings()))
}

/// Whether there is a finding with a code.
pub fn has(replay: &Replay, code: FindingCode) -> bool {
    replay.findings().iter().any(|finding| finding.code == code)
}

/// The texts that `expected.md` gives in backticks after a label, in order.
pub fn expected(case: &str, label: &str) -> Vec<String> {
    let text = std::fs::read_to_string(here(&format!("cases/{case}/expected.md"))).unwrap();
    let marker = format!("{label}: `");
    text.lines()
        .filter_map(|line| line.split_once(&marker))
        .filter_map(|(_, rest)| rest.split_once('`'))
        .map(|(value, _)| value.to_owned())
        .collect()
}

/// Holds accepted games against the moves and final positions of `expected.md`.
pub fn as_expected(case: &str, replays: &[Replay]) {
    let (moves, finals) = (expected(case, "moves"), expected(case, "final position"));
    assert_eq!(replays.len(), moves.len(), "{case}");
    for ((replay, moves), fen) in replays.iter().zip(&moves).zip(&finals) {
        let game = accepted(replay);
        assert_eq!(&game.moves_uci(), moves, "{case}");
        assert_eq!(&game.final_fen, fen, "{case}");
    }
}
