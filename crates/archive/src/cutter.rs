//! Cuts a stream into games, separators and unreadable stretches, in one pass and without looking at moves.
//!
//! Whatever is decided about a game depends only on its own bytes and on what directly follows it, never on what came
//! before its start. So a reading that starts at any game finds the same games as one from the beginning, and one
//! that ends at any game's start too.

use std::io::Read;

use crate::{
    form::Form,
    line::{self, LineEnd},
    sniff::{self, Foreign},
    wide,
    window::{Line, Window},
};

mod json;
mod lines;
mod scan;

use scan::{Scan, Verdict};

/// Blank bytes after which a game is over even if more of it might follow; keeps the window small.
const MAX_BLANK_BYTES: usize = 64 << 10;
/// Lines of foreign text are looked at up to this length.
const MAX_FOREIGN_LINE_BYTES: usize = 64 << 10;

/// A smaller limit would not even hold a tag.
const MIN_GAME_BYTES: usize = 64;
/// Offsets in a game are 32 bits wide.
const MAX_GAME_BYTES: usize = 1 << 30;

/// A UTF-16 mark and a bracket.
const WIDE_HEAD_BYTES: usize = 4;

/// No game has more tags after its moves than this; what has is the next game.
const MAX_TRAILING_TAGS: usize = 64;

/// A stretch of the stream, in order; together they are the whole of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A game: the first `length` bytes of the window. The caller takes them and calls [`Cutter::next`] again.
    Game {
        length: usize,
        form: Form,
        /// Its last words are a result: it is whole even if the stream breaks right after it.
        finished: bool,
        /// The stream ended with it.
        last: bool,
    },
    /// Blank lines, NULs, byte order marks or `%` lines between games; already let go.
    Separator { member_bytes: u64 },
    /// Text that is no game; already let go.
    Foreign { member_bytes: u64, what: Foreign },
    /// A game over the limit; already let go.
    TooLarge { member_bytes: u64 },
}

pub(crate) struct Cutter<R> {
    pub(crate) window: Window<R>,
    max_game_bytes: usize,
    /// A game was handed out and is still in the window.
    pending: usize,
    at_beginning: bool,
    /// JSON came just before: what stands between its objects may follow.
    after_json: bool,
    /// A position came just before.
    after_position: bool,
    /// What came just before is what it is only because of the record behind it: no cut may part them.
    pub(crate) bound: bool,
}

impl<R: Read> Cutter<R> {
    pub(crate) fn new(window: Window<R>, max_game_bytes: usize) -> Self {
        let at_beginning = window.origin() == 0;
        Cutter {
            window,
            max_game_bytes: max_game_bytes.clamp(MIN_GAME_BYTES, MAX_GAME_BYTES),
            pending: 0,
            at_beginning,
            after_json: false,
            after_position: false,
            bound: false,
        }
    }

    /// The bytes of the game last handed out.
    pub(crate) fn game_bytes(&self) -> &[u8] {
        &self.window.bytes()[..self.pending]
    }

    /// Lets go of the game last handed out; its length in the member.
    pub(crate) fn release_game(&mut self) -> u64 {
        let length = std::mem::take(&mut self.pending);
        self.window.release(length)
    }

