//! Head of the page, and the facts of the run.

use maud::{Markup, html};

use super::{badge, foreign, more, tile};
use crate::figures::{Figures, Grade};
use crate::text::{bytes, figure, number, percent};

pub(super) fn section(figures: &Figures) -> Markup {
    let (run, read, moves) = (&figures.run, &figures.read, &figures.moves);
    let [critical, error, warning, note] = figures.findings.by_grade;
    html! {
        header.top {
            p.kicker { "Nabsak report" }
            h1 { (foreign(&run.job)) }
            p.meta { "Commit " (run.commit) " · " (run.at) " · read from " (foreign(&run.roots)) }
        }
        (jump(figures))
        div.tiles #overview {
            (tile("", &number(read.archives), if read.archives == 1 { "archive" } else { "archives" }))
            (tile("", &number(read.games_found), "games found"))
            (tile("ok", &number(read.games_accepted), "accepted"))
            (tile(if read.games_rejected > 0 { "bad" } else { "" }, &number(read.games_rejected), "rejected"))
            (tile("", &number(read.games_set_aside), "set aside"))
            (tile(if critical + error > 0 { "bad" } else { "ok" }, &number(critical + error), "errors and worse"))
            (tile(if warning > 0 { "warn" } else { "" }, &number(warning), "warnings"))
            (tile("", &percent(moves.games_analysed, moves.games), "of games analysed"))
        }
        @if read.bytes_accounted == read.bytes_text {
            p.okbox {
                "Every byte is accounted for: " (bytes(read.bytes_text)) " of text in " (bytes(read.bytes)) " of archives"
                @if read.bytes_unreadable > 0 { ", " (bytes(read.bytes_unreadable)) " of it unreadable and named in a finding" }
                ". Games found = accepted + rejected + set aside."
            }
        } @else {
            p.warnbox {
                (bytes(read.bytes_text.saturating_sub(read.bytes_accounted))) " of " (bytes(read.bytes_text))
                " are not accounted for: see the archives below."
            }
        }
        @if run.failed_total > 0 {
            div.warnbox {
                b { (number(run.failed_total)) " pieces of work failed; what they cover is missing here." }
                ul { @for failed in &run.failed { li { (foreign(failed)) } } }
                (more(run.failed.len(), run.failed_total, "failures"))
            }
        }
        p.legend {
            @for (grade, n) in Grade::WORST_FIRST.into_iter().zip([critical, error, warning, note]) {
                span { (badge(grade)) " " (number(n)) }
            }
        }
    }
}

fn jump(figures: &Figures) -> Markup {
    let all = [
        ("#read", "What was read", true),
        ("#findings", "Findings", true),
        ("#results", "Results", !figures.results.is_empty()),
        ("#counts", "Count draws", true),
        (
            "#compared",
            "Rule sets compared",
            figures.compared.games > 0,
        ),
        ("#moves", "Blunders", true),
        ("#openings", "Openings", true),
        ("#formations", "Formations", true),
        ("#run", "Rules and run", true),
        ("#sheets", "Game sheets", !figures.sheets.is_empty()),
    ];
    html! { nav.jump { @for (place, name, _) in all.into_iter().filter(|(_, _, there)| *there) { a href=(place) { (name) } } } }
}

pub(super) fn run_facts(figures: &Figures) -> Markup {
    let run = &figures.run;
    html! {
        h2 #run { "Rules and run" }
        p.soft {
            "Every verdict rests on a rule set. " b { "Binding" } " is a federation's or platform's own text, "
            b { "assumed" } " is pieced together from sources that do not bind, " b { "engine" } " is what an engine does."
        }
        div.scroll {
            table {
                thead { tr { th { "Rule set" } th { "Authority" } th { "What it is" } th.n { "Games" } } }
                tbody {
                    @for rules in &run.rule_sets {
                        tr {
                            td { code { (rules.id) } } td { span.tag { (rules.authority) } }
                            td { (foreign(&rules.title)) } td.n { (number(rules.games)) }
                        }
                    }
                }
            }
        }
        p.meta {
            "Nabsak " (run.version) " · engine "
            @match &run.engine { Some(engine) => { code { (foreign(engine)) } } None => { "none" } }
            " · win curve " code { (run.curve) }
            @if run.curve_provisional { " (provisional: fitted on chess, it ranks moves but does not predict results)" }
        }
        @if !run.slowest.is_empty() {
            h3 { "Slowest pieces of the last run" }
            div.scroll {
                table {
                    thead { tr { th { "Piece" } th.n { "Seconds" } } }
                    tbody { @for (name, ms) in &run.slowest { tr { td.path { (foreign(name)) } td.n { (figure(Some(*ms as f64 / 1000.0), 1)) } } } }
                }
            }
        }
    }
}
