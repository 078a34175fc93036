//! JSON among the records: one object that holds moves or a position is one record, whatever is wrapped around it.
//!
//! Arrays and wrapping objects are not read as a whole, so that a file of any size is cut in bounded memory: what stands
//! between records (brackets, commas, the names of wrapping fields) is a separator.

use std::io::Read;

use serde::de::IgnoredAny;

use super::{Cutter, Piece};
use crate::{form::Form, line, sniff::Foreign, window::Line};

/// Fields that only a record of a game or a position has, in lower case and without `_` and `-`.
const RECORD_KEYS: &[&[u8]] = &[
    b"moves",
    b"movelist",
    b"movesuci",
    b"ucimoves",
    b"movesan",
    b"mainline",
    b"movetext",
    b"pgn",
    b"kpgn",
    b"fen",
    b"startfen",
    b"initialfen",
    b"startposition",
    b"ren",
];

/// What stands between two records is not longer than this; more is data that nobody reads.
const MAX_BETWEEN_BYTES: usize = 16 << 10;

/// A wrapping object is looked through so far behind the first record in it, for moves of its own.
const MAX_DOUBT_BYTES: usize = 4 << 10;

/// How much of a text tells whether it is JSON.
const HEAD_BYTES: usize = 256;

/// What an object turned out to be.
enum Object {
    /// A record of so many bytes.
    Record(usize),
    /// A record that does not end as JSON should; so many bytes belong to it.
    Broken(usize),
    /// A record over the limit.
    TooLarge(usize),
    /// Wrapped around records, the first of which begins here.
    Wrapper(usize),
    /// Neither.
    Neither(usize),
}

impl<R: Read> Cutter<R> {
    /// An object at the start of the window.
    pub(super) fn json_object(&mut self) -> Piece {
        self.after_json = true;
        match self.look_at_object() {
            Object::Record(length) | Object::Broken(length) => {
                self.hand_out_record(length, Form::Json)
            }
            Object::TooLarge(length) => Piece::TooLarge {
                member_bytes: self.window.release(length) + self.skip_to_record(),
            },
            Object::Wrapper(at) => {
                self.bound = true;
                let wraps = at <= MAX_BETWEEN_BYTES && is_wrapping(&self.window.bytes()[..at]);
                let member_bytes = self.window.release(at);
                match wraps {
                    true => Piece::Separator { member_bytes },
                    false => Piece::Foreign {
                        member_bytes,
                        what: Foreign::NotGameText("json around games"),
                    },
                }
            }
            Object::Neither(length) => Piece::Foreign {
                member_bytes: self.window.release(length),
                what: Foreign::NotGameText("json without a game"),
            },
        }
    }

    /// Brackets, commas and what is left of wrapping objects, up to the next object; `None` if there is none of it.
    pub(super) fn json_between(&mut self) -> Option<Piece> {
        let (mut at, mut depth, mut named) = (0, 0_u32, false);
        while let Some(byte) = self.byte_at(at).filter(|_| at <= MAX_BETWEEN_BYTES) {
            match byte {
                b'[' if !self.opens_json(at) => break,
                b'[' => {
                    self.bound = true;
                    (at, depth) = (at + 1, depth + 1);
                }
                b']' => (at, depth) = (at + 1, depth.saturating_sub(1)),
                b'}' | b',' => at += 1,
                byte if byte.is_ascii_whitespace() => at += 1,
                b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => {
                    let Some((end, is_text)) = self.scalar(at) else {
                        break;
                    };
                    let colon = self.skip_blanks(end);
                    let is_name = is_text && self.byte_at(colon) == Some(b':');
                    // A value that no field holds is data, not what is wrapped around records.
                    if !is_name && !named {
                        break;
                    }
                    at = if is_name { colon + 1 } else { end };
                    named = is_name || depth > 0;
                }
                _ => break,
            }
        }
        (at > 0).then(|| Piece::Separator {
            member_bytes: self.window.release(at),
        })
    }

    /// Whether an object begins there, or an array whose first element is one.
    pub(super) fn opens_json(&mut self, at: usize) -> bool {
        self.byte_at(at + HEAD_BYTES);
        let bytes = self.window.bytes();
        let head = &bytes[at.min(bytes.len())..bytes.len().min(at + HEAD_BYTES)];
        let inner = head
            .iter()
            .position(|b| *b != b'[' && !b.is_ascii_whitespace());
        inner.is_some_and(|at| head[at] == b'{' && line::starts_json(&head[at..]))
    }

