//! Reads one game's text into tags and tokens.

use crate::{
    encoding::Encoding,
    line::{self, LineEnd},
    note::{NoteKind, Notes, clamp},
    outcome::{self, ResultMarker},
    tags::Tags,
    token::{Token, TokenKind},
};

mod enclosed;
mod letters;
mod numbers;
mod plain;
mod plain_tags;

pub(crate) use letters::note_line_ends;
use letters::{is_break, is_castling, is_glyph, is_plain_move, shorten, word_length};

/// What was read of a game.
pub(crate) struct Read {
    pub(crate) tags: Tags,
    pub(crate) tokens: Vec<Token>,
    pub(crate) result: Option<ResultMarker>,
}

/// Reads the whole text of a game; notes what is odd. Never fails: what cannot be read is a word.
/// `valid` is the text once more, if all of it is UTF-8.
pub(crate) fn read<'a>(
    text: &'a [u8],
    valid: Option<&'a str>,
    encoding: Encoding,
    notes: &mut Notes,
) -> Read {
    let valid = valid.filter(|_| !encoding.is_of_eight_bits());
    read_by(true, text, valid, encoding, notes)
}

fn read_by<'a>(
    quick: bool,
    text: &'a [u8],
    valid: Option<&'a str>,
    encoding: Encoding,
    notes: &mut Notes,
) -> Read {
    let mut tokenizer = Tokenizer {
        quick,
        text,
        valid,
        at: 0,
        encoding,
        notes,
        tags: Tags::with_capacity(16),
        tokens: Vec::with_capacity(text.len() / 5),
        result: None,
        results: 0,
        moves: 0,
        plies: 0,
        numbering: None,
        due: [plain::Due::NONE; 2],
        tag_line_over: 0,
        line_known: (
            1,
            LineEnd {
                content: 0,
                next: 0,
            },
        ),
    };
    tokenizer.run();
    Read {
        tags: tokenizer.tags,
        tokens: tokenizer.tokens,
        result: tokenizer.result,
    }
}

struct Tokenizer<'a> {
    /// Whether plain words and tags are read the quick way; only tests go the careful way alone.
    quick: bool,
    text: &'a [u8],
    /// The text once more, if all of it is UTF-8 and to be read so.
    valid: Option<&'a str>,
    at: usize,
    encoding: Encoding,
    notes: &'a mut Notes,
    tags: Tags,
    tokens: Vec<Token>,
    result: Option<ResultMarker>,
    results: u32,
    moves: u32,
    /// Moves and placeholders for moves.
    plies: u32,
    /// Ply of the first move, once a number told it.
    numbering: Option<i64>,
    /// At even plies, and at odd ones.
    due: [plain::Due; 2],
    /// End of the last tag, to tell tags that share its line.
    tag_line_over: usize,
    /// The line end found last, and where the search for it began.
    line_known: (usize, LineEnd),
}

