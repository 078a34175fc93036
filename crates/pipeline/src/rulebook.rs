//! The job's rules as the replay takes them: the judge, and its identity in keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use notation::read::Numbering;
use replay::{Judge, SourceRule};
use rules::{Ruleset, RulesetId, Variant};

use crate::job::RuleChoice;
use crate::run::RunError;

/// The judge of a job.
#[derive(Clone, Debug)]
pub(crate) struct Rulebook {
    pub(crate) judge: Judge,
    known: BTreeMap<String, Arc<Ruleset>>,
    /// Hash over every rule set that can judge and over who judges what.
    pub(crate) identity: [u8; 32],
}

impl Rulebook {
    /// `numbering` is the job's for numbered squares.
    pub(crate) fn new(
        choice: &RuleChoice,
        numbering: Option<Numbering>,
    ) -> Result<Rulebook, RunError> {
        let mut judge = Judge::new().map_err(|error| usage(&error))?;
        let files = files(choice)?;
        let named = |id: &str| match files.get(id) {
            Some(rules) => Ok(Arc::clone(rules)),
            None => Ruleset::builtin(id).map_err(|error| usage(&error)),
        };
        let mut known: BTreeMap<String, Arc<Ruleset>> = judge
            .known()
            .map(|rules| (rules.id().to_string(), Arc::clone(rules)))
            .collect();
        let of_sources = choice.sources.iter().filter_map(|s| s.rule_set.as_ref());
        for id in choice.by_variant.values().chain(of_sources) {
            let rules = named(id)?;
            known.insert(id.clone(), Arc::clone(&rules));
            judge.know(rules);
        }
        for (variant, id) in &choice.by_variant {
            judge
                .bind(variant_of(variant)?, &RulesetId::new(id.as_str()))
                .map_err(|error| usage(&error))?;
        }
        for source in &choice.sources {
            judge
                .source(SourceRule {
                    site: source.site.clone(),
                    dialect: source.dialect.as_deref().map(dialect_of).transpose()?,
                    path: source.path.clone(),
                    variant: Some(variant_of(&source.variant)?),
                    rule_set: source.rule_set.as_deref().map(RulesetId::new),
                })
                .map_err(|error| usage(&error))?;
        }
        let default = choice
            .default_variant
            .as_deref()
            .map(variant_of)
            .transpose()?;
        judge.default_variant(default);
        for id in &choice.compare {
            judge.compare(named(id)?);
        }
        judge.number_squares(numbering);
        let identity = identity(choice, &known, &judge, numbering);
        Ok(Rulebook {
            judge,
            known,
            identity,
        })
    }

    /// The rule set of this id: a known one, or one that comes with the program and has additions.
    pub(crate) fn rule_set(&self, id: &str) -> Option<Arc<Ruleset>> {
        let known = self.known.get(id).map(Arc::clone);
        known.or_else(|| Ruleset::builtin(id).ok())
    }
}

/// The rule sets of the job's files, by id.
fn files(choice: &RuleChoice) -> Result<BTreeMap<&str, Arc<Ruleset>>, RunError> {
    let mut files = BTreeMap::new();
    for (id, file) in &choice.files {
        let rules = Ruleset::from_toml(&file.text)
            .map_err(|error| usage(&format!("rule set file {}: {error}", file.path)))?;
        files.insert(id.as_str(), rules);
    }
    Ok(files)
}

/// Every known rule set counts, not only those chosen: a finding is proved only where all of them agree.
fn identity(
    choice: &RuleChoice,
    known: &BTreeMap<String, Arc<Ruleset>>,
    judge: &Judge,
    numbering: Option<Numbering>,
) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for (id, rules) in known {
        hasher.update(id.as_bytes());
        hasher.update(&rules.hash());
    }
    // Debug output of plain texts: changes with the choice, and only with it. Paths and comments of files change nothing.
    let chosen = (&choice.by_variant, &choice.default_variant, &choice.sources);
    hasher.update(format!("{chosen:?}").as_bytes());
    if let Some(numbering) = numbering {
        hasher.update(b"numbering");
        hasher.update(numbering.squares().as_bytes());
    }
    for rules in judge.compared() {
        hasher.update(b"compared");
        hasher.update(&rules.hash());
    }
    *hasher.finalize().as_bytes()
}

fn variant_of(name: &str) -> Result<Variant, RunError> {
    [Variant::Makruk, Variant::Ouk, Variant::KarOuk]
        .into_iter()
        .find(|variant| variant.as_str() == name)
        .ok_or_else(|| RunError::Usage(format!("unknown variant '{name}'")))
}

fn dialect_of(name: &str) -> Result<archive::Dialect, RunError> {
    let known: Vec<&str> = archive::Dialect::ALL
        .iter()
        .map(|dialect| dialect.as_str())
        .collect();
    let found = archive::Dialect::ALL
        .iter()
        .copied()
        .find(|dialect| dialect.as_str() == name);
    found.ok_or_else(|| {
        let nearest = crate::job::nearest_word(name, &known).unwrap_or_default();
        RunError::Usage(format!(
            "unknown dialect '{name}'; the nearest is '{nearest}' (known: {})",
            known.join(", ")
        ))
    })
}

fn usage(error: &dyn std::fmt::Display) -> RunError {
    RunError::Usage(error.to_string())
}
