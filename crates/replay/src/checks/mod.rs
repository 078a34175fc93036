//! The record against the board: results, endings, counts and repetition, once the moves are known.

mod counts;
mod results;

use archive::Token;
use notation::fen;
use rules::{Color, Ended, Ending, GameResult, Line};
use serde_json::json;

use crate::commands::Said;
use crate::declared::Declared;
use crate::endings::{Aspect, Endings, is_count, leaves_no_move};
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::ledger::StartInterval;
use crate::note::Notebook;
use crate::place::Place;
use crate::readings::Readings;
use crate::record::ReplayedPly;
use crate::silence::Silences;
use crate::walk::Thirds;

/// What the checks look at.
pub(crate) struct Case<'a> {
    pub(crate) place: &'a Place,
    pub(crate) declared: Declared,
    pub(crate) line: &'a Line,
    /// The key of the position that the record begins with.
    pub(crate) start_key: u64,
    pub(crate) plies: &'a [ReplayedPly],
    /// Whether the record was read to its end.
    pub(crate) whole: bool,
    pub(crate) endings: Endings,
    /// The position of the first ending, where play went on.
    pub(crate) end_fen: Option<&'a str>,
    /// The position in which a count first ran out, where play went on.
    pub(crate) count_fen: Option<&'a str>,
    /// Moves written after no move could follow.
    pub(crate) after_end: Option<(u32, Token)>,
    pub(crate) thirds: Thirds,
    /// The counts that the record is silent about, and when they could have been started.
    pub(crate) silences: &'a Silences,
    pub(crate) starts: &'a [StartInterval],
    pub(crate) said: &'a [Said],
}

/// Runs all checks; gives the certainty of the declared result.
pub(crate) fn run(case: &Case<'_>, readings: &mut Readings<'_>, notes: &mut Notebook) -> Certainty {
    case.after_end(readings, notes);
    case.played_on(readings, notes);
    case.count_played_on(readings, notes);
    case.repetition(notes);
    case.numbers(notes);
    case.mate_by_counting_side(readings, notes);
    if case.whole {
        case.silent_counts(notes);
        case.mate_by_silent_side(notes);
        case.result(readings, notes);
        case.ending(readings, notes);
        case.winner_cannot_mate(notes);
    }
    case.certainty(readings)
}

/// Endings that the board alone shows, after which nobody has a move or anything to win.
fn is_hard(ending: Ending) -> bool {
    leaves_no_move(ending) || ending == Ending::BareKings
}

fn words(ending: Ending) -> String {
    match ending {
        Ending::BoardCount => "the board's honour count".to_owned(),
        Ending::PiecesCount => "the pieces' honour count".to_owned(),
        other => other.as_str().replace('_', " "),
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl Case<'_> {
    fn last_ply(&self) -> u32 {
        self.line.plies().0
    }

    /// Whether play went on after this ending.
    fn is_passed(&self, ended: Ended) -> bool {
        ended.ply < self.last_ply()
    }

    /// The ending that decides: the first one, but for a repetition that play went on from, as real games do.
    fn decisive(&self) -> Option<(Ended, Aspect)> {
        let Endings {
            first,
            counted,
            last,
        } = self.endings;
        let first = first?;
        if first.ending == Ending::Repetition && self.is_passed(first) {
            let counted = counted.map(|ended| (ended, Aspect::Counted));
            return counted.or(last.map(|ended| (ended, Aspect::Last)));
        }
        Some((first, Aspect::First))
    }

    fn fen_of(&self, aspect: Aspect) -> String {
        let kept = match aspect {
            Aspect::First => self.end_fen,
            Aspect::Counted => self.count_fen,
            Aspect::Last => None,
        };
        kept.map_or_else(|| fen::write(self.line), str::to_owned)
    }

    /// Moves after the last possible one: written, not played.
    fn after_end(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let (Some((moves, token)), Some(ended)) = (self.after_end, self.endings.last) else {
            return;
        };
        let ending = words(ended.ending);
        let message = format!(
            "the game was over by {ending} after ply {}; {moves} more moves are written",
            ended.ply
        );
        let finding = Finding::new(FindingCode::MovesAfterEnd, message)
            .at_ply(self.last_ply() + 1)
            .at_bytes(self.place.byte_offset + u64::from(token.offset), 1)
            .in_position(fen::write(self.line));
        let evidence = json!({
            "ending": ended.ending.as_str(),
            "ending_ply": ended.ply,
            "moves": moves,
        });
        notes.add(readings.weigh(finding, Aspect::Last, Some(ended), evidence));
    }

    /// Play that went on past a first ending which is neither a count nor a repetition.
    fn played_on(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let passed = self.endings.first.filter(|&ended| self.is_passed(ended));
        let other = |ending| is_count(ending) || ending == Ending::Repetition;
        let Some(ended) = passed.filter(|ended| !other(ended.ending)) else {
            return;
        };
        let more = self.last_ply() - ended.ply;
        let message = format!(
            "the game was over by {} after ply {}; {more} more plies were played",
            words(ended.ending),
            ended.ply
        );
        let finding = Finding::new(FindingCode::MovesAfterEnd, message)
            .severity(Severity::Warning)
            .at_ply(ended.ply + 1)
            .in_position(self.fen_of(Aspect::First));
        let evidence = self.passed_evidence(ended);
        notes.add(readings.weigh(finding, Aspect::First, Some(ended), evidence));
    }

    fn passed_evidence(&self, ended: Ended) -> serde_json::Value {
        json!({
            "ending": ended.ending.as_str(),
            "ending_ply": ended.ply,
            "plies_after": self.last_ply() - ended.ply,
            "result_declared": self.declared.result.map(GameResult::as_str),
        })
    }

    fn repetition(&self, notes: &mut Notebook) {
        let passed = self.thirds.first_ply.filter(|&ply| ply < self.last_ply());
        let Some(first) = passed else { return };
        let message =
            format!("a position stood for the third time after ply {first}, and play went on");
        let evidence = json!({ "first_ply": first, "third_occurrences": self.thirds.times });
        let finding = Finding::new(FindingCode::RepetitionPlayedOn, message)
            .at_ply(first + 1)
            .under(self.line.ruleset().id())
            .with(&evidence);
        notes.add(finding);
    }
}
