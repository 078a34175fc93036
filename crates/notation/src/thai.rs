//! Moves in Thai letters: the SAN of Thai books and boards, as Fairy-Stockfish's `THAI_SAN` writes it.
//!
//! Khun ข, met ม็, bia ngai ง, khon ค, ma ม, rua ร; a bia has no letter. Files a to h are ก ข ค ง จ ฉ ช ญ, ranks ๑ to ๘.
//! A dash stands between a man and its square where nothing is captured: `ม-ง๒`, `จxง๕`. Promotion stays `=M`, check and
//! mate stay `+` and `#` (FORMATS D15).

use rules::{LegalMove, Position, Role};

use crate::san;

const FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
const RANKS: [char; 8] = ['๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘'];

/// Writes a move as [`san::write`] does, in Thai letters.
#[must_use]
pub fn write(position: &Position, mv: LegalMove) -> String {
    let promoted = position.man_at(mv.from()).is_some_and(|man| man.promoted);
    from_san(&san::write(position, mv), promoted)
}

/// As [`write()`], but so that it can be read again.
///
/// ข, ค and ง are men and files, so that `ขxค๓` may be a khun's or a bia's capture. Where both could be made, a bia is
/// written with its letter, `บขxค๓`, and a man with the square it leaves, `ขข๒xค๓`.
#[must_use]
pub fn write_readable(position: &Position, mv: LegalMove) -> String {
    let promoted = position.man_at(mv.from()).is_some_and(|man| man.promoted);
    let mut san = san::write(position, mv);
    // `ง๕-ง๔` may be a bia's way from d5 as well: a man told apart by its rank alone gets the whole square.
    let by_rank = san.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    if by_rank && file_letter(position, mv).is_some() && san.starts_with(['S', 'M']) {
        let file = char::from(b'a' + mv.from().file());
        san.insert(1, file);
    }
    let Some(letter) = file_letter(position, mv).filter(|_| san.contains('x')) else {
        return from_san(&san, promoted);
    };
    let bia = |mv: LegalMove| {
        position
            .man_at(mv.from())
            .is_some_and(|man| man.role == Role::Bia)
    };
    let alike = |other: &&LegalMove| {
        other.to() == mv.to()
            && bia(**other) != bia(mv)
            && file_letter(position, **other) == Some(letter)
    };
    match position.legal_moves().iter().find(alike) {
        None => from_san(&san, promoted),
        Some(_) if bia(mv) => format!("บ{}", from_san(&san, promoted)),
        Some(_) => {
            // The man's letter, the square it leaves, and what stands from the sign of the capture on.
            let (man, capture) = san.split_at(san.find('x').unwrap_or(1));
            let man = man.get(..1).unwrap_or_default();
            from_san(&format!("{man}{}{capture}", mv.from()), promoted)
        }
    }
}

/// The file whose letter a move begins with: a bia's own, or the one whose letter is the man's as well.
fn file_letter(position: &Position, mv: LegalMove) -> Option<u8> {
    let man = position.man_at(mv.from())?;
    match man.role {
        Role::Khun => Some(1),
        Role::Khon => Some(2),
        Role::Met if man.promoted => Some(3),
        Role::Bia => Some(mv.from().file()),
        _ => None,
    }
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
    use std::sync::Arc;

    use rules::{Ruleset, UciMove};

    use super::{from_san, write_readable};

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

    #[test]
    fn captures_that_read_alike_are_told_apart() {
        let rules: Arc<Ruleset> =
            Ruleset::builtin("makruk").unwrap_or_else(|error| panic!("{error}"));
        for (fen, uci, thai) in [
            // Nothing else can take there.
            ("4k3/8/8/3m4/2P5/8/8/K7 w - - 0 1", "c4d5", "คxง๕"),
            ("4k3/8/8/8/8/8/1mK5/8 w - - 0 1", "c2b2", "ขxข๒"),
            // Khun or bia of the b-file, khon or bia of the c-file, bia ngai or bia of the d-file.
            ("4k3/8/8/8/2m5/1PK5/8/8 w - - 0 1", "b3c4", "บขxค๔"),
            ("4k3/8/8/8/2m5/1PK5/8/8 w - - 0 1", "c3c4", "ขค๓xค๔"),
            ("4k3/8/8/8/3m4/2PS4/8/K7 w - - 0 1", "c3d4", "บคxง๔"),
            ("4k3/8/8/8/3m4/2PS4/8/K7 w - - 0 1", "d3d4", "คง๓xง๔"),
            ("4k3/8/8/4m3/3P1M~2/8/8/K7 w - - 0 1", "d4e5", "บงxจ๕"),
            ("4k3/8/8/4m3/3P1M~2/8/8/K7 w - - 0 1", "f4e5", "งฉ๔xจ๕"),
            ("4k3/8/8/4m3/3P1M2/8/8/K7 w - - 0 1", "d4e5", "งxจ๕"),
            // Two bia ngai of one file: the rank tells them apart, and the file's letter is written too.
            ("4k3/8/2M~5/8/2M~5/8/8/K7 w - - 0 1", "c4d5", "งค๔-ง๕"),
            ("4k3/8/2S5/8/2S5/8/8/K7 w - - 0 1", "c4d5", "คค๔-ง๕"),
        ] {
            let position = crate::fen::parse(fen, &rules).expect(fen).position;
            let mv: UciMove = uci.parse().expect(uci);
            let mv = position.resolve(mv).expect(uci);
            assert_eq!(write_readable(&position, mv), thai, "{fen} {uci}");
        }
    }
}
