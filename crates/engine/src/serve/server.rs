//! The side of UCI that answers.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::time::Instant;

use notation::fen;
use rules::{Line, Ruleset, UciMove, Variant, perft_divide};

use super::clock;
use super::command::{Command, Go};
use crate::search::{Cut, Limits, Outcome, Progress, Searcher, Workspace};
use crate::{BuiltinSettings, MAX_HASH_MIB, Score};

/// A conversation with a GUI.
pub(super) struct Server<W> {
    output: W,
    line: Line,
    space: Workspace,
}

impl<W: Write> Server<W> {
    pub(super) fn new(output: W, rules: &Arc<Ruleset>) -> Server<W> {
        let space = Workspace::new(BuiltinSettings::default().table_bytes());
        Server {
            output,
            line: Line::from_start(rules),
            space,
        }
    }

    pub(super) fn run(mut self, commands: &Receiver<Command>) -> io::Result<()> {
        // The reader hangs up at the end of input.
        for command in commands {
            match command {
                Command::Uci => self.introduce()?,
                Command::IsReady => writeln!(self.output, "readyok")?,
                Command::NewGame => self.space.clear(),
                Command::SetOption { name, value } => self.set_option(&name, &value)?,
                Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves)?,
                Command::Go(go) => self.go(&go)?,
                Command::Perft(depth) => self.perft(depth)?,
                Command::Stop | Command::Nothing => {}
                Command::Quit => break,
                Command::Unknown(line) => {
                    writeln!(self.output, "info string not understood: {line}")?
                }
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn introduce(&mut self) -> io::Result<()> {
        let default = BuiltinSettings::default().hash_mib;
        writeln!(self.output, "id name Nabsak {}", env!("CARGO_PKG_VERSION"))?;
        writeln!(self.output, "id author the Nabsak developers")?;
        writeln!(
            self.output,
            "option name Hash type spin default {default} min 1 max {MAX_HASH_MIB}"
        )?;
        writeln!(
            self.output,
            "option name Threads type spin default 1 min 1 max 1"
        )?;
        write!(
            self.output,
            "option name UCI_Variant type combo default {}",
            self.line.ruleset().id()
        )?;
        for name in ["cambodian", "karouk"].iter().chain(Ruleset::builtin_ids()) {
            write!(self.output, " var {name}")?;
        }
        writeln!(self.output, "\nuciok")
    }

    fn set_option(&mut self, name: &str, value: &str) -> io::Result<()> {
        match name.to_ascii_lowercase().as_str() {
            "hash" => match value.parse() {
                Ok(hash_mib) if (1..=MAX_HASH_MIB).contains(&hash_mib) => {
                    self.space = Workspace::new(BuiltinSettings { hash_mib }.table_bytes())
                }
                _ => writeln!(
                    self.output,
                    "info string Hash wants a number of MiB from 1 to {MAX_HASH_MIB}, not {value:?}"
                )?,
            },
            "uci_variant" => self.set_variant(value)?,
            "threads" | "ponder" | "multipv" | "uci_analysemode" => {}
            _ => writeln!(self.output, "info string no such option: {name}")?,
        }
        Ok(())
    }

    /// A game's name (`makruk`, `cambodian`, `karouk`) keeps a rule set of that game that was chosen before; a rule
    /// set's id chooses it.
    fn set_variant(&mut self, value: &str) -> io::Result<()> {
        let (game, id) = match value {
            "makruk" => (Some(Variant::Makruk), "makruk"),
            "cambodian" => (Some(Variant::Ouk), "ouk"),
            "karouk" => (Some(Variant::KarOuk), "kar-ouk"),
            id => (None, id),
        };
        if game == Some(self.line.ruleset().variant()) {
            self.line = Line::from_start(&Arc::clone(self.line.ruleset()));
            return Ok(());
        }
        match Ruleset::builtin(id) {
            Ok(rules) => {
                self.line = Line::from_start(&rules);
                self.space.clear();
                Ok(())
            }
            Err(error) => writeln!(self.output, "info string {error}"),
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) -> io::Result<()> {
        let rules = Arc::clone(self.line.ruleset());
        let mut line = match fen {
            None => Line::from_start(&rules),
            Some(text) => match fen::parse(text, &rules) {
                Ok(start) => Line::new(&rules, start.position, start.count_state),
                Err(error) => return writeln!(self.output, "info string position kept: {error}"),
            },
        };
        for text in moves {
            let legal = text
                .parse::<UciMove>()
                .ok()
                .and_then(|wish| line.position().resolve(wish));
            let Some(mv) = legal else {
                writeln!(
                    self.output,
                    "info string illegal move {text}: the moves from there on are left out"
                )?;
                break;
            };
            line.push(mv);
        }
        self.line = line;
        Ok(())
    }

    fn go(&mut self, go: &Go) -> io::Result<()> {
        let started = Instant::now();
        let (soft, deadline) = clock::plan(go, self.line.position().turn() as usize, started);
        let limits = Limits {
            nodes: go.nodes.unwrap_or(u64::MAX),
            depth: go.depth.unwrap_or(u32::MAX),
            soft,
            deadline,
            stop: Some(&go.stop),
        };
        let mut written = Ok(());
        let output = &mut self.output;
        let mut searcher = Searcher::new(&self.line, &mut self.space, limits);
        searcher.only(&go.search_moves);
        let outcome = searcher.deepen(None, Cut::UseMove, &mut |progress| {
            if written.is_ok() {
                written = write_info(output, &progress, started);
            }
        });
        written?;
        // UCI: an endless search answers only when it is told to stop, even if it has nothing left to do.
        while go.is_endless() && !go.stop.load(Ordering::Relaxed) {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        match outcome {
            Some(outcome) => {
                self.sum_up(&outcome, started)?;
                let mv = outcome.last.best;
                match outcome.last.pv.get(1).filter(|_| outcome.last.pv[0] == mv) {
                    Some(reply) => writeln!(self.output, "bestmove {mv} ponder {reply}"),
                    None => writeln!(self.output, "bestmove {mv}"),
                }
            }
            None => {
                let score = crate::builtin::score_without_moves(&self.line);
                writeln!(self.output, "info depth 0 score {score}\nbestmove (none)")
            }
        }
    }

    /// The last word on what was searched: an iteration that was cut off is in its nodes, and perhaps in its move.
    fn sum_up(&mut self, outcome: &Outcome, started: Instant) -> io::Result<()> {
        let progress = Progress {
            iteration: &outcome.last,
            nodes: outcome.nodes,
            deepest: outcome.deepest,
            per_mille: self.space.per_mille(),
        };
        write_info(&mut self.output, &progress, started)
    }

    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let mut total = 0;
        for (mv, nodes) in perft_divide(self.line.position(), depth) {
            writeln!(self.output, "{mv}: {nodes}")?;
            total += nodes;
        }
        writeln!(self.output, "\nNodes searched: {total}")
    }
}

fn write_info(
    output: &mut impl Write,
    progress: &Progress<'_>,
    started: Instant,
) -> io::Result<()> {
    let iteration = progress.iteration;
    let elapsed = started.elapsed();
    let nps = (u128::from(progress.nodes) * 1_000_000 / elapsed.as_micros().max(1)) as u64;
    write!(
        output,
        "info depth {} seldepth {} score {} nodes {} nps {nps} hashfull {} time {} pv",
        iteration.depth,
        progress.deepest,
        Score::from_value(iteration.value),
        progress.nodes,
        progress.per_mille,
        elapsed.as_millis(),
    )?;
    for mv in &iteration.pv {
        write!(output, " {mv}")?;
    }
    writeln!(output)?;
    output.flush()
}
