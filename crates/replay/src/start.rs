//! Where a game starts: its FEN, or the rule set's own start.

use archive::RawGame;
use notation::fen::{self, FenNote, FenStart};
use rules::{CountState, Line, Position, Ruleset, Setup};
use serde_json::json;
use std::sync::Arc;

use crate::finding::{Finding, FindingCode, Severity};
use crate::handicap;
use crate::note::Notebook;
use crate::place::Place;

mod of_dialect;

/// The start of a game.
pub(crate) struct Start {
    pub(crate) setup: Setup,
    pub(crate) line: Line,
    pub(crate) fen: String,
    /// Whether the record gives no start position, so that it is the rule set's own.
    pub(crate) usual: bool,
}

/// Reads the start position. `Err` is the reason why it is none, already noted as a finding.
pub(crate) fn read(
    raw: &RawGame,
    place: &Place,
    rules: &Arc<Ruleset>,
    notes: &mut Notebook,
) -> Result<Start, String> {
    let tag = raw
        .tags
        .get("FEN")
        .filter(|tag| !matches!(tag.value.trim(), "" | "?" | "-"));
    let text = tag.map(|tag| tag.value);
    if let Some(start) = of_dialect::read(raw, text, rules, notes) {
        return start;
    }
    let Some(tag) = tag else {
        if raw.tag("SetUp").map(str::trim) == Some("1") {
            let message = "SetUp is 1, but there is no FEN: the usual start is taken";
            notes.add(
                Finding::new(FindingCode::StartPositionRepaired, message)
                    .severity(Severity::Warning),
            );
        }
        return usual(raw, rules).inspect_err(|reason| {
            let finding = Finding::new(FindingCode::StartPositionInvalid, reason.clone());
            notes.add(finding.under(rules.id()));
        });
    };
    let at = place.byte_offset + u64::from(tag.offset);
    match fen::parse_as(tag.value, rules, of_dialect::reading(raw)) {
        Ok(start) => {
            for &note in &start.notes {
                notes.add(repaired(note, tag.value).at_bytes(at, tag.value.len() as u64));
            }
            Ok(from_fen(start, rules))
        }
        Err(error) => {
            let reason = format!("the start position cannot be one of this game: {error}");
            let finding = Finding::new(FindingCode::StartPositionInvalid, reason.clone())
                .at_bytes(at, tag.value.len() as u64)
                .under(rules.id())
                .with(&json!({ "fen": tag.value, "reason": error.to_string() }));
            notes.add(finding);
            Err(reason)
        }
    }
}

/// The rule set's start, with the odds that the record's tags give.
fn usual(raw: &RawGame, rules: &Arc<Ruleset>) -> Result<Start, String> {
    let mut setup = rules.start_setup().clone();
    let odds = handicap::overturned(raw.tag("Handicap").unwrap_or_default())?;
    let mut line = Line::from_start(rules);
    if !odds.is_empty() {
        handicap::turn_over(&mut setup, &odds)?;
        let start = Position::from_setup(&setup, rules).map_err(|error| error.to_string())?;
        line = Line::new(rules, start, CountState::NONE);
    }
    let fen = fen::write_position(line.position());
    Ok(Start {
        setup,
        line,
        fen,
        usual: true,
    })
}

fn from_fen(start: FenStart, rules: &Arc<Ruleset>) -> Start {
    let fen = fen::write_state(&start.position, &start.count_state, rules);
    let line = Line::new(rules, start.position, start.count_state);
    Start {
        setup: start.setup,
        line,
        fen,
        usual: false,
    }
}

fn repaired(note: FenNote, text: &str) -> Finding {
    // A start board without its rights is not a slip of form: it changes which moves are legal.
    let severity = match note {
        FenNote::RightsMissingAtStart | FenNote::RightWithoutMan(_) => Severity::Warning,
        _ => Severity::Note,
    };
    Finding::new(
        FindingCode::StartPositionRepaired,
        format!("start position: {note}"),
    )
    .severity(severity)
    .with(&json!({ "fen": text }))
}

/// The part of a start FEN that decides how the game goes on: without the clocks, which dialects write in their own way.
pub(crate) fn essence(fen: &str, count: &CountState, rules: &Ruleset) -> String {
    let mut essence: String = fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
    if let Some(fields) = count.fields(rules) {
        essence.push_str(&format!(" {} {}", fields.limit.0, fields.counted.0));
    }
    essence
}
