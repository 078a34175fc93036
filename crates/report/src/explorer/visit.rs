//! What a visitor asks for.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::A_PAGE;
use crate::text::{number, plural};

/// Longer words than this are looked for by nobody.
const LONGEST: usize = 200;

/// A target, taken apart.
#[derive(Debug, Default)]
pub(super) struct Visit<'t> {
    /// The words between the slashes, as they were sent.
    pub(super) path: Vec<&'t str>,
    asked: BTreeMap<String, String>,
}

impl<'t> Visit<'t> {
    pub(super) fn of(target: &'t str) -> Visit<'t> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let asked = form_urlencoded::parse(query.as_bytes());
        let short = |(_, value): &(_, std::borrow::Cow<'_, str>)| {
            !value.trim().is_empty() && value.len() <= LONGEST
        };
        Visit {
            path: path.split('/').filter(|word| !word.is_empty()).collect(),
            asked: asked
                .filter(short)
                .map(|(name, value)| (name.into_owned(), value.trim().to_owned()))
                .collect(),
        }
    }

    /// What was asked under a name; empty if nothing.
    pub(super) fn get(&self, name: &str) -> &str {
        self.asked.get(name).map_or("", String::as_str)
    }

    /// Whether a word that was asked for stands in a text, in whatever case. What was not asked for stands everywhere.
    pub(super) fn finds<'a>(&self, name: &str, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let wanted = self.get(name).to_lowercase();
        wanted.is_empty()
            || texts
                .into_iter()
                .any(|text| text.to_lowercase().contains(&wanted))
    }

    /// Whether a text is the one that was asked for, if one was.
    pub(super) fn is(&self, name: &str, text: &str) -> bool {
        let wanted = self.get(name);
        wanted.is_empty() || wanted == text
    }

    /// Which page of a list, from 0.
    pub(super) fn page(&self) -> usize {
        let page: usize = self.get("page").parse().unwrap_or(1);
        page.clamp(1, 1 << 32) - 1
    }

    /// The same place with another word under a name.
    pub(super) fn with(&self, place: &str, name: &str, value: &str) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let others = self.asked.iter().filter(|(asked, _)| *asked != name);
        query.extend_pairs(others);
        query.append_pair(name, value);
        format!("{place}?{}", query.finish())
    }
}

/// A page out of a list, counted while the list goes by.
#[derive(Debug)]
pub(super) struct Listed<R> {
    first: usize,
    pub(super) rows: Vec<R>,
    pub(super) total: usize,
}

impl<R> Listed<R> {
    pub(super) fn of(visit: &Visit<'_>) -> Listed<R> {
        Listed {
            first: visit.page().saturating_mul(A_PAGE),
            rows: Vec::new(),
            total: 0,
        }
    }

    pub(super) fn push(&mut self, row: R) {
        let here = self.total >= self.first && self.rows.len() < A_PAGE;
        if here {
            self.rows.push(row);
        }
        self.total += 1;
    }

    /// Where in the list this page is, and the way to the pages beside it.
    pub(super) fn ways(&self, visit: &Visit<'_>, place: &str, (one, many): (&str, &str)) -> Markup {
        let page = visit.page();
        let last = self.total.div_ceil(A_PAGE);
        let to = |page: usize| visit.with(place, "page", &page.to_string());
        html! {
            p.meta {
                (plural(self.total as u64, one, many))
                @if last > 1 { ", page " (page + 1) " of " (number(last as u64)) }
                @if page > 0 && page < last { " · " a href=(to(page)) { "before" } }
                @if page + 1 < last { " · " a href=(to(page + 2)) { "after" } }
            }
        }
    }
}

/// A field to type into.
pub(super) fn field(visit: &Visit<'_>, name: &str, label: &str) -> Markup {
    html! { label { (label) " " input type="text" name=(name) value=(visit.get(name)) maxlength=(LONGEST); } " " }
}

/// A field to choose in; nothing chosen is everything.
pub(super) fn choice(visit: &Visit<'_>, name: &str, label: &str, words: &[&str]) -> Markup {
    let chosen = visit.get(name);
    html! {
        label {
            (label) " "
            select name=(name) {
                option value="" { "all" }
                @for word in words { option value=(word) selected[*word == chosen] { (word) } }
            }
        }
        " "
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_taken_apart() {
        let visit = Visit::of("/game/00?player=%E0%B8%AA%20x&page=3&empty=");
        assert_eq!(visit.path, ["game", "00"]);
        assert_eq!(visit.get("player"), "ส x");
        assert_eq!(
            (visit.page(), visit.get("empty"), visit.get("none")),
            (2, "", "")
        );
        assert!(visit.finds("player", ["Mr ส X"]) && !visit.finds("player", ["y"]));
        assert!(visit.finds("none", []) && visit.is("none", "anything"));
        assert_eq!(
            visit.with("/games", "page", "4"),
            "/games?player=%E0%B8%AA+x&page=4"
        );
        let long = format!("/games?player={}", "x".repeat(201));
        assert_eq!(Visit::of(&long).get("player"), "");
        assert_eq!(Visit::of("/games?page=0").page(), 0);
        assert_eq!(Visit::of("/games?page=-7").page(), 0);
    }
}
