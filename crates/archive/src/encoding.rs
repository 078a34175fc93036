//! From bytes to text, game by game: nothing in a file says how it is encoded.

use std::{borrow::Cow, str::FromStr};

use crate::note::{NoteKind, Notes};

/// How a game's bytes are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// UTF-8, or plain ASCII.
    Utf8,
    /// UTF-8 with a byte order mark in front of the game.
    Utf8Bom,
    /// UTF-16, little end first.
    Utf16Le,
    /// UTF-16, big end first.
    Utf16Be,
    /// Windows-874, which holds TIS-620: Thai.
    Windows874,
    /// Windows-1252, which holds Latin-1.
    Windows1252,
}

/// A name that is no encoding we read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown encoding `{0}`: expected utf-8, utf-16le, utf-16be, windows-874 or windows-1252")]
pub struct UnknownEncoding(pub String);

impl Encoding {
    /// The name that tables and job files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf8Bom => "utf-8-bom",
            Encoding::Utf16Le => "utf-16le",
            Encoding::Utf16Be => "utf-16be",
            Encoding::Windows874 => "windows-874",
            Encoding::Windows1252 => "windows-1252",
        }
    }

    /// Whether a whole file must be in it, two bytes to a letter.
    pub fn is_wide(self) -> bool {
        matches!(self, Encoding::Utf16Le | Encoding::Utf16Be)
    }

    /// Whether a byte beyond ASCII is a letter of its own.
    pub(crate) fn is_of_eight_bits(self) -> bool {
        matches!(self, Encoding::Windows874 | Encoding::Windows1252)
    }

    /// Decodes a piece of a game's ASCII-compatible text. Bytes that cannot be read become U+FFFD.
    pub(crate) fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        match self {
            Encoding::Windows874 => {
                encoding_rs::WINDOWS_874
                    .decode_without_bom_handling(bytes)
                    .0
            }
            Encoding::Windows1252 => {
                encoding_rs::WINDOWS_1252
                    .decode_without_bom_handling(bytes)
                    .0
            }
            // Wide text was turned into UTF-8 before it was cut into games.
            _ => match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => String::from_utf8_lossy(bytes),
            },
        }
    }
}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Ok(match name.to_ascii_lowercase().replace('_', "-").as_str() {
            "utf-8" | "utf8" | "ascii" => Encoding::Utf8,
            "utf-8-bom" => Encoding::Utf8Bom,
            "utf-16le" | "utf-16" | "utf16le" => Encoding::Utf16Le,
            "utf-16be" | "utf16be" => Encoding::Utf16Be,
            "windows-874" | "cp874" | "tis-620" | "tis620" | "iso-8859-11" => Encoding::Windows874,
            "windows-1252" | "cp1252" | "latin-1" | "latin1" | "iso-8859-1" => {
                Encoding::Windows1252
            }
            _ => return Err(UnknownEncoding(name.to_owned())),
        })
    }
}

pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The encoding of a game that is UTF-8 throughout.
pub(crate) fn of_valid(text: &[u8]) -> Encoding {
    match text.starts_with(BOM) {
        true => Encoding::Utf8Bom,
        false => Encoding::Utf8,
    }
}

/// Decides how a game is encoded that is not UTF-8 throughout, noting guesses and stray bytes.
pub(crate) fn detect(text: &[u8], notes: &mut Notes) -> Encoding {
    let utf8 = of_valid(text);
    let survey = Survey::of(text);
    // One good multi-byte letter is worth more than one bad byte: 8-bit text almost never forms one by chance.
    if survey.multibyte > survey.invalid || utf8 == Encoding::Utf8Bom {
        note_stray(&survey, notes);
        return utf8;
    }
    let guess = if survey.looks_thai() {
        Encoding::Windows874
    } else {
        Encoding::Windows1252
    };
    notes.add_many(survey.first_invalid, NoteKind::EncodingGuessed, 1, || {
        format!("read as {}", guess.as_str())
    });
    guess
}

/// Notes bytes that are no UTF-8, for a text whose encoding was settled from outside.
pub(crate) fn note_invalid_utf8(text: &[u8], notes: &mut Notes) {
    note_stray(&Survey::of(text), notes);
}

fn note_stray(survey: &Survey, notes: &mut Notes) {
    notes.add_many(
        survey.first_invalid,
        NoteKind::StrayByte,
        survey.invalid,
        || format!("byte 0x{:02X} is no UTF-8", survey.first_byte),
    );
}

#[derive(Default)]
struct Survey {
    /// Good letters of two to four bytes.
    multibyte: u32,
    /// Bytes that belong to no good letter.
    invalid: u32,
    first_invalid: usize,
    first_byte: u8,
    /// High bytes with another one beside them, and all of them in the Thai block of Windows-874.
    thai_in_runs: u32,
    /// High bytes that stand alone or lie outside that block.
    others: u32,
}

impl Survey {
    fn of(text: &[u8]) -> Survey {
        let mut survey = Survey::default();
        let mut at = 0;
        for chunk in text.utf8_chunks() {
            survey.multibyte += chunk.valid().bytes().filter(|b| *b >= 0xc0).count() as u32;
            at += chunk.valid().len();
            if let (0, Some(byte)) = (survey.invalid, chunk.invalid().first()) {
                (survey.first_invalid, survey.first_byte) = (at, *byte);
            }
            survey.invalid += chunk.invalid().len() as u32;
            at += chunk.invalid().len();
        }
        for (i, byte) in text.iter().enumerate().filter(|(_, byte)| **byte >= 0x80) {
            let beside =
                text.get(i + 1).is_some_and(|b| *b >= 0x80) || i > 0 && text[i - 1] >= 0x80;
            let thai = matches!(byte, 0xa1..=0xda | 0xdf..=0xfb);
            if beside && thai {
                survey.thai_in_runs += 1
            } else {
                survey.others += 1
            }
        }
        survey
    }

    /// Thai words are runs of high bytes; in western text accents stand alone between plain letters.
    fn looks_thai(&self) -> bool {
        self.thai_in_runs > 2 * self.others
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detected(text: &[u8]) -> (Encoding, Vec<NoteKind>) {
        let mut notes = Notes::default();
        let encoding = match std::str::from_utf8(text) {
            Ok(_) => of_valid(text),
            Err(_) => detect(text, &mut notes),
        };
        (
            encoding,
            notes.finish().iter().map(|note| note.kind).collect(),
        )
    }

    #[test]
    fn tells_encodings_apart() {
        assert_eq!(detected(b"[Event \"x\"]"), (Encoding::Utf8, vec![]));
        assert_eq!(
            detected("\u{feff}[Event \"ก\"]".as_bytes()),
            (Encoding::Utf8Bom, vec![])
        );
        assert_eq!(
            detected(b"[White \"Jos\xe9\"]"),
            (Encoding::Windows1252, vec![NoteKind::EncodingGuessed])
        );
        let thai = encoding_rs::WINDOWS_874.encode("สมชาย ใจดี").0;
        assert_eq!(detected(&thai).0, Encoding::Windows874);
        let mut stray = "สมชาย".as_bytes().to_vec();
        stray.push(0xe9);
        assert_eq!(
            detected(&stray),
            (Encoding::Utf8, vec![NoteKind::StrayByte])
        );
    }

    #[test]
    fn names_go_both_ways() {
        for encoding in [
            Encoding::Utf8,
            Encoding::Utf16Le,
            Encoding::Windows874,
            Encoding::Windows1252,
        ] {
            assert_eq!(encoding.as_str().parse(), Ok(encoding));
        }
        assert!("klingon".parse::<Encoding>().is_err());
    }
}
