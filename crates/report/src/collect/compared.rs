//! Rule sets compared: who judges alike, and why the others do not.

use std::collections::BTreeMap;

use pipeline::CommitView;
use tables::{Hex, Table, VerdictRow, Word};

use super::{CollectError, GameId, Limits, rows};
use crate::figures::{ComparedFigures, ComparedGame, ComparedGroup, ComparedPair, Sheet};

tables::row! {
    /// What an example needs of its game.
    pub struct Place in Table::Games, ordered by [] {
        pub game_id: Hex<16>,
        pub archive: String,
        pub ordinal: i32,
        pub white: Option<String>,
        pub black: Option<String>,
    }
}

/// The judging rule set, the other, and the switches between them.
type Why = (String, String, String);

#[derive(Default)]
struct Seen {
    figures: ComparedFigures,
    pairs: BTreeMap<(String, String), ComparedPair>,
    groups: BTreeMap<Why, (ComparedGroup, GameId)>,
}

/// The figures of the `verdicts` of a commit; all zero where its job compares nothing.
pub(super) fn read(
    view: &CommitView,
    limits: &Limits,
    sheets: &[Sheet],
) -> Result<ComparedFigures, CollectError> {
    let mut seen = Seen::default();
    // The judging rule set's row is the first of its game.
    let mut judging: Option<VerdictRow> = None;
    let mut alike = true;
    rows::each(view, |row: VerdictRow| {
        if row.judging {
            seen.figures.alike += u64::from(judging.is_some() && alike);
            seen.figures.games += 1;
            alike = true;
            judging = Some(row);
        } else if let Some(own) = judging.as_ref().filter(|own| own.game_id == row.game_id) {
            alike &= row.agrees;
            seen.add(own, &row);
        }
    })?;
    seen.figures.alike += u64::from(judging.is_some() && alike);
    let mut groups: Vec<(ComparedGroup, GameId)> = seen.groups.into_values().collect();
    groups.sort_by(|(a, _), (b, _)| {
        let names = |group: &ComparedGroup| {
            (
                group.judging.clone(),
                group.other.clone(),
                group.switches.clone(),
            )
        };
        b.games.cmp(&a.games).then_with(|| names(a).cmp(&names(b)))
    });
    groups.truncate(limits.compared);
    place(view, &mut groups, sheets)?;
    Ok(ComparedFigures {
        pairs: seen.pairs.into_values().collect(),
        groups: groups.into_iter().map(|(group, _)| group).collect(),
        ..seen.figures
    })
}

impl Seen {
    fn add(&mut self, own: &VerdictRow, row: &VerdictRow) {
        let (judging, other) = (own.rule_set.to_string(), row.rule_set.to_string());
        let pair = self.pairs.entry((judging.clone(), other.clone()));
        let pair = pair.or_insert_with(|| ComparedPair {
            judging: judging.clone(),
            other: other.clone(),
            authority: row.authority.word().to_owned(),
            ..ComparedPair::default()
        });
        pair.games += 1;
        pair.alike += u64::from(row.agrees);
        if row.agrees {
            return;
        }
        let switches = row.switches.as_ref().map(ToString::to_string);
        let switches = switches.unwrap_or_default();
        let why = (judging.clone(), other.clone(), switches.clone());
        let (group, _) = self.groups.entry(why).or_insert_with(|| {
            let group = ComparedGroup {
                judging,
                other,
                switches,
                games: 0,
                first: ComparedGame {
                    game_id: row.game_id.to_string(),
                    ply: row
                        .differs_from_ply
                        .and_then(|ply| u32::try_from(ply).ok())
                        .unwrap_or(0),
                    judged: verdict_words(own),
                    compared: verdict_words(row),
                    ..ComparedGame::default()
                },
            };
            (group, row.game_id)
        });
        group.games += 1;
    }
}

/// Where the examples stand: one look through the games, if there is an example at all.
fn place(
    view: &CommitView,
    groups: &mut [(ComparedGroup, GameId)],
    sheets: &[Sheet],
) -> Result<(), CollectError> {
    if groups.is_empty() {
        return Ok(());
    }
    rows::each(view, |row: Place| {
        let of_it = groups.iter_mut().filter(|(_, id)| *id == row.game_id);
        for (group, _) in of_it {
            let first = &mut group.first;
            let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
            first.archive.clone_from(&row.archive);
            first.ordinal = u64::try_from(row.ordinal).unwrap_or(0);
            first.players = format!("{} – {}", name(&row.white), name(&row.black));
            first.has_sheet = sheets.iter().any(|sheet| sheet.game_id == first.game_id);
        }
    })
}

/// A verdict as part of a sentence: `makruk: 1/2-1/2 by pieces count after ply 10`.
pub fn verdict_words(row: &VerdictRow) -> String {
    let mut parts = Vec::new();
    if let (Some(result), Some(ending), Some(ply)) = (row.result, row.ending, row.ply) {
        let ending = ending.as_str().replace('_', " ");
        parts.push(format!("{} by {ending} after ply {ply}", result.as_str()));
    }
    if let Some(ending) = row.declared_ending {
        let result = row.declared_result.map_or("no result", |r| r.as_str());
        let ending = ending.as_str().replace('_', " ");
        parts.push(format!("{result} by {ending}, as declared"));
    }
    match row.refused_ply {
        Some(0) => parts.push("does not allow the start position".to_owned()),
        Some(ply) => parts.push(format!("does not allow ply {ply}")),
        None if parts.is_empty() => parts.push("not over".to_owned()),
        None => {}
    }
    format!("{}: {}", row.rule_set, parts.join(", "))
}
