//! One game under several rule sets: what each makes of it, where they part, and which switch explains it.
//!
//! A verdict is what the board shows under a rule set. A declared ending that no board shows (resignation, time,
//! agreement, ...) stands beside it, with the result that the rule set gives to it.

use std::sync::Arc;

use archive::RawGame;
use notation::read::Letters;
use rules::{Authority, Ended, Ending, GameResult, Ruleset, RulesetId};

use crate::commands::Commands;
use crate::declared::Declared;
use crate::inferred;
use crate::note::Notebook;
use crate::parting::explain;
use crate::place::Place;
use crate::script::{Origin, Outcome, Script};
use crate::start;
use crate::walk::{Stop, Walk};

/// What one rule set makes of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The rule set.
    pub rule_set: RulesetId,
    /// Whose text it is.
    pub authority: Authority,
    /// Whether it is the one that judges the game.
    pub judging: bool,
    /// The first ending the board shows under it; none while the board is not over.
    pub ended: Option<Ended>,
    /// What it makes of a declared ending that the board does not show; none where the record declares none, where its
    /// board was over first, or where it could not read the record to its end.
    pub declared: Option<(Ending, Option<GameResult>)>,
    /// The first ply that it does not allow, and why.
    pub refused: Option<Refused>,
    /// Where it parts from the judging rule set; none if both judge alike.
    pub parting: Option<Parting>,
}

/// A ply that a rule set does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The ply, 1-based; 0 if it is the start position.
    pub ply: u32,
    /// Why, in one sentence.
    pub reason: String,
}

/// Where and why two rule sets judge a game differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parting {
    /// The first ply after which, or at which if it is refused, they differ.
    pub ply: u32,
    /// The switch that explains it: with its value taken from the other rule set, the judging one judges as the other
    /// does. More than one where no single switch does so; then none of them can be left out. None if the switches
    /// do not explain it.
    pub switches: Vec<&'static str>,
}

/// A record as the judging rule set read it, as far as it did.
pub(crate) struct Reading<'a> {
    pub(crate) raw: &'a RawGame,
    pub(crate) place: &'a Place,
    pub(crate) letters: &'a Letters,
    pub(crate) declared: Declared,
    /// The script of the good plies; none where the start position was refused.
    pub(crate) script: Option<Script>,
    /// How reading ended.
    pub(crate) end: ReadingEnd,
}

/// How the judging rule set's reading of a record ended.
#[derive(Debug, Clone)]
pub(crate) enum ReadingEnd {
    /// With the record.
    Whole,
    /// With the game: more moves are written.
    GameOver,
    /// With a ply that it does not allow.
    Refused(Refused),
}

/// The verdicts on a game: the judging rule set's first, then those of `others` that are of its variant, as they come.
pub(crate) fn verdicts(
    reading: Reading<'_>,
    judging: &Arc<Ruleset>,
    others: &[Arc<Ruleset>],
) -> Vec<Verdict> {
    let others: Vec<&Arc<Ruleset>> = others
        .iter()
        .filter(|other| other.variant() == judging.variant() && other.id() != judging.id())
        .collect();
    if others.is_empty() {
        return Vec::new();
    }
    let mut tellings = Vec::new();
    let script = farthest(reading, judging, &others, &mut tellings);
    let judge = |rules: &Arc<Ruleset>| match &script {
        Some(script) => script.play_endings(rules),
        None => unstarted(),
    };
    let own = judge(judging);
    let verdict = |rules: &Arc<Ruleset>, outcome: &Outcome, parting| {
        let told = |ply| {
            let mut own = tellings.iter().filter(|(by, _)| by == rules.id());
            own.find(|(_, refused)| refused.ply == ply)
        };
        Verdict {
            rule_set: rules.id().clone(),
            authority: rules.authority(),
            judging: rules.id() == judging.id(),
            ended: outcome.endings.first,
            declared: outcome.declared,
            refused: outcome.refused.map(|ply| match told(ply) {
                Some((_, refused)) => refused.clone(),
                None => Refused {
                    ply,
                    reason: script
                        .as_ref()
                        .map_or_else(String::new, |script| script.why(rules, ply)),
                },
            }),
            parting,
        }
    };
    let mut all = vec![verdict(judging, &own, None)];
    for other in others {
        let outcome = judge(other);
        let parting = part(&own, &outcome, script.as_ref()).map(|ply| Parting {
            ply,
            switches: explain(judging, other, |hybrid| same(&judge(hybrid), &outcome)),
        });
        all.push(verdict(other, &outcome, parting));
    }
    all
}

