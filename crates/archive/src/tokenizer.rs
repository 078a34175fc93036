//! Reads one game's text into tags and tokens.

use memchr::memchr;

use crate::{
    encoding::Encoding,
    game::RawTag,
    line::{self, LineEnd},
    note::{NoteKind, Notes, clamp},
    outcome::{self, ResultMarker},
    tag,
    token::{CommentStyle, Token, TokenKind},
};

/// What was read of a game.
pub(crate) struct Read {
    pub(crate) tags: Vec<RawTag>,
    pub(crate) tokens: Vec<Token>,
    pub(crate) result: Option<ResultMarker>,
}

/// Reads the whole text of a game; notes what is odd. Never fails: what cannot be read is a word.
pub(crate) fn read(text: &[u8], encoding: Encoding, notes: &mut Notes) -> Read {
    let mut tokenizer = Tokenizer {
        text,
        at: 0,
        encoding,
        notes,
        tags: Vec::with_capacity(16),
        tokens: Vec::with_capacity(text.len() / 5),
        result: None,
        results: 0,
        moves: 0,
        plies: 0,
        numbering: None,
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
    text: &'a [u8],
    at: usize,
    encoding: Encoding,
    notes: &'a mut Notes,
    tags: Vec<RawTag>,
    tokens: Vec<Token>,
    result: Option<ResultMarker>,
    results: u32,
    moves: u32,
    /// Moves and placeholders for moves.
    plies: u32,
    /// Ply of the first move, once a number told it.
    numbering: Option<i64>,
    /// End of the last tag, to tell tags that share its line.
    tag_line_over: usize,
    /// The line end found last, and where the search for it began.
    line_known: (usize, LineEnd),
}

impl Tokenizer<'_> {
    fn run(&mut self) {
        self.skip_blanks(true);
        while let Some(byte) = self.text.get(self.at).copied() {
            self.word(byte);
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
        self.tokens.push(Token {
            offset: clamp(offset),
            start: clamp(start),
            length: clamp(end - start),
            kind,
        });
    }

    fn push_here(&mut self, length: usize, kind: TokenKind) {
        self.push(self.at, self.at, self.at + length, kind);
        self.at += length;
    }

    fn plain_word(&mut self) {
        let rest = &self.text[self.at..];
        let mut length = word_length(rest);
        if length == 0 {
            // A byte that starts nothing we know; it must not stop us.
            length = 1;
        }
        let word = &rest[..length];
        if is_plain_move(word) {
            return self.push_move(length);
        }
        if let Some((marker, length, plain)) = outcome::at_start(rest) {
            return self.push_result(marker, length, plain);
        }
        if line::word_is_move(word) || is_castling(word) {
            return self.push_move(length);
        }
        match word {
            b"Z0" | b"null" | b"NULL" | b"--" | b"---" | b"----" => self.push_gap(length),
            b"=" => self.push_here(length, TokenKind::DrawOffer),
            _ if is_glyph(word) => self.push_here(length, TokenKind::Nag { code: None }),
            _ => self.push_word(length),
        }
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
        let shown = shorten(self.encoding, &self.text[self.at..self.at + length]);
        self.notes.add(self.at, NoteKind::WordInMoves, || {
            format!("`{shown}` is no move")
        });
        self.push_here(length, TokenKind::Word);
    }

    fn push_result(&mut self, marker: ResultMarker, length: usize, plain: bool) {
        if !plain {
            let shown = shorten(self.encoding, &self.text[self.at..self.at + length]);
            self.notes.add(self.at, NoteKind::ResultSpelling, || {
                format!("`{shown}` for {}", marker.as_str())
            });
        }
        self.results += 1;
        self.result = Some(marker);
        self.push_here(length, TokenKind::Result(marker));
    }

    fn digits(&mut self) {
        let rest = &self.text[self.at..];
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        match rest.get(digits) {
            Some(b'.') if !rest[digits + 1..].first().is_some_and(u8::is_ascii_digit) => {
                self.move_number(digits)
            }
            Some(b')') => self.move_number(digits),
            Some(0xe2) if rest[digits..].starts_with("…".as_bytes()) => self.move_number(digits),
            _ => match outcome::at_start(rest) {
                Some((marker, length, plain)) => self.push_result(marker, length, plain),
                None if rest.get(digits).is_none_or(|b| is_break(*b)) => self.move_number(digits),
                // `1.1`, `1/4`, `12th` and the like, but also `1.0-0`.
                None if rest[digits] == b'.' => self.move_number(digits),
                None => self.plain_word(),
            },
        }
    }

    fn move_number(&mut self, digits: usize) {
        let rest = &self.text[self.at..];
        let number = rest[..digits].iter().fold(0_u32, |n, b| {
            n.saturating_mul(10).saturating_add(u32::from(b - b'0'))
        });
        let dots = rest[digits..].iter().take_while(|b| **b == b'.').count();
        let ellipsis = rest[digits + dots..].starts_with("…".as_bytes());
        let black = dots >= 2 || ellipsis;
        let round = dots == 0 && rest.get(digits) == Some(&b')');
        if dots == 0 && !ellipsis {
            self.notes.add(self.at, NoteKind::MoveNumberStyle, || {
                format!("{number} without a dot")
            });
        }
        self.check_number(number, black);
        let length = digits + dots + if ellipsis { 3 } else { 0 } + usize::from(round);
        self.push_here(length, TokenKind::MoveNumber { number, black });
    }

    /// Numbers are never believed, only compared: with the first of them and the moves since.
    fn check_number(&mut self, number: u32, black: bool) {
        let told = i64::from(number) * 2 + i64::from(black);
        let first = *self.numbering.get_or_insert(told - i64::from(self.plies));
        let due = first + i64::from(self.plies);
        // `2. e4` after White's move, repeated for Black without dots, is common and harmless.
        if told != due && told + 1 != due {
            self.notes.add(self.at, NoteKind::MoveNumberOff, || {
                format!("number {number} where {} is due", due / 2)
            });
        }
    }

    /// Dots behind a number (`1. ... e5`) say that Black moves; elsewhere they stand for a missing move.
    fn dots(&mut self) {
        let length = self.text[self.at..]
            .iter()
            .take_while(|b| **b == b'.')
            .count();
        match self.tokens.last_mut().map(|token| &mut token.kind) {
            Some(TokenKind::MoveNumber { black, .. }) => {
                if length >= 2 && !std::mem::replace(black, true) && self.plies == 0 {
                    self.numbering = self.numbering.map(|first| first + 1);
                }
                self.at += length;
            }
            _ if length >= 2 => self.push_gap(length),
            _ => self.at += length,
        }
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

    fn stray(&mut self, kind: NoteKind) {
        self.notes
            .add(self.at, kind, || "closes nothing".to_owned());
        self.at += 1;
    }

    fn brace_comment(&mut self) {
        let open = self.at;
        let (end, next) = self.comment_end(open);
        self.push(open, open + 1, end, TokenKind::Comment(CommentStyle::Brace));
        self.at = next;
    }

    /// Where the comment that opens at `open` ends, and what follows it. It ends at the first `}` as PGN says; where
    /// `{` stands inside, it ends at the `}` that balances them, if there is one and no move number lies between.
    fn comment_end(&mut self, open: usize) -> (usize, usize) {
        let text = self.text;
        let Some(close) = memchr(b'}', &text[open..]).map(|at| open + at) else {
            self.notes.add(open, NoteKind::CommentUnclosed, || {
                "the comment goes on to the end of the game".to_owned()
            });
            return (text.len(), text.len());
        };
        if memchr(b'{', &text[open + 1..close]).is_none() {
            return (close, close + 1);
        }
        self.notes.add(open, NoteKind::CommentNested, || {
            shorten(self.encoding, &text[open..=close])
        });
        let end = balanced(&text[..text.len().min(close + NESTING_BYTES)], open)
            .filter(|end| !holds_number(&text[close..*end]))
            .unwrap_or(close);
        (end, end + 1)
    }

    fn line_comment(&mut self) {
        let (start, end) = (self.at + 1, self.line_end(self.at).content);
        self.push(self.at, start, end, TokenKind::Comment(CommentStyle::Line));
        self.at = end;
    }

    fn variation(&mut self) {
        let open = self.at;
        let (end, moves) = self.variation_end(open);
        let closed = self.text.get(end) == Some(&b')');
        let kind = match self.text[open + 1..end].trim_ascii() {
            b"=" if closed => TokenKind::DrawOffer,
            _ => TokenKind::Variation { moves },
        };
        self.push(open, open + 1, end, kind);
        self.at = end + usize::from(closed);
    }

    /// The `)` that closes a variation, comments aside, and the number of moves before it. One that nothing closes
    /// goes on to the end of the game, or to the result there.
    fn variation_end(&mut self, open: usize) -> (usize, u32) {
        let (mut depth, mut moves, mut at) = (0_u32, 0_u32, open);
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return (at, moves),
                b')' => depth -= 1,
                b'{' => {
                    at = memchr(b'}', &self.text[at..])
                        .map_or(self.text.len(), |close| at + close + 1);
                    continue;
                }
                b';' => {
                    at = self.line_end(at).content;
                    continue;
                }
                _ if is_break(*byte) => {}
                _ => {
                    let length = word_length(&self.text[at..]).max(1);
                    let word = &self.text[at..at + length];
                    let bare = word
                        .iter()
                        .position(|b| !b.is_ascii_digit() && *b != b'.')
                        .map_or(word, |i| &word[i..]);
                    moves += u32::from(line::word_is_move(bare));
                    at += length;
                    continue;
                }
            }
            at += 1;
        }
        self.notes.add(open, NoteKind::VariationUnclosed, || {
            "the variation goes on to the end of the game".to_owned()
        });
        let kept = self.text.trim_ascii_end();
        let last = kept.iter().rposition(|b| is_break(*b)).map_or(0, |i| i + 1);
        let end = if last > open && outcome::at_start(&kept[last..]).is_some() {
            last
        } else {
            self.text.len()
        };
        (end, moves)
    }

    /// A tag, or something else in brackets.
    fn bracket(&mut self) {
        let end = self.line_end(self.at);
        let is_tag = line::tag_name(&self.text[self.at..end.content]).is_some();
        let in_place = self.moves == 0 || self.line_is_blank_before();
        if is_tag && in_place {
            return self.tag(end);
        }
        let start = self.at;
        self.notes.add(start, NoteKind::BracketInMoves, || {
            shorten(self.encoding, &self.text[start..end.content])
        });
        let close =
            memchr(b']', &self.text[start..end.content]).map_or(end.content, |i| start + i + 1);
        self.push(
            start,
            start,
            close,
            TokenKind::Comment(CommentStyle::Bracket),
        );
        self.at = close;
    }

    fn line_is_blank_before(&self) -> bool {
        // Walks over the blanks only, so that all walks of a game together are no longer than the game.
        let before = &self.text[..self.at];
        let before = before.strip_suffix(crate::encoding::BOM).unwrap_or(before);
        let last = before.iter().rev().find(|b| !matches!(b, b' ' | b'\t' | 0));
        last.is_none_or(|b| matches!(b, b'\n' | b'\r'))
    }

    fn tag(&mut self, line_end: LineEnd) {
        let start = self.at;
        let mut limit = line_end.content;
        let mut span = tag::read(&self.text[..limit], start);
        if span.is_none() {
            // A value broken over two lines.
            let next = self.line_end(line_end.next);
            let second = &self.text[line_end.next.min(next.content)..next.content];
            if line::is_closed(second) && line::tag_name(second).is_none() {
                limit = next.content;
                span = tag::read(&self.text[..limit], start);
            }
            let kind = NoteKind::TagUnclosed;
            self.notes.add(start, kind, || {
                shorten(self.encoding, &self.text[start..line_end.content])
            });
        }
        let Some(span) = span else {
            self.at = line_end.content;
            return;
        };
        let tag = span.decode(&self.text[..limit], start, self.encoding, self.notes);
        self.note_place(start, &tag);
        self.tags.push(tag);
        self.at = span.end;
        self.tag_line_over = span.end;
    }

    fn note_place(&mut self, start: usize, tag: &RawTag) {
        let name = || tag.name.clone().into_owned();
        if self.moves > 0 || self.results > 0 {
            self.notes.add(start, NoteKind::TagAfterMoves, name);
        }
        let mut earlier = self.tags.iter().take(DUPLICATES_LOOKED_FOR);
        if earlier.any(|other| other.is(&tag.name)) {
            self.notes.add(start, NoteKind::TagDuplicate, name);
        }
        if self.tags.is_empty() {
            return;
        }
        let between = &self.text[self.tag_line_over..start];
        match line::end_of_line(between, 0) {
            None => self.notes.add(start, NoteKind::TagSharesLine, name),
            Some(end)
                if line::end_of_line(between, end.next).is_some() && self.tokens.is_empty() =>
            {
                self.notes.add(start, NoteKind::TagBlankLine, name);
            }
            Some(_) => {}
        }
    }
}

