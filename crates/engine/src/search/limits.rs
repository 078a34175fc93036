//! When to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What ends a search. Nodes and depth are reproducible, clocks and a flag are not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits<'a> {
    pub(crate) nodes: u64,
    pub(crate) depth: u32,
    /// No iteration begins after this.
    pub(crate) soft: Option<Instant>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// Whether the clock or the flag say stop. Slow: ask every thousand nodes.
    pub(crate) fn interrupted(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self
                .deadline
                .is_some_and(|deadline| Instant::now() >= deadline)
    }
}
