//! What stands in brackets: comments, variations, tags.

use memchr::memchr;

use super::{
    Tokenizer,
    letters::{is_break, shorten, word_length},
};
use crate::{
    line::{self, LineEnd},
    note::{NoteKind, clamp},
    outcome, tag,
    token::{CommentStyle, TokenKind},
};

/// Tags that a new one is compared with; no real game has as many.
const DUPLICATES_LOOKED_FOR: usize = 128;

impl Tokenizer<'_> {
    pub(super) fn stray(&mut self, kind: NoteKind) {
        self.notes
            .add(self.at, kind, || "closes nothing".to_owned());
        self.at += 1;
    }

    pub(super) fn brace_comment(&mut self) {
        let open = self.at;
        let (end, next) = self.comment_end(open);
        self.push(open, open + 1, end, TokenKind::Comment(CommentStyle::Brace));
        self.at = next;
    }

    /// Where the comment that opens at `open` ends, and what follows it. It ends at the first `}` as PGN says; where
    /// `{` stands inside, it ends at the `}` that balances them, if there is one and no move number lies between.
    fn comment_end(&mut self, open: usize) -> (usize, usize) {
        let text = self.text;
        let Some(close) = memchr(b'}', &text[open..]).map(|at| open + at) else {
            self.notes.add(open, NoteKind::CommentUnclosed, || {
                "the comment goes on to the end of the game".to_owned()
            });
            return (text.len(), text.len());
        };
        if memchr(b'{', &text[open + 1..close]).is_none() {
            return (close, close + 1);
        }
        self.notes.add(open, NoteKind::CommentNested, || {
            shorten(self.encoding, &text[open..=close])
        });
        let end = balanced(&text[..text.len().min(close + NESTING_BYTES)], open)
            .filter(|end| !holds_number(&text[close..*end]))
            .unwrap_or(close);
        (end, end + 1)
    }

    pub(super) fn line_comment(&mut self) {
        let (start, end) = (self.at + 1, self.line_end(self.at).content);
        self.push(self.at, start, end, TokenKind::Comment(CommentStyle::Line));
        self.at = end;
    }

    pub(super) fn variation(&mut self) {
        let open = self.at;
        let (end, moves) = self.variation_end(open);
        let closed = self.text.get(end) == Some(&b')');
        let kind = match self.text[open + 1..end].trim_ascii() {
            b"=" if closed => TokenKind::DrawOffer,
            _ => TokenKind::Variation { moves },
        };
        self.push(open, open + 1, end, kind);
        self.at = end + usize::from(closed);
    }

    /// The `)` that closes a variation, comments aside, and the number of moves before it. One that nothing closes
    /// goes on to the end of the game, or to the result there.
    fn variation_end(&mut self, open: usize) -> (usize, u32) {
        let (mut depth, mut moves, mut at) = (0_u32, 0_u32, open);
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return (at, moves),
                b')' => depth -= 1,
                b'{' => {
                    at = memchr(b'}', &self.text[at..])
                        .map_or(self.text.len(), |close| at + close + 1);
                    continue;
                }
                b';' => {
                    at = self.line_end(at).content;
                    continue;
                }
                _ if is_break(*byte) => {}
                _ => {
                    let length = word_length(&self.text[at..]).max(1);
                    let word = &self.text[at..at + length];
                    let bare = word
                        .iter()
                        .position(|b| !b.is_ascii_digit() && *b != b'.')
                        .map_or(word, |i| &word[i..]);
                    moves += u32::from(line::word_is_move(bare));
                    at += length;
                    continue;
                }
            }
            at += 1;
        }
        self.notes.add(open, NoteKind::VariationUnclosed, || {
            "the variation goes on to the end of the game".to_owned()
        });
        let kept = self.text.trim_ascii_end();
        let last = kept.iter().rposition(|b| is_break(*b)).map_or(0, |i| i + 1);
        let end = if last > open && outcome::at_start(&kept[last..]).is_some() {
            last
        } else {
            self.text.len()
        };
        (end, moves)
    }

    /// A tag, or something else in brackets.
    pub(super) fn bracket(&mut self) {
        let end = self.line_end(self.at);
        let is_tag = line::tag_name(&self.text[self.at..end.content]).is_some();
        let in_place = self.moves == 0 || self.line_is_blank_before();
        if is_tag && in_place {
            return self.tag(end);
        }
        let start = self.at;
        self.notes.add(start, NoteKind::BracketInMoves, || {
            shorten(self.encoding, &self.text[start..end.content])
        });
        let close =
            memchr(b']', &self.text[start..end.content]).map_or(end.content, |i| start + i + 1);
        self.push(
            start,
            start,
            close,
            TokenKind::Comment(CommentStyle::Bracket),
        );
        self.at = close;
    }

    fn line_is_blank_before(&self) -> bool {
        // Walks over the blanks only, so that all walks of a game together are no longer than the game.
        let before = &self.text[..self.at];
        let before = before.strip_suffix(crate::encoding::BOM).unwrap_or(before);
        let last = before.iter().rev().find(|b| !matches!(b, b' ' | b'\t' | 0));
        last.is_none_or(|b| matches!(b, b'\n' | b'\r'))
    }

    fn tag(&mut self, line_end: LineEnd) {
        let start = self.at;
        let mut limit = line_end.content;
        let mut span = tag::read(&self.text[..limit], start);
        if span.is_none() {
            // A value broken over two lines.
            let next = self.line_end(line_end.next);
            let second = &self.text[line_end.next.min(next.content)..next.content];
            if line::is_closed(second) && line::tag_name(second).is_none() {
                limit = next.content;
                span = tag::read(&self.text[..limit], start);
            }
            let kind = NoteKind::TagUnclosed;
            self.notes.add(start, kind, || {
                shorten(self.encoding, &self.text[start..line_end.content])
            });
        }
        let Some(span) = span else {
            self.at = line_end.content;
            return;
        };
        let (name, value) = span.decode(&self.text[..limit], start, self.encoding, self.notes);
        self.note_place(start, &name);
        self.tags.push(&name, &value, clamp(start));
        self.at = span.end;
        self.tag_line_over = span.end;
    }

    pub(super) fn note_place(&mut self, start: usize, name: &str) {
        let shown = || name.to_owned();
        if self.moves > 0 || self.results > 0 {
            self.notes.add(start, NoteKind::TagAfterMoves, shown);
        }
        if self.tags.has_among(name, DUPLICATES_LOOKED_FOR) {
            self.notes.add(start, NoteKind::TagDuplicate, shown);
        }
        if self.tags.is_empty() {
            return;
        }
        let between = &self.text[self.tag_line_over..start];
        if between == b"\n" {
            return;
        }
        match line::end_of_line(between, 0) {
            None => self.notes.add(start, NoteKind::TagSharesLine, shown),
            Some(end)
                if line::end_of_line(between, end.next).is_some() && self.tokens.is_empty() =>
            {
                self.notes.add(start, NoteKind::TagBlankLine, shown);
            }
            Some(_) => {}
        }
    }
}

/// How far behind a comment's first `}` a balancing one is looked for; bounds the work for each comment.
const NESTING_BYTES: usize = 256;

/// The `}` that balances the `{` at `open`.
fn balanced(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a text holds what looks like a move number.
fn holds_number(text: &[u8]) -> bool {
    text.windows(2)
        .any(|pair| pair[0].is_ascii_digit() && pair[1] == b'.')
}
