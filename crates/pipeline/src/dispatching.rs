//! Stages whose chunks other machines do: this process plans, hands out, waits, and takes up what the store holds afterwards.

use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime};

use crate::analysts::Engine;
use crate::chunk::{self, Id};
use crate::commit::Commit;
use crate::context::{Context, Meter};
use crate::input::Listing;
use crate::key::ChunkKey;
use crate::output::failed;
use crate::places::Places;
use crate::planning::Draft;
use crate::progress::Event;
use crate::receipt::Receipt;
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::{Chunk, Indexing};
use crate::work::IndexWork;

/// Hands the chunks of a manifest to other machines, each of which does its part with [`crate::task`].
pub trait Dispatch: Send + Sync {
    /// Has an order's chunks done. Comes back when none is open, or when the order is void: cancelled, or past its deadline.
    ///
    /// # Errors
    /// The machines cannot be had, or do not go on.
    fn dispatch(&self, order: &Order<'_>) -> Result<(), RunError>;
}

/// The chunks of one stage that are to be done elsewhere. The store says which of them are.
pub struct Order<'a> {
    context: &'a Context<'a>,
    stage: Stage,
    manifest: String,
    keys: Vec<ChunkKey>,
    deadline: Option<SystemTime>,
    meter: Meter<'a>,
}

impl std::fmt::Debug for Order<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Order")
            .field("stage", &self.stage)
            .field("manifest", &self.manifest)
            .finish_non_exhaustive()
    }
}

impl Order<'_> {
    /// The run's id.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.context.run
    }

    /// The job's name.
    #[must_use]
    pub fn job(&self) -> &str {
        &self.context.job.name
    }

    /// The stage.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Where the manifest lies: a folder's whole path, or a URL.
    #[must_use]
    pub fn manifest(&self) -> &str {
        &self.manifest
    }

    /// Chunks in the manifest.
    #[must_use]
    pub fn chunks(&self) -> usize {
        self.keys.len()
    }

    /// After this no chunk may begin.
    #[must_use]
    pub fn deadline(&self) -> Option<SystemTime> {
        self.deadline
    }

    /// Whether the run was told to stop.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.context.cancelled()
    }

    /// Whether no chunk may be handed out any more.
    #[must_use]
    pub fn is_void(&self) -> bool {
        let past = |deadline| SystemTime::now() >= deadline;
        self.is_cancelled() || self.deadline.is_some_and(past)
    }

    /// The indices, in the manifest's order, of chunks with neither receipt nor failed marker. Asks the store, and tells the progress.
    ///
    /// # Errors
    /// The store cannot be listed.
    pub fn open(&self) -> Result<Vec<u64>, RunError> {
        let mut settled = self.listed(&Receipt::folder_of(self.stage))?;
        settled.extend(self.listed(&chunk::failed_folder(self.stage))?);
        let open: Vec<u64> = (0..)
            .zip(&self.keys)
            .filter(|(_, key)| !settled.contains(&key.to_string()))
            .map(|(index, _)| index)
            .collect();
        self.meter.set((self.keys.len() - open.len()) as u64);
        Ok(open)
    }

    /// The last names of the objects in a folder.
    fn listed(&self, folder: &str) -> Result<BTreeSet<String>, RunError> {
        let entries = self.context.output.store().list(folder);
        let entries = entries.map_err(|source| failed(&format!("listing {folder}"), source))?;
        let name = |key: &str| key.rsplit('/').next().map(str::to_owned);
        Ok(entries
            .iter()
            .filter_map(|entry| name(&entry.key))
            .collect())
    }

    /// A word to the user, and to the log.
    pub fn warn(&self, text: &str) {
        tracing::warn!(run = self.context.run, stage = %self.stage, "{text}");
        let event = Event::Warning { text };
        self.context.options.progress.event(&event);
    }
}

/// Hands out what is left of index.
pub(crate) fn index(
    context: &Context<'_>,
    engine: Option<&Engine>,
    listing: &Listing,
) -> Result<(), RunError> {
    hand_out(context, engine, Stage::Index, |draft| {
        let mut archives = listing.archives.iter();
        archives
            .try_for_each(|archive| draft.index(context, &IndexWork::new(context, archive.clone())))
    })
}

/// Hands out what is left of replay.
pub(crate) fn replay(
    context: &Context<'_>,
    engine: Option<&Engine>,
    indexing: &Indexing,
    current: Option<&Commit>,
) -> Result<(), RunError> {
    hand_out(context, engine, Stage::Replay, |draft| {
        draft.replay(context, indexing, &Places::of(context, current)?)
    })
}

/// Hands out what is left of search.
pub(crate) fn search(
    context: &Context<'_>,
    engine: &Engine,
    chunks: &[Chunk],
) -> Result<(), RunError> {
    hand_out(context, Some(engine), Stage::Search, |draft| {
        draft.search(context, chunks)
    })
}

/// Hands out what is left of assemble.
pub(crate) fn assemble(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &[Chunk],
) -> Result<(), RunError> {
    hand_out(context, engine, Stage::Assemble, |draft| {
        let mut chunks = chunks.iter();
        chunks.try_for_each(|chunk| draft.assemble(context, engine, chunk))
    })
}

/// Plans a stage, has its chunks done elsewhere, and learns what is there then. Without a dispatcher nothing happens.
fn hand_out(
    context: &Context<'_>,
    engine: Option<&Engine>,
    stage: Stage,
    draw: impl FnOnce(&mut Draft) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let Some(dispatch) = &context.options.dispatch else {
        return Ok(());
    };
    if context.cancelled() {
        return Ok(());
    }
    let mut draft = Draft::new(context, engine, stage);
    draw(&mut draft)?;
    let keys = draft.keys();
    for key in &keys {
        clear(context, &Id::new(stage, *key, ""))?;
    }
    let Some(manifest) = draft.write(context)?.manifest else {
        return Ok(());
    };
    let count = keys.len() as u64;
    let order = Order {
        context,
        stage,
        manifest: whole(manifest),
        deadline: deadline(context),
        meter: context.meter(stage, count, 0, count, "chunks"),
        keys,
    };
    let begun = Instant::now();
    let outcome = dispatch.dispatch(&order);
    if outcome.is_ok() {
        // What the workers did after the last look.
        order.open()?;
    }
    let Order { meter, keys, .. } = order;
    meter.finish();
    context.output.refresh()?;
    let ms = begun.elapsed().as_millis() as u64;
    tracing::info!(run = context.run, %stage, chunks = count, ms, "stage came back");
    context.dispatched(stage, keys);
    outcome
}

/// Takes away what would look like a chunk that is done: a receipt whose parts are gone, the marker of a failure that is tried again.
fn clear(context: &Context<'_>, id: &Id) -> Result<(), RunError> {
    if context.output.has(&Receipt::path_of(id.stage, &id.key)) {
        context.output.forget(id.stage, &id.key)?;
    }
    let marker = chunk::failed_path(id);
    if context.output.has(&marker) {
        context.output.delete(&marker)?;
    }
    Ok(())
}

/// The same place seen from any folder.
fn whole(place: String) -> String {
    if place.starts_with("s3://") {
        return place;
    }
    let path = std::path::absolute(&place).ok();
    let path = path.and_then(|path| path.to_str().map(str::to_owned));
    path.unwrap_or(place)
}

fn deadline(context: &Context<'_>) -> Option<SystemTime> {
    let left: Duration = context.job.run.deadline?.saturating_sub(context.elapsed());
    SystemTime::now().checked_add(left)
}
