//! One JSON object as a game: its moves as tokens, all else as tags (D4, D8, D9).

use std::borrow::Cow;

use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::{
    Record,
    fields::{self, Field, Side},
    unescape::unescape,
};
use crate::{
    dialect::Dialect,
    encoding::Encoding,
    line,
    note::{NoteKind, Notes, clamp},
    outcome::{self, ResultMarker},
    token::{Token, TokenKind},
    tokenizer,
};

/// Objects in objects are looked into so far; what lies deeper is kept as JSON.
const MAX_DEPTH: usize = 4;

/// Reads an object.
pub(super) fn read(text: &str, notes: &mut Notes) -> Record {
    let mut reader = Reader {
        whole: text,
        record: Record::default(),
        added: String::new(),
        won: (None, None),
        winner: None,
        ren: false,
        broken: false,
        notes,
    };
    let start = text.len() - text.trim_start().len();
    match object(&text[start..]) {
        Ok(fields) => reader.object(&fields, "", 0),
        Err(error) => {
            reader.broken = true;
            let at = start + place(&text[start..], &error);
            reader.notes.add(at, NoteKind::RecordBroken, || {
                format!("not JSON as it stands: {error}")
            });
        }
    }
    reader.finish()
}

/// Where an error was met.
fn place(text: &str, error: &serde_json::Error) -> usize {
    let line_start: usize = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    (line_start + error.column().saturating_sub(1)).min(text.len().saturating_sub(1))
}

type FieldOf<'a> = (Cow<'a, str>, &'a RawValue);

/// The fields of an object in their order, repeated ones too.
fn object(text: &str) -> Result<Vec<FieldOf<'_>>, serde_json::Error> {
    struct Fields;
    impl<'a> Visitor<'a> for Fields {
        type Value = Vec<FieldOf<'a>>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Vec::new();
            while let Some(Name(name)) = map.next_key()? {
                fields.push((name, map.next_value()?));
            }
            Ok(fields)
        }
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let fields = reader.deserialize_map(Fields)?;
    reader.end()?;
    Ok(fields)
}

/// A field's name, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

/// The elements of an array.
fn array(text: &str) -> Option<Vec<&RawValue>> {
    struct Elements;
    impl<'a> Visitor<'a> for Elements {
        type Value = Vec<&'a RawValue>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an array")
        }

        fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            let mut elements = Vec::new();
            while let Some(element) = seq.next_element()? {
                elements.push(element);
            }
            Ok(elements)
        }
    }
    serde_json::Deserializer::from_str(text)
        .deserialize_seq(Elements)
        .ok()
}

struct Reader<'a, 'n> {
    whole: &'a str,
    record: Record,
    /// Text with escapes undone; it stands behind the record's own text.
    added: String,
    won: (Option<bool>, Option<bool>),
    winner: Option<ResultMarker>,
    ren: bool,
    broken: bool,
    notes: &'n mut Notes,
}

