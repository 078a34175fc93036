//! Removes what superseded commits named and no living one does, so that a plain glob over a table's folder is right again.

mod debris;

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::{Timestamp, ToSpan};
use store::Entry;

use crate::commit::Commit;
use crate::context::Context;
use crate::manifest::PLANS;
use crate::output::{failed, json};
use crate::publishing::State;
use crate::run::RunError;
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
    doomed.extend(debris::of(context, &alive, chunks)?);
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
    for pair in times.windows(2) {
        let [(number, entry), (_, next)] = pair else {
            continue;
        };
        if *number <= last && is_older(next, COMMITS_KEPT) {
            context.output.delete(&entry.key)?;
        }
    }
    Ok(())
}

/// Whether an object lies there for longer than this.
fn is_older(entry: &Entry, than: Duration) -> bool {
    let age = entry.mtime.and_then(|mtime| mtime.elapsed().ok());
    age.is_some_and(|age| age > than)
}

fn remove_old_plans(context: &Context<'_>) -> Result<(), RunError> {
    if context.output.names(&format!("{PLANS}/")).is_empty() {
        return Ok(());
    }
    let plans = context.output.store().list(PLANS);
    let plans = plans.map_err(|source| failed("listing the plans", source))?;
    plans
        .iter()
        .filter(|entry| is_older(entry, PLANS_KEPT))
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
        let keep = i64::from(context.job.output.keep_hours).hours();
        let mut log = Log {
            doomed: BTreeSet::new(),
            alive: named(current),
            last: before,
        };
        // A commit is superseded when the next one is made, and may be read keep_hours longer.
        let mut next = current.clone();
        for number in (before + 1..current.number).rev() {
            let over = next
                .at
                .parse::<Timestamp>()
                .and_then(|at| at.checked_add(keep));
            let over = over.is_ok_and(|over| over <= Timestamp::now());
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

/// The chunk key in a part's path.
fn key_in(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.split('-').next().unwrap_or_default()
}
