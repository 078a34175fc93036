//! The numbers that position keys are made of: fixed for ever, since keys are stored.

use crate::{Color, Man, Role};

const fn mix(state: u64) -> u64 {
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const fn number(index: u64) -> u64 {
    mix(index.wrapping_add(1).wrapping_mul(GOLDEN))
}

/// By the low six bits of the man's letter, which tell all men apart, so that a key needs neither
/// colour nor role; most rows stay empty.
const fn men() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut color = 0;
    while color < 2 {
        let mut role = 0;
        while role < 6 {
            let letter = Man::new(Color::ALL[color], Role::ALL[role]).letter() as usize & 63;
            let mut square = 0;
            while square < 64 {
                table[letter][square] = number((color * 6 + role) as u64 * 64 + square as u64);
                square += 1;
            }
            role += 1;
        }
        color += 1;
    }
    table
}

/// A random number for each set of rights, the xor of its members' numbers; 0 for none.
const fn rights() -> [u64; 256] {
    let mut table = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut bit = 0;
        while bit < 8 {
            if set >> bit & 1 == 1 {
                table[set] ^= number(1000 + bit as u64);
            }
            bit += 1;
        }
        set += 1;
    }
    table
}

static MEN: [[u64; 64]; 64] = men();
static RIGHTS: [u64; 256] = rights();

/// Added when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = number(2000);

/// For a man, by its letter, on a square.
#[inline]
pub(crate) fn man(letter: u8, square: usize) -> u64 {
    MEN[letter as usize & 63][square & 63]
}

#[inline]
pub(crate) fn of_rights(rights: u8) -> u64 {
    RIGHTS[rights as usize]
}

/// For the checks that a side has left to give; 0 for the usual one.
#[inline]
pub(crate) const fn checks(color: usize, left: u8) -> u64 {
    if left == 1 {
        0
    } else {
        number(3000 + color as u64 * 256 + left as u64)
    }
}
