//! What stands between the moves: numbers, words, gaps, comments, draw offers, scores.

use archive::{Token, TokenKind};

use super::{MOST_REMARKS, Stop, Walk};
use crate::note::Notebook;
use crate::{comments, refusal, remarks, scores};

impl Walk<'_> {
    /// An evaluation that the record keeps apart from its moves.
    pub(super) fn score(&mut self, token: &Token) {
        if let Some(ply) = self.plies.last_mut() {
            scores::attach(&self.raw.text(token), ply);
        }
    }

    /// A number only warns: one for White while Black is to move shows that a word before it stood for Black's move.
    pub(super) fn number(&mut self, black: bool, notes: &mut Notebook) -> Option<Stop> {
        self.numbered = true;
        let white_to_move = self.line.position().turn() == rules::Color::White;
        match self.doubtful {
            Some(word) if !black && !white_to_move => {
                Some(self.refuse(refusal::word(self, &word), notes))
            }
            _ => None,
        }
    }

    /// A word right after a move number stands where a move must stand.
    pub(super) fn word(&mut self, token: &Token, notes: &mut Notebook) -> Option<Stop> {
        let text = self.raw.text(token);
        if self.remark(&text, notes) {
            return None;
        }
        let more = self.last_move > token.offset;
        if !more || self.is_over() {
            return None;
        }
        if self.numbered {
            return Some(self.refuse(refusal::word(self, token), notes));
        }
        self.doubtful = self.doubtful.or(Some(*token));
        None
    }

    pub(super) fn gap(
        &mut self,
        index: usize,
        token: &Token,
        notes: &mut Notebook,
    ) -> Option<Stop> {
        // `12. ... e5`: dots after a number stand for White's move, which was written before.
        let dots = self.raw.bytes(token).iter().all(|&byte| byte == b'.');
        if dots && self.numbered && self.line.position().turn() == rules::Color::Black {
            return None;
        }
        let next = self.raw.tokens[index + 1..]
            .iter()
            .find(|token| token.kind == TokenKind::Move);
        let finding = refusal::gap(self, token, next);
        Some(self.refuse(finding, notes))
    }

    pub(super) fn comment(&mut self, token: &Token, notes: &mut Notebook) {
        let text = self.raw.text(token);
        if let (true, Some(ply)) = (comments::may_hold_facts(&text), self.plies.last_mut()) {
            let number = self.line.plies().0;
            comments::attach(&text, number, ply, notes);
        }
        self.remark(&text, notes);
    }

    /// Notes what is said about counting in plain words; true if it was that.
    fn remark(&mut self, text: &str, notes: &mut Notebook) -> bool {
        if !remarks::may_speak_of_counting(text) || self.remarks >= MOST_REMARKS {
            return false;
        }
        let found = remarks::remark(text, self.line.plies().0, self.remarks > 0);
        let is_remark = found.is_some();
        if let Some(finding) = found {
            self.remarks += 1;
            notes.add(finding);
        }
        is_remark
    }

    pub(super) fn draw_offer(&mut self, token: &Token, notes: &mut Notebook) {
        if !self.plies.is_empty() {
            notes.draw_offer(self.line.plies().0, &self.raw.text(token));
        }
    }
}
