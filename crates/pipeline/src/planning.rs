//! Plans a stage for an array job: from receipts to a manifest of the chunks that are left.

use std::collections::BTreeMap;

use crate::analysts::Engine;
use crate::assembling::{self, State};
use crate::chunk::{self, Id};
use crate::context::{Context, Reach};
use crate::driver::{number_of, with_job};
use crate::input;
use crate::job::Job;
use crate::key::ChunkKey;
use crate::manifest::{Manifest, PLANS, PlannedArchive, PlannedChunk, PlannedReplay, Without};
use crate::mending::Mending;
use crate::outcome::ChunkTally;
use crate::output::json;
use crate::places::Places;
use crate::publishing::build_id;
use crate::receipt::{FORMAT, Receipt};
use crate::run::{RunError, RunOptions};
use crate::stage::Stage;
use crate::stages::{self, Chunk, Indexing};
use crate::work::IndexWork;

/// A stage that was planned.
#[derive(Clone, Debug)]
pub struct Planned {
    /// Where the manifest lies; `None` where nothing is left to do.
    pub manifest: Option<String>,
    /// Chunks in it.
    pub chunks: u64,
    /// Chunks that took the process down too often and are left out.
    pub given_up: u64,
    /// What is there of the stages before.
    pub before: BTreeMap<Stage, ChunkTally>,
}

pub(crate) fn plan(job: &Job, stage: Stage, options: &RunOptions) -> Result<Planned, RunError> {
    if matches!(stage, Stage::Cut | Stage::Aggregate | Stage::Compact) {
        return Err(RunError::Usage(format!(
            "the stage {stage} needs no array: cuts are made by the tasks of replay, statistics and merged parts by the commit"
        )));
    }
    with_job(job, options, Reach::Conclusions, |context, engine| {
        let mut mending = Mending::default();
        loop {
            let base = number_of(context.output.current()?.as_ref());
            let mut draft = Draft::new(context, engine, stage);
            match draft.take_up(context, engine) {
                Ok(()) => return draft.write(context),
                Err(error) => mending.helps(context, base, error)?,
            }
            context.begin_again();
        }
    })
}

/// A manifest in the making.
pub(crate) struct Draft {
    manifest: Manifest,
    given_up: u64,
    archives: BTreeMap<String, usize>,
    replays: BTreeMap<ChunkKey, usize>,
}

impl Draft {
    pub(crate) fn new(context: &Context<'_>, engine: Option<&Engine>, stage: Stage) -> Draft {
        Draft {
            manifest: Manifest {
                version: FORMAT,
                stage,
                build: build_id(),
                engine: engine.map(|engine| engine.id.to_string()),
                job: context.job.clone(),
                archives: Vec::new(),
                replays: Vec::new(),
                chunks: Vec::new(),
            },
            given_up: 0,
            archives: BTreeMap::new(),
            replays: BTreeMap::new(),
        }
    }

    /// Goes through the stages up to the one that is planned, taking what is there.
    fn take_up(&mut self, context: &Context<'_>, engine: Option<&Engine>) -> Result<(), RunError> {
        let current = context.output.current()?;
        let listing = input::list(context.job, context.options.stores.as_ref())?;
        if self.manifest.stage == Stage::Index {
            for archive in listing.archives {
                self.index(context, &IndexWork::new(context, archive))?;
            }
            return Ok(());
        }
        let indexing = stages::index(context, listing)?;
        if self.manifest.stage == Stage::Replay {
            return self.replay(context, &indexing, &Places::of(context, current.as_ref())?);
        }
        let mut chunks = stages::replay(context, &indexing, current.as_ref())?.chunks;
        if let Some(engine) = engine {
            stages::cut(context, engine, &mut chunks)?;
            if self.manifest.stage == Stage::Search {
                return self.search(context, &chunks);
            }
            stages::search(context, engine, &mut chunks)?;
        }
        if self.manifest.stage == Stage::Assemble {
            for chunk in &chunks {
                self.assemble(context, engine, chunk)?;
            }
        }
        Ok(())
    }

    pub(crate) fn index(
        &mut self,
        context: &Context<'_>,
        work: &IndexWork,
    ) -> Result<(), RunError> {
        if self.is_open(context, &work.id, |_| true)? {
            let archive = self.archive(PlannedArchive::of(&work.archive));
            let key = work.id.key;
            self.manifest
                .chunks
                .push(PlannedChunk::Index { key, archive });
        }
        Ok(())
    }

