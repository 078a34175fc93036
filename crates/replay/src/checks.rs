//! The record against the board: results, endings, counts and repetition, once the moves are known.

use archive::Token;
use notation::fen;
use rules::{Color, Ended, Ending, GameResult, Line};
use serde_json::json;

use crate::commands::Said;
use crate::declared::Declared;
use crate::episodes::Silence;
use crate::finding::{Certainty, Finding, FindingCode, Severity};
use crate::note::Notebook;
use crate::place::Place;
use crate::readings::Readings;
use crate::record::ReplayedPly;
use crate::walk::Thirds;

/// What the checks look at.
pub(crate) struct Case<'a> {
    pub(crate) place: &'a Place,
    pub(crate) declared: Declared,
    pub(crate) line: &'a Line,
    pub(crate) plies: &'a [ReplayedPly],
    /// Whether the record was read to its end.
    pub(crate) whole: bool,
    /// The position in which the game ended first, where play went on.
    pub(crate) end_fen: Option<&'a str>,
    /// Moves written after no move could follow.
    pub(crate) after_end: Option<(u32, Token)>,
    pub(crate) thirds: Thirds,
    pub(crate) silence: Option<Silence>,
    /// Plies after which a count that nobody is known to have started would have run out, by the side that counts.
    pub(crate) expiries: &'a [(Color, u32)],
    pub(crate) said: &'a [Said],
}

/// Runs all checks; gives the certainty of the declared result.
pub(crate) fn run(case: &Case<'_>, readings: &mut Readings<'_>, notes: &mut Notebook) -> Certainty {
    case.after_end(readings, notes);
    case.played_on(readings, notes);
    case.repetition(notes);
    case.numbers(notes);
    case.mate_by_counting_side(readings, notes);
    if case.whole {
        case.silent_count(notes);
        case.result(readings, notes);
        case.ending(readings, notes);
        case.winner_cannot_mate(notes);
    }
    case.certainty(readings)
}

/// Endings that the board alone shows, after which nobody has a move or anything to win.
fn is_hard(ending: Ending) -> bool {
    use Ending::{BareKings, Checkmate, FirstCheck, MateByCounter, Stalemate};
    matches!(
        ending,
        Checkmate | FirstCheck | Stalemate | MateByCounter | BareKings
    )
}

fn is_count(ending: Ending) -> bool {
    matches!(ending, Ending::BoardCount | Ending::PiecesCount)
}

fn words(ending: Ending) -> String {
    match ending {
        Ending::BoardCount => "the board's honour count".to_owned(),
        Ending::PiecesCount => "the pieces' honour count".to_owned(),
        other => other.as_str().replace('_', " "),
    }
}

