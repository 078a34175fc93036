//! A chunk that processes died at, worked on in a child process with limited memory. Where the child dies too, the chunk is halved until
//! the games that are to blame are found; they are set aside with a finding, and the rest is kept.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use crate::alone::{Choice, Piece, Reply, Request};
use crate::chunk::{Halt, Id, Made};
use crate::context::Context;
use crate::publishing::build_id;

/// After so many deaths, or as many as the job allows if those are fewer, a chunk is worked on in a child.
pub(crate) const DEATHS: u32 = 2;

/// More games than this are not to blame one by one: then it is the chunk, or the machine.
const MOST_GUILTY: usize = 64;

/// The name under which a receipt counts games that took every process down.
pub(crate) const DIED: &str = "games_died";

/// The program that does a request, as `nabsak alone`.
#[derive(Clone, Debug)]
pub struct ChildProgram {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

/// Works on a chunk in children.
pub(crate) fn isolate(
    context: &Context<'_>,
    program: &ChildProgram,
    id: &Id,
    deaths: u32,
    work: Piece,
) -> Result<Made, Halt> {
    tracing::warn!(target: "pipeline::mending", run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, deaths, "processes died at this chunk: it is worked on in a process of its own with limited memory");
    let mut isolation = Isolation {
        context,
        program,
        request: Request {
            build: build_id(),
            job: context.job.clone(),
            memory_bytes: context.job.run.isolated_bytes,
            work,
            choice: Choice::default(),
        },
        guilty: Vec::new(),
        last_words: String::new(),
    };
    let made = match isolation.whole()? {
        Some(made) => made,
        None => isolation.by_halves(deaths)?,
    };
    for game in &isolation.guilty {
        tracing::error!(target: "pipeline::mending", run = context.run, stage = %id.stage, chunk = %id.key, archive = id.archive, game, last_words = isolation.last_words, "this game of the chunk takes the process down: set aside");
    }
    Ok(made)
}

/// The search for the games that are to blame.
struct Isolation<'a, 'c> {
    context: &'a Context<'c>,
    program: &'a ChildProgram,
    request: Request,
    guilty: Vec<u64>,
    /// What the last child that died said.
    last_words: String,
}

impl Isolation<'_, '_> {
    /// The whole chunk but for the games that are to blame; none where the child died.
    fn whole(&mut self) -> Result<Option<Made>, Halt> {
        let choice = Choice {
            only: None,
            aside: self.guilty.clone(),
        };
        match self.ask(choice)? {
            Some(Reply::Made(mut made)) => {
                let died = self.guilty.len() as u64;
                if died > 0 {
                    made.counts.insert(DIED.to_owned(), died);
                }
                Ok(Some(made))
            }
            Some(_) => Err(Halt::Failed("the child answered something else".to_owned())),
            None => Ok(None),
        }
    }

    fn by_halves(&mut self, deaths: u32) -> Result<Made, Halt> {
        if self.request.work.has_games() {
            // Reading alone, to count them.
            if let Some(games) = self.dies_not((0, 0))? {
                self.halve((0, games))?;
                if !self.guilty.is_empty()
                    && let Some(made) = self.whole()?
                {
                    return Ok(made);
                }
            }
        }
        Err(Halt::Deadly(format!(
            "the process died {deaths} times while it worked on this chunk, and so did one of its own with {} MB of memory, and no game of it is to blame alone ({}); \
             run.isolated_mb gives it more, --retry-failed tries it again",
            self.request.memory_bytes / 1_000_000,
            self.last_words
        )))
    }

    /// Finds the games of a range, at which a process died, that are to blame.
    fn halve(&mut self, (first, end): (u64, u64)) -> Result<(), Halt> {
        if end - first <= 1 {
            // Once may be a chance: somebody else's hand, or the machine's memory.
            if end > first && self.dies_not((first, end))?.is_none() {
                self.guilty.push(first);
            }
            return Ok(());
        }
        let middle = first + (end - first) / 2;
        for half in [(first, middle), (middle, end)] {
            if self.guilty.len() < MOST_GUILTY && self.dies_not(half)?.is_none() {
                self.halve(half)?;
            }
        }
        Ok(())
    }

    /// Tries a range of games: the number of games in the chunk, or none where the child died.
    fn dies_not(&mut self, range: (u64, u64)) -> Result<Option<u64>, Halt> {
        let choice = Choice {
            only: Some(range),
            aside: Vec::new(),
        };
        match self.ask(choice)? {
            Some(Reply::Tried(games)) => Ok(Some(games)),
            Some(_) => Err(Halt::Failed("the child answered something else".to_owned())),
            None => Ok(None),
        }
    }

    /// Asks a child; none where it died.
    fn ask(&mut self, choice: Choice) -> Result<Option<Reply>, Halt> {
        self.request.choice = choice;
        let request = serde_json::to_vec(&self.request);
        let request = request.map_err(|error| Halt::Failed(error.to_string()))?;
        let starting = |error: std::io::Error| {
            let program = self.program.program.display();
            Halt::Failed(format!("cannot start {program}: {error}"))
        };
        let mut child = Command::new(&self.program.program)
            .args(&self.program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(starting)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (status, said, words) = thread::scope(|scope| {
            scope.spawn(move || {
                // A child that is gone reads nothing; its status tells.
                pipes
                    .0
                    .is_some_and(|mut pipe| pipe.write_all(&request).is_ok())
            });
            let said = scope.spawn(move || text_of(pipes.1));
            let words = scope.spawn(move || text_of(pipes.2));
            let status = self.wait(&mut child);
            let text =
                |thread: thread::ScopedJoinHandle<'_, String>| thread.join().unwrap_or_default();
            (status, text(said), text(words))
        });
        let status = status?;
        if status.success() {
            let line = said.lines().last().unwrap_or_default();
            return match serde_json::from_str(line) {
                Ok(Reply::Failed(reason)) => Err(Halt::Failed(reason)),
                Ok(Reply::Unreadable(reason)) => Err(Halt::Unreadable(reason)),
                Ok(reply) => Ok(Some(reply)),
                Err(error) => Err(Halt::Failed(format!("the child's answer: {error}"))),
            };
        }
        // Behind the first line may stand a backtrace.
        let said = words.lines().map(str::trim).find(|line| !line.is_empty());
        let said = said.unwrap_or_default();
        self.last_words = match said {
            "" => format!("{status}"),
            said => format!("{status}: {said}"),
        };
        tracing::debug!(choice = ?self.request.choice, words = self.last_words, "a child died");
        Ok(None)
    }

    fn wait(&self, child: &mut Child) -> Result<ExitStatus, Halt> {
        let asking = |error: std::io::Error| Halt::Failed(format!("waiting for a child: {error}"));
        loop {
            if let Some(status) = child.try_wait().map_err(asking)? {
                return Ok(status);
            }
            // The child gives itself up where it gets nowhere.
            self.context.life.pulse();
            if self.context.cancelled() {
                child.kill().and_then(|()| child.wait()).map_err(asking)?;
                return Err(Halt::Cancelled);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

fn text_of(pipe: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut pipe) = pipe
        && let Err(error) = pipe.read_to_end(&mut bytes)
    {
        tracing::debug!(%error, "a child's words were lost");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
