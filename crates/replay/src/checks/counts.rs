//! What the record says about counts, against the counts as they ran or could have run.

use rules::{Ending, GameResult, Line, Plies};
use serde_json::{Value, json};

use super::{Case, side, words};
use crate::endings::Aspect;
use crate::episodes::Silence;
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::note::Notebook;
use crate::readings::Readings;

/// Whether a silent stretch is long enough for a count to run out in it.
pub(crate) fn may_expire(silence: &Silence, line: &Line) -> bool {
    Plies(silence.plies() + 2) >= line.ruleset().board_limit.plies()
}

impl Case<'_> {
    /// Play that went on after a count had run out.
    pub(super) fn count_played_on(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let passed = self.endings.counted.filter(|&ended| self.is_passed(ended));
        let Some(ended) = passed else { return };
        let message = format!(
            "{} had run out with ply {}, a draw; {} more plies were played",
            words(ended.ending),
            ended.ply,
            self.last_ply() - ended.ply
        );
        let finding = Finding::new(FindingCode::CountPlayedOn, message)
            .at_ply(ended.ply + 1)
            .in_position(self.fen_of(Aspect::Counted));
        let evidence = self.passed_evidence(ended);
        notes.add(readings.weigh(finding, Aspect::Counted, Some(ended), evidence));
    }

    /// Numbers said in the record against the count as it runs.
    pub(super) fn numbers(&self, notes: &mut Notebook) {
        let count_at = |ply: u32| self.plies.get(ply as usize - 1).map(|ply| ply.count);
        let wrong: Vec<_> = self
            .said
            .iter()
            .filter_map(|said| Some((said, count_at(said.ply)?)))
            .filter(|(said, count)| {
                count.is_none_or(|count| {
                    (count.number.0, count.limit.0) != (said.number.into(), said.limit.into())
                })
            })
            .collect();
        let Some((said, count)) = wrong.first() else {
            return;
        };
        let is = match count {
            Some(count) => format!("it is {} of {}", count.number, count.limit),
            None => "no count runs".to_owned(),
        };
        let message = format!(
            "the record says count {} of {} at ply {}, but {is}",
            said.number, said.limit, said.ply
        );
        let evidence = json!({
            "said": { "number": said.number, "limit": said.limit },
            "is": count.map(shown),
            "wrong_numbers": wrong.len(),
        });
        let finding = Finding::new(FindingCode::CountNumberWrong, message)
            .at_ply(said.ply)
            .under(self.line.ruleset().id())
            .with(&evidence);
        notes.add(finding);
    }

    pub(super) fn mate_by_counting_side(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let mated = |ending| matches!(ending, Ending::Checkmate | Ending::MateByCounter);
        let Some(ended) = self.endings.last.filter(|ended| mated(ended.ending)) else {
            return;
        };
        let winner = !self.line.position().turn();
        let Some(count) = self.line.count().filter(|count| count.side == winner) else {
            return;
        };
        let (what, severity) = match ended.ending {
            Ending::MateByCounter => ("a draw", Severity::Warning),
            _ => ("a win", Severity::Note),
        };
        let message = format!(
            "{} mates while it counts ({} of {}): {what} under this rule set",
            side(winner),
            count.number,
            count.limit
        );
        let finding = Finding::new(FindingCode::MateByCountingSide, message)
            .severity(severity)
            .at_ply(ended.ply);
        let evidence = json!({
            "side": winner.letter().to_string(),
            "count": shown(count),
            "switch": "counter_mate",
        });
        notes.add(readings.weigh(finding, Aspect::Last, Some(ended), evidence));
    }

    /// A board's honour count that nobody is known to have started.
    pub(super) fn silent_count(&self, notes: &mut Notebook) {
        let first = self.expiries.iter().map(|&(_, ply)| ply).min();
        let (Some(silence), Some(first)) = (self.silence, first) else {
            return;
        };
        let plies: Value = self
            .expiries
            .iter()
            .map(|(side, ply)| json!({ "side": side.letter().to_string(), "ply": ply }))
            .collect();
        let evidence = json!({
            "start_ply_earliest": silence.first,
            "start_ply_latest": silence.last,
            "expires_after": plies,
            "interrupted": silence.is_broken(),
            "switch": "board_start",
        });
        let draw = self.declared.result == Some(GameResult::Draw);
        let explained = self
            .decisive()
            .is_some_and(|(ended, _)| !self.is_passed(ended));
        let (code, tail) = match draw && !explained {
            true => (
                FindingCode::CountDrawPossible,
                "it could explain the declared draw",
            ),
            false => (
                FindingCode::CountCouldHaveExpired,
                "the record does not say that anyone counted",
            ),
        };
        let message = format!(
            "a board's honour count started at ply {} would have run out after ply {first}; {tail}",
            silence.first
        );
        let finding = Finding::new(code, message)
            .at_ply(first)
            .certainty(Certainty::Possible)
            .under(self.line.ruleset().id())
            .with(&evidence);
        notes.add(finding);
    }

    /// A declared draw by counting that the board does not show.
    pub(super) fn count_draw(
        &self,
        declared: Ending,
        readings: &mut Readings<'_>,
        notes: &mut Notebook,
    ) {
        if declared == Ending::BoardCount && !self.expiries.is_empty() {
            return;
        }
        let last = self.line.count();
        let why = match (declared, last) {
            (_, Some(count)) => format!("the count stands at {} of {}", count.number, count.limit),
            (Ending::BoardCount, None) => match self.silence {
                Some(silence) => format!("it could not start before ply {}", silence.first),
                None => "the board never allowed it".to_owned(),
            },
            _ => "no such count ever ran".to_owned(),
        };
        let message = format!(
            "a draw by {} is declared, but it cannot have run out: {why}",
            words(declared)
        );
        let evidence = json!({
            "declared": declared.as_str(),
            "count": last.map(shown),
            "start_ply_earliest": self.silence.map(|silence| silence.first),
        });
        let finding =
            Finding::new(FindingCode::CountDrawImpossible, message).at_ply(self.last_ply());
        notes.add(readings.weigh(finding, Aspect::Counted, None, evidence));
    }
}

fn shown(count: rules::Count) -> Value {
    json!({ "kind": count.kind.as_str(), "number": count.number.0, "limit": count.limit.0 })
}
