//! The fields after the board.

use rules::ruleset::home_side;
use rules::{Color, FullMoves, Plies, Rights, Role, Ruleset, Setup, SetupCount, Square};

use super::{FenError, FenNote, quoted};

pub(super) fn parse(
    rest: &[&str],
    rules: &Ruleset,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    let Some((turn, rest)) = rest.split_first() else {
        notes.push(FenNote::FieldsMissing(1));
        return Ok(());
    };
    setup.turn = match *turn {
        "w" | "W" => Color::White,
        "b" | "B" => Color::Black,
        other => return Err(FenError::Turn(quoted(other))),
    };
    let rest = take_checks(rest, setup);
    let fields = split(&rest, notes)?;
    if let Some(text) = fields.rights {
        rights(text, rules, setup, notes)?;
    }
    note_missing_rights(rules, setup, notes);
    let limit: u32 = match fields.limit {
        None | Some("-") => 0,
        Some("0") => {
            notes.push(FenNote::ZeroCount);
            0
        }
        Some(text) => number("count limit", text)?,
    };
    let clock = fields.clock.unwrap_or("0");
    if limit > 0 {
        setup.count = Some(SetupCount {
            limit: Plies(limit),
            counted: Plies(number("count", clock)?),
        });
    } else {
        setup.ply_clock = Plies(number("ply clock", clock)?);
    }
    setup.fullmove = match fields.fullmove {
        None => FullMoves(1),
        Some(text) => FullMoves(number("move number", text)?),
    };
    if setup.fullmove == FullMoves(0) {
        notes.push(FenNote::ZeroMoveNumber);
        setup.fullmove = FullMoves(1);
    }
    Ok(())
}

#[derive(Default)]
struct Fields<'a> {
    rights: Option<&'a str>,
    limit: Option<&'a str>,
    clock: Option<&'a str>,
    fullmove: Option<&'a str>,
}

/// Takes the checks field (`1+1`) out, wherever it stands.
fn take_checks<'a>(rest: &[&'a str], setup: &mut Setup) -> Vec<&'a str> {
    let checks = |text: &str| -> Option<(u8, u8)> {
        let (white, black) = text.split_once('+')?;
        Some((white.parse().ok()?, black.parse().ok()?))
    };
    let mut kept = Vec::with_capacity(rest.len());
    for text in rest {
        match checks(text) {
            Some((white, black)) => {
                setup.checks_left.white = white;
                setup.checks_left.black = black;
            }
            None => kept.push(*text),
        }
    }
    kept
}

/// Which text is which field, by their number and looks.
fn split<'a>(rest: &[&'a str], notes: &mut Vec<FenNote>) -> Result<Fields<'a>, FenError> {
    let numeric = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let mut fields = Fields::default();
    match *rest {
        [rights, limit, clock, fullmove] => {
            fields.limit = Some(limit);
            fields.rights = Some(rights);
            fields.clock = Some(clock);
            fields.fullmove = Some(fullmove);
            return Ok(fields);
        }
        [rights, clock, fullmove] => {
            fields.rights = Some(rights);
            fields.clock = Some(clock);
            fields.fullmove = Some(fullmove);
        }
        [clock, fullmove] if numeric(clock) && numeric(fullmove) => {
            fields.clock = Some(clock);
            fields.fullmove = Some(fullmove);
        }
        [rights, limit] => {
            fields.rights = Some(rights);
            fields.limit = Some(limit);
        }
        [fullmove] if numeric(fullmove) => fields.fullmove = Some(fullmove),
        [rights] => fields.rights = Some(rights),
        [] => {}
        _ => return Err(FenError::TooManyFields(rest.len() + 2)),
    }
    notes.push(FenNote::FieldsMissing(rest.len() + 2));
    Ok(fields)
}

fn rights(
    text: &str,
    rules: &Ruleset,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    if text == "-" {
        return Ok(());
    }
    let bad = || FenError::Rights(quoted(text));
    if !rules.has_rights() {
        let letters = text.bytes().all(|b| b.is_ascii_alphabetic());
        if !letters {
            return Err(bad());
        }
        notes.push(FenNote::RightsDropped);
        return Ok(());
    }
    for letter in text.chars() {
        let right = Rights::from_letter(letter).ok_or_else(bad)?;
        let known = right.squares().all(|home| holder(home).is_some());
        if !known {
            return Err(bad());
        }
        setup.rights = setup.rights.with(right);
    }
    if !rules.lenient_setup {
        for home in setup.rights.squares() {
            if !at_home(setup, home) {
                notes.push(FenNote::RightWithoutMan(home));
                setup.rights = setup.rights.without(Rights::of_square(home));
            }
        }
    }
    Ok(())
}

/// The man whose home a square is (RULES 7): D and e are the khuns', E and d the mets'.
fn holder(home: Square) -> Option<Role> {
    match (home_side(home), home.file()) {
        (Color::White, 3) | (Color::Black, 4) => Some(Role::Khun),
        (Color::White, 4) | (Color::Black, 3) => Some(Role::Met),
        _ => None,
    }
}

fn at_home(setup: &Setup, home: Square) -> bool {
    setup.man_at(home).is_some_and(|man| {
        man.color == home_side(home) && Some(man.role) == holder(home) && !man.promoted
    })
}

fn note_missing_rights(rules: &Ruleset, setup: &Setup, notes: &mut Vec<FenNote>) {
    let start = rules.start_setup();
    if rules.has_rights() && setup.rights.is_empty() && setup.board == start.board {
        notes.push(FenNote::RightsMissingAtStart);
    }
}

fn number<T: std::str::FromStr>(field: &'static str, text: &str) -> Result<T, FenError> {
    // `parse` alone would take a sign.
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| FenError::Number {
            field,
            text: quoted(text),
        })
}
