//! Who can still mate (RULES 6.1).

use crate::{Bitboard, Color, Position, Role};

const LIGHT: u64 = 0x55aa_55aa_55aa_55aa;

impl Position {
    /// Whether a side has nothing to mate with, by RULES 6.1 (the reference engine's test).
    ///
    /// `true` promises that the side's material cannot mate, or mates only with absurd help;
    /// `false` promises nothing. Kar ouk: any man besides the khun suffices.
    #[must_use]
    pub fn insufficient_material(&self, color: Color) -> bool {
        let has = |role| !self.of(color, role).is_empty();
        let khuns = self.role(Role::Khun);
        if self.rules.first_check_wins {
            return self.men(color).len() == 1;
        }
        if has(Role::Rua) || has(Role::Khon) {
            return false;
        }
        let mets = self.role(Role::Met);
        if has(Role::Met) {
            let both_shades =
                !(mets & Bitboard(LIGHT)).is_empty() && !(mets & !Bitboard(LIGHT)).is_empty();
            let others = self.occupied() & !khuns & !mets;
            if both_shades || !others.is_empty() {
                return false;
            }
        }
        let men = (self.occupied() & !khuns).len();
        !((has(Role::Ma) || has(Role::Bia)) && men > 1)
    }

    /// Whether a side has only its khun.
    #[must_use]
    #[inline]
    pub fn is_bare(&self, color: Color) -> bool {
        let men = self.sides[color as usize];
        men & men.wrapping_sub(1) == 0
    }

    /// Number of all men, khuns and promoted bia included: the N of RULES 4.
    #[must_use]
    pub fn men_on_board(&self) -> u8 {
        self.all().count_ones() as u8
    }
}