impl Tokenizer<'_> {
    fn run(&mut self) {
        self.skip_blanks(true);
        while self.at < self.text.len() {
            match self.text[self.at] {
                b'[' if self.quick => self.plain_tags(),
                _ if self.quick => self.plain_words(),
                _ => {}
            }
            self.skip_blanks(false);
            if let Some(byte) = self.text.get(self.at) {
                self.word(*byte);
            }
            self.skip_blanks(false);
        }
        if self.tags.is_empty() {
            self.notes.add(0, NoteKind::TagsMissing, || {
                "the game has no tags".to_owned()
            });
        }
        if self.results > 1 {
            let at = self.text.len();
            self.notes
                .add_many(at, NoteKind::ResultRepeated, self.results - 1, || {
                    "more than one result marker".to_owned()
                });
        }
    }

    fn word(&mut self, byte: u8) {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => self.plain_word(),
            b'0'..=b'9' => self.digits(),
            b'{' => self.brace_comment(),
            b';' => self.line_comment(),
            b'(' => self.variation(),
            b'$' => self.nag(),
            b'!' | b'?' => self.glyph(),
            b'*' => self.asterisk(),
            b'[' => self.bracket(),
            b')' => self.stray(NoteKind::VariationStrayClose),
            b'}' => self.stray(NoteKind::CommentStrayClose),
            b'.' => self.dots(),
            _ => self.plain_word(),
        }
    }

    /// Skips blanks, and at line starts what stands there for no reader: `%` lines.
    fn skip_blanks(&mut self, mut line_start: bool) {
        while let Some(byte) = self.text.get(self.at) {
            match byte {
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => {
                    self.at += 1;
                    line_start = true;
                    continue;
                }
                b'%' if line_start && self.at_column_one() => self.hidden_line(),
                0..=0x1f | 0x7f => self.control(*byte),
                0xef if self.text[self.at..].starts_with(crate::encoding::BOM) => {
                    if self.at > 0 {
                        self.notes.add(self.at, NoteKind::ByteOrderMark, || {
                            "a mark inside the game".to_owned()
                        });
                    }
                    self.at += crate::encoding::BOM.len();
                }
                _ => return,
            }
        }
    }

    fn control(&mut self, byte: u8) {
        let kind = if byte == 0 {
            NoteKind::NulByte
        } else {
            NoteKind::ControlByte
        };
        let run = self.text[self.at..]
            .iter()
            .take_while(|b| **b == byte)
            .count();
        self.notes
            .add_many(self.at, kind, clamp(run), || format!("byte 0x{byte:02X}"));
        self.at += run;
    }

    fn at_column_one(&self) -> bool {
        self.at == 0 || matches!(self.text[self.at - 1], b'\n' | b'\r')
    }

    fn hidden_line(&mut self) {
        let start = self.at;
        self.at = self.line_end(start).content;
        let shown = shorten(self.encoding, &self.text[start..self.at]);
        self.notes.add(start, NoteKind::HiddenLine, || shown);
    }

    fn line_end(&mut self, from: usize) -> LineEnd {
        // Looked for once a line: a line of a million brackets asks a million times.
        let (start, known) = self.line_known;
        if (start..=known.content).contains(&from) {
            return known;
        }
        let end = self.text.len();
        let found = line::end_of_line(self.text, from).unwrap_or(LineEnd {
            content: end,
            next: end,
        });
        self.line_known = (from, found);
        found
    }

    fn push(&mut self, offset: usize, start: usize, end: usize, kind: TokenKind) {
        // A game is shorter than 4 GiB: the cutter's limit.
        self.tokens.push(Token {
            offset: offset as u32,
            start: start as u32,
            length: (end - start) as u32,
            kind,
        });
    }

    fn push_here(&mut self, length: usize, kind: TokenKind) {
        self.push(self.at, self.at, self.at + length, kind);
        self.at += length;
    }

    fn plain_word(&mut self) {
        let length = word_length(&self.text[self.at..]);
        if is_plain_move(&self.text[self.at..self.at + length]) {
            self.push_move(length);
        } else {
            // A byte that starts nothing we know must not stop us.
            self.odd_word(length.max(1));
        }
    }

    fn odd_word(&mut self, length: usize) {
        let rest = &self.text[self.at..];
        if let Some(length) = line::spaced_move(rest) {
            return self.push_move(length);
        }
        if self.joins_squares(length) {
            return;
        }
        if let Some((marker, length, plain)) = outcome::at_start(rest) {
            return self.push_result(marker, length, plain);
        }
        let word = &rest[..length];
        if line::word_is_move(word) || is_castling(word) {
            return self.push_move(length);
        }
        // Results in words of Thai and Khmer, which are written without blanks.
        if word.len() <= 64
            && word.first().is_some_and(|b| *b >= 0x80)
            && let Some(marker) = outcome::parse(&self.encoding.decode(word))
        {
            return self.push_result(marker, length, false);
        }
        match word {
            b"Z0" | b"null" | b"NULL" | b"--" | b"---" | b"----" => self.push_gap(length),
            b"=" => self.push_here(length, TokenKind::DrawOffer),
            _ if is_glyph(word) => self.push_here(length, TokenKind::Nag { code: None }),
            _ => self.push_word(length),
        }
    }

    /// `c3 - c4`: a dash or cross on its own between two squares makes them one move; false if this is none.
    fn joins_squares(&mut self, length: usize) -> bool {
        let rest = &self.text[self.at..];
        let sign = &rest[..length];
        if !matches!(sign, b"-" | b"x" | b":") && sign != "–".as_bytes() {
            return false;
        }
        let Some(token) = self
            .tokens
            .last_mut()
            .filter(|token| token.kind == TokenKind::Move)
        else {
            return false;
        };
        let gap = self.at.checked_sub((token.start + token.length) as usize);
        let blanks = rest[length..].iter().take_while(|b| **b == b' ').count();
        let word = &rest[length + blanks..];
        let word = &word[..word_length(word)];
        let square = matches!(word, [b'a'..=b'h', b'1'..=b'8', ..]);
        if gap.is_none_or(|gap| gap > 2) || blanks > 2 || !square {
            return false;
        }
        self.at += length + blanks + word.len();
        token.length = (self.at - token.start as usize) as u32;
        true
    }

    fn push_move(&mut self, length: usize) {
        if self.results > 0 {
            self.notes.add(self.at, NoteKind::MovesAfterResult, || {
                "moves after the result".to_owned()
            });
        }
        self.moves += 1;
        self.plies += 1;
        self.push_here(length, TokenKind::Move);
    }

    fn push_gap(&mut self, length: usize) {
        self.plies += 1;
        self.push_here(length, TokenKind::Gap);
    }

    fn push_word(&mut self, length: usize) {
        let (encoding, word) = (self.encoding, &self.text[self.at..self.at + length]);
        self.notes.add(self.at, NoteKind::WordInMoves, || {
            format!("`{}` is no move", shorten(encoding, word))
        });
        self.push_here(length, TokenKind::Word);
    }

    fn push_result(&mut self, marker: ResultMarker, length: usize, plain: bool) {
        if !plain {
            let shown = shorten(self.encoding, &self.text[self.at..self.at + length]);
            self.notes
                .add(self.at, NoteKind::ResultSpelling, || match marker {
                    ResultMarker::BothLose => format!("`{shown}`: both sides lose"),
                    _ => format!("`{shown}` for {}", marker.as_str()),
                });
        }
        self.results += 1;
        self.result = Some(marker);
        self.push_here(length, TokenKind::Result(marker));
    }

    fn asterisk(&mut self) {
        match outcome::at_start(&self.text[self.at..]) {
            Some((marker, length, plain)) => self.push_result(marker, length, plain),
            None => self.push_word(word_length(&self.text[self.at..]).max(1)),
        }
    }

    fn nag(&mut self) {
        let rest = &self.text[self.at + 1..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let code = std::str::from_utf8(&rest[..digits])
            .ok()
            .and_then(|text| text.parse().ok());
        self.push_here(1 + digits, TokenKind::Nag { code });
    }

    /// `!`, `?!` behind a move; a `?` that stands alone is a missing move.
    fn glyph(&mut self) {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|b| matches!(b, b'!' | b'?')).count();
        let alone = self.at == 0 || is_break(self.text[self.at - 1]);
        if alone && rest[..length].iter().all(|b| *b == b'?') && !self.follows_move() {
            return self.push_gap(length);
        }
        let code = match &rest[..length] {
            b"!" => Some(1),
            b"?" => Some(2),
            b"!!" => Some(3),
            b"??" => Some(4),
            b"!?" => Some(5),
            b"?!" => Some(6),
            _ => None,
        };
        self.push_here(length, TokenKind::Nag { code });
    }

    fn follows_move(&self) -> bool {
        matches!(
            self.tokens.last(),
            Some(Token {
                kind: TokenKind::Move,
                ..
            })
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &[&str] = &[
        "[Event \"x\"]\n",
        "[White \"สมชาย\"]\r\n",
        "[event \"x\" ]\n",
        "[FEN \"a \\\"b\\\"\"]\n",
        "[Event \"open\n",
        "\n",
        "\n\n",
        "\r\n",
        " ",
        " ",
        " ",
        "  ",
        "\t",
        "\0",
        "\u{7f}",
        "\u{feff}",
        "%hidden\n",
        "\n%hidden\n",
        "e4 ",
        "e4",
        "Nbd7 ",
        "cxd5+ ",
        "d6=M ",
        "exd6=M+ ",
        "d6=\u{e9} ",
        "e2e4 ",
        "c3 - c4 ",
        "a1xb2=M\0",
        "O-O ",
        "1. ",
        "2. ",
        "1.",
        "1... ",
        "9. ",
        "10. ",
        "99. ",
        "100. ",
        "1) ",
        "1 ",
        "99999. ",
        "1-0",
        "1/2-1/2 ",
        "* ",
        "? ",
        "!?",
        "$3 ",
        "-- ",
        "= ",
        "(e4 e5) ",
        ")",
        "}",
        "{ [%clk 0:01] } ",
        "{}",
        "{ { } ",
        "{ open ",
        "; line\n",
        "ม-ง๒ ",
    ];

    /// Texts of pieces drawn by chance, and of moves in good order with a few of these pieces among them.
    #[test]
    fn the_quick_way_reads_as_the_careful_one_does() {
        let mut state = 1_u64;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        for round in 0..20_000 {
            let mut text = String::new();
            for number in 1..below(30) {
                match round % 2 {
                    0 => text.push_str(&format!("{}. e4 Nf3 ", number + round % 100)),
                    _ => text.push_str(PIECES[below(PIECES.len())]),
                }
                if below(8) == 0 {
                    text.push_str(PIECES[below(PIECES.len())]);
                }
            }
            let read_so = |quick| {
                let mut notes = Notes::default();
                let read = read_by(
                    quick,
                    text.as_bytes(),
                    Some(&text),
                    Encoding::Utf8,
                    &mut notes,
                );
                (read.tags, read.tokens, read.result, notes.finish())
            };
            assert_eq!(read_so(true), read_so(false), "{text:?}");
        }
    }
}
