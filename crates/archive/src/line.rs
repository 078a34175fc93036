//! What a line looks like, for the cutter and the tokenizer alike: both must agree on it.

use memchr::memchr2;

use crate::{encoding::BOM, outcome};

/// Where a line's content ends and where the next line starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineEnd {
    pub(crate) content: usize,
    pub(crate) next: usize,
}

/// The end of the line that goes on at `from`; `None` if the text ends first. LF, CRLF, CR CR LF and CR end a line.
pub(crate) fn end_of_line(text: &[u8], from: usize) -> Option<LineEnd> {
    let content = from + memchr2(b'\n', b'\r', text.get(from..)?)?;
    let next = match (text[content], text.get(content + 1), text.get(content + 2)) {
        (b'\r', Some(b'\r'), Some(b'\n')) => content + 3,
        (b'\r', Some(b'\n'), _) => content + 2,
        _ => content + 1,
    };
    Some(LineEnd { content, next })
}

/// The longest line end in bytes, CR CR LF.
pub(crate) const LINE_END_BYTES: usize = 3;

/// How many bytes at the start are blanks, NULs, end-of-file marks (0x1A) or byte order marks.
pub(crate) fn blank_prefix(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c | 0 | 0x1a => at += 1,
            0xef if text[at..].starts_with(BOM) => at += BOM.len(),
            _ => break,
        }
    }
    at
}

/// The text without its blank prefix.
pub(crate) fn trim_start(text: &[u8]) -> &[u8] {
    &text[blank_prefix(text)..]
}

/// The name of the tag that a line starts with, blanks in front allowed; `None` if it does not start like a tag.
///
/// A tag is `[`, a name that starts with a letter, and then a quote, or `]` at the end of the line.
pub(crate) fn tag_name(line: &[u8]) -> Option<&[u8]> {
    let line = trim_start(line);
    let inner = line.strip_prefix(b"[")?.trim_ascii_start();
    let length = inner.iter().take_while(|b| is_name_byte(**b)).count();
    let (name, rest) = inner.split_at(length);
    if !name
        .first()
        .is_some_and(|b| b.is_ascii_alphabetic() || *b >= 0x80)
    {
        return None;
    }
    let value = rest.trim_ascii_start();
    let quoted = matches!(value.first(), Some(b'"' | b'\'')) || value.starts_with("“".as_bytes());
    let closed = || (rest.len() > value.len() || value.first() == Some(&b']')) && is_closed(value);
    (quoted || closed()).then_some(name)
}

/// Whether a line starts like a tag with a quoted value: no doubt is left.
pub(crate) fn is_plain_tag(line: &[u8]) -> bool {
    tag_name(line).is_some() && memchr::memchr(b'"', line).is_some() && is_closed(line)
}

/// Whether the line's last letter closes a bracket.
pub(crate) fn is_closed(line: &[u8]) -> bool {
    let end = line
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0));
    end.is_some_and(|at| line[at] == b']')
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || byte >= 0x80
        || matches!(byte, b'_' | b'-' | b'+' | b'.' | b':' | b'#' | b'=')
}

/// Whether a line starts with the number of a first move by White: `1.`, `1)`, but not `1...`.
pub(crate) fn starts_first_move(line: &[u8]) -> bool {
    match trim_start(line) {
        [b'1', b'.', b'.', ..] => false,
        [b'1', b'.' | b')', rest @ ..] => {
            let rest = rest.trim_ascii_start();
            rest.is_empty()
                || rest[0] == b'{'
                || rest[0] >= 0x80
                || word_is_move(first_word(rest))
                || spaced_move(rest).is_some()
        }
        _ => false,
    }
}

/// Whether a line can stand in a move text: it starts with a move, a number, a comment, a glyph or a result.
pub(crate) fn starts_move_text(line: &[u8]) -> bool {
    let line = trim_start(line);
    let Some(first) = line.first() else {
        return false;
    };
    match first {
        b'{' => !starts_json(line),
        b'(' | b';' | b'*' | b'$' => true,
        b'0'..=b'9' => {
            let digits = line.iter().take_while(|b| b.is_ascii_digit()).count();
            let rest = &line[digits..];
            let numbered = matches!(rest.first(), Some(b'.' | b')')) && {
                let after = rest
                    .iter()
                    .position(|b| !matches!(b, b'.' | b')' | b' ' | b'\t'));
                after.is_none_or(|at| {
                    rest[at] == b'{'
                        || rest[at] >= 0x80
                        || word_is_move(first_word(&rest[at..]))
                        || spaced_move(&rest[at..]).is_some()
                })
            };
            numbered || outcome::at_start(line).is_some()
        }
        _ => {
            word_is_move(first_word(line))
                || outcome::at_start(line).is_some()
                || spaced_move(line).is_some()
        }
    }
}

