//! Attack tables, computed when the crate is compiled.
//!
//! Rook attacks are looked up by the six inner squares of a rank or file ("kindergarten"
//! bitboards): two tables of 512 and 4096 bytes that stay in the first-level cache.

use crate::{Color, Role};

pub(crate) const FILE_A: u64 = 0x0101_0101_0101_0101;
pub(crate) const FILE_H: u64 = FILE_A << 7;
pub(crate) const RANK_1: u64 = 0xff;

const KHUN_STEPS: [(i8, i8); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];
const MET_STEPS: [(i8, i8); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const MA_STEPS: [(i8, i8); 8] = [
    (-2, -1),
    (-2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
    (2, -1),
    (2, 1),
];
const KHON_UP: [(i8, i8); 5] = [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 1)];
const KHON_DOWN: [(i8, i8); 5] = [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, -1)];
const BIA_UP: [(i8, i8); 2] = [(-1, 1), (1, 1)];
const BIA_DOWN: [(i8, i8); 2] = [(-1, -1), (1, -1)];
const LEAP_UP: [(i8, i8); 2] = [(-2, 1), (2, 1)];
const LEAP_DOWN: [(i8, i8); 2] = [(-2, -1), (2, -1)];

const LINE_STEPS: [(i8, i8); 4] = [(0, -1), (0, 1), (-1, 0), (1, 0)];

static KHUN: [u64; 64] = steps(&KHUN_STEPS);
static MET: [u64; 64] = steps(&MET_STEPS);
static MA: [u64; 64] = steps(&MA_STEPS);
static KHON: [[u64; 64]; 2] = [steps(&KHON_UP), steps(&KHON_DOWN)];
static BIA: [[u64; 64]; 2] = [steps(&BIA_UP), steps(&BIA_DOWN)];
static LEAP: [[u64; 64]; 2] = [steps(&LEAP_UP), steps(&LEAP_DOWN)];
static NEAR: [[[u64; 64]; 6]; 2] = near_tables();
static LINES: [u64; 64] = lines();
static RANK_SLIDES: [[u8; 64]; 8] = rank_slides();
static FILE_SLIDES: [[u64; 64]; 8] = file_slides();
static BETWEEN: [[u64; 64]; 64] = between_table();

/// For a file's occupancy shifted to the a-file: gathers ranks 2 to 7 in the top six bits.
const GATHER: u64 = 1 << 50 | 1 << 43 | 1 << 36 | 1 << 29 | 1 << 22 | 1 << 15;

const fn steps(deltas: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < deltas.len() {
            let file = (square % 8) as i8 + deltas[i].0;
            let rank = (square / 8) as i8 + deltas[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square] |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

/// What a man attacks that stands next to it or that it jumps to; all that it attacks, but for the rua.
const fn near_tables() -> [[[u64; 64]; 6]; 2] {
    let mut tables = [[[0; 64]; 6]; 2];
    let mut color = 0;
    while color < 2 {
        let (bia, khon) = match Color::ALL[color] {
            Color::White => (steps(&BIA_UP), steps(&KHON_UP)),
            Color::Black => (steps(&BIA_DOWN), steps(&KHON_DOWN)),
        };
        tables[color][Role::Bia as usize] = bia;
        tables[color][Role::Khon as usize] = khon;
        tables[color][Role::Met as usize] = steps(&MET_STEPS);
        tables[color][Role::Ma as usize] = steps(&MA_STEPS);
        tables[color][Role::Rua as usize] = steps(&LINE_STEPS);
        tables[color][Role::Khun as usize] = steps(&KHUN_STEPS);
        color += 1;
    }
    tables
}

const fn lines() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = FILE_A << (square & 7) | RANK_1 << (square & 56);
        square += 1;
    }
    table
}

/// The slide from `place` along eight squares whose inner six are occupied as `inner` says.
const fn slide(place: usize, inner: usize) -> u8 {
    let occupied = (inner << 1) as u8;
    let mut reached = 0;
    let mut i = place;
    while i < 7 {
        i += 1;
        reached |= 1 << i;
        if occupied >> i & 1 == 1 {
            break;
        }
    }
    i = place;
    while i > 0 {
        i -= 1;
        reached |= 1 << i;
        if occupied >> i & 1 == 1 {
            break;
        }
    }
    reached
}

