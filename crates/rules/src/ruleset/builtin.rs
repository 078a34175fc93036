//! The rule sets that come with the crate, and the additions that go on top of one.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use serde::Deserialize;

use super::file::{self, RulesetFile, Switches};
use super::switches::{Authority, Variant};
use super::{Ruleset, RulesetError, RulesetId};

/// Names of the rule sets, makruk's first, and beside them their files.
pub(super) const IDS: [&str; 10] = [
    "makruk",
    "makruk-ttakji",
    "makruk-wikipedia",
    "makruk-fairy",
    "ouk",
    "ouk-chessplayx",
    "ouk-wikipedia",
    "cambodian-fairy",
    "kar-ouk",
    "karouk-fairy",
];

const TEXTS: [&str; 10] = [
    include_str!("../../rulesets/makruk.toml"),
    include_str!("../../rulesets/makruk-ttakji.toml"),
    include_str!("../../rulesets/makruk-wikipedia.toml"),
    include_str!("../../rulesets/makruk-fairy.toml"),
    include_str!("../../rulesets/ouk.toml"),
    include_str!("../../rulesets/ouk-chessplayx.toml"),
    include_str!("../../rulesets/ouk-wikipedia.toml"),
    include_str!("../../rulesets/cambodian-fairy.toml"),
    include_str!("../../rulesets/kar-ouk.toml"),
    include_str!("../../rulesets/karouk-fairy.toml"),
];

/// Names of the additions (RULES 8), in alphabetical order, and beside them their files.
pub(super) const ADDITIONS: [&str; 4] = ["sut-khun", "sut-ma", "sut-met", "takhaeng-ruea"];

const ADDITION_TEXTS: [&str; 4] = [
    include_str!("../../rulesets/additions/sut-khun.toml"),
    include_str!("../../rulesets/additions/sut-ma.toml"),
    include_str!("../../rulesets/additions/sut-met.toml"),
    include_str!("../../rulesets/additions/takhaeng-ruea.toml"),
];

static PLAIN: LazyLock<Vec<Arc<Ruleset>>> = LazyLock::new(|| {
    IDS.iter()
        .map(|id| file(id).and_then(file::build))
        .map(|rules| Arc::new(rules.expect("a test loads every builtin file")))
        .collect()
});

/// Rule sets with additions, each built once: there are few combinations.
static COMPOSED: Mutex<BTreeMap<String, Arc<Ruleset>>> = Mutex::new(BTreeMap::new());

/// What stands on top of a rule set.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdditionFile {
    id: String,
    title: String,
    start: AdditionStart,
    #[serde(default)]
    switches: Switches,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AdditionStart {
    #[serde(rename = "source")]
    _source: String,
    #[serde(default)]
    rights: String,
    /// Square to man, as in `a1 = "M~"`.
    #[serde(default)]
    men: BTreeMap<String, String>,
}

/// The builtin rule set of a name, additions included.
pub(super) fn find(id: &str) -> Result<Arc<Ruleset>, RulesetError> {
    if let Some(at) = IDS.iter().position(|known| *known == id) {
        return Ok(Arc::clone(&PLAIN[at]));
    }
    let canonical = canonical(id)?;
    let mut composed = COMPOSED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rules) = composed.get(&canonical) {
        return Ok(Arc::clone(rules));
    }
    let rules = Arc::new(file(&canonical).and_then(file::build)?);
    composed.insert(canonical, Arc::clone(&rules));
    Ok(rules)
}

/// The title of an addition.
pub(super) fn addition_title(id: &str) -> Option<String> {
    addition(id).ok().map(|addition| addition.title)
}

/// The file of a builtin rule set, with all that it inherits and its additions.
pub(super) fn file(id: &str) -> Result<RulesetFile, RulesetError> {
    let mut parts = id.split('+');
    let base = parts.next().unwrap_or_default();
    let unknown = || RulesetError::Unknown(RulesetId::new(id));
    let at = IDS.iter().position(|known| *known == base);
    let mut file = file::read(TEXTS[at.ok_or_else(unknown)?])?;
    let mut set = Vec::new();
    for part in parts {
        add(&mut file, &addition(part)?, &mut set)?;
    }
    file.rename(id);
    Ok(file)
}

/// The name with its additions in alphabetical order, each once.
fn canonical(id: &str) -> Result<String, RulesetError> {
    let mut parts = id.split('+');
    let base = parts.next().unwrap_or_default();
    let mut additions: Vec<&str> = parts.collect();
    additions.sort_unstable();
    additions.dedup();
    let known = IDS.contains(&base)
        && !additions.is_empty()
        && additions.iter().all(|part| ADDITIONS.contains(part));
    if !known {
        return Err(RulesetError::Unknown(RulesetId::new(id)));
    }
    Ok(format!("{base}+{}", additions.join("+")))
}

fn addition(id: &str) -> Result<AdditionFile, RulesetError> {
    let at = ADDITIONS.iter().position(|known| *known == id);
    let at = at.ok_or_else(|| RulesetError::Unknown(RulesetId::new(id)))?;
    let mut addition: AdditionFile = file::parse(ADDITION_TEXTS[at])?;
    addition.switches.sign(&addition.id);
    Ok(addition)
}

fn add(
    file: &mut RulesetFile,
    addition: &AdditionFile,
    set: &mut Vec<&'static str>,
) -> Result<(), RulesetError> {
    let refuse = |reason: String| RulesetError::Contradiction {
        id: RulesetId::new(&addition.id),
        reason,
    };
    if file.variant != Some(Variant::Makruk) || file.authority == Some(Authority::Engine) {
        let reason = "stands on top of makruk as people play it, not on another game or an engine";
        return Err(refuse(reason.to_owned()));
    }
    file.switches
        .add(&addition.switches, set)
        .map_err(|switch| refuse(format!("another addition sets `{switch}` otherwise")))?;
    file.title = format!("{}; with {}", file.title, addition.title);
    if let Some(start) = &mut file.start {
        start.rights.push_str(&addition.start.rights);
        start.men.extend(addition.start.men.clone());
    }
    Ok(())
}
