//! A game as a script: a start, moves and count commands, to be played under any rule set.

use std::sync::Arc;

use rules::{
    CountCommand, CountKind, CountState, LegalMove, Line, Position, Ruleset, Setup, UciMove,
};

use crate::endings::Endings;
use crate::episodes::Episodes;
use crate::ledger::{CountAction, CountCommandAt, CountEpisode};

/// What was played, without the rules it was judged by.
#[derive(Debug, Clone)]
pub(crate) struct Script<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) moves: Vec<UciMove>,
    pub(crate) commands: &'a [CountCommandAt],
}

/// How a script goes under a rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The endings met.
    pub(crate) endings: Endings,
    /// The ply (1-based) of the first move that this rule set does not allow; 0 if it refuses the start.
    pub(crate) refused: Option<u32>,
    /// The counts that ran.
    pub(crate) counts: Vec<CountEpisode>,
}

impl<'a> Script<'a> {
    pub(crate) fn new(
        setup: &'a Setup,
        moves: impl Iterator<Item = LegalMove>,
        commands: &'a [CountCommandAt],
    ) -> Script<'a> {
        Script {
            setup,
            moves: moves.map(|mv| UciMove::from(mv.raw())).collect(),
            commands,
        }
    }

    /// Plays the script under a rule set. Commands that it does not know mean nothing to it.
    pub(crate) fn play(&self, rules: &Arc<Ruleset>) -> Outcome {
        let mut endings = Endings::default();
        let mut refused = None;
        let Some(mut line) = self.start(rules) else {
            let refused = Some(0);
            let counts = Vec::new();
            return Outcome {
                endings,
                refused,
                counts,
            };
        };
        endings.look(&line);
        let mut episodes = Episodes::begin(&line);
        let mut commands = self.commands.iter().peekable();
        for (ply, &wish) in (1..).zip(&self.moves) {
            while let Some(command) = commands.next_if(|command| command.ply <= ply) {
                obey(&mut line, *command);
            }
            let Some(mv) = line.position().resolve(wish) else {
                refused = Some(ply);
                break;
            };
            let before = *line.position();
            line.push(mv);
            endings.look(&line);
            episodes.after(ply, &before, &line);
        }
        Outcome {
            endings,
            refused,
            counts: episodes.finish(&line),
        }
    }

    fn start(&self, rules: &Arc<Ruleset>) -> Option<Line> {
        let mut setup = self.setup.clone();
        if !rules.has_rights() {
            setup.rights = rules::Rights::NONE;
        }
        let position = Position::from_setup(&setup, rules).ok()?;
        Some(Line::new(
            rules,
            position,
            CountState::from_fields(setup.count, &position, rules),
        ))
    }
}

fn obey(line: &mut Line, command: CountCommandAt) {
    let said = match command.action {
        CountAction::Start => CountCommand::Start,
        CountAction::Stop => CountCommand::Stop,
    };
    // A rule set that counts by itself refuses commands: it then counts as it always does.
    let _refused = line.command(said);
}

impl Script<'_> {
    /// The ply after which a board's honour count would have run out, had it been started before `start` by the side to
    /// move there; whatever other endings the game passes on the way.
    pub(crate) fn expiry(&self, rules: &Arc<Ruleset>, start: u32) -> Option<u32> {
        let mut line = self.start(rules)?;
        for (ply, &wish) in (1..).zip(&self.moves) {
            if ply == start {
                line.command(CountCommand::Start).ok()?;
            }
            let mv = line.position().resolve(wish)?;
            line.push(mv);
            if ply >= start {
                let count = line
                    .count()
                    .filter(|count| count.kind == CountKind::Board)?;
                if count.replies_left == 0 && line.position().has_legal_move() {
                    return Some(ply);
                }
            }
        }
        None
    }
}
