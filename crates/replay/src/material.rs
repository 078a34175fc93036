//! Material classes and signatures.

use rules::{Color, Position, Role};

use crate::ledger::MaterialClass;

impl MaterialClass {
    /// The class of one side's men.
    pub fn of(position: &Position, side: Color) -> MaterialClass {
        let have = |role| position.of(side, role).len();
        match (have(Role::Rua), have(Role::Khon), have(Role::Ma)) {
            (2.., _, _) => MaterialClass::TwoRua,
            (1, _, _) => MaterialClass::OneRua,
            (0, 2.., _) => MaterialClass::TwoKhon,
            (0, _, 2..) => MaterialClass::TwoMa,
            (0, 1, _) => MaterialClass::OneKhon,
            _ => MaterialClass::Other,
        }
    }
}

/// Rough worth of a side's men, for telling the weaker side only.
pub(crate) fn worth(position: &Position, side: Color) -> u32 {
    let have = |role| position.of(side, role).len();
    10 * have(Role::Rua)
        + 6 * have(Role::Ma)
        + 5 * have(Role::Khon)
        + 3 * have(Role::Met)
        + 2 * have(Role::Bia)
}

/// All men, the given side first: `KRN-KM`.
pub(crate) fn signature(position: &Position, first: Color) -> String {
    const ORDER: [Role; 6] = [
        Role::Khun,
        Role::Rua,
        Role::Ma,
        Role::Khon,
        Role::Met,
        Role::Bia,
    ];
    let mut text = String::with_capacity(12);
    for (index, side) in [first, !first].into_iter().enumerate() {
        if index == 1 {
            text.push('-');
        }
        for role in ORDER {
            for _ in position.of(side, role) {
                text.push(role.letter());
            }
        }
    }
    text
}
