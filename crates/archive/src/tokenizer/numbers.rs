//! Move numbers, and what starts with digits like them.

use super::{Tokenizer, letters::is_break};
use crate::{line, note::NoteKind, outcome, token::TokenKind};

impl Tokenizer<'_> {
    pub(super) fn digits(&mut self) {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        match rest.get(digits) {
            Some(b'.') if !rest[digits + 1..].first().is_some_and(u8::is_ascii_digit) => {
                self.move_number(digits)
            }
            Some(b')') => self.move_number(digits),
            Some(0xe2) if rest[digits..].starts_with("…".as_bytes()) => self.move_number(digits),
            _ => match outcome::at_start(rest) {
                Some((marker, length, plain)) => self.push_result(marker, length, plain),
                None if matches!(rest.get(digits), Some(b'-' | b'x' | b':'))
                    && line::is_numbered_move(line::first_word(&rest[..rest.len().min(16)])) =>
                {
                    self.plain_word();
                }
                None if rest.get(digits).is_none_or(|b| is_break(*b)) => self.move_number(digits),
                // `1.1`, `1/4`, `12th` and the like, but also `1.0-0`.
                None if rest[digits] == b'.' => self.move_number(digits),
                None => self.plain_word(),
            },
        }
    }

    fn move_number(&mut self, digits: usize) {
        let rest = &self.text[self.at..];
        let number = rest[..digits].iter().fold(0_u32, |n, b| {
            n.saturating_mul(10).saturating_add(u32::from(b - b'0'))
        });
        let dots = rest[digits..].iter().take_while(|b| **b == b'.').count();
        let ellipsis = rest[digits + dots..].starts_with("…".as_bytes());
        let black = dots >= 2 || ellipsis;
        let round = dots == 0 && rest.get(digits) == Some(&b')');
        if dots == 0 && !ellipsis {
            self.notes.add(self.at, NoteKind::MoveNumberStyle, || {
                format!("{number} without a dot")
            });
        }
        self.check_number(self.at, number, black, self.plies);
        let length = digits + dots + if ellipsis { 3 } else { 0 } + usize::from(round);
        self.push_here(length, TokenKind::MoveNumber { number, black });
    }

    /// Numbers are never believed, only compared: with the first of them and the moves since. Whether it is the one due.
    pub(super) fn check_number(&mut self, at: usize, number: u32, black: bool, plies: u32) -> bool {
        let told = i64::from(number) * 2 + i64::from(black);
        let first = *self.numbering.get_or_insert(told - i64::from(plies));
        let due = first + i64::from(plies);
        // `2. e4` after White's move, repeated for Black without dots, is common and harmless.
        let off = told != due && told + 1 != due;
        if off {
            self.notes.add(at, NoteKind::MoveNumberOff, || {
                format!("number {number} where {} is due", due / 2)
            });
        }
        told == due
    }

    /// Dots behind a number (`1. ... e5`) say that Black moves; elsewhere they stand for a missing move.
    pub(super) fn dots(&mut self) {
        let length = self.text[self.at..]
            .iter()
            .take_while(|b| **b == b'.')
            .count();
        match self.tokens.last_mut().map(|token| &mut token.kind) {
            Some(TokenKind::MoveNumber { black, .. }) => {
                if length >= 2 && !std::mem::replace(black, true) && self.plies == 0 {
                    self.numbering = self.numbering.map(|first| first + 1);
                }
                self.at += length;
            }
            _ if length >= 2 => self.push_gap(length),
            _ => self.at += length,
        }
    }
}
