//! How moves were judged.

use maud::{Markup, html};

use super::{foreign, more};
use crate::chart::{Slice, interval, legend, stack};
use crate::figures::{Figures, PhaseLine, PlayerLine};
use crate::text::{figure, number, percent};

const CLASSES: [(&str, &str); 5] = [
    ("c-best", "best"),
    ("c-good", "good"),
    ("c-inaccuracy", "inaccuracy"),
    ("c-mistake", "mistake"),
    ("c-blunder", "blunder"),
];

pub(super) fn section(figures: &Figures) -> Markup {
    let moves = &figures.moves;
    html! {
        h2 #moves { "Blunders by player and phase" }
        p.soft {
            "Analysed: " (number(moves.games_analysed)) " of " (number(moves.games)) " accepted games ("
            (percent(moves.games_analysed, moves.games)) "), " (number(moves.plies_analysed)) " of " (number(moves.plies))
            " plies (" (percent(moves.plies_analysed, moves.plies)) ")"
            @if moves.games_pending > 0 { ", " (number(moves.games_pending)) " games wait" }
            @if moves.games_failed > 0 { ", the engine failed on " (number(moves.games_failed)) }
            ". A blunder costs at least 15 points of win chance, a mistake 10, an inaccuracy 5."
            @if figures.run.curve_provisional { " The win curve is provisional: compare players with each other, not with chess." }
        }
        @if moves.plies_analysed == 0 {
            p { "No move was analysed." }
        } @else {
            (legend(&CLASSES))
            (phases(&moves.phases))
            h3 { "Players" }
            (players(&moves.players))
            (more(moves.players.len(), moves.players_total, "players"))
        }
    }
}

fn classes(counts: &[u64; 5]) -> Markup {
    let slices: Vec<Slice> = CLASSES
        .into_iter()
        .zip(*counts)
        .map(|((class, name), n)| Slice { n, class, name })
        .collect();
    stack(&slices)
}

fn phases(lines: &[PhaseLine]) -> Markup {
    let top = lines
        .iter()
        .filter_map(|line| line.blunder_range)
        .map(|range| range.high)
        .fold(0.0, f64::max);
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th { "Variant" } th { "Phase" } th.n { "Moves" } th { "Classes" } th.n { "Mean loss" } th.n { "Blunders" }
                        th { "Share of blunders, 0 to " (format!("{:.0} %", 100.0 * top)) ", 95 % interval" }
                    }
                }
                tbody {
                    @for line in lines {
                        @let [.., blunders] = line.classes;
                        tr {
                            td { (line.variant) } td { (line.phase) } td.n { (number(line.evaluated)) }
                            td.bar { (classes(&line.classes)) }
                            td.n { (figure(line.acpl, 0)) " cp" }
                            td.n { (number(blunders)) span.sub { (percent(blunders, line.evaluated)) } }
                            td.bar { (interval(blunders as f64 / line.evaluated.max(1) as f64, line.blunder_range, top)) }
                        }
                    }
                }
            }
        }
    }
}

fn players(lines: &[PlayerLine]) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        th { "Player" } th { "Variant" } th.n { "Games" } th.n { "Moves" } th.n { "Analysed" } th { "Classes" }
                        th.n { "Accuracy" } th.n { "Mean loss" } th.n { "Blunders" } th.n { "Opening" } th.n { "Middlegame" } th.n { "Endgame" }
                    }
                }
                tbody {
                    @for line in lines {
                        @let [.., blunders] = line.classes;
                        tr {
                            td.path { (foreign(&line.player)) } td { (line.variant) } td.n { (number(line.games)) }
                            td.n { (number(line.moves)) } td.n { (number(line.evaluated)) }
                            td.bar { (classes(&line.classes)) }
                            td.n { (figure(line.accuracy, 1)) } td.n { (figure(line.acpl, 0)) }
                            td.n { (number(blunders)) span.sub { (percent(blunders, line.evaluated)) } }
                            @for (n, of) in line.blunders.into_iter().zip(line.phase_moves) {
                                td.n { (number(n)) span.sub { (percent(n, of)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
