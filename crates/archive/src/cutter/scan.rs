//! What the lines of one PGN game show, one after another: where it goes on and where it ends.

use std::ops::Range;

use memchr::{memchr, memchr2, memrchr};

use super::{MAX_BLANK_BYTES, MAX_TRAILING_TAGS};
use crate::{
    line::{self, LineEnd},
    outcome,
    plain_tag::plain_tag,
    tag, wide,
};

pub(super) enum Verdict {
    GoesOn,
    /// The line is not part of the game.
    EndsHere,
    /// The game ended earlier, with the letter before this position.
    EndedAt(usize),
}

/// What the lines of one game have shown so far.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// End of the last line that is not blank.
    pub(super) end: usize,
    pub(super) blank_before: bool,
    pub(super) in_comment: bool,
    has_tags: bool,
    /// Name of the game's first tag: the same one after a blank line opens the next game.
    first_tag: Range<usize>,
    has_moves: bool,
    /// The last words outside comments are a result.
    pub(super) finished: bool,
    /// A tag is open at the end of its line.
    open_tag: bool,
    /// Tags after the moves: they open the next game if moves follow them, and belong to this one otherwise.
    trailing: Option<Trailing>,
}

#[derive(Debug)]
struct Trailing {
    start: usize,
    /// Where the game ended before them.
    game_end: usize,
    names: Vec<Vec<u8>>,
}

impl Trailing {
    fn has(&self, name: &[u8]) -> bool {
        self.names
            .iter()
            .any(|other| other.eq_ignore_ascii_case(name))
    }
}

/// A text without comments is looked through so far at once.
const LOOK_AHEAD_BYTES: usize = 1024;

impl Scan {
    /// Takes lines as nearly all are: tags as PGN has them, moves without comments, blank lines. Gives the position of
    /// the first line that is another, or that can end the game, or that is not whole.
    pub(super) fn plain_lines(&mut self, game: &[u8], mut at: usize, limit: usize) -> usize {
        if self.in_comment || self.open_tag || self.trailing.is_some() {
            return at;
        }
        let mut no_comment_before = at;
        let known = game.len().min(limit);
        loop {
            if !self.has_moves && !self.blank_before {
                at = self.plain_tags(game, at, known);
            }
            let Some(end) = line::end_of_line(game, at) else {
                return at;
            };
            if end.content + line::LINE_END_BYTES > known {
                return at;
            }
            match game[at] {
                first if first.is_ascii_alphanumeric() && !self.may_end(first) => {
                    if end.content > no_comment_before {
                        let to = game.len().min(end.content.max(at + LOOK_AHEAD_BYTES));
                        let found = memchr2(b'{', b';', &game[at..to]);
                        no_comment_before = found.map_or(to, |found| at + found);
                        if end.content > no_comment_before {
                            return at;
                        }
                    }
                    self.has_moves = true;
                    self.finished = outcome::at_end(&game[at..end.content]);
                }
                b'\n' if end.next <= self.end + MAX_BLANK_BYTES => {
                    self.blank_before = true;
                    at = end.next;
                    continue;
                }
                _ => return at,
            }
            self.blank_before = false;
            self.end = end.content;
            at = end.next;
        }
    }

    /// As [`Scan::plain_lines`], for tags that nothing but tags stands before; LF ends their lines.
    fn plain_tags(&mut self, game: &[u8], mut at: usize, known: usize) -> usize {
        while let Some((name, length)) = plain_tag(&game[at..]) {
            let end = at + length;
            if game[end] != b'\n' || end + line::LINE_END_BYTES > known {
                break;
            }
            if !self.has_tags {
                self.first_tag = at + 1..at + 1 + name;
                self.has_tags = true;
            }
            self.end = end;
            at = end + 1;
        }
        at
    }

    /// Whether the game can end before a line of moves that starts so.
    fn may_end(&self, first: u8) -> bool {
        match (self.finished, self.blank_before) {
            (true, true) => true,
            (true, false) => first == b'1',
            (false, true) => !self.has_tags,
            (false, false) => false,
        }
    }

    /// Looks at a line that is not blank; `at` is its position, `game` everything from the game's start on.
    pub(super) fn line(&mut self, text: &[u8], at: usize, game: &[u8]) -> Verdict {
        if self.in_comment {
            if let Some(close) = memchr(b'}', text) {
                self.in_comment = false;
                self.moves(&text[close + 1..]);
            }
            return Verdict::GoesOn;
        }
        if text[0] == b'%' {
            return Verdict::GoesOn;
        }
        // At the start itself the settings have another encoding for it.
        if at > 0 && text[0] >= 0xfe && wide::begins(text).is_some() {
            return Verdict::EndsHere;
        }
        if let Some(name) = line::tag_name(text) {
            return self.tag(name, text, at, game);
        }
        if self.open_tag {
            self.open_tag = !line::is_closed(text);
            if !self.open_tag {
                return Verdict::GoesOn;
            }
        }
        self.open_tag = false;
        if let Some(trailing) = &self.trailing {
            return Verdict::EndedAt(trailing.game_end);
        }
        let next_game = match (self.finished, self.blank_before) {
            (true, true) => line::starts_first_move(text) || !line::starts_move_text(text),
            (true, false) => line::starts_first_move(text),
            (false, true) => !self.has_tags && self.has_moves && line::starts_first_move(text),
            (false, false) => false,
        };
        if next_game {
            return Verdict::EndsHere;
        }
        self.moves(text);
        Verdict::GoesOn
    }

