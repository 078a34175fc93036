//! The list of findings.

use maud::{Markup, html};
use pipeline::CommitView;
use tables::{Certainty, FindingCode, Hex, Severity, Table, Word};

use super::visit::{Listed, Visit, choice, field};
use super::{Missing, framed};
use crate::collect::grade;
use crate::html::{badge, foreign};
use crate::text::words;

tables::row! {
    /// What the list shows of a finding.
    pub struct Listing in Table::Findings, ordered by [] {
        pub game_id: Option<Hex<16>>,
        pub archive: String,
        pub member: Option<String>,
        pub byte_offset: Option<i64>,
        pub code: FindingCode,
        pub severity: Severity,
        pub certainty: Certainty,
        pub ply: Option<i32>,
        pub message: String,
    }
}

pub(super) fn page(view: &CommitView, visit: &Visit<'_>) -> Result<String, Missing> {
    let mut list: Listed<Listing> = Listed::of(visit);
    for finding in view.rows::<Listing>() {
        let finding = finding?;
        if fits(&finding, visit) {
            list.push(finding);
        }
    }
    let body = html! {
        (form(visit))
        (list.ways(visit, "/findings", ("finding", "findings")))
        div.scroll {
            table {
                thead { tr { th { "Severity" } th { "Finding" } th { "Certainty" } th.n { "Ply" } th { "Where" } } }
                tbody { @for finding in &list.rows { (line(finding, visit)) } }
            }
        }
        (list.ways(visit, "/findings", ("finding", "findings")))
    };
    Ok(framed("Findings", view, &body))
}

pub(super) fn form(visit: &Visit<'_>) -> Markup {
    html! {
        form.ask action="/findings" method="get" {
            (choice(visit, "severity", "Severity", &["critical", "error", "warning", "note"]))
            (choice(visit, "certainty", "Certainty", &["proved", "possible", "impossible", "statistical"]))
            (field(visit, "code", "Code"))
            (field(visit, "archive", "Archive"))
            (field(visit, "message", "Message"))
            button type="submit" { "Search" }
        }
    }
}

fn fits(finding: &Listing, visit: &Visit<'_>) -> bool {
    visit.is("severity", finding.severity.word())
        && visit.is("certainty", finding.certainty.word())
        && visit.is("code", finding.code.word())
        && visit.finds("archive", [finding.archive.as_str()])
        && visit.finds("message", [finding.message.as_str()])
}

fn line(finding: &Listing, visit: &Visit<'_>) -> Markup {
    let code = finding.code.word();
    html! {
        tr {
            td { (badge(grade(finding.severity))) }
            td {
                a href=(visit.with("/findings", "code", code)) { (words(code)) }
                span.sub { (foreign(&finding.message)) }
            }
            td { span.tag { (finding.certainty.word()) } }
            td.n { @match finding.ply { Some(ply) => { (ply) } None => { "–" } } }
            td.path {
                @match finding.game_id {
                    Some(id) => { a href={ "/game/" (id) } { (foreign(&finding.archive)) } }
                    None => { (foreign(&finding.archive)) }
                }
                @if let Some(member) = &finding.member { " › " (foreign(member)) }
                @if let Some(offset) = finding.byte_offset { span.sub { "byte " (offset) } }
            }
        }
    }
}
