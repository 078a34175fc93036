//! What single letters and short words are.

use memchr::memchr;

use crate::{
    encoding::Encoding,
    line,
    note::{NoteKind, Notes},
};

/// The length of the word that a text starts with.
pub(super) fn word_length(text: &[u8]) -> usize {
    text.iter()
        .position(|b| ENDS_WORD[*b as usize])
        .unwrap_or(text.len())
}

const ENDS_WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte <= 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[0x7f] = true;
    let breaks = b"{}();$!?[]";
    let mut i = 0;
    while i < breaks.len() {
        table[breaks[i] as usize] = true;
        i += 1;
    }
    table
};

pub(super) fn is_break(byte: u8) -> bool {
    ENDS_WORD[byte as usize]
}

/// The quick way for the moves that nearly all games are made of: up to five letters of any kind, a square, and what
/// stands behind it of check marks. Such a word is never anything but a move.
pub(super) fn is_plain_move(word: &[u8]) -> bool {
    let mut end = word.len();
    while end > 2 && matches!(word[end - 1], b'+' | b'#') {
        end -= 1;
    }
    (2..=7).contains(&end)
        && matches!(word[end - 1], b'1'..=b'8')
        && matches!(word[end - 2], b'a'..=b'h')
}

pub(super) fn is_castling(word: &[u8]) -> bool {
    matches!(
        word,
        b"O-O" | b"O-O-O" | b"0-0-0" | b"O-O+" | b"O-O-O+" | b"o-o" | b"o-o-o"
    )
}

/// Signs of judgement beyond ASCII, and check marks that lost their move.
pub(super) fn is_glyph(word: &[u8]) -> bool {
    const GLYPHS: &[&str] = &[
        "⩲", "⩱", "±", "∓", "□", "∞", "⇆", "⟳", "↑", "→", "⨀", "+-", "-+", "+/-", "-/+", "+/=",
        "=/+", "N",
    ];
    GLYPHS.iter().any(|glyph| glyph.as_bytes() == word)
}

/// A piece of text for a note: decoded, on one line, not long.
pub(super) fn shorten(encoding: Encoding, text: &[u8]) -> String {
    const LETTERS: usize = 60;
    let text = encoding.decode(&text[..text.len().min(4 * LETTERS)]);
    let mut shown: String = text
        .chars()
        .take(LETTERS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(LETTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// Notes on line ends, which the words do not show.
pub(crate) fn note_line_ends(text: &[u8], notes: &mut Notes) {
    let Some(first_cr) = memchr(b'\r', text) else {
        return;
    };
    let (mut lf, mut crlf, mut crcrlf, mut cr, mut at) = (0_u32, 0_u32, 0_u32, 0_u32, 0);
    while let Some(end) = line::end_of_line(text, at) {
        match (end.next - end.content, text[end.content]) {
            (3, _) => crcrlf += 1,
            (2, _) => crlf += 1,
            (_, b'\n') => lf += 1,
            _ => cr += 1,
        }
        at = end.next;
    }
    if crcrlf > 0 {
        notes.add_many(first_cr, NoteKind::LineEndCrCrLf, crcrlf, || {
            "lines end with CR CR LF".to_owned()
        });
    }
    if cr > 0 {
        notes.add_many(first_cr, NoteKind::LineEndCr, cr, || {
            "lines end with CR".to_owned()
        });
    }
    let kinds = [lf, crlf, crcrlf, cr].iter().filter(|n| **n > 0).count();
    if kinds > 1 {
        notes.add(first_cr, NoteKind::LineEndMixed, || {
            format!("{lf} LF, {crlf} CRLF, {crcrlf} CR CR LF, {cr} CR")
        });
    }
}
