//! An outside engine as an [`Analyser`].

use std::path::PathBuf;
use std::time::Instant;

use notation::fen;
use rules::{LegalMove, Line, Move, Ruleset, UciMove, Variant};

use super::child::{NoLine, Process};
use super::command::UciCommand;
use super::protocol::{self, Info, Said};
use crate::builtin::score_without_moves;
use crate::{Analyser, Assessment, EngineError, EngineId, Retry, Unit};

/// A UCI engine in a process of its own, killed with all its children when this value is dropped.
///
/// ```text
/// starting    uci                        ->  id, option, uciok
///             setoption ..., isready     ->  readyok
/// each unit   setoption UCI_Variant      (when the game changes)
///             ucinewgame, isready        ->  readyok       nothing passes between units
///             position fen F
///             go nodes N1 [depth D]      ->  info ..., bestmove
///             go nodes N2 depth d searchmoves PLAYED       (if PLAYED is not the best move)
/// ```
///
/// # Terms of an assessment
/// The budget's nodes are two thirds for the root and one third for the played move, which is searched from the same
/// root, with the hash still warm, to the depth that the root's search reached. `UCI_Variant` says the engine's own
/// rules: its counting and repetition, not those of the rule set; only its legality is checked.
///
/// After a crash, silence past the deadline or nonsense the engine is started again and the unit asked again, as often
/// as [`UciCommand::restarts`] allows.
#[derive(Debug)]
pub struct UciEngine {
    command: UciCommand,
    executable: PathBuf,
    identity: EngineId,
    name: String,
    variants: Vec<String>,
    /// `None` after a failure, until the next unit.
    process: Option<Process>,
    variant: Option<&'static str>,
    restarts: u64,
}

impl UciEngine {
    /// Starts the engine and learns its name and variants. Blocks until it is ready.
    ///
    /// # Errors
    /// [`EngineError::Start`] if it cannot be run, else what it did wrong while starting.
    pub fn start(command: UciCommand) -> Result<UciEngine, EngineError> {
        let cannot = |source| EngineError::Start {
            program: command.program.clone(),
            source,
        };
        let executable = command.executable().map_err(cannot)?;
        let hash = hash_of(&executable).map_err(cannot)?;
        let mut engine = UciEngine {
            executable,
            identity: EngineId::new(""),
            name: command.program.display().to_string(),
            variants: Vec::new(),
            process: None,
            variant: None,
            restarts: 0,
            command,
        };
        engine.wake()?;
        engine.identity = engine.describe(hash);
        Ok(engine)
    }

    /// What the engine calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How often the engine had to be started again.
    #[must_use]
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// File, name and options: whatever may change an answer.
    fn describe(&self, file: blake3::Hash) -> EngineId {
        let mut hasher = blake3::Hasher::new();
        hasher.update(file.as_bytes());
        hasher.update(self.name.as_bytes());
        for part in self.command.args.iter().chain(
            self.command
                .options
                .iter()
                .flat_map(|(name, value)| [name, value]),
        ) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        let digest = hasher.finalize().to_hex();
        EngineId::new(format!("uci:{}:{}", self.name, &digest.as_str()[..16]))
    }

    /// A ready process, started if there is none.
    fn wake(&mut self) -> Result<(), EngineError> {
        if self.process.is_some() {
            return Ok(());
        }
        let started = Process::start(&self.executable, &self.command.args);
        let source = |source| EngineError::Start {
            program: self.command.program.clone(),
            source,
        };
        self.process = Some(started.map_err(source)?);
        self.variant = None;
        let until = Instant::now() + self.command.deadline_per_ply;
        self.say("uci", "uciok")?;
        self.variants.clear();
        loop {
            match self.hear(until, "uciok")? {
                Said::Name(name) => self.name = name,
                Said::Option { name, values } if name == "UCI_Variant" => self.variants = values,
                Said::UciOk => break,
                _ => {}
            }
        }
        if !self
            .command
            .options
            .iter()
            .any(|(name, _)| name == "Threads")
        {
            self.say("setoption name Threads value 1", "readyok")?;
        }
        for (name, value) in self.command.options.clone() {
            self.say(&format!("setoption name {name} value {value}"), "readyok")?;
        }
        self.ready(until)
    }

