//! Removes what superseded commits named and no living one does, so that a plain glob over a table's folder is right again.

mod debris;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use store::Entry;

use tables::Table;

use crate::chunk;
use crate::commit::Commit;
use crate::context::Context;
use crate::manifest::PLANS;
use crate::output::{failed, json};
use crate::publishing::State;
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::Chunk;

/// Holds the number of the highest commit that was cleaned up after; those below need no second look.
const CLEANED: &str = "_nabsak/cleaned";

/// What a killed process was writing is swept after this long: no write takes an hour.
const UNFINISHED: Duration = Duration::from_secs(3600);

/// Manifests of arrays are removed after this long: no array runs for a week.
const PLANS_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Commits stay in the log for so long after the next one, and at least until their parts are gone.
const COMMITS_KEPT: Duration = Duration::from_secs(90 * 24 * 3600);

/// Cleans up after a commit.
pub(crate) fn clean(
    context: &Context<'_>,
    state: &State,
    chunks: &[Chunk],
) -> Result<(), RunError> {
    let Some(current) = &state.current else {
        return Ok(());
    };
    let before = if context.output.has(CLEANED) {
        context.output.get_json(CLEANED)?
    } else {
        0
    };
    let Log {
        mut doomed,
        alive,
        last,
    } = Log::read(context, current, before)?;
    doomed.extend(strays(context, current, chunks));
    let now = now(context);
    doomed.extend(debris::of(context, now, &alive, chunks)?);
    if context.life.drivers()?.is_empty() {
        doomed.extend(uncommitted(context, &alive)?);
        doomed.extend(Orphans::of(context, state, chunks)?.paths);
    }
    doomed.retain(|path| !alive.contains(path) && context.output.has(path));
    // Receipts go first: a receipt never names a part that is gone, however this ends.
    let (receipts, parts): (Vec<&String>, Vec<&String>) = doomed
        .iter()
        .partition(|path| path.starts_with("_nabsak/receipts/"));
    for path in receipts.into_iter().chain(parts) {
        tracing::debug!(run = context.run, path, "removed");
        context.output.delete(path)?;
    }
    context.output.sweep(UNFINISHED)?;
    remove_old_plans(context)?;
    if last > before {
        context.output.put(CLEANED, json(CLEANED, &last)?)?;
    }
    remove_old_commits(context, last)
}

/// Removes commits that were superseded long ago and whose parts are gone: each holds the whole state, and a year of nights would
/// hold it 365 times. No driver can still stand on one of them.
fn remove_old_commits(context: &Context<'_>, last: u64) -> Result<(), RunError> {
    let log = context.output.store().list(Commit::LOG);
    let log = log.map_err(|source| failed("listing the commits", source))?;
    let mut times: Vec<(u64, &Entry)> = log
        .iter()
        .filter_map(|entry| Some((Commit::number_in(&entry.key)?, entry)))
        .collect();
    times.sort_unstable_by_key(|(number, _)| *number);
    let now = now(context);
    for pair in times.windows(2) {
        let [(number, entry), (_, next)] = pair else {
            continue;
        };
        if *number <= last && is_older(now, next, COMMITS_KEPT) {
            context.output.delete(&entry.key)?;
        }
    }
    Ok(())
}

/// The store's own time, as of this process's last beat; a process that gives no sign has only its machine's.
fn now(context: &Context<'_>) -> SystemTime {
    context.life.store_time().unwrap_or_else(SystemTime::now)
}

/// Whether an object lies there for longer than this.
fn is_older(now: SystemTime, entry: &Entry, than: Duration) -> bool {
    let age = entry.mtime.and_then(|mtime| now.duration_since(mtime).ok());
    age.is_some_and(|age| age > than)
}

fn remove_old_plans(context: &Context<'_>) -> Result<(), RunError> {
    if context.output.names(&format!("{PLANS}/")).is_empty() {
        return Ok(());
    }
    let plans = context.output.store().list(PLANS);
    let plans = plans.map_err(|source| failed("listing the plans", source))?;
    let now = now(context);
    plans
        .iter()
        .filter(|entry| is_older(now, entry, PLANS_KEPT))
        .try_for_each(|entry| context.output.delete(&entry.key))
}

/// The commits since the last clean-up, seen for what they name.
struct Log {
    /// Named by commits whose time is over.
    doomed: BTreeSet<String>,
    /// Named by the current commit and by those that may still be read.
    alive: BTreeSet<String>,
    /// The highest commit whose time is over.
    last: u64,
}

