//! The first field.

use rules::{Color, Man, Role, Setup, Square};

use super::{Dialect, FenError, FenNote};

/// The man of a letter on a square, in the alphabet of a dialect.
pub(super) type Alphabet<'a> = dyn FnMut(char, Square) -> Option<Man> + 'a;

pub(super) fn parse(
    text: &str,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    if let Some(dialect) = other_dialect(text) {
        return Err(FenError::OtherDialect(dialect));
    }
    let mut letters = Letters {
        khon_as_s: text.contains(['s', 'S']),
        met_as_m: text.contains(['m', 'M']),
        notes,
    };
    let splits = rows(
        text,
        &mut |letter, square| letters.man(letter, square),
        setup,
    )?;
    notes.extend(splits.into_iter().map(|rank| FenNote::EmptySplit { rank }));
    // In our own letters it is a board like another, as makruk-js's start becomes one.
    let mapped = |note: &FenNote| matches!(note, FenNote::LetterMapped(..));
    if notes.iter().any(mapped) && is_asean_start(setup) {
        return Err(FenError::AseanStart);
    }
    Ok(())
}

/// Reads eight rows, the eighth rank first, into a set-up. Gives the ranks on which a run of empty
/// squares is split into two numbers.
pub(super) fn rows(
    text: &str,
    alphabet: &mut Alphabet<'_>,
    setup: &mut Setup,
) -> Result<Vec<u8>, FenError> {
    let rows: Vec<_> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(FenError::Rows(rows.len()));
    }
    let mut splits = Vec::new();
    for (row, rank) in rows.iter().zip((0..8).rev()) {
        read_row(row, rank, alphabet, setup)?;
        let digit = |byte: &u8| byte.is_ascii_digit();
        if row.as_bytes().windows(2).any(|pair| pair.iter().all(digit)) {
            splits.push(rank + 1);
        }
    }
    Ok(splits)
}

fn read_row(
    row: &str,
    rank: u8,
    alphabet: &mut Alphabet<'_>,
    setup: &mut Setup,
) -> Result<(), FenError> {
    let mut file = 0usize;
    let mut letters = row.chars().peekable();
    while let Some(letter) = letters.next() {
        if let Some(skip @ 1..=8) = letter.to_digit(10) {
            file += skip as usize;
            continue;
        }
        let wrong = |letter| FenError::Letter {
            letter,
            rank: rank + 1,
        };
        // A man beyond the h-file is read too, so that the row can tell its length.
        let square = u8::try_from(file).ok().and_then(|f| Square::new(f, rank));
        let last = Square::new(7, rank).ok_or(wrong(letter))?;
        let mut man = alphabet(letter, square.unwrap_or(last)).ok_or(wrong(letter))?;
        if letters.next_if_eq(&'~').is_some() {
            if man.role != Role::Met {
                return Err(wrong('~'));
            }
            man.promoted = true;
        }
        if let Some(square) = square {
            setup.put(square, Some(man));
        }
        file += 1;
    }
    if file != 8 {
        return Err(FenError::Row {
            rank: rank + 1,
            squares: file,
        });
    }
    Ok(())
}

/// Dialects whose letters mean other men: recognised by letters that no FEN of ours has.
fn other_dialect(text: &str) -> Option<Dialect> {
    let has = |set: &[char]| text.contains(set);
    if has(&['h', 'H']) && has(&['g', 'G']) {
        Some(Dialect::Ren)
    } else if has(&['t', 'T', 'e', 'E']) && has(&['b', 'B']) {
        Some(Dialect::MakrukJs)
    } else {
        None
    }
}

/// The side of a letter: upper case is White.
pub(super) fn side_of(letter: char) -> Color {
    if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    }
}

struct Letters<'a> {
    khon_as_s: bool,
    met_as_m: bool,
    notes: &'a mut Vec<FenNote>,
}

impl Letters<'_> {
    fn man(&mut self, letter: char, square: Square) -> Option<Man> {
        let color = side_of(letter);
        if let Some(role) = Role::from_letter(letter) {
            return Some(Man::new(color, role));
        }
        let upper = letter.to_ascii_uppercase();
        let (role, promoted, meaning) = match upper {
            'Q' if !self.met_as_m => (Role::Met, false, "met"),
            // Ferz: the met itself for writers who have no M, if it stands at home.
            'F' if !self.met_as_m && square == met_home(color) => (Role::Met, false, "met"),
            'F' => (Role::Met, true, "promoted met"),
            'B' | 'C' if !self.khon_as_s => (Role::Khon, false, "khon"),
            _ => return None,
        };
        let note = FenNote::LetterMapped(upper, meaning);
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
        Some(Man {
            color,
            role,
            promoted,
        })
    }
}

fn met_home(color: Color) -> Square {
    // e1 and d8.
    Square::from_index(match color {
        Color::White => 4,
        Color::Black => 59,
    })
}

/// All men at home but the khuns facing each other on the e-file, as ASEAN chess starts.
fn is_asean_start(setup: &Setup) -> bool {
    let men = setup.board.iter().flatten().count();
    let stands = |file, rank, role| {
        let man = Square::new(file, rank).and_then(|square| setup.man_at(square));
        man.is_some_and(|man| man.role == role)
    };
    men == 32
        && [0, 7]
            .into_iter()
            .all(|rank| stands(4, rank, Role::Khun) && stands(3, rank, Role::Met))
}