    fn ready(&mut self, until: Instant) -> Result<(), EngineError> {
        self.say("isready", "readyok")?;
        while self.hear(until, "readyok")? != Said::ReadyOk {}
        Ok(())
    }

    fn say(&mut self, line: &str, asked: &'static str) -> Result<(), EngineError> {
        let sent = match &mut self.process {
            Some(process) => process.say(line),
            None => Err(NoLine::Death),
        };
        sent.map_err(|why| self.fault(why, asked))
    }

    fn hear(&mut self, until: Instant, asked: &'static str) -> Result<Said, EngineError> {
        let heard = match &mut self.process {
            Some(process) => process.hear(until),
            None => Err(NoLine::Death),
        };
        let line = heard.map_err(|why| self.fault(why, asked))?;
        protocol::read(&line).ok_or_else(|| self.garbage(&line))
    }

    fn fault(&self, why: NoLine, asked: &'static str) -> EngineError {
        let engine = self.name.clone();
        match why {
            NoLine::Death => EngineError::Died { engine, asked },
            NoLine::Silence => EngineError::Silent {
                engine,
                asked,
                deadline: self.command.deadline_per_ply,
            },
        }
    }

    fn garbage(&self, line: &str) -> EngineError {
        EngineError::Garbage {
            engine: self.name.clone(),
            line: line.chars().take(200).collect(),
        }
    }

    /// The engine's name of the rule set's game.
    fn variant_for(&self, rules: &Ruleset) -> Result<&'static str, EngineError> {
        let variant = match rules.variant() {
            Variant::Makruk => "makruk",
            Variant::Ouk => "cambodian",
            Variant::KarOuk => "karouk",
        };
        let unsupported = |reason: String| EngineError::Unsupported {
            engine: self.name.clone(),
            rule_set: rules.id().to_string(),
            reason,
        };
        if !self.variants.iter().any(|offered| offered == variant) {
            return Err(unsupported(format!(
                "it does not offer UCI_Variant {variant}"
            )));
        }
        if variant != "makruk" && has_old_ouk_rules(&self.name) && !self.command.force_variant {
            let reason = "its ouk rules are the old ones (leaps, counting, promotion): use a version after 14, \
                          or force it if you know what you do";
            return Err(unsupported(reason.into()));
        }
        Ok(variant)
    }

    fn assess_once(
        &mut self,
        unit: &Unit<'_>,
        variant: &'static str,
    ) -> Result<Assessment, EngineError> {
        self.wake()?;
        let until = Instant::now() + self.command.deadline_per_ply;
        if self.variant != Some(variant) {
            self.say(
                &format!("setoption name UCI_Variant value {variant}"),
                "readyok",
            )?;
            self.variant = Some(variant);
        }
        self.say("ucinewgame", "readyok")?;
        self.ready(until)?;
        let fen = fen::write(unit.line);
        self.say(&format!("position fen {fen}"), "bestmove")?;

        let for_played = if unit.played.is_some() {
            unit.budget.nodes / 3
        } else {
            0
        };
        let nodes = (unit.budget.nodes - for_played).max(1);
        let depth = unit
            .budget
            .depth
            .map_or_else(String::new, |depth| format!(" depth {depth}"));
        let (info, best) = self.go(&format!("go nodes {nodes}{depth}"), until, unit.line, &fen)?;
        let mut assessment = Assessment {
            best: best.raw(),
            score: info.score,
            pv: legal_pv(unit.line, best, &info.pv),
            played: None,
            nodes: info.nodes,
            depth: info.depth,
        };
        match unit.played {
            Some(played) if played == best => assessment.played = Some(info.score),
            Some(played) => {
                let go = format!(
                    "go nodes {} depth {} searchmoves {played}",
                    for_played.max(1),
                    info.depth.max(1)
                );
                let (of_played, _) = self.go(&go, until, unit.line, &fen)?;
                add_played(&mut assessment, unit.line, played, &of_played);
            }
            None => {}
        }
        Ok(assessment)
    }

    /// One search: the last exact `info`, and the best move if it is legal.
    fn go(
        &mut self,
        go: &str,
        until: Instant,
        line: &Line,
        fen: &str,
    ) -> Result<(Info, LegalMove), EngineError> {
        self.say(go, "bestmove")?;
        let mut last: Option<Info> = None;
        let answer = loop {
            match self.hear(until, "bestmove")? {
                Said::Info(info) if info.multipv == 1 => {
                    // A bound is better than nothing, and worse than any score.
                    if !info.bound || last.as_ref().is_none_or(|last| last.bound) {
                        last = Some(info);
                    } else if let Some(last) = &mut last {
                        last.nodes = info.nodes;
                    }
                }
                Said::BestMove(answer) => break answer,
                _ => {}
            }
        };
        let illegal = || EngineError::IllegalMove {
            engine: self.name.clone(),
            answer: answer.clone(),
            fen: fen.to_owned(),
        };
        let wish: UciMove = answer.parse().map_err(|_not_a_move| illegal())?;
        let best = line.position().resolve(wish).ok_or_else(illegal)?;
        match last {
            Some(info) => Ok((info, best)),
            None => Err(self.garbage(&format!("bestmove {answer} without a score"))),
        }
    }
}

