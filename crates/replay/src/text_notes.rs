//! What the reader found odd about a game's text, as findings.

use archive::{NoteKind, RawGame, TextNote};
use serde_json::json;

use crate::finding::{Finding, FindingCode, Severity};
use crate::note::Notebook;
use crate::place::Place;

/// Turns the reader's notes into findings: one per kind, at its first place.
pub(crate) fn read(raw: &RawGame, place: &Place, notes: &mut Notebook) {
    for note in &raw.notes {
        notes.add(finding(note, place));
    }
}

fn finding(note: &TextNote, place: &Place) -> Finding {
    let (code, severity) = weigh(note.kind);
    let kind = note.kind.as_str();
    let times = if note.count == 1 {
        String::new()
    } else {
        format!(", {} times", note.count)
    };
    let detail = if note.text.is_empty() {
        String::new()
    } else {
        format!(": {}", note.text)
    };
    Finding::new(code, format!("{}{times}{detail}", kind.replace('_', " ")))
        .severity(severity)
        .at_bytes(place.byte_offset + u64::from(note.offset), 1)
        .with(&json!({ "kind": kind, "times": note.count }))
}

/// Damage is a warning, another habit of writing only a note.
fn weigh(kind: NoteKind) -> (FindingCode, Severity) {
    use NoteKind as N;
    match kind {
        N::NulByte
        | N::ControlByte
        | N::StrayByte
        | N::TagUnclosed
        | N::CommentUnclosed
        | N::VariationUnclosed => (FindingCode::BrokenText, Severity::Warning),
        N::RecordBroken => (FindingCode::BrokenText, Severity::Error),
        N::MovesAfterResult | N::WordInMoves | N::ResultRepeated => {
            (FindingCode::BrokenText, Severity::Warning)
        }
        N::MoveNumberOff | N::MoveNumberStyle => (FindingCode::MoveNumberWrong, Severity::Note),
        N::TagBlankLine
        | N::TagAfterMoves
        | N::TagSharesLine
        | N::TagDuplicate
        | N::TagLowerCase
        | N::TagSpacing
        | N::TagQuoteInside
        | N::TagQuoteStyle
        | N::TagValueMissing
        | N::TagNameOdd
        | N::TagsMissing
        | N::ResultSpelling => (FindingCode::TagRepaired, Severity::Note),
        _ => (FindingCode::BrokenText, Severity::Note),
    }
}
