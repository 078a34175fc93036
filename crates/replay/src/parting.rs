//! Which switches make two rule sets judge one game differently.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rules::Ruleset;

/// The one switch which, taken from the other rule set, makes ours judge as the other does. If no single one does, some
/// that do it together, none of which can be left out; none if no switches explain it.
///
/// Switches are tried in the order of RULES 10, so that the answer does not depend on anything else. `alike` plays the
/// game under the rule set it is given and says whether that judges as the other does. It is asked at most twice a
/// switch in which the two differ.
pub(crate) fn explain(
    mine: &Ruleset,
    other: &Ruleset,
    alike: impl Fn(&Arc<Ruleset>) -> bool,
) -> Vec<&'static str> {
    let differing: Vec<&'static str> = differing(mine, other).collect();
    // A rule set whose start these switches make impossible explains nothing.
    let explains = |switches: &[&'static str]| {
        hybrid(mine, other, switches).is_some_and(|rules| alike(&rules))
    };
    if let Some(alone) = differing.chunks(1).find(|switch| explains(switch)) {
        return alone.to_vec();
    }
    let mut needed = differing;
    if !explains(&needed) {
        return Vec::new();
    }
    let mut at = 0;
    while at < needed.len() {
        let mut fewer = needed.clone();
        fewer.remove(at);
        if explains(&fewer) {
            needed = fewer;
        } else {
            at += 1;
        }
    }
    needed
}

type Wish = ([u8; 32], [u8; 32], Vec<&'static str>);

/// Our rule set with switches of the other; none if that has no start. The same few are asked for in game after game, so
/// they are kept.
fn hybrid(mine: &Ruleset, other: &Ruleset, switches: &[&'static str]) -> Option<Arc<Ruleset>> {
    static KEPT: LazyLock<Mutex<HashMap<Wish, Option<Arc<Ruleset>>>>> =
        LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let made = kept
        .entry((mine.hash(), other.hash(), switches.to_vec()))
        .or_insert_with(|| mine.with_switches_of(other, switches).ok());
    made.as_ref().map(Arc::clone)
}

/// The switches with different values, in the order of RULES 10.
fn differing<'a>(mine: &'a Ruleset, other: &'a Ruleset) -> impl Iterator<Item = &'static str> {
    let pairs = mine.switches().iter().zip(other.switches());
    pairs
        .filter(|(a, b)| a.name == b.name && a.value != b.value)
        .map(|(a, _)| a.name)
}
