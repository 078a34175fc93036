//! From plan to commit: a run on this machine, or the end of what tasks did.

use std::sync::Arc;

use store::{Error, Location, Store};

use crate::aggregating;
use crate::analysts::Engine;
use crate::chunk::Done;
use crate::cleaning;
use crate::commit::Commit;
use crate::compacting;
use crate::context::{Context, Reach};
use crate::dispatching;
use crate::input;
use crate::job::Job;
use crate::lock;
use crate::mending::Mending;
use crate::outcome::RunOutcome;
use crate::output::{Output, failed};
use crate::progress::Event;
use crate::publishing::{self, Published, State};
use crate::reporting;
use crate::run::{RunError, RunOptions};
use crate::stage::Stage;
use crate::stages;

/// Does everything that is left, and commits.
pub(crate) fn run(job: &Job, options: &RunOptions) -> Result<RunOutcome, RunError> {
    let reach = match options.dispatch {
        Some(_) => Reach::Conclusions,
        None => Reach::Everything,
    };
    with_job(job, options, reach, committing)
}

/// Commits what tasks have done: cuts, statistics and the commit itself are all that is left to do here.
pub(crate) fn conclude(job: &Job, options: &RunOptions) -> Result<RunOutcome, RunError> {
    with_job(job, options, Reach::Conclusions, committing)
}

