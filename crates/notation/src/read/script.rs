//! Tokens that are not written in Latin letters and squares: Thai and Khmer script, squares under numbers, KPGN.
//!
//! Each is put into Latin spellings first, all that it can stand for; legality decides between them.

use rules::Square;

use super::letters::{Kinds, Letters};
use super::token::{self, CheckMark, Form, TokenError, Wish};
use super::tolerance::{Tolerance, Tolerances};

/// Which way squares are numbered from 1 to 64: the corner of 1, and whether numbers run along ranks or files first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Numbering {
    /// Square 1 lies on the h-file.
    pub from_h: bool,
    /// Square 1 lies on rank 8.
    pub from_8: bool,
    /// Square 2 lies beside it on the same file.
    pub by_files: bool,
}

impl Numbering {
    /// All eight ways.
    pub const ALL: [Numbering; 8] = {
        let mut all = [Numbering {
            from_h: false,
            from_8: false,
            by_files: false,
        }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Numbering {
                from_h: i & 1 != 0,
                from_8: i & 2 != 0,
                by_files: i & 4 != 0,
            };
            i += 1;
        }
        all
    };

    /// The square of a number from 1 to 64.
    pub fn square(self, number: u8) -> Option<Square> {
        let index = number.checked_sub(1).filter(|index| *index < 64)?;
        let (slow, quick) = (index / 8, index % 8);
        let (file, rank) = if self.by_files {
            (slow, quick)
        } else {
            (quick, slow)
        };
        let file = if self.from_h { 7 - file } else { file };
        let rank = if self.from_8 { 7 - rank } else { rank };
        Square::new(file, rank)
    }

    /// Squares 1 and 2, which tell all ways apart: `a1 b1`.
    pub fn squares(self) -> String {
        let squares = [1, 2].map(|number| self.square(number));
        squares
            .map(|square| square.map_or(String::new(), |square| square.to_string()))
            .join(" ")
    }
}

/// Two squares that cannot be the first ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` does not say which squares 1 and 2 are: expected a corner and a square beside it, such as `a1 b1` or `h8 h7`"
)]
pub struct UnknownNumbering(String);

impl std::str::FromStr for Numbering {
    type Err = UnknownNumbering;

    /// Squares 1 and 2 with a blank between: `a1 b1`.
    fn from_str(text: &str) -> Result<Numbering, UnknownNumbering> {
        let mut ways = Numbering::ALL.into_iter();
        let found = ways.find(|numbering| numbering.squares() == text);
        found.ok_or_else(|| UnknownNumbering(text.to_owned()))
    }
}

impl std::fmt::Display for Numbering {
    /// Squares 1 and 2: `a1, b1`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.square(1), self.square(2)) {
            (Some(one), Some(two)) => write!(f, "1 is {one}, 2 is {two}"),
            _ => Ok(()),
        }
    }
}

/// How the tokens of a dialect are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Script {
    /// Letters and squares, Latin or Thai.
    #[default]
    Squares,
    /// KPGN: letter, from, to, flags, files from h to a.
    Kpgn,
    /// Squares under numbers.
    Numbers(Numbering),
}

/// Everything that a token can ask for.
pub(crate) fn wishes(token: &str, letters: &Letters) -> Result<Vec<Wish>, TokenError> {
    match letters.script() {
        Script::Kpgn => kpgn(token.as_bytes()).map(|wish| vec![wish]),
        Script::Numbers(numbering) => {
            let text = numbered(token, numbering).ok_or(TokenError::Unreadable)?;
            token::parse(text.as_bytes(), letters).map(|wish| vec![wish])
        }
        Script::Squares => {
            let plain = token::parse(token.as_bytes(), letters);
            match plain {
                Ok(wish) => Ok(vec![wish]),
                Err(error) => spelled(token, letters, error),
            }
        }
    }
}

