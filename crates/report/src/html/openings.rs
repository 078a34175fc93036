//! Openings: moves and formations.

use maud::{Markup, html};

use super::{foreign, range};
use crate::chart::{Slice, interval, legend, stack};
use crate::figures::{Figures, FormationLine, OpeningLine};
use crate::text::{figure, number, words};

pub(super) fn moves(figures: &Figures) -> Markup {
    html! {
        h2 #openings { "Openings" }
        p.soft { "Each move with the replies to it. n is the number of games with a result; a share of few games says little, hence the 95 % interval of the mover's wins." }
        @if figures.openings.iter().all(|opening| opening.lines.is_empty()) {
            p { "No opening was played often enough." }
        } @else {
            (legend(&[("c-win", "White won"), ("c-draw", "drawn"), ("c-loss", "Black won")]))
            @for opening in figures.openings.iter().filter(|opening| !opening.lines.is_empty()) {
                h3 { (opening.variant) }
                div.scroll {
                    table {
                        thead {
                            tr {
                                th { "Move" } th.n { "n" } th { "Results" } th.n { "White" } th.n { "Drawn" } th.n { "Black" }
                                th { "Mover wins" } th.n { "95 %" } th.n { "Rating" } th.n { "Performance" }
                            }
                        }
                        tbody { @for line in &opening.lines { (move_row(line)) } }
                    }
                }
            }
        }
    }
}

fn move_row(line: &OpeningLine) -> Markup {
    let white = line.ply % 2 == 1;
    let wins = if white {
        line.white_wins
    } else {
        line.black_wins
    };
    let number_of = line.ply.div_ceil(2);
    html! {
        tr {
            td.nw style={ "padding-left:" (10 + 18 * line.ply.saturating_sub(1).min(8)) "px" } {
                span.soft { (number_of) @if white { "." } @else { "…" } } " " b { (line.san) }
            }
            td.n { (number(line.n)) }
            td.bar { (results(line.white_wins, line.draws, line.black_wins)) }
            td.n { (number(line.white_wins)) } td.n { (number(line.draws)) } td.n { (number(line.black_wins)) }
            td.bar { (interval(wins as f64 / line.n.max(1) as f64, line.win_range, 1.0)) }
            td.n { (range(line.win_range)) }
            td.n { (figure(line.average_rating, 0)) } td.n { (figure(line.performance, 0)) }
        }
    }
}

pub(crate) fn results(white: u64, draws: u64, black: u64) -> Markup {
    stack(&[
        Slice {
            n: white,
            class: "c-win",
            name: "White won",
        },
        Slice {
            n: draws,
            class: "c-draw",
            name: "drawn",
        },
        Slice {
            n: black,
            class: "c-loss",
            name: "Black won",
        },
    ])
}

pub(super) fn formations(figures: &Figures) -> Markup {
    html! {
        h2 #formations { "Formations" }
        p.soft { "Makruk openings are named by where the ma stand (รูปหมาก), read after sixteen plies. Wins are those of the side that had the formation." }
        @if figures.formations.is_empty() {
            p { "No formation was read." }
        } @else {
            (legend(&[("c-win", "won"), ("c-draw", "drawn"), ("c-loss", "lost")]))
            div.scroll {
                table {
                    thead {
                        tr {
                            th { "Formation" } th { "Variant" } th { "Side" } th.n { "n" } th { "Results" }
                            th.n { "Won" } th.n { "Drawn" } th.n { "Lost" } th { "Wins" } th.n { "95 %" }
                        }
                    }
                    tbody { @for line in &figures.formations { (formation_row(line)) } }
                }
            }
        }
    }
}

fn formation_row(line: &FormationLine) -> Markup {
    let slices = [
        Slice {
            n: line.wins,
            class: "c-win",
            name: "won",
        },
        Slice {
            n: line.draws,
            class: "c-draw",
            name: "drawn",
        },
        Slice {
            n: line.losses,
            class: "c-loss",
            name: "lost",
        },
    ];
    html! {
        tr {
            td.nw {
                b { @match &line.name { Some(name) => { (foreign(name)) } None => { (words(&line.formation)) } } }
                @if let Some(thai) = line.thai.as_deref().filter(|thai| !thai.is_empty()) { " " span lang="th" { (foreign(thai)) } }
                @if line.name.is_some() { span.sub { code { (line.formation) } } }
            }
            td { (line.variant) } td { (line.side) } td.n { (number(line.n)) }
            td.bar { (stack(&slices)) }
            td.n { (number(line.wins)) } td.n { (number(line.draws)) } td.n { (number(line.losses)) }
            td.bar { (interval(line.wins as f64 / line.n.max(1) as f64, line.win_range, 1.0)) }
            td.n { (range(line.win_range)) }
        }
    }
}
