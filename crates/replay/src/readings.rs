//! How other readings of the rules judge the same game, and what that does to the certainty of a finding.

use std::sync::Arc;

use rules::{Ended, Ruleset};
use serde_json::{Value, json};

use crate::endings::Aspect;
use crate::finding::{Certainty, Finding};
use crate::judge::{Judge, Ruling};
use crate::ledger::CountEpisode;
use crate::script::{Outcome, Script};

/// The readings of one game, played only when a finding asks for them.
pub(crate) struct Readings<'a> {
    judge: &'a Judge,
    ruling: &'a Ruling,
    script: &'a Script<'a>,
    others: Option<Vec<Reading>>,
}

/// One other reading.
struct Reading {
    rules: Arc<Ruleset>,
    outcome: Outcome,
}

impl<'a> Readings<'a> {
    pub(crate) fn new(
        judge: &'a Judge,
        ruling: &'a Ruling,
        script: &'a Script<'a>,
    ) -> Readings<'a> {
        Readings {
            judge,
            ruling,
            script,
            others: None,
        }
    }

    /// Marks a finding about an ending as `proved` or `possible`, with the readings as evidence: proved if the game is
    /// bound to its rule set or if all readings find this ending at this ply.
    pub(crate) fn weigh(
        &mut self,
        finding: Finding,
        aspect: Aspect,
        ended: Option<Ended>,
        mut evidence: Value,
    ) -> Finding {
        let rules = &self.ruling.rules;
        let mut finding = finding.under(rules.id());
        finding.certainty = Certainty::Proved;
        let bound = self.ruling.bound;
        if let Some(fields) = evidence.as_object_mut() {
            fields.insert("authority".into(), rules.authority().as_str().into());
            fields.insert("bound".into(), bound.into());
        }
        if !bound && !self.stands(aspect, ended) {
            finding.certainty = Certainty::Possible;
            let script = self.script;
            let mut readings = vec![own(rules, ended)];
            let mut phrases = Vec::new();
            for other in self.others() {
                let differs = !other.agrees(aspect, ended);
                let switch = differs
                    .then(|| explain(rules, other, script, aspect))
                    .flatten();
                if differs {
                    phrases.push(other.phrase(aspect, switch));
                }
                readings.push(other.evidence(aspect, switch));
            }
            if let Some(fields) = evidence.as_object_mut() {
                fields.insert("readings".into(), readings.into());
            }
            let differences = phrases.join("; ");
            finding.message.push_str("; nothing binds the rule set: ");
            finding.message.push_str(&differences);
        }
        finding.with(&evidence)
    }

    /// Whether this ending stands whatever rule set one reads: bound, or found alike by all.
    pub(crate) fn stands(&mut self, aspect: Aspect, ended: Option<Ended>) -> bool {
        self.ruling.bound
            || self
                .others()
                .iter()
                .all(|other| other.agrees(aspect, ended))
    }

    /// How sure a count is that ran by itself: proved if the game is bound to its rule set or if all readings count alike.
    pub(crate) fn weigh_count(&mut self, episode: &CountEpisode) -> Certainty {
        let alike = |other: &Reading| {
            let counts = &other.outcome.counts;
            counts.iter().any(|count| count.same_count(episode))
        };
        if self.ruling.bound || self.others().iter().all(alike) {
            Certainty::Proved
        } else {
            Certainty::Possible
        }
    }

    /// Whether the game is bound to its rule set.
    pub(crate) fn is_bound(&self) -> bool {
        self.ruling.bound
    }

    fn others(&mut self) -> &[Reading] {
        let (judge, ruling, script) = (self.judge, self.ruling, self.script);
        self.others.get_or_insert_with(|| {
            let readings = judge.other_readings(&ruling.rules).into_iter();
            readings
                .map(|rules| Reading {
                    outcome: script.play(&rules),
                    rules,
                })
                .collect()
        })
    }
}

impl Reading {
    fn agrees(&self, aspect: Aspect, ended: Option<Ended>) -> bool {
        self.outcome.refused.is_none() && self.outcome.endings.of(aspect) == ended
    }

    fn evidence(&self, aspect: Aspect, switch: Option<&'static str>) -> Value {
        let mut value = own(&self.rules, self.outcome.endings.of(aspect));
        if let Some(fields) = value.as_object_mut() {
            if let Some(switch) = switch {
                fields.insert("switch".into(), switch.into());
            }
            if let Some(ply) = self.outcome.refused {
                fields.insert("refuses_ply".into(), ply.into());
            }
        }
        value
    }

    fn phrase(&self, aspect: Aspect, switch: Option<&'static str>) -> String {
        let what = match (self.outcome.refused, self.outcome.endings.of(aspect)) {
            (Some(ply), None) => format!("does not allow ply {ply}"),
            (_, Some(ended)) => {
                let ending = ended.ending.as_str().replace('_', " ");
                format!("finds {ending} after ply {}", ended.ply)
            }
            (None, None) => "finds no ending".to_owned(),
        };
        let switch = switch.map_or_else(String::new, |switch| format!(" (switch {switch})"));
        format!("{} {what}{switch}", self.rules.id())
    }
}

fn own(rules: &Ruleset, ended: Option<Ended>) -> Value {
    json!({
        "rule_set": rules.id().as_str(),
        "authority": rules.authority().as_str(),
        "ending": ended.map(|ended| ended.ending.as_str()),
        "ply": ended.map(|ended| ended.ply),
    })
}

/// The one switch which, taken from the other rule set, makes ours judge the game as the other does.
fn explain(
    mine: &Ruleset,
    other: &Reading,
    script: &Script<'_>,
    aspect: Aspect,
) -> Option<&'static str> {
    let wanted = other.outcome.endings.of(aspect);
    let pairs = mine.switches().iter().zip(other.rules.switches());
    let differing = pairs.filter(|(a, b)| a.name == b.name && a.value != b.value);
    differing
        .filter_map(|(_, switch)| {
            let text = format!(
                "id = \"one-switch\"\ntitle = \"\"\nbased_on = \"{}\"\nauthority = \"assumed\"\n[switches]\n{} = {{ value = {}, source = \"\" }}\n",
                mine.id(),
                switch.name,
                toml_value(&switch.value)
            );
            let changed = Ruleset::from_toml(&text).ok()?;
            let outcome = script.play(&changed);
            let explains = outcome.endings.of(aspect) == wanted && outcome.refused == other.outcome.refused;
            explains.then_some(switch.name)
        })
        .next()
}

/// A switch's value as its file would write it.
fn toml_value(shown: &str) -> String {
    match shown {
        "yes" => "true".to_owned(),
        "no" => "false".to_owned(),
        _ if shown.bytes().all(|byte| byte.is_ascii_digit()) => shown.to_owned(),
        _ => match shown
            .strip_prefix('[')
            .and_then(|list| list.strip_suffix(']'))
        {
            Some(list) => {
                let quoted: Vec<String> = list
                    .split(", ")
                    .filter(|name| !name.is_empty())
                    .map(|name| format!("\"{name}\""))
                    .collect();
                format!("[{}]", quoted.join(", "))
            }
            None => format!("\"{shown}\""),
        },
    }
}
