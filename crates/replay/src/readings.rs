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
                let switches = if differs {
                    explain(rules, other, script, aspect)
                } else {
                    Vec::new()
                };
                if differs {
                    phrases.push(other.phrase(aspect, &switches));
                }
                readings.push(other.evidence(aspect, &switches));
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

    fn evidence(&self, aspect: Aspect, switches: &[&'static str]) -> Value {
        let mut value = own(&self.rules, self.outcome.endings.of(aspect));
        if let Some(fields) = value.as_object_mut() {
            match switches {
                [] => {}
                [switch] => drop(fields.insert("switch".into(), (*switch).into())),
                several => drop(fields.insert("switches".into(), several.into())),
            }
            if let Some(ply) = self.outcome.refused {
                fields.insert("refuses_ply".into(), ply.into());
            }
        }
        value
    }

    fn phrase(&self, aspect: Aspect, switches: &[&'static str]) -> String {
        let what = match (self.outcome.refused, self.outcome.endings.of(aspect)) {
            (Some(ply), None) => format!("does not allow ply {ply}"),
            (_, Some(ended)) => {
                let ending = ended.ending.as_str().replace('_', " ");
                format!("finds {ending} after ply {}", ended.ply)
            }
            (None, None) => "finds no ending".to_owned(),
        };
        let why = match switches {
            [] => String::new(),
            [switch] => format!(" (switch {switch})"),
            several => format!(" (switches {} together)", several.join(", ")),
        };
        format!("{} {what}{why}", self.rules.id())
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

/// The one switch which, taken from the other rule set, makes ours judge the game as the other does. If no single one
/// does, some that do it together, none of which can be left out; none if the switches do not explain it.
fn explain(
    mine: &Ruleset,
    other: &Reading,
    script: &Script<'_>,
    aspect: Aspect,
) -> Vec<&'static str> {
    let wanted = other.outcome.endings.of(aspect);
    let (own, others) = (mine.switches(), other.rules.switches());
    let pairs = own.iter().zip(others);
    let differing: Vec<Switch> = pairs
        .filter(|(a, b)| a.name == b.name && a.value != b.value)
        .map(|(_, b)| (b.name, toml_value(&b.value)))
        .collect();
    let explains = |switches: &[Switch]| {
        with_switches(mine, switches).is_some_and(|changed| {
            let outcome = script.play(&changed);
            outcome.endings.of(aspect) == wanted && outcome.refused == other.outcome.refused
        })
    };
    let names = |switches: &[Switch]| switches.iter().map(|switch| switch.0).collect();
    if let Some(alone) = differing.chunks(1).find(|switch| explains(switch)) {
        return names(alone);
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
    names(&needed)
}

/// A switch's name, and its value as a rule set file writes it.
type Switch = (&'static str, String);

/// A rule set with some switches set otherwise.
fn with_switches(rules: &Ruleset, switches: &[Switch]) -> Option<Arc<Ruleset>> {
    use std::fmt::Write;
    let mut text = format!(
        "id = \"other-switches\"\ntitle = \"\"\nbased_on = \"{}\"\nauthority = \"assumed\"\n[switches]\n",
        rules.id()
    );
    for (name, value) in switches {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{name} = {{ value = {value}, source = \"\" }}");
    }
    Ruleset::from_toml(&text).ok()
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
