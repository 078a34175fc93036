//! Records that say the same: start, moves, players and date.

use super::groups::Groups;
use super::relation::{DuplicateClass, name};
use super::{GameRecord, GameRecords, keys};

/// Which games another one stands for from now on.
pub(super) struct Twins {
    /// One bit a game, in the order in which games are shown.
    bits: Vec<u64>,
    /// As many keys as all games can have.
    pub(super) keys: usize,
}

impl Twins {
    pub(super) fn stood_for(&self, number: u32) -> bool {
        let word = self.bits.get(number as usize / 64);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    fn set(&mut self, number: u32) {
        let at = number as usize / 64;
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        self.bits[at] |= 1 << (number % 64);
    }
}

/// What is held of a record: what it says, its id, its number, its dialect.
type Held = (u128, [u8; 16], u32, u64);

/// Finds all twins, `held` records in memory at a time. Each gets an edge to that of the smallest id.
pub(super) fn find<G: GameRecords>(
    games: &G,
    held: usize,
    groups: &mut Groups,
) -> Result<Twins, G::Error> {
    let mut total = 0usize;
    games.each(&mut |_, _| total += 1)?;
    let mut twins = Twins {
        bits: Vec::new(),
        keys: total * keys::MOST,
    };
    let passes = (total / held.max(1) + 1) as u128;
    for pass in 0..passes {
        let mut seen: Vec<Held> = Vec::new();
        games.each(&mut |number, record| {
            if let Some(says) = identity(&record).filter(|says| says % passes == pass) {
                seen.push((says, record.id, number, keys::hash(&record.dialect)));
            }
        })?;
        seen.sort_unstable();
        for group in seen.chunk_by(|a, b| a.0 == b.0) {
            let (_, head, _, dialect) = group[0];
            for (_, id, number, other) in &group[1..] {
                groups.join(DuplicateClass::Exact, head, *id, dialect != *other);
                twins.set(*number);
            }
        }
    }
    Ok(twins)
}

/// A record without moves says nothing.
fn identity(game: &GameRecord) -> Option<u128> {
    let says = |salt: u64| {
        keys::hash((
            salt,
            game.start,
            &game.moves,
            name(game.white.as_deref()),
            name(game.black.as_deref()),
            &game.date,
        ))
    };
    (!game.moves.is_empty()).then(|| u128::from(says(5)) << 64 | u128::from(says(6)))
}
