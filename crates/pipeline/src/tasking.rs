//! A task of an array job: one chunk of a manifest, or every K-th, done as a run would do it.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use store::{Location, S3Settings};

use crate::analysts::Engine;
use crate::assembling::{self, Searched, State};
use crate::chunk::{Done, Id};
use crate::commit::FailedChunk;
use crate::context::{Context, Reach};
use crate::input::Archive;
use crate::key::ChunkKey;
use crate::manifest::{Manifest, PLANS, PlannedChunk, PlannedReplay, Without};
use crate::outcome::ChunkTally;
use crate::output::{Output, failed};
use crate::places::{Places, Taken};
use crate::publishing::build_id;
use crate::receipt::{ChunkFacts, FORMAT, Facts, IndexFacts, Receipt, SearchFacts};
use crate::replaying;
use crate::run::{RunError, RunOptions};
use crate::stage::Stage;
use crate::stages::{Chunk, broken};
use crate::work::{self, CutWork, IndexWork, ReplayWork, SearchWork};

/// Which chunks of a manifest a task does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The task's index, from 0.
    pub index: u64,
    /// `None`: the chunk of that index. `Some(k)`: that chunk and every `k`-th after it, for arrays whose size is capped at `k`.
    pub stride: Option<u64>,
    /// Worker threads, where not as the job says.
    pub threads: Option<usize>,
}

/// What a task did.
#[derive(Clone, Debug, Default)]
pub struct TaskOutcome {
    /// The task's id in the log.
    pub run: String,
    /// Its chunks.
    pub tally: ChunkTally,
    /// Chunks of it that failed, and are marked.
    pub failed: Vec<FailedChunk>,
    /// Archives of it that cannot be read, with the reason.
    pub unreadable: Vec<(String, String)>,
    /// Whether it was interrupted; the same command goes on.
    pub interrupted: bool,
    /// Chunks in the manifest.
    pub chunks: u64,
    /// Time the task took.
    pub elapsed: Duration,
}

impl TaskOutcome {
    /// The exit status: 130 interrupted; 4 a chunk failed and is marked, or was left when the deadline came; 3 an archive cannot be
    /// read; else 0.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        if self.interrupted {
            130
        } else if !self.failed.is_empty() || self.tally.left > 0 {
            4
        } else if !self.unreadable.is_empty() {
            3
        } else {
            0
        }
    }
}

pub(crate) fn task(
    place: &str,
    share: Share,
    options: &RunOptions,
) -> Result<TaskOutcome, RunError> {
    let (root, path) = parts_of(place)?;
    let opening = |source| failed(&format!("opening the output {root}"), source);
    let location: Location = root.parse().map_err(opening)?;
    // The manifest says what it wants of S3, but it lies there itself: the environment says how to reach it.
    let store = options
        .stores
        .open(&location, &S3Settings::default())
        .map_err(opening)?;
    let output = Output::unlisted(store);
    let mut manifest = read(&output, &path)?;
    manifest.job.output.location = root;
    // A file that many tasks write says nothing.
    manifest.job.run.metrics = None;
    if let Some(threads) = share.threads {
        manifest.job.run.threads = threads;
    }
    let chosen = choose(&manifest, share)?;
    let job = manifest.job.clone();
    let context = Context::new(&job, options, output, Reach::Everything)?;
    let engine = match manifest.stage {
        Stage::Index => None,
        _ => Engine::start(&job.analysis)?,
    };
    same_engine(&manifest, engine.as_ref())?;
    tracing::info!(
        run = context.run,
        job = job.name,
        stage = %manifest.stage,
        index = share.index,
        chunks = chosen.len(),
        "task started"
    );
    let task = Task {
        context: &context,
        engine: engine.as_ref(),
        manifest: &manifest,
        path: &path,
    };
    let done = task.carry_out(&chosen).map_err(gone_on)?;
    let outcome = task.outcome(&chosen, done);
    tracing::info!(
        run = context.run,
        status = outcome.exit_status(),
        "task ended"
    );
    Ok(outcome)
}

/// The output place and the manifest's path below it.
fn parts_of(place: &str) -> Result<(String, String), RunError> {
    let folder = format!("{PLANS}/");
    let at = place
        .rfind(&folder)
        .filter(|at| *at == 0 || place[..*at].ends_with('/'));
    let at = at.ok_or_else(|| {
        RunError::Usage(format!(
            "{place} is no manifest: `nabsak plan` writes it into the output place, under {folder}"
        ))
    })?;
    let (root, path) = place.split_at(at);
    let root = match root {
        "" => ".",
        "/" => "/",
        root => root.trim_end_matches('/'),
    };
    Ok((root.to_owned(), path.to_owned()))
}