impl Case<'_> {
    fn derived(&self) -> Option<Ended> {
        self.line.ended()
    }

    fn last_ply(&self) -> u32 {
        self.line.plies()
    }

    /// The ending after which play went on.
    fn passed(&self) -> Option<Ended> {
        self.derived().filter(|ended| ended.ply < self.last_ply())
    }

    fn after_end(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let (Some((moves, token)), Some(ended)) = (self.after_end, self.derived()) else {
            return;
        };
        let message = format!(
            "the game was over by {} after ply {}; {moves} more moves are written",
            words(ended.ending),
            ended.ply
        );
        let finding = Finding::new(FindingCode::MovesAfterEnd, message)
            .at_ply(self.last_ply() + 1)
            .at_bytes(self.place.byte_offset + u64::from(token.offset), 1)
            .in_position(fen::write(self.line));
        let evidence =
            json!({ "ending": ended.ending.as_str(), "ending_ply": ended.ply, "moves": moves });
        notes.add(readings.weigh(finding, Some(ended), evidence));
    }

    /// Play that went on past an ending which leaves moves to make.
    fn played_on(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let Some(ended) = self.passed() else { return };
        let (code, severity) = match ended.ending {
            ending if is_count(ending) => (FindingCode::CountPlayedOn, Severity::Error),
            Ending::Repetition => return,
            _ => (FindingCode::MovesAfterEnd, Severity::Warning),
        };
        let more = self.last_ply() - ended.ply;
        let message = match is_count(ended.ending) {
            true => format!(
                "{} had run out with ply {}, a draw; {more} more plies were played",
                words(ended.ending),
                ended.ply
            ),
            false => format!(
                "the game was over by {} after ply {}; {more} more plies were played",
                words(ended.ending),
                ended.ply
            ),
        };
        let result = self.declared.result;
        let evidence = json!({
            "ending": ended.ending.as_str(),
            "ending_ply": ended.ply,
            "plies_after": more,
            "result_declared": result.map(GameResult::as_str),
        });
        let finding = self.at_end(
            Finding::new(code, message)
                .severity(severity)
                .at_ply(ended.ply + 1),
        );
        notes.add(readings.weigh(finding, Some(ended), evidence));
    }

    fn at_end(&self, finding: Finding) -> Finding {
        match self.end_fen {
            Some(fen) => finding.in_position(fen),
            None => finding.in_position(fen::write(self.line)),
        }
    }

    fn repetition(&self, notes: &mut Notebook) {
        let Some(first) = self.thirds.first_ply.filter(|&ply| ply < self.last_ply()) else {
            return;
        };
        let message =
            format!("a position stood for the third time after ply {first}, and play went on");
        let evidence = json!({ "first_ply": first, "third_occurrences": self.thirds.times });
        notes.add(
            Finding::new(FindingCode::RepetitionPlayedOn, message)
                .at_ply(first + 1)
                .under(self.line.ruleset().id())
                .with(&evidence),
        );
    }

    /// Numbers said in the record against the count as it runs.
    fn numbers(&self, notes: &mut Notebook) {
        let count_at = |ply: u32| self.plies.get(ply as usize - 1).map(|ply| ply.count);
        let wrong: Vec<_> = self
            .said
            .iter()
            .filter_map(|said| Some((said, count_at(said.ply)?)))
            .filter(|(said, count)| {
                count.is_none_or(|count| (count.number, count.limit) != (said.number, said.limit))
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
            "is": count.map(|count| json!({ "kind": count.kind.as_str(), "number": count.number, "limit": count.limit })),
            "wrong_numbers": wrong.len(),
        });
        notes.add(
            Finding::new(FindingCode::CountNumberWrong, message)
                .at_ply(said.ply)
                .under(self.line.ruleset().id())
                .with(&evidence),
        );
    }

    fn mate_by_counting_side(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let Some(ended) = self.derived() else { return };
        let mated = matches!(ended.ending, Ending::Checkmate | Ending::MateByCounter);
        let winner = !self.line.position().turn();
        let Some(count) = self
            .line
            .count()
            .filter(|count| mated && count.side == winner)
        else {
            return;
        };
        let draw = ended.ending == Ending::MateByCounter;
        let what = if draw {
            "a draw under this rule set"
        } else {
            "a win under this rule set"
        };
        let message = format!(
            "{} mates while it counts ({} of {}): {what}",
            side(winner),
            count.number,
            count.limit
        );
        let severity = if draw {
            Severity::Warning
        } else {
            Severity::Note
        };
        let finding = Finding::new(FindingCode::MateByCountingSide, message)
            .severity(severity)
            .at_ply(ended.ply);
        let evidence = json!({ "side": winner.letter().to_string(), "number": count.number, "limit": count.limit });
        notes.add(readings.weigh(finding, Some(ended), evidence));
    }

    /// A board's honour count that nobody is known to have started.
    fn silent_count(&self, notes: &mut Notebook) {
        let Some(silence) = self.silence else { return };
        let declares = self.declared.ending == Some(Ending::BoardCount);
        if self.expiries.is_empty() {
            return;
        }
        let plies: Vec<_> = self
            .expiries
            .iter()
            .map(|(side, ply)| json!({ "side": side.letter().to_string(), "ply": ply }))
            .collect();
        let first = self
            .expiries
            .iter()
            .map(|&(_, ply)| ply)
            .min()
            .unwrap_or_default();
        let evidence = json!({
            "start_ply_earliest": silence.first,
            "start_ply_latest": silence.last,
            "expires_after": plies,
            "interrupted": silence.is_broken(),
            "switch": "board_start",
        });
        let draw = self.declared.result == Some(GameResult::Draw)
            && (declares || self.derived().is_none() || self.passed().is_some());
        let (code, message) = match draw {
            true => (
                FindingCode::CountDrawPossible,
                format!(
                    "a board's honour count started at ply {} would have drawn the game after ply {first}: it could explain the draw",
                    silence.first
                ),
            ),
            false => (
                FindingCode::CountCouldHaveExpired,
                format!(
                    "a board's honour count started at ply {} would have run out after ply {first}; the record does not say that anyone counted",
                    silence.first
                ),
            ),
        };
        let finding = Finding::new(code, message)
            .at_ply(first.min(self.last_ply()))
            .certainty(Certainty::Possible);
        notes.add(finding.under(self.line.ruleset().id()).with(&evidence));
    }

    fn result(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        match (self.declared.result, self.derived()) {
            (Some(declared), Some(ended)) if declared != ended.result => {
                self.contradiction(declared, ended, readings, notes)
            }
            (None, Some(ended)) => {
                let message = format!(
                    "the record has no result; the board says {} by {}",
                    ended.result,
                    words(ended.ending)
                );
                let evidence = json!({ "ending": ended.ending.as_str(), "result": ended.result.as_str(), "ply": ended.ply });
                notes.add(readings.weigh(
                    Finding::new(FindingCode::ResultMissing, message),
                    Some(ended),
                    evidence,
                ));
            }
            (None, None) if self.declared.open => {
                notes.add(Finding::new(
                    FindingCode::UnfinishedGame,
                    "the record has no result (`*`), and the board is not over",
                ));
            }
            (None, None) => {
                notes.add(Finding::new(
                    FindingCode::ResultMissing,
                    "the record does not say how the game ended, and the board is not over",
                ));
            }
            _ => {}
        }
    }

    fn contradiction(
        &self,
        declared: GameResult,
        ended: Ended,
        readings: &mut Readings<'_>,
        notes: &mut Notebook,
    ) {
        let severity = match ended.ending {
            ending if is_hard(ending) => Severity::Critical,
            // Said already: play went on.
            _ if self.passed().is_some() => return,
            ending if is_count(ending) => Severity::Error,
            _ => Severity::Warning,
        };
        let message = format!(
            "the record says {declared}, the board {} by {} after ply {}",
            ended.result,
            words(ended.ending),
            ended.ply
        );
        let evidence = json!({
            "declared": declared.as_str(),
            "ending_declared": self.declared.ending.map(Ending::as_str),
            "derived": ended.result.as_str(),
            "ending": ended.ending.as_str(),
            "ending_ply": ended.ply,
        });
        let finding = Finding::new(FindingCode::ResultContradictsBoard, message)
            .severity(severity)
            .at_ply(ended.ply);
        notes.add(readings.weigh(self.at_end(finding), Some(ended), evidence));
    }

    /// The declared ending against the board.
    fn ending(&self, readings: &mut Readings<'_>, notes: &mut Notebook) {
        let Some(declared) = self.declared.ending.filter(|ending| ending.is_on_board()) else {
            return;
        };
        match self.derived() {
            Some(ended) if ended.ending == declared => {}
            // A contradiction of results is the graver finding and has been made.
            Some(ended)
                if self
                    .declared
                    .result
                    .is_some_and(|result| result != ended.result) => {}
            Some(_) if declared == Ending::Repetition && self.thirds.first_ply.is_some() => {}
            Some(ended) => {
                let message = format!(
                    "the record says {}, the board {}",
                    words(declared),
                    words(ended.ending)
                );
                let evidence = json!({ "declared": declared.as_str(), "derived": ended.ending.as_str(), "ply": ended.ply });
                notes.add(readings.weigh(
                    Finding::new(FindingCode::EndingMismatch, message),
                    Some(ended),
                    evidence,
                ));
            }
            None if is_count(declared) => self.count_draw(declared, readings, notes),
            None if declared == Ending::Repetition && self.thirds.first_ply.is_some() => {}
            None => {
                let message = format!(
                    "the record says {}, but the board is not over so",
                    words(declared)
                );
                let evidence = json!({ "declared": declared.as_str() });
                let severity = if is_hard(declared) {
                    Severity::Error
                } else {
                    Severity::Warning
                };
                let finding = Finding::new(FindingCode::EndingMismatch, message).severity(severity);
                notes.add(readings.weigh(finding, None, evidence));
            }
        }
    }

    /// A draw by counting that the board does not show.
    fn count_draw(&self, declared: Ending, readings: &mut Readings<'_>, notes: &mut Notebook) {
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
            "count": last.map(|count| json!({ "kind": count.kind.as_str(), "number": count.number, "limit": count.limit })),
            "start_ply_earliest": self.silence.map(|silence| silence.first),
        });
        let finding =
            Finding::new(FindingCode::CountDrawImpossible, message).at_ply(self.last_ply());
        notes.add(readings.weigh(finding, None, evidence));
    }

    fn winner_cannot_mate(&self, notes: &mut Notebook) {
        let Some(winner) = self.declared.result.and_then(GameResult::winner) else {
            return;
        };
        let mates = self
            .derived()
            .is_some_and(|ended| ended.result.winner() == Some(winner));
        if mates || !self.line.position().insufficient_material(winner) {
            return;
        }
        let message = format!(
            "{} is declared the winner, but has not the men to mate",
            side(winner)
        );
        let evidence = json!({ "winner": winner.letter().to_string(), "ending_declared": self.declared.ending.map(Ending::as_str) });
        notes.add(
            Finding::new(FindingCode::WinnerCannotMate, message)
                .at_ply(self.last_ply())
                .in_position(fen::write(self.line))
                .with(&evidence),
        );
    }

    /// How sure the declared result is; the derived one where none is declared.
    fn certainty(&self, readings: &mut Readings<'_>) -> Certainty {
        let Some(ended) = self.derived() else {
            return self.certainty_of_words(readings);
        };
        let agrees = self
            .declared
            .result
            .is_none_or(|declared| declared == ended.result);
        let stands = match (agrees, ended.ending) {
            // The commonest case by far needs no second reading.
            (true, Ending::Checkmate | Ending::Stalemate | Ending::FirstCheck) => true,
            _ => readings.stands(Some(ended)),
        };
        match (agrees, stands) {
            (true, true) => Certainty::Proved,
            (false, true) => Certainty::Impossible,
            (_, false) => Certainty::Possible,
        }
    }

    fn certainty_of_words(&self, readings: &mut Readings<'_>) -> Certainty {
        let cannot_be = match self.declared.ending {
            Some(
                Ending::Checkmate | Ending::Stalemate | Ending::FirstCheck | Ending::BareKings,
            ) => true,
            Some(Ending::PiecesCount) => true,
            Some(Ending::BoardCount) => self.expiries.is_empty(),
            _ => false,
        };
        if self.whole && cannot_be && readings.stands(None) {
            Certainty::Impossible
        } else {
            Certainty::Possible
        }
    }
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// The limit that a silent stretch must at least be long for, in plies.
pub(crate) fn may_expire(silence: &Silence, line: &Line) -> bool {
    silence.plies() + 2 >= 2 * u32::from(line.ruleset().board_limit)
}
