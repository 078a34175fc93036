//! The trace protocol: one JSON object in, one out, for differential tests (DESIGN 6).
//!
//! In: `{"id", "fen", "moves", "counts": [{"ply", "side", "do"}]?, "count_started"?}`. `fen` may be
//! left out for the start position. A command's `ply` is the number of the move, counted from 1,
//! with which it is said. Out: `{"id", "fens", "san", "legal_counts", "in_check", "ending",
//! "ending_ply", "result", "error"}`; `result` is `*` while there is none.

use std::borrow::Cow;
use std::sync::Arc;

use rules::{
    Color, CountCommand, CountState, Ended, Ending, GameResult, Line, Position, Ruleset, UciMove,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{fen, san};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request<'a> {
    #[serde(default)]
    id: Value,
    fen: Option<String>,
    #[serde(default, borrow)]
    moves: Vec<Text<'a>>,
    #[serde(default)]
    counts: Vec<Command>,
    #[serde(default)]
    count_started: i32,
}

/// A string of the request, which is copied only where it holds an escape.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    ply: u32,
    side: Side,
    #[serde(rename = "do")]
    action: Action,
}

#[derive(Deserialize, Clone, Copy)]
enum Side {
    #[serde(rename = "w")]
    White,
    #[serde(rename = "b")]
    Black,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Action {
    Start,
    Stop,
}

/// The answer. The lists are text already: FEN and SAN hold nothing that JSON would escape.
#[derive(Default)]
struct Answer {
    id: Value,
    fens: String,
    san: String,
    legal_counts: String,
    in_check: bool,
    ended: Option<Ended>,
    error: Option<Trouble>,
}

impl Answer {
    fn to_json(&self) -> Result<String, serde_json::Error> {
        let id = serde_json::to_string(&self.id)?;
        let error = serde_json::to_string(&self.error)?;
        let ending = serde_json::to_string(&self.ended.map(|ended| ended.ending.as_str()))?;
        let ending_ply = serde_json::to_string(&self.ended.map(|ended| ended.ply))?;
        let result = self.ended.map_or("*", |ended| ended.result.as_str());
        let Answer {
            fens,
            san,
            legal_counts,
            in_check,
            ..
        } = self;
        Ok(format!(
            "{{\"id\":{id},\"fens\":[{fens}],\"san\":[{san}],\"legal_counts\":[{legal_counts}],\
             \"in_check\":{in_check},\"ending\":{ending},\"ending_ply\":{ending_ply},\
             \"result\":\"{result}\",\"error\":{error}}}"
        ))
    }
}

impl Answer {
    fn count(&mut self, legal: usize) {
        if !self.legal_counts.is_empty() {
            self.legal_counts.push(',');
        }
        for power in [100, 10, 1] {
            if legal >= power || power == 1 {
                let digit = (legal / power % 10) as u8;
                self.legal_counts.push(char::from(b'0' + digit));
            }
        }
    }
}

/// Adds to a list of strings.
fn quote(list: &mut String, text: &str) {
    list.push_str(if list.is_empty() { "\"" } else { ",\"" });
    list.push_str(text);
    list.push('"');
}

/// What stopped a game; `ply` is the number of the move, counted from 1, and 0 for the start.
#[derive(Serialize)]
struct Trouble {
    ply: u32,
    r#move: Option<String>,
    reason: String,
}

/// Answers one line. It never fails: what is wrong with the request is in the answer's `error`,
/// and the plies before it are still there.
///
/// With `until_end` it stops at the first ending, otherwise it goes on past it.
#[must_use]
pub fn run(line: &str, rules: &Arc<Ruleset>, until_end: bool) -> String {
    let mut answer = Answer::default();
    match serde_json::from_str::<Request>(line) {
        Ok(request) => replay(request, rules, until_end, &mut answer),
        Err(error) => {
            answer.error = Some(Trouble {
                ply: 0,
                r#move: None,
                reason: format!("not a request: {error}"),
            });
        }
    }
    answer
        .to_json()
        .unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}"))
}

