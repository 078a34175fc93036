//! A game of the tables as PGN text that other programs read.
//!
//! What the rules need to judge the game again is always written: start position, moves, and where a count was started
//! or stopped. Clocks, evaluations, count numbers and findings are comments, written where asked for.

use std::fmt::Write;
use std::sync::Arc;

use rules::{Color, CountCommand, Line, Ruleset, UciMove};
use tables::{FindingRow, GameRow, PlyRow, Status, Word};

use crate::collect::commands;
use crate::text::clean;

/// The letters of the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveLetters {
    /// `Nd2`, as pychess, cutechess and WinBoard read them.
    Latin,
    /// `ม-ง๒`.
    Thai,
}

/// What a PGN game holds beside its moves.
#[derive(Debug, Clone, Copy)]
pub struct PgnOptions {
    /// The letters of the moves.
    pub letters: MoveLetters,
    /// Clocks, times and evaluations of the record, as comments.
    pub comments: bool,
    /// The number said at each move of a counting side, as a comment.
    pub counts: bool,
    /// Findings, as comments at their ply or before the first move.
    pub findings: bool,
}

/// Why a game is not written as PGN.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotPgn {
    /// It was rejected or set aside: the tables hold no whole game.
    #[error("{0}: their moves are not all known")]
    NotWhole(&'static str),
    /// Its rule set is none that this build knows.
    #[error("rule set `{0}`: not known here")]
    RuleSet(String),
    /// Its row does not fit its rule set.
    #[error("cannot be played again: {0}")]
    Row(String),
}

/// One game as PGN, with a blank line at its end.
///
/// `rules` is the rule set that the game's row names. `plies` and `findings` are the game's rows; either may be empty if
/// the options do not ask for them.
///
/// # Errors
///
/// [`NotPgn`], if the game is not whole or cannot be played again.
pub fn pgn(
    game: &GameRow,
    plies: &[PlyRow],
    findings: &[FindingRow],
    rules: &Arc<Ruleset>,
    options: PgnOptions,
) -> Result<String, NotPgn> {
    if game.status != Status::Accepted {
        return Err(NotPgn::NotWhole(game.status.word()));
    }
    let fen = game.start_fen.as_deref().unwrap_or_default();
    let start = notation::fen::parse(fen, rules).map_err(|error| NotPgn::Row(error.to_string()))?;
    let line = Line::new(rules, start.position, start.count_state);
    let result = game.result_declared.map_or("*", |result| result.word());
    let mut text = String::with_capacity(1024 + 8 * game.moves.len());
    tags(game, fen, result, &mut text);
    text.push('\n');
    let mut moves = Movetext::default();
    let writer = Writer {
        game,
        plies,
        findings,
        options,
    };
    writer.moves(line, &mut moves)?;
    moves.word(result);
    text.push_str(&moves.text);
    text.push_str("\n\n");
    Ok(text)
}

/// Tags that are written from columns, so that the record's own are left out.
const OWN_TAGS: [&str; 14] = [
    "event",
    "site",
    "date",
    "round",
    "white",
    "black",
    "result",
    "variant",
    "ruleset",
    "fen",
    "setup",
    "termination",
    "handicap",
    "plycount",
];

fn tags(game: &GameRow, fen: &str, result: &str, text: &mut String) {
    let or_unknown = |value: &Option<String>| value.clone().unwrap_or_else(|| "?".to_owned());
    tag(text, "Event", &or_unknown(&game.event));
    tag(text, "Site", &or_unknown(&game.site));
    tag(text, "Date", &date(game.date.as_deref()));
    tag(text, "Round", &or_unknown(&game.round));
    tag(text, "White", &or_unknown(&game.white));
    tag(text, "Black", &or_unknown(&game.black));
    tag(text, "Result", result);
    let variant = match &*game.variant {
        "ouk" => "Cambodian",
        "kar-ouk" => "Karouk",
        _ => "Makruk",
    };
    tag(text, "Variant", variant);
    if let Some(rule_set) = game.rule_set.as_deref().filter(|_| game.bound) {
        tag(text, "RuleSet", rule_set);
    }
    tag(text, "SetUp", "1");
    tag(text, "FEN", fen);
    let ending = game.ending_declared.map(|ending| ending.word().to_owned());
    if let Some(ending) = game.termination.clone().or(ending) {
        tag(text, "Termination", &ending);
    }
    for (name, value) in game.tags.iter() {
        let plain = name.split('#').next().unwrap_or(name);
        if name == plain && !OWN_TAGS.contains(&plain.to_ascii_lowercase().as_str()) {
            tag(text, name, value);
        }
    }
}

/// A tag whose name is a word; others no reader would take.
fn tag(text: &mut String, name: &str, value: &str) {
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return;
    }
    let value = clean(value).replace('\\', "\\\\").replace('"', "\\\"");
    // Writing to a String cannot fail.
    let _ = writeln!(text, "[{name} \"{value}\"]");
}

