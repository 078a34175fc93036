//! Starts that only one dialect has.

use archive::{Dialect, RawGame};
use notation::fen::{self, Reading};
use rules::{Color, CountState, Line, Position, Ruleset, Setup};
use std::sync::Arc;

use super::Start;
use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;

/// Where makruk-js starts.
const MAKRUK_JS_START: &str = "rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1";

/// The start that a record's dialect gives it; `None` where it starts as all others do.
pub(super) fn read(
    raw: &RawGame,
    fen: Option<&str>,
    rules: &Arc<Ruleset>,
    notes: &mut Notebook,
) -> Option<Result<Start, String>> {
    match raw.dialect {
        Dialect::MakrukJs if raw.dialect_is_set && fen.is_none() => {
            let start = fen::parse_as(MAKRUK_JS_START, rules, Reading::MakrukJs);
            Some(
                start
                    .map(|start| super::from_fen(start, rules))
                    .map_err(|error| error.to_string()),
            )
        }
        Dialect::MakrukJs if !raw.dialect_is_set && fen.is_none() => {
            let reason = "makruk-js starts with both khuns on the e-file, which is no makruk start; it is read only where the dialect is set to makruk-js";
            notes.add(Finding::new(FindingCode::StartPositionInvalid, reason).under(rules.id()));
            Some(Err(reason.to_owned()))
        }
        Dialect::ThaiChess if fen.is_none() && black_begins(raw) => black_to_move(rules, notes),
        _ => None,
    }
}

/// Blocks like those of thaichess.org name the side that begins, and imply the board.
fn black_begins(raw: &RawGame) -> bool {
    raw.tag("StartingTurn").is_some_and(|turn| {
        let turn = turn.trim();
        turn.eq_ignore_ascii_case("b") || turn.eq_ignore_ascii_case("black")
    })
}

fn black_to_move(rules: &Arc<Ruleset>, notes: &mut Notebook) -> Option<Result<Start, String>> {
    let mut setup = rules.start_setup().clone();
    setup.turn = Color::Black;
    let position = Position::from_setup(&setup, rules).ok()?;
    let message = "the StartingTurn tag lets Black begin from the usual board";
    notes.add(Finding::new(FindingCode::StartPositionRepaired, message));
    Some(Ok(of_setup(setup, position, rules)))
}

/// How the text of a start position is to be read: other dialects' letters only where that dialect is known.
pub(super) fn reading(raw: &RawGame) -> Reading {
    match raw.dialect {
        Dialect::Ren | Dialect::Kpgn => Reading::Ren,
        Dialect::MakrukJs if raw.dialect_is_set => Reading::MakrukJs,
        _ => Reading::Lenient,
    }
}

fn of_setup(setup: Setup, position: Position, rules: &Arc<Ruleset>) -> Start {
    let count = CountState::from_fields(setup.count, &position, rules);
    let fen = fen::write_state(&position, &count, rules);
    let line = Line::new(rules, position, count);
    Start {
        setup,
        line,
        fen,
        usual: false,
    }
}
