//! What the record says about counts, against the counts as they ran or could have run.

use rules::ruleset::CounterMate;
use rules::{Color, CountKind, Ended, Ending, GameResult};
use serde_json::{Value, json};

use super::{Case, side, words};
use crate::commands::Said;
use crate::endings::Aspect;
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::ledger::StartInterval;
use crate::note::Notebook;
use crate::readings::Readings;
use crate::record::ReplayedPly;
use crate::silence::Silence;

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
        let ply_of =
            |said: &Said| Some((*said, self.plies.get((said.ply as usize).checked_sub(1)?)?));
        let said: Vec<_> = self.said.iter().filter_map(ply_of).collect();
        let right = |said: &Said, ply: &ReplayedPly| {
            ply.count.is_some_and(|count| {
                (count.number.0, count.limit.0) == (said.number.into(), said.limit.into())
            })
        };
        let wrong: Vec<_> = said
            .iter()
            .filter(|(said, ply)| !right(said, ply))
            .collect();
        if let Some((said, ply)) = wrong.first() {
            let is = match ply.count {
                Some(count) => format!("it is {} of {}", count.number.0, count.limit.0),
                None => "no count runs".to_owned(),
            };
            let message = format!(
                "the record says count {} of {} at ply {}, but {is}",
                said.number, said.limit, said.ply
            );
            let evidence = json!({ "wrong_numbers": wrong.len() });
            notes.add(self.wrong_number(said, ply, message, evidence));
            return;
        }
        // Right, but with the other side's moves: the numbers belong to the counting side's (RULES 8.5).
        let counts = |ply: &ReplayedPly| ply.count.is_some_and(|count| count.side == ply.side);
        let mut misplaced = said.iter().filter(|(_, ply)| !counts(ply));
        if let Some((said, ply)) = misplaced.next() {
            let message = format!(
                "the record says count {} of {} at ply {} with a move of {}, but {} is counting",
                said.number,
                said.limit,
                said.ply,
                side(ply.side),
                side(!ply.side)
            );
            let evidence = json!({ "misplaced_numbers": 1 + misplaced.count() });
            let finding = self.wrong_number(said, ply, message, evidence);
            notes.add(finding.severity(Severity::Note));
        }
    }

    fn wrong_number(
        &self,
        said: &Said,
        ply: &ReplayedPly,
        message: String,
        mut evidence: Value,
    ) -> Finding {
        if let Some(fields) = evidence.as_object_mut() {
            let words = json!({ "number": said.number, "limit": said.limit });
            fields.insert("said".into(), words);
            fields.insert("is".into(), json!(ply.count.map(shown)));
        }
        Finding::new(FindingCode::CountNumberWrong, message)
            .at_ply(said.ply)
            .under(self.line.ruleset().id())
            .with(&evidence)
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
            count.number.0,
            count.limit.0
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

    /// Counts that nobody is known to have started, and that would have run out.
    pub(super) fn silent_counts(&self, notes: &mut Notebook) {
        for silence in self.silences.iter() {
            self.silent_count(silence, notes);
        }
    }

    fn silent_count(&self, silence: &Silence, notes: &mut Notebook) {
        let kind = silence.kind();
        let of_kind = self.starts.iter().filter(|start| start.kind == kind);
        let expiring: Vec<_> = of_kind.filter(|start| start.expires.is_some()).collect();
        let Some(first) = expiring.iter().filter_map(|start| start.expires).min() else {
            return;
        };
        let plies: Value = expiring
            .iter()
            .map(|start| {
                json!({
                    "side": start.side.letter().to_string(),
                    "ply": start.expires,
                    "latest_start": start.latest_in_time,
                })
            })
            .collect();
        let switch = match kind {
            CountKind::Board => "board_start",
            CountKind::Pieces => "pieces_start",
        };
        let evidence = json!({
            "start_ply_earliest": silence.first(),
            "start_ply_latest": silence.last(),
            "expires_after": plies,
            "interrupted": expiring.iter().any(|start| start.broken),
            "switch": switch,
        });
        let draw = self.declared.result == Some(GameResult::Draw);
        let explained = self
            .decisive()
            .is_some_and(|(ended, _)| ended.result == GameResult::Draw && !self.is_passed(ended));
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
            "a {}'s honour count started at ply {} would have run out after ply {first}; {tail}",
            kind.as_str(),
            silence.first()
        );
        let finding = Finding::new(code, message)
            .at_ply(first)
            .certainty(Certainty::Possible)
            .under(self.line.ruleset().id())
            .with(&evidence);
        notes.add(finding);
    }

    /// A mate by a side that may have been counting, where that would be a draw and the record is silent.
    pub(super) fn mate_by_silent_side(&self, notes: &mut Notebook) {
        let Some((ended, winner)) = self.mate_by_silent_count() else {
            return;
        };
        let message = format!(
            "{} mates and may have been counting the board's honour, which would be a draw; the record does not say so",
            side(winner)
        );
        let evidence = json!({
            "side": winner.letter().to_string(),
            "start_ply_earliest": self.start_of(CountKind::Board, winner).map(|start| start.earliest),
            "switch": "board_start",
        });
        let finding = Finding::new(FindingCode::MateByCountingSide, message)
            .severity(Severity::Note)
            .certainty(Certainty::Possible)
            .at_ply(ended.ply)
            .under(self.line.ruleset().id())
            .with(&evidence);
        notes.add(finding);
    }

    /// The mate of the last position, and the side that gave it, if that side may have been counting: see
    /// [`Silence::may_count_at_end`].
    fn mate_by_silent_count(&self) -> Option<(Ended, Color)> {
        let mate = self.endings.last?;
        let winner = mate.result.winner()?;
        let silence = self.silences.of(CountKind::Board)?;
        let draws = self.line.ruleset().counter_mate == CounterMate::Draw;
        let counts = mate.ending == Ending::Checkmate && silence.may_count_at_end(winner);
        (draws && counts).then_some((mate, winner))
    }

    fn start_of(&self, kind: CountKind, side: Color) -> Option<&StartInterval> {
        let mut starts = self.starts.iter();
        starts.find(|start| (start.kind, start.side) == (kind, side))
    }

    /// Whether a count of this kind that the record does not tell of can have run out.
    pub(super) fn could_expire(&self, kind: CountKind) -> bool {
        let mut of_kind = self.starts.iter().filter(|start| start.kind == kind);
        of_kind.any(|start| start.expires.is_some())
    }

    /// Whether a count that the record does not tell of can have drawn the game before this win, or by it: then neither the
    /// win nor a draw is proved.
    pub(super) fn silent_draw(&self, won: Ended) -> bool {
        let before = |start: &StartInterval| start.expires.is_some_and(|ply| ply < won.ply);
        let expired = self.starts.iter().any(before);
        let by_mate = self
            .mate_by_silent_count()
            .is_some_and(|(mate, _)| mate == won);
        won.result != GameResult::Draw && (expired || by_mate)
    }

    /// Whether the declared ending leaves room for a draw by a count that the record does not tell of.
    pub(super) fn silent_draw_declared(&self, won: Ended) -> bool {
        use Ending::{BoardCount, MateByCounter, PiecesCount};
        let ending = self.declared.ending;
        let room = matches!(
            ending,
            None | Some(BoardCount | MateByCounter | PiecesCount)
        );
        self.declared.result == Some(GameResult::Draw) && room && self.silent_draw(won)
    }

    /// A declared draw by counting that the board does not show.
    pub(super) fn count_draw(
        &self,
        declared: Ending,
        readings: &mut Readings<'_>,
        notes: &mut Notebook,
    ) {
        let kind = match declared {
            Ending::BoardCount => CountKind::Board,
            _ => CountKind::Pieces,
        };
        if self.could_expire(kind) {
            return;
        }
        let silence = self.silences.of(kind);
        let last = self.line.count();
        let why = match (declared, last) {
            (_, Some(count)) => {
                format!(
                    "the count stands at {} of {}",
                    count.number.0, count.limit.0
                )
            }
            _ => match (silence, kind) {
                (Some(silence), _) => format!("it could not start before ply {}", silence.first()),
                (None, CountKind::Board) => "the board never allowed it".to_owned(),
                (None, CountKind::Pieces) => "no such count ever ran".to_owned(),
            },
        };
        let message = format!(
            "a draw by {} is declared, but it cannot have run out: {why}",
            words(declared)
        );
        let evidence = json!({
            "declared": declared.as_str(),
            "count": last.map(shown),
            "start_ply_earliest": silence.map(Silence::first),
        });
        let finding =
            Finding::new(FindingCode::CountDrawImpossible, message).at_ply(self.last_ply());
        let mut finding = readings.weigh(finding, Aspect::Counted, None, evidence);
        if readings.could_expire(kind) {
            let other = "; under another reading one that the record does not tell of could have";
            finding.message.push_str(other);
            finding.certainty = Certainty::Possible;
        }
        notes.add(finding);
    }
}

fn shown(count: rules::Count) -> Value {
    json!({ "kind": count.kind.as_str(), "number": count.number.0, "limit": count.limit.0 })
}
