//! Positions as text: dialects, repairs, refusals, and text -> position -> text.
#![allow(clippy::unwrap_used)]

use notation::fen::{self, FenError, FenLetters, FenNote};
use rules::{Color, CountKind, PositionError, Ruleset};

const MAKRUK_START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
const OUK_START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1";

/// What a text reads as: the position in the written form, or the error.
fn read(text: &str, id: &str) -> Result<(String, Vec<FenNote>), FenError> {
    let rules = Ruleset::builtin(id).unwrap();
    let start = fen::parse(text, &rules)?;
    let written = fen::write_state(&start.position, &start.count_state, &rules);
    Ok((written, start.notes))
}

#[test]
fn the_table_of_dialects() {
    let rows: Vec<_> = include_str!("fen_dialects.tsv").lines().skip(1).collect();
    assert_eq!(rows.len(), 15);
    let read_row = |row: usize| {
        let (text, variant) = rows[row - 1].split_once('\t').unwrap();
        let id = if variant == "cambodian" {
            "ouk"
        } else {
            "makruk"
        };
        read(text, id)
    };
    let ok = |row: usize| read_row(row).unwrap();
    let err = |row: usize| read_row(row).unwrap_err();

    assert_eq!(ok(1), (MAKRUK_START.to_owned(), vec![]));
    assert_eq!(ok(2), (MAKRUK_START.to_owned(), vec![FenNote::ZeroCount]));
    let mapped = vec![
        FenNote::LetterMapped('B', "khon"),
        FenNote::LetterMapped('Q', "met"),
    ];
    assert_eq!(ok(3), (MAKRUK_START.to_owned(), mapped));
    assert_eq!(err(4), FenError::AseanStart);
    assert!(matches!(err(5), FenError::OtherDialect(reason) if reason.contains("e-file")));
    assert_eq!(ok(6), (OUK_START.to_owned(), vec![]));
    assert_eq!(
        ok(7),
        (OUK_START.to_owned(), vec![FenNote::FieldsMissing(5)])
    );
    assert_eq!(
        ok(8),
        (MAKRUK_START.to_owned(), vec![FenNote::RightsMissingAtStart])
    );
    assert_eq!(
        ok(9),
        (MAKRUK_START.to_owned(), vec![FenNote::RightsDropped])
    );
    let counted = "8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50".to_owned();
    assert_eq!(
        ok(10),
        (counted, vec![FenNote::OpponentInCheck(Color::Black)])
    );
    assert_eq!(ok(11).0, "8/8/1M~M~5/K3k3/6r1/5m~2/8/3R4 b - 128 0 54");
    assert_eq!(
        err(12),
        FenError::Position(PositionError::NoKhun(Color::White))
    );
    assert_eq!(
        err(13),
        FenError::Position(PositionError::ManyKhuns(Color::White))
    );
    assert_eq!(
        err(14),
        FenError::Row {
            rank: 1,
            squares: 7
        }
    );
    assert!(matches!(err(15), FenError::OtherDialect(reason) if reason.contains("REN")));
}

#[test]
fn forms_with_fewer_fields() {
    let board = "8/1r3k2/8/8/8/8/3K2R1/4N3";
    let cases = [
        ("b - - 7 12", "b - - 7 12", 0),
        ("b 7 12", "b - - 7 12", 1),
        ("b - 7 12", "b - - 7 12", 1),
        ("b - -", "b - - 0 1", 1),
        ("b -", "b - - 0 1", 1),
        ("b", "b - - 0 1", 1),
        ("", "w - - 0 1", 1),
        ("b 12", "b - - 0 12", 1),
        ("b\t-  - 7 12 ", "b - - 7 12", 0),
        ("b - - 7 12 ; variant makruk", "b - - 7 12", 1),
        ("b - - 7 0", "b - - 7 1", 1),
        ("b - 128 5 40", "b - 128 5 40", 0),
    ];
    for (tail, want, notes) in cases {
        let (text, found) = read(&format!("{board} {tail}"), "makruk").unwrap();
        assert_eq!(text, format!("{board} {want}"), "{tail}");
        assert_eq!(found.len(), notes, "{tail}: {found:?}");
    }
}

#[test]
fn rights_of_men_that_are_not_at_home() {
    let text = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/4M3/RNSK1SNR w DEde - 0 1";
    let (written, notes) = read(text, "ouk").unwrap();
    assert!(written.contains(" Dde "), "{written}");
    let home = "e1".parse().unwrap();
    assert_eq!(notes, [FenNote::RightWithoutMan(home)]);
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
fn what_is_refused() {
    let rows = |text: &str| read(text, "makruk").unwrap_err();
    assert_eq!(rows(""), FenError::Empty);
    assert_eq!(rows("   "), FenError::Empty);
    assert_eq!(rows("8/8 w - - 0 1"), FenError::Rows(2));
    assert_eq!(
        rows("k7/8/8/8/8/8/8/K6x w - - 0 1"),
        FenError::Letter {
            letter: 'x',
            rank: 1
        }
    );
    assert_eq!(
        rows("k7/8/8/8/8/8/8/K~7 w - - 0 1"),
        FenError::Letter {
            letter: '~',
            rank: 1
        }
    );
    assert_eq!(
        rows("k7/8/8/8/8/8/8/K8 w - - 0 1"),
        FenError::Row {
            rank: 1,
            squares: 9
        }
    );
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/K7 x - - 0 1"),
        FenError::Turn(_)
    ));
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/K7 w - e3 0 1"),
        FenError::Number { .. }
    ));
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/K7 w - - -1 1"),
        FenError::Number { .. }
    ));
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/K7 w - - 0 99999999999"),
        FenError::Number { .. }
    ));
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/K7 w - - 0 1 2 3"),
        FenError::TooManyFields(8)
    ));
    assert!(matches!(
        read("k7/8/8/8/8/8/8/K7 w KQkq - 0 1", "ouk"),
        Err(FenError::Rights(_))
    ));
    let strict = fen::parse_with(
        "rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBKQBNR w - - 0 1",
        &Ruleset::builtin("makruk").unwrap(),
        FenLetters::Strict,
    );
    assert_eq!(
        strict.unwrap_err(),
        FenError::Letter {
            letter: 'b',
            rank: 8
        }
    );
    // One board in two alphabets: nobody knows what the B is.
    assert!(matches!(
        rows("k7/8/8/8/8/8/8/KSB5 w - - 0 1"),
        FenError::Letter {
            letter: 'B',
            rank: 1
        }
    ));
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