impl Log {
    fn read(context: &Context<'_>, current: &Commit, before: u64) -> Result<Log, RunError> {
        let keep = Duration::from_secs(3600 * u64::from(context.job.output.keep_hours));
        let times = Times::of(context)?;
        let mut log = Log {
            doomed: BTreeSet::new(),
            alive: named(current),
            last: before,
        };
        // A commit is superseded when the next one is made, and may be read keep_hours longer.
        let mut next = current.clone();
        for number in (before + 1..current.number).rev() {
            let over = times
                .passed_since(&next)
                .is_some_and(|passed| passed >= keep);
            let commit: Commit = context.output.get_json(&Commit::path_of(number))?;
            if over {
                log.last = log.last.max(number);
                log.doomed.extend(named(&commit));
            } else {
                log.alive.extend(named(&commit));
            }
            next = commit;
        }
        Ok(log)
    }
}

/// When commits were made, by the clock of the store: one that every process here shares.
struct Times {
    now: SystemTime,
    made: BTreeMap<String, SystemTime>,
}

impl Times {
    fn of(context: &Context<'_>) -> Result<Times, RunError> {
        let log = context.output.store().list(Commit::LOG);
        let log = log.map_err(|source| failed("listing the commits", source))?;
        let made = log
            .into_iter()
            .filter_map(|entry| Some((entry.key, entry.mtime?)));
        Ok(Times {
            now: now(context),
            made: made.collect(),
        })
    }

    /// How long ago a commit was made. One that is younger than this process's last beat is no time old.
    fn passed_since(&self, commit: &Commit) -> Option<Duration> {
        let made = self.made.get(&Commit::path_of(commit.number))?;
        Some(self.now.duration_since(*made).unwrap_or_default())
    }
}

/// Every object a commit stands on.
fn named(commit: &Commit) -> BTreeSet<String> {
    let parts = commit.tables.values().flatten().chain(&commit.work);
    parts
        .map(|part| part.path.clone())
        .chain(commit.receipts.iter().cloned())
        .collect()
}

/// Parts of this state's chunks that no commit names: what assemble put others in the place of, and what a killed process left.
fn strays(context: &Context<'_>, current: &Commit, chunks: &[Chunk]) -> Vec<String> {
    let receipts = chunks
        .iter()
        .flat_map(|chunk| [Some(&chunk.replay), chunk.assembled.as_ref()])
        .flatten();
    let keys: BTreeSet<String> = receipts.map(|receipt| receipt.key.to_string()).collect();
    let parts = current
        .tables
        .keys()
        .flat_map(|table| context.output.names(&format!("{table}/")));
    parts.filter(|path| keys.contains(key_in(path))).collect()
}

/// Statistics and merged parts of states that were never committed: of a driver that was overtaken, or killed. Only where no other driver lives, which
/// may be about to commit them.
fn uncommitted(context: &Context<'_>, alive: &BTreeSet<String>) -> Result<Vec<String>, RunError> {
    let mut paths = Vec::new();
    for stage in [Stage::Aggregate, Stage::Compact] {
        let names = context.output.names(&format!("_nabsak/receipts/{stage}/"));
        for path in names.into_iter().filter(|path| !alive.contains(path)) {
            let Some(key) = path.rsplit('/').next().and_then(|key| key.parse().ok()) else {
                continue;
            };
            if let Some(receipt) = context.output.receipt(stage, &key)? {
                paths.extend(receipt.parts.into_iter().map(|part| part.path));
                paths.push(path);
            }
        }
    }
    Ok(paths)
}

/// What dead processes left of chunks that are no longer any: their input is another now.
#[derive(Default)]
struct Orphans {
    paths: Vec<String>,
}

impl Orphans {
    fn of(context: &Context<'_>, state: &State, chunks: &[Chunk]) -> Result<Orphans, RunError> {
        let mut orphans = Orphans::default();
        if state.left > 0 {
            return Ok(orphans);
        }
        let failed = state.failed.iter().map(|chunk| chunk.key);
        let searched = chunks.iter().flat_map(|chunk| &chunk.searched);
        let open: BTreeSet<String> = failed
            .chain(searched.map(|searched| searched.facts.key))
            .map(|key| key.to_string())
            .collect();
        for marker in context.output.names(chunk::ATTEMPTS) {
            let mut words = marker.rsplit('/');
            let (Some(name), Some(key)) = (words.next(), words.next()) else {
                continue;
            };
            if open.contains(key) || context.life.living(chunk::run_in(name))?.is_some() {
                continue;
            }
            for table in Table::ALL {
                let own = format!("{}/{key}-", table.name());
                orphans.paths.extend(context.output.names(&own));
            }
            orphans.paths.push(marker);
        }
        Ok(orphans)
    }
}

/// The chunk key in a part's path.
fn key_in(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('-').next().unwrap_or_default()
}