const fn rank_slides() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[place][inner] = slide(place, inner);
            inner += 1;
        }
        place += 1;
    }
    table
}

const fn file_slides() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut place = 0;
    while place < 8 {
        let mut inner = 0;
        while inner < 64 {
            let reached = slide(place, inner);
            let mut rank = 0;
            while rank < 8 {
                if reached >> rank & 1 == 1 {
                    table[place][inner] |= 1 << (rank * 8);
                }
                rank += 1;
            }
            inner += 1;
        }
        place += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let step = if a / 8 == b / 8 {
                1
            } else if a % 8 == b % 8 {
                8
            } else {
                0
            };
            if step != 0 {
                let (low, high) = if a < b { (a, b) } else { (b, a) };
                let mut square = low + step;
                while square < high {
                    table[a][b] |= 1 << square;
                    square += step;
                }
            }
            b += 1;
        }
        a += 1;
    }
    table
}

#[inline]
pub(crate) fn khun(square: usize) -> u64 {
    KHUN[square & 63]
}

#[inline]
pub(crate) fn met(square: usize) -> u64 {
    MET[square & 63]
}

#[inline]
pub(crate) fn ma(square: usize) -> u64 {
    MA[square & 63]
}

#[inline]
pub(crate) fn khon(color: Color, square: usize) -> u64 {
    KHON[color as usize][square & 63]
}

/// What a man attacks, a rua only on the squares next to it: one load and no branch.
#[inline]
pub(crate) fn near(color: Color, role: Role, square: usize) -> u64 {
    NEAR[color as usize][role as usize][square & 63]
}

/// The squares a bia captures on.
#[inline]
pub(crate) fn bia(color: Color, square: usize) -> u64 {
    BIA[color as usize][square & 63]
}

/// The two squares of the khun's forward leap.
#[inline]
pub(crate) fn khun_leap(color: Color, square: usize) -> u64 {
    LEAP[color as usize][square & 63]
}

#[inline]
pub(crate) fn rua(square: usize, occupied: u64) -> u64 {
    let file = square & 7;
    let row = square & 56;
    let on_rank = RANK_SLIDES[file][(occupied >> (row + 1) & 63) as usize];
    let column = (occupied >> file) & FILE_A;
    let on_file = FILE_SLIDES[row >> 3 & 7][(column.wrapping_mul(GATHER) >> 58) as usize];
    u64::from(on_rank) << row | on_file << file
}

/// The squares strictly between two squares of one rank or file; none for other pairs.
#[inline]
pub(crate) fn between(a: usize, b: usize) -> u64 {
    BETWEEN[a & 63][b & 63]
}

/// The rank and the file of a square.
#[inline]
pub(crate) fn lines_of(square: usize) -> u64 {
    LINES[square & 63]
}

#[inline]
pub(crate) fn file_of(square: usize) -> u64 {
    FILE_A << (square & 7)
}

#[inline]
pub(crate) fn rank_of(square: usize) -> u64 {
    RANK_1 << (square & 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rook_lookup_equals_walking() {
        let mut seed = 1u64;
        for round in 0..2000 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(99);
            let occupied = seed & seed.rotate_left(17);
            let square = round % 64;
            let mut walked = 0u64;
            for (df, dr) in [(1i32, 0i32), (-1, 0), (0, 1), (0, -1)] {
                let (mut f, mut r) = ((square % 8) as i32 + df, (square / 8) as i32 + dr);
                while (0..8).contains(&f) && (0..8).contains(&r) {
                    let bit = 1u64 << (r * 8 + f);
                    walked |= bit;
                    if occupied & bit != 0 {
                        break;
                    }
                    f += df;
                    r += dr;
                }
            }
            assert_eq!(rua(square, occupied), walked);
        }
    }
}
