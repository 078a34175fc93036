//! What runs left that died before their commit, and that no run came back to: the archive went, or more came.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use store::Entry;

use super::{is_older, key_in};
use crate::context::Context;
use crate::output::failed;
use crate::receipt::Receipt;
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::Chunk;

const RECEIPTS: &str = "_nabsak/receipts/";

/// Statistics and merged parts are made right before the commit that names them.
const CONCLUSIONS_KEPT: Duration = Duration::from_secs(24 * 3600);

/// Everything else may wait for its commit for as long as an array runs.
const WORK_KEPT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Receipts with their parts, and parts without receipt, that no living commit and no chunk of this pass names and that are old.
pub(super) fn of(
    context: &Context<'_>,
    now: SystemTime,
    alive: &BTreeSet<String>,
    chunks: &[Chunk],
) -> Result<BTreeSet<String>, RunError> {
    let current = of_pass(chunks);
    let unnamed: Vec<String> = context
        .output
        .names(RECEIPTS)
        .into_iter()
        .filter(|path| !alive.contains(path) && !current.contains(path))
        .collect();
    let mut debris = BTreeSet::new();
    for path in old(context, now, RECEIPTS, &unnamed, kept)? {
        // What cannot be read any more is not there to be lost.
        if let Ok(receipt) = context.output.get_json::<Receipt>(&path) {
            debris.extend(receipt.parts.into_iter().map(|part| part.path));
        }
        debris.insert(path);
    }
    let keys: BTreeSet<String> = context
        .output
        .names(RECEIPTS)
        .iter()
        .filter_map(|path| path.rsplit('/').next().map(str::to_owned))
        .collect();
    for table in tables::Table::ALL {
        let folder = format!("{table}/");
        let orphans: Vec<String> = context
            .output
            .names(&folder)
            .into_iter()
            .filter(|path| !alive.contains(path) && !keys.contains(key_in(path)))
            .collect();
        debris.extend(old(context, now, &folder, &orphans, |_| WORK_KEPT)?);
    }
    Ok(debris)
}

/// The receipts on which this pass stands, committed or not.
fn of_pass(chunks: &[Chunk]) -> BTreeSet<String> {
    let receipts = chunks.iter().flat_map(|chunk| {
        [
            Some(&chunk.replay),
            chunk.cut.as_ref(),
            chunk.assembled.as_ref(),
        ]
    });
    receipts.flatten().map(Receipt::path).collect()
}

fn kept(path: &str) -> Duration {
    let conclusions = [Stage::Aggregate, Stage::Compact];
    let of = |stage: &Stage| path.starts_with(&format!("{RECEIPTS}{stage}/"));
    if conclusions.iter().any(of) {
        CONCLUSIONS_KEPT
    } else {
        WORK_KEPT
    }
}

/// Those that lie there for longer than they are kept; nothing is listed where there are none to ask for.
fn old(
    context: &Context<'_>,
    now: SystemTime,
    folder: &str,
    paths: &[String],
    kept: impl Fn(&str) -> Duration,
) -> Result<Vec<String>, RunError> {
    if paths.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: BTreeSet<&String> = paths.iter().collect();
    let listed = context.output.store().list(folder);
    let listed = listed.map_err(|source| failed(&format!("listing {folder}"), source))?;
    let is_old =
        |entry: &&Entry| wanted.contains(&entry.key) && is_older(now, entry, kept(&entry.key));
    Ok(listed
        .iter()
        .filter(is_old)
        .map(|entry| entry.key.clone())
        .collect())
}
