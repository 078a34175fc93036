//! How other readings of the rules judge the same game, and what that does to the certainty of a finding.

use std::sync::Arc;

use rules::{Ended, Ruleset};
use serde_json::{Value, json};

use crate::finding::{Certainty, Finding};
use crate::judge::{Judge, Ruling};
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
    /// The one switch that explains the difference, where one does.
    switch: Option<String>,
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
        ended: Option<Ended>,
        mut evidence: Value,
    ) -> Finding {
        let rules = &self.ruling.rules;
        if let Some(fields) = evidence.as_object_mut() {
            fields.insert("authority".into(), rules.authority().as_str().into());
            fields.insert("bound".into(), self.ruling.bound.into());
        }
        if self.ruling.bound {
            return finding
                .certainty(Certainty::Proved)
                .under(rules.id())
                .with(&evidence);
        }
        let mine = own(rules, ended);
        let others = self.others();
        let agree = others
            .iter()
            .all(|other| other.outcome.refused.is_none() && other.outcome.ended == ended);
        if !agree {
            let mut readings = vec![mine];
            readings.extend(others.iter().map(Reading::evidence));
            if let Some(fields) = evidence.as_object_mut() {
                fields.insert("readings".into(), readings.into());
            }
        }
        let message = if agree {
            String::new()
        } else {
            differences(ended, others)
        };
        let certainty = if agree {
            Certainty::Proved
        } else {
            Certainty::Possible
        };
        let mut finding = finding
            .certainty(certainty)
            .under(self.ruling.rules.id())
            .with(&evidence);
        finding.message.push_str(&message);
        finding
    }

    /// Whether this ending stands whatever rule set one reads: bound, or found alike by all.
    pub(crate) fn stands(&mut self, ended: Option<Ended>) -> bool {
        self.ruling.bound
            || self
                .others()
                .iter()
                .all(|other| other.outcome.refused.is_none() && other.outcome.ended == ended)
    }

    fn others(&mut self) -> &[Reading] {
        let (judge, ruling, script) = (self.judge, self.ruling, self.script);
        self.others.get_or_insert_with(|| {
            let mine = script.play(&ruling.rules);
            let readings = judge.other_readings(&ruling.rules).into_iter();
            readings
                .map(|rules| {
                    let outcome = script.play(&rules);
                    let differs = outcome != mine;
                    let switch = if differs {
                        explain(&ruling.rules, &rules, script, outcome)
                    } else {
                        None
                    };
                    Reading {
                        rules,
                        outcome,
                        switch,
                    }
                })
                .collect()
        })
    }
}

impl Reading {
    fn evidence(&self) -> Value {
        let mut value = own(&self.rules, self.outcome.ended);
        if let Some(fields) = value.as_object_mut() {
            if let Some(switch) = &self.switch {
                fields.insert("switch".into(), switch.as_str().into());
            }
            if let Some(ply) = self.outcome.refused {
                fields.insert("refuses_ply".into(), ply.into());
            }
        }
        value
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

fn differences(ended: Option<Ended>, others: &[Reading]) -> String {
    let differing = others
        .iter()
        .filter(|other| other.outcome.refused.is_some() || other.outcome.ended != ended);
    let phrases: Vec<String> = differing
        .map(|other| {
            let what = match (other.outcome.refused, other.outcome.ended) {
                (Some(ply), None) => format!("does not allow ply {ply}"),
                (_, Some(ended)) => format!(
                    "finds {} after ply {}",
                    ended.ending.as_str().replace('_', " "),
                    ended.ply
                ),
                (None, None) => "finds no ending".to_owned(),
            };
            let switch = other
                .switch
                .as_ref()
                .map_or_else(String::new, |switch| format!(" (switch {switch})"));
            format!("{} {what}{switch}", other.rules.id())
        })
        .collect();
    format!("; nothing binds the rule set: {}", phrases.join("; "))
}

/// The one switch which, taken from the other rule set, makes ours judge the game as the other does.
fn explain(
    mine: &Ruleset,
    other: &Ruleset,
    script: &Script<'_>,
    outcome: Outcome,
) -> Option<String> {
    let differing = mine
        .switches()
        .iter()
        .zip(other.switches())
        .filter(|(a, b)| a.name == b.name && a.value != b.value);
    differing
        .filter_map(|(_, switch)| {
            let text = format!(
                "id = \"one-switch\"\ntitle = \"\"\nbased_on = \"{}\"\nauthority = \"assumed\"\n[switches]\n{} = {{ value = {}, source = \"\" }}\n",
                mine.id(),
                switch.name,
                toml_value(&switch.value)
            );
            let changed = Ruleset::from_toml(&text).ok()?;
            (script.play(&changed) == outcome).then(|| switch.name.to_owned())
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
