//! From raw tags to normalised ones, each oddity a finding.

use archive::{Dialect, RawGame};

use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;
use crate::tags::GameTags;
use crate::tags::clock::{ClockKind, TimeControl};
use crate::tags::date::DateTag;
use crate::tags::player::{PlayerHints, PlayerKind, player_kind};
use crate::tags::rating::Rating;

/// Normalises the tags of a game.
pub(crate) fn read(raw: &RawGame, notes: &mut Notebook) -> GameTags {
    GameTags {
        event: text(raw, "Event"),
        site: text(raw, "Site"),
        date: date(raw, notes),
        round: text(raw, "Round"),
        white: text(raw, "White"),
        black: text(raw, "Black"),
        white_rating: rating(raw, "WhiteElo", notes),
        black_rating: rating(raw, "BlackElo", notes),
        time_control: time_control(raw, notes),
        termination: text(raw, "Termination"),
        player_kind: players(raw),
    }
}

/// A tag's text: trimmed, blanks in a row made one; none if it says nothing.
fn text(raw: &RawGame, name: &str) -> Option<String> {
    let value = raw.tag(name)?.trim();
    if matches!(value, "" | "?" | "-") {
        return None;
    }
    if !value.contains("  ") && !value.contains(['\t', '\n', '\r']) {
        return Some(value.to_owned());
    }
    Some(value.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn date(raw: &RawGame, notes: &mut Notebook) -> DateTag {
    let mut first = None;
    for name in ["Date", "UTCDate", "GameStartTime"] {
        let Some(value) = raw.tag(name) else { continue };
        let tag = DateTag::parse(value);
        if tag.date.is_some() || tag.year.is_some() {
            note_date(name, &tag, notes);
            return tag;
        }
        first = first.or(Some((name, tag)));
    }
    let Some((name, tag)) = first else {
        return DateTag::default();
    };
    note_date(name, &tag, notes);
    tag
}

fn note_date(name: &str, tag: &DateTag, notes: &mut Notebook) {
    let (Some(note), Some(text)) = (&tag.note, &tag.text) else {
        return;
    };
    let message = format!("{name} `{text}`: {note}");
    notes.add(Finding::new(FindingCode::DateUnclear, message));
}

fn rating(raw: &RawGame, name: &str, notes: &mut Notebook) -> Rating {
    let Some(value) = raw.tag(name) else {
        return Rating::default();
    };
    Rating::parse(value).unwrap_or_else(|_| {
        notes.add(Finding::new(
            FindingCode::RatingUnclear,
            format!("{name} `{value}` is not a rating"),
        ));
        Rating::default()
    })
}

fn time_control(raw: &RawGame, notes: &mut Notebook) -> TimeControl {
    let Some(value) = raw.tag("TimeControl") else {
        return TimeControl::default();
    };
    let control = TimeControl::parse(value);
    // pychess writes no clock as 0+0: its way of saying `-`.
    if let Some(note) = control
        .note
        .as_ref()
        .filter(|_| control.kind != ClockKind::None)
    {
        let message = format!("time control `{value}`: {note}");
        notes.add(Finding::new(FindingCode::TimeControlUnclear, message));
    }
    control
}

fn players(raw: &RawGame) -> PlayerKind {
    let event = raw.tag("Event").unwrap_or_default().to_lowercase();
    let machines = matches!(raw.dialect, Dialect::WinBoard)
        && event.contains("computer chess game")
        || event.contains("self-play")
        || event.contains("selfplay")
        || event.contains("engine match");
    let site = raw.tag("Site").unwrap_or_default().to_lowercase();
    let people_site = raw.dialect == Dialect::PlayOk
        || ["pychess", "playok", "schemingmind"]
            .iter()
            .any(|name| site.contains(name));
    let hints = |name, kind, title| PlayerHints {
        name: raw.tag(name),
        kind: raw.tag(kind),
        title: raw.tag(title),
        engine_match: machines,
        people_site,
    };
    player_kind(
        hints("White", "WhiteType", "WhiteTitle"),
        hints("Black", "BlackType", "BlackTitle"),
    )
}
