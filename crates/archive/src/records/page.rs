//! The text of a SchemingMind game page (D2): a clock, a sentence that names the rules, moves with a line of another
//! kind among them, and the result in words.

use super::{Record, pgn};
use crate::{
    dialect::Dialect,
    encoding::Encoding,
    line::{self, LineEnd},
    note::{NoteKind, Notes, clamp},
    outcome,
    tags::Tags,
    token::{Token, TokenKind},
};

pub(super) fn read(text: &[u8], encoding: Encoding, notes: &mut Notes) -> Record {
    // The move text with everything else blanked out, so that all places stay as they are.
    let mut moves = text.to_vec();
    let (mut tags, mut words) = (Tags::default(), None);
    let mut at = 0;
    while at < text.len() {
        let end = line::end_of_line(text, at).unwrap_or(LineEnd {
            content: text.len(),
            next: text.len(),
        });
        let line = &text[at..end.content];
        let shown = encoding.decode(line);
        let shown = shown.trim();
        let tag = if line::says_rules(line) {
            Some(("Variant", named(shown)))
        } else if line::is_page_clock(line) {
            Some(("TimeControl", shown.to_owned()))
        } else if line::is_page_date(line) {
            Some(("Date", started_on(shown).to_owned()))
        } else {
            None
        };
        let result = outcome::parse(shown).filter(|_| outcome::at_start(line).is_none());
        if let Some((name, value)) = tag {
            tags.push(name, &value, clamp(at));
            moves[at..end.content].fill(b' ');
        } else if let Some(marker) = result {
            words = Some((at, line.trim_ascii_end().len(), marker));
            moves[at..end.content].fill(b' ');
        }
        at = end.next;
    }
    let mut own = Notes::default();
    let mut record = pgn(&moves, None, encoding, &mut own);
    for note in own.finish() {
        // A page has no tags in brackets.
        if note.kind != NoteKind::TagsMissing {
            notes.add_many(note.offset as usize, note.kind, note.count, || note.text);
        }
    }
    if let Some((at, length, marker)) = words {
        record.result = Some(marker);
        record.tokens.push(Token {
            offset: clamp(at),
            start: clamp(at),
            length: length as u32,
            kind: TokenKind::Result(marker),
        });
    }
    record.tags = tags;
    record.writer = Some((
        Dialect::SchemingMind,
        "the sentence that names the rules".to_owned(),
    ));
    record
}

/// The date in `Clock started on 27-Jan-25`; empty where the line ends before it.
fn started_on(line: &str) -> &str {
    let date = line.split_once("Clock started on");
    date.map_or("", |(_, date)| date.trim())
}

/// The rules' name in `This game is being played under Makruk (Thai Chess) rules.`
fn named(sentence: &str) -> String {
    let name = sentence
        .split_once("played under ")
        .and_then(|(_, rest)| rest.split_once(" rules"));
    name.map_or(String::new(), |(name, _)| {
        name.trim().trim_start_matches("the ").to_owned()
    })
}
