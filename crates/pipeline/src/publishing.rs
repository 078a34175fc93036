//! From receipts to a commit: the whole state, under the next number.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use store::Created;
use tables::{Hex, RunRow, RunStatus, Table, Timestamp};

use crate::analysts::Engine;
use crate::assembling::{REFUSED, State as SearchState};
use crate::chunk::Done;
use crate::commit::{ArchiveState, ChunkState, Commit, Coverage, FailedChunk};
use crate::compacting::{Compacted, Named};
use crate::context::Context;
use crate::driver::number_of;
use crate::job::EngineChoice;
use crate::key::ChunkKey;
use crate::outcome::{ChunkTally, SlowChunk};
use crate::output::json;
use crate::parts::Parts;
use crate::reading::rows;
use crate::receipt::{FORMAT, Part, Receipt};
use crate::run::{Moment, RunError};
use crate::stage::Stage;
use crate::stages::{Chunk, Indexed, Indexing, Replaying};
use crate::views;

/// What a pass knows beside its chunks.
#[derive(Debug)]
pub(crate) struct State {
    /// The commit the pass stands on.
    pub(crate) current: Option<Commit>,
    /// The commit before the pass.
    before: Option<Commit>,
    /// The runs before this one.
    runs: Option<Vec<RunRow>>,
    pub(crate) archives: Vec<Indexed>,
    pub(crate) unreadable: BTreeMap<String, String>,
    /// What the aggregates count, by name.
    pub(crate) counted: BTreeMap<String, u64>,
    pub(crate) failed: Vec<FailedChunk>,
    /// Chunks of index and replay that were not begun.
    pub(crate) left: u64,
}

impl State {
    pub(crate) fn new(
        indexing: Indexing,
        replaying: &mut Replaying,
        current: Option<Commit>,
    ) -> State {
        let mut failed = indexing.failed;
        failed.append(&mut replaying.failed);
        let mut unreadable: BTreeMap<String, String> = indexing.unreadable.into_iter().collect();
        unreadable.extend(std::mem::take(&mut replaying.unreadable));
        State {
            before: current.clone(),
            current,
            runs: None,
            archives: indexing.archives,
            unreadable,
            counted: BTreeMap::new(),
            failed,
            left: indexing.left + replaying.left,
        }
    }

    /// The commit before the pass.
    pub(crate) fn before(&self) -> Option<&Commit> {
        self.before.as_ref()
    }

    /// A pass that leaves chunks of index or replay undone publishes only what takes nothing away and adds something: it has every
    /// replay chunk of the current commit, if there is one, and more.
    pub(crate) fn may_commit(&self, context: &Context<'_>, chunks: &[Chunk]) -> bool {
        if self.left == 0 {
            return true;
        }
        context.note(|outcome| outcome.deadline_came = true);
        let keys: BTreeSet<ChunkKey> = chunks.iter().map(|chunk| chunk.replay.key).collect();
        let archives = self.current.iter().flat_map(|commit| &commit.archives);
        let known: BTreeSet<ChunkKey> = archives
            .flat_map(|archive| archive.chunks.iter().map(|chunk| chunk.replay))
            .collect();
        keys.len() > known.len() && keys.is_superset(&known)
    }

    /// Whether the current commit stands on other replay chunks than these: then replay's tables are worth a commit of their own.
    pub(crate) fn replay_is_news(&self, chunks: &[Chunk]) -> bool {
        let known: Option<Vec<ChunkKey>> = self.current.as_ref().map(|commit| {
            commit
                .archives
                .iter()
                .flat_map(|archive| archive.chunks.iter().map(|chunk| chunk.replay))
                .collect()
        });
        known.is_none_or(|mut known| {
            let mut keys: Vec<ChunkKey> = chunks.iter().map(|chunk| chunk.replay.key).collect();
            known.sort_unstable();
            keys.sort_unstable();
            known != keys
        })
    }

    /// Keeps the receipts of the aggregates and what they count, and notes those that failed.
    pub(crate) fn take_aggregates(&mut self, aggregates: Vec<Done>) -> Vec<Receipt> {
        let mut receipts = Vec::new();
        self.counted.clear();
        for done in aggregates {
            match done {
                Done::Skipped(receipt) | Done::Made(receipt) => {
                    self.counted.extend(receipt.counts.clone());
                    receipts.push(receipt);
                }
                Done::Failed(failed) => self.failed.push(failed),
                Done::Unreadable(_) | Done::Left | Done::Busy => {}
            }
        }
        receipts
    }
}

