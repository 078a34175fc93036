//! The keys under which records meet.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::GameRecord;
use super::relation::{FEW_PLIES, MANY_PLIES, NEAR_PLIES, name, players};

/// Into so many parts the moves are cut: of four, two at least are untouched by two edited plies.
const PARTS: usize = 4;

/// A record has so many keys at most.
pub(super) const MOST: usize = 9;

/// Every key of a record.
pub(super) fn of(game: &GameRecord) -> impl Iterator<Item = u64> {
    let plies = game.moves.len();
    let mut keys = Vec::with_capacity(MOST);
    if plies > 0 {
        keys.push(hash((0, game.start, &game.moves)));
    }
    if plies >= MANY_PLIES {
        keys.push(hash((1, game.start, &game.moves[..MANY_PLIES])));
    }
    if let Some((white, black, date)) = players(game) {
        keys.push(hash((2, white, black, date)));
    } else if plies >= FEW_PLIES {
        keys.push(hash((
            3,
            game.start,
            name(game.white.as_deref()),
            name(game.black.as_deref()),
            &game.moves[..FEW_PLIES],
        )));
    }
    if plies >= NEAR_PLIES {
        let part = |at: usize| &game.moves[at * plies / PARTS..(at + 1) * plies / PARTS];
        for one in 0..PARTS {
            for other in one + 1..PARTS {
                keys.push(hash((
                    4,
                    game.start,
                    plies,
                    one,
                    other,
                    part(one),
                    part(other),
                )));
            }
        }
    }
    keys.into_iter()
}

/// Never stored: two runs of the program need not agree on it.
pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
