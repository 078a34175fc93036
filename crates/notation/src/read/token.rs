//! A move token taken apart, without a board.

use rules::Square;

use super::letters::{Kinds, Letters};
use super::tolerance::{Tolerance, Tolerances};

/// What a token asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The men it can mean as the dialect writes.
    pub kinds: Kinds,
    /// The men it can mean besides.
    pub loose_kinds: Kinds,
    /// File of origin, 0 = a.
    pub from_file: Option<u8>,
    /// Rank of origin, 0 = rank 1.
    pub from_rank: Option<u8>,
    /// Target.
    pub to: Square,
    /// How it is written.
    pub form: Form,
    /// Whether it has a capture mark.
    pub capture: bool,
    /// The promotion letter, as written.
    pub promotion: Option<u8>,
    /// Where the bia went that made room, as written: `Me3/e4` (RULES 8).
    pub bia: Option<Square>,
    /// The check mark.
    pub mark: CheckMark,
    /// Whether a draw offer follows.
    pub draw_offer: bool,
    /// What was overlooked in taking it apart.
    pub notes: Tolerances,
}

/// How a move is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Short: man and target, and as much of the origin as needed.
    Short,
    /// From square to square with man's letter or mark between: `Nb1-d2`, `e4xd5`.
    Long,
    /// Two squares and nothing between: `e3e4`.
    Coordinates,
}

/// The check mark of a token.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CheckMark {
    /// None.
    #[default]
    None,
    /// `+`, `++`, `†`.
    Check,
    /// `#`, `mate`.
    Mate,
}

/// A token that is no move in any spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// A sign for a move that was not readable to the writer: `--`, `?`, `...`.
    #[error("a placeholder for a move, not a move")]
    Gap,
    /// `O-O`: not a game of ours.
    #[error("castling does not exist in these games")]
    Castling,
    /// A capital that is no man's letter in the dialect.
    #[error("`{0}` is no man's letter here")]
    UnknownLetter(char),
    /// Anything else.
    #[error("not a move in any spelling")]
    Unreadable,
}

impl Wish {
    /// Whether the way it is written leaves no place for a capture mark.
    #[inline]
    pub(crate) fn says_nothing_of_captures(&self) -> bool {
        self.form == Form::Coordinates
    }

    /// Whether a short move of a man carries part of its origin. A bia's file is part of the usual spelling.
    #[inline]
    pub(crate) fn is_disambiguated(&self) -> bool {
        self.form == Form::Short
            && (self.from_file.is_some() || self.from_rank.is_some())
            && self.kinds != Kinds::BIA
    }
}

/// Takes a token apart.
pub(crate) fn parse(token: &[u8], letters: &Letters) -> Result<Wish, TokenError> {
    let mut notes = Tolerances::NONE;
    let mut rest = token;
    if rest.first().is_some_and(u8::is_ascii_digit) {
        rest = glued_number(rest)?;
        notes.add(Tolerance::GluedNumber);
    }
    let letter = letter(&mut rest, letters, &mut notes)?;
    let squares = Squares::take(&mut rest, &mut notes).ok_or_else(|| not_a_move(token))?;
    let tail = Tail::take(rest, letters, &mut notes).ok_or_else(|| not_a_move(token))?;
    let form = match (squares.from_file, squares.from_rank) {
        (Some(_), Some(_)) if letter.is_none() && !squares.dash && !squares.capture => {
            Form::Coordinates
        }
        // `Nb1xd2` is a short move with all of its origin, `Nb1-d2` and `e4xd5` are long ones.
        (Some(_), Some(_)) if letter.is_none() || squares.dash => Form::Long,
        _ => Form::Short,
    };
    if form != Form::Short && !letters.is_long() {
        notes.add(Tolerance::LongForm);
    }
    let (kinds, loose_kinds) = match (letter, form) {
        (Some(kinds), _) => kinds,
        // From square to square: whoever stands there.
        (None, Form::Long | Form::Coordinates) => (Kinds::ALL, Kinds::ALL),
        (None, Form::Short) => (Kinds::BIA, Kinds::BIA),
    };
    Ok(Wish {
        kinds,
        loose_kinds,
        from_file: squares.from_file,
        from_rank: squares.from_rank,
        to: squares.to,
        form,
        capture: squares.capture,
        promotion: tail.promotion,
        bia: tail.bia,
        mark: tail.mark,
        draw_offer: tail.draw_offer,
        notes,
    })
}

