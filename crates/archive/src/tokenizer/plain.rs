//! The quick way through what nearly all of a move text is: plain moves and numbers with a blank behind each, read eight
//! letters at a time and without a branch for each letter. What it takes, the careful way would read alike.

use memchr::memchr2;

use super::{Token, TokenKind, Tokenizer};
use crate::token::CommentStyle;

pub(super) const ONES: u64 = 0x0101_0101_0101_0101;
pub(super) const HIGH: u64 = 0x80 * ONES;

impl Tokenizer<'_> {
    /// Reads plain words; stops in front of a word that is none, or behind a plain one that more than a blank follows.
    pub(super) fn plain_words(&mut self) {
        // What follows a result is noted.
        if self.results > 0 {
            return;
        }
        let text = self.text;
        let (mut at, mut behind, mut moves) = (self.at, self.at, 0);
        while let Some(letters) = text.get(at..).and_then(|rest| rest.first_chunk()) {
            let letters = u64::from_le_bytes(*letters);
            let (start, length, end, kind) = match letters as u8 {
                b'a'..=b'z' | b'A'..=b'Z' => match plain_move(letters) {
                    0 => break,
                    length => {
                        moves += 1;
                        (at, length, at + length as usize, TokenKind::Move)
                    }
                },
                b'0'..=b'9' => match plain_number(letters) {
                    None => break,
                    Some((length, number, black)) => {
                        self.check_number(at, number, black, self.plies + moves);
                        let kind = TokenKind::MoveNumber { number, black };
                        (at, length, at + length as usize, kind)
                    }
                },
                b'{' => match plain_comment(&text[at + 1..]) {
                    None => break,
                    Some(length) => {
                        let kind = TokenKind::Comment(CommentStyle::Brace);
                        (at + 1, length as u32, at + length + 2, kind)
                    }
                },
                _ => break,
            };
            // A game is shorter than 4 GiB: the cutter's limit.
            self.tokens.push(Token {
                offset: at as u32,
                start: start as u32,
                length,
                kind,
            });
            behind = end;
            at = end + usize::from(matches!(text.get(end), Some(b' ' | b'\n')));
        }
        // What stands at the start of a line may be hidden, so that the blank before it is still to be looked at.
        let in_word = text.get(at).is_some_and(u8::is_ascii_alphanumeric);
        self.at = if in_word { at } else { behind };
        self.moves += moves;
        self.plies += moves;
    }
}

/// The length of a move such as `e4`, `Nbd7`, `cxd5+` or `d6=M`, told from the eight letters at its beginning, the first of
/// which is one; 0 if they are anything else. A blank follows within the eight.
#[inline(always)]
fn plain_move(letters: u64) -> u32 {
    // The lowest byte below 0x21; higher ones may be wrong, as the subtraction borrows.
    let blanks = letters.wrapping_sub(0x21 * ONES) & !letters & HIGH;
    if blanks == 0 {
        return 0;
    }
    let bits = blanks.trailing_zeros() - 7;
    let square_bits = match bits {
        16.. if is_square(letters >> (bits - 16)) => bits,
        16.. => without_marks(letters, bits),
        _ => 0,
    };
    if square_bits == 16 || square_bits > 16 && are_plain(letters, square_bits - 16) {
        bits / 8
    } else {
        0
    }
}

/// Where a move ends whose square is followed by a check mark, a promotion or both, in bits; 0 if none does so.
#[inline(never)]
fn without_marks(letters: u64, mut bits: u32) -> u32 {
    let last = |bits: u32| (letters >> (bits - 8)) as u8;
    let usual_blank = matches!(last(bits + 8), b' ' | b'\n');
    if matches!(last(bits), b'+' | b'#') {
        bits -= 8;
    }
    if usual_blank && bits >= 32 && last(bits - 8) == b'=' && last(bits).is_ascii_alphabetic() {
        bits -= 16;
    }
    if bits >= 16 && is_square(letters >> (bits - 16)) {
        bits
    } else {
        0
    }
}

