//! One game: its board, ply by ply, and its sheet.

use maud::{Markup, PreEscaped, html};
use pipeline::{CommitView, RunError};
use tables::{FindingRow, GameRow, Hex, Table};

use super::visit::Visit;
use super::{Missing, framed};
use crate::board::{Marks, board_inline};
use crate::collect::{boards_of, sheet_of};
use crate::html::sheet;

tables::row! {
    /// Where a game's row stands.
    pub struct GameAt in Table::Games, ordered by [] {
        pub game_id: Hex<16>,
    }
}

tables::row! {
    /// Where a game's findings stand.
    pub struct FindingAt in Table::Findings, ordered by [] {
        pub game_id: Option<Hex<16>>,
    }
}

pub(super) fn page(view: &CommitView, visit: &Visit<'_>, id: &str) -> Result<String, Missing> {
    let none = || Missing::Place("There is no such game in this commit.".to_owned());
    let id: Hex<16> = id.parse().map_err(|_| none())?;
    let game = game(view, id)?.ok_or_else(none)?;
    let findings = findings(view, id)?;
    let rules = game.rule_set.as_deref().and_then(|id| view.rule_set(id));
    let boards = boards_of(&game, rules.as_ref());
    let shown = sheet_of(&game, &findings, rules.as_ref());
    let last = boards.len().saturating_sub(1);
    let ply = visit.get("ply").parse().unwrap_or(last).min(last);
    let body = html! {
        @if let Some((fen, moved)) = boards.get(ply) {
            div #board {
                (board(fen, moved.as_ref(), game.variant != "makruk"))
                (ways(&id, ply, last))
                p.meta { code { (crate::text::clean(fen)) } }
            }
        }
        (sheet::sheet(&shown))
    };
    Ok(framed("Game", view, &body))
}

/// Looks at ids first and then at one row: a row of `games` is wide.
fn game(view: &CommitView, id: Hex<16>) -> Result<Option<GameRow>, RunError> {
    for (row, at) in (0..).zip(view.rows::<GameAt>()) {
        if at?.game_id == id {
            return view.rows_from::<GameRow>(row).next().transpose();
        }
    }
    Ok(None)
}

fn findings(view: &CommitView, id: Hex<16>) -> Result<Vec<FindingRow>, RunError> {
    let mut places: Vec<(u64, usize)> = Vec::new();
    for (row, at) in (0..).zip(view.rows::<FindingAt>()) {
        if at?.game_id == Some(id) {
            match places.last_mut() {
                Some((first, count)) if *first + *count as u64 == row => *count += 1,
                _ => places.push((row, 1)),
            }
        }
    }
    let runs = places.into_iter();
    runs.flat_map(|(first, count)| view.rows_from::<FindingRow>(first).take(count))
        .collect()
}

fn board(fen: &str, moved: Option<&(String, String)>, ouk: bool) -> Markup {
    let marks = Marks {
        last: moved.cloned(),
        ouk,
        ..Marks::default()
    };
    html! { @if let Ok(svg) = board_inline(fen, &marks) { figure.only { (PreEscaped(svg)) } } }
}

fn ways(id: &Hex<16>, ply: usize, last: usize) -> Markup {
    let to = |ply: usize| format!("/game/{id}?ply={ply}#board");
    html! {
        p.meta {
            @if ply > 0 { a href=(to(0)) { "start" } " · " a href=(to(ply - 1)) { "back" } " · " }
            @if ply == 0 { "at the start" } @else { "after ply " (ply) } " of " (last)
            @if ply < last { " · " a href=(to(ply + 1)) { "forward" } " · " a href=(to(last)) { "end" } }
        }
    }
}
