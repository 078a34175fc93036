//! A tag as PGN has it, on a line of its own: for the cutter and the tokenizer alike.

use crate::letters::{HIGH, ONES};

/// The length of the name of a tag that stands at the beginning, and the length of the whole. A line end follows it.
pub(crate) fn plain_tag(text: &[u8]) -> Option<(usize, usize)> {
    let name = text.get(1..)?;
    let length = plain_name(name)?;
    let value = name[length..].strip_prefix(b" \"")?;
    if text[0] != b'[' || !name[0].is_ascii_uppercase() {
        return None;
    }
    let value_length = plain_value(value)?;
    let closed = value[value_length..].starts_with(b"\"]")
        && matches!(value.get(value_length + 2), Some(b'\n' | b'\r'));
    closed.then_some((length, length + value_length + 5))
}

/// How many bytes stand before the first quote, backslash or control character.
fn plain_value(text: &[u8]) -> Option<usize> {
    let is = |letters: u64, byte: u8| {
        let others = letters ^ (u64::from(byte) * ONES);
        others.wrapping_sub(ONES) & !others
    };
    let mut at = 0;
    while let Some(letters) = text.get(at..)?.first_chunk() {
        let letters = u64::from_le_bytes(*letters);
        let control = letters.wrapping_sub(0x20 * ONES) & !letters;
        // The lowest byte found is right; higher ones may be wrong, as the subtractions borrow.
        let found = (control | is(letters, b'"') | is(letters, b'\\')) & HIGH;
        if found != 0 {
            return Some(at + (found.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    None
}

/// The length of the letters, digits and low lines of ASCII at the beginning, one at least, if something follows them.
fn plain_name(text: &[u8]) -> Option<usize> {
    let length = text.iter().position(|byte| !IN_NAME[*byte as usize])?;
    (length > 0).then_some(length)
}

const IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_that_are_plain() {
        for text in [
            "[Event \"x\"]",
            "[Event \"\"]",
            "[White \"สมชาย ใจดี\"]",
            "[TimeControl \"a [b] 'c' d\"]",
        ] {
            let name = text.find(' ').expect("a blank") - 1;
            for end in ["\n", "\r\n\r\n"] {
                let line = format!("{text}{end}         ");
                assert_eq!(
                    plain_tag(line.as_bytes()),
                    Some((name, text.len())),
                    "{text}"
                );
            }
        }
        for text in [
            "[event \"x\"]",
            "[Event  \"x\"]",
            "[Event \"x\" ]",
            "[Event \"x\"] ",
            "[Event \"a \"b\" c\"]",
            "[Event \"a \\\"b\\\" c\"]",
            "[Event \"a\nb\"]",
            "[Event 'x']",
            "[Event-1 \"x\"]",
            "[ \"x\"]",
            "Event \"x\"]",
            "[Event",
            "",
        ] {
            assert_eq!(
                plain_tag(format!("{text}\n         ").as_bytes()),
                None,
                "{text}"
            );
        }
    }
}
