//! Declared results and endings against the board.

use notation::fen;
use rules::ruleset::{RepetitionRule, TimeVBare};
use rules::{Authority, Color, CountKind, Ended, Ending, GameResult, MoveKind, Plies};
use serde_json::json;

use super::{Case, is_hard, side, words};
use crate::endings::{Aspect, is_count, leaves_no_move};
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::note::Notebook;
use crate::readings::Readings;
use crate::record::ReplayedPly;

impl Case<'_> {
    pub(super) fn result(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let Some(declared) = self.declared.result else {
            return self.no_result(readings, notes);
        };
        let decisive = self.decisive();
        // A last position without a move speaks for itself, unless the declared result fits what decided before.
        let fits = decisive.is_some_and(|(ended, _)| ended.result == declared);
        let last = self
            .endings
            .last
            .filter(|last| last.result != declared && !fits);
        if let Some(last) = last {
            let finding = self
                .contradiction(declared, last)
                .severity(Severity::Critical);
            let finding = self.weigh_contradiction(finding, last, Aspect::Last, readings);
            notes.add(self.doubted(finding, last));
            return;
        }
        let Some((ended, aspect)) = decisive.filter(|(ended, _)| ended.result != declared) else {
            return;
        };
        let severity = match ended.ending {
            ending if is_hard(ending) => Severity::Critical,
            // Said already: play went on.
            _ if self.is_passed(ended) => return,
            ending if is_count(ending) => Severity::Error,
            _ => Severity::Warning,
        };
        let finding = self.contradiction(declared, ended).severity(severity);
        let finding = self.weigh_contradiction(finding, ended, aspect, readings);
        notes.add(self.doubted(finding, ended));
    }

    /// A contradiction that a count which the record does not tell of could explain is only possible.
    fn doubted(&self, mut finding: Finding, won: Ended) -> Finding {
        if self.silent_draw_declared(won) {
            finding
                .message
                .push_str("; a count that the record does not tell of could explain it");
            finding
                .severity(Severity::Error)
                .certainty(Certainty::Possible)
        } else {
            finding
        }
    }

    fn contradiction(&self, declared: GameResult, ended: Ended) -> Finding {
        let message = format!(
            "the record says {declared}, the board {} by {} after ply {}",
            ended.result,
            words(ended.ending),
            ended.ply
        );
        Finding::new(FindingCode::ResultContradictsBoard, message).at_ply(ended.ply)
    }

    fn weigh_contradiction(
        &self,
        finding: Finding,
        ended: Ended,
        aspect: Aspect,
        readings: &mut Readings<'_>,
    ) -> Finding {
        let evidence = json!({
            "declared": self.declared.result.map(GameResult::as_str),
            "ending_declared": self.declared.ending.map(Ending::as_str),
            "derived": ended.result.as_str(),
            "ending": ended.ending.as_str(),
            "ending_ply": ended.ply,
        });
        let finding = finding.in_position(self.fen_of(aspect));
        readings.weigh(finding, aspect, Some(ended), evidence)
    }

    fn no_result(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        if let Some((ended, aspect)) = self.decisive() {
            let message = format!(
                "the record has no result; the board says {} by {}",
                ended.result,
                words(ended.ending)
            );
            let evidence = json!({
                "ending": ended.ending.as_str(),
                "result": ended.result.as_str(),
                "ply": ended.ply,
            });
            let finding = Finding::new(FindingCode::ResultMissing, message);
            notes.add(readings.weigh(finding, aspect, Some(ended), evidence));
        } else if self.declared.open {
            let message =
                "the record has no result (`*`), and the last position is no end of the game";
            notes.add(Finding::new(FindingCode::UnfinishedGame, message));
        } else {
            let message = "the record does not say how the game ended, and the board is not over";
            notes.add(Finding::new(FindingCode::ResultMissing, message));
        }
    }

    /// The declared ending against the board.
    pub(super) fn ending(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let Some(declared) = self.declared.ending else {
            return;
        };
        if !declared.is_on_board() {
            self.words_against_result(declared, readings, notes);
            return;
        }
        let repeated = declared == Ending::Repetition && self.thirds.first_ply.is_some();
        if repeated || self.endings.has(declared) {
            return;
        }
        match self.decisive() {
            None if is_count(declared) => self.count_draw(declared, readings, notes),
            None => {
                let what = words(declared);
                let message = match declared {
                    Ending::Repetition => {
                        format!("the record says {what}, but no position stood three times")
                    }
                    _ => format!("the record says {what}, but the board is not over so"),
                };
                let severity = match is_hard(declared) {
                    true => Severity::Error,
                    false => Severity::Warning,
                };
                let finding = Finding::new(FindingCode::EndingMismatch, message).severity(severity);
                let evidence = json!({ "declared": declared.as_str() });
                notes.add(readings.weigh(finding, Aspect::First, None, evidence));
            }
            // A contradiction of results is the graver finding and has been made.
            Some((ended, _)) if self.declared.result.is_some_and(|r| r != ended.result) => {}
            Some((ended, aspect)) => {
                let (declared_words, derived) = (words(declared), words(ended.ending));
                let message = format!("the record says {declared_words}, the board {derived}");
                let evidence = json!({
                    "declared": declared.as_str(),
                    "derived": ended.ending.as_str(),
                    "ply": ended.ply,
                });
                let finding = Finding::new(FindingCode::EndingMismatch, message);
                notes.add(readings.weigh(finding, aspect, Some(ended), evidence));
            }
        }
    }

    /// An ending that only the record shows, with a result that it cannot have: T has flag fall and resignation lose and agreement
    /// draw; the other sources are silent.
    fn words_against_result(
        &self,
        declared: Ending,
        readings: &Readings<'_>,
        notes: &mut Notebook,
    ) {
        let Some(result) = self.declared.result else {
            return;
        };
        let draws = result == GameResult::Draw;
        let spared = Color::ALL
            .into_iter()
            .any(|winner| self.time_is_spared(winner));
        let against = match declared {
            Ending::Agreement => !draws,
            Ending::Resignation => draws,
            Ending::Time => draws && !spared,
            _ => false,
        };
        if !against {
            return;
        }
        let meant = match declared {
            Ending::Agreement => "a draw",
            _ => "a loss",
        };
        let message = format!(
            "the record says {} and {result}, but {0} is {meant}",
            words(declared)
        );
        let certainty = match readings.is_bound() && self.is_binding() {
            true => Certainty::Proved,
            false => Certainty::Possible,
        };
        let finding = Finding::new(FindingCode::EndingMismatch, message)
            .certainty(certainty)
            .under(self.line.ruleset().id())
            .with(&json!({ "declared": declared.as_str(), "result": result.as_str() }));
        notes.add(finding);
    }

    /// Whether a flag that falls is a draw, since this side, which would win, is bare and the rule set says so (`time_v_bare`).
    fn time_is_spared(&self, winner: Color) -> bool {
        self.line.ruleset().time_v_bare == TimeVBare::Draw && self.line.position().is_bare(winner)
    }

    fn is_binding(&self) -> bool {
        self.line.ruleset().authority() == Authority::Binding
    }

    pub(super) fn winner_cannot_mate(&self, notes: &mut Notebook) {
        let Some(winner) = self.declared.result.and_then(GameResult::winner) else {
            return;
        };
        let last = self.endings.last;
        let mates = last.is_some_and(|ended| ended.result.winner() == Some(winner));
        if mates || !self.line.position().insufficient_material(winner) {
            return;
        }
        let name = side(winner);
        let spared = self.declared.ending == Some(Ending::Time) && self.time_is_spared(winner);
        let (tail, severity) = match spared {
            true => (
                ", and a flag that falls against a bare khun is a draw under this rule set",
                Severity::Error,
            ),
            false => ("", Severity::Note),
        };
        let message = format!("{name} is declared the winner, but has not the men to mate{tail}");
        let evidence = json!({
            "winner": winner.letter().to_string(),
            "ending_declared": self.declared.ending.map(Ending::as_str),
        });
        let finding = Finding::new(FindingCode::WinnerCannotMate, message)
            .severity(severity)
            .under(self.line.ruleset().id())
            .at_ply(self.last_ply())
            .in_position(fen::write(self.line))
            .with(&evidence);
        notes.add(finding);
    }

    /// How sure the declared result is; the derived one where none is declared.
    pub(super) fn certainty(&self, readings: &mut Readings<'_>) -> Certainty {
        let Some((ended, aspect)) = self.decisive() else {
            return self.certainty_of_words(readings);
        };
        let agrees = self
            .declared
            .result
            .is_none_or(|declared| declared == ended.result);
        // Passed over a repetition that ends the game under this rule set, if it is the platform's own text.
        let passed = self.endings.first != Some(ended);
        if passed && !(readings.is_bound() && self.is_binding()) {
            return Certainty::Possible;
        }
        // The record does not say whether a count had drawn the game before this win, or with it.
        if agrees && self.silent_draw(ended) || self.silent_draw_declared(ended) {
            return Certainty::Possible;
        }
        let stands = self.is_plain(ended, readings) || readings.stands(aspect, Some(ended));
        match (agrees, stands) {
            (true, true) => Certainty::Proved,
            (false, true) => Certainty::Impossible,
            (_, false) => Certainty::Possible,
        }
    }

    /// Whether every reading must find this end, so that none need be played: no count, third occurrence, leap or cap came
    /// before it, in which alone the rule sets of a game differ.
    fn is_plain(&self, ended: Ended, readings: &Readings<'_>) -> bool {
        let plain = |ply: &ReplayedPly| {
            let alone = matches!(ply.mv.kind(), MoveKind::Normal | MoveKind::Promotion);
            alone && ply.count.is_none()
        };
        let rights = self.line.position().rights();
        leaves_no_move(ended.ending)
            && (ended.ending == Ending::Checkmate || rights.is_empty())
            && self.thirds.first_ply.is_none()
            && readings
                .shortest_cap()
                .is_none_or(|cap| Plies(ended.ply) < cap)
            && self.plies.iter().all(plain)
    }

    /// How sure a result is that the board does not show.
    fn certainty_of_words(&self, readings: &mut Readings<'_>) -> Certainty {
        let rules = self.line.ruleset();
        let (result, usual) = (self.declared.result, self.is_from_usual_start());
        if self.claim_is_granted(readings) {
            return Certainty::Proved;
        }
        let cannot_be = match self.declared.ending {
            Some(ending) if is_hard(ending) => true,
            Some(Ending::PiecesCount) => !self.could_expire_in_any(CountKind::Pieces, readings),
            Some(Ending::BoardCount) => !self.could_expire_in_any(CountKind::Board, readings),
            // Where the rule set has no rule of repetition, nothing says what the word means.
            Some(Ending::Repetition) => {
                let whole_history = usual || self.line.keys().len() <= self.plies.len();
                let none = rules.repetition == RepetitionRule::None;
                self.thirds.first_ply.is_none() && whole_history && !none
            }
            Some(Ending::PlyCap) => usual && Plies(self.last_ply()) < rules.ply_cap,
            Some(Ending::Time) => {
                let winner = result.and_then(GameResult::winner);
                winner.is_some_and(|winner| self.time_is_spared(winner))
            }
            _ => false,
        };
        match self.whole && cannot_be && readings.stands(Aspect::First, self.endings.first) {
            true => Certainty::Impossible,
            false => Certainty::Possible,
        }
    }

    /// Whether the record claims a draw by repetition where the rule set grants the claim and the last position stood three
    /// times; where nothing binds the rule set, under every reading.
    fn claim_is_granted(&self, readings: &Readings<'_>) -> bool {
        let claims = self.declared.ending == Some(Ending::Repetition)
            && self.declared.result == Some(GameResult::Draw);
        let claimable = self.line.ruleset().repetition == RepetitionRule::Claim3;
        let stood = self.line.repetitions() >= 3;
        self.whole && claims && claimable && stood && readings.grant(Ending::Repetition)
    }

    /// Whether the record begins with the rule set's own start.
    fn is_from_usual_start(&self) -> bool {
        self.line.ruleset().start().key() == self.start_key
    }

    /// Whether a count that the record does not tell of can have run out, under this rule set or, where nothing binds it, under
    /// another reading.
    fn could_expire_in_any(&self, kind: CountKind, readings: &Readings<'_>) -> bool {
        self.could_expire(kind) || readings.could_expire(kind)
    }
}
