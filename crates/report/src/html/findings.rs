//! What was found.

use maud::{Markup, html};

use super::{anchor, badge, foreign, more};
use crate::chart::bar;
use crate::figures::{Figures, FindingLine, Grade};
use crate::text::{number, plural, words};

pub(super) fn section(figures: &Figures) -> Markup {
    let findings = &figures.findings;
    html! {
        h2 #findings { "Findings" }
        @if findings.total == 0 {
            p.okbox { "Nothing was found." }
        } @else {
            (by_code(figures))
            h3 { "One by one, worst first" }
            @let (grave, notes): (Vec<&FindingLine>, Vec<&FindingLine>) =
                findings.lines.iter().partition(|line| line.grade > Grade::Note);
            @if grave.is_empty() { p.okbox { "Nothing worse than a note." } } @else { (list(&grave)) }
            @if !notes.is_empty() {
                details { summary { (plural(notes.len() as u64, "note", "notes")) } (list(&notes)) }
            }
            (more(findings.lines.len(), findings.total, "findings"))
        }
    }
}

fn list(lines: &[&FindingLine]) -> Markup {
    html! {
        div.scroll {
            table.list {
                thead { tr { th { "Severity" } th { "What" } th { "Where" } } }
                tbody { @for line in lines { (row(line)) } }
            }
        }
    }
}

fn by_code(figures: &Figures) -> Markup {
    let lines = &figures.findings.by_code;
    let longest = lines.iter().map(|line| line.n).max().unwrap_or(0);
    let class = |grade: Grade| match grade {
        Grade::Critical => "c-critical",
        Grade::Error => "c-error",
        Grade::Warning => "c-warning",
        Grade::Note => "c-note",
    };
    html! {
        div.scroll {
            table {
                thead { tr { th { "Severity" } th { "Finding" } th { "Certainty" } th { "How often" } th.n { "n" } } }
                tbody {
                    @for line in lines {
                        tr {
                            td { (badge(line.grade)) }
                            td.msg { b { (words(&line.code)) } span.sub { (line.meaning) } }
                            td { span.tag { (line.certainty) } }
                            td.bar { (bar(line.n, longest, class(line.grade))) }
                            td.n { (number(line.n)) }
                        }
                    }
                }
            }
        }
    }
}

fn row(line: &FindingLine) -> Markup {
    html! {
        tr {
            td.nw { (badge(line.grade)) " " span.tag { (line.certainty) } }
            td.msg { b { (words(&line.code)) } ": " (foreign(&line.message)) }
            td.path {
                @match (&line.game_id, line.has_sheet) {
                    (Some(id), true) => { a href={ "#" (anchor(id)) } { (whose(line)) } }
                    (Some(_), false) => { (whose(line)) }
                    (None, _) => { "the archive itself" }
                }
                @if let Some(ply) = line.ply { ", ply " (ply) }
                span.sub { (place(line)) }
            }
        }
    }
}

fn whose(line: &FindingLine) -> Markup {
    html! {
        @match &line.players { Some(players) => { (foreign(players)) } None => { "unnamed players" } }
    }
}

fn place(line: &FindingLine) -> Markup {
    html! {
        (foreign(&line.archive))
        @if let Some(member) = &line.member { " › " (foreign(member)) }
        @if let Some(ordinal) = line.ordinal { ", game " (ordinal) }
        @if let Some(offset) = line.byte_offset { ", byte " (number(offset)) }
    }
}
