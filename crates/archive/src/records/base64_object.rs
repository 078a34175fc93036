//! A JSON object in base64, as khmer-chess.js hands games on (D9).

use base64::{
    Engine,
    alphabet::{STANDARD, URL_SAFE},
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{Record, json};
use crate::note::{NoteKind, Notes};

/// Padding is left out as often as not, and the last letter may carry bits that mean nothing.
const LOOSE: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);

pub(super) fn read(text: &[u8], notes: &mut Notes) -> Record {
    // The letters and where each stands: line ends are no part of the code.
    let (letters, places): (Vec<u8>, Vec<u32>) = text
        .iter()
        .zip(0_u32..)
        .filter(|(byte, _)| !byte.is_ascii_whitespace() && **byte < 0x80)
        .map(|(byte, at)| (*byte, at))
        .unzip();
    let url_safe = letters.iter().any(|b| matches!(b, b'-' | b'_'));
    let alphabet = if url_safe { &URL_SAFE } else { &STANDARD };
    let decoded = GeneralPurpose::new(alphabet, LOOSE).decode(&letters);
    let decoded = decoded
        .map_err(|error| error.to_string())
        .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
    match decoded {
        Ok(object) => {
            let mut record = json::read(&object, notes);
            let of = |at: usize| places.get(at / 3 * 4 + at % 3).copied().unwrap_or(0);
            record.origins = Some((0..object.len()).map(of).collect());
            record.text.get_or_insert_with(|| object.into_bytes());
            record
        }
        Err(error) => {
            notes.add(0, NoteKind::RecordBroken, || {
                format!("not base64 of a record: {error}")
            });
            Record::default()
        }
    }
}
