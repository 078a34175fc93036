//! Readers of records that are no PGN: each turns its bytes into the same tags and tokens.

mod base64_object;
mod fields;
mod json;
mod page;
mod position;
mod unescape;

use crate::{
    dialect::Dialect, encoding::Encoding, form::Form, note::Notes, outcome::ResultMarker,
    tags::Tags, token::Token, tokenizer,
};

/// What was read of a record.
#[derive(Debug, Default)]
pub(crate) struct Record {
    pub(crate) tags: Tags,
    pub(crate) tokens: Vec<Token>,
    pub(crate) result: Option<ResultMarker>,
    /// Evaluations that stand apart from the moves, one a ply.
    pub(crate) scores: Vec<Token>,
    /// The writer and why, where the record's shape tells.
    pub(crate) writer: Option<(Dialect, String)>,
    /// UTF-8 that the tokens point into, where it is not the game's own text.
    pub(crate) text: Option<Vec<u8>>,
    /// For each byte of that text, where it comes from in the game's own text. Positions in tags and tokens are still
    /// those of `text`.
    pub(crate) origins: Option<Vec<u32>>,
}

/// Reads a record of any form. Never fails: what cannot be read is noted.
/// `valid` is the text once more, if all of it is UTF-8.
pub(crate) fn read(
    form: Form,
    text: &[u8],
    valid: Option<&str>,
    encoding: Encoding,
    notes: &mut Notes,
) -> Record {
    match form {
        Form::Pgn => pgn(text, valid, encoding, notes),
        Form::Page => page::read(text, encoding, notes),
        Form::Position => position::read(text, encoding, notes),
        Form::Base64 => base64_object::read(text, notes),
        Form::Json => match valid.filter(|_| !encoding.is_of_eight_bits()) {
            None => recoded(text, encoding, notes),
            Some(text) => json::read(text, notes),
        },
    }
}

fn pgn(text: &[u8], valid: Option<&str>, encoding: Encoding, notes: &mut Notes) -> Record {
    let read = tokenizer::read(text, valid, encoding, notes);
    Record {
        tags: read.tags,
        tokens: read.tokens,
        result: read.result,
        ..Record::default()
    }
}

/// JSON in another encoding than UTF-8: letter by letter, so that places stay known.
fn recoded(text: &[u8], encoding: Encoding, notes: &mut Notes) -> Record {
    let (mut decoded, mut origins) = (String::with_capacity(2 * text.len()), Vec::new());
    let eight_bits = encoding.is_of_eight_bits();
    let mut push = |piece: &str, at: usize, decoded: &mut String| {
        decoded.push_str(piece);
        origins.extend(std::iter::repeat_n(at as u32, piece.len()));
    };
    if eight_bits {
        for (at, byte) in text.iter().enumerate() {
            push(
                &encoding.decode(std::slice::from_ref(byte)),
                at,
                &mut decoded,
            );
        }
    } else {
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            for (inner, letter) in chunk.valid().char_indices() {
                push(letter.encode_utf8(&mut [0; 4]), at + inner, &mut decoded);
            }
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                push("\u{fffd}", at, &mut decoded);
            }
            at += chunk.invalid().len();
        }
    }
    let mut record = json::read(&decoded, notes);
    record.origins = Some(origins);
    record.text.get_or_insert_with(|| decoded.into_bytes());
    record
}
