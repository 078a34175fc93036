//! How first-move rights were lost: the answer to "why may this khun not leap?".

use rules::{Color, LegalMove, Position, Role, Square};

/// The ply and the way in which each right was lost.
#[derive(Debug, Default)]
pub(crate) struct RightsLog(Vec<(Square, u32, Loss)>);

/// A way to lose a first-move right (RULES 5.1, 5.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loss {
    /// The man moved.
    Moved,
    /// The man was taken.
    Taken,
    /// An enemy rua moved to the khun's rank or file.
    Aimed(Square),
    /// The first capture ended all rights.
    Capture,
}

impl RightsLog {
    /// Compares the rights before and after a ply.
    #[inline]
    pub(crate) fn after(&mut self, ply: u32, before: &Position, mv: LegalMove, after: &Position) {
        if before.rights() != after.rights() {
            self.note(ply, before, mv, after);
        }
    }

    fn note(&mut self, ply: u32, before: &Position, mv: LegalMove, after: &Position) {
        for home in before.rights().without(after.rights()).squares() {
            let loss = if mv.from() == home {
                Loss::Moved
            } else if mv.to() == home {
                Loss::Taken
            } else if before.role_at(mv.from()) == Some(Role::Rua)
                && before.role_at(home) == Some(Role::Khun)
            {
                Loss::Aimed(mv.to())
            } else {
                Loss::Capture
            };
            self.0.push((home, ply, loss));
        }
    }

    /// How the khun's or the met's right of a side was lost, in words; none if it was never alive.
    pub(crate) fn tell(&self, side: Color, role: Role) -> Option<String> {
        let home = match (side, role) {
            (Color::White, Role::Khun) => Square::new(3, 0),
            (Color::White, _) => Square::new(4, 0),
            (Color::Black, Role::Khun) => Square::new(4, 7),
            (Color::Black, _) => Square::new(3, 7),
        }?;
        let &(_, ply, loss) = self.0.iter().find(|(square, _, _)| *square == home)?;
        Some(match loss {
            Loss::Moved => format!("it was lost at ply {ply}, when the man moved"),
            Loss::Taken => format!("it was lost at ply {ply}, when the man was taken"),
            Loss::Aimed(rua) => format!(
                "it was lost at ply {ply}, when a rua moved to {rua} on the khun's rank or file"
            ),
            Loss::Capture => format!("it was lost at ply {ply}, with the first capture"),
        })
    }
}
