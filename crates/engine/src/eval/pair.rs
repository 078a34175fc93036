//! A weight for the middlegame and one for the endgame, added together.

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

/// Middlegame and endgame worth of one feature, in hundredths of a bia.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) mg: i32,
    pub(crate) eg: i32,
}

/// A pair from its two weights.
pub(crate) const fn p(mg: i32, eg: i32) -> Pair {
    Pair { mg, eg }
}

impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        p(self.mg + other.mg, self.eg + other.eg)
    }
}

impl Sub for Pair {
    type Output = Pair;

    fn sub(self, other: Pair) -> Pair {
        p(self.mg - other.mg, self.eg - other.eg)
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;

    fn mul(self, times: i32) -> Pair {
        p(self.mg * times, self.eg * times)
    }
}

impl AddAssign for Pair {
    fn add_assign(&mut self, other: Pair) {
        *self = *self + other;
    }
}

impl SubAssign for Pair {
    fn sub_assign(&mut self, other: Pair) {
        *self = *self - other;
    }
}
