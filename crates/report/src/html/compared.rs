//! Rule sets compared.

use maud::{Markup, html};

use super::{anchor, foreign};
use crate::figures::{ComparedGame, Figures};
use crate::text::{number, percent};

pub(super) fn section(figures: &Figures) -> Markup {
    let compared = &figures.compared;
    html! {
        @if compared.games > 0 {
            h2 #compared { "Rule sets compared" }
            p.soft {
                "Each game as the rule set that judges it sees it, beside the others asked for. A switch explains a difference if "
                "its value, taken from the other rule set, is enough to make the judging one say the same. "
                (number(compared.alike)) " of " (number(compared.games)) " games are judged alike by all."
            }
            div.scroll {
                table {
                    thead { tr { th { "Judged by" } th { "Compared with" } th { "Authority" } th.n { "Games" } th.n { "Alike" } th.n { "Otherwise" } } }
                    tbody {
                        @for pair in &compared.pairs {
                            tr {
                                td { (foreign(&pair.judging)) } td { (foreign(&pair.other)) }
                                td { span.tag { (pair.authority) } }
                                td.n { (number(pair.games)) }
                                td.n { (number(pair.alike)) }
                                td.n { (number(pair.games - pair.alike)) " (" (percent(pair.games - pair.alike, pair.games)) ")" }
                            }
                        }
                    }
                }
            }
            @if compared.groups.is_empty() {
                p.okbox { "They differ on no game." }
            } @else {
                h3 { "Where they part, and why" }
                div.scroll {
                    table.list {
                        thead { tr { th { "Rule sets" } th { "Switch" } th.n { "Games" } th { "First example" } } }
                        tbody {
                            @for group in &compared.groups {
                                tr {
                                    td { (foreign(&group.judging)) " / " (foreign(&group.other)) }
                                    td { (switches(&group.switches)) }
                                    td.n { (number(group.games)) }
                                    td.msg { (example(&group.first)) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn switches(switches: &str) -> Markup {
    html! {
        @if switches.is_empty() {
            span.soft { "none explains it" }
        } @else {
            @for (index, switch) in switches.split(", ").enumerate() {
                @if index > 0 { " and " }
                code { (switch) }
            }
        }
    }
}

fn example(game: &ComparedGame) -> Markup {
    html! {
        @if game.has_sheet {
            a href={ "#" (anchor(&game.game_id)) } { (foreign(&game.players)) }
        } @else {
            (foreign(&game.players))
        }
        ", ply " (game.ply)
        span.sub { (foreign(&game.judged)) "; " (foreign(&game.compared)) }
        span.sub { (foreign(&game.archive)) ", game " (game.ordinal) }
    }
}
