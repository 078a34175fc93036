//! What was read.

use maud::{Markup, html};

use super::{foreign, more};
use crate::chart::{Slice, bar, legend, stack};
use crate::figures::{Counted, Figures};
use crate::text::{bytes, number, plural};

const FATE: [(&str, &str); 3] = [
    ("c-win", "accepted"),
    ("c-error", "rejected"),
    ("c-draw", "set aside"),
];

pub(super) fn section(figures: &Figures) -> Markup {
    let read = &figures.read;
    html! {
        h2 #read { "What was read" }
        p.soft {
            (plural(read.archives, "archive", "archives")) ", " (bytes(read.bytes)) " as stored, "
            (bytes(read.bytes_text)) " of text, " (plural(read.plies, "ply", "plies")) " replayed."
        }
        (legend(&FATE))
        div.scroll {
            table {
                thead {
                    tr {
                        th { "Archive" } th { "Packed" } th { "Encoding" } th.n { "Size" } th.n { "Games" } th { "Their fate" }
                        th.n { "Accepted" } th.n { "Rejected" } th.n { "Set aside" } th.n { "Findings" }
                    }
                }
                tbody {
                    @for line in &read.lines {
                        tr {
                            td.path { (foreign(&line.archive)) @if !line.complete { " " span.badge.g-error { "bytes missing" } } }
                            td { (line.container) } td.nw { (line.encoding) } td.n { (bytes(line.bytes)) } td.n { (number(line.found)) }
                            td.bar { (fate(line.accepted, line.rejected, line.set_aside)) }
                            td.n { (number(line.accepted)) } td.n { (number(line.rejected)) }
                            td.n { (number(line.set_aside)) } td.n { (number(line.findings)) }
                        }
                    }
                    tr.sum {
                        td { "All" } td {} td {} td.n { (bytes(read.bytes)) } td.n { (number(read.games_found)) }
                        td.bar { (fate(read.games_accepted, read.games_rejected, read.games_set_aside)) }
                        td.n { (number(read.games_accepted)) } td.n { (number(read.games_rejected)) }
                        td.n { (number(read.games_set_aside)) } td.n { (number(figures.findings.total)) }
                    }
                }
            }
        }
        (more(read.lines.len(), read.archives, "archives"))
        div.grid {
            (list("Games by variant", &read.variants))
            (list("Games by dialect", &read.dialects))
            @if !read.duplicates.is_empty() { (list("Records beside the first of their group", &read.duplicates)) }
            @if !read.set_aside.is_empty() { (list("Set aside, and what would admit them", &read.set_aside)) }
        }
    }
}

fn fate(accepted: u64, rejected: u64, set_aside: u64) -> Markup {
    let slices: Vec<Slice> = FATE
        .into_iter()
        .zip([accepted, rejected, set_aside])
        .map(|((class, name), n)| Slice { n, class, name })
        .collect();
    stack(&slices)
}

/// A card with one bar per word.
pub(super) fn list(title: &str, counted: &[Counted]) -> Markup {
    let longest = counted.iter().map(|counted| counted.n).max().unwrap_or(0);
    html! {
        div.card {
            h3 { (title) }
            div.scroll {
                table {
                    tbody {
                        @for counted in counted {
                            tr {
                                td.path { (foreign(&crate::text::words(&counted.name))) }
                                td.bar { (bar(counted.n, longest, "c-proved")) }
                                td.n { (number(counted.n)) }
                            }
                        }
                    }
                }
            }
        }
    }
}