impl<'a> Reader<'a, '_> {
    fn object(&mut self, fields: &[FieldOf<'a>], path: &str, depth: usize) {
        for (name, value) in fields {
            let path = if path.is_empty() {
                name.to_string()
            } else {
                format!("{path}.{name}")
            };
            self.field(&path, value.get(), depth);
        }
    }

    fn field(&mut self, path: &str, value: &'a str, depth: usize) {
        let field = fields::known(path);
        match (field, value.as_bytes().first()) {
            (_, None | Some(b'n')) => {}
            (Field::Moves, Some(b'[')) => self.moves(value),
            (Field::Moves | Field::Pgn, Some(b'"')) => self.move_text(value),
            (Field::Scores, Some(b'[')) if self.scores(value) => {}
            (Field::Won(side), Some(b't' | b'f')) => {
                let slot = match side {
                    Side::White => &mut self.won.0,
                    Side::Black => &mut self.won.1,
                };
                *slot = Some(value == "true");
                self.tag(Field::Other, path, value);
            }
            (_, Some(b'{')) if depth < MAX_DEPTH => {
                if let Ok(inner) = object(value) {
                    self.object(&inner, path, depth + 1);
                }
            }
            _ => self.tag(field, path, value),
        }
    }

    fn tag(&mut self, field: Field, path: &str, value: &'a str) {
        let offset = self.offset(value);
        let text = match value.starts_with('"') {
            true => inner(value).into_owned(),
            false => value.to_owned(),
        };
        if field == Field::Winner {
            self.winner = outcome::parse(&format!("{text} wins")).or_else(|| outcome::parse(&text));
        }
        let name = match field {
            Field::Ren => {
                self.ren = true;
                Cow::Borrowed("FEN")
            }
            _ => fields::tag_name(field, path),
        };
        // A result that is a number or words we do not know stays a tag of its own.
        self.record.tags.push(&name, &text, offset);
    }

    fn moves(&mut self, value: &'a str) {
        for element in array(value).unwrap_or_default() {
            let element = element.get();
            match element.as_bytes().first() {
                Some(b'"') => self.move_word(element),
                Some(b'{') => self.move_object(element),
                Some(b'n') => self.push(element, TokenKind::Gap),
                _ => self.word(element),
            }
        }
    }

    /// A move as an object of its own: the field that holds it, by the names it goes under.
    fn move_object(&mut self, element: &'a str) {
        let fields = object(element).unwrap_or_default();
        let named = |wanted: &str| {
            fields
                .iter()
                .find(|(name, value)| {
                    name.eq_ignore_ascii_case(wanted) && value.get().starts_with('"')
                })
                .map(|(_, value)| value.get())
        };
        let found = ["uci", "lan", "move", "san", "notation", "m"]
            .iter()
            .find_map(|name| named(name));
        match found {
            Some(value) => self.move_word(value),
            None => self.word(element),
        }
    }

    fn move_word(&mut self, element: &'a str) {
        let word = inner(element);
        let kind = match word.as_ref() {
            "" | "?" | "--" | "..." | "null" | "0000" => TokenKind::Gap,
            word if outcome::at_start(word.as_bytes())
                .is_some_and(|(_, length, _)| length == word.len()) =>
            {
                let marker = outcome::parse(word).unwrap_or(ResultMarker::Open);
                self.record.result = Some(marker);
                TokenKind::Result(marker)
            }
            word if line::word_is_move(word.as_bytes()) => TokenKind::Move,
            _ => return self.word(element),
        };
        self.push(element, kind);
    }

    fn word(&mut self, element: &'a str) {
        let at = self.offset(element) as usize;
        self.notes.add(at, NoteKind::WordInMoves, || {
            format!("`{element}` is no move")
        });
        self.push(element, TokenKind::Word);
    }

    /// Moves in one text: a move text, or a whole game with its tags.
    fn move_text(&mut self, value: &'a str) {
        let start = self.offset(value) as usize + 1;
        let quoted = &value[1..value.len() - 1];
        let base = self.whole.len() + self.added.len();
        let (text, origins) = unescape(quoted);
        let plain = !quoted.contains('\\');
        let read = tokenizer::read(
            text.as_bytes(),
            Some(&text),
            Encoding::Utf8,
            &mut Notes::default(),
        );
        let origin = |at: u32| start as u32 + origins.get(at as usize).copied().unwrap_or(0);
        let shift = if plain { start } else { base };
        self.record
            .tokens
            .extend(read.tokens.into_iter().map(|token| Token {
                offset: origin(token.offset),
                start: token.start + shift as u32,
                ..token
            }));
        self.record.tags.append(&read.tags, origin);
        self.record.result = read.result.or(self.record.result);
        if !plain {
            self.added.push_str(&text);
        }
    }

    /// Whole numbers, one a ply; false if this is something else.
    fn scores(&mut self, value: &'a str) -> bool {
        let Some(elements) = array(value) else {
            return false;
        };
        let known = |text: &str| text == "null" || text.parse::<i32>().is_ok();
        if !elements.iter().all(|element| known(element.get())) {
            return false;
        }
        for element in elements {
            let text = element.get();
            let offset = self.offset(text);
            self.record.scores.push(Token {
                offset,
                start: offset,
                length: text.len() as u32,
                kind: TokenKind::Score,
            });
        }
        true
    }

    /// Where a value stands in the text.
    fn offset(&self, value: &str) -> u32 {
        // Both lie in one text: serde_json lends what it was given.
        clamp((value.as_ptr() as usize).saturating_sub(self.whole.as_ptr() as usize))
    }

    /// A token whose text is a value, without its quotes.
    fn push(&mut self, value: &'a str, kind: TokenKind) {
        let at = self.offset(value);
        let quoted = value.starts_with('"');
        let (mut start, mut length) = (at + u32::from(quoted), value.len() as u32);
        if quoted {
            length -= 2;
        }
        if let Cow::Owned(text) = inner(value) {
            (start, length) = (
                clamp(self.whole.len() + self.added.len()),
                text.len() as u32,
            );
            self.added.push_str(&text);
        }
        self.record.tokens.push(Token {
            offset: at + u32::from(quoted),
            start,
            length,
            kind,
        });
    }

    fn finish(mut self) -> Record {
        self.add_result();
        self.record.writer = Some(self.writer());
        if !self.added.is_empty() {
            self.record.text = Some([self.whole.as_bytes(), self.added.as_bytes()].concat());
        }
        self.record
    }

    /// A winner told in another way than by a result.
    fn add_result(&mut self) {
        let told = match self.won {
            (Some(true), Some(false) | None) => Some(ResultMarker::WhiteWins),
            (Some(false) | None, Some(true)) => Some(ResultMarker::BlackWins),
            _ => self.winner,
        };
        self.record.result = self.record.result.or(told);
    }

    fn writer(&self) -> (Dialect, String) {
        let tag = |name: &str| self.record.tags.iter().find(|tag| tag.name == name);
        // A broken record has no tags, but may still name its fields.
        let has = |name: &str| {
            tag(name).is_some() || self.broken && self.whole.contains(&format!("\"{name}\""))
        };
        let moves = self.record.tokens.iter();
        let moves = moves.filter(|token| token.kind == TokenKind::Move).take(2);
        let kpgn = moves
            .filter_map(|token| {
                let end = token.start as usize + token.length as usize;
                self.whole.as_bytes().get(token.start as usize..end)
            })
            .any(is_kpgn_move);
        if self.ren || kpgn {
            let sign = if self.ren {
                "field `ren`"
            } else {
                "moves such as `Fe3e4`"
            };
            return (Dialect::Kpgn, sign.to_owned());
        }
        let lab = [
            "ply_count",
            "opening_plies",
            "movetime_ms",
            "movetime_a",
            "depth_cap",
        ];
        if let Some(name) = lab.iter().find(|name| has(name)) {
            return (Dialect::MakrukSfJson, format!("field `{name}`"));
        }
        let app = ["ratingBand.min", "finalFen", "subtitle"];
        if let Some(name) = app.iter().find(|name| has(name)) {
            return (Dialect::OpenMakruk, format!("field `{name}`"));
        }
        // The app numbers its openings and model games so.
        if let Some(tag) = tag("id").filter(|tag| {
            ["op-", "mg-"]
                .iter()
                .any(|head| tag.value.starts_with(head))
        }) {
            return (Dialect::OpenMakruk, format!("id `{}`", tag.value));
        }
        (Dialect::Json, "a JSON record".to_owned())
    }
}

/// A letter of khmer-chess.js, two squares, and flags: `Fe3e4`, `fd6d5`, `Fe4d5<0^15`. Black's letters are small, and
/// no other program has `F` for a bia, `H` or `G`.
pub(crate) fn is_kpgn_move(word: &[u8]) -> bool {
    matches!(word, [letter, from_file, from_rank, to_file, to_rank, ..]
        if b"bhgqkftFHGT".contains(letter)
            && [from_file, to_file].iter().all(|b| (b'a'..=b'h').contains(*b))
            && [from_rank, to_rank].iter().all(|b| (b'1'..=b'8').contains(*b)))
}

/// The text of a string, escapes undone.
fn inner(value: &str) -> Cow<'_, str> {
    let quoted = value
        .get(1..value.len().saturating_sub(1))
        .unwrap_or_default();
    if quoted.contains('\\') {
        Cow::Owned(unescape(quoted).0)
    } else {
        Cow::Borrowed(quoted)
    }
}
