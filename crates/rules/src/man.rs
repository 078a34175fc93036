//! The six kinds of men.

use std::ops::{Index, IndexMut};

use crate::Color;

/// What a man is. The letters are those of the usual FEN: `P M S N R K` (RULES 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Pawn: one step forward, captures one step diagonally forward.
    Bia,
    /// Queen (neang): one step diagonally. A promoted bia moves the same way.
    Met,
    /// Bishop (koul): one step diagonally or straight forward.
    Khon,
    /// Knight.
    Ma,
    /// Rook.
    Rua,
    /// King.
    Khun,
}

impl Role {
    /// All roles, in the order of their indices.
    pub const ALL: [Role; 6] = [
        Role::Bia,
        Role::Met,
        Role::Khon,
        Role::Ma,
        Role::Rua,
        Role::Khun,
    ];

    /// The upper-case letter.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Role::Bia => 'P',
            Role::Met => 'M',
            Role::Khon => 'S',
            Role::Ma => 'N',
            Role::Rua => 'R',
            Role::Khun => 'K',
        }
    }

    /// The role of a letter of either case; `None` for any other character.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Role> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Role::Bia,
            'M' => Role::Met,
            'S' => Role::Khon,
            'N' => Role::Ma,
            'R' => Role::Rua,
            'K' => Role::Khun,
            _ => return None,
        })
    }

    /// The role of a byte that is a letter of either case; a bia's of any other byte.
    #[inline]
    pub(crate) const fn of_letter_byte(letter: u8) -> Role {
        BY_LETTER[(letter & 31) as usize]
    }
}

/// Roles by the low five bits of their letters, which both cases share.
static BY_LETTER: [Role; 32] = {
    let mut table = [Role::Bia; 32];
    let mut i = 0;
    while i < Role::ALL.len() {
        table[(Role::ALL[i].letter() as u8 & 31) as usize] = Role::ALL[i];
        i += 1;
    }
    table
};

/// A man on the board.
///
/// `promoted` marks a bia ngai (promoted bia) and is true only for a met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Man {
    /// Whose man it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
    /// Whether it is a promoted bia.
    pub promoted: bool,
}

impl Man {
    /// A man that is no promoted bia.
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Man {
        Man {
            color,
            role,
            promoted: false,
        }
    }

    /// The FEN letter: upper case for White. The promotion mark is not part of it.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }
}

/// One value for each role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByRole<T>(pub [T; 6]);

impl<T> Index<Role> for ByRole<T> {
    type Output = T;

    #[inline]
    fn index(&self, role: Role) -> &T {
        &self.0[role as usize]
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    #[inline]
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role as usize]
    }
}
