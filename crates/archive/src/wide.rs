//! UTF-16 members. They are turned into UTF-8 on the way into the window, one code unit at a time and without loss
//! (a lone surrogate becomes the three bytes UTF-8 would give it), so that the number and the values of the source's
//! bytes follow from the text alone: two for each letter below U+10000, four for each one above.

use crate::encoding::Encoding;

/// How much of the start [`detect`] wants to see.
pub(crate) const HEAD_BYTES: usize = 4;

/// The encoding of a member that starts with a UTF-16 mark, or with two plain letters of two bytes each.
pub(crate) fn detect(head: &[u8]) -> Option<Encoding> {
    let plain = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    match head {
        [0xff, 0xfe, ..] | [b'[', 0, ..] => Some(Encoding::Utf16Le),
        [0xfe, 0xff, ..] | [0, b'[', ..] => Some(Encoding::Utf16Be),
        [first, 0, second, 0] if plain(*first) && plain(*second) => Some(Encoding::Utf16Le),
        [0, first, 0, second] if plain(*first) && plain(*second) => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// The encoding from here on where files were put one behind another: a UTF-16 mark and a tag, at the start of a line.
pub(crate) fn begins(line: &[u8]) -> Option<Encoding> {
    match line {
        [0xff, 0xfe, b'[', 0, ..] => Some(Encoding::Utf16Le),
        [0xfe, 0xff, 0, b'[', ..] => Some(Encoding::Utf16Be),
        _ => None,
    }
}

#[derive(Debug)]
pub(crate) struct Decoder {
    encoding: Encoding,
    odd: Option<u8>,
    high: Option<u16>,
}

impl Decoder {
    pub(crate) fn new(encoding: Encoding) -> Decoder {
        Decoder {
            encoding,
            odd: None,
            high: None,
        }
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.encoding
    }

    pub(crate) fn has_odd_byte(&self) -> bool {
        self.odd.is_some()
    }

    pub(crate) fn take_odd_byte(&mut self) -> Option<u8> {
        self.odd.take()
    }

    /// Appends the text of `raw`. An empty `raw` is the end: a surrogate still waiting comes out alone.
    pub(crate) fn decode(&mut self, raw: &[u8], into: &mut Vec<u8>) {
        if raw.is_empty() {
            if let Some(high) = self.high.take() {
                push_unit(high, into);
            }
            return;
        }
        for byte in raw {
            let Some(first) = self.odd.take() else {
                self.odd = Some(*byte);
                continue;
            };
            let pair = [first, *byte];
            let unit = match self.encoding {
                Encoding::Utf16Be => u16::from_be_bytes(pair),
                _ => u16::from_le_bytes(pair),
            };
            self.push(unit, into);
        }
    }

    fn push(&mut self, unit: u16, into: &mut Vec<u8>) {
        match (self.high.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                let letter = char::decode_utf16([high, unit])
                    .next()
                    .and_then(Result::ok)
                    .unwrap_or('\u{fffd}');
                into.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                return;
            }
            (Some(high), _) => push_unit(high, into),
            (None, _) => {}
        }
        if (0xd800..=0xdbff).contains(&unit) {
            self.high = Some(unit);
        } else {
            push_unit(unit, into);
        }
    }
}

fn push_unit(unit: u16, into: &mut Vec<u8>) {
    match unit {
        0..=0x7f => into.push(unit as u8),
        0x80..=0x7ff => into.extend([0xc0 | (unit >> 6) as u8, 0x80 | (unit & 0x3f) as u8]),
        _ => into.extend([
            0xe0 | (unit >> 12) as u8,
            0x80 | (unit >> 6 & 0x3f) as u8,
            0x80 | (unit & 0x3f) as u8,
        ]),
    }
}

/// How many bytes of UTF-16 a piece of text came from.
pub(crate) fn source_length(text: &[u8]) -> u64 {
    text.iter().map(|byte| source_bytes(*byte)).sum()
}

fn source_bytes(byte: u8) -> u64 {
    match byte {
        0x80..=0xbf => 0,
        0xf0.. => 4,
        _ => 2,
    }
}

/// The UTF-16 bytes a piece of text came from.
pub(crate) fn encode(text: &[u8], encoding: Encoding) -> Vec<u8> {
    let mut raw = Vec::with_capacity(text.len() * 2);
    let mut put = |unit: u16| match encoding {
        Encoding::Utf16Be => raw.extend(unit.to_be_bytes()),
        _ => raw.extend(unit.to_le_bytes()),
    };
    let mut at = 0;
    while let Some(first) = text.get(at) {
        let tail = |i: usize| u32::from(text.get(at + i).copied().unwrap_or(0x80) & 0x3f);
        let (letter, length) = match first {
            0..=0x7f => (u32::from(*first), 1),
            0xc0..=0xdf => (u32::from(first & 0x1f) << 6 | tail(1), 2),
            0xe0..=0xef => (u32::from(first & 0x0f) << 12 | tail(1) << 6 | tail(2), 3),
            0xf0.. => (
                u32::from(first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3),
                4,
            ),
            // Not at the start of a letter: the piece began inside one, which then belongs to the piece before.
            0x80..=0xbf => {
                at += 1;
                continue;
            }
        };
        match letter.checked_sub(0x10000) {
            None => put(letter as u16),
            Some(above) => {
                put(0xd800 | (above >> 10) as u16);
                put(0xdc00 | (above & 0x3ff) as u16);
            }
        }
        at += length;
    }
    raw
}

/// For growing positions in a text, where they are in its UTF-16 source.
#[derive(Debug)]
pub(crate) struct SourceOffsets<'a> {
    text: &'a [u8],
    at: usize,
    source: u64,
}

impl<'a> SourceOffsets<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        SourceOffsets {
            text,
            at: 0,
            source: 0,
        }
    }

    /// The source offset of a position; positions must not go back far, as going back starts again.
    pub(crate) fn of(&mut self, position: u32) -> u32 {
        let position = (position as usize).min(self.text.len());
        if position < self.at {
            (self.at, self.source) = (0, 0);
        }
        self.source += source_length(&self.text[self.at..position]);
        self.at = position;
        u32::try_from(self.source).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        let units = [
            0x41_u16, 0xe1, 0xe01, 0xd83d, 0xde00, 0xd800, 0x42, 0xdc00, 0xd800,
        ];
        for encoding in [Encoding::Utf16Le, Encoding::Utf16Be] {
            let raw: Vec<u8> = units
                .iter()
                .flat_map(|u| {
                    if encoding == Encoding::Utf16Le {
                        u.to_le_bytes()
                    } else {
                        u.to_be_bytes()
                    }
                })
                .collect();
            for cut in 0..=raw.len() {
                let (mut decoder, mut text) = (Decoder::new(encoding), Vec::new());
                for part in [&raw[..cut], &raw[cut..]]
                    .into_iter()
                    .filter(|part| !part.is_empty())
                {
                    decoder.decode(part, &mut text);
                }
                decoder.decode(&[], &mut text);
                assert_eq!(encode(&text, encoding), raw);
                assert_eq!(source_length(&text), raw.len() as u64);
            }
        }
    }
}
