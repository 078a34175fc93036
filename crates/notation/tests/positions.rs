//! Positions as text: dialects, repairs, refusals, and text -> position -> text.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use notation::fen::{self, FenError, FenNote, Reading};
use rules::{Color, CountKind, Ruleset};

/// What a text reads as: the position in the written form, or the error.
fn read(text: &str, id: &str) -> Result<(String, Vec<FenNote>), FenError> {
    let rules = Ruleset::builtin(id).unwrap();
    let start = fen::parse(text, &rules)?;
    let written = fen::write_state(&start.position, &start.count_state, &rules);
    Ok((written, start.notes))
}

#[test]
fn who_counts_in_a_fen() {
    let rules = Ruleset::builtin("makruk").unwrap();
    let count = |text: &str| {
        let start = fen::parse(text, &rules).unwrap();
        let count = start.count_state.count(&rules).unwrap();
        (count.kind, count.side, count.number.0, count.limit.0)
    };
    assert_eq!(
        count("8/1r3k2/8/8/8/8/3K2R1/4N3 b - 128 12 40"),
        (CountKind::Board, Color::Black, 6, 64)
    );
    assert_eq!(
        count("8/1r3k2/8/8/8/8/3K2R1/4N3 w - 128 13 40"),
        (CountKind::Board, Color::Black, 7, 64)
    );
    assert_eq!(
        count("7k/8/8/8/8/8/R7/1R4K1 b - 16 10 30"),
        (CountKind::Pieces, Color::Black, 5, 8)
    );
}

#[test]
fn every_row_of_the_table() {
    let table = include_str!("fen_dialects.tsv");
    let rows = table.lines().filter(|row| !row.starts_with('#'));
    let (mut seen, mut wrong) = (0, Vec::new());
    for row in rows {
        let columns: Vec<_> = row.split('\t').collect();
        let [id, reading, text, want, notes] = columns[..] else {
            panic!("a row has five columns: {row}");
        };
        let reading = match reading {
            "strict" => Reading::Strict,
            "lenient" => Reading::Lenient,
            "ren" => Reading::Ren,
            "makruk-js" => Reading::MakrukJs,
            _ => panic!("no reading: {reading}"),
        };
        let text = text.replace("\\t", "\t").replace("\\r", "\r");
        let text = text.replace("\\n", "\n");
        let rules = Ruleset::builtin(id).unwrap();
        let (got, found) = match fen::parse_as(&text, &rules, reading) {
            Err(error) => (format!("!{error}"), String::new()),
            Ok(start) => {
                let found: Vec<_> = start.notes.iter().map(FenNote::to_string).collect();
                let full = fen::write_full_state(&start.position, &start.count_state, &rules);
                (full, found.join(" | "))
            }
        };
        if (got.as_str(), found.as_str()) != (want, notes) {
            wrong.push(format!("{row}\n  got {got}\n      {found}"));
        }
        seen += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 120, "{seen}");
}

#[test]
fn hostile_text_is_refused_without_panic() {
    let long = "8/".repeat(100_000);
    let wide = format!("{}/8/8/8/8/8/8/8 w - - 0 1", "K".repeat(70_000));
    let samples = [
        "\0",
        "ก/8/8/8/8/8/8/8 w",
        "~/8/8/8/8/8/8/8 w",
        "////////",
        &long,
        &wide,
    ];
    for text in samples {
        for id in Ruleset::builtin_ids() {
            assert!(read(text, id).is_err());
        }
    }
}

#[test]
fn kar_ouk_has_a_field_more() {
    let (written, _) = read("3k4/8/8/8/8/4R3/8/4K3 w - - 1+1 0 1", "kar-ouk").unwrap();
    assert_eq!(written, "3k4/8/8/8/8/4R3/8/4K3 w - - 1+1 0 1");
    // Missing on input = 1+1.
    let (written, _) = read("3k4/8/8/8/8/4R3/8/4K3 w - - 0 1", "kar-ouk").unwrap();
    assert_eq!(written, "3k4/8/8/8/8/4R3/8/4K3 w - - 1+1 0 1");
}