/// `2026-04` as PGN writes it: `2026.04.??`.
fn date(iso: Option<&str>) -> String {
    let mut parts = iso.unwrap_or_default().split('-');
    let mut next = |unknown: &str| {
        let part = parts.next().filter(|part| !part.is_empty());
        part.unwrap_or(unknown).to_owned()
    };
    format!("{}.{}.{}", next("????"), next("??"), next("??"))
}

/// Words in lines of at most 79 letters.
#[derive(Default)]
struct Movetext {
    text: String,
    column: usize,
}

impl Movetext {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length > 79 {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
    }

    fn comment(&mut self, parts: &[String]) {
        let text = parts.join(" ");
        for word in format!("{{{text}}}").split(' ') {
            self.word(word);
        }
    }
}

struct Writer<'a> {
    game: &'a GameRow,
    plies: &'a [PlyRow],
    findings: &'a [FindingRow],
    options: PgnOptions,
}

impl Writer<'_> {
    fn moves(&self, mut line: Line, text: &mut Movetext) -> Result<(), NotPgn> {
        let commands = commands(self.game.count_commands.as_deref().unwrap_or_default());
        let head = self.findings_at(None);
        if !head.is_empty() {
            text.comment(&head);
        }
        let mut number_due = true;
        for (ply, uci) in (1u32..).zip(self.game.moves.split_ascii_whitespace()) {
            let said = commands.iter().filter(|(at, _)| *at == ply);
            let said: Vec<CountCommand> = said.map(|(_, command)| *command).collect();
            for &command in &said {
                // A command that the rules refuse is a finding of the game; the moves go on.
                line.command(command).unwrap_or_default();
            }
            let wish = uci.parse::<UciMove>().ok();
            let mv = wish.and_then(|wish| line.position().resolve(wish));
            let mv = mv.ok_or_else(|| NotPgn::Row(format!("ply {ply}, {uci}, is not legal")))?;
            let position = line.position();
            let (number, white) = (position.fullmove().0, position.turn() == Color::White);
            if white {
                text.word(&format!("{number}."));
            } else if number_due {
                text.word(&format!("{number}..."));
            }
            text.word(&match self.options.letters {
                MoveLetters::Latin => notation::san::write(position, mv),
                MoveLetters::Thai => notation::thai::write_readable(position, mv),
            });
            line.push(mv);
            let comment = self.after(ply, &said, &line);
            if !comment.is_empty() {
                text.comment(&comment);
            }
            number_due = !comment.is_empty();
        }
        Ok(())
    }

    /// What stands in the comment after a ply.
    fn after(&self, ply: u32, said: &[CountCommand], line: &Line) -> Vec<String> {
        let mut parts: Vec<String> = said
            .iter()
            .map(|command| match command {
                CountCommand::Start => "[%count start]".to_owned(),
                CountCommand::Stop => "[%count stop]".to_owned(),
            })
            .collect();
        let counted = line.count().filter(|count| {
            self.options.counts
                && count.side != line.position().turn()
                && count.number >= count.first
        });
        if let Some(count) = counted {
            parts.push(format!("[%cnt {}/{}]", count.number.0, count.limit.0));
        }
        let row = self.plies.get(ply as usize - 1);
        if let Some(row) = row.filter(|_| self.options.comments) {
            parts.extend(facts(row));
        }
        parts.extend(self.findings_at(Some(ply)));
        parts
    }

    fn findings_at(&self, ply: Option<u32>) -> Vec<String> {
        let wanted = self.options.findings;
        let here = |row: &&FindingRow| row.ply.and_then(|at| u32::try_from(at).ok()) == ply;
        let rows = self.findings.iter().filter(|_| wanted).filter(here);
        rows.map(|row| {
            let sentence = clean(&row.message).replace(['{', '}'], "");
            format!("{} {}: {sentence}", row.severity.word(), row.code.word())
        })
        .collect()
    }
}

/// Clock, time and evaluation of a ply, as comment commands.
fn facts(row: &PlyRow) -> Vec<String> {
    let mut parts = Vec::new();
    parts.extend(row.clock_ms.map(|ms| format!("[%clk {}]", moment(ms))));
    parts.extend(row.elapsed_ms.map(|ms| format!("[%emt {}]", moment(ms))));
    let score = match (row.eval_cp, row.eval_mate) {
        (_, Some(mate)) => Some(format!("#{mate}")),
        (Some(cp), None) => {
            let sign = if cp < 0 { "-" } else { "" };
            Some(format!("{sign}{}.{:02}", cp.abs() / 100, cp.abs() % 100))
        }
        (None, None) => None,
    };
    let depth = row
        .eval_depth
        .map_or(String::new(), |depth| format!(",{depth}"));
    parts.extend(score.map(|score| format!("[%eval {score}{depth}]")));
    parts
}

/// `0:01:59.1`: hours, minutes, seconds, and as much of a second as there is.
fn moment(ms: i64) -> String {
    let ms = ms.max(0);
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let mut text = format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if rest > 0 {
        text.push_str(format!(".{rest:03}").trim_end_matches('0'));
    }
    text
}