/// What a token that is no move as it stands can be in another script, or without the blanks in it.
#[cold]
fn spelled(token: &str, letters: &Letters, error: TokenError) -> Result<Vec<Wish>, TokenError> {
    let mut notes = Tolerances::NONE;
    if token.is_ascii() {
        if !token.contains(' ') {
            return Err(error);
        }
        notes.add(Tolerance::Blanks);
        let joined: String = token.split(' ').collect();
        let mut wish = token::parse(joined.as_bytes(), letters)?;
        wish.notes.add(Tolerance::Blanks);
        return Ok(vec![wish]);
    }
    let wishes: Vec<Wish> = latin(token)
        .iter()
        .filter_map(|text| token::parse(text.as_bytes(), letters).ok())
        .collect();
    if wishes.is_empty() {
        Err(error)
    } else {
        Ok(wishes)
    }
}

/// The Latin spellings of a token in Thai or Khmer script. A capture mark or a dash tells a man's letter from a file no
/// better than the letter itself: `ข` is khun or b, `ค` khon or c, `ง` promoted bia or d.
fn latin(token: &str) -> Vec<String> {
    let (man, rest) = man_letter(token);
    let mut spellings = Vec::new();
    if let Some(man) = man {
        let bare = rest.trim_start_matches([' ', '-']);
        spellings.extend(squares(bare).map(|rest| format!("{man}{rest}")));
    }
    // A blank or a dash behind the first letter leaves no doubt: it was a man.
    if man.is_none() || !rest.starts_with([' ', '-']) {
        spellings.extend(squares(token));
    }
    spellings
}

/// The man that a token may begin with. `ม` is ma and `ม็`, two code points, met.
fn man_letter(token: &str) -> (Option<&'static str>, &str) {
    const MEN: &[(&str, &str)] = &[
        ("ม็", "M"),
        ("ม", "N"),
        ("ข", "K"),
        ("ค", "S"),
        ("ร", "R"),
        ("ง", "M~"),
        ("บ", ""),
    ];
    MEN.iter()
        .find_map(|(thai, man)| Some((Some(*man), token.strip_prefix(thai)?)))
        .unwrap_or((None, token))
}

/// A text with its files, ranks and promotions in Latin; `None` if another letter is in it.
fn squares(text: &str) -> Option<String> {
    const THAI: &str = "กขคงจฉชญ";
    const KHMER: &str = "កខគឃងចឆជ";
    const FILES: &[u8; 8] = b"abcdefgh";
    let mut latin = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let file = [THAI, KHMER]
            .iter()
            .find_map(|alphabet| alphabet.chars().position(|c| c == letter));
        match (letter, file) {
            // Promotion to the man that `ง` is, or to a met.
            ('=', _) if matches!(letters.peek(), Some('ง' | 'ม')) => {
                letters.next();
                letters.next_if_eq(&'็');
                latin.push_str("=M");
            }
            (_, Some(file)) => latin.push(char::from(FILES[file])),
            ('๑'..='๘', _) => latin.push(digit(letter, '๑')),
            ('១'..='៨', _) => latin.push(digit(letter, '១')),
            (' ', _) => {}
            (c, _) if c.is_ascii() || matches!(c, '×' | '–' | '†' | '‡') => latin.push(c),
            _ => return None,
        }
    }
    Some(latin)
}

fn digit(letter: char, one: char) -> char {
    char::from_digit(letter as u32 - one as u32 + 1, 10).unwrap_or('?')
}

/// `12-20` as `c2-d3` or another pair, by the numbering; a man's letter before it stays.
fn numbered(token: &str, numbering: Numbering) -> Option<String> {
    let at = token.find(|c: char| c.is_ascii_digit())?;
    let (man, rest) = token.split_at(at);
    let sign = rest.find(['-', 'x', ':'])?;
    let (from, to) = (&rest[..sign], &rest[sign + 1..]);
    let digits = to.find(|c: char| !c.is_ascii_digit()).unwrap_or(to.len());
    let (to, tail) = to.split_at(digits);
    let square = |number: &str| numbering.square(number.parse().ok()?);
    let sign = &rest[sign..=sign];
    Some(format!("{man}{}{sign}{}{tail}", square(from)?, square(to)?))
}