/// What came of a commit.
#[derive(Debug)]
pub(crate) enum Published {
    /// It is there.
    Commit(Box<Commit>),
    /// The current commit holds the same state: nothing to say.
    Unchanged,
    /// Another driver was first.
    Overtaken,
}

/// Creates the next commit, unless nothing changed.
pub(crate) fn publish(
    context: &Context<'_>,
    state: &mut State,
    chunks: &[Chunk],
    compacted: &Compacted,
    aggregates: &[Receipt],
    engine: Option<&Engine>,
) -> Result<Published, RunError> {
    let mut commit = draft(context, state, chunks, compacted, aggregates, engine)?;
    if state
        .current
        .as_ref()
        .is_some_and(|current| current.state == commit.state)
    {
        return Ok(Published::Unchanged);
    }
    commit.number = number_of(state.current.as_ref()) + 1;
    let runs = runs(context, state, &commit, chunks)?;
    commit.tables.insert(Table::Runs.name().to_owned(), runs);
    context.at(Moment::BeforeCommit, Stage::Aggregate);
    let path = Commit::path_of(commit.number);
    match context.output.create(&path, json(&path, &commit)?)? {
        Created::Exists => {
            // A lost reply makes a driver meet its own commit.
            let there: Commit = context.output.get_json(&path)?;
            if there.run != context.run || there.state != commit.state {
                return Ok(Published::Overtaken);
            }
        }
        Created::Created => {}
    }
    context.output.put(
        "views.sql",
        views::sql(context.output.store().as_ref(), &commit).into(),
    )?;
    state.current = Some(commit.clone());
    Ok(Published::Commit(Box::new(commit)))
}

fn draft(
    context: &Context<'_>,
    state: &State,
    chunks: &[Chunk],
    compacted: &Compacted,
    aggregates: &[Receipt],
    engine: Option<&Engine>,
) -> Result<Commit, RunError> {
    let mut tables: BTreeMap<String, Vec<Part>> = Table::ALL
        .iter()
        .map(|table| (table.name().to_owned(), Vec::new()))
        .collect();
    let mut receipts: BTreeSet<String> = state
        .archives
        .iter()
        .map(|indexed| indexed.receipt.path())
        .collect();
    let mut work = BTreeSet::new();
    for (place, chunk) in chunks.iter().enumerate() {
        let parts: Vec<&Part> = match compacted.named(place) {
            Named::Own => chunk.parts().collect(),
            Named::Parts(parts) => parts.iter().collect(),
            Named::Group(receipt) => {
                receipts.insert(receipt.path());
                receipt.parts.iter().collect()
            }
            Named::Before => Vec::new(),
        };
        for part in parts {
            tables
                .entry(part.table.clone())
                .or_default()
                .push(part.clone());
        }
        let assembled = chunk.assembled.as_ref();
        let searched = chunk
            .searched
            .iter()
            .filter_map(|searched| match &searched.state {
                SearchState::Done(receipt) => Some(receipt),
                _ => None,
            });
        receipts.extend(
            [Some(&chunk.replay), chunk.cut.as_ref(), assembled]
                .into_iter()
                .flatten()
                .map(Receipt::path),
        );
        for receipt in searched {
            receipts.insert(receipt.path());
            work.extend(receipt.parts.iter().cloned());
        }
    }
    for receipt in aggregates {
        receipts.insert(receipt.path());
        for part in &receipt.parts {
            tables
                .entry(part.table.clone())
                .or_default()
                .push(part.clone());
        }
    }
    let mut failed = state.failed.clone();
    failed.sort_by_key(|chunk| (chunk.stage, chunk.key));
    failed.dedup();
    let mut commit = Commit {
        version: FORMAT,
        number: 0,
        job: context.job.name.clone(),
        run: context.run.clone(),
        at: jiff::Timestamp::now().to_string(),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        state: ChunkKey::of("state").finish(),
        tables,
        work: work.into_iter().collect(),
        receipts: receipts.into_iter().collect(),
        archives: archives(state, chunks),
        failed,
        coverage: coverage(chunks),
        engine: engine.map(|engine| engine.id.to_string()),
        rule_sets: rule_files(context),
        inputs: inputs(context),
        pseudonyms: context
            .pseudonyms
            .as_ref()
            .map(|pseudonyms| pseudonyms.id().to_owned()),
    };
    commit.state = fingerprint(&commit)?;
    Ok(commit)
}

