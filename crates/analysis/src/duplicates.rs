//! Games that are one game, or nearly: recorded twice, in two dialects, cut short, with colours swapped, edited.
//!
//! Records that say the same are found first, by a hash of 128 bits, and one of them stands for all from then on: an
//! archive that is there twice costs little more than once. Of the rest, those that may belong together meet under a key
//! (all moves, the first moves, the players and the date, half of the moves), and are then compared move by move, so that
//! a key that two games share by chance proves nothing. Keys are looked at in as many passes as memory asks for; the
//! answer is the same for any number of passes and any order of games.

mod groups;
mod keys;
mod relation;
mod twins;

use std::collections::HashMap;

use groups::Groups;
pub use relation::DuplicateClass;
pub use relation::name as player_name;
use relation::{Named, relation};

/// What is compared of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameRecord {
    /// Its start, as a hash of position, rights and count.
    pub start: u128,
    /// Its moves, each as a number that means one move: [`rules::Move::to_bits`].
    pub moves: Vec<u16>,
    /// White, if known.
    pub white: Option<String>,
    /// Black, if known.
    pub black: Option<String>,
    /// As much of the date as is known.
    pub date: Option<String>,
    /// What tells games of the same players on one day apart, if anything does: the round, or an address of the game.
    pub round: Option<String>,
    /// The dialect it is written in.
    pub dialect: String,
    /// Its id.
    pub id: [u8; 16],
}

/// A game of a group of games that belong together. Where records are one game, that with the smallest id stands for
/// all in the groups of other classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Duplicate {
    /// How they belong together.
    pub class: DuplicateClass,
    /// The smallest id of the group.
    pub canonical: [u8; 16],
    /// The game.
    pub id: [u8; 16],
}

/// Games that can be gone through again and again, in one order.
pub trait GameRecords {
    /// Why they cannot be read.
    type Error;

    /// Shows every game with its number, from 0.
    ///
    /// # Errors
    ///
    /// Whatever keeps them from being read.
    fn each(&self, visit: &mut dyn FnMut(u32, GameRecord)) -> Result<(), Self::Error>;
}

/// How much is held in memory at once.
#[derive(Clone, Copy, Debug)]
pub struct DuplicateLimits {
    /// Keys of 12 bytes.
    pub keys: usize,
    /// Whole records, a few hundred bytes each.
    pub records: usize,
}

impl Default for DuplicateLimits {
    /// About 100 MB.
    fn default() -> DuplicateLimits {
        DuplicateLimits {
            keys: 4_000_000,
            records: 100_000,
        }
    }
}

/// In a run of more records than this that differ, only near ones in the order of their moves are compared, so that no
/// archive costs the square of its size.
const COMPARED_WITH_ALL: usize = 512;
const NEAR: usize = 32;

/// What is held of a record while twins are looked for takes the room of so many keys.
const TWIN_IN_KEYS: usize = 4;

/// Every game that belongs to a group, by class, group and id. A game may be in groups of several classes.
///
/// # Errors
///
/// The error of [`GameRecords::each`].
pub fn duplicates<G: GameRecords>(
    games: &G,
    limits: DuplicateLimits,
) -> Result<Vec<Duplicate>, G::Error> {
    let mut groups = Groups::default();
    let twins = twins::find(games, limits.keys / TWIN_IN_KEYS, &mut groups)?;
    let passes = (twins.keys / limits.keys.max(1) + 1) as u64;
    for pass in 0..passes {
        let mut seen: Vec<(u64, u32)> = Vec::new();
        games.each(&mut |number, record| {
            if !twins.stood_for(number) {
                let mine = keys::of(&record).filter(|key| key % passes == pass);
                seen.extend(mine.map(|key| (key, number)));
            }
        })?;
        seen.sort_unstable();
        seen.dedup();
        let mut runs: Vec<&[(u64, u32)]> = seen
            .chunk_by(|a, b| a.0 == b.0)
            .filter(|run| run.len() > 1)
            .collect();
        // Games that belong together meet under many of their keys.
        runs.sort_unstable_by(|one, other| numbers(one).cmp(numbers(other)));
        runs.dedup_by(|one, other| numbers(one).eq(numbers(other)));
        for batch in batches(&runs, limits.records) {
            compare(games, batch, &mut groups)?;
        }
    }
    Ok(groups.finish())
}

fn numbers(run: &[(u64, u32)]) -> impl Iterator<Item = u32> {
    run.iter().map(|(_, number)| *number)
}

/// Runs of at most so many records together, but at least one run.
fn batches<'a, 'k>(
    runs: &'a [&'k [(u64, u32)]],
    records: usize,
) -> impl Iterator<Item = &'a [&'k [(u64, u32)]]> {
    let mut left = runs;
    std::iter::from_fn(move || {
        let mut held = 0;
        let fits = left.iter().take_while(|run| {
            held += run.len();
            held <= records
        });
        let (batch, rest) = left.split_at(fits.count().max(1).min(left.len()));
        left = rest;
        (!batch.is_empty()).then_some(batch)
    })
}

fn compare<G: GameRecords>(
    games: &G,
    runs: &[&[(u64, u32)]],
    groups: &mut Groups,
) -> Result<(), G::Error> {
    let mut wanted: HashMap<u32, Option<Named>> = HashMap::new();
    for (_, number) in runs.iter().copied().flatten() {
        wanted.insert(*number, None);
    }
    games.each(&mut |number, record| {
        if let Some(slot) = wanted.get_mut(&number) {
            *slot = Some(Named::new(record));
        }
    })?;
    for run in runs {
        let mut records: Vec<&Named> = run
            .iter()
            .filter_map(|(_, number)| wanted.get(number)?.as_ref())
            .collect();
        records.sort_unstable_by_key(|named| &named.game);
        within(&records, groups);
    }
    Ok(())
}

/// Compares the records of one run, which are in the order of their moves.
fn within(records: &[&Named], groups: &mut Groups) {
    let reach = match records.len() {
        0..=COMPARED_WITH_ALL => COMPARED_WITH_ALL,
        _ => NEAR,
    };
    for (at, one) in records.iter().enumerate() {
        for other in records[at + 1..].iter().take(reach) {
            if let Some(class) = relation(one, other) {
                join(groups, class, &one.game, &other.game);
            }
        }
    }
}

fn join(groups: &mut Groups, class: DuplicateClass, one: &GameRecord, other: &GameRecord) {
    groups.join(class, one.id, other.id, one.dialect != other.dialect);
}

#[cfg(test)]
mod tests;
