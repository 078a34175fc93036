//! The field of the first-move rights (RULES 7, 8).

use rules::ruleset::home_side;
use rules::{Color, FullMoves, Rights, Ruleset, Setup, Square};

use super::{FenError, FenNote, quoted};

pub(super) fn parse(
    text: &str,
    rules: &Ruleset,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    if text != "-" {
        if !text.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return Err(FenError::Rights(quoted(text)));
        }
        if rules.has_rights() {
            claim(text, rules, setup, notes);
        } else {
            notes.push(FenNote::RightsDropped);
        }
    }
    if setup.rights.is_empty() && is_new_game(rules, setup) {
        notes.push(FenNote::RightsMissingAtStart);
    }
    Ok(())
}

fn claim(text: &str, rules: &Ruleset, setup: &mut Setup, notes: &mut Vec<FenNote>) {
    let mut last = None;
    let mut ordered = true;
    for letter in text.chars() {
        let right = Rights::from_letter(letter).unwrap_or(Rights::NONE);
        let home = right.squares().next();
        let Some(home) = home.filter(|&home| rules.right_holder(home).is_some()) else {
            note(FenNote::RightUnknown(letter), notes);
            continue;
        };
        ordered &= last.is_none_or(|last| last <= home);
        last = Some(home);
        if !is_at_home(rules, setup, home) {
            note(FenNote::RightWithoutMan(home), notes);
        } else if setup.rights.has(home) {
            note(FenNote::RightTwice(home), notes);
        } else {
            setup.rights = setup.rights.with(right);
        }
    }
    if !ordered {
        notes.push(FenNote::RightsOrder);
    }
}

/// A hostile text repeats one slip a thousand times.
fn note(note: FenNote, notes: &mut Vec<FenNote>) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// The man of a right stands at home; in the engine's set-ups, any man of the side (RULES 7).
fn is_at_home(rules: &Ruleset, setup: &Setup, home: Square) -> bool {
    let side = home_side(home);
    setup.man_at(home).is_some_and(|man| {
        man.color == side
            && (rules.lenient_setup || Some(man.role) == rules.right_holder(home) && !man.promoted)
    })
}

/// The rights of a text that says nothing of them: those of the start if it is the start.
pub(super) fn of_new_game(rules: &Ruleset, setup: &mut Setup) {
    if is_new_game(rules, setup) {
        setup.rights = rules.start_setup().rights;
    }
}

fn is_new_game(rules: &Ruleset, setup: &Setup) -> bool {
    let start = rules.start_setup();
    !start.rights.is_empty()
        && setup.board == start.board
        && setup.turn == Color::White
        && setup.fullmove <= FullMoves(1)
}

/// REN's third field: `----`, or the letters of khuns and mets that have moved.
pub(super) fn is_ren(text: &str) -> bool {
    text.len() == 4 && text.contains('-') && text.bytes().all(|b| b"-KQkq".contains(&b))
}