/// The length of a move typed with blanks inside: `c 3 - c 4`, `N b 1 - d 2`, `c3 - c4`, or, as Thai long algebraic has
/// it, `บ ก๓-ก๔`.
pub(crate) fn spaced_move(text: &[u8]) -> Option<usize> {
    if text.first().is_some_and(|b| *b >= 0x80) {
        return thai_long_move(text);
    }
    let mut at = 0;
    let mut take = |wanted: fn(u8) -> bool, needed: bool| -> Option<()> {
        let blanks = text[at..].iter().take_while(|b| **b == b' ').count();
        match text.get(at + blanks) {
            // One blank or two; more are a column of a table.
            Some(byte) if blanks <= 2 && wanted(*byte) => at += blanks + 1,
            _ if needed => return None,
            _ => {}
        }
        Some(())
    };
    take(|b| b"KQBNRMSFEC".contains(&b), false)?;
    take(|b| matches!(b, b'a'..=b'h'), true)?;
    take(|b| matches!(b, b'1'..=b'8'), true)?;
    take(|b| matches!(b, b'-' | b'x' | b':'), true)?;
    take(|b| matches!(b, b'a'..=b'h'), true)?;
    take(|b| matches!(b, b'1'..=b'8'), true)?;
    let tail = text[at..]
        .iter()
        .take_while(|b| !b.is_ascii_whitespace() && !matches!(b, b'{' | b'(' | b')' | b';'));
    Some(at + tail.count())
}

/// A man's letter, a blank, two squares.
fn thai_long_move(text: &[u8]) -> Option<usize> {
    let man = text.iter().take(8).position(|b| *b == b' ')?;
    let (letter, rest) = (&text[..man], &text[man + 1..]);
    let is_man = match std::str::from_utf8(letter) {
        Ok(letter) => matches!(letter, "ข" | "ค" | "ง" | "บ" | "ม" | "ม็" | "ร"),
        Err(_) => matches!(
            letter,
            [0xa2 | 0xa4 | 0xa7 | 0xba | 0xc1 | 0xc3] | [0xc1, 0xe7]
        ),
    };
    let word = first_word(&rest[..rest.len().min(48)]);
    let joined = memchr::memchr2(b'-', b'x', word).is_some_and(|at| at > 1 && at + 2 < word.len());
    (is_man && joined && word.first().is_some_and(|b| *b >= 0x80) && word_is_move(word))
        .then_some(man + 1 + word.len())
}

/// Whether a text starts like a JSON object or array.
pub(crate) fn starts_json(text: &[u8]) -> bool {
    let text = trim_start(text);
    match text.split_first() {
        Some((b'{', rest)) => {
            let rest = trim_start(rest);
            rest.first() == Some(&b'}')
                || rest.first() == Some(&b'"')
                    && rest[1..]
                        .iter()
                        .position(|b| matches!(b, b'"' | b'\n'))
                        .is_some_and(|at| {
                            rest[1 + at] == b'"'
                                && trim_start(&rest[at + 2..]).first() == Some(&b':')
                        })
        }
        Some((b'[', rest)) => matches!(trim_start(rest).first(), Some(b'{' | b'[' | b'"' | b']')),
        _ => false,
    }
}

/// Whether a line says which rules a game page is under: `This game is being played under Makruk (Thai Chess) rules.`
pub(crate) fn says_rules(line: &[u8]) -> bool {
    let line = trim_start(line);
    line.len() < 400
        && line.starts_with(b"This game is being played under ")
        && memchr::memmem::find(line, b" rules").is_some()
}

/// Whether a line gives a page's clock: `'Standard' (30 days + 1 day/move, max 45 days)`.
pub(crate) fn is_page_clock(line: &[u8]) -> bool {
    let line = trim_start(line).trim_ascii_end();
    line.len() < 200
        && line.starts_with(b"'")
        && line.ends_with(b")")
        && memchr::memmem::find(line, b"' (").is_some()
        && memchr::memmem::find(line, b" day").is_some()
}

/// Whether a line tells when a page's clock was started; it may stand among the moves.
pub(crate) fn is_page_date(line: &[u8]) -> bool {
    trim_start(line).starts_with(b"Clock started on ")
}

pub(crate) fn first_word(text: &[u8]) -> &[u8] {
    let end = text
        .iter()
        .position(|b| b.is_ascii_whitespace() || matches!(b, b'{' | b';' | b'(' | b')'));
    &text[..end.unwrap_or(text.len())]
}

