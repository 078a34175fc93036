//! From the tables of a commit to [`Figures`], in bounded memory.
//!
//! Parts are read one at a time and rows one batch at a time. What is kept: sums, the capped lists, the names of
//! players, and the ids of games with an error or worse.

mod aggregates;
mod compared;
mod findings;
mod games;
mod keep;
mod rows;
mod sheets;

pub use compared::verdict_words;
pub(crate) use findings::grade;
pub(crate) use sheets::boards_of;
pub(crate) use sheets::commands;
pub use sheets::sheet_of;

use pipeline::CommitView;
use tables::{Hex, RunRow};

use crate::figures::{Figures, RunFacts};

/// Why figures could not be collected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CollectError {
    /// A part could not be fetched.
    #[error("reading {path}: {source}")]
    Store {
        /// The part.
        path: String,
        /// What the store said.
        source: store::Error,
    },
    /// A part is not what its table says.
    #[error("{path}: {source}")]
    Table {
        /// The part.
        path: String,
        /// What is wrong with it.
        source: tables::TableError,
    },
}

/// How long the lists of a report may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Archives listed.
    pub archives: usize,
    /// Findings listed.
    pub findings: usize,
    /// Game sheets.
    pub sheets: usize,
    /// Games listed whose count ran out.
    pub count_draws: usize,
    /// Players listed.
    pub players: usize,
    /// Lines of the opening tree of a variant.
    pub openings: usize,
    /// Formations listed.
    pub formations: usize,
    /// Groups of games listed on which rule sets differ.
    pub compared: usize,
}

impl Default for Limits {
    /// A page of a few megabytes at most, however large the archive.
    fn default() -> Self {
        Limits {
            archives: 200,
            findings: 400,
            sheets: 100,
            count_draws: 50,
            players: 60,
            openings: 60,
            formations: 40,
            compared: 60,
        }
    }
}

/// The figures of a commit, with the usual limits.
///
/// # Errors
/// If a part cannot be read.
pub fn collect(view: &CommitView) -> Result<Figures, CollectError> {
    collect_within(view, &Limits::default())
}

/// The figures of a commit, its lists at most as long as `limits` says.
///
/// # Errors
/// If a part cannot be read.
pub fn collect_within(view: &CommitView, limits: &Limits) -> Result<Figures, CollectError> {
    let mut figures = Figures {
        run: run(view)?,
        ..Figures::default()
    };
    let seen = findings::read(view, limits)?;
    let wanted = findings::Wanted::of(&seen, aggregates::count_draws(view, limits)?);
    let known = games::read(view, limits, &wanted, &mut figures)?;
    aggregates::archives(view, limits, &mut figures.read)?;
    aggregates::duplicates(view, &mut figures.read)?;
    aggregates::count_rates(view, &mut figures.counts)?;
    aggregates::openings(view, limits, &mut figures.openings)?;
    aggregates::formations(view, limits, &mut figures.formations)?;
    wanted.count_draws(&known, &mut figures.counts);
    figures.sheets = sheets::read(view, &seen, &known)?;
    figures.sheets_total = seen.faulty_games();
    figures.findings = seen.figures(&known, &figures.sheets);
    figures.compared = compared::read(view, limits, &figures.sheets)?;
    for rules in figures
        .run
        .rule_sets
        .iter_mut()
        .filter(|rules| rules.title.is_empty())
    {
        let own = view.rule_set(&rules.id);
        rules.title = own.map_or_else(String::new, |own| own.title().to_owned());
    }
    Ok(figures)
}

/// Id of a game.
type GameId = Hex<16>;

fn run(view: &CommitView) -> Result<RunFacts, CollectError> {
    let commit = view.commit();
    let mut last: Option<RunRow> = None;
    rows::each(view, |row: RunRow| last = Some(row))?;
    let curve = analysis::WinCurve::PROVISIONAL;
    let failed: Vec<String> = commit
        .failed
        .iter()
        .take(20)
        .map(|chunk| format!("{} of {}: {}", chunk.stage, chunk.archive, chunk.reason))
        .collect();
    Ok(RunFacts {
        job: commit.job.clone(),
        commit: commit.number,
        at: commit.at.clone(),
        version: commit.build.clone(),
        slowest: slowest(last.as_ref()),
        roots: last.map(|row| row.roots).unwrap_or_default(),
        engine: commit.engine.clone(),
        curve: curve.version.to_owned(),
        curve_provisional: curve.provisional,
        rule_sets: Vec::new(),
        failed,
        failed_total: commit.failed.len() as u64,
    })
}

/// The column `slowest` of a run.
fn slowest(run: Option<&RunRow>) -> Vec<(String, u64)> {
    #[derive(serde::Deserialize)]
    struct Slow {
        stage: String,
        archive: String,
        ms: u64,
    }
    let text = run.and_then(|run| run.slowest.as_deref()).unwrap_or("[]");
    let slow: Vec<Slow> = serde_json::from_str(text).unwrap_or_default();
    let name = |slow: Slow| match slow.archive.as_str() {
        "" => (slow.stage, slow.ms),
        archive => (format!("{} of {archive}", slow.stage), slow.ms),
    };
    slow.into_iter().map(name).collect()
}

/// A count that a table holds with a sign.
fn unsigned(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}