    fn tag(&mut self, name: &[u8], text: &[u8], at: usize, game: &[u8]) -> Verdict {
        let opens_game = name.eq_ignore_ascii_case(b"event") && self.has_tags;
        if !self.has_moves {
            let first = &game[self.first_tag.clone()];
            if self.blank_before && self.has_tags && name.eq_ignore_ascii_case(first) {
                return Verdict::EndsHere;
            }
            if !self.has_tags {
                let start = at + (name.as_ptr() as usize - text.as_ptr() as usize);
                self.first_tag = start..start + name.len();
                self.has_tags = true;
            }
            self.after_tag(text);
            return Verdict::GoesOn;
        }
        match &mut self.trailing {
            None if opens_game || self.has_tags && has_tag(&game[..at], name) => {
                return Verdict::EndsHere;
            }
            None => {
                self.trailing = Some(Trailing {
                    start: at,
                    game_end: self.end,
                    names: vec![name.to_vec()],
                })
            }
            Some(trailing) if opens_game || trailing.has(name) => {
                return Verdict::EndsHere;
            }
            Some(trailing) if self.has_tags && has_tag(&game[..trailing.start], name) => {
                return Verdict::EndedAt(trailing.game_end);
            }
            Some(trailing) if trailing.names.len() >= MAX_TRAILING_TAGS => {
                return Verdict::EndedAt(trailing.game_end);
            }
            Some(trailing) => trailing.names.push(name.to_vec()),
        }
        match &self.trailing {
            Some(trailing) if has_moves_behind_tags(text) => Verdict::EndedAt(trailing.game_end),
            _ => Verdict::GoesOn,
        }
    }

    /// A tag line may leave its tag open, or go on with moves.
    fn after_tag(&mut self, text: &[u8]) {
        self.open_tag = false;
        if line::is_closed(text) {
            return;
        }
        match tag::last_end(text) {
            None => self.open_tag = true,
            Some(end) => self.moves(&text[end..]),
        }
    }

    /// Moves, and comments among them.
    fn moves(&mut self, mut text: &[u8]) {
        if let Some((outside, open)) = last_outside(text) {
            self.has_moves = true;
            self.finished = outcome::at_end(outside);
            self.in_comment = open;
            return;
        }
        loop {
            let open = memchr2(b'{', b';', text);
            let outside = &text[..open.unwrap_or(text.len())];
            if line::blank_prefix(outside) < outside.len() {
                self.has_moves = true;
                self.finished = outcome::at_end(outside);
            }
            match open {
                Some(at) if text[at] == b'{' => match memchr(b'}', &text[at..]) {
                    Some(close) => text = &text[at + close + 1..],
                    None => {
                        self.in_comment = true;
                        return;
                    }
                },
                _ => return,
            }
        }
    }
}

/// The last words outside comments, and whether a comment opens behind them, told from the end of the line: behind a `}`
/// one is always outside. `None` if a `;` or a lack of words makes it less easy.
fn last_outside(text: &[u8]) -> Option<(&[u8], bool)> {
    if memchr(b';', text).is_some() {
        return None;
    }
    let tail = memrchr(b'}', text).map_or(text, |close| &text[close + 1..]);
    let open = memchr(b'{', tail);
    let outside = &tail[..open.unwrap_or(tail.len())];
    (line::blank_prefix(outside) < outside.len()).then_some((outside, open.is_some()))
}

fn has_moves_behind_tags(text: &[u8]) -> bool {
    !line::is_closed(text)
        && tag::last_end(text)
            .is_some_and(|end| line::blank_prefix(&text[end..]) < text.len() - end)
}

/// Whether one of the lines is a tag of that name, whatever its case.
fn has_tag(game: &[u8], name: &[u8]) -> bool {
    let mut at = 0;
    while at < game.len() {
        let end = line::end_of_line(game, at).unwrap_or(LineEnd {
            content: game.len(),
            next: game.len(),
        });
        if line::tag_name(&game[at..end.content])
            .is_some_and(|found| found.eq_ignore_ascii_case(name))
        {
            return true;
        }
        at = end.next;
    }
    false
}