fn read(output: &Output, path: &str) -> Result<Manifest, RunError> {
    let missing = |error: RunError| match error.is_missing_object() {
        true => RunError::Usage(format!("there is no manifest {path}: plan the stage again")),
        false => error,
    };
    let bytes = output.get(path).map_err(missing)?;
    let broken = |error: serde_json::Error| RunError::Broken {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    // Another build's manifest need not look like ours beyond its head.
    let head: Head = serde_json::from_slice(&bytes).map_err(broken)?;
    if head.version != FORMAT || head.build != build_id() {
        return Err(RunError::Usage(format!(
            "another build of nabsak made the manifest {path} (build {}, this is {}): plan the stage again with this one",
            head.build,
            build_id()
        )));
    }
    serde_json::from_slice(&bytes).map_err(broken)
}

/// What every manifest begins with.
#[derive(Deserialize)]
struct Head {
    version: u32,
    build: String,
}

/// The chunks of a share.
fn choose(manifest: &Manifest, share: Share) -> Result<Vec<&PlannedChunk>, RunError> {
    let count = manifest.chunks.len() as u64;
    let Share { index, stride, .. } = share;
    if let Some(stride) = stride.filter(|stride| index >= *stride) {
        return Err(RunError::Usage(format!(
            "index {index} with stride {stride}: the indexes go from 0 to {}",
            stride.saturating_sub(1)
        )));
    }
    if stride.is_none() && index >= count {
        return Err(RunError::Usage(format!(
            "index {index} is beyond the manifest: it holds {count} chunks, 0 to {}",
            count.saturating_sub(1)
        )));
    }
    let first = usize::try_from(index).unwrap_or(usize::MAX);
    let step = usize::try_from(stride.unwrap_or(count.max(1))).unwrap_or(usize::MAX);
    Ok(manifest.chunks.iter().skip(first).step_by(step).collect())
}

fn same_engine(manifest: &Manifest, engine: Option<&Engine>) -> Result<(), RunError> {
    match (engine.map(|engine| engine.id.as_str()), &manifest.engine) {
        (Some(here), Some(planned)) if here != planned => Err(RunError::Engine(format!(
            "it is {here} here, and {planned} where the stage was planned"
        ))),
        _ => Ok(()),
    }
}

/// A later commit cleaned away what the plan stands on.
fn gone_on(error: RunError) -> RunError {
    if error.is_missing_object() {
        RunError::Usage(format!(
            "{error}. The output has gone on since this plan was made: plan the stage again"
        ))
    } else {
        error
    }
}

/// What the chunks of a task need.
struct Task<'a> {
    context: &'a Context<'a>,
    engine: Option<&'a Engine>,
    manifest: &'a Manifest,
    path: &'a str,
}