    fn skip_blanks(&mut self, mut at: usize) -> usize {
        while self
            .byte_at(at)
            .is_some_and(|byte| byte.is_ascii_whitespace())
            && at <= 2 * MAX_BETWEEN_BYTES
        {
            at += 1;
        }
        at
    }

    /// Where the text, number or word that starts here ends, and whether it is a text.
    fn scalar(&mut self, at: usize) -> Option<(usize, bool)> {
        let is_text = self.byte_at(at) == Some(b'"');
        let (mut end, mut escaped) = (at + 1, false);
        loop {
            let byte = self.byte_at(end)?;
            match byte {
                _ if end > 2 * MAX_BETWEEN_BYTES => return None,
                _ if is_text && escaped => escaped = false,
                b'\\' if is_text => escaped = true,
                b'"' if is_text => return Some((end + 1, true)),
                b'\n' | b'\r' if is_text => return None,
                _ if is_text => {}
                b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E' => {}
                byte if ends_value(byte) => {
                    let value = self.window.bytes().get(at..end)?;
                    return is_value(value).then_some((end, false));
                }
                _ => return None,
            }
            end += 1;
        }
    }

    /// Lets go of everything up to a line that is a tag or opens an object.
    fn skip_to_record(&mut self) -> u64 {
        let (mut member_bytes, mut at_line_start) = (0, false);
        loop {
            match self.window.line(0, super::MAX_FOREIGN_LINE_BYTES) {
                Line::End => return member_bytes,
                Line::TooLong => {
                    let length = self.window.whole_letters(super::MAX_FOREIGN_LINE_BYTES);
                    member_bytes += self.window.release(length);
                    at_line_start = false;
                }
                Line::Whole(end) => {
                    let text = &self.window.bytes()[..end.content];
                    if at_line_start && (line::is_plain_tag(text) || text.starts_with(b"{\"")) {
                        return member_bytes;
                    }
                    member_bytes += self.window.release(end.next);
                    at_line_start = true;
                }
            }
        }
    }

    fn byte_at(&mut self, at: usize) -> Option<u8> {
        while self.window.bytes().len() <= at {
            if !self.window.fill() && self.window.bytes().len() <= at {
                return None;
            }
        }
        self.window.bytes().get(at).copied()
    }

    fn look_at_object(&mut self) -> Object {
        let mut scan = ObjectScan::default();
        let mut ended = false;
        loop {
            let bytes = self.window.bytes();
            let over = bytes.len() > self.max_game_bytes;
            let seen = bytes.len().min(self.max_game_bytes);
            if let Some(found) = scan.read(&bytes[..seen], ended || over) {
                return found;
            }
            if over {
                let length = self.window.whole_letters(self.max_game_bytes);
                return match (scan.is_record, scan.nested) {
                    (true, _) => Object::TooLarge(length),
                    (false, Some(nested)) => Object::Wrapper(nested),
                    (false, None) => Object::Neither(length),
                };
            }
            if ended {
                return self.unclosed(&scan);
            }
            ended = !self.window.fill();
        }
    }

    /// The text ends, or breaks, inside the object.
    fn unclosed(&mut self, scan: &ObjectScan) -> Object {
        let text = self.window.bytes();
        let kept = text.len() - trailing_blanks(text);
        match (scan.is_record, scan.nested) {
            (true, _) => Object::Broken(kept.max(1)),
            (false, Some(nested)) => Object::Wrapper(nested),
            (false, None) => Object::Neither(text.len()),
        }
    }
}

/// Whether the beginning of an object is nothing but brackets, names and values, as far as it goes.
fn is_wrapping(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        let length = match byte {
            b'"' => match end_of_text(behind) {
                Some(end) => end + 1,
                None => return false,
            },
            byte if byte == b'{' || byte == b'[' || ends_value(byte) => 1,
            _ => {
                let end = rest.iter().position(|&byte| ends_value(byte));
                let value = &rest[..end.unwrap_or(rest.len())];
                if !is_value(value) {
                    return false;
                }
                value.len()
            }
        };
        rest = &rest[length..];
    }
    true
}