    pub(crate) fn replay(
        &mut self,
        context: &Context<'_>,
        indexing: &Indexing,
        places: &Places,
    ) -> Result<(), RunError> {
        let mut work = stages::replay_work(context, indexing).into_iter();
        for indexed in &indexing.archives {
            for (chunk, work) in work.by_ref().take(indexed.facts.chunks.len()).enumerate() {
                let usable = |receipt: &Receipt| places.taken(context, receipt).is_some();
                if self.is_open(context, &work.id, usable)? {
                    let archive = self.archive(PlannedArchive::of(work.archive));
                    self.manifest.chunks.push(PlannedChunk::Replay {
                        key: work.id.key,
                        archive,
                        index: indexed.receipt.key,
                        chunk,
                    });
                }
            }
        }
        Ok(())
    }

    pub(crate) fn search(
        &mut self,
        context: &Context<'_>,
        chunks: &[Chunk],
    ) -> Result<(), RunError> {
        let by_key: BTreeMap<ChunkKey, &Chunk> = chunks
            .iter()
            .map(|chunk| (chunk.replay.key, chunk))
            .collect();
        for work in stages::search_work(chunks).0 {
            let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
            let Some(chunk) = by_key.get(&work.replay.key) else {
                continue;
            };
            if self.is_open(context, &work.id, usable)? {
                let replay = self.replayed(chunk);
                self.manifest.chunks.push(PlannedChunk::Search {
                    replay,
                    facts: work.facts.clone(),
                });
            }
        }
        Ok(())
    }

    pub(crate) fn assemble(
        &mut self,
        context: &Context<'_>,
        engine: Option<&Engine>,
        chunk: &Chunk,
    ) -> Result<(), RunError> {
        let key = assembling::key(context, engine, chunk);
        let id = Id::new(Stage::Assemble, key, &chunk.archive);
        let usable = |receipt: &Receipt| chunk.assembled_as(context, receipt).is_some();
        if self.is_open(context, &id, usable)? {
            let states = chunk.searched.iter().map(|searched| &searched.state);
            let without = states.enumerate().filter_map(|(place, state)| match state {
                State::Done(_) => None,
                State::Pending => Some((place, Without::Pending)),
                State::Failed => Some((place, Without::Failed)),
            });
            let without = without.collect();
            let replay = self.replayed(chunk);
            self.manifest.chunks.push(PlannedChunk::Assemble {
                key,
                replay,
                cut: chunk.cut.as_ref().map(|cut| cut.key),
                without,
            });
        }
        Ok(())
    }

    /// Whether a chunk is left to do.
    fn is_open(
        &mut self,
        context: &Context<'_>,
        id: &Id,
        usable: impl Fn(&Receipt) -> bool,
    ) -> Result<bool, RunError> {
        let receipt = context.output.receipt(id.stage, &id.key)?;
        if let Some(receipt) = receipt.filter(|receipt| usable(receipt)) {
            if context.goes_by(&receipt) {
                return Ok(false);
            }
            context.output.forget(id.stage, &id.key)?;
        }
        let open = chunk::is_open(context, id)?;
        self.given_up += u64::from(!open);
        Ok(open)
    }

    fn archive(&mut self, archive: PlannedArchive) -> usize {
        let next = self.archives.len();
        let place = *self.archives.entry(archive.name.clone()).or_insert(next);
        if place == next {
            self.manifest.archives.push(archive);
        }
        place
    }

    fn replayed(&mut self, chunk: &Chunk) -> usize {
        let next = self.replays.len();
        let place = *self.replays.entry(chunk.replay.key).or_insert(next);
        if place == next {
            self.manifest.replays.push(PlannedReplay {
                archive: chunk.archive.clone(),
                key: chunk.replay.key,
                parts: chunk.replay.parts.clone(),
                games: chunk.games.clone(),
            });
        }
        place
    }

    /// The keys of its chunks, in order.
    pub(crate) fn keys(&self) -> Vec<ChunkKey> {
        let chunks = self.manifest.chunks.iter();
        chunks.map(PlannedChunk::key).collect()
    }

    pub(crate) fn write(self, context: &Context<'_>) -> Result<Planned, RunError> {
        let chunks = self.manifest.chunks.len() as u64;
        let stage = self.manifest.stage;
        let mut planned = Planned {
            manifest: None,
            chunks,
            given_up: self.given_up,
            before: context.outcome().stages,
        };
        planned.before.retain(|before, _| *before < stage);
        if chunks > 0 {
            let bytes = json(PLANS, &self.manifest)?;
            let name = ChunkKey::of("plan").field("bytes", &bytes).finish();
            let path = format!("{PLANS}/{stage}/{name}");
            let created = context.output.create(&path, bytes)?;
            tracing::info!(run = context.run, path, chunks, ?created, "planned");
            let root = context.output.store().describe();
            planned.manifest = Some(format!("{}/{path}", root.trim_end_matches('/')));
        }
        Ok(planned)
    }
}
