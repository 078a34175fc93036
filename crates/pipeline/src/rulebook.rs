//! The job's rules as the replay takes them: the judge, and its identity in keys.

use std::collections::BTreeMap;
use std::sync::Arc;

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
    pub(crate) fn new(choice: &RuleChoice) -> Result<Rulebook, RunError> {
        let mut judge = Judge::new().map_err(|error| usage(&error))?;
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
        let known: BTreeMap<String, Arc<Ruleset>> = judge
            .known()
            .map(|rules| (rules.id().to_string(), Arc::clone(rules)))
            .collect();
        let identity = identity(choice, &known);
        Ok(Rulebook {
            judge,
            known,
            identity,
        })
    }

    /// The rule set of this id.
    pub(crate) fn rule_set(&self, id: &str) -> Option<&Arc<Ruleset>> {
        self.known.get(id)
    }
}

/// Every known rule set counts, not only those chosen: a finding is proved only where all of them agree.
fn identity(choice: &RuleChoice, known: &BTreeMap<String, Arc<Ruleset>>) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    for (id, rules) in known {
        hasher.update(id.as_bytes());
        hasher.update(&rules.hash());
    }
    // Debug output of plain texts: changes with the choice, and only with it.
    hasher.update(format!("{choice:?}").as_bytes());
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
