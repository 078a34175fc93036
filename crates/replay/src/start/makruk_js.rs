//! The positions of makruk-js (D16): `rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1`, in letters of its own and with
//! two or seven fields. Its start has both khuns on the e-file, which is no makruk start: such a position is read only
//! where somebody chose the dialect.

use rules::{Color, Man, Role, Setup, Square};

/// Its start.
pub(crate) const START: &str = "rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1";

/// Reads the board and the side to move; the fields behind them are counters of the program's own.
pub(crate) fn read(text: &str) -> Option<Setup> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next()?;
    let mut setup = Setup::empty();
    setup.turn = match fields.next()? {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return None,
    };
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != 8 {
        return None;
    }
    for (row, rank) in rows.iter().zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(skip) => file += u8::try_from(skip).ok()?,
                None => {
                    setup.put(Square::new(file, rank)?, Some(man(letter)?));
                    file += 1;
                }
            }
        }
        if file != 8 {
            return None;
        }
    }
    Some(setup)
}

fn man(letter: char) -> Option<Man> {
    let (role, promoted) = match letter.to_ascii_lowercase() {
        'k' => (Role::Khun, false),
        'e' => (Role::Met, false),
        'f' => (Role::Met, true),
        't' => (Role::Khon, false),
        'm' => (Role::Ma, false),
        'r' => (Role::Rua, false),
        'b' => (Role::Bia, false),
        _ => return None,
    };
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    Some(Man {
        color,
        role,
        promoted,
    })
}