/// Tags that a new one is compared with; no real game has as many.
const DUPLICATES_LOOKED_FOR: usize = 128;

/// The length of the word that a text starts with.
fn word_length(text: &[u8]) -> usize {
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

fn is_break(byte: u8) -> bool {
    ENDS_WORD[byte as usize]
}

/// The quick way for the moves that nearly all games are made of: letters, squares, `x`, `=`, `+`, `#`.
fn is_plain_move(word: &[u8]) -> bool {
    let (Some(last), true) = (
        word.iter().rposition(|b| !matches!(b, b'+' | b'#')),
        word.len() >= 2,
    ) else {
        return false;
    };
    (1..=6).contains(&last)
        && matches!(word[last], b'1'..=b'8')
        && matches!(word[last - 1], b'a'..=b'h')
}

fn is_castling(word: &[u8]) -> bool {
    matches!(
        word,
        b"O-O" | b"O-O-O" | b"0-0-0" | b"O-O+" | b"O-O-O+" | b"o-o" | b"o-o-o"
    )
}

/// Signs of judgement beyond ASCII, and check marks that lost their move.
fn is_glyph(word: &[u8]) -> bool {
    const GLYPHS: &[&str] = &[
        "⩲", "⩱", "±", "∓", "□", "∞", "⇆", "⟳", "↑", "→", "⨀", "+-", "-+", "+/-", "-/+", "+/=",
        "=/+", "N",
    ];
    GLYPHS.iter().any(|glyph| glyph.as_bytes() == word)
}

/// How far behind a comment's first `}` a balancing one is looked for; bounds the work for each comment.
const NESTING_BYTES: usize = 256;

/// The `}` that balances the `{` at `open`.
fn balanced(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in text.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(at),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a text holds what looks like a move number.
fn holds_number(text: &[u8]) -> bool {
    text.windows(2)
        .any(|pair| pair[0].is_ascii_digit() && pair[1] == b'.')
}

/// A piece of text for a note: decoded, on one line, not long.
fn shorten(encoding: Encoding, text: &[u8]) -> String {
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
