//! The explorer: pages over the current commit, made as they are asked for. No script, nothing fetched, nothing written.
//!
//! Each answer is of one commit. Where a run has made a newer one, the next answer is of that; where its clean-up has taken parts
//! from under an answer in the making, the answer is made anew. What a visitor sends is a path out of a short list and words to look
//! for: no part of it is ever a path of the store.

mod findings;
mod games;
mod openings;
mod sheet;
mod visit;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use maud::{Markup, html};
use pipeline::{CommitView, RunError, commit_numbers};
use store::Store;

use crate::collect::{CollectError, collect};
use crate::html::{document, foreign, tile};
use crate::text::number;
use visit::Visit;

/// So often an answer is made anew because parts went away under it.
const TRIES: usize = 5;

/// Rows of a list on one page.
const A_PAGE: usize = 50;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// HTTP's status: 200, 404, or 500 where the tables cannot be read.
    pub status: u16,
    /// HTML.
    pub body: String,
}

/// Why there is no page.
#[derive(Debug)]
enum Missing {
    /// No such place, or no such game.
    Place(String),
    /// The tables cannot be read.
    Tables(RunError),
    Figures(CollectError),
}

impl From<RunError> for Missing {
    fn from(error: RunError) -> Missing {
        Missing::Tables(error)
    }
}

impl Missing {
    /// Whether a part is not there that a commit names: a later commit's clean-up took it.
    fn is_gone(&self) -> bool {
        matches!(
            self,
            Missing::Tables(RunError::Store {
                source: store::Error::NotFound { .. },
                ..
            }) | Missing::Figures(CollectError::Store {
                source: store::Error::NotFound { .. },
                ..
            })
        )
    }
}

/// One commit, and its report once that was asked for.
#[derive(Debug)]
struct Pinned {
    view: CommitView,
    report: OnceLock<String>,
}

/// Pages over the current commit of an output place. May be asked from many threads at once.
#[derive(Debug)]
pub struct Explorer {
    store: Arc<dyn Store>,
    pinned: Mutex<Option<Arc<Pinned>>>,
}

impl Explorer {
    /// An explorer of the output place of a job.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Explorer {
        Explorer {
            store,
            pinned: Mutex::default(),
        }
    }

    /// The page of a target such as `/games?player=som`.
    pub fn page(&self, target: &str) -> Page {
        let visit = Visit::of(target);
        let mut answer = self.answer(&visit);
        for _ in 1..TRIES {
            if !answer.as_ref().is_err_and(Missing::is_gone) {
                break;
            }
            // The commit of before is not to be looked at again.
            *self.pinned.lock().unwrap_or_else(PoisonError::into_inner) = None;
            answer = self.answer(&visit);
        }
        match answer {
            Ok(body) => Page { status: 200, body },
            Err(Missing::Place(what)) => trouble(404, "Not here", &what),
            Err(Missing::Tables(error)) => {
                trouble(500, "The tables cannot be read", &error.to_string())
            }
            Err(Missing::Figures(error)) => {
                trouble(500, "The tables cannot be read", &error.to_string())
            }
        }
    }

    fn answer(&self, visit: &Visit) -> Result<String, Missing> {
        let pinned = self.pinned()?;
        let view = &pinned.view;
        match visit.path.as_slice() {
            [] => Ok(framed("Explorer", view, &home(view))),
            ["report"] => pinned.report(),
            ["games"] => games::page(view, visit),
            ["findings"] => findings::page(view, visit),
            ["openings"] => openings::page(view, visit),
            ["game", id] => sheet::page(view, visit, id),
            _ => Err(Missing::Place("There is no such page.".to_owned())),
        }
    }

    /// The current commit, opened once.
    fn pinned(&self) -> Result<Arc<Pinned>, RunError> {
        let newest = commit_numbers(self.store.as_ref())?.last().copied();
        let mut slot = self.pinned.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slot.as_ref().map(|pinned| pinned.view.commit().number);
        match slot.as_ref() {
            Some(pinned) if known >= newest => Ok(Arc::clone(pinned)),
            _ => {
                let view = CommitView::open(Arc::clone(&self.store), newest)?;
                let pinned = Arc::new(Pinned {
                    view,
                    report: OnceLock::new(),
                });
                *slot = Some(Arc::clone(&pinned));
                Ok(pinned)
            }
        }
    }
}

impl Pinned {
    fn report(&self) -> Result<String, Missing> {
        if let Some(page) = self.report.get() {
            return Ok(page.clone());
        }
        let figures = collect(&self.view).map_err(Missing::Figures)?;
        Ok(self
            .report
            .get_or_init(|| crate::html::html(&figures))
            .clone())
    }
}

fn trouble(status: u16, title: &str, what: &str) -> Page {
    let body = html! {
        header.top { p.kicker { "Nabsak explorer" } h1 { (title) } }
        p { (foreign(what)) }
        p { a href="/" { "To the first page" } }
    };
    Page {
        status,
        body: document(title, &body),
    }
}

/// A page with the way to the others over it.
fn framed(title: &str, view: &CommitView, body: &Markup) -> String {
    let commit = view.commit();
    let page = html! {
        header.top {
            p.kicker { "Nabsak explorer" }
            h1 { (title) }
            p.meta { (foreign(&commit.job)) " · commit " (commit.number) " · " (commit.at) }
        }
        nav.jump {
            @for (place, name) in [("/", "Overview"), ("/report", "Report"), ("/games", "Games"), ("/findings", "Findings"), ("/openings", "Openings")] {
                a href=(place) { (name) }
            }
        }
        (body)
    };
    document(&format!("{title}: Nabsak explorer"), &page)
}

fn home(view: &CommitView) -> Markup {
    let commit = view.commit();
    let rows = |table: &str| {
        commit
            .parts(table)
            .iter()
            .map(|part| part.rows)
            .sum::<u64>()
    };
    let tiles = [
        ("archives", "archives"),
        ("games", "games"),
        ("plies", "plies"),
        ("findings", "findings"),
        ("counts", "counts"),
        ("evaluations", "evaluated plies"),
    ];
    html! {
        div.tiles { @for (table, label) in tiles { (tile("", &number(rows(table)), label)) } }
        @if !commit.failed.is_empty() {
            p.warnbox { (number(commit.failed.len() as u64)) " pieces of work failed: see the report." }
        }
        h2 { "Games" }
        (games::form(&Visit::of("/games")))
        h2 { "Findings" }
        (findings::form(&Visit::of("/findings")))
        h2 { "Openings" }
        p { @for variant in openings::VARIANTS { a href={ "/openings?variant=" (variant) } { (variant) } " " } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_without_commit_is_a_page_too() {
        let folder = std::env::temp_dir().join("nabsak-explorer-nowhere");
        let explorer = Explorer::new(Arc::new(store::Folder::new(folder)));
        let page = explorer.page("/");
        assert_eq!(page.status, 500);
        assert!(page.body.contains("holds no commit"), "{}", page.body);
    }
}