fn not_a_move(token: &[u8]) -> TokenError {
    let core: Vec<u8> = token
        .iter()
        .copied()
        .filter(|byte| !matches!(byte, b'+' | b'#' | b'!'))
        .collect();
    match core.as_slice() {
        b"O-O" | b"O-O-O" | b"0-0" | b"0-0-0" | b"o-o" | b"o-o-o" => TokenError::Castling,
        b"--" | b"..." | b".." | b"" | b"Z0" | b"null" | b"0000" | b"@@@@" => TokenError::Gap,
        _ if core
            .iter()
            .all(|byte| matches!(byte, b'?' | b'-' | b'.' | b'_')) =>
        {
            TokenError::Gap
        }
        _ => TokenError::Unreadable,
    }
}

/// Drops `12.`, `12...`, `12)` before a move.
fn glued_number(token: &[u8]) -> Result<&[u8], TokenError> {
    let digits = token
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let signs = token[digits..]
        .iter()
        .take_while(|byte| matches!(byte, b'.' | b')'))
        .count();
    if signs == 0 {
        Err(not_a_move(token))
    } else {
        Ok(&token[digits + signs..])
    }
}

type Meant = (Kinds, Kinds);

fn letter(
    rest: &mut &[u8],
    letters: &Letters,
    notes: &mut Tolerances,
) -> Result<Option<Meant>, TokenError> {
    let Some(&first) = rest.first() else {
        return Err(TokenError::Gap);
    };
    let capital = match first {
        b'A'..=b'Z' => first,
        // Lower-case letters that are no file can only be a man's.
        b'k' | b'm' | b'n' | b'q' | b'r' | b's' if rest.len() > 2 => {
            notes.add(Tolerance::LetterCase);
            first.to_ascii_uppercase()
        }
        _ => return Ok(None),
    };
    let Some(meaning) = letters.meaning(capital) else {
        return Err(match not_a_move(rest) {
            TokenError::Unreadable => TokenError::UnknownLetter(char::from(first)),
            other => other,
        });
    };
    if meaning.alias {
        notes.add(Tolerance::LetterAlias);
    }
    *rest = &rest[1..];
    if rest.first() == Some(&b'~') {
        *rest = &rest[1..];
        return Ok(Some((Kinds::BIA_NGAI, Kinds::METS)));
    }
    Ok(Some((meaning.kinds, meaning.loose)))
}

struct Squares {
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    capture: bool,
    /// Whether a dash stands between.
    dash: bool,
}

impl Squares {
    /// `e4`, `exd5`, `bd2`, `1d2`, `b1d2`, `e3-e4`.
    #[inline]
    fn take(rest: &mut &[u8], notes: &mut Tolerances) -> Option<Squares> {
        if matches!(rest.first(), Some(b'-')) {
            notes.add(Tolerance::StraySigns);
            *rest = &rest[1..];
        }
        let file = take_in(rest, b'a'..=b'h');
        let rank = take_in(rest, b'1'..=b'8');
        let mark = take_mark(rest, notes);
        let to_file = take_in(rest, b'a'..=b'h');
        let to_rank = take_in(rest, b'1'..=b'8');
        let (capture, dash) = (mark == Some(Between::Capture), mark == Some(Between::Dash));
        match (file, rank, to_file, to_rank) {
            (file, rank, Some(to_file), Some(to_rank)) => {
                let to = Square::new(to_file, to_rank)?;
                Some(Squares {
                    from_file: file,
                    from_rank: rank,
                    to,
                    capture,
                    dash,
                })
            }
            (Some(file), Some(rank), None, None) if mark.is_none() => {
                let to = Square::new(file, rank)?;
                Some(Squares {
                    from_file: None,
                    from_rank: None,
                    to,
                    capture: false,
                    dash: false,
                })
            }
            _ => None,
        }
    }
}

#[inline]
fn take_in(rest: &mut &[u8], range: std::ops::RangeInclusive<u8>) -> Option<u8> {
    let byte = rest.first().copied().filter(|byte| range.contains(byte))?;
    *rest = &rest[1..];
    Some(byte - *range.start())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    Capture,
    Dash,
}

