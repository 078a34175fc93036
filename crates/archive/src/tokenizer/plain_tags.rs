//! The quick way through tags as PGN has them, one a line. What it takes, the careful way would read alike.

use super::Tokenizer;
use crate::plain_tag::plain_tag;

impl Tokenizer<'_> {
    /// Reads tags such as `[White "x"]`, each with a line of its own; stops in front of what is not one of them.
    pub(super) fn plain_tags(&mut self) {
        let Some(valid) = self.valid.filter(|_| self.moves + self.results == 0) else {
            return;
        };
        while let Some((name, end)) = plain_tag(&self.text[self.at..]) {
            let start = self.at;
            // Neither a bracket nor a quote is a part of another letter.
            let Some(piece) = valid.get(start + 1..start + end - 2) else {
                return;
            };
            self.note_place(start, &piece[..name]);
            // A game is shorter than 4 GiB: the cutter's limit.
            self.tags.push_written(piece, name, name + 2, start as u32);
            self.at = start + end;
            self.tag_line_over = self.at;
            if self.text.get(self.at..self.at + 2) == Some(b"\n[") {
                self.at += 1;
            }
        }
    }
}
