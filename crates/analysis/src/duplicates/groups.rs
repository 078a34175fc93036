//! Groups of games, joined pair by pair: what is held is one entry a game, however many pairs there are.

use std::collections::{BTreeMap, HashMap};

use super::{Duplicate, DuplicateClass};

type Id = [u8; 16];

/// The groups of all classes so far.
#[derive(Debug, Default)]
pub(super) struct Groups(BTreeMap<DuplicateClass, Joined>);

/// The groups of one class: a forest whose roots are the smallest ids.
#[derive(Debug, Default)]
struct Joined {
    places: HashMap<Id, u32>,
    ids: Vec<Id>,
    parents: Vec<u32>,
    /// At a root: whether its games are in more than one dialect.
    mixed: Vec<bool>,
}

impl Groups {
    /// Two games belong together; `mixed` if their dialects differ.
    pub(super) fn join(&mut self, class: DuplicateClass, one: Id, other: Id, mixed: bool) {
        let joined = self.0.entry(class).or_default();
        let (one, other) = (joined.place(one), joined.place(other));
        let (one, other) = (joined.root(one), joined.root(other));
        let id = |place: u32| joined.ids[place as usize];
        let (root, child) = match id(one) <= id(other) {
            true => (one, other),
            false => (other, one),
        };
        joined.parents[child as usize] = root;
        joined.mixed[root as usize] |= mixed | joined.mixed[child as usize];
    }

    /// Every game in its groups, by class, group and id. A group of equal records in several dialects has a class of its own.
    pub(super) fn finish(self) -> Vec<Duplicate> {
        let mut found = Vec::new();
        for (class, mut joined) in self.0 {
            for place in 0..joined.ids.len() as u32 {
                let root = joined.root(place) as usize;
                let class = match class {
                    DuplicateClass::Exact if joined.mixed[root] => DuplicateClass::OtherDialect,
                    class => class,
                };
                found.push(Duplicate {
                    class,
                    canonical: joined.ids[root],
                    id: joined.ids[place as usize],
                });
            }
        }
        found.sort_unstable();
        found
    }
}

impl Joined {
    fn place(&mut self, id: Id) -> u32 {
        let next = self.ids.len() as u32;
        let place = *self.places.entry(id).or_insert(next);
        if place == next {
            self.ids.push(id);
            self.parents.push(next);
            self.mixed.push(false);
        }
        place
    }

    /// The root of a place; the way there is halved for the next time.
    fn root(&mut self, mut place: u32) -> u32 {
        loop {
            let parent = self.parents[place as usize];
            if parent == place {
                return place;
            }
            self.parents[place as usize] = self.parents[parent as usize];
            place = parent;
        }
    }
}
