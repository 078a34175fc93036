//! Moves in Thai letters: the SAN of Thai books and boards, as Fairy-Stockfish's `THAI_SAN` writes it.
//!
//! Khun ข, met ม็, bia ngai ง, khon ค, ma ม, rua ร; a bia has no letter. Files a to h are ก ข ค ง จ ฉ ช ญ, ranks ๑ to ๘.
//! A dash stands between a man and its square where nothing is captured: `ม-ง๒`, `จxง๕`. Promotion stays `=M`, check and
//! mate stay `+` and `#` (FORMATS D15).

use rules::{LegalMove, Position};

use crate::san;

const FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
const RANKS: [char; 8] = ['๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘'];

/// Writes a move as [`san::write`] does, in Thai letters.
#[must_use]
pub fn write(position: &Position, mv: LegalMove) -> String {
    let promoted = position.man_at(mv.from()).is_some_and(|man| man.promoted);
    from_san(&san::write(position, mv), promoted)
}

/// The Thai form of our own SAN; `promoted`: a bia ngai moves.
fn from_san(san: &str, promoted: bool) -> String {
    // Where the square of arrival ends: before a promotion, a sutra's bia or a check sign.
    let end = san.find(['=', '/', '+', '#']).unwrap_or(san.len());
    let (moved, sign) = san.split_at(end);
    let (man, squares) = match moved.split_at_checked(1) {
        Some((letter, squares)) if letter.starts_with(|c: char| c.is_ascii_uppercase()) => {
            (letter, squares)
        }
        _ => ("", moved),
    };
    let mut thai = String::with_capacity(24);
    thai.push_str(match (man, promoted) {
        ("K", _) => "ข",
        ("M", false) => "ม็",
        ("M", true) => "ง",
        ("S", _) => "ค",
        ("N", _) => "ม",
        ("R", _) => "ร",
        (other, _) => other,
    });
    let arrival = squares.len().saturating_sub(2);
    for (at, letter) in squares.char_indices() {
        if at == arrival && !man.is_empty() && !squares.contains('x') {
            thai.push('-');
        }
        thai.push(letter_in_thai(letter));
    }
    match sign.strip_prefix('/') {
        Some(bia) => {
            thai.push('/');
            thai.extend(bia.chars().map(letter_in_thai));
        }
        None => thai.push_str(sign),
    }
    thai
}

fn letter_in_thai(letter: char) -> char {
    match letter {
        'a'..='h' => FILES[letter as usize - 'a' as usize],
        '1'..='8' => RANKS[letter as usize - '1' as usize],
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::from_san;

    #[test]
    fn forms() {
        for (san, promoted, thai) in [
            ("e4", false, "จ๔"),
            ("exd5", false, "จxง๕"),
            ("b3=M", false, "ข๓=M"),
            ("Nd2", false, "ม-ง๒"),
            ("Mc4d3", false, "ม็ค๔-ง๓"),
            ("Mf1e2", true, "งฉ๑-จ๒"),
            ("R2c3+", false, "ร๒-ค๓+"),
            ("Raxb8#", false, "รกxข๘#"),
            ("Me3/e4", false, "ม็-จ๓/จ๔"),
        ] {
            assert_eq!(from_san(san, promoted), thai);
        }
    }
}
