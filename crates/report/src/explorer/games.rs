//! The list of games.

use std::collections::HashSet;

use maud::{Markup, html};
use pipeline::CommitView;
use tables::{FindingCode, GameResult, Hex, Status, Symbol, Table, Word};

use super::visit::{Listed, Visit, choice, field};
use super::{Missing, framed};
use crate::html::{foreign, foreign_or_dash};
use crate::text::words;

tables::row! {
    /// What the list shows of a game.
    pub struct Listing in Table::Games, ordered by [] {
        pub game_id: Hex<16>,
        pub archive: String,
        pub member: Option<String>,
        pub ordinal: i32,
        pub event: Option<String>,
        pub date: Option<String>,
        pub white: Option<String>,
        pub black: Option<String>,
        pub white_elo: Option<i32>,
        pub black_elo: Option<i32>,
        pub variant: Symbol,
        pub status: Status,
        pub result_declared: Option<GameResult>,
        pub plies: i32,
    }
}

tables::row! {
    /// Which game has which finding.
    pub struct Found in Table::Findings, ordered by [] {
        pub game_id: Option<Hex<16>>,
        pub code: FindingCode,
    }
}

pub(super) fn page(view: &CommitView, visit: &Visit<'_>) -> Result<String, Missing> {
    let with_code = with_code(view, visit)?;
    let mut list: Listed<Listing> = Listed::of(visit);
    for game in view.rows::<Listing>() {
        let game = game?;
        if fits(&game, visit)
            && with_code
                .as_ref()
                .is_none_or(|ids| ids.contains(&game.game_id))
        {
            list.push(game);
        }
    }
    let body = html! {
        (form(visit))
        (list.ways(visit, "/games", ("game", "games")))
        div.scroll {
            table {
                thead { tr { th { "Game" } th { "Date" } th { "Variant" } th { "Result" } th.n { "Plies" } th { "Status" } th { "Where" } } }
                tbody { @for game in &list.rows { (line(game)) } }
            }
        }
        (list.ways(visit, "/games", ("game", "games")))
    };
    Ok(framed("Games", view, &body))
}

pub(super) fn form(visit: &Visit<'_>) -> Markup {
    html! {
        form.ask action="/games" method="get" {
            (field(visit, "player", "Player"))
            (field(visit, "archive", "Archive"))
            (field(visit, "event", "Event"))
            (choice(visit, "variant", "Variant", &super::openings::VARIANTS))
            (choice(visit, "status", "Status", &["accepted", "rejected", "set_aside"]))
            (choice(visit, "result", "Result", &["1-0", "1/2-1/2", "0-1"]))
            (field(visit, "code", "Finding"))
            button type="submit" { "Search" }
        }
    }
}

/// The games with a finding of the code that was asked for.
fn with_code(view: &CommitView, visit: &Visit<'_>) -> Result<Option<HashSet<Hex<16>>>, Missing> {
    if visit.get("code").is_empty() {
        return Ok(None);
    }
    let mut ids = HashSet::new();
    for found in view.rows::<Found>() {
        let found = found?;
        if visit.is("code", found.code.word()) {
            ids.extend(found.game_id);
        }
    }
    Ok(Some(ids))
}

fn fits(game: &Listing, visit: &Visit<'_>) -> bool {
    let players = [&game.white, &game.black].into_iter().flatten();
    visit.is("variant", &game.variant)
        && visit.is("status", game.status.word())
        && visit.is(
            "result",
            game.result_declared.map_or("", |result| result.word()),
        )
        && visit.finds("player", players.map(String::as_str))
        && visit.finds("archive", [game.archive.as_str()])
        && visit.finds("event", game.event.as_deref())
}

fn line(game: &Listing) -> Markup {
    let player = |name: &Option<String>, elo: Option<i32>| {
        html! { (foreign_or_dash(name.as_deref())) @if let Some(elo) = elo { " (" (elo) ")" } }
    };
    html! {
        tr {
            td {
                a href={ "/game/" (game.game_id) } { (player(&game.white, game.white_elo)) " – " (player(&game.black, game.black_elo)) }
                @if let Some(event) = &game.event { span.sub { (foreign(event)) } }
            }
            td.nw { (foreign_or_dash(game.date.as_deref())) }
            td { (foreign(&game.variant)) }
            td.nw { @match game.result_declared { Some(result) => { (result.word()) } None => { "–" } } }
            td.n { (game.plies) }
            td { (words(game.status.word())) }
            td.path { (foreign(&game.archive)) @if let Some(member) = &game.member { " › " (foreign(member)) } ", game " (game.ordinal) }
        }
    }
}