/// Whether the lowest two of some letters are a square.
fn is_square(letters: u64) -> bool {
    let a1 = u16::from_le_bytes(*b"a1");
    (letters as u16).wrapping_sub(a1) & 0xf8f8 == 0
}

/// Whether the first so many bits are letters and digits.
fn are_plain(letters: u64, bits: u32) -> bool {
    // A sum may carry into the next byte, but only out of a byte beyond ASCII, which is not plain anyway.
    let folded = letters | (0x20 * ONES);
    let is_letter = folded.wrapping_add(0x1f * ONES) & !folded.wrapping_add(0x05 * ONES);
    let is_digit = letters.wrapping_add(0x50 * ONES) & !letters.wrapping_add(0x46 * ONES);
    let odd = !(is_letter | is_digit) | letters;
    odd & (HIGH >> (64 - bits)) == 0
}

/// The number that eight letters begin with, `12.` or `12...`, if a blank or a letter follows within them: its length, its
/// value and whether it is Black's.
#[inline(always)]
fn plain_number(letters: u64) -> Option<(u32, u32, bool)> {
    let values = letters ^ (u64::from(b'0') * ONES);
    let others = (((values & !HIGH) + 0x76 * ONES) | values) & HIGH;
    let bits = others.trailing_zeros().wrapping_sub(7);
    if !matches!(bits, 8..=32) {
        return None;
    }
    // Each step joins neighbours: digits to numbers below 100, those to numbers below 10,000.
    let pairs = ((values << (64 - bits)).wrapping_mul(10 * 256 + 1)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let number = (pairs.wrapping_mul(100 * 65_536 + 1) >> 48) as u32;
    let rest = letters >> bits;
    let black = rest as u32 & 0xff_ffff == 0x2e_2e2e;
    let length = bits / 8 + if black { 3 } else { 1 };
    let next = (letters >> (8 * length)) as u8;
    let plain = rest as u8 == b'.' && (matches!(next, b' ' | b'\n') || next.is_ascii_alphabetic());
    plain.then_some((length, number, black))
}

/// The length of a comment's text, if nothing opens in it another time before it is closed.
fn plain_comment(text: &[u8]) -> Option<usize> {
    memchr2(b'{', b'}', text).filter(|end| text[*end] == b'}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(text: &str) -> u64 {
        let text = format!("{text}        ");
        u64::from_le_bytes(*text.as_bytes().first_chunk().expect("eight letters"))
    }

    #[test]
    fn moves_that_are_plain() {
        for (text, length) in [
            ("e4 e5", 2),
            ("Nbxd7\n12. e4", 5),
            ("cxd5+ e4 ", 5),
            ("Ra7# ", 4),
            ("d6=M Rb7", 4),
            ("exd6=M+ e", 7),
            ("P1e2 ", 4),
            ("e4\0", 2),
        ] {
            assert_eq!(plain_move(letters(text)), length, "{text}");
        }
        for text in [
            "e4!",
            "e4{",
            "e9",
            "i4",
            "e4-e5",
            "O-O",
            "e",
            "e4++",
            "abcdefe4",
            "Nd8=",
            "d6=M=",
            "d6==",
            "a\u{e9}e4",
            "e4!e5",
            "e4)",
            "=M ",
            "d=M ",
            "abcdefgh",
        ] {
            assert_eq!(plain_move(letters(text)), 0, "{text}");
        }
    }

    #[test]
    fn numbers_that_are_plain() {
        for (text, length, number, black) in [
            ("1. e4", 2, 1, false),
            ("12.e4", 3, 12, false),
            ("907.\ne4", 4, 907, false),
            ("1234. e4", 5, 1234, false),
            ("1... e5", 4, 1, true),
            ("34... e5", 5, 34, true),
            ("0123... ", 7, 123, true),
        ] {
            let found = plain_number(letters(text));
            assert_eq!(found, Some((length, number, black)), "{text}");
        }
        for text in [
            "1.. e4", "1.1 ", "1 e4", "1-0", "12345. ", "1.... ", "1.{", "1.\t", "1/2", ".",
            "\u{b1}1.",
        ] {
            assert_eq!(plain_number(letters(text)), None, "{text}");
        }
    }
}
