//! Positions as text.

use notation::fen::{self, FenNote, FenStart, Reading};
use rules::{CountState, Line, Man, Position, Ruleset, Square};

use super::{rules_of, text_of};

/// A byte for the rule set, then the text.
pub fn fen(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else {
        return;
    };
    let rules = rules_of(first);
    let text = text_of(rest, 400);
    let lenient = fen::parse(&text, &rules);
    let strict = fen::parse_as(&text, &rules, Reading::Strict);
    let clean = lenient.as_ref().is_ok_and(|start| start.notes.is_empty());
    assert_eq!(strict.is_ok(), clean, "{text}: {strict:?}");
    if let (true, Ok(start)) = (clean, &lenient) {
        let written = fen::write_state(&start.position, &start.count_state, &rules);
        // A tail may leave out what follows from the rest, and name who does not count.
        let head = text
            .split_once(" ; ")
            .map_or(text.as_str(), |(head, _)| head);
        assert_eq!(written, head);
    }
    for reading in [Reading::Lenient, Reading::Ren, Reading::MakrukJs] {
        if let Ok(start) = fen::parse_as(&text, &rules, reading) {
            holds(&start, &rules);
        }
    }
    if let Ok(start) = lenient {
        plays(&start, &rules);
    }
}

/// What is true of everything that was read.
fn holds(start: &FenStart, rules: &Ruleset) {
    let position = &start.position;
    assert_eq!(position.position_key(), position.fresh_key());
    let rebuilt = Position::forgiving(&position.setup(), rules).unwrap().0;
    assert_eq!(rebuilt, *position);

    let plain = fen::write_state(position, &start.count_state, rules);
    assert_eq!(plain, slowly(position, &start.count_state, rules));
    let full = fen::write_full_state(position, &start.count_state, rules);
    assert!(full.starts_with(&plain));
    let again = fen::parse(&full, rules).unwrap();
    assert_eq!(again.position, *position, "{full}");
    assert_eq!(again.count_state, start.count_state, "{full}");
    assert_eq!(
        fen::write_full_state(&again.position, &again.count_state, rules),
        full
    );
    // What is left to note is no matter of spelling.
    let odd = |note: &FenNote| {
        matches!(
            note,
            FenNote::OpponentInCheck(_)
                | FenNote::CountOdd(_)
                | FenNote::LimitUnusual(_)
                | FenNote::RightsMissingAtStart
        )
    };
    assert!(again.notes.iter().all(odd), "{full}: {:?}", again.notes);
}

/// A position as text, written in the plainest way.
fn slowly(position: &Position, count: &CountState, rules: &Ruleset) -> String {
    let mut fen = String::new();
    for rank in (0..8).rev() {
        let mut empty = 0;
        let close = |empty: &mut u32, fen: &mut String| {
            if *empty > 0 {
                fen.push_str(&empty.to_string());
                *empty = 0;
            }
        };
        for file in 0..8 {
            match position.man_at(Square::new(file, rank).unwrap()) {
                None => empty += 1,
                Some(man) => {
                    close(&mut empty, &mut fen);
                    fen.push(Man::letter(man));
                    fen.push_str(if man.promoted { "~" } else { "" });
                }
            }
        }
        close(&mut empty, &mut fen);
        fen.push_str(if rank > 0 { "/" } else { "" });
    }
    let count = count.fields(rules);
    let limit = count.map_or("-".to_owned(), |count| count.limit.0.to_string());
    let clock = count.map_or(position.ply_clock(), |count| count.counted).0;
    let left = position.checks_left();
    let checks = match rules.first_check_wins {
        true => format!(" {}+{}", left.white, left.black),
        false => String::new(),
    };
    let (turn, rights) = (position.turn().letter(), position.rights());
    let number = position.fullmove().0;
    format!("{fen} {turn} {rights} {limit}{checks} {clock} {number}")
}

/// Every move of a position that was read can be made, and the game goes on.
fn plays(start: &FenStart, rules: &Ruleset) {
    let rules = std::sync::Arc::new(rules.clone());
    for &mv in start.position.legal_moves().iter().take(24) {
        let mut line = Line::new(&rules, start.position, start.count_state);
        line.push(mv);
        assert_eq!(line.position().position_key(), line.position().fresh_key());
        let text = fen::write(&line);
        assert!(fen::parse(&text, &rules).is_ok(), "{text}");
    }
}
