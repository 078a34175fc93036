//! Attacks and masks that the search and the evaluation ask for thousands of times a second.

use rules::{Bitboard, Color, Position, Role, Square, attacks_of};

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = 0x8080_8080_8080_8080;

/// Squares that the bia in `men` attack, all at once.
pub(crate) fn bia_attacks(color: Color, men: u64) -> u64 {
    match color {
        Color::White => ((men & !FILE_A) << 7) | ((men & !FILE_H) << 9),
        Color::Black => ((men & !FILE_H) >> 7) | ((men & !FILE_A) >> 9),
    }
}

/// Squares that one man of `color` on `sq` attacks.
#[inline]
pub(crate) fn attacks(role: Role, color: Color, sq: usize, occupied: u64) -> u64 {
    attacks_of(
        color,
        role,
        Square::from_index(sq as u8),
        Bitboard(occupied),
    )
    .0
}

/// See [`attacks`].
#[inline]
pub(crate) fn khun(sq: usize) -> u64 {
    attacks(Role::Khun, Color::White, sq, 0)
}

/// See [`attacks`].
#[inline]
pub(crate) fn ma(sq: usize) -> u64 {
    attacks(Role::Ma, Color::White, sq, 0)
}

/// See [`attacks`].
#[inline]
pub(crate) fn rua(sq: usize, occupied: u64) -> u64 {
    attacks(Role::Rua, Color::White, sq, occupied)
}

/// How many first-move rights of `color` are alive.
pub(crate) fn leap_rights(pos: &Position, color: Color) -> i32 {
    pos.rights().of(color).squares().count() as i32
}

/// Squares before `sq` on its file.
pub(crate) fn ahead(color: Color, sq: usize) -> u64 {
    let file = FILE_A << (sq % 8);
    let low = (1 << sq) - 1;
    match color {
        Color::White => file & !low & !(1 << sq),
        Color::Black => file & low,
    }
}

/// The files beside that of `sq`.
pub(crate) fn files_beside(sq: usize) -> u64 {
    let file = FILE_A << (sq % 8);
    ((file & !FILE_A) >> 1) | ((file & !FILE_H) << 1)
}

static STOPPERS: [[u64; 64]; 2] = [stoppers_table(true), stoppers_table(false)];

/// Squares on which an enemy bia can block or take the bia of `color` on `sq` on its way to promotion.
pub(crate) fn stoppers(color: Color, sq: usize) -> u64 {
    STOPPERS[color as usize][sq]
}

const fn stoppers_table(white: bool) -> [u64; 64] {
    let mut table = [0; 64];
    let mut sq = 0;
    while sq < 64 {
        let (file, rank) = ((sq % 8) as i32, (sq / 8) as i32);
        let mut other = 0;
        while other < 64 {
            let (f, r) = (other % 8, other / 8);
            let ahead = if white { r - rank } else { rank - r };
            let side = (f - file).abs();
            if (side == 0 && ahead >= 1) || (side == 1 && ahead >= 2) {
                table[sq] |= 1 << other;
            }
            other += 1;
        }
        sq += 1;
    }
    table
}