/// Lists the output, makes sure that it is this job's and can be written, starts the engine, and goes on.
pub(crate) fn with_job<R>(
    job: &Job,
    options: &RunOptions,
    reach: Reach,
    then: impl FnOnce(&Context<'_>, Option<&Engine>) -> Result<R, RunError>,
) -> Result<R, RunError> {
    let store = open(job, options)?;
    let output = Output::open(Arc::clone(&store))?;
    let context = Context::new(job, options, output, reach)?;
    options.progress.event(&Event::Started {
        run: &context.run,
        job: &job.name,
    });
    tracing::info!(
        run = context.run,
        job = job.name,
        output = store.describe(),
        threads = job.threads(),
        "run started"
    );
    if let Some(current) = context
        .output
        .current()?
        .filter(|current| current.job != job.name)
    {
        return Err(RunError::Usage(format!(
            "{} belongs to the job '{}': a folder holds the results of one job name. Choose another output.dir or that name",
            store.describe(),
            current.job
        )));
    }
    if !options.dry_run {
        store
            .probe_create_only()
            .map_err(|source| failed("probing the output", source))?;
    }
    let engine = Engine::start(&job.analysis)?;
    // A driver of a cluster plans as any other.
    let plans = reach == Reach::Everything || options.dispatch.is_some();
    let lock = (plans && !options.dry_run).then(|| lock::take(&context));
    let _lock = lock.transpose()?;
    then(&context, engine.as_ref())
}

fn committing(context: &Context<'_>, engine: Option<&Engine>) -> Result<RunOutcome, RunError> {
    let outcome = passes(context, engine);
    match &outcome {
        Ok(outcome) => {
            context.metrics.finish(outcome);
            tracing::info!(
                run = outcome.run,
                status = outcome.exit_status(),
                commit = outcome.commit,
                ms = outcome.elapsed.as_millis() as u64,
                "run ended"
            );
        }
        Err(error) => tracing::error!(run = context.run, %error, "run failed"),
    }
    outcome
}

/// The output's store, reachable or yet to be made.
fn open(job: &Job, options: &RunOptions) -> Result<Arc<dyn Store>, RunError> {
    let location: Location = job
        .output
        .location
        .parse()
        .map_err(|error: Error| RunError::Usage(format!("output.dir: {error}")))?;
    let opening = |source| failed(&format!("opening the output {location}"), source);
    let store = options
        .stores
        .open(&location, &job.s3.settings())
        .map_err(opening)?;
    match store.check() {
        Ok(()) => Ok(store),
        // A folder that is not there is made by the first write.
        Err(Error::NotFound { .. }) if matches!(location, Location::Folder(_)) => Ok(store),
        Err(source) => Err(opening(source)),
    }
}

/// Plans and runs until a commit holds; a driver that finds its number taken plans again, which is cheap. So does one under whose
/// hands another driver's clean-up took a part, or who met a damaged one.
fn passes(context: &Context<'_>, engine: Option<&Engine>) -> Result<RunOutcome, RunError> {
    let mut mending = Mending::default();
    loop {
        let base = number_of(context.output.current()?.as_ref());
        match pass(context, engine) {
            Ok(Pass::Over) => return Ok(context.outcome()),
            Ok(Pass::Overtaken) => {
                tracing::info!(run = context.run, "another run committed first");
                context.output.refresh()?;
            }
            Err(error) => mending.helps(context, base, error)?,
        }
        tracing::info!(run = context.run, "planning again");
        context.begin_again();
    }
}

enum Pass {
    Over,
    Overtaken,
}

fn pass(context: &Context<'_>, engine: Option<&Engine>) -> Result<Pass, RunError> {
    let current = context.output.current()?;
    context.note(|outcome| outcome.commit = current.as_ref().map(|commit| commit.number));
    let listing = input::list(context.job, context.options.stores.as_ref())?;
    let bytes = listing.archives.iter().map(|archive| archive.size).sum();
    context.options.progress.event(&Event::Planned {
        archives: listing.archives.len() as u64,
        bytes,
    });
    if context.options.dry_run {
        reporting::dry_run(context, engine, &listing, current.as_ref())?;
        return Ok(Pass::Over);
    }
    dispatching::index(context, engine, &listing)?;
    let indexing = stages::index(context, listing)?;
    dispatching::replay(context, engine, &indexing, current.as_ref())?;
    let mut replaying = stages::replay(context, &indexing, current.as_ref())?;
    let mut state = State::new(indexing, &mut replaying, current);
    if interrupted(context) || !state.may_commit(context, &replaying.chunks) {
        reporting::report(context, &state, &replaying.chunks)?;
        return Ok(Pass::Over);
    }
    let mut chunks = std::mem::take(&mut replaying.chunks);
    if let Some(engine) = engine {
        state
            .failed
            .extend(stages::cut(context, engine, &mut chunks)?);
        if stages::search_is_open(&chunks) {
            if (context.works_on(Stage::Search) || context.options.dispatch.is_some())
                && state.replay_is_news(&chunks)
                && early_commit(context, engine, &mut state, &mut chunks)?.is_overtaken()
            {
                return Ok(Pass::Overtaken);
            }
            if !interrupted(context) {
                dispatching::search(context, engine, &chunks)?;
                state
                    .failed
                    .extend(stages::search(context, engine, &mut chunks)?);
            }
        }
    }
    if interrupted(context) {
        reporting::report(context, &state, &chunks)?;
        return Ok(Pass::Over);
    }
    dispatching::assemble(context, engine, &chunks)?;
    state
        .failed
        .extend(stages::assemble(context, engine, &mut chunks)?);
    let aggregates = aggregating::aggregate(context, &state, &chunks)?;
    if interrupted(context) {
        reporting::report(context, &state, &chunks)?;
        return Ok(Pass::Over);
    }
    if commit(context, &mut state, &chunks, aggregates, engine)?.is_overtaken() {
        return Ok(Pass::Overtaken);
    }
    if interrupted(context) {
        reporting::report(context, &state, &chunks)?;
        return Ok(Pass::Over);
    }
    cleaning::clean(context, &state, &chunks)?;
    reporting::report(context, &state, &chunks)?;
    Ok(Pass::Over)
}

/// What replay made is worth reading long before the last ply is searched.
fn early_commit(
    context: &Context<'_>,
    engine: &Engine,
    state: &mut State,
    chunks: &mut [stages::Chunk],
) -> Result<Published, RunError> {
    stages::already_assembled(context, Some(engine), chunks)?;
    let aggregates = aggregating::aggregate(context, state, chunks)?;
    if interrupted(context) {
        return Ok(Published::Unchanged);
    }
    commit(context, state, chunks, aggregates, Some(engine))
}

/// Whether the user said stop.
fn interrupted(context: &Context<'_>) -> bool {
    let stopped = context.cancelled();
    if stopped {
        context.note(|outcome| outcome.interrupted = true);
    }
    stopped
}

fn commit(
    context: &Context<'_>,
    state: &mut State,
    chunks: &[stages::Chunk],
    aggregates: Vec<Done>,
    engine: Option<&Engine>,
) -> Result<Published, RunError> {
    let aggregates = state.take_aggregates(aggregates);
    let Some(compacted) = compacting::compact(context, engine, chunks)? else {
        return Ok(Published::Unchanged);
    };
    let published = publishing::publish(context, state, chunks, &compacted, &aggregates, engine)?;
    if let Published::Commit(commit) = &published {
        let parts = commit.tables.values().map(Vec::len).sum::<usize>() as u64;
        tracing::info!(
            run = context.run,
            commit = commit.number,
            parts,
            "committed"
        );
        context.options.progress.event(&Event::Committed {
            number: commit.number,
            parts,
        });
        context.note(|outcome| {
            outcome.commit = Some(commit.number);
            outcome.committed = true;
        });
    }
    Ok(published)
}

impl Published {
    fn is_overtaken(&self) -> bool {
        matches!(self, Published::Overtaken)
    }
}

/// The commit a run stands on, if it has one.
pub(crate) fn number_of(commit: Option<&Commit>) -> u64 {
    commit.map_or(0, |commit| commit.number)
}