    /// The next piece; `None` at the end of the stream, or where it broke.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        if self.pending > 0 {
            self.release_game();
        }
        if std::mem::take(&mut self.at_beginning)
            && let Some(piece) = self.binary_file()
        {
            return Some(piece);
        }
        if let Some(piece) = self.json() {
            return Some(piece);
        }
        if !self.window.is_settled()
            && self.window.bytes().first().is_some_and(|b| *b >= 0xfe)
            && self.fills(WIDE_HEAD_BYTES)
            && let Some(encoding) = wide::begins(self.window.bytes())
        {
            self.window.widen(encoding);
        }
        match self.window.line(0, self.max_game_bytes) {
            Line::End => None,
            Line::TooLong => Some(self.skip_long_line()),
            Line::Whole(end) => Some(self.piece(end)),
        }
    }

    /// Whether so many bytes are there.
    fn fills(&mut self, bytes: usize) -> bool {
        while self.window.bytes().len() < bytes && self.window.fill() {}
        self.window.bytes().len() >= bytes
    }

    /// JSON, which is looked for before lines are: an archive of it may be a single line.
    fn json(&mut self) -> Option<Piece> {
        if self.window.bytes().is_empty() {
            self.window.fill();
        }
        let first = *self.window.bytes().first()?;
        match first {
            b'{' if self.opens_json(0) => Some(self.json_object()),
            b'[' if self.opens_json(0) => {
                self.after_json = true;
                self.json_between()
            }
            b',' | b']' | b'}' | b' ' | b'\n' | b'\r' | b'\t' if self.after_json => {
                self.json_between()
            }
            _ => None,
        }
    }

    fn piece(&mut self, end: LineEnd) -> Piece {
        let text = &self.window.bytes()[..end.content];
        // `%` hides a line in its first column only.
        if text.first() == Some(&b'%') && !self.window.at_line_start() {
            return self.foreign();
        }
        if is_separator(text) {
            return Piece::Separator {
                member_bytes: self.skip_separators(end),
            };
        }
        if line::tag_name(text).is_some() {
            return self.game();
        }
        let blanks = line::blank_prefix(text);
        if blanks > 0 && matches!(text[blanks], b'{' | b'[') && self.opens_json(blanks) {
            return Piece::Separator {
                member_bytes: self.window.release(blanks),
            };
        }
        self.line_record(end)
    }

    /// A record without tags, or text that is none.
    fn line_record(&mut self, end: LineEnd) -> Piece {
        self.after_json = false;
        let text = &self.window.bytes()[..end.content];
        if lines::is_position(text) {
            let length = end.content - blanks_at_end(text);
            self.after_position = true;
            return self.hand_out_record(length, Form::Position);
        }
        if let Some(length) = self.comments_before_position(end) {
            return Piece::Separator {
                member_bytes: self.window.release(length),
            };
        }
        self.after_position = false;
        if let Some(piece) = self.base64_object(end) {
            return piece;
        }
        if let Some(piece) = self.page(end) {
            return piece;
        }
        if line::starts_move_text(&self.window.bytes()[..end.content]) {
            self.game()
        } else {
            self.foreign()
        }
    }

    fn binary_file(&mut self) -> Option<Piece> {
        while self.window.bytes().len() < sniff::HEAD_BYTES && self.window.fill() {}
        let kind = sniff::binary_format(self.window.bytes())?;
        let mut member_bytes = 0;
        loop {
            member_bytes += self.window.release(self.window.bytes().len());
            if !self.window.fill() && self.window.bytes().is_empty() {
                return Some(Piece::Foreign {
                    member_bytes,
                    what: Foreign::NotGameText(kind),
                });
            }
        }
    }

    fn skip_separators(&mut self, first: LineEnd) -> u64 {
        let mut end = first.next;
        while end < MAX_BLANK_BYTES {
            match self.window.line(end, end + MAX_BLANK_BYTES) {
                Line::Whole(next) if is_separator(&self.window.bytes()[end..next.content]) => {
                    end = next.next
                }
                _ => break,
            }
        }
        self.window.release(end)
    }

    /// A single line longer than any game: blank ones are a separator, others stop at the next tag.
    fn skip_long_line(&mut self) -> Piece {
        let text = self.window.bytes();
        let length = self.window.whole_letters(self.max_game_bytes);
        if line::blank_prefix(&text[..length]) == length {
            return Piece::Separator {
                member_bytes: self.window.release(length),
            };
        }
        let head = &text[..length.min(sniff::HEAD_BYTES)];
        let game_like = line::tag_name(head).is_some() || line::starts_move_text(head);
        let what = sniff::classify(head);
        let member_bytes = self.window.release(length) + self.skip_to_tag(false);
        match what {
            Foreign::Prose if game_like => Piece::TooLarge { member_bytes },
            _ => Piece::Foreign { member_bytes, what },
        }
    }

    /// Lets go of everything up to a line that is a tag beyond doubt. The start of the window is the start of a line,
    /// or not.
    fn skip_to_tag(&mut self, mut at_line_start: bool) -> u64 {
        let mut member_bytes = 0;
        loop {
            match self.window.line(0, MAX_FOREIGN_LINE_BYTES) {
                Line::End => return member_bytes,
                Line::TooLong => {
                    let length = self.window.whole_letters(MAX_FOREIGN_LINE_BYTES);
                    member_bytes += self.window.release(length);
                    at_line_start = false;
                }
                Line::Whole(end) => {
                    if at_line_start && line::is_plain_tag(&self.window.bytes()[..end.content]) {
                        return member_bytes;
                    }
                    member_bytes += self.window.release(end.next);
                    at_line_start = true;
                }
            }
        }
    }

    fn foreign(&mut self) -> Piece {
        self.after_json = false;
        self.foreign_after(Vec::new(), 0)
    }

    /// Foreign text that goes on; its head and its length so far.
    fn foreign_after(&mut self, mut head: Vec<u8>, mut member_bytes: u64) -> Piece {
        let mut at_line_start = member_bytes == 0;
        loop {
            let (length, whole) = match self.window.line(0, MAX_FOREIGN_LINE_BYTES) {
                Line::End => break,
                Line::TooLong => (self.window.whole_letters(MAX_FOREIGN_LINE_BYTES), false),
                Line::Whole(end) => {
                    let text = &self.window.bytes()[..end.content];
                    if member_bytes > 0 && at_line_start && starts_game_after(&head, text) {
                        break;
                    }
                    (end.next, true)
                }
            };
            let room = sniff::HEAD_BYTES.saturating_sub(head.len()).min(length);
            head.extend_from_slice(&self.window.bytes()[..room]);
            member_bytes += self.window.release(length);
            at_line_start = whole;
        }
        Piece::Foreign {
            member_bytes,
            what: sniff::classify(&head),
        }
    }

    /// A game starts here; finds where it ends.
    fn game(&mut self) -> Piece {
        (self.after_json, self.after_position) = (false, false);
        let mut scan = Scan::default();
        let mut at = 0;
        loop {
            at = scan.plain_lines(self.window.bytes(), at, self.max_game_bytes);
            let end = match self.window.line(at, at + self.max_game_bytes) {
                Line::Whole(end) => end,
                Line::End => return self.hand_out(scan.end, &scan, true),
                // A line longer than any game, after a game that is over, is not part of it.
                Line::TooLong if scan.finished => return self.hand_out(scan.end, &scan, false),
                Line::TooLong => return self.too_large(at, false),
            };
            let text = &self.window.bytes()[at..end.content];
            if line::blank_prefix(text) == text.len() {
                scan.blank_before = true;
                if end.next > scan.end + MAX_BLANK_BYTES {
                    return self.hand_out(scan.end, &scan, false);
                }
                at = end.next;
                continue;
            }
            if scan.in_comment
                && scan.blank_before
                && line::is_plain_tag(text)
                && self.tag_follows(end.next)
            {
                return self.hand_out(scan.end, &scan, false);
            }
            let bytes = self.window.bytes();
            match scan.line(&bytes[at..end.content], at, bytes) {
                Verdict::EndsHere => return self.hand_out(scan.end, &scan, false),
                Verdict::EndedAt(length) => return self.hand_out(length, &scan, false),
                Verdict::GoesOn if end.content > self.max_game_bytes => {
                    return self.too_large(end.next, true);
                }
                Verdict::GoesOn => scan.end = end.content,
            }
            scan.blank_before = false;
            at = end.next;
        }
    }

    fn too_large(&mut self, at: usize, at_line_start: bool) -> Piece {
        Piece::TooLarge {
            member_bytes: self.window.release(at) + self.skip_to_tag(at_line_start),
        }
    }

    fn tag_follows(&mut self, at: usize) -> bool {
        match self.window.line(at, self.max_game_bytes) {
            Line::Whole(end) => line::is_plain_tag(&self.window.bytes()[at..end.content]),
            _ => false,
        }
    }

    fn hand_out(&mut self, length: usize, scan: &Scan, last: bool) -> Piece {
        let game = &self.window.bytes()[..length];
        if sniff::is_binary(game) {
            let head = game[..length.min(sniff::HEAD_BYTES)].to_vec();
            let member_bytes = self.window.release(length);
            return match self.foreign_after(head, member_bytes) {
                Piece::Foreign { member_bytes, .. } => Piece::Foreign {
                    member_bytes,
                    what: Foreign::NotGameText("binary data"),
                },
                other => other,
            };
        }
        self.pending = length;
        Piece::Game {
            length,
            form: Form::Pgn,
            finished: scan.finished && !scan.in_comment,
            last,
        }
    }
}

/// Blank, or hidden by `%` in the first column.
fn is_separator(text: &[u8]) -> bool {
    let blank = line::blank_prefix(text);
    blank == text.len() || text[0] == b'%'
}

/// Whether a game starts with this line, after foreign text.
fn starts_game_after(head: &[u8], text: &[u8]) -> bool {
    line::is_plain_tag(text)
        || wide::begins(text).is_some()
        || text.starts_with(b"{\"") && line::starts_json(text)
        || lines::is_position(text)
        || line::says_rules(text)
        || line::is_page_clock(text)
        || line::starts_first_move(text) && sniff::classify(head) == Foreign::Prose
}

fn blanks_at_end(text: &[u8]) -> usize {
    text.iter()
        .rev()
        .take_while(|b| b.is_ascii_whitespace() || **b == 0)
        .count()
}
