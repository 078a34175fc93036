//! How games ended, and what counting had to do with it.

use maud::{Markup, html};

use super::{anchor, foreign, more, range, read};
use crate::chart::{Slice, legend, stack};
use crate::figures::{CountDrawLine, CountGroup, Figures, ResultFigures};
use crate::text::{number, percent, words};

const RESULTS: [(&str, &str); 4] = [
    ("c-win", "White won"),
    ("c-draw", "drawn"),
    ("c-loss", "Black won"),
    ("c-soft", "no result"),
];

pub(super) fn results(figures: &Figures) -> Markup {
    html! {
        @if !figures.results.is_empty() {
            h2 #results { "Results" }
            p.soft { "As declared; of the board where no result is declared." }
            (legend(&RESULTS))
            div.scroll {
                table {
                    thead {
                        tr { th { "Variant" } th { "Results" } th.n { "White" } th.n { "Drawn" } th.n { "Black" } th.n { "None" } th.n { "Games" } }
                    }
                    tbody { @for line in &figures.results { (result_row(line)) } }
                }
            }
            div.grid {
                @for line in &figures.results { (read::list(&format!("How games of {} ended", line.variant), &line.endings)) }
            }
        }
    }
}

fn result_row(line: &ResultFigures) -> Markup {
    let values = [line.white_wins, line.draws, line.black_wins, line.unknown];
    let slices: Vec<Slice> = RESULTS
        .into_iter()
        .zip(values)
        .map(|((class, name), n)| Slice { n, class, name })
        .collect();
    let known = line.white_wins + line.draws + line.black_wins;
    html! {
        tr {
            td { b { (line.variant) } }
            td.bar { (stack(&slices)) }
            td.n { (number(line.white_wins)) span.sub { (percent(line.white_wins, known)) } }
            td.n { (number(line.draws)) span.sub { (percent(line.draws, known)) } }
            td.n { (number(line.black_wins)) span.sub { (percent(line.black_wins, known)) } }
            td.n { (number(line.unknown)) } td.n { (number(known + line.unknown)) }
        }
    }
}

pub(super) fn counts(figures: &Figures) -> Markup {
    let counts = &figures.counts;
    html! {
        h2 #counts { "Draws by counting" }
        p.soft {
            "Board's honour (นับศักดิ์กระดาน) and pieces' honour (นับศักดิ์หมาก). " b { "Proved" }
            ": the count ran out on the board or the record says so. " b { "Possible" }
            ": a declared draw that a count could explain. The rate lies between proved and proved + possible."
        }
        @if counts.groups.is_empty() {
            p { "No games to count." }
        } @else {
            (legend(&[("c-proved", "proved"), ("c-possible", "possible"), ("c-soft", "other games without unpromoted bia")]))
            (table(&counts.groups, false))
            @if !counts.materials.is_empty() {
                h3 { "By the stronger side's material when the khun was bare" }
                (table(&counts.materials, true))
            }
        }
        @if !counts.draws.is_empty() {
            h3 { "Games in which a count ran out" }
            div.scroll {
                table {
                    thead {
                        tr { th { "Game" } th { "Count" } th { "Counting side" } th { "Material" } th.n { "Said" } th.n { "Limit" } th { "Rule set" } th { "Certainty" } }
                    }
                    tbody { @for line in &counts.draws { (draw_row(line, figures)) } }
                }
            }
            (more(counts.draws.len(), counts.draws_total, "games"))
        }
    }
}

fn table(groups: &[CountGroup], with_material: bool) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th { "Rule set" } th { "Players" } @if with_material { th { "Material" } }
                        th.n { "Games" } th.n { "No bia left" } th.n { "Bare khun" }
                        th { "Count draws" } th.n { "Proved" } th.n { "Possible" } th.n { "95 % interval" }
                        @if !with_material { th { "Left out" } }
                    }
                }
                tbody { @for group in groups { (group_row(group, with_material)) } }
            }
        }
    }
}

fn group_row(group: &CountGroup, with_material: bool) -> Markup {
    let rest = group.no_bia.saturating_sub(group.proved + group.possible);
    let slices = [
        Slice {
            n: group.proved,
            class: "c-proved",
            name: "proved",
        },
        Slice {
            n: group.possible,
            class: "c-possible",
            name: "possible",
        },
        Slice {
            n: rest,
            class: "c-soft",
            name: "other",
        },
    ];
    html! {
        tr {
            td { code { (group.rule_set) } } td { (group.player_kind) }
            @if with_material { td.nw { (words(&group.material)) } }
            td.n {
                (number(group.games))
                span.sub { (number(group.all_proved)) @if group.all_possible > 0 { " to " (number(group.all_proved + group.all_possible)) } " by count" }
            }
            td.n { (number(group.no_bia)) } td.n { (number(group.bare_khun)) }
            td.bar { (stack(&slices)) }
            td.n { (number(group.proved)) span.sub { (percent(group.proved, group.no_bia)) } }
            td.n { (number(group.possible)) span.sub { "up to " (percent(group.proved + group.possible, group.no_bia)) } }
            td.n { (range(group.range)) }
            @if !with_material {
                td.nw {
                    @for left in &group.left_out { span.sub { (words(&left.name)) " " (number(left.n)) } }
                    @if group.left_out.is_empty() { "–" }
                }
            }
        }
    }
}

fn draw_row(line: &CountDrawLine, figures: &Figures) -> Markup {
    let has_sheet = figures
        .sheets
        .iter()
        .any(|sheet| sheet.game_id == line.game_id);
    html! {
        tr {
            td.path {
                @if has_sheet { a href={ "#" (anchor(&line.game_id)) } { (foreign(&line.players)) } } @else { (foreign(&line.players)) }
                span.sub { (foreign(&line.archive)) ", game " (line.ordinal) }
            }
            td.nw { @if line.kind == "board" { "board's honour" } @else { "pieces' honour" } }
            td { (line.side) } td { code { (line.material) } }
            td.n { (line.first) " to " (line.last) } td.n { (line.limit) }
            td { code { (line.rule_set) } } td { span.tag { (line.certainty) } }
        }
    }
}
