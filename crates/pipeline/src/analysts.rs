//! The engines of a run: one a thread, fed through a bounded queue. Which thread takes what changes no answer.

use std::sync::Mutex;
use std::thread::Scope;

use crossbeam_channel::{Receiver, Sender, bounded};
use engine::{
    Analyser, Budget, Builtin, BuiltinSettings, EngineError, EngineId, Retry, UciCommand,
    UciEngine, Unit,
};
use tables::Hex;

use crate::chunk::Halt;
use crate::context::{Context, Meter};
use crate::fault;
use crate::job::{AnalysisSettings, EngineChoice};
use crate::key::ChunkKey;
use crate::lines::{self, LineOf};
use crate::run::RunError;
use crate::stage::Stage;
use crate::unit::Answer;

/// The engine that the job names, started once to learn its identity.
pub(crate) struct Engine {
    settings: AnalysisSettings,
    pub(crate) id: EngineId,
    pub(crate) budget: Budget,
    /// The one that told its identity; the first thread takes it.
    first: Mutex<Option<Box<dyn Analyser>>>,
}

impl Engine {
    /// `None` where the job wants no analysis.
    pub(crate) fn start(settings: &AnalysisSettings) -> Result<Option<Engine>, RunError> {
        if settings.engine == EngineChoice::None {
            return Ok(None);
        }
        let first = make(settings).map_err(|error| RunError::Engine(error.to_string()))?;
        Ok(Some(Engine {
            settings: settings.clone(),
            id: first.identity().clone(),
            budget: Budget {
                nodes: settings.nodes,
                depth: settings.depth,
            },
            first: Mutex::new(Some(first)),
        }))
    }

    fn take(&self) -> Result<Box<dyn Analyser>, EngineError> {
        let first = self.first.lock().ok().and_then(|mut first| first.take());
        first.map_or_else(|| make(&self.settings), Ok)
    }
}

fn make(settings: &AnalysisSettings) -> Result<Box<dyn Analyser>, EngineError> {
    match &settings.engine {
        EngineChoice::None | EngineChoice::Builtin => {
            Ok(Box::new(Builtin::new(&BuiltinSettings {
                hash_mib: settings.hash_mib,
            })))
        }
        EngineChoice::Uci {
            program,
            args,
            options,
            ply_timeout,
        } => {
            let mut command = UciCommand::new(program);
            command.args.clone_from(args);
            command.options = options
                .iter()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
            command.deadline_per_ply = *ply_timeout;
            Ok(Box::new(UciEngine::start(command)?))
        }
    }
}

/// A task's place in its chunk, and its answers.
pub(crate) type Reply = (usize, Result<Vec<(ChunkKey, Answer)>, Halt>);

/// One game's units to answer.
pub(crate) struct Task {
    /// Place in the chunk, to put the answers in order.
    pub(crate) at: usize,
    pub(crate) game: OwnedLine,
    /// Plies (from 1) to judge, ascending, with the keys of their units.
    pub(crate) wanted: Vec<(u32, ChunkKey)>,
    /// Where the answers go.
    pub(crate) reply: Sender<Reply>,
}

/// A game's line that owns its texts.
#[derive(Clone, Debug)]
pub(crate) struct OwnedLine {
    game_id: Hex<16>,
    rule_set: String,
    start_fen: String,
    moves: String,
    count_commands: String,
}

impl From<LineOf<'_>> for OwnedLine {
    fn from(line: LineOf<'_>) -> OwnedLine {
        OwnedLine {
            game_id: line.game_id,
            rule_set: line.rule_set.to_owned(),
            start_fen: line.start_fen.to_owned(),
            moves: line.moves.to_owned(),
            count_commands: line.count_commands.to_owned(),
        }
    }
}

impl OwnedLine {
    fn lend(&self) -> LineOf<'_> {
        LineOf {
            game_id: self.game_id,
            rule_set: &self.rule_set,
            start_fen: &self.start_fen,
            moves: &self.moves,
            count_commands: &self.count_commands,
        }
    }
}

/// Starts the threads; the queue closes and they end when every sender is gone.
pub(crate) fn hire<'scope, 'env>(
    scope: &'scope Scope<'scope, 'env>,
    context: &'env Context<'_>,
    engine: &'env Engine,
    meter: &'env Meter<'_>,
) -> Sender<Task> {
    let threads = context.job.threads();
    let (sender, receiver) = bounded::<Task>(2 * threads);
    for _ in 0..threads {
        let receiver: Receiver<Task> = receiver.clone();
        scope.spawn(move || {
            let mut analyser = None;
            for task in receiver {
                let answers = answer(context, engine, meter, &mut analyser, &task);
                if task.reply.send((task.at, answers)).is_err() {
                    tracing::debug!("nobody waits for this chunk any more");
                }
            }
        });
    }
    sender
}

fn answer(
    context: &Context<'_>,
    engine: &Engine,
    meter: &Meter<'_>,
    analyser: &mut Option<Box<dyn Analyser>>,
    task: &Task,
) -> Result<Vec<(ChunkKey, Answer)>, Halt> {
    fault::at(Stage::Search, task.game.moves.as_bytes());
    let mut answers = Vec::with_capacity(task.wanted.len());
    let mut wanted = task.wanted.iter().peekable();
    lines::walk(&context.rulebook, task.game.lend(), |line, played| {
        let Some((_, key)) = wanted.next_if(|(ply, _)| *ply == line.plies().0 + 1) else {
            return Ok(());
        };
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        let analyser = match analyser {
            Some(analyser) => analyser,
            None => {
                let mut fresh = engine
                    .take()
                    .map_err(|error| Halt::Failed(error.to_string()))?;
                fresh.stop_with(context.options.cancel.flag());
                analyser.insert(fresh)
            }
        };
        let unit = Unit {
            line,
            played: Some(played),
            budget: engine.budget,
        };
        let assessed = analyser.assess(&unit);
        // What was cut short is no answer.
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        let answer = match assessed {
            Ok(found) => Answer::scored(&found),
            Err(error) if error.retry() == Retry::Never => Answer::refused(&error),
            Err(error) => return Err(Halt::Failed(error.to_string())),
        };
        answers.push((*key, answer));
        meter.add(1);
        Ok(())
    })?;
    Ok(answers)
}
