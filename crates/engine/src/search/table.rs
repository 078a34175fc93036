//! The transposition table: what was found out about positions of this unit.

use rules::Move;

use crate::score::{MATE_BOUND, Value};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Bound {
    /// At most the value.
    Upper = 1,
    /// At least the value.
    Lower = 2,
    /// The value.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) mv: Option<Move>,
    pub(crate) value: Value,
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    check: u32,
    generation: u32,
    mv: u16,
    value: i16,
    eval: i16,
    depth: u8,
    bound: Bound,
}

const EMPTY: Entry = Entry {
    check: 0,
    generation: 0,
    mv: 0,
    value: 0,
    eval: 0,
    depth: 0,
    bound: Bound::Upper,
};
const WAYS: usize = 4;

/// A fixed number of entries, four to a bucket.
///
/// Invariant: an entry of another generation is the same as none, for reading and for replacement alike, so that a
/// unit's result cannot depend on the units before it.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    generation: u32,
}

impl Table {
    /// A table of about `bytes` bytes (a power of two of buckets, at least one).
    pub(crate) fn new(bytes: usize) -> Table {
        let buckets = (bytes / (size_of::<Entry>() * WAYS)).max(1);
        let buckets = if buckets.is_power_of_two() {
            buckets
        } else {
            buckets.next_power_of_two() / 2
        };
        Table {
            entries: vec![EMPTY; buckets * WAYS],
            generation: 1,
        }
    }

    /// Forgets everything, in constant time.
    pub(crate) fn clear(&mut self) {
        self.generation = match self.generation.checked_add(1) {
            Some(next) => next,
            None => {
                self.entries.fill(EMPTY);
                1
            }
        };
    }

    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Found> {
        let check = (key >> 32) as u32;
        let bucket = self.bucket(key);
        let entry = self.entries[bucket..bucket + WAYS]
            .iter()
            .find(|entry| entry.generation == self.generation && entry.check == check)?;
        Some(Found {
            mv: if entry.mv == 0 {
                None
            } else {
                Move::from_bits(entry.mv)
            },
            value: from_stored(entry.value.into(), ply),
            eval: entry.eval.into(),
            depth: entry.depth.into(),
            bound: entry.bound,
        })
    }

    pub(crate) fn store(&mut self, key: u64, ply: usize, found: Found) {
        let check = (key >> 32) as u32;
        let generation = self.generation;
        let bucket = self.bucket(key);
        let ways = &mut self.entries[bucket..bucket + WAYS];
        let mut victim = 0;
        let mut least = i32::MAX;
        for (index, entry) in ways.iter().enumerate() {
            if entry.generation == generation && entry.check == check {
                victim = index;
                break;
            }
            let worth = if entry.generation == generation {
                i32::from(entry.depth)
            } else {
                -1
            };
            if worth < least {
                least = worth;
                victim = index;
            }
        }
        let old = ways[victim];
        let same = old.generation == generation && old.check == check;
        // A shallow bound does not drive out a deep result of the same position, but its move is newer knowledge.
        if same && found.bound != Bound::Exact && found.depth + 3 < i32::from(old.depth) {
            if let Some(mv) = found.mv {
                ways[victim].mv = mv.to_bits();
            }
            return;
        }
        let mv = found
            .mv
            .map_or(if same { old.mv } else { 0 }, Move::to_bits);
        ways[victim] = Entry {
            check,
            generation,
            mv,
            value: to_stored(found.value, ply) as i16,
            eval: found.eval as i16,
            depth: found.depth.clamp(0, 255) as u8,
            bound: found.bound,
        };
    }

    /// How many of a thousand entries are in use.
    pub(crate) fn per_mille(&self) -> usize {
        let sample = self.entries.len().min(1000);
        let used = self.entries[..sample]
            .iter()
            .filter(|entry| entry.generation == self.generation)
            .count();
        used * 1000 / sample
    }

    fn bucket(&self, key: u64) -> usize {
        (key as usize & (self.entries.len() / WAYS - 1)) * WAYS
    }
}

/// Mates are stored as distances from their own node, since the same node is met at several plies.
fn to_stored(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value + ply as Value
    } else if value <= -MATE_BOUND {
        value - ply as Value
    } else {
        value
    }
}

fn from_stored(value: Value, ply: usize) -> Value {
    if value >= MATE_BOUND {
        value - ply as Value
    } else if value <= -MATE_BOUND {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{mate_in, mated_in};

    fn found(depth: i32, value: Value) -> Found {
        Found {
            mv: None,
            value,
            eval: 0,
            depth,
            bound: Bound::Exact,
        }
    }

    #[test]
    fn mates_move_with_the_ply() {
        let mut table = Table::new(1 << 12);
        table.store(7, 4, found(3, mate_in(9)));
        assert_eq!(table.probe(7, 2).map(|found| found.value), Some(mate_in(7)));
        table.store(8, 4, found(3, mated_in(10)));
        assert_eq!(
            table.probe(8, 6).map(|found| found.value),
            Some(mated_in(12))
        );
    }

    #[test]
    fn clearing_forgets() {
        let mut table = Table::new(1 << 12);
        table.store(7, 0, found(3, 5));
        table.clear();
        assert!(table.probe(7, 0).is_none());
        assert_eq!(table.per_mille(), 0);
    }

    #[test]
    fn the_shallowest_is_driven_out() {
        let mut table = Table::new(1);
        for (high, depth) in [(1, 9), (2, 2), (3, 7), (4, 8), (5, 6)] {
            table.store(high << 32, 0, found(depth, 0));
        }
        let kept: Vec<u64> = (1..=5)
            .filter(|high| table.probe(high << 32, 0).is_some())
            .collect();
        assert_eq!(kept, [1, 3, 4, 5]);
    }
}
