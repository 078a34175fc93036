//! Records that are one line, or a few: positions, base64 and the text of a page.

use std::io::Read;

use super::{Cutter, Piece, is_separator};
use crate::{
    form::Form,
    line::{self, LineEnd},
    outcome,
    sniff::{self, Foreign},
    window::Line,
};

/// Comment lines over a list of positions are looked through so far.
const MAX_COMMENT_BYTES: usize = 64 << 10;

/// The head of a page is no longer than this.
const MAX_HEAD_BYTES: usize = 4 << 10;

impl<R: Read> Cutter<R> {
    /// `#` lines, or a heading, with a position right behind them; where they end.
    pub(super) fn comments_before_position(&mut self, first: LineEnd) -> Option<usize> {
        let head = &self.window.bytes()[..first.content];
        if is_comment(head) && self.after_position {
            return Some(first.next);
        }
        if !is_comment(head) && !is_heading(head) {
            return None;
        }
        let mut at = first.next;
        while at < MAX_COMMENT_BYTES {
            let Line::Whole(end) = self.window.line(at, at + MAX_COMMENT_BYTES) else {
                break;
            };
            let text = &self.window.bytes()[at..end.content];
            if is_position(text) {
                self.bound = true;
                return Some(at);
            }
            if !is_comment(text) && !is_separator(text) {
                return None;
            }
            at = end.next;
        }
        None
    }

    /// Base64 of an object, which may go on over several lines.
    pub(super) fn base64_object(&mut self, first: LineEnd) -> Option<Piece> {
        let width = first.content;
        if !opens_base64_object(&self.window.bytes()[..width]) {
            return None;
        }
        let (mut end, mut whole) = (first, first.content);
        while let Line::Whole(next) = self.window.line(end.next, end.next + width + 1) {
            let text = &self.window.bytes()[end.next..next.content];
            let goes_on = !text.is_empty()
                && text.len() <= width
                && sniff::is_base64_text(text)
                && !opens_base64_object(text);
            if !goes_on || next.content > self.max_game_bytes {
                break;
            }
            let full = text.len() == width;
            (end, whole) = (next, next.content);
            if !full {
                break;
            }
        }
        Some(self.hand_out_record(whole, Form::Base64))
    }

    /// The text of a game page, if one begins here.
    pub(super) fn page(&mut self, first: LineEnd) -> Option<Piece> {
        let text = &self.window.bytes()[..first.content];
        if !line::says_rules(text) {
            if !line::is_page_clock(text) {
                return None;
            }
            let Line::Whole(next) = self.window.line(first.next, first.next + MAX_HEAD_BYTES)
            else {
                return None;
            };
            if !line::says_rules(&self.window.bytes()[first.next..next.content]) {
                return None;
            }
        }
        Some(self.page_from(first))
    }

    fn page_from(&mut self, first: LineEnd) -> Piece {
        let (mut at, mut end, mut moves, mut told) = (
            first.next,
            first.content,
            false,
            line::says_rules(&self.window.bytes()[..first.content]),
        );
        while let Line::Whole(next) = self.window.line(at, at + self.max_game_bytes) {
            if next.content > self.max_game_bytes {
                let member_bytes = self.window.release(next.next) + self.skip_to_tag(true);
                return Piece::TooLarge { member_bytes };
            }
            let text = &self.window.bytes()[at..next.content];
            let blank = line::blank_prefix(text) == text.len();
            let rules = line::says_rules(text);
            if !blank {
                let another =
                    line::is_page_clock(text) || rules && told || line::is_plain_tag(text);
                let result = outcome::parse(&String::from_utf8_lossy(text)).is_some();
                let known = rules || line::is_page_date(text) || line::starts_move_text(text);
                if another || !(known || result) {
                    break;
                }
                told |= rules;
                moves |= line::starts_move_text(text);
                end = next.content;
                if result && moves {
                    break;
                }
            }
            at = next.next;
        }
        self.hand_out_record(end, Form::Page)
    }

    /// A record whose end is known.
    pub(super) fn hand_out_record(&mut self, length: usize, form: Form) -> Piece {
        if sniff::is_binary(&self.window.bytes()[..length]) {
            return Piece::Foreign {
                member_bytes: self.window.release(length),
                what: Foreign::NotGameText("binary data"),
            };
        }
        self.pending = length;
        let last = self.window.bytes().len() == length;
        Piece::Game {
            length,
            form,
            finished: true,
            last,
        }
    }
}

/// Whether a line holds a position: eight rows of a board as its first field.
pub(super) fn is_position(text: &[u8]) -> bool {
    let text = line::trim_start(text);
    text.len() >= 15 && sniff::board(text).is_some_and(|board| board.iter().any(u8::is_ascii_digit))
}

fn is_comment(text: &[u8]) -> bool {
    line::trim_start(text).first() == Some(&b'#')
}

/// The names of the columns over a table of positions.
fn is_heading(text: &[u8]) -> bool {
    let name = text
        .split(|b| matches!(b, b'\t' | b',' | b' '))
        .next()
        .unwrap_or_default();
    [b"fen".as_slice(), b"epd", b"position"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

/// Base64 that starts like an object: `{"`, or `{` and a blank.
fn opens_base64_object(text: &[u8]) -> bool {
    let text = line::trim_start(text);
    text.len() >= 24
        && [
            b"eyJ".as_slice(),
            b"ewog",
            b"ewoi",
            b"ewoJ",
            b"ew0K",
            b"eyAi",
        ]
        .iter()
        .any(|head| text.starts_with(head))
        && sniff::is_base64_text(text)
}
