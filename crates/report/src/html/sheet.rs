//! Game sheets: one game each, for an arbiter's desk, on a page of its own when printed.

use maud::{Markup, PreEscaped, html};

use super::{anchor, badge, foreign, foreign_or_dash, more, players};
use crate::board::board_inline;
use crate::figures::{CountStep, Figures, Sheet, SheetFinding, SheetMove, Verdict};
use crate::text::{clean, number, words};

pub(super) fn section(figures: &Figures) -> Markup {
    html! {
        @if !figures.sheets.is_empty() {
            h2 #sheets { "Game sheets" }
            p.soft {
                "One sheet for each game with an error or worse"
                @if (figures.sheets.len() as u64) < figures.sheets_total {
                    ": the " (number(figures.sheets.len() as u64)) " worst of " (number(figures.sheets_total))
                    ". The table " code { "findings" } " names the others, and " code { "nabsak replay" } " draws any of them"
                }
                ". Printed, each begins on a page of its own."
            }
            @for game in &figures.sheets { (sheet(game)) }
        }
    }
}

pub(crate) fn sheet(game: &Sheet) -> Markup {
    html! {
        article.sheet id=(anchor(&game.game_id)) {
            header {
                h3 { (foreign(&players(game))) }
                span.mono.soft { (game.game_id) }
            }
            div.facts { (about(game)) (judged(game)) }
            @for (index, finding) in game.findings.iter().enumerate() {
                // Beside the first board there is room for the moves.
                (fault(finding, (index == 0).then(|| moves(game))))
            }
            (more(game.findings.len(), game.findings_total, "findings of this game"))
            @if game.findings.is_empty() { (moves(game)) }
            (count(game))
            p.signature { span { "Arbiter" } span { "Date" } }
        }
    }
}

fn about(game: &Sheet) -> Markup {
    let player = |name: &Option<String>, elo: Option<i64>| {
        html! { (foreign_or_dash(name.as_deref())) @if let Some(elo) = elo { " (" (elo) ")" } }
    };
    html! {
        dl {
            dt { "White" } dd { (player(&game.white, game.white_elo)) }
            dt { "Black" } dd { (player(&game.black, game.black_elo)) }
            dt { "Event" } dd { (foreign_or_dash(game.event.as_deref())) @if let Some(round) = &game.round { ", round " (foreign(round)) } }
            @if let Some(site) = &game.site { dt { "Site" } dd { (foreign(site)) } }
            dt { "Date" } dd { (foreign_or_dash(game.date.as_deref())) }
            @if let Some(time) = &game.time_control { dt { "Time" } dd { (foreign(time)) } }
            dt { "Record" }
            dd {
                (foreign(&game.archive)) @if let Some(member) = &game.member { " › " (foreign(member)) }
                ", game " (number(game.ordinal)) ", bytes " (number(game.byte_offset)) " to "
                (number(game.byte_offset.saturating_add(game.byte_length.saturating_sub(1)))) ", " (game.dialect)
            }
        }
    }
}

fn judged(game: &Sheet) -> Markup {
    html! {
        dl {
            dt { "Variant" } dd { (game.variant) }
            dt { "Rule set" }
            dd {
                @match &game.rule_set {
                    Some(rules) => {
                        code { (rules.id) } " " span.tag { (rules.authority) }
                        @if !rules.title.is_empty() { br; span.soft { (foreign(&rules.title)) } }
                    }
                    None => { "not judged" }
                }
            }
            dt { "Status" } dd { (words(&game.status)) @if let Some(reason) = &game.reason { ": " (foreign(reason)) } }
            dt { "Declared" }
            dd {
                (verdict(&game.declared, "the record gives no result"))
                @if !game.certainty.is_empty() { " " span.tag title="how sure the declared result is under the rules" { (game.certainty) } }
            }
            dt { "By the rules" } dd { (verdict(&game.derived, "the board is not over")) }
            @if let Some(fen) = &game.start_fen { dt { "Start" } dd { code { (clean(fen)) } } }
        }
    }
}

fn verdict(verdict: &Verdict, none: &str) -> Markup {
    html! {
        @match (&verdict.result, &verdict.ending) {
            (None, None) => { (none) }
            (result, ending) => {
                @if let Some(result) = result { b { (result) } }
                @if result.is_some() && ending.is_some() { ", " }
                @if let Some(ending) = ending { (words(ending)) }
            }
        }
    }
}

fn fault(finding: &SheetFinding, beside: Option<Markup>) -> Markup {
    let board = finding
        .board
        .as_ref()
        .and_then(|board| Some((board, board_inline(&board.fen, &board.marks).ok()?)));
    html! {
        section class={ "fault" @if board.is_some() { " with-board" } } {
            @if let Some((board, svg)) = &board {
                figure { (PreEscaped(svg)) figcaption { (foreign(&board.caption)) } }
            }
            div {
                (badge(finding.grade)) " " span.tag { (finding.certainty) } " " b { (words(&finding.code)) }
                p.what { (foreign(&finding.message)) }
                p.meta {
                    @if let Some(ply) = finding.ply { "Ply " (ply) " · " }
                    @if let Some(rules) = &finding.rule_set { "judged under " code { (rules) } " · " }
                    @if let Some(offset) = finding.byte_offset {
                        "byte " (number(offset)) @if let Some(length) = finding.byte_length.filter(|n| *n > 0) { ", " (number(length)) " long" } " · "
                    }
                    "certainty: " (finding.certainty)
                }
                @if let Some((board, _)) = &board { p.meta { code { (clean(&board.fen)) } } }
                @if let Some(beside) = beside { (beside) }
            }
        }
    }
}

fn moves(game: &Sheet) -> Markup {
    html! {
        @if !game.moves.is_empty() || game.stopped_at.is_some() {
            h3 { "Moves" }
            p.moves {
                @for (index, played) in game.moves.iter().enumerate() {
                    @let gap = index > 0 && game.moves[index - 1].ply + 1 != played.ply;
                    @if gap { " … " }
                    (one_move(played, index == 0 || gap))
                    " "
                }
                @if let Some(token) = &game.stopped_at { span.hit { (foreign(token)) } }
            }
            @if (game.moves.len() as u64) < u64::from(game.plies) {
                p.meta { "The moves around the findings; the game has " (number(u64::from(game.plies))) " plies." }
            }
        }
    }
}

fn one_move(played: &SheetMove, first: bool) -> Markup {
    html! {
        @if played.white { i { (played.number) ". " } } @else if first { i { (played.number) "… " } }
        @match played.grade {
            Some(grade) => { span class={ "hit g-" (grade.as_str()) } { (played.san) } }
            None => { (played.san) }
        }
    }
}

fn count(game: &Sheet) -> Markup {
    html! {
        @if !game.count.is_empty() {
            h3 { "Count by ply" }
            div.scroll {
                table.count {
                    thead { tr { th.n { "Ply" } th { "Move" } th { "Count" } th { "Counting side" } th.n { "Said" } th.n { "Limit" } th.n { "Replies left" } } }
                    tbody { @for step in &game.count { (count_row(step)) } }
                }
            }
            (more(game.count.len(), game.count_total, "plies with a count"))
        }
    }
}

fn count_row(step: &CountStep) -> Markup {
    html! {
        tr {
            td.n { (step.ply) } td { (step.san) }
            td { @if step.kind == "board" { "board's honour" } @else { "pieces' honour" } }
            td { (step.side) } td.n { @match step.number { Some(number) => { (number) } None => { "–" } } } td.n { (step.limit) }
            td.n { @match step.replies_left { Some(left) => { (left) } None => { "–" } } }
        }
    }
}
