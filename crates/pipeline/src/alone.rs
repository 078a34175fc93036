//! The child's side of a chunk that processes died at: one request from standard input, worked on with limited memory; one reply.

use std::io::Read;

use serde::{Deserialize, Serialize};
use store::{Location, S3Settings};

use crate::analysts::{self, Engine};
use crate::chunk::{Halt, Made};
use crate::context::{Context, Reach};
use crate::index;
use crate::job::Job;
use crate::key::ChunkKey;
use crate::manifest::PlannedArchive;
use crate::output::{Output, failed};
use crate::publishing::build_id;
use crate::receipt::{ChunkFacts, Part, Receipt, SearchFacts};
use crate::replaying;
use crate::run::{RunError, RunOptions};
use crate::search;
use crate::stage::Stage;

/// What a child is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The program that asks; only the same one answers.
    pub(crate) build: String,
    pub(crate) job: Job,
    /// Bytes of memory that the child may ask for.
    pub(crate) memory_bytes: u64,
    pub(crate) work: Piece,
    /// Which of its games.
    pub(crate) choice: Choice,
}

/// A chunk, with all that is needed to do it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Piece {
    Index {
        archive: PlannedArchive,
    },
    Replay {
        archive: PlannedArchive,
        facts: ChunkFacts,
        key: ChunkKey,
    },
    Search {
        replay: Box<Receipt>,
        games: Vec<Part>,
        facts: SearchFacts,
    },
}

impl Piece {
    /// Whether it consists of games that can be told apart.
    pub(crate) fn has_games(&self) -> bool {
        !matches!(self, Piece::Index { .. })
    }
}

/// Which games of a chunk are worked on; games are counted from 0 in the order of the chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choice {
    /// Only games from here to before there, and nothing is written: to see whether that ends well.
    pub(crate) only: Option<(u64, u64)>,
    /// Games that are set aside untouched.
    pub(crate) aside: Vec<u64>,
}

impl Choice {
    /// Whether nothing is written.
    pub(crate) fn is_trial(&self) -> bool {
        self.only.is_some()
    }

    /// Whether a game is left out of a trial.
    pub(crate) fn passes_over(&self, game: u64) -> bool {
        self.only
            .is_some_and(|(first, end)| game < first || game >= end)
    }

    /// Whether a game is set aside.
    pub(crate) fn sets_aside(&self, game: u64) -> bool {
        self.aside.contains(&game)
    }
}

/// What stands in the tables about a game that took every process down.
pub(crate) const DIED: &str = "internal error: the program died while it worked on this game";

/// How it ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    Made(Made),
    /// A trial that ended well, with the number of games in the chunk.
    Tried(u64),
    Failed(String),
    Unreadable(String),
}

/// The name under which a trial counts the games of a chunk.
pub(crate) const GAMES: &str = "games";

/// Does a request; gives the reply as one line.
pub(crate) fn answer(input: impl Read, options: &RunOptions) -> Result<String, RunError> {
    let wrong = |error: serde_json::Error| RunError::Usage(format!("this is no request: {error}"));
    let mut request: Request = serde_json::from_reader(input).map_err(wrong)?;
    if request.build != build_id() {
        return Err(RunError::Usage("another build asks".to_owned()));
    }
    limit(request.memory_bytes);
    // One thread: the less is under way when memory ends, the surer is what ended it.
    request.job.run.threads = 1;
    request.job.run.deadline = None;
    request.job.run.metrics = None;
    let job = request.job;
    let opening = |source| failed("opening the output", source);
    let location: Location = job.output.location.parse().map_err(opening)?;
    let settings: S3Settings = job.s3.settings();
    let store = options.stores.open(&location, &settings).map_err(opening)?;
    let mut context = Context::new(&job, options, Output::unlisted(store), Reach::Everything)?;
    context.choice = request.choice;
    let reply = match work(&context, &request.work) {
        Ok(made) if context.choice.is_trial() => {
            Reply::Tried(made.counts.get(GAMES).copied().unwrap_or(0))
        }
        Ok(made) => Reply::Made(made),
        Err(Halt::Failed(reason) | Halt::Deadly(reason)) => Reply::Failed(reason),
        Err(Halt::Unreadable(reason)) => Reply::Unreadable(reason),
        Err(Halt::Cancelled) => Reply::Failed("it was told to stop".to_owned()),
        Err(Halt::Fatal(error)) => return Err(error),
    };
    serde_json::to_string(&reply).map_err(|error| RunError::Broken {
        path: "the reply".to_owned(),
        reason: error.to_string(),
    })
}

fn work(context: &Context<'_>, piece: &Piece) -> Result<Made, Halt> {
    match piece {
        Piece::Index { archive } => {
            let archive = archive.open(context)?;
            let meter = context.meter(Stage::Index, 1, 0, archive.size, "bytes");
            index::index(context, &archive, &meter)
        }
        Piece::Replay {
            archive,
            facts,
            key,
        } => {
            let archive = archive.open(context)?;
            let meter = context.meter(Stage::Replay, 1, 0, facts.bytes(), "bytes");
            replaying::replay(context, &archive, facts, *key, &meter)
        }
        Piece::Search {
            replay,
            games,
            facts,
        } => {
            let missing = || Halt::Failed("the job has no engine".to_owned());
            let engine = Engine::start(&context.job.analysis)?.ok_or_else(missing)?;
            let meter = context.meter(Stage::Search, 1, 0, facts.units, "plies");
            std::thread::scope(|scope| {
                let analysts = analysts::hire(scope, context, &engine, &meter);
                search::search(context, &engine, &analysts, replay, games, facts)
            })
        }
    }
}

/// Limits what this process may ask for, and ends it with its parent.
#[cfg(target_os = "linux")]
fn limit(memory_bytes: u64) {
    use rustix::process::{Resource, Rlimit, Signal};
    let limit = Rlimit {
        current: Some(memory_bytes),
        maximum: Some(memory_bytes),
    };
    // Data, not addresses: an allocator reserves far more of those than it uses.
    let limited = rustix::process::setrlimit(Resource::Data, limit);
    let bound = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if let Err(error) = limited.and(bound) {
        tracing::warn!(%error, "this process goes on without a limit");
    }
}

#[cfg(not(target_os = "linux"))]
fn limit(_memory_bytes: u64) {}
