//! Tags, with everything people do to them.

use std::borrow::Cow;

use crate::{
    encoding::Encoding,
    line,
    note::{NoteKind, Notes},
};

/// One tag of a line, as positions in the text it was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    name: (usize, usize),
    value: (usize, usize),
    /// Behind the closing bracket.
    pub(crate) end: usize,
    quote: Quote,
    /// The closing quote or bracket is missing.
    unclosed: bool,
    spaced: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    Double,
    Other,
    None,
}

/// Reads the tag that starts at `at`, a `[`; `line` ends where the tag must end. `None` if no bracket closes it.
pub(crate) fn read(line: &[u8], at: usize) -> Option<Span> {
    let name_start = at + 1 + blanks(&line[at + 1..]);
    let name_end = name_start
        + line[name_start..]
            .iter()
            .take_while(|b| !matches!(b, b' ' | b'\t' | b'"' | b'\'' | b']' | b'\r' | b'\n'))
            .count();
    // A typographic quote may be glued to the name.
    let name_end = memchr::memmem::find(&line[name_start..name_end], "“".as_bytes())
        .map_or(name_end, |i| name_start + i);
    let value_at = name_end + blanks(&line[name_end..]);
    let rest = line.get(value_at..)?;
    let (quote, open, close) = match rest.first()? {
        b'"' => (Quote::Double, 1, b"\"".as_slice()),
        b'\'' => (Quote::Other, 1, b"'".as_slice()),
        _ if rest.starts_with("“".as_bytes()) => (Quote::Other, 3, "”".as_bytes()),
        _ => (Quote::None, 0, b"".as_slice()),
    };
    let start = value_at + open;
    let (value_end, end, unclosed) = match quote {
        Quote::None => {
            let close = value_at + memchr::memchr(b']', rest)?;
            (
                close - trailing_blanks(&line[value_at..close]),
                close + 1,
                false,
            )
        }
        _ => match closing(line, start, close) {
            Some((value_end, end)) => (value_end, end, false),
            None => {
                // No quote closes it: take the last bracket of the line.
                let close = start + memchr::memrchr(b']', &line[start..])?;
                (close, close + 1, true)
            }
        },
    };
    let spaced = name_start > at + 1 || quote != Quote::None && value_end + close.len() + 1 < end;
    Some(Span {
        name: (name_start, name_end),
        value: (start, value_end),
        end,
        quote,
        unclosed,
        spaced,
    })
}

/// Quotes that may close a value; bounds the work for each tag.
const QUOTES_LOOKED_AT: usize = 32;

/// The quote that closes a value: the first one before a bracket that ends the line or stands before another tag;
/// failing that the first one before any bracket; an escaped one only if there is no other.
fn closing(line: &[u8], start: usize, close: &[u8]) -> Option<(usize, usize)> {
    let (mut first, mut first_escaped) = (None, None);
    let ends = memchr::memchr_iter(close[close.len() - 1], &line[start..]).map(|at| start + at + 1);
    for quote_end in ends
        .filter(|end| line[start..*end].ends_with(close))
        .take(QUOTES_LOOKED_AT)
    {
        let at = quote_end - close.len();
        let bracket = at + close.len() + blanks(&line[at + close.len()..]);
        if line.get(bracket) != Some(&b']') {
            continue;
        }
        let span = (at, bracket + 1);
        let backslashes = line[start..at]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count();
        if backslashes % 2 == 1 {
            first_escaped = first_escaped.or(Some(span));
            continue;
        }
        let rest = &line[bracket + 1..];
        if line::blank_prefix(rest) == rest.len() || line::tag_name(rest).is_some() {
            return Some(span);
        }
        first = first.or(Some(span));
    }
    first.or(first_escaped)
}

/// Where the last tag of a line that starts with one ends; `None` if its last tag stays open.
pub(crate) fn last_end(line: &[u8]) -> Option<usize> {
    let mut at = line::blank_prefix(line);
    loop {
        let end = read(line, at)?.end;
        let next = end + line::blank_prefix(&line[end..]);
        if next >= line.len() || line::tag_name(&line[next..]).is_none() {
            return Some(end);
        }
        at = next;
    }
}

