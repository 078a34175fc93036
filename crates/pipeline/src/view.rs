//! Reading a commit: its parts, its rows, the log.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use store::Store;
use tables::{Row, RunRow};

use crate::commit::Commit;
use crate::output::{failed, part_bytes};
use crate::reading::PartRows;
use crate::receipt::Part;
use crate::run::RunError;

/// One commit, pinned: later commits do not change what is read here.
#[derive(Clone, Debug)]
pub struct CommitView {
    store: Arc<dyn Store>,
    commit: Arc<Commit>,
}

impl CommitView {
    /// Opens commit `number` of an output place, or the current one.
    ///
    /// # Errors
    /// No commit there, or the store failed.
    pub fn open(store: Arc<dyn Store>, number: Option<u64>) -> Result<CommitView, RunError> {
        let number = match number {
            Some(number) => number,
            None => numbers(store.as_ref())?.last().copied().ok_or_else(|| {
                RunError::Usage(format!(
                    "{} holds no commit: run a job into it first",
                    store.describe()
                ))
            })?,
        };
        let commit = read(store.as_ref(), number)?;
        Ok(CommitView {
            store,
            commit: Arc::new(commit),
        })
    }

    /// The commit.
    #[must_use]
    pub fn commit(&self) -> &Commit {
        &self.commit
    }

    /// The store it lies in.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Parts of a table by its name, in archive order.
    #[must_use]
    pub fn parts(&self, table: &str) -> &[Part] {
        self.commit.parts(table)
    }

    /// The rule set of an id: one that comes with the program, or one whose file the commit holds.
    #[must_use]
    pub fn rule_set(&self, id: &str) -> Option<Arc<rules::Ruleset>> {
        match self.commit.rule_sets.get(id) {
            Some(text) => rules::Ruleset::from_toml(text).ok(),
            None => rules::Ruleset::builtin(id).ok(),
        }
    }

    /// Rows of the table of `R`, or of some of its columns, in archive order; one part and one batch of rows are in memory.
    pub fn rows<R: Row>(&self) -> PartRows<R> {
        PartRows::new(Arc::clone(&self.store), self.parts(R::TABLE.name()), 0)
    }

    /// As [`CommitView::rows`], from row `first` of the table on; parts that lie before are not read.
    pub fn rows_from<R: Row>(&self, first: u64) -> PartRows<R> {
        PartRows::new(Arc::clone(&self.store), self.parts(R::TABLE.name()), first)
    }

    /// Parts that are gone or have another length than they were made with. One listing of each table's folder; no part is read.
    ///
    /// # Errors
    /// The store failed.
    pub fn check(&self) -> Result<Vec<PartFault>, RunError> {
        let mut faults = Vec::new();
        for (table, parts) in &self.commit.tables {
            let listed = self.store.list(table);
            let listed = listed.map_err(|source| failed(&format!("listing {table}"), source))?;
            let sizes: HashMap<&str, u64> = listed
                .iter()
                .map(|entry| (entry.key.as_str(), entry.size))
                .collect();
            for part in parts {
                let reason = match sizes.get(part.path.as_str()) {
                    None => "it is gone".to_owned(),
                    Some(size) if *size != part.bytes => {
                        format!("it has {size} bytes instead of {}", part.bytes)
                    }
                    Some(_) => continue,
                };
                let path = part.path.clone();
                faults.push(PartFault { path, reason });
            }
        }
        Ok(faults)
    }

    /// As [`CommitView::check`]; every part is read as well.
    ///
    /// # Errors
    /// The store failed.
    pub fn verify(&self) -> Result<Vec<PartFault>, RunError> {
        let mut faults = self.check()?;
        for part in self.commit.tables.values().flatten() {
            if faults.iter().any(|fault| fault.path == part.path) {
                continue;
            }
            match part_bytes(self.store.as_ref(), &part.path) {
                Err(RunError::Damaged { path, reason }) => faults.push(PartFault { path, reason }),
                read => drop(read?),
            }
        }
        Ok(faults)
    }

    /// The runs, oldest first.
    ///
    /// # Errors
    /// The store failed, or a part is broken.
    pub fn runs(&self) -> Result<Vec<RunRow>, RunError> {
        self.rows().collect()
    }
}

/// A part that is not as it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartFault {
    /// The part.
    pub path: String,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for PartFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

/// The numbers of all commits, ascending.
///
/// # Errors
/// The store failed.
pub fn numbers(store: &dyn Store) -> Result<Vec<u64>, RunError> {
    let entries = store.list(Commit::LOG).map_err(|source| RunError::Store {
        doing: "listing the commits".to_owned(),
        source,
    })?;
    let mut numbers: Vec<u64> = entries
        .iter()
        .filter_map(|entry| Commit::number_in(&entry.key))
        .collect();
    numbers.sort_unstable();
    Ok(numbers)
}

pub(crate) fn read(store: &dyn Store, number: u64) -> Result<Commit, RunError> {
    let path = Commit::path_of(number);
    let bytes = store.get(&path).map_err(|source| match source {
        store::Error::NotFound { .. } => {
            RunError::Usage(format!("{} holds no commit {number}", store.describe()))
        }
        source => RunError::Store {
            doing: format!("reading commit {number}"),
            source,
        },
    })?;
    serde_json::from_slice(&bytes).map_err(|error| RunError::Broken {
        path,
        reason: error.to_string(),
    })
}