/// As typed, but so that they mean the same from any folder.
fn inputs(context: &Context<'_>) -> Vec<String> {
    let whole = |typed: &String| {
        let path = std::path::absolute(typed).ok();
        let path = path.filter(|_| !typed.starts_with("s3://"));
        path.and_then(|path| path.to_str().map(str::to_owned))
            .unwrap_or_else(|| typed.clone())
    };
    context.job.input.archives.iter().map(whole).collect()
}

fn rule_files(context: &Context<'_>) -> BTreeMap<String, String> {
    let files = context.job.rules.files.iter();
    files
        .map(|(id, file)| (id.clone(), file.text.clone()))
        .collect()
}

/// Everything a reader can see but run, time and number.
fn fingerprint(commit: &Commit) -> Result<ChunkKey, RunError> {
    let seen = (
        &commit.tables,
        &commit.archives,
        &commit.failed,
        commit.coverage,
        &commit.engine,
        &commit.job,
        &commit.rule_sets,
    );
    Ok(ChunkKey::of("state")
        .field("commit", json("commit", &seen)?)
        .finish())
}

fn archives(state: &State, chunks: &[Chunk]) -> Vec<ArchiveState> {
    let mut by_archive: BTreeMap<&str, Vec<ChunkState>> = BTreeMap::new();
    for chunk in chunks {
        by_archive
            .entry(&chunk.archive)
            .or_default()
            .push(ChunkState {
                replay: chunk.replay.key,
                assemble: chunk.assembled.as_ref().map(|receipt| receipt.key),
            });
    }
    let mut archives: BTreeMap<&str, ArchiveState> = BTreeMap::new();
    for indexed in &state.archives {
        let name = indexed.archive.name.as_str();
        archives.insert(
            name,
            ArchiveState {
                archive: name.to_owned(),
                content_hash: Some(indexed.facts.content_hash.clone()),
                chunks: by_archive.remove(name).unwrap_or_default(),
                unreadable: None,
            },
        );
    }
    for (name, reason) in &state.unreadable {
        let unread = || ArchiveState {
            archive: name.clone(),
            content_hash: None,
            chunks: Vec::new(),
            unreadable: None,
        };
        archives.entry(name).or_insert_with(unread).unreadable = Some(reason.clone());
    }
    archives.into_values().collect()
}

/// What assemble counted; of chunks that are not assembled yet, what the cut wants.
pub(crate) fn coverage(chunks: &[Chunk]) -> Coverage {
    let mut coverage = Coverage::default();
    for chunk in chunks {
        match &chunk.assembled {
            Some(receipt) => {
                coverage.plies_wanted += receipt.count("plies_wanted");
                coverage.plies_done += receipt.count("plies_done");
                coverage.games_done += receipt.count("games_done");
                coverage.games_pending += receipt.count("games_pending");
                coverage.games_failed += receipt.count("games_failed");
            }
            None => {
                coverage.plies_wanted += chunk
                    .searched
                    .iter()
                    .map(|searched| searched.facts.plies)
                    .sum::<u64>();
                coverage.games_pending += chunk.replay.count("games_accepted");
            }
        }
    }
    coverage
}

/// Games by the reason for which the engine would not judge them.
pub(crate) fn refusals(chunks: &[Chunk]) -> BTreeMap<String, u64> {
    let mut refusals = BTreeMap::new();
    let assembled = chunks.iter().filter_map(|chunk| chunk.assembled.as_ref());
    for (name, games) in assembled.flat_map(|receipt| &receipt.counts) {
        if let Some(reason) = name.strip_prefix(REFUSED) {
            *refusals.entry(reason.to_owned()).or_default() += games;
        }
    }
    refusals
}

/// The part of `runs`: the runs before, and this one once, whatever it committed on its way.
fn runs(
    context: &Context<'_>,
    state: &mut State,
    commit: &Commit,
    chunks: &[Chunk],
) -> Result<Vec<Part>, RunError> {
    if state.runs.is_none() {
        let before = state
            .current
            .as_ref()
            .map_or(&[][..], |current| current.parts(Table::Runs.name()));
        state.runs = Some(rows::<RunRow>(&context.output, before).collect::<Result<_, _>>()?);
    }
    let key = ChunkKey::of("runs")
        .number("commit", commit.number)
        .field("run", &context.run)
        .finish();
    let mut parts = Parts::new(&context.output, key);
    parts.extend(state.runs.clone().unwrap_or_default())?;
    parts.push(row(context, state, commit, chunks))?;
    parts.finish()
}

