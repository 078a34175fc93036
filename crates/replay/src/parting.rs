//! Which switches make two rule sets judge one game differently.

use std::sync::Arc;

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
        let hybrid = mine.with_switches_of(other, switches);
        hybrid.is_ok_and(|rules| alike(&rules))
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

/// The switches with different values, in the order of RULES 10.
fn differing<'a>(mine: &'a Ruleset, other: &'a Ruleset) -> impl Iterator<Item = &'static str> {
    let pairs = mine.switches().iter().zip(other.switches());
    pairs
        .filter(|(a, b)| a.name == b.name && a.value != b.value)
        .map(|(a, _)| a.name)
}
