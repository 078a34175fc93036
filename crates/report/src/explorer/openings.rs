//! Positions and what was played from them.

use std::sync::Arc;

use maud::{Markup, PreEscaped, html};
use pipeline::CommitView;
use rules::{Line, Ruleset, UciMove};
use tables::{Color, Key, OpeningRow, Word};

use super::visit::Visit;
use super::{Missing, framed};
use crate::board::{Marks, board_inline};
use crate::chart::{interval, legend};
use crate::figures::Range;
use crate::html::{openings::results, range};
use crate::text::{figure, number};

pub(super) const VARIANTS: [&str; 3] = ["makruk", "ouk", "kar-ouk"];

pub(super) fn page(view: &CommitView, visit: &Visit<'_>) -> Result<String, Missing> {
    let asked = visit.get("variant");
    let variant = VARIANTS.into_iter().find(|variant| *variant == asked);
    let variant = variant.unwrap_or(VARIANTS[0]);
    let none = || Missing::Place(format!("There is no rule set for {variant}."));
    let rules = Ruleset::builtin(variant).map_err(|_| none())?;
    let start = Line::from_start(&rules);
    let key = match visit.get("position") {
        "" => Key::from(start.position().key()),
        typed => typed
            .parse()
            .map_err(|_| Missing::Place("A position is 16 hexadecimal digits.".to_owned()))?,
    };
    let mut moves = Vec::new();
    for row in view.rows::<OpeningRow>() {
        let row = row?;
        if row.variant == *variant && row.position_key == key {
            moves.push(row);
        }
    }
    moves.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.uci.cmp(&b.uci)));
    let fen = moves.first().map(|row| row.fen.clone());
    let fen = fen.unwrap_or_else(|| notation::fen::write(&start));
    let body = html! {
        p {
            @for other in VARIANTS { a href={ "/openings?variant=" (other) } { (other) } " " }
        }
        (board(&fen, variant))
        p.meta { code { (fen) } }
        @if moves.is_empty() {
            p { "No game with a result went on from here within the plies that the statistics count." }
        } @else {
            (legend(&[("c-win", "White won"), ("c-draw", "drawn"), ("c-loss", "Black won")]))
            div.scroll {
                table {
                    thead {
                        tr {
                            th { "Move" } th.n { "n" } th { "Results" } th.n { "White" } th.n { "Drawn" } th.n { "Black" }
                            th { "Mover wins" } th.n { "95 %" } th.n { "Rating" } th.n { "Performance" }
                        }
                    }
                    tbody { @for row in &moves { (line(row, variant, &rules)) } }
                }
            }
        }
    };
    Ok(framed("Openings", view, &body))
}

fn board(fen: &str, variant: &str) -> Markup {
    let marks = Marks {
        ouk: variant != "makruk",
        ..Marks::default()
    };
    html! { @if let Ok(svg) = board_inline(fen, &marks) { figure.only { (PreEscaped(svg)) } } }
}

fn line(row: &OpeningRow, variant: &str, rules: &Arc<Ruleset>) -> Markup {
    let count = |n: i64| u64::try_from(n).unwrap_or(0);
    let (white, draws, black) = (
        count(row.white_wins),
        count(row.draws),
        count(row.black_wins),
    );
    let n = count(row.n);
    let wins = if row.side == Color::White {
        white
    } else {
        black
    };
    let wilson = row.wilson_low.zip(row.wilson_high);
    let wilson = wilson.map(|(low, high)| Range { low, high });
    html! {
        tr {
            td.nw {
                @match after(row, rules) {
                    Some(key) => { a href={ "/openings?variant=" (variant) "&position=" (key) } { b { (row.san) } } }
                    None => { b { (row.san) } }
                }
                span.sub { (row.side.word()) ", ply " (row.ply) }
            }
            td.n { (number(n)) }
            td.bar { (results(white, draws, black)) }
            td.n { (number(white)) } td.n { (number(draws)) } td.n { (number(black)) }
            td.bar { (interval(wins as f64 / n.max(1) as f64, wilson, 1.0)) }
            td.n { (range(wilson)) }
            td.n { (figure(row.average_rating, 0)) } td.n { (figure(row.performance, 0)) }
        }
    }
}

/// The position after a move.
fn after(row: &OpeningRow, rules: &Arc<Ruleset>) -> Option<Key> {
    let start = notation::fen::parse(&row.fen, rules).ok()?;
    let mut line = Line::new(rules, start.position, start.count_state);
    let wish: UciMove = row.uci.parse().ok()?;
    let mv = line.position().resolve(wish)?;
    line.push(mv);
    Some(Key::from(line.position().key()))
}
