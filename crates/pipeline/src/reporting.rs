//! From a pass to the outcome: figures, what happened to each archive, and what a run would do.

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregating::{DUPLICATES, FINDINGS};
use crate::analysts::Engine;
use crate::commit::{ArchiveState, Commit};
use crate::context::Context;
use crate::estimating::{self, Undone};
use crate::index;
use crate::input::Listing;
use crate::outcome::{ArchiveOutcome, Change, ChunkTally, Counts};
use crate::publishing::{self, State};
use crate::receipt::{Facts, Receipt};
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::Chunk;

/// Puts figures and archives into the outcome.
pub(crate) fn report(
    context: &Context<'_>,
    state: &State,
    chunks: &[Chunk],
) -> Result<(), RunError> {
    let mut counts = Counts {
        archives: state.archives.len() as u64,
        ..Counts::default()
    };
    let mut games: BTreeMap<&str, u64> = BTreeMap::new();
    for indexed in &state.archives {
        counts.bytes += indexed.facts.bytes;
    }
    for chunk in chunks {
        let count = |name: &str| chunk.replay.count(name);
        counts.games_found += count("games_found");
        counts.games_accepted += count("games_accepted");
        counts.games_rejected += count("games_rejected");
        counts.games_set_aside += count("games_set_aside");
        counts.plies += count("plies");
        for severity in ["note", "warning", "error", "critical"] {
            *counts.findings.entry(severity.to_owned()).or_default() +=
                count(&format!("findings_{severity}"));
        }
        *games.entry(&chunk.archive).or_default() += count("games_found");
    }
    for (name, n) in &state.counted {
        if let Some(severity) = name.strip_prefix(FINDINGS) {
            *counts.findings.entry(severity.to_owned()).or_default() += n;
        }
        if let Some(class) = name.strip_prefix(DUPLICATES) {
            counts.duplicates.insert(class.to_owned(), *n);
        }
    }
    if !state.unreadable.is_empty() {
        *counts.findings.entry("error".to_owned()).or_default() += state.unreadable.len() as u64;
    }
    if let Some(commit) = &state.current {
        counts.rows = commit
            .tables
            .iter()
            .map(|(table, parts)| (table.clone(), parts.iter().map(|part| part.rows).sum()))
            .collect();
    }
    let archives = changes(state, state.before(), &games);
    let coverage = publishing::coverage(chunks);
    let mut failed = state.failed.clone();
    failed.sort_by_key(|chunk| (chunk.stage, chunk.key));
    failed.dedup();
    context.note(|outcome| {
        outcome.counts = counts;
        outcome.archives = archives;
        outcome.failed = failed;
        outcome.refusals = publishing::refusals(chunks);
        outcome.coverage = coverage;
        outcome.deadline_came |= coverage.games_pending > 0 && !outcome.interrupted;
    });
    Ok(())
}

fn changes(
    state: &State,
    before: Option<&Commit>,
    games: &BTreeMap<&str, u64>,
) -> Vec<ArchiveOutcome> {
    let mut known: BTreeMap<&str, Option<&str>> = before
        .iter()
        .flat_map(|commit| &commit.archives)
        .map(|archive| (archive.archive.as_str(), archive.content_hash.as_deref()))
        .collect();
    let mut archives = Vec::new();
    for indexed in &state.archives {
        let name = indexed.archive.name.as_str();
        let was = known.remove(name);
        let change = match (state.unreadable.get(name), was) {
            (Some(reason), _) => Change::Unreadable(reason.clone()),
            (None, None) => Change::New,
            (None, Some(hash)) if hash == Some(indexed.facts.content_hash.as_str()) => {
                Change::Unchanged
            }
            (None, Some(_)) => Change::Changed,
        };
        let games_found = games.get(name).copied().unwrap_or(0);
        archives.push(ArchiveOutcome {
            archive: name.to_owned(),
            change,
            games_found,
        });
    }
    let read: BTreeSet<String> = archives
        .iter()
        .map(|archive| archive.archive.clone())
        .collect();
    for (name, reason) in state
        .unreadable
        .iter()
        .filter(|(name, _)| !read.contains(*name))
    {
        known.remove(name.as_str());
        archives.push(ArchiveOutcome {
            archive: name.clone(),
            change: Change::Unreadable(reason.clone()),
            games_found: 0,
        });
    }
    archives.extend(known.into_keys().map(|name| ArchiveOutcome {
        archive: name.to_owned(),
        change: Change::Removed,
        games_found: 0,
    }));
    archives.sort_by(|a, b| a.archive.cmp(&b.archive));
    archives
}