fn row(context: &Context<'_>, state: &State, commit: &Commit, chunks: &[Chunk]) -> RunRow {
    let sum = |name: &str| signed(chunks.iter().map(|chunk| chunk.replay.count(name)).sum());
    let outcome = context.outcome();
    let tally = |of: fn(&ChunkTally) -> u64| signed(outcome.stages.values().map(of).sum());
    let pace = |stage: Stage| outcome.paces.get(&stage).copied().unwrap_or_default();
    let work = |stage: Stage| Some(signed(pace(stage).work));
    let ms = |took: Duration| i64::try_from(took.as_millis()).unwrap_or(i64::MAX);
    let time = |stage: Stage| Some(ms(pace(stage).took));
    let now = jiff::Timestamp::now();
    let started = now.as_microsecond() - i64::try_from(context.elapsed().as_micros()).unwrap_or(0);
    let whole = state.failed.is_empty()
        && state.left == 0
        && commit.coverage.games_pending + commit.coverage.games_failed == 0;
    let mut inputs = blake3::Hasher::new();
    for archive in &commit.archives {
        inputs.update(format!("{}\n{:?}\n", archive.archive, archive.content_hash).as_bytes());
    }
    RunRow {
        commit: signed(commit.number),
        job: context.job.name.clone(),
        job_hash: Hex(*blake3::hash(context.job.identity().as_bytes()).as_bytes()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build_id: build_id(),
        roots: context.job.input.archives.join(" "),
        inputs_hash: Hex(*inputs.finalize().as_bytes()),
        rules_hash: Hex(context.rulebook.identity),
        engine_id: commit.engine.as_deref().map(Into::into),
        started_at: Timestamp(started),
        finished_at: Timestamp(now.as_microsecond()),
        status: if whole {
            RunStatus::Done
        } else {
            RunStatus::Partial
        },
        archives: signed(commit.archives.len() as u64),
        games_found: sum("games_found"),
        games_accepted: sum("games_accepted"),
        games_rejected: sum("games_rejected"),
        games_set_aside: sum("games_set_aside"),
        games_analysed: signed(commit.coverage.games_done),
        plies: sum("plies"),
        findings: signed(
            commit
                .parts(Table::Findings.name())
                .iter()
                .map(|part| part.rows)
                .sum(),
        ),
        chunks_done: tally(|tally| tally.done),
        chunks_reused: tally(|tally| tally.skipped),
        chunks_failed: tally(|tally| tally.failed),
        threads: i32::try_from(context.job.threads()).ok(),
        index_bytes: work(Stage::Index),
        index_ms: time(Stage::Index),
        replay_bytes: work(Stage::Replay),
        replay_ms: time(Stage::Replay),
        search_plies: work(Stage::Search),
        search_ms: time(Stage::Search),
        search_nodes: engine_nodes(context),
        assemble_games: work(Stage::Assemble),
        assemble_ms: time(Stage::Assemble),
        aggregate_ms: Some(ms(pace(Stage::Aggregate).took + pace(Stage::Compact).took)),
        slowest: Some(slowest(&outcome.slowest)),
    }
}

/// What the search of a ply costs at most, where there is one.
fn engine_nodes(context: &Context<'_>) -> Option<i64> {
    let analysis = &context.job.analysis;
    (analysis.engine != EngineChoice::None).then(|| signed(analysis.nodes))
}

fn slowest(chunks: &[SlowChunk]) -> String {
    let of = |chunk: &SlowChunk| {
        serde_json::json!({
            "stage": chunk.stage,
            "archive": chunk.archive,
            "ms": u64::try_from(chunk.took.as_millis()).unwrap_or(u64::MAX),
        })
    };
    serde_json::Value::Array(chunks.iter().map(of).collect()).to_string()
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

static BUILD: std::sync::OnceLock<&str> = std::sync::OnceLock::new();

/// Says which build this is. Programs of one build say the same, before anything else; later calls change nothing.
pub fn set_build_id(id: &'static str) {
    BUILD.get_or_init(|| id);
}

/// What tells this build from others, whatever their version says: as [`set_build_id`] said, else the hash of the running program's file.
#[must_use]
pub fn build_id() -> String {
    static ID: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| {
        if let Some(id) = BUILD.get() {
            return (*id).to_owned();
        }
        let hash = std::env::current_exe().ok().and_then(|path| {
            let mut hasher = blake3::Hasher::new();
            std::io::copy(&mut std::fs::File::open(path).ok()?, &mut hasher).ok()?;
            Some(hasher.finalize().to_hex().as_str()[..16].to_owned())
        });
        hash.unwrap_or_else(|| "unknown".to_owned())
    });
    ID.clone()
}
