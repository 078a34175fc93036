//! What the lines of one PGN game show, one after another: where it goes on and where it ends.

use memchr::{memchr, memchr2};

use super::MAX_TRAILING_TAGS;
use crate::{
    line::{self, LineEnd},
    outcome, tag, wide,
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
    first_tag: Vec<u8>,
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

impl Scan {
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
            if self.blank_before && self.has_tags && name.eq_ignore_ascii_case(&self.first_tag) {
                return Verdict::EndsHere;
            }
            if !self.has_tags {
                self.first_tag = name.to_vec();
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