/// The record as far as any of the rule sets can read it, and in `tellings` where and why each that read it stopped. Where
/// the judging one stopped short of the end, the others are asked to read on, and the first of those that get farthest
/// is taken.
fn farthest(
    reading: Reading<'_>,
    judging: &Arc<Ruleset>,
    others: &[&Arc<Ruleset>],
    tellings: &mut Vec<(RulesetId, Refused)>,
) -> Option<Script> {
    let mut best = match &reading.end {
        ReadingEnd::Whole => return reading.script,
        ReadingEnd::GameOver => reading.script.clone(),
        ReadingEnd::Refused(refused) => {
            tellings.push((judging.id().clone(), refused.clone()));
            reading.script.clone().map(Script::broken)
        }
    };
    for rules in others {
        let (script, refused) = reading.under(rules);
        tellings.extend(refused.map(|refused| (rules.id().clone(), refused)));
        let most = best.as_ref().map(Script::plies);
        if script.is_some() && script.as_ref().map(Script::plies) > most {
            best = script;
        }
    }
    best
}

impl Reading<'_> {
    /// The record as another rule set reads it, and where that stops.
    fn under(&self, rules: &Arc<Ruleset>) -> (Option<Script>, Option<Refused>) {
        let mut notes = Notebook::default();
        let read = match start::read(self.raw, self.place, rules, &mut notes) {
            Ok(start) => start,
            Err(reason) => return (None, Some(Refused { ply: 0, reason })),
        };
        let origin = Origin::of(&read);
        let letters = self.letters.clone();
        let commands = Commands::of(self.raw);
        let commands =
            inferred::completed(commands, self.raw, self.place, letters.clone(), &read.line);
        let commanded = commands.said();
        let mut walk = Walk::new(self.raw, self.place, letters, read.line, commands);
        let stop = walk.run(&mut notes);
        let moves = walk.plies.iter().map(|ply| ply.mv).collect();
        let script = Script::new(origin, moves, commanded, self.declared);
        match stop {
            Stop::Refused { ply, reason } => (Some(script.broken()), Some(Refused { ply, reason })),
            Stop::Done | Stop::AfterEnd { .. } => (Some(script), None),
        }
    }
}

/// The outcome where nobody can read the start position.
fn unstarted() -> Outcome {
    Outcome {
        endings: crate::endings::Endings::default(),
        refused: Some(0),
        declared: None,
        counts: Vec::new(),
        starts: Vec::new(),
    }
}

/// Whether two outcomes are one verdict.
fn same(a: &Outcome, b: &Outcome) -> bool {
    (a.endings.first, a.refused, a.declared) == (b.endings.first, b.refused, b.declared)
}

/// The ply at which two outcomes part, if they do.
fn part(a: &Outcome, b: &Outcome, script: Option<&Script>) -> Option<u32> {
    if same(a, b) {
        return None;
    }
    let mut plies = Vec::new();
    if a.endings.first != b.endings.first {
        plies.extend([a, b].iter().filter_map(|one| Some(one.endings.first?.ply)));
    }
    if a.refused != b.refused {
        plies.extend([a, b].iter().filter_map(|one| one.refused));
    }
    // A declared ending comes after the last ply.
    let last = script.map_or(0, Script::plies);
    Some(plies.into_iter().min().unwrap_or(last))
}