/// Says what a run would do, from receipts alone: objects without an index are not opened.
pub(crate) fn dry_run(
    context: &Context<'_>,
    engine: Option<&Engine>,
    listing: &Listing,
    current: Option<&Commit>,
) -> Result<(), RunError> {
    let mut tallies: BTreeMap<Stage, ChunkTally> = BTreeMap::new();
    let mut archives = Vec::new();
    let mut undone = Undone::default();
    let known: BTreeMap<&str, &ArchiveState> = current
        .iter()
        .flat_map(|commit| &commit.archives)
        .map(|archive| (archive.archive.as_str(), archive))
        .collect();
    let mut plan = |stage: Stage, receipt: bool| {
        let tally = tallies.entry(stage).or_default();
        tally.planned += 1;
        *(if receipt {
            &mut tally.skipped
        } else {
            &mut tally.left
        }) += 1;
    };
    for archive in &listing.archives {
        let receipt = context
            .output
            .receipt(Stage::Index, &index::key(context, archive))?;
        plan(Stage::Index, receipt.is_some());
        if receipt.is_none() {
            undone.index_bytes += archive.size;
        }
        let mut change = if known.contains_key(archive.name.as_str()) {
            Change::Changed
        } else {
            Change::New
        };
        if let Some(Facts::Index(facts)) = receipt.map(|receipt| receipt.facts) {
            for chunk in &facts.chunks {
                let key = crate::replaying::key(context, &archive.name, &facts, chunk);
                let done = context.output.receipt(Stage::Replay, &key)?;
                plan(Stage::Replay, done.is_some());
                match (engine, done) {
                    (_, None) => undone.replay_bytes += chunk.bytes(),
                    (Some(engine), Some(done)) => {
                        plan_search(context, engine, &done, &mut plan, &mut undone)?;
                    }
                    (None, Some(_)) => {}
                }
            }
            if known
                .get(archive.name.as_str())
                .is_some_and(|before| before.content_hash.as_ref() == Some(&facts.content_hash))
            {
                change = Change::Unchanged;
            }
        }
        archives.push(ArchiveOutcome {
            archive: archive.name.clone(),
            change,
            games_found: 0,
        });
    }
    archives.extend(listing.missing.iter().map(|(name, reason)| ArchiveOutcome {
        archive: name.clone(),
        change: Change::Unreadable(reason.clone()),
        games_found: 0,
    }));
    let engine = engine.map(|engine| engine.id.as_str());
    let estimates = estimating::estimate(context, engine, undone, current)?;
    context.note(|outcome| {
        outcome.stages = tallies;
        outcome.archives = archives;
        outcome.estimates = estimates;
    });
    Ok(())
}

fn plan_search(
    context: &Context<'_>,
    engine: &Engine,
    replay: &Receipt,
    plan: &mut impl FnMut(Stage, bool),
    undone: &mut Undone,
) -> Result<(), RunError> {
    let key = crate::search::cut_key(context, engine, &replay.key);
    let cut = context.output.receipt(Stage::Cut, &key)?;
    plan(Stage::Cut, cut.is_some());
    let Some(Facts::Cut(facts)) = cut.map(|receipt| receipt.facts) else {
        undone.search_plies += replay.count("plies");
        undone.games += replay.count("games_found");
        return Ok(());
    };
    for chunk in &facts.chunks {
        let path = Receipt::path_of(Stage::Search, &chunk.key);
        let done = context.output.has(&path);
        plan(Stage::Search, done);
        if !done {
            undone.search_plies += chunk.units;
            undone.games += chunk.games;
        }
    }
    Ok(())
}
