//! The first few of many.

use std::collections::BTreeMap;

/// Keeps the `most` smallest by key, equal keys in the order they came.
#[derive(Debug)]
pub(super) struct First<K, V> {
    most: usize,
    seen: u64,
    kept: BTreeMap<(K, u64), V>,
}

impl<K: Ord, V> First<K, V> {
    pub(super) fn new(most: usize) -> First<K, V> {
        First {
            most,
            seen: 0,
            kept: BTreeMap::new(),
        }
    }

    /// Offers one more; `value` is only made if it is kept for now.
    pub(super) fn offer(&mut self, key: K, value: impl FnOnce() -> V) {
        let place = (key, self.seen);
        self.seen += 1;
        let fits = self.kept.len() < self.most
            || self
                .kept
                .last_key_value()
                .is_some_and(|(last, _)| place < *last);
        if self.most > 0 && fits {
            self.kept.insert(place, value());
            if self.kept.len() > self.most {
                self.kept.pop_last();
            }
        }
    }

    /// How many were offered.
    pub(super) fn seen(&self) -> u64 {
        self.seen
    }

    /// Those kept, in order.
    pub(super) fn values(&self) -> impl Iterator<Item = &V> {
        self.kept.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_stay_in_the_order_they_came() {
        let mut first = First::new(3);
        for (index, key) in [5, 1, 4, 1, 9, 1].into_iter().enumerate() {
            first.offer(key, || (key, index));
        }
        assert_eq!(
            first.values().copied().collect::<Vec<_>>(),
            [(1, 1), (1, 3), (1, 5)]
        );
        assert_eq!(first.seen(), 6);
    }

    #[test]
    fn none_may_be_kept() {
        let mut first = First::new(0);
        first.offer(1, || ());
        assert_eq!((first.values().count(), first.seen()), (0, 1));
    }
}
