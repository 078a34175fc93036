//! The quick way through what nearly all of a move text is: plain moves and numbers with a blank behind each, read eight
//! letters at a time and without a branch for each letter. What it takes, the careful way would read alike.

use memchr::memchr2;

use super::{Token, TokenKind, Tokenizer};
use crate::{
    letters::{HIGH, ONES},
    token::CommentStyle,
};

/// The move number that a usual text has next for one of the sides, as it is written there.
#[derive(Debug)]
pub(super) struct Due {
    /// `13.` or `13...`, as the lowest bytes.
    letters: u64,
    /// Which bytes of eight letters these are; none if no number is due, which then no letters equal.
    mask: u64,
    bits: u32,
    /// Where the last digit is in `letters`.
    last_digit: u32,
    number: u32,
    black: bool,
    /// The ply before which it stands.
    ply: u32,
}

impl Due {
    pub(super) const NONE: Due = Due {
        letters: 1,
        mask: 0,
        bits: 0,
        last_digit: 0,
        number: 0,
        black: false,
        ply: 0,
    };

    fn is(&self, letters: u64, ply: u32) -> bool {
        letters & self.mask == self.letters && self.ply == ply
    }

    /// What is due two plies behind a number.
    fn after(number: u32, black: bool, ply: u32) -> Due {
        let mut due = Due {
            number: number + 1,
            black,
            ply: ply + 2,
            ..Due::NONE
        };
        due.write();
        due
    }

    #[inline(never)]
    fn write(&mut self) {
        let dots = if self.black { 24 } else { 8 };
        let (mut rest, mut bits) = (self.number, dots);
        let mut letters = (u64::from(b'.') * ONES) >> (64 - dots);
        while rest > 0 && bits < 56 {
            letters = (letters << 8) | u64::from(b'0' + (rest % 10) as u8);
            rest /= 10;
            bits += 8;
        }
        (self.letters, self.bits) = (letters, bits);
        self.last_digit = bits - dots - 8;
        self.mask = if rest > 0 { 0 } else { u64::MAX >> (64 - bits) };
    }

    fn advance(&mut self) {
        self.number += 1;
        self.ply += 2;
        if (self.letters >> self.last_digit) as u8 == b'9' {
            self.write();
        } else {
            self.letters += 1 << self.last_digit;
        }
    }
}

impl Tokenizer<'_> {
    /// Reads plain words; stops in front of a word that is none, or behind a plain one that more than a blank follows.
    #[inline(never)]
    pub(super) fn plain_words(&mut self) {
        // What follows a result is noted.
        if self.results > 0 {
            return;
        }
        let text = self.text;
        let (mut at, mut behind, mut plies) = (self.at, self.at, self.plies);
        while let Some(letters) = text.get(at..).and_then(|rest| rest.first_chunk()) {
            let letters = u64::from_le_bytes(*letters);
            match letters as u8 {
                b'a'..=b'z' | b'A'..=b'Z' => match plain_move(letters) {
                    None => break,
                    Some(bits) => {
                        self.push_at(at, bits / 8, TokenKind::Move);
                        plies += 1;
                        behind = at + (bits / 8) as usize;
                        // The byte is a blank of some kind: 32 at most.
                        let usual =
                            (1_u64 << b' ' | 1 << b'\n').wrapping_shr((letters >> bits) as u32);
                        at = behind + (usual & 1) as usize;
                    }
                },
                b'0'..=b'9' => match self.due_number(at, letters, plies) {
                    Some(length) => {
                        behind = at + length as usize;
                        at = behind + 1;
                    }
                    None => match self.another_number(at, letters, plies) {
                        None => break,
                        Some(length) => {
                            behind = at + length as usize;
                            at = behind + usize::from(is_usual_blank(letters >> (8 * length)));
                        }
                    },
                },
                b'{' => match plain_comment(&text[at + 1..]) {
                    None => break,
                    Some(length) => {
                        let end = at + 1 + length;
                        self.push(at, at + 1, end, TokenKind::Comment(CommentStyle::Brace));
                        behind = end + 1;
                        at = behind + usize::from(matches!(text.get(behind), Some(b' ' | b'\n')));
                    }
                },
                _ => break,
            }
        }
        // What stands at the start of a line may be hidden, so that the blank before it is still to be looked at.
        let in_word = text.get(at).is_some_and(u8::is_ascii_alphanumeric);
        self.at = if in_word { at } else { behind };
        self.moves += plies - self.plies;
        self.plies = plies;
    }

    /// Reads the move number that is due here, with a blank behind it; its length.
    #[inline(always)]
    fn due_number(&mut self, at: usize, letters: u64, plies: u32) -> Option<u32> {
        let due = &mut self.due[(plies & 1) as usize];
        let bits = due.bits;
        if !due.is(letters, plies) || !is_usual_blank(letters >> bits) {
            return None;
        }
        let (number, black) = (due.number, due.black);
        due.advance();
        self.push_at(at, bits / 8, TokenKind::MoveNumber { number, black });
        Some(bits / 8)
    }

    /// Reads a plain move number; its length.
    #[inline(never)]
    fn another_number(&mut self, at: usize, letters: u64, plies: u32) -> Option<u32> {
        let (length, number, black) = plain_number(letters)?;
        self.push_at(at, length, TokenKind::MoveNumber { number, black });
        if self.check_number(at, number, black, plies) {
            self.due[(plies & 1) as usize] = Due::after(number, black, plies);
        }
        Some(length)
    }

    #[inline(always)]
    fn push_at(&mut self, at: usize, length: u32, kind: TokenKind) {
        // A game is shorter than 4 GiB: the cutter's limit.
        self.tokens.push(Token {
            offset: at as u32,
            start: at as u32,
            length,
            kind,
        });
    }
}

/// Whether the first of some letters is a blank or ends a line as usual.
fn is_usual_blank(letters: u64) -> bool {
    matches!(letters as u8, b' ' | b'\n')
}

/// The length in bits of a move such as `e4`, `Nbd7`, `cxd5+` or `d6=M`, told from the eight letters at its beginning, the
/// first of which is one. A blank follows within the eight.
#[inline(always)]
fn plain_move(letters: u64) -> Option<u32> {
    // The lowest byte below 0x21; higher ones may be wrong, as the subtraction borrows.
    let blanks = letters.wrapping_sub(0x21 * ONES) & !letters & HIGH;
    if blanks == 0 {
        return None;
    }
    let bits = blanks.trailing_zeros() - 7;
    // A single letter is no square, whatever stands above it.
    let square_bits = match is_square(letters.wrapping_shr(bits.wrapping_sub(16))) {
        true => bits,
        false => without_marks(letters, bits),
    };
    // Two letters are the square, and the one in front of them is a letter.
    match square_bits {
        16 | 24 => Some(bits),
        32.. if are_plain(letters, square_bits - 16) => Some(bits),
        _ => None,
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
            assert_eq!(plain_move(letters(text)), Some(8 * length), "{text}");
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
            assert_eq!(plain_move(letters(text)), None, "{text}");
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
