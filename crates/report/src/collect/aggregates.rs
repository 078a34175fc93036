//! The small tables: archives, counts, openings, formations.

use std::collections::BTreeMap;

use pipeline::CommitView;
use rules::{Ruleset, UciMove};
use tables::{
    ArchiveRow, CountBasis, CountRateRow, CountRow, DuplicateRow, EpisodeEnd, FormationRow,
    OpeningRow, Population, Word,
};

use super::keep::First;
use super::{CollectError, GameId, Limits, rows, unsigned};
use crate::figures::{
    ArchiveLine, CountDrawLine, CountFigures, CountGroup, Counted, FormationLine, OpeningFigures,
    OpeningLine, Range, ReadFigures,
};

pub(super) fn archives(
    view: &CommitView,
    limits: &Limits,
    read: &mut ReadFigures,
) -> Result<(), CollectError> {
    rows::each(view, |row: ArchiveRow| {
        read.archives += 1;
        read.bytes += unsigned(row.bytes);
        read.bytes_text += unsigned(row.bytes_text);
        read.bytes_accounted += unsigned(row.bytes_accounted);
        read.bytes_unreadable += unsigned(row.bytes_unreadable);
        read.games_found += unsigned(row.games_found);
        read.games_accepted += unsigned(row.games_accepted);
        read.games_rejected += unsigned(row.games_rejected);
        read.games_set_aside += unsigned(row.games_set_aside);
        if read.lines.len() < limits.archives {
            read.lines.push(archive(row));
        }
    })
}

/// Records that are there beside the first of their group, by class.
pub(super) fn duplicates(view: &CommitView, read: &mut ReadFigures) -> Result<(), CollectError> {
    let mut classes: BTreeMap<&'static str, u64> = BTreeMap::new();
    rows::each(view, |row: DuplicateRow| {
        if row.game_id != row.canonical_game_id {
            *classes.entry(row.class.word()).or_default() += 1;
        }
    })?;
    let counted = |(class, n): (&str, u64)| Counted {
        name: class.to_owned(),
        n,
    };
    read.duplicates = classes.into_iter().map(counted).collect();
    Ok(())
}

fn archive(row: ArchiveRow) -> ArchiveLine {
    ArchiveLine {
        archive: row.archive,
        container: row.container.word().to_owned(),
        encoding: row
            .encoding
            .map(|encoding| encoding.to_string())
            .unwrap_or_default(),
        bytes: unsigned(row.bytes),
        found: unsigned(row.games_found),
        accepted: unsigned(row.games_accepted),
        rejected: unsigned(row.games_rejected),
        set_aside: unsigned(row.games_set_aside),
        findings: unsigned(row.findings),
        complete: row.bytes_accounted == row.bytes_text,
    }
}

/// A count that ran out, before its game is known.
#[derive(Debug)]
pub(super) struct CountDraw {
    pub(super) game_id: GameId,
    pub(super) line: CountDrawLine,
}

/// The counts that the rules or the record had running when they ran out.
pub(super) fn count_draws(
    view: &CommitView,
    limits: &Limits,
) -> Result<First<(), CountDraw>, CollectError> {
    let mut draws = First::new(limits.count_draws);
    rows::each(view, |row: CountRow| {
        if row.ended == EpisodeEnd::Limit && row.basis != CountBasis::Silent {
            draws.offer((), || CountDraw {
                game_id: row.game_id,
                line: count_draw(&row),
            });
        }
    })?;
    Ok(draws)
}

fn count_draw(row: &CountRow) -> CountDrawLine {
    CountDrawLine {
        game_id: row.game_id.to_string(),
        rule_set: row.rule_set.to_string(),
        kind: row.kind.word().to_owned(),
        side: row
            .side
            .map_or_else(|| "not said".to_owned(), |side| side.word().to_owned()),
        material: row.signature.to_string(),
        first: row.first_number.into(),
        last: row.last_number.unwrap_or_default().into(),
        limit: row.limit.into(),
        certainty: row.certainty.word().to_owned(),
        ..CountDrawLine::default()
    }
}