/// Whether a word can be a move of some dialect: a square in ASCII, preceded by little else, or letters beyond ASCII
/// with a digit among them.
pub(crate) fn word_is_move(word: &[u8]) -> bool {
    if word.len() < 2 || word.len() > 40 {
        return false;
    }
    if !word.is_ascii() {
        return has_digit(word) || has_square(word).is_some();
    }
    // A square stands within the first few letters: piece, file, rank, capture mark.
    has_square(word).is_some_and(|at| at <= 5) || is_numbered_move(word)
}

/// Whether a word is a move between numbered squares: `12-20`, `12x21`, `N2-12`; 1 to 64 each.
pub(crate) fn is_numbered_move(word: &[u8]) -> bool {
    let man = usize::from(word.first().is_some_and(u8::is_ascii_uppercase));
    let Some((from, rest)) = square_number(word.get(man..).unwrap_or_default()) else {
        return false;
    };
    let Some((b'-' | b'x' | b':', rest)) = rest.split_first() else {
        return false;
    };
    square_number(rest).is_some_and(|(to, rest)| {
        from != to
            && rest
                .iter()
                .all(|b| matches!(b, b'+' | b'#' | b'=' | b'!' | b'?' | b'M' | b'm'))
    })
}

fn square_number(text: &[u8]) -> Option<(u32, &[u8])> {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let value = number.iter().fold(0, |n: u32, b| {
        n.saturating_mul(10).saturating_add(u32::from(b - b'0'))
    });
    ((1..=2).contains(&digits) && number[0] != b'0' && (1..=64).contains(&value))
        .then_some((value, rest))
}

/// Whether a word has a rank: a western digit, or a Thai or Khmer one in UTF-8 or Windows-874.
fn has_digit(word: &[u8]) -> bool {
    if word.iter().any(|b| matches!(b, b'1'..=b'8')) {
        return true;
    }
    match std::str::from_utf8(word) {
        Ok(text) => text.contains(|c| matches!(c, '๑'..='๘' | '១'..='៨')),
        Err(_) => word.iter().any(|b| matches!(b, 0xf1..=0xf8)),
    }
}

fn has_square(word: &[u8]) -> Option<usize> {
    word.windows(2)
        .position(|pair| matches!(pair[0], b'a'..=b'h') && matches!(pair[1], b'1'..=b'8'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_line_ends() {
        for (text, content, next) in [
            ("ab\ncd", 2, 3),
            ("ab\r\ncd", 2, 4),
            ("ab\r\r\ncd", 2, 5),
            ("ab\rcd", 2, 3),
            ("ab\r\rcd", 2, 3),
        ] {
            assert_eq!(
                end_of_line(text.as_bytes(), 0),
                Some(LineEnd { content, next }),
                "{text:?}"
            );
        }
        assert_eq!(end_of_line(b"ab", 0), None);
    }

    #[test]
    fn tags_by_their_shape() {
        assert_eq!(tag_name(b"[Event \"x\"]"), Some(b"Event".as_slice()));
        assert_eq!(tag_name(b"  [ Event 'x' ]"), Some(b"Event".as_slice()));
        assert_eq!(
            tag_name(b"\xef\xbb\xbf[Event\"x\"]"),
            Some(b"Event".as_slice())
        );
        assert_eq!(tag_name(b"[Event]"), Some(b"Event".as_slice()));
        assert_eq!(tag_name(b"[Result 1-0]"), Some(b"Result".as_slice()));
        assert_eq!(tag_name(b"[%clk 0:01]"), None);
        assert_eq!(tag_name(b"[\"e1d2\",\"e3e4\"]"), None);
        assert_eq!(tag_name(b"[see the note"), None);
    }

    #[test]
    fn move_text_by_its_first_word() {
        for yes in [
            "1. e4",
            "1.e4",
            "12) Nf3",
            "Nd2 g5",
            "d3-d4 c8-d7",
            "{note",
            "*",
            "1-0",
            "1... Kxe5",
            "Pf4+",
            "(1. e4)",
        ] {
            assert!(starts_move_text(yes.as_bytes()), "{yes}");
        }
        for no in [
            "Makruk rules",
            "{\"game_id\":3}",
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "[{",
        ] {
            assert!(!starts_move_text(no.as_bytes()), "{no}");
        }
        assert!(starts_first_move(b"1. e4"));
        assert!(!starts_first_move(b"1... e5"));
        assert!(!starts_first_move(b"1. Introduction to the rules"));
    }
}
