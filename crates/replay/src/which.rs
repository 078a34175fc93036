//! Which game a record is of, and who judges it.

use archive::{Dialect, RawGame};
use serde_json::json;
use std::sync::Arc;

use crate::finding::{Finding, FindingCode};
use crate::judge::{Judge, Ruling, Source};
use crate::note::Notebook;
use crate::place::Place;
use crate::variant::{Named, recognise};

/// Which game.
pub(crate) enum Which {
    /// One of ours, and who judges it.
    Ours(Ruling),
    /// Another, or nobody knows.
    Aside(Aside),
}

/// Why a game is set aside.
pub(crate) struct Aside {
    pub(crate) variant: String,
    pub(crate) reason: String,
    pub(crate) admit: Option<String>,
}

/// Decides by the record's tags, then by its source, then by the job's default.
pub(crate) fn decide(raw: &RawGame, place: &Place, judge: &Judge, notes: &mut Notebook) -> Which {
    let source = Source {
        site: raw.tag("Site"),
        dialect: Some(raw.dialect),
        archive: &place.archive,
    };
    let tag = raw
        .tag("RuleSet")
        .map(str::trim)
        .filter(|id| !matches!(*id, "" | "?"));
    let by_tag = tag.and_then(|id| judge.named(id));
    if let (Some(id), None) = (tag, &by_tag) {
        notes.add(Finding::new(
            FindingCode::RuleSetUnknown,
            format!("the record names the rule set `{id}`, which is not known"),
        ));
    }
    let name = raw.tag("Variant").or_else(|| named_in_column(raw));
    let variant = match recognise(name.unwrap_or_default()) {
        Named::Ours(variant) => variant,
        Named::Other(name) => return Which::Aside(other(name, notes)),
        // A rule set names its game, too.
        Named::Nothing => match by_tag
            .as_ref()
            .map(|rules| rules.variant())
            .or_else(|| judge.variant_of(source))
        {
            Some(variant) => variant,
            None => return Which::Aside(unknown(notes)),
        },
    };
    if let Some(rules) = by_tag.as_ref().filter(|rules| rules.variant() != variant) {
        let (id, of, named) = (rules.id(), rules.variant().as_str(), variant.as_str());
        notes.add(Finding::new(
            FindingCode::RuleSetUnknown,
            format!("the record names the rule set `{id}` of {of}, but is of {named}"),
        ));
    }
    Which::Ours(judge.ruling_for(variant, source, by_tag.as_ref().map(Arc::clone).as_ref()))
}

/// A row of a table of positions may name its game in a column without a name.
fn named_in_column(raw: &RawGame) -> Option<&str> {
    let columns = raw
        .tags
        .iter()
        .filter(|tag| raw.dialect == Dialect::Epd && tag.name.starts_with("Column"));
    columns
        .map(|tag| tag.value)
        .find(|name| matches!(recognise(name), Named::Ours(_)))
}

fn other(name: String, notes: &mut Notebook) -> Aside {
    let reason = format!("`{name}` is another game than makruk, ouk and kar ouk");
    notes.add(
        Finding::new(FindingCode::VariantSetAside, reason.clone())
            .with(&json!({ "variant": name })),
    );
    Aside {
        variant: name,
        reason,
        admit: None,
    }
}

fn unknown(notes: &mut Notebook) -> Aside {
    let reason = "the record does not say which game it is, and no setting does".to_owned();
    let admit = "`--variant makruk` (or ouk, kar-ouk) on the command line, or a `[[rules.source]]` with `variant` in the job file".to_owned();
    let evidence = json!({ "admit": admit });
    notes.add(
        Finding::new(
            FindingCode::VariantUnknown,
            format!("{reason}; to admit it: {admit}"),
        )
        .with(&evidence),
    );
    Aside {
        variant: String::new(),
        reason,
        admit: Some(admit),
    }
}
