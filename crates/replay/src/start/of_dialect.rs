//! Starts that only one dialect has.

use archive::{Dialect, RawGame};
use notation::fen;
use rules::{Color, CountState, Line, Position, Ruleset, Setup};
use serde_json::json;
use std::sync::Arc;

use super::{Start, makruk_js};
use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;

/// The start that a record's dialect gives it; `None` where it starts as all others do.
pub(super) fn read(
    raw: &RawGame,
    fen: Option<&str>,
    rules: &Arc<Ruleset>,
    notes: &mut Notebook,
) -> Option<Result<Start, String>> {
    match raw.dialect {
        Dialect::MakrukJs if raw.dialect_is_set => {
            Some(of_makruk_js(fen.unwrap_or(makruk_js::START), rules, notes))
        }
        Dialect::MakrukJs if fen.is_none() => {
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

fn of_makruk_js(text: &str, rules: &Arc<Ruleset>, notes: &mut Notebook) -> Result<Start, String> {
    let read = makruk_js::read(text).ok_or_else(|| "not a position of makruk-js".to_owned());
    let made = read.and_then(|setup| {
        let position = Position::forgiving(&setup, rules).map_err(|error| error.to_string())?;
        Ok((setup, position.0))
    });
    made.map(|(setup, position)| of_setup(setup, position, rules))
        .map_err(|error| {
            let reason = format!("the start position cannot be one of this game: {error}");
            let finding = Finding::new(FindingCode::StartPositionInvalid, reason.clone())
                .under(rules.id())
                .with(&json!({ "fen": text, "reason": error }));
            notes.add(finding);
            reason
        })
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
