//! A game's bytes, read: its encoding, its tags and tokens, its dialect.

use super::GameText;
use crate::{
    dialect,
    encoding::{self, Encoding},
    game::RawGame,
    note::{NoteKind, Notes},
    records::{self, Record},
    settings::ReaderSettings,
    tags::Tags,
    token::{Token, TokenKind},
    tokenizer, wide,
};

impl GameText {
    /// Reads the game. Pure: the same bytes and settings give the same game.
    pub fn read(self, settings: &ReaderSettings) -> RawGame {
        let mut notes = Notes::default();
        let valid = std::str::from_utf8(&self.text).ok();
        let encoding = self.encoding(valid.is_some(), settings, &mut notes);
        if self.text.starts_with(encoding::BOM) {
            notes.add(0, NoteKind::ByteOrderMark, || {
                "a mark in front of the game".to_owned()
            });
        }
        tokenizer::note_line_ends(&self.text, &mut notes);
        let mut record = records::read(self.form, &self.text, valid, encoding, &mut notes);
        let (dialect, evidence) = match (settings.dialect, record.writer.take()) {
            (Some(dialect), _) => (dialect, "set by the job".to_owned()),
            (None, Some(writer)) => writer,
            (None, None) => dialect::detect(&dialect::Signs {
                tags: &record.tags,
                tokens: &record.tokens,
                text: &self.text,
                result: record.result,
            }),
        };
        let mut game = RawGame {
            ordinal: self.ordinal,
            byte_offset: self.byte_offset,
            byte_length: self.byte_length,
            raw: self.text,
            encoding,
            dialect,
            evidence,
            dialect_is_set: settings.dialect.is_some(),
            tags: Tags::default(),
            tokens: Vec::new(),
            result_marker: record.result,
            notes: notes.finish(),
            text: record.text.take(),
        };
        if let Some(origins) = record.origins.take() {
            relocate(&mut game.notes, &mut record, &origins);
        }
        let scores = std::mem::take(&mut record.scores);
        (game.tags, game.tokens) = (record.tags, record.tokens);
        let scores_at = self.wide.map(|_| source_offsets(&game.raw, &scores));
        if let Some(encoding) = self.wide {
            game = widen(game, encoding);
        }
        if !scores.is_empty() {
            game.tokens = with_scores(game.tokens, scores, scores_at);
        }
        game
    }

    /// The game's own bytes, as they stand in the member.
    pub fn raw(&self) -> Vec<u8> {
        match self.wide {
            Some(encoding) => wide::encode(&self.text, encoding),
            None => self.text.clone(),
        }
    }

    fn encoding(&self, valid: bool, settings: &ReaderSettings, notes: &mut Notes) -> Encoding {
        match settings.encoding.filter(|e| !e.is_wide()).or(self.wide) {
            Some(Encoding::Utf8) => {
                if !valid {
                    encoding::note_invalid_utf8(&self.text, notes);
                }
                Encoding::Utf8
            }
            Some(encoding) => encoding,
            None if valid => encoding::of_valid(&self.text),
            None => encoding::detect(&self.text, notes),
        }
    }
}

/// Puts places in a decoded text back to where they come from.
fn relocate(notes: &mut [crate::note::TextNote], record: &mut Record, origins: &[u32]) {
    let of = |at: u32| origins.get(at as usize).copied().unwrap_or(0);
    record.tags.relocate(of);
    let tokens = record.tokens.iter_mut().chain(&mut record.scores);
    tokens.for_each(|token| token.offset = of(token.offset));
    let read = notes.iter_mut().filter(|note| note.kind.is_of_record());
    read.for_each(|note| note.offset = of(note.offset));
}

fn source_offsets(text: &[u8], scores: &[Token]) -> Vec<u32> {
    let mut offsets = wide::SourceOffsets::new(text);
    scores
        .iter()
        .map(|score| offsets.of(score.offset))
        .collect()
}

/// Puts each evaluation behind its move.
fn with_scores(tokens: Vec<Token>, scores: Vec<Token>, places: Option<Vec<u32>>) -> Vec<Token> {
    let mut placed = Vec::with_capacity(tokens.len() + scores.len());
    let places = places.unwrap_or_else(|| scores.iter().map(|score| score.offset).collect());
    let mut scores = scores.into_iter().zip(places);
    for token in tokens {
        placed.push(token);
        if matches!(token.kind, TokenKind::Move | TokenKind::Gap)
            && let Some((score, offset)) = scores.next()
        {
            placed.push(Token { offset, ..score });
        }
    }
    placed
}

/// Puts a UTF-16 game's own bytes in place, and its offsets into them.
fn widen(mut game: RawGame, encoding: Encoding) -> RawGame {
    let text = std::mem::take(&mut game.raw);
    game.raw = wide::encode(&text, encoding);
    let mut offsets = wide::SourceOffsets::new(&text);
    game.tags.relocate(|offset| offsets.of(offset));
    game.tokens
        .iter_mut()
        .for_each(|token| token.offset = offsets.of(token.offset));
    game.notes
        .iter_mut()
        .for_each(|note| note.offset = offsets.of(note.offset));
    game.text.get_or_insert(text);
    game
}