impl Analyser for UciEngine {
    fn identity(&self) -> &EngineId {
        &self.identity
    }

    fn assess(&mut self, unit: &Unit<'_>) -> Result<Assessment, EngineError> {
        if !unit.line.position().has_legal_move() {
            return Err(EngineError::NoMoves {
                score: score_without_moves(unit.line),
            });
        }
        let variant = self.variant_for(unit.line.ruleset())?;
        let mut left = self.command.restarts;
        loop {
            let error = match self.assess_once(unit, variant) {
                Ok(assessment) => return Ok(assessment),
                Err(error) => error,
            };
            // Whatever went wrong, the process is in no known state.
            self.process = None;
            if error.retry() == Retry::Never || left == 0 {
                return Err(error);
            }
            left -= 1;
            self.restarts += 1;
        }
    }
}

fn add_played(assessment: &mut Assessment, line: &Line, played: LegalMove, info: &Info) {
    assessment.nodes += info.nodes;
    if info.score.rank() > assessment.score.rank() {
        assessment.best = played.raw();
        assessment.score = info.score;
        assessment.pv = legal_pv(line, played, &info.pv);
    }
    assessment.played = Some(info.score);
    assessment.depth = assessment.depth.min(info.depth.max(1));
}

/// The engine's line of play as far as it is legal; at least the best move.
fn legal_pv(line: &Line, best: LegalMove, pv: &[UciMove]) -> Vec<Move> {
    let mut pos = *line.position();
    let mut legal = Vec::new();
    for &wish in pv {
        let Some(mv) = pos.resolve(wish) else { break };
        legal.push(mv.raw());
        pos.play(mv);
    }
    if legal.first() == Some(&best.raw()) {
        legal
    } else {
        vec![best.raw()]
    }
}

fn hash_of(executable: &std::path::Path) -> std::io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    std::io::copy(&mut std::fs::File::open(executable)?, &mut hasher)?;
    Ok(hasher.finalize())
}

/// Fairy-Stockfish up to 14.0 plays ouk by old rules (RULES 11).
fn has_old_ouk_rules(name: &str) -> bool {
    let Some(version) = name.strip_prefix("Fairy-Stockfish") else {
        return false;
    };
    let major: String = version
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    // Development builds are named by their date, ddmmyy, and begin with more than two digits.
    major.len() <= 2 && major.parse::<u32>().is_ok_and(|major| major <= 13)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_fairies_are_known() {
        assert!(has_old_ouk_rules("Fairy-Stockfish 11.1 LB 64"));
        assert!(!has_old_ouk_rules("Fairy-Stockfish 14.0.1 XQ"));
        assert!(!has_old_ouk_rules("Fairy-Stockfish 230726"));
        assert!(!has_old_ouk_rules("Nabsak 1"));
    }
}
