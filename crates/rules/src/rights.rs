//! First-move rights.

use std::fmt;

use crate::{Color, Square};

/// The first-move rights that are alive, each tied to a home square (RULES 5, 7, 8).
///
/// Shown with the usual letters: the file of the home square, upper case for White, White first.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rights(pub(crate) u8);

/// Bit by bit: b1 d1 e1 g1 b8 d8 e8 g8.
const HOMES: [(u8, u8); 8] = [
    (1, 0),
    (3, 0),
    (4, 0),
    (6, 0),
    (1, 7),
    (3, 7),
    (4, 7),
    (6, 7),
];
const WHITE: u8 = 0x0f;

static HOME_SQUARES: [Square; 8] = {
    let mut squares = [Square::from_index(0); 8];
    let mut i = 0;
    while i < 8 {
        squares[i] = Square::from_index(HOMES[i].1 * 8 + HOMES[i].0);
        i += 1;
    }
    squares
};

static BIT_OF: [u8; 64] = {
    let mut table = [0; 64];
    let mut i = 0;
    while i < 8 {
        table[(HOMES[i].1 * 8 + HOMES[i].0) as usize] = 1 << i;
        i += 1;
    }
    table
};

impl Rights {
    /// No right.
    pub const NONE: Rights = Rights(0);

    /// The right of the man at home on a square; none for a square that is nobody's home.
    #[must_use]
    pub fn of_square(square: Square) -> Rights {
        Rights(BIT_OF[square.index()])
    }

    /// The right of a FEN letter: `D`, `e`, ...; `None` for any other character.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Rights> {
        let rank = if letter.is_ascii_uppercase() { 0 } else { 7 };
        let file = (letter.to_ascii_lowercase() as u32).checked_sub('a' as u32)?;
        let square = Square::new(u8::try_from(file).ok()?, rank)?;
        let right = Rights::of_square(square);
        (right != Rights::NONE).then_some(right)
    }

    /// Whether no right is alive.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the man at home on this square still has its right.
    #[must_use]
    pub fn has(self, square: Square) -> bool {
        self.0 & BIT_OF[square.index()] != 0
    }

    /// The rights of either set.
    #[must_use]
    pub const fn with(self, other: Rights) -> Rights {
        Rights(self.0 | other.0)
    }

    /// The rights of the first set that are not in the second.
    #[must_use]
    pub const fn without(self, other: Rights) -> Rights {
        Rights(self.0 & !other.0)
    }

    /// One side's rights.
    #[must_use]
    pub const fn of(self, color: Color) -> Rights {
        match color {
            Color::White => Rights(self.0 & WHITE),
            Color::Black => Rights(self.0 & !WHITE),
        }
    }

    /// The home squares whose right is alive, White's first, each rank from the a-file.
    pub fn squares(self) -> impl Iterator<Item = Square> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            HOME_SQUARES.get(bit).copied()
        })
    }

    /// Whether the man at home on one of two squares still has its right.
    #[inline]
    pub(crate) fn at_either(self, a: usize, b: usize) -> bool {
        self.0 & (BIT_OF[a & 63] | BIT_OF[b & 63]) != 0
    }

    #[inline]
    pub(crate) fn lose(&mut self, square: usize) {
        self.0 &= !BIT_OF[square & 63];
    }
}

impl fmt::Display for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for square in self.squares() {
            let base = if square.rank() == 0 { b'A' } else { b'a' };
            write!(f, "{}", char::from(base + square.file()))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Rights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