impl Task<'_> {
    fn carry_out(&self, chosen: &[&PlannedChunk]) -> Result<Vec<Done>, RunError> {
        match self.manifest.stage {
            Stage::Index => self.index(chosen),
            Stage::Replay => self.replay(chosen),
            Stage::Search => self.search(chosen),
            Stage::Assemble => self.assemble(chosen),
            Stage::Cut | Stage::Aggregate | Stage::Compact => Ok(Vec::new()),
        }
    }

    fn index(&self, chosen: &[&PlannedChunk]) -> Result<Vec<Done>, RunError> {
        let mut items = Vec::new();
        for chunk in chosen {
            let PlannedChunk::Index { key, archive } = chunk else {
                return Err(self.wrong("it holds chunks of another stage"));
            };
            let item = IndexWork::new(self.context, self.archive(*archive)?);
            self.same_key(item.id.key, *key)?;
            items.push(item);
        }
        work::index(self.context, &items)
    }

    /// Replays, and cuts what it replayed, so that the plan of search finds that done.
    fn replay(&self, chosen: &[&PlannedChunk]) -> Result<Vec<Done>, RunError> {
        let mut ranges = Vec::new();
        for chunk in chosen {
            let PlannedChunk::Replay {
                key,
                archive,
                index,
                chunk,
            } = chunk
            else {
                return Err(self.wrong("it holds chunks of another stage"));
            };
            let archive = self.archive(*archive)?;
            let (index, facts) = self.indexed(index, *chunk)?;
            let made = replaying::key(self.context, &archive.name, &index, &facts);
            self.same_key(made, *key)?;
            ranges.push((archive, facts, *key));
        }
        let items: Vec<ReplayWork<'_>> = ranges
            .iter()
            .map(|(archive, facts, key)| ReplayWork {
                id: Id::new(Stage::Replay, *key, &archive.name),
                archive,
                facts,
            })
            .collect();
        let places = self.places(&items)?;
        let mut done = work::replay(self.context, &items, &places)?;
        if let Some(engine) = self.engine {
            let cut = self.cut(engine, &done, &places)?;
            done.extend(cut);
        }
        Ok(done)
    }

    fn cut(&self, engine: &Engine, done: &[Done], places: &Places) -> Result<Vec<Done>, RunError> {
        let receipts = done.iter().filter_map(|done| match done {
            Done::Skipped(receipt) | Done::Made(receipt) => Some(receipt),
            _ => None,
        });
        let replayed: Vec<_> = receipts
            .filter_map(|receipt| places.taken(self.context, receipt))
            .collect();
        let items: Vec<CutWork<'_>> = replayed
            .iter()
            .map(|Taken { replay, games }| {
                CutWork::new(self.context, engine, &replay.archive, replay, games)
            })
            .collect();
        work::cut(self.context, engine, &items)
    }

    /// Where games of chunks are that were assembled since the plan was made; mostly there are none.
    fn places(&self, items: &[ReplayWork<'_>]) -> Result<Places, RunError> {
        let output = &self.context.output;
        for item in items {
            output.look(&item.id)?;
            let receipt = output.receipt(Stage::Replay, &item.id.key)?;
            if receipt.is_some_and(|receipt| !output.has_all(&receipt.parts)) {
                output.refresh()?;
                return Places::of(self.context, output.current()?.as_ref());
            }
        }
        Ok(Places::default())
    }

    fn search(&self, chosen: &[&PlannedChunk]) -> Result<Vec<Done>, RunError> {
        let Some(engine) = self.engine else {
            return Err(self.wrong("it holds chunks of search, and its job has no engine"));
        };
        let (mut ready, mut open) = (Vec::new(), Vec::new());
        for chunk in chosen {
            let PlannedChunk::Search { replay, facts } = chunk else {
                return Err(self.wrong("it holds chunks of another stage"));
            };
            let replay = self.replayed(*replay)?;
            let id = Id::new(Stage::Search, facts.key, &replay.archive);
            match self.done_before(&id)? {
                Some(receipt) => ready.push(Done::Skipped(receipt)),
                None => open.push((id, self.replay_of(replay)?, replay, facts)),
            }
        }
        let items: Vec<SearchWork<'_>> = open
            .iter()
            .map(|(id, receipt, replay, facts)| SearchWork {
                id: id.clone(),
                replay: receipt,
                games: &replay.games,
                facts,
            })
            .collect();
        let skipped = ready.len() as u64;
        self.context.tally_skipped(Stage::Search, skipped);
        ready.extend(work::search(self.context, engine, &items, skipped)?);
        Ok(ready)
    }

    fn assemble(&self, chosen: &[&PlannedChunk]) -> Result<Vec<Done>, RunError> {
        let (mut ready, mut open) = (Vec::new(), Vec::new());
        for planned in chosen {
            let PlannedChunk::Assemble { key, replay, .. } = planned else {
                return Err(self.wrong("it holds chunks of another stage"));
            };
            let archive = &self.replayed(*replay)?.archive;
            match self.done_before(&Id::new(Stage::Assemble, *key, archive))? {
                Some(receipt) => ready.push(Done::Skipped(receipt)),
                None => {
                    let chunk = self.chunk(planned)?;
                    let made = assembling::key(self.context, self.engine, &chunk);
                    self.same_key(made, *key)?;
                    open.push(chunk);
                }
            }
        }
        self.context
            .tally_skipped(Stage::Assemble, ready.len() as u64);
        ready.extend(work::assemble(self.context, self.engine, &open)?);
        Ok(ready)
    }

    /// A replay chunk with its scores, as it was when the stage was planned.
    fn chunk(&self, planned: &PlannedChunk) -> Result<Chunk, RunError> {
        let PlannedChunk::Assemble {
            replay,
            cut,
            without,
            ..
        } = planned
        else {
            return Err(self.wrong("it holds chunks of another stage"));
        };
        let replayed = self.replayed(*replay)?;
        let replay = self.replay_of(replayed)?;
        let Facts::Replay(facts) = replay.facts.clone() else {
            return Err(broken(&replay));
        };
        let cut = cut.map(|key| self.receipt(Stage::Cut, &key)).transpose()?;
        let mut searched = Vec::new();
        for (place, facts) in cut.iter().flat_map(searches).enumerate() {
            let state = match without.get(&place) {
                None => State::Done(self.receipt(Stage::Search, &facts.key)?),
                Some(Without::Pending) => State::Pending,
                Some(Without::Failed) => State::Failed,
            };
            searched.push(Searched {
                facts: facts.clone(),
                state,
            });
        }
        Ok(Chunk {
            archive: replayed.archive.clone(),
            replay,
            facts,
            games: replayed.games.clone(),
            cut,
            searched,
            assembled: None,
            places: Arc::default(),
        })
    }

    /// The receipt of a chunk that is done: what the plan stood on may be gone by now.
    fn done_before(&self, id: &Id) -> Result<Option<Receipt>, RunError> {
        let output = &self.context.output;
        output.look(id)?;
        let receipt = output.receipt(id.stage, &id.key)?;
        match receipt {
            Some(receipt) if output.has_all(&receipt.parts) => Ok(Some(receipt)),
            // A commit since may have merged what it made.
            Some(receipt) if id.stage == Stage::Assemble => {
                output.refresh()?;
                let places = Places::of(self.context, output.current()?.as_ref())?;
                Ok(places.assembled(self.context, &receipt))
            }
            _ => Ok(None),
        }
    }

    /// The receipt of a replay chunk, its rows where they were when the stage was planned.
    fn replay_of(&self, planned: &PlannedReplay) -> Result<Receipt, RunError> {
        Ok(Receipt {
            parts: planned.parts.clone(),
            ..self.receipt(Stage::Replay, &planned.key)?
        })
    }

    fn receipt(&self, stage: Stage, key: &ChunkKey) -> Result<Receipt, RunError> {
        self.context.output.get_json(&Receipt::path_of(stage, key))
    }

    fn archive(&self, place: usize) -> Result<Archive, RunError> {
        let planned = self.manifest.archives.get(place);
        planned
            .ok_or_else(|| self.wrong("it names an archive that it does not hold"))?
            .open(self.context)
    }

    fn replayed(&self, place: usize) -> Result<&PlannedReplay, RunError> {
        let planned = self.manifest.replays.get(place);
        planned.ok_or_else(|| self.wrong("it names a replay chunk that it does not hold"))
    }

    /// What the index says of an archive, and of one chunk of it.
    fn indexed(&self, key: &ChunkKey, chunk: usize) -> Result<(IndexFacts, ChunkFacts), RunError> {
        let receipt = self.receipt(Stage::Index, key)?;
        let Facts::Index(facts) = &receipt.facts else {
            return Err(broken(&receipt));
        };
        let chunk = facts.chunks.get(chunk);
        let chunk = chunk.ok_or_else(|| self.wrong("it names a chunk that the index lacks"))?;
        Ok((facts.clone(), chunk.clone()))
    }

    fn same_key(&self, made: ChunkKey, planned: ChunkKey) -> Result<(), RunError> {
        if made == planned {
            Ok(())
        } else {
            Err(self.wrong("its keys are not those of its job"))
        }
    }

    fn wrong(&self, reason: &str) -> RunError {
        RunError::Broken {
            path: self.path.to_owned(),
            reason: reason.to_owned(),
        }
    }

    /// `done` begins with what became of the chosen chunks, in their order where archives are read.
    fn outcome(&self, chosen: &[&PlannedChunk], done: Vec<Done>) -> TaskOutcome {
        let run = self.context.outcome();
        let tally = run.stages.get(&self.manifest.stage);
        let tally = tally.copied().unwrap_or_default();
        let mut outcome = TaskOutcome {
            interrupted: self.context.cancelled() && tally.left > 0,
            tally,
            run: run.run,
            chunks: self.manifest.chunks.len() as u64,
            elapsed: run.elapsed,
            ..TaskOutcome::default()
        };
        for (place, done) in done.into_iter().enumerate() {
            match done {
                Done::Failed(chunk) => outcome.failed.push(chunk),
                Done::Unreadable(reason) => {
                    let name = chosen.get(place).map_or("", |chunk| self.name_of(chunk));
                    outcome.unreadable.push((name.to_owned(), reason));
                }
                Done::Skipped(_) | Done::Made(_) | Done::Left | Done::Busy => {}
            }
        }
        outcome
    }

    /// The archive that a chunk reads.
    fn name_of(&self, chunk: &PlannedChunk) -> &str {
        match chunk {
            PlannedChunk::Index { archive, .. } | PlannedChunk::Replay { archive, .. } => {
                let planned = self.manifest.archives.get(*archive);
                planned.map_or("", |planned| planned.name.as_str())
            }
            PlannedChunk::Search { .. } | PlannedChunk::Assemble { .. } => "",
        }
    }
}

fn searches(cut: &Receipt) -> &[SearchFacts] {
    match &cut.facts {
        Facts::Cut(facts) => &facts.chunks,
        _ => &[],
    }
}
