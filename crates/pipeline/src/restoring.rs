//! Makes the state of an earlier commit the current one again, as a new commit.

use std::collections::BTreeSet;

use store::{Created, Store};
use tables::Table;

use crate::commit::Commit;
use crate::output::{failed, json};
use crate::run::RunError;
use crate::view;
use crate::views;

/// What came of a restoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Restored {
    /// The new commit's number.
    Commit(u64),
    /// That state is the current one.
    Current,
    /// Parts of it are gone: their paths, sorted.
    Gone(Vec<String>),
}

/// Makes a new commit with the state of commit `number`. The table `runs` stays as it is: what ran has run.
///
/// The next run of the job commits the state of its input again.
///
/// # Errors
/// No commit of that number, or the store failed.
pub fn restore(store: &dyn Store, number: u64) -> Result<Restored, RunError> {
    loop {
        let wanted = view::read(store, number)?;
        let last = view::numbers(store)?.last().copied().unwrap_or(number);
        let current = view::read(store, last)?;
        if current.state == wanted.state {
            return Ok(Restored::Current);
        }
        let listed = store.list("");
        let listed = listed.map_err(|source| failed("listing the output", source))?;
        let there: BTreeSet<String> = listed.into_iter().map(|entry| entry.key).collect();
        let commit = renewed(wanted, &current, &there);
        let parts = commit.tables.values().flatten();
        let gone: BTreeSet<&String> = parts
            .map(|part| &part.path)
            .filter(|path| !there.contains(*path))
            .collect();
        if !gone.is_empty() {
            return Ok(Restored::Gone(gone.into_iter().cloned().collect()));
        }
        let path = Commit::path_of(commit.number);
        let created = store.create(&path, json(&path, &commit)?);
        match created.map_err(|source| failed(&format!("writing {path}"), source))? {
            Created::Created => {
                let sql = views::sql(store, &commit);
                store
                    .put("views.sql", sql.into())
                    .map_err(|source| failed("writing views.sql", source))?;
                return Ok(Restored::Commit(commit.number));
            }
            // A run committed in between.
            Created::Exists => {}
        }
    }
}

fn renewed(wanted: Commit, current: &Commit, there: &BTreeSet<String>) -> Commit {
    let mut commit = Commit {
        number: current.number + 1,
        run: format!("restored-from-{}", wanted.number),
        at: jiff::Timestamp::now().to_string(),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        ..wanted
    };
    // What lies between stages only saves work.
    commit.receipts.retain(|path| there.contains(path));
    commit.work.retain(|part| there.contains(&part.path));
    let runs = Table::Runs.name();
    let parts = current.parts(runs).to_vec();
    commit.tables.insert(runs.to_owned(), parts);
    commit
}