#[inline]
fn take_mark(rest: &mut &[u8], notes: &mut Tolerances) -> Option<Between> {
    let (length, between, odd) = match *rest {
        [b'x', ..] => (1, Between::Capture, false),
        [b'-', b'x', ..] => (2, Between::Capture, true),
        [b'X' | b':', ..] => (1, Between::Capture, true),
        [0xc3, 0x97, ..] => (2, Between::Capture, true),
        [b'-', ..] => (1, Between::Dash, false),
        // En dash.
        [0xe2, 0x80, 0x93, ..] => (3, Between::Dash, false),
        _ => return None,
    };
    if odd {
        notes.add(Tolerance::CaptureMarkOdd);
    }
    *rest = &rest[length..];
    Some(between)
}

fn square(mut rest: &[u8]) -> Option<Square> {
    let file = take_in(&mut rest, b'a'..=b'h')?;
    let rank = take_in(&mut rest, b'1'..=b'8')?;
    Square::new(file, rank)
}

#[derive(Default)]
struct Tail {
    promotion: Option<u8>,
    bia: Option<Square>,
    mark: CheckMark,
    draw_offer: bool,
}

impl Tail {
    /// `=M`, `m`, `(M)`, `/e4`, `+`, `#`, `mate`, `!?`, `=`. `None` if something else follows.
    #[inline]
    fn take(mut rest: &[u8], letters: &Letters, notes: &mut Tolerances) -> Option<Tail> {
        let mut tail = Tail::default();
        while let Some(&byte) = rest.first() {
            let used = tail.sign(byte, rest, letters, notes)?;
            rest = rest.get(used..)?;
        }
        Some(tail)
    }

    /// Reads one sign; gives its length.
    fn sign(
        &mut self,
        byte: u8,
        rest: &[u8],
        letters: &Letters,
        notes: &mut Tolerances,
    ) -> Option<usize> {
        let next = rest.get(1).copied();
        match byte {
            b'+' => {
                self.mark = if self.mark == CheckMark::Mate {
                    CheckMark::Mate
                } else {
                    CheckMark::Check
                };
                Some(1)
            }
            b'#' => self.mate(1),
            _ if rest.starts_with(b"mate") => self.mate(4),
            // Dagger and double dagger.
            0xe2 if rest.starts_with("†".as_bytes()) => {
                self.mark = CheckMark::Check;
                Some(3)
            }
            0xe2 if rest.starts_with("‡".as_bytes()) => self.mate(3),
            b'/' if self.bia.is_none() && square(&rest[1..]).is_some() => {
                self.bia = square(&rest[1..]);
                Some(3)
            }
            b'=' | b'/' if next.is_some_and(|next| next.is_ascii_alphabetic() || next == b'*') => {
                self.promote(next, 2)
            }
            b'(' if rest.get(2) == Some(&b')')
                && next.is_some_and(|next| next.is_ascii_alphabetic()) =>
            {
                notes.add(Tolerance::PromotionLetter);
                self.promote(next, 3)
            }
            b'(' if rest.starts_with(b"(=)") => {
                self.draw_offer = true;
                Some(3)
            }
            b'=' => {
                self.draw_offer = true;
                Some(1)
            }
            b'~' => Some(1),
            b'!' | b'?' => {
                notes.add(Tolerance::Glyphs);
                Some(1)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'*'
                if self.promotion.is_none() && self.mark == CheckMark::None =>
            {
                if !letters.is_long() && byte != b'm' {
                    notes.add(Tolerance::PromotionLetter);
                }
                self.promote(Some(byte), 1)
            }
            b'.' | b',' | b';' => {
                notes.add(Tolerance::StraySigns);
                Some(1)
            }
            _ => None,
        }
    }

    fn mate(&mut self, used: usize) -> Option<usize> {
        self.mark = CheckMark::Mate;
        Some(used)
    }

    fn promote(&mut self, letter: Option<u8>, used: usize) -> Option<usize> {
        if self.promotion.is_some() {
            return None;
        }
        self.promotion = letter;
        Some(used)
    }
}