/// Rows of all bands; a group's three populations become one line.
pub(super) fn count_rates(
    view: &CommitView,
    counts: &mut CountFigures,
) -> Result<(), CollectError> {
    let mut groups: BTreeMap<(String, &'static str, String), CountGroup> = BTreeMap::new();
    rows::each(view, |row: CountRateRow| {
        if row.band == analysis::CountRates::ALL_BANDS {
            let key = (
                row.rule_set.to_string(),
                row.player_kind.word(),
                row.material.to_string(),
            );
            join(groups.entry(key).or_default(), &row);
        }
    })?;
    let (all, materials) = groups
        .into_values()
        .partition::<Vec<_>, _>(|group| group.material == analysis::CountRates::ALL_MATERIAL);
    counts.groups = all;
    counts.materials = materials;
    counts.materials.sort_by(|a, b| {
        a.rule_set
            .cmp(&b.rule_set)
            .then(b.bare_khun.cmp(&a.bare_khun))
    });
    Ok(())
}

fn join(group: &mut CountGroup, row: &CountRateRow) {
    group.rule_set = row.rule_set.to_string();
    group.player_kind = row.player_kind.word().to_owned();
    group.material = row.material.to_string();
    match row.population {
        Population::Games => {
            group.games = unsigned(row.n);
            group.all_proved = unsigned(row.draws_proved);
            group.all_possible = unsigned(row.draws_possible);
            group.left_out = left_out(row);
        }
        Population::NoBia => {
            group.no_bia = unsigned(row.n);
            group.proved = unsigned(row.draws_proved);
            group.possible = unsigned(row.draws_possible);
            group.range = row
                .proved_wilson_low
                .zip(row.possible_wilson_high)
                .map(|(low, high)| Range { low, high });
        }
        Population::BareKhun => group.bare_khun = unsigned(row.n),
    }
}

fn left_out(row: &CountRateRow) -> Vec<Counted> {
    [
        ("duplicate", row.left_out_duplicate),
        ("set-up start", row.left_out_start),
        ("rejected", row.left_out_rejected),
        ("no result", row.left_out_no_result),
    ]
    .into_iter()
    .filter(|(_, n)| *n > 0)
    .map(|(name, n)| Counted {
        name: name.to_owned(),
        n: unsigned(n),
    })
    .collect()
}

/// How deep the tree of openings goes.
const TREE_PLIES: i32 = 4;

/// A move must have been played in this share of its variant's games, and at least twice, to stand in the tree.
const TREE_SHARE: u64 = 50;

/// Replies by position: the first three fields of its FEN.
type Replies = BTreeMap<String, Vec<OpeningRow>>;

/// The tree of each variant: every first move that was played often enough, with the replies to it.
pub(super) fn openings(
    view: &CommitView,
    limits: &Limits,
    openings: &mut Vec<OpeningFigures>,
) -> Result<(), CollectError> {
    let mut variants: BTreeMap<String, Replies> = BTreeMap::new();
    rows::each(view, |row: OpeningRow| {
        if row.ply <= TREE_PLIES && row.n > 1 {
            let replies = variants.entry(row.variant.to_string()).or_default();
            replies.entry(position_of(&row.fen)).or_default().push(row);
        }
    })?;
    for (variant, mut replies) in variants {
        replies
            .values_mut()
            .for_each(|rows| rows.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.uci.cmp(&b.uci))));
        let Ok(rules) = Ruleset::builtin(&variant) else {
            continue;
        };
        let start = position_of(&notation::fen::write_position(&rules.start()));
        let games: i64 = replies
            .get(&start)
            .map_or(0, |rows| rows.iter().map(|row| row.n).sum());
        let mut tree = Tree {
            rules: &rules,
            replies: &replies,
            least: (unsigned(games) / TREE_SHARE).max(2),
            lines: Vec::new(),
        };
        tree.grow(&start, 1);
        tree.lines.truncate(limits.openings);
        openings.push(OpeningFigures {
            variant,
            lines: tree.lines,
        });
    }
    Ok(())
}

/// Board, side to move and rights: what a position is, without its counters.
fn position_of(fen: &str) -> String {
    fen.split_ascii_whitespace()
        .take(3)
        .collect::<Vec<_>>()
        .join(" ")
}

struct Tree<'a> {
    rules: &'a Ruleset,
    replies: &'a Replies,
    least: u64,
    lines: Vec<OpeningLine>,
}

impl Tree<'_> {
    fn grow(&mut self, position: &str, ply: u32) {
        let replies = self.replies;
        for row in replies.get(position).into_iter().flatten() {
            if i64::from(ply) > i64::from(TREE_PLIES) || unsigned(row.n) < self.least {
                continue;
            }
            self.lines.push(opening(row, ply));
            if let Some(next) = self.after(row) {
                self.grow(&next, ply + 1);
            }
        }
    }

    fn after(&self, row: &OpeningRow) -> Option<String> {
        let mut position = notation::fen::parse(&row.fen, self.rules).ok()?.position;
        let mv = position.resolve(row.uci.parse::<UciMove>().ok()?)?;
        position.play(mv);
        Some(position_of(&notation::fen::write_position(&position)))
    }
}

fn opening(row: &OpeningRow, ply: u32) -> OpeningLine {
    OpeningLine {
        ply,
        san: row.san.clone(),
        white_wins: unsigned(row.white_wins),
        draws: unsigned(row.draws),
        black_wins: unsigned(row.black_wins),
        n: unsigned(row.n),
        win_range: row
            .wilson_low
            .zip(row.wilson_high)
            .map(|(low, high)| Range { low, high }),
        average_rating: row.average_rating,
        performance: row.performance,
    }
}

pub(super) fn formations(
    view: &CommitView,
    limits: &Limits,
    formations: &mut Vec<FormationLine>,
) -> Result<(), CollectError> {
    rows::each(view, |row: FormationRow| {
        if row.opponent_formation == analysis::Formations::ALL_OPPONENTS {
            formations.push(formation(row));
        }
    })?;
    formations.sort_by(|a, b| {
        (&a.variant, &a.formation, &b.side).cmp(&(&b.variant, &b.formation, &a.side))
    });
    formations.truncate(limits.formations);
    Ok(())
}

fn formation(row: FormationRow) -> FormationLine {
    FormationLine {
        variant: row.variant.to_string(),
        formation: row.formation.to_string(),
        name: row.name,
        thai: row.name_thai,
        side: row.side.word().to_owned(),
        wins: unsigned(row.wins),
        draws: unsigned(row.draws),
        losses: unsigned(row.losses),
        n: unsigned(row.n),
        win_range: row
            .wilson_low
            .zip(row.wilson_high)
            .map(|(low, high)| Range { low, high }),
    }
}
