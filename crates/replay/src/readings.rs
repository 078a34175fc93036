//! How other readings of the rules judge the same game, and what that does to the certainty of a finding.

use std::cell::OnceCell;
use std::sync::Arc;

use rules::{CountKind, Ended, Ending, Plies, Ruleset};
use serde_json::{Value, json};

use crate::endings::Aspect;
use crate::finding::{Certainty, Finding};
use crate::judge::{Judge, Ruling, is_engine};
use crate::ledger::{CountEpisode, StartInterval};
use crate::parting::explain;
use crate::script::{Outcome, Script};

/// The readings of one game, each played only when a finding asks for it.
pub(crate) struct Readings<'a> {
    ruling: &'a Ruling,
    script: &'a Script,
    others: Vec<Reading>,
}

/// One other reading.
struct Reading {
    rules: Arc<Ruleset>,
    outcome: OnceCell<Outcome>,
}

impl<'a> Readings<'a> {
    pub(crate) fn new(judge: &Judge, ruling: &'a Ruling, script: &'a Script) -> Readings<'a> {
        let others = match ruling.bound {
            true => Vec::new(),
            false => judge.other_readings(&ruling.rules),
        };
        let reading = |rules| Reading {
            rules,
            outcome: OnceCell::new(),
        };
        Readings {
            ruling,
            script,
            others: others.into_iter().map(reading).collect(),
        }
    }

    /// Marks a finding about an ending as `proved` or `possible`: proved if the game is bound to its rule set or if every
    /// reading that is not an engine's finds this ending at this ply. All readings are the evidence, and those that
    /// differ are named in the message.
    pub(crate) fn weigh(
        &mut self,
        finding: Finding,
        aspect: Aspect,
        ended: Option<Ended>,
        mut evidence: Value,
    ) -> Finding {
        let rules = &self.ruling.rules;
        let mut finding = finding.under(rules.id());
        finding.certainty = match self.stands(aspect, ended) {
            true => Certainty::Proved,
            false => Certainty::Possible,
        };
        if let Some(fields) = evidence.as_object_mut() {
            fields.insert("authority".into(), rules.authority().as_str().into());
            fields.insert("bound".into(), self.ruling.bound.into());
        }
        if self.ruling.bound {
            return finding.with(&evidence);
        }
        let mut readings = vec![own(rules, ended)];
        let mut phrases = Vec::new();
        for other in &self.others {
            let switches = match other.agrees(self.script, aspect, ended) {
                true => Vec::new(),
                false => other.explained(rules, self.script, aspect),
            };
            if !other.agrees(self.script, aspect, ended) {
                phrases.push(other.phrase(self.script, aspect, &switches));
            }
            readings.push(other.evidence(self.script, aspect, &switches));
        }
        if let Some(fields) = evidence.as_object_mut() {
            fields.insert("readings".into(), readings.into());
        }
        if !phrases.is_empty() {
            let why = match finding.certainty {
                Certainty::Proved => "an engine differs",
                _ => "nothing binds the rule set",
            };
            finding.message = format!("{}; {why}: {}", finding.message, phrases.join("; "));
        }
        finding.with(&evidence)
    }

    /// Whether this ending stands whatever rule set one reads: bound, or found alike by all that are not an engine's.
    pub(crate) fn stands(&mut self, aspect: Aspect, ended: Option<Ended>) -> bool {
        self.people()
            .all(|other| other.agrees(self.script, aspect, ended))
    }

    /// How sure a count is that ran by itself: proved if the game is bound to its rule set or if all readings that are not
    /// an engine's count alike.
    pub(crate) fn weigh_count(&mut self, episode: &CountEpisode) -> Certainty {
        let alike = |other: &Reading| {
            let counts = &other.outcome(self.script).counts;
            counts.iter().any(|count| count.same_count(episode))
        };
        if self.people().all(alike) {
            Certainty::Proved
        } else {
            Certainty::Possible
        }
    }

    /// Whether a count that the record does not tell of can have run out under another reading; no where the game is bound.
    pub(crate) fn could_expire(&self, kind: CountKind) -> bool {
        let expires = |start: &StartInterval| start.kind == kind && start.expires.is_some();
        self.people()
            .any(|other| other.outcome(self.script).starts.iter().any(expires))
    }

    /// Whether the other readings grant a declared ending that the board does not show; yes where the game is bound.
    pub(crate) fn grant(&self, ending: Ending) -> bool {
        let grants = |other: &Reading| {
            let declared = other.outcome(self.script).declared;
            declared.is_some_and(|(granted, _)| granted == ending)
        };
        self.people().all(grants)
    }

    /// The length at which the first of the readings that are not an engine's ends a game, if one does.
    pub(crate) fn shortest_cap(&self) -> Option<Plies> {
        let caps = self.people().map(|other| other.rules.ply_cap);
        caps.filter(|cap| *cap > Plies::ZERO).min()
    }

    /// Whether the game is bound to its rule set.
    pub(crate) fn is_bound(&self) -> bool {
        self.ruling.bound
    }

    /// The other readings that decide how sure a finding is; none where the game is bound.
    fn people(&self) -> impl Iterator<Item = &Reading> {
        self.others.iter().filter(|other| !is_engine(&other.rules))
    }
}

impl Reading {
    fn outcome(&self, script: &Script) -> &Outcome {
        self.outcome.get_or_init(|| script.play(&self.rules))
    }

    fn agrees(&self, script: &Script, aspect: Aspect, ended: Option<Ended>) -> bool {
        let outcome = self.outcome(script);
        outcome.refused.is_none() && outcome.endings.of(aspect) == ended
    }

    /// The switches that make our rule set find what this reading finds.
    fn explained(&self, mine: &Ruleset, script: &Script, aspect: Aspect) -> Vec<&'static str> {
        let wanted = self.outcome(script);
        explain(mine, &self.rules, |hybrid| {
            let outcome = script.play_until(hybrid, aspect);
            outcome.endings.of(aspect) == wanted.endings.of(aspect)
                && outcome.refused == wanted.refused
        })
    }

    fn evidence(&self, script: &Script, aspect: Aspect, switches: &[&'static str]) -> Value {
        let outcome = self.outcome(script);
        let mut value = own(&self.rules, outcome.endings.of(aspect));
        if let Some(fields) = value.as_object_mut() {
            match switches {
                [] => {}
                [switch] => drop(fields.insert("switch".into(), (*switch).into())),
                several => drop(fields.insert("switches".into(), several.into())),
            }
            if let Some(ply) = outcome.refused {
                fields.insert("refuses_ply".into(), ply.into());
            }
        }
        value
    }

    fn phrase(&self, script: &Script, aspect: Aspect, switches: &[&'static str]) -> String {
        let outcome = self.outcome(script);
        let what = match (outcome.refused, outcome.endings.of(aspect)) {
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