impl Span {
    /// Its name and value; `at` is its place in the game.
    pub(crate) fn decode<'a>(
        &self,
        line: &'a [u8],
        at: usize,
        encoding: Encoding,
        notes: &mut Notes,
    ) -> (Cow<'a, str>, Cow<'a, str>) {
        let name = &line[self.name.0..self.name.1];
        let value = &line[self.value.0..self.value.1];
        self.note(name, value, at, notes);
        (encoding.decode(name), value_of(value, encoding, self.quote))
    }

    fn note(&self, name: &[u8], value: &[u8], at: usize, notes: &mut Notes) {
        let shown = || String::from_utf8_lossy(name).into_owned();
        if self.spaced {
            notes.add(at, NoteKind::TagSpacing, shown);
        }
        if self.unclosed {
            notes.add(at, NoteKind::TagUnclosed, shown);
        }
        if self.quote == Quote::None && value.is_empty() {
            notes.add(at, NoteKind::TagValueMissing, shown);
        } else if self.quote != Quote::Double {
            notes.add(at, NoteKind::TagQuoteStyle, shown);
        }
        if name.first().is_some_and(u8::is_ascii_lowercase) {
            notes.add(at, NoteKind::TagLowerCase, shown);
        }
        if !name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_') {
            notes.add(at, NoteKind::TagNameOdd, shown);
        }
        if self.quote == Quote::Double && has_bare_quote(value) {
            notes.add(at, NoteKind::TagQuoteInside, shown);
        }
    }
}

fn has_bare_quote(value: &[u8]) -> bool {
    memchr::memchr_iter(b'"', value).any(|at| {
        value[..at]
            .iter()
            .rev()
            .take_while(|b| **b == b'\\')
            .count()
            % 2
            == 0
    })
}

fn value_of(value: &[u8], encoding: Encoding, quote: Quote) -> Cow<'_, str> {
    let text = encoding.decode(value);
    if quote == Quote::None || !text.contains('\\') {
        return text;
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(next @ ('"' | '\\'))) => {
                plain.push(*next);
                letters.next();
            }
            _ => plain.push(letter),
        }
    }
    Cow::Owned(plain)
}

fn blanks(text: &[u8]) -> usize {
    text.iter()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}

fn trailing_blanks(text: &[u8]) -> usize {
    text.iter()
        .rev()
        .take_while(|b| matches!(b, b' ' | b'\t'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(line: &str) -> (String, String, Vec<NoteKind>) {
        let mut notes = Notes::default();
        let span = read(line.as_bytes(), 0).expect("a tag");
        let (name, value) = span.decode(line.as_bytes(), 0, Encoding::Utf8, &mut notes);
        (
            name.into_owned(),
            value.into_owned(),
            notes.finish().iter().map(|note| note.kind).collect(),
        )
    }

    #[test]
    fn every_quirk() {
        for (line, name, value, notes) in [
            (r#"[Event "x"]"#, "Event", "x", vec![]),
            (r#"[Event ""]"#, "Event", "", vec![]),
            (r#"[Event "a \"b\" \\ c"]"#, "Event", r#"a "b" \ c"#, vec![]),
            (
                r#"[Event "a "b" c"]"#,
                "Event",
                r#"a "b" c"#,
                vec![NoteKind::TagQuoteInside],
            ),
            (r#"[Event "a [b] c"]"#, "Event", "a [b] c", vec![]),
            (
                r#"[Event "a [b "c"] d"]"#,
                "Event",
                r#"a [b "c"] d"#,
                vec![NoteKind::TagQuoteInside],
            ),
            (
                r#"[Variant "makruk" ]"#,
                "Variant",
                "makruk",
                vec![NoteKind::TagSpacing],
            ),
            (
                r#"[ Variant "makruk"]"#,
                "Variant",
                "makruk",
                vec![NoteKind::TagSpacing],
            ),
            (r#"[white "x"]"#, "white", "x", vec![NoteKind::TagLowerCase]),
            (
                r#"[White 'x']"#,
                "White",
                "x",
                vec![NoteKind::TagQuoteStyle],
            ),
            (
                r#"[White “x”]"#,
                "White",
                "x",
                vec![NoteKind::TagQuoteStyle],
            ),
            (
                r#"[White x y ]"#,
                "White",
                "x y",
                vec![NoteKind::TagQuoteStyle],
            ),
            (r#"[White]"#, "White", "", vec![NoteKind::TagValueMissing]),
            (r#"[White "x]"#, "White", "x", vec![NoteKind::TagUnclosed]),
            (r#"[Path "C:\"]"#, "Path", r"C:\", vec![]),
            (r#"[Event"x"]"#, "Event", "x", vec![]),
        ] {
            assert_eq!(
                tag(line),
                (name.to_owned(), value.to_owned(), notes),
                "{line}"
            );
        }
        assert_eq!(read(br#"[White "x"#, 0), None);
    }

    #[test]
    fn several_on_a_line() {
        let line = br#"[A "x"] [B "y"] 1. e4"#;
        assert_eq!(last_end(line), Some(15));
        assert_eq!(read(line, 0).map(|span| span.end), Some(7));
    }
}
