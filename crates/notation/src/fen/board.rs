//! The first field.

use rules::{Color, Man, Role, Setup, Square};

use super::{FenError, FenLetters, FenNote};

const MAKRUK_JS: &str = "the letters of makruk-js (t, e, b), whose board has both khuns on the e-file: not a makruk start";
const REN: &str = "REN, not FEN: White's first rank comes first and the files run from h to a";

pub(super) fn parse(
    text: &str,
    letters: FenLetters,
    setup: &mut Setup,
    notes: &mut Vec<FenNote>,
) -> Result<(), FenError> {
    let rows: Vec<_> = text.split('/').collect();
    if rows.len() != 8 {
        return Err(FenError::Rows(rows.len()));
    }
    if let Some(dialect) = other_dialect(text) {
        return Err(FenError::OtherDialect(dialect));
    }
    let mut reader = Reader {
        khon_as_s: text.contains(['s', 'S']),
        met_as_m: text.contains(['m', 'M']),
        letters,
        notes,
    };
    for (row, rank) in rows.iter().zip((0..8).rev()) {
        reader.row(row, rank, setup)?;
    }
    if is_asean_start(setup) {
        return Err(FenError::AseanStart);
    }
    Ok(())
}

/// Dialects whose letters mean other men: recognised by letters that no FEN of ours has.
fn other_dialect(text: &str) -> Option<&'static str> {
    let has = |set: &[char]| text.contains(set);
    if has(&['h', 'H']) && has(&['g', 'G']) {
        Some(REN)
    } else if has(&['t', 'T', 'e', 'E']) && has(&['b', 'B']) {
        Some(MAKRUK_JS)
    } else {
        None
    }
}

struct Reader<'a> {
    khon_as_s: bool,
    met_as_m: bool,
    letters: FenLetters,
    notes: &'a mut Vec<FenNote>,
}

impl Reader<'_> {
    fn row(&mut self, row: &str, rank: u8, setup: &mut Setup) -> Result<(), FenError> {
        let mut file = 0usize;
        let mut letters = row.chars().peekable();
        while let Some(letter) = letters.next() {
            if let Some(skip @ 1..=8) = letter.to_digit(10) {
                file += skip as usize;
                continue;
            }
            let wrong = FenError::Letter {
                letter,
                rank: rank + 1,
            };
            let mut man = self.man(letter).ok_or(wrong.clone())?;
            if letters.next_if_eq(&'~').is_some() {
                if man.role != Role::Met {
                    return Err(FenError::Letter {
                        letter: '~',
                        rank: rank + 1,
                    });
                }
                man.promoted = true;
            }
            let square = u8::try_from(file).ok().and_then(|f| Square::new(f, rank));
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

    fn man(&mut self, letter: char) -> Option<Man> {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        if let Some(role) = Role::from_letter(letter) {
            return Some(Man::new(color, role));
        }
        if self.letters == FenLetters::Strict {
            return None;
        }
        let upper = letter.to_ascii_uppercase();
        let (role, promoted, meaning) = match upper {
            'Q' if !self.met_as_m => (Role::Met, false, "met"),
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