fn replay(request: Request, rules: &Arc<Ruleset>, until_end: bool, answer: &mut Answer) {
    answer.id = request.id;
    let mut trace = match Trace::start(request.fen.as_deref(), rules, request.count_started) {
        Ok(trace) => trace,
        Err(reason) => {
            answer.error = Some(Trouble {
                ply: 0,
                r#move: None,
                reason,
            });
            return;
        }
    };
    for (ply, Text(text)) in (1..).zip(request.moves) {
        if until_end && trace.ended.is_some() {
            break;
        }
        let step = request
            .counts
            .iter()
            .filter(|command| command.ply == ply)
            .try_for_each(|command| trace.command(command))
            .and_then(|()| trace.step(&text, answer));
        if let Err(reason) = step {
            answer.error = Some(Trouble {
                ply,
                r#move: Some(text.chars().take(16).collect()),
                reason,
            });
            break;
        }
    }
    answer.count(trace.line.position().count_legal());
    answer.in_check = trace.line.position().in_check();
    answer.ended = trace.ended;
}

struct Trace {
    line: Line,
    /// pyffish's argument of the same name (RULES 11.3).
    count_started: i32,
    ended: Option<Ended>,
    fen: fen::Writer,
    san: String,
}

impl Trace {
    fn start(fen: Option<&str>, rules: &Arc<Ruleset>, count_started: i32) -> Result<Trace, String> {
        let line = match fen {
            None => Line::from_start(rules),
            Some(text) => {
                let start = fen::parse(text, rules).map_err(|error| error.to_string())?;
                Line::new(rules, start.position, start.count_state)
            }
        };
        if count_started != 0 && rules.authority() != rules::Authority::Engine {
            return Err("count_started has a meaning in the fairy rule sets only".to_owned());
        }
        let mut trace = Trace {
            line,
            count_started,
            ended: None,
            fen: fen::Writer::new(),
            san: String::new(),
        };
        trace.judge();
        Ok(trace)
    }

    fn command(&mut self, command: &Command) -> Result<(), String> {
        let side = match command.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        };
        if side != self.line.position().turn() {
            return Err("a count command by the side that is not to move".to_owned());
        }
        let said = match command.action {
            Action::Start => CountCommand::Start,
            Action::Stop => CountCommand::Stop,
        };
        self.line.command(said).map_err(|error| error.to_string())
    }

    fn step(&mut self, text: &str, answer: &mut Answer) -> Result<(), String> {
        let wish: UciMove = text
            .parse()
            .map_err(|error: rules::ParseUciError| error.to_string())?;
        let position = *self.line.position();
        let mv = position.resolve(wish).ok_or("illegal move")?;
        answer.count(position.count_legal());
        self.san.clear();
        san::write_into(&position, mv, &mut self.san);
        quote(&mut answer.san, &self.san);
        self.line.push(mv);
        self.judge();
        let count = self.count();
        let text = self
            .fen
            .write(self.line.position(), &count, self.line.ruleset());
        quote(&mut answer.fens, text);
        Ok(())
    }

    /// The count state as the reference engine would be told it.
    fn count(&self) -> CountState {
        let state = self.line.count_state();
        state.as_told(
            self.count_started,
            self.line.position(),
            self.line.ruleset(),
        )
    }

    fn judge(&mut self) {
        if self.ended.is_some() {
            return;
        }
        self.ended = match self.count_started {
            0 => self.line.ended(),
            _ => self.told_ending().map(|(ending, result)| Ended {
                ending,
                result,
                ply: self.line.plies().0,
            }),
        };
    }

    /// The current ending if the count is as told: the line's own, but for what the counts say.
    fn told_ending(&self) -> Option<(Ending, GameResult)> {
        let counted = |ending| matches!(ending, Ending::BoardCount | Ending::PiecesCount);
        let position: &Position = self.line.position();
        let count = self.count();
        match self.line.current_ending() {
            Some((ending, result)) if !counted(ending) && ending != Ending::Repetition => {
                Some((ending, result))
            }
            _ => {
                let draw = |ending| Some((ending, GameResult::Draw));
                if let Some(ending) = count.exhausted() {
                    return draw(ending);
                }
                let thrice = self.line.repetitions() >= 3 && position.has_legal_move();
                if thrice {
                    draw(Ending::Repetition)
                } else {
                    None
                }
            }
        }
    }
}