/// Where a text ends whose opening quote has been passed, quote included.
fn end_of_text(text: &[u8]) -> Option<usize> {
    let mut escaped = false;
    let quote = text.iter().position(|&byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    quote.map(|at| at + 1)
}

/// Whether a number or word ends before this byte.
fn ends_value(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b",:]}".contains(&byte)
}

/// Whether JSON has such a value: `1.` of a move's number is none.
fn is_value(text: &[u8]) -> bool {
    serde_json::from_slice::<IgnoredAny>(text).is_ok()
}

fn trailing_blanks(text: &[u8]) -> usize {
    text.iter()
        .rev()
        .take_while(|b| b.is_ascii_whitespace() || **b == 0)
        .count()
}

/// Reads an object byte by byte, as far as it must: names, brackets and texts.
#[derive(Debug, Default)]
struct ObjectScan {
    /// Bytes looked at.
    at: usize,
    /// Where the objects and arrays that are open began, innermost last; beyond a depth nothing is kept.
    open: Vec<Open>,
    /// Objects and arrays open beyond that depth.
    deeper: usize,
    in_text: bool,
    escaped: bool,
    /// Where the text that is open, or was last, began and ended.
    text: (usize, usize),
    is_record: bool,
    /// The innermost object inside that is a record.
    nested: Option<usize>,
    /// The object's own first name, with all before it: a line that starts so too is the next record.
    head: usize,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    at: usize,
    is_object: bool,
}

/// Wrapping deeper than this is not looked into.
const MAX_DEPTH: usize = 64;

impl ObjectScan {
    /// Reads on; `None` if more text is needed.
    fn read(&mut self, text: &[u8], ended: bool) -> Option<Object> {
        while let Some(&byte) = text.get(self.at) {
            if let Some(nested) = self.nested.filter(|_| !self.is_record)
                && self.at > nested + MAX_DOUBT_BYTES
            {
                return Some(Object::Wrapper(nested));
            }
            if self.in_text {
                if let Some(found) = self.inside_text(byte, text) {
                    return Some(found);
                }
                self.at += 1;
                continue;
            }
            match byte {
                b'"' => (self.in_text, self.text.0) = (true, self.at),
                b'{' | b'[' => self.push(byte == b'{'),
                b'}' | b']' => {
                    if self.pop() {
                        return Some(self.closed());
                    }
                }
                b':' => self.name(text),
                b'\n' if self.is_record && self.head > 0 => {
                    let rest = &text[self.at + 1..];
                    if rest.len() < self.head && !ended {
                        return None;
                    }
                    if rest.starts_with(&text[..self.head]) {
                        return Some(Object::Broken(self.at - trailing_blanks(&text[..self.at])));
                    }
                }
                _ if is_json(byte) || self.is_record => {}
                _ => {
                    return Some(match self.nested {
                        Some(nested) => Object::Wrapper(nested),
                        None => Object::Neither(self.at.max(1)),
                    });
                }
            }
            self.at += 1;
        }
        None
    }

    fn inside_text(&mut self, byte: u8, text: &[u8]) -> Option<Object> {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = true,
            b'"' => (self.in_text, self.text.1) = (false, self.at + 1),
            // A text that JSON does not allow: the record ends with its line.
            b'\n' | b'\r' if self.is_record => {
                return Some(Object::Broken(self.at - trailing_blanks(&text[..self.at])));
            }
            b'\n' | b'\r' => return Some(Object::Neither(self.at)),
            _ => {}
        }
        None
    }

    fn push(&mut self, is_object: bool) {
        if self.open.len() >= MAX_DEPTH {
            self.deeper += 1;
        } else {
            let at = self.at;
            self.open.push(Open { at, is_object });
        }
    }

    /// True once the outermost object is closed.
    fn pop(&mut self) -> bool {
        if self.deeper > 0 {
            self.deeper -= 1;
            return false;
        }
        self.open.pop();
        self.open.is_empty()
    }

    fn closed(&self) -> Object {
        let length = self.at + 1;
        match (self.is_record, self.nested) {
            (true, _) => Object::Record(length),
            (false, Some(nested)) => Object::Wrapper(nested),
            (false, None) => Object::Neither(length),
        }
    }

    /// The text before a colon is a field's name.
    fn name(&mut self, text: &[u8]) {
        let Some(inner) = self
            .open
            .last()
            .copied()
            .filter(|open| open.is_object && self.deeper == 0)
        else {
            return;
        };
        let name = text.get(self.text.0 + 1..self.text.1.saturating_sub(1));
        if self.head == 0 {
            self.head = self.at + 1;
        }
        if !name.is_some_and(is_record_key) {
            return;
        }
        if self.open.len() == 1 {
            self.is_record = true;
        } else {
            self.nested.get_or_insert(inner.at);
        }
    }
}

/// Whether a byte can stand in JSON outside of texts.
fn is_json(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte.is_ascii_alphanumeric() || b",+-.".contains(&byte)
}

fn is_record_key(name: &[u8]) -> bool {
    name.len() <= 24
        && RECORD_KEYS.iter().any(|key| {
            let letters = name.iter().filter(|b| !matches!(b, b'_' | b'-'));
            letters.map(u8::to_ascii_lowercase).eq(key.iter().copied())
        })
}
