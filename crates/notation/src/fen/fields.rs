//! The fields after the board.

use rules::{Color, FullMoves, Plies, Ruleset, Setup, SetupCount, Square};

use super::{Dialect, FenError, FenNote, quoted, rights};

/// Reads the fields after the board into a set-up. Whether operations of an EPD follow them, which
/// are not read.
pub(super) fn parse(
    rest: &[&str],
    rules: &Ruleset,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<bool, FenError> {
    let Some((turn, rest)) = rest.split_first() else {
        notes.push(FenNote::FieldsMissing(1));
        rights::of_new_game(rules, setup);
        return Ok(false);
    };
    setup.turn = read_turn(turn, notes)?;
    if rest.first().is_some_and(|text| rights::is_ren(text)) {
        return Err(FenError::OtherDialect(Dialect::Ren));
    }
    let operations = rest
        .iter()
        .enumerate()
        .position(|(at, text)| is_opcode(at, text));
    let (rest, is_epd) = match operations {
        Some(at) => (&rest[..at], true),
        None => (rest, false),
    };
    let mut held = rest.to_vec();
    let checks = take_checks(&mut held);
    let fields = split(&held, notes)?;
    setup.fullmove = match fields.fullmove {
        None => FullMoves(1),
        Some(text) => FullMoves(number("move number", text, notes)?),
    };
    if setup.fullmove == FullMoves(0) {
        notes.push(FenNote::ZeroMoveNumber);
        setup.fullmove = FullMoves(1);
    }
    match fields.rights {
        Some(text) => rights::parse(text, rules, setup, notes)?,
        None => rights::of_new_game(rules, setup),
    }
    read_count(&fields, setup, notes)?;
    read_checks(checks, rules, setup, notes)?;
    Ok(is_epd)
}

fn read_turn(text: &str, notes: &mut Vec<FenNote>) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        "W" => {
            notes.push(FenNote::TurnCase('W'));
            Ok(Color::White)
        }
        "B" => {
            notes.push(FenNote::TurnCase('B'));
            Ok(Color::Black)
        }
        other => Err(FenError::Turn(quoted(other))),
    }
}

/// Whether a text so far behind the side to move begins an EPD's operations (`bm e3e4`): no field
/// but the rights begins with a letter, except a square for a capture en passant.
fn is_opcode(at: usize, text: &str) -> bool {
    let letter = text.starts_with(|first: char| first.is_ascii_alphabetic());
    at > 0 && letter && en_passant(text).is_none()
}

fn en_passant(text: &str) -> Option<Square> {
    text.parse().ok()
}

#[derive(Default)]
struct Fields<'a> {
    rights: Option<&'a str>,
    limit: Option<&'a str>,
    clock: Option<&'a str>,
    fullmove: Option<&'a str>,
}

/// Takes the first field of checks left (`1+1`) out, wherever it stands.
fn take_checks<'a>(rest: &mut Vec<&'a str>) -> Option<(usize, &'a str)> {
    let at = rest.iter().position(|text| {
        let digits = |side: &str| !side.is_empty() && side.bytes().all(|b| b.is_ascii_digit());
        text.split_once('+')
            .is_some_and(|(white, black)| digits(white) && digits(black))
    })?;
    Some((at, rest.remove(at)))
}

fn read_checks(
    checks: Option<(usize, &str)>,
    rules: &Ruleset,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    let Some((at, text)) = checks else {
        if rules.first_check_wins {
            notes.push(FenNote::ChecksMissing);
        }
        return Ok(());
    };
    if !rules.first_check_wins {
        notes.push(FenNote::ChecksDropped);
        return Ok(());
    }
    let [white, b'+', black] = *text.as_bytes() else {
        return Err(FenError::Checks(quoted(text)));
    };
    let (white, black) = (white - b'0', black - b'0');
    // The engine counts down from any number (RULES 7); kar ouk has one check to give.
    let possible = white.max(black) <= 1 && white + black > 0;
    if !possible && !rules.lenient_setup {
        return Err(FenError::Checks(quoted(text)));
    }
    setup.checks_left.white = white;
    setup.checks_left.black = black;
    // Behind the rights and the count limit.
    if at != 2 {
        notes.push(FenNote::ChecksPlace);
    }
    Ok(())
}

/// Which text is which field, by their number and looks.
fn split<'a>(rest: &[&'a str], notes: &mut Vec<FenNote>) -> Result<Fields<'a>, FenError> {
    let numeric = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let no_count = |text: &str| matches!(text, "-" | "0") || en_passant(text).is_some();
    let mut fields = Fields::default();
    match *rest {
        [rights, limit, clock, fullmove] => {
            fields.limit = Some(limit);
            fields.rights = Some(rights);
            fields.clock = Some(clock);
            fields.fullmove = Some(fullmove);
            return Ok(fields);
        }
        [rights, limit, clock] if limit == "-" || en_passant(limit).is_some() => {
            fields.rights = Some(rights);
            fields.limit = Some(limit);
            fields.clock = Some(clock);
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
        [rights, limit] if no_count(limit) => {
            fields.rights = Some(rights);
            fields.limit = Some(limit);
        }
        [_, other] => {
            return Err(match numeric(other) {
                true => FenError::LoneNumber(quoted(other)),
                false => FenError::Number {
                    field: "count limit",
                    text: quoted(other),
                },
            });
        }
        [fullmove] if numeric(fullmove) => fields.fullmove = Some(fullmove),
        [rights] => fields.rights = Some(rights),
        [] => {}
        _ => return Err(FenError::TooManyFields(rest.len() + 2)),
    }
    notes.push(FenNote::FieldsMissing(rest.len() + 2));
    Ok(fields)
}

fn read_count(
    fields: &Fields<'_>,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    let limit = match fields.limit {
        None | Some("-") => 0,
        Some("0") => {
            notes.push(FenNote::ZeroCount);
            0
        }
        Some(text) => match en_passant(text) {
            Some(square) => {
                notes.push(FenNote::EnPassant(square));
                0
            }
            None => even(number("count limit", text, notes)?, notes),
        },
    };
    let clock = fields.clock.unwrap_or("0");
    if limit > 0 {
        setup.count = Some(SetupCount {
            limit: Plies(limit),
            counted: Plies(number("count", clock, notes)?),
        });
    } else {
        setup.ply_clock = Plies(number("ply clock", clock, notes)?);
    }
    Ok(())
}

/// Limits are full moves, told in plies.
fn even(limit: u32, notes: &mut Vec<FenNote>) -> u32 {
    if limit % 2 == 1 {
        notes.push(FenNote::OddLimit(Plies(limit)));
    }
    limit & !1
}

/// A number without a sign, which `parse` alone would take.
pub(super) fn number(
    field: &'static str,
    text: &str,
    notes: &mut Vec<FenNote>,
) -> Result<u32, FenError> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    if text.len() > 1 && text.starts_with('0') {
        notes.push(FenNote::LeadingZeros(field));
    }
    number.ok_or_else(|| FenError::Number {
        field,
        text: quoted(text),
    })
}