/// `Fe3e4`, `fd6d5*`, `Fe4d5<0^15`: letter, from, to, then `<` or `x` with a place in the graveyard, `*` for promotion,
/// `^` with the rights lost so far. The files run from h to a, as in REN.
fn kpgn(token: &[u8]) -> Result<Wish, TokenError> {
    let [letter, squares @ ..] = token else {
        return Err(TokenError::Gap);
    };
    let kinds = match letter.to_ascii_uppercase() {
        b'F' => Kinds::BIA,
        b'T' => Kinds::BIA_NGAI,
        b'Q' => Kinds::MET,
        b'G' => Kinds::KHON,
        b'H' => Kinds::MA,
        b'B' => Kinds::RUA,
        b'K' => Kinds::KHUN,
        _ => return Err(TokenError::UnknownLetter(char::from(*letter))),
    };
    let loose_kinds = match kinds {
        Kinds::MET | Kinds::BIA_NGAI => Kinds::METS,
        kinds => kinds,
    };
    let (Some(from), Some(to)) = (
        mirrored(squares),
        mirrored(squares.get(2..).unwrap_or_default()),
    ) else {
        return Err(TokenError::Unreadable);
    };
    let mut wish = Wish {
        kinds,
        loose_kinds,
        from_file: Some(from.file()),
        from_rank: Some(from.rank()),
        to,
        form: Form::Coordinates,
        capture: false,
        promotion: None,
        bia: None,
        mark: CheckMark::None,
        draw_offer: false,
        notes: Tolerances::NONE,
    };
    let flags = squares.get(4..).unwrap_or_default();
    for flag in flags.iter().filter(|flag| !flag.is_ascii_digit()) {
        match flag {
            // The place in the graveyard says that something was taken.
            b'<' | b'x' => wish.capture = true,
            b'*' => wish.promotion = Some(b'*'),
            b'^' => {}
            b'+' => wish.mark = CheckMark::Check,
            b'#' => wish.mark = CheckMark::Mate,
            _ => return Err(TokenError::Unreadable),
        }
    }
    Ok(wish)
}

fn mirrored(square: &[u8]) -> Option<Square> {
    match square {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8', ..] => Square::new(b'h' - file, rank - b'1'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thai_and_khmer_tokens_in_latin() {
        for (token, spellings) in [
            ("จ๔", vec!["e4"]),
            ("ม-ง๒", vec!["Nd2"]),
            ("ม็-ฉ๒", vec!["Mf2"]),
            ("งxค๖", vec!["M~xc6", "dxc6"]),
            ("ขxค๓+", vec!["Kxc3+", "bxc3+"]),
            ("ค ฉ๑-ช๒", vec!["Sf1-g2"]),
            ("บ ก๓-ก๔", vec!["a3-a4"]),
            ("บ ข๕xก๖=ง", vec!["b5xa6=M"]),
            ("ก1", vec!["a1"]),
            ("e๔", vec!["e4"]),
            ("ង៣ង៤", vec!["e3e4"]),
        ] {
            assert_eq!(latin(token), spellings, "{token}");
        }
    }

    #[test]
    fn numbers_from_every_corner() {
        let squares: Vec<String> = Numbering::ALL
            .iter()
            .map(|numbering| {
                let of = |n| numbering.square(n).map_or(String::new(), |s| s.to_string());
                format!("{} {} {}", of(1), of(2), of(64))
            })
            .collect();
        assert_eq!(
            squares,
            [
                "a1 b1 h8", "h1 g1 a8", "a8 b8 h1", "h8 g8 a1", "a1 a2 h8", "h1 h2 a8", "a8 a7 h1",
                "h8 h7 a1"
            ]
        );
        for (way, text) in Numbering::ALL.into_iter().zip(&squares) {
            let (two, _) = text.rsplit_once(' ').unwrap_or_default();
            assert_eq!(two.parse(), Ok(way), "{two}");
        }
        for wrong in ["", "a1", "a1 a1", "a1 c1", "a1 b1 c1", "b1 a1", "A1 B1"] {
            assert!(wrong.parse::<Numbering>().is_err(), "{wrong}");
        }
        assert_eq!(Numbering::ALL[0].square(0), None);
        assert_eq!(Numbering::ALL[0].square(65), None);
        assert_eq!(
            numbered("N2-12+", Numbering::ALL[0]).as_deref(),
            Some("Nb1-d2+")
        );
    }
}
