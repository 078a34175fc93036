//! Findings: all of them counted, the worst of them kept, and which games they make worth a look.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use pipeline::CommitView;
use tables::{Certainty, FindingCode, FindingRow, Severity, Word};

use super::aggregates::CountDraw;
use super::games::Known;
use super::keep::First;
use super::{CollectError, GameId, Limits, rows};
use crate::figures::{
    CodeLine, CountDrawLine, CountFigures, FindingFigures, FindingLine, Grade, Sheet,
};

/// Worst first, then surest first.
type Rank = (Reverse<Grade>, usize);

/// What the findings table says.
#[derive(Debug)]
pub(super) struct Seen {
    total: u64,
    by_grade: [u64; 4],
    by_code: BTreeMap<(Rank, &'static str), u64>,
    worst: First<Rank, FindingRow>,
    faulty: BTreeMap<GameId, (Rank, u64)>,
    sheets: usize,
}

pub(crate) fn grade(severity: Severity) -> Grade {
    match severity {
        Severity::Note => Grade::Note,
        Severity::Warning => Grade::Warning,
        Severity::Error => Grade::Error,
        Severity::Critical => Grade::Critical,
    }
}

pub(super) fn rank(row: &FindingRow) -> Rank {
    let surest = [
        Certainty::Proved,
        Certainty::Possible,
        Certainty::Statistical,
        Certainty::Impossible,
    ];
    let place = surest
        .iter()
        .position(|certainty| *certainty == row.certainty)
        .unwrap_or(surest.len());
    (Reverse(grade(row.severity)), place)
}

pub(super) fn read(view: &CommitView, limits: &Limits) -> Result<Seen, CollectError> {
    let mut seen = Seen {
        total: 0,
        by_grade: [0; 4],
        by_code: BTreeMap::new(),
        worst: First::new(limits.findings),
        faulty: BTreeMap::new(),
        sheets: limits.sheets,
    };
    rows::each(view, |row: FindingRow| seen.add(row))?;
    Ok(seen)
}

impl Seen {
    fn add(&mut self, row: FindingRow) {
        let (rank, grade) = (rank(&row), grade(row.severity));
        self.total += 1;
        for (slot, of) in self.by_grade.iter_mut().zip(Grade::WORST_FIRST) {
            *slot += u64::from(of == grade);
        }
        *self.by_code.entry((rank, row.code.word())).or_default() += 1;
        if let (Some(id), true) = (row.game_id, grade >= Grade::Error) {
            let place = self.total;
            let known = self.faulty.entry(id).or_insert((rank, place));
            known.0 = known.0.min(rank);
        }
        self.worst.offer(rank, || row);
    }

    /// Games with an error or worse.
    pub(super) fn faulty_games(&self) -> u64 {
        self.faulty.len() as u64
    }

    /// The games that get a sheet, worst first.
    pub(super) fn sheets(&self) -> Vec<GameId> {
        let mut worst = First::new(self.sheets);
        for (id, place) in &self.faulty {
            worst.offer(*place, || *id);
        }
        worst.values().copied().collect()
    }

    /// The figures, once the games are known.
    pub(super) fn figures(&self, known: &Known, sheets: &[Sheet]) -> FindingFigures {
        let with_sheet: BTreeSet<&str> =
            sheets.iter().map(|sheet| sheet.game_id.as_str()).collect();
        let meaning = |code: &str| {
            FindingCode::WORDS
                .iter()
                .find(|known| known.word() == code)
                .map_or("", |code| code.meaning())
        };
        let certainty = |place: usize| {
            ["proved", "possible", "statistical", "impossible"]
                .get(place)
                .copied()
                .unwrap_or("")
        };
        FindingFigures {
            total: self.total,
            by_grade: self.by_grade,
            by_code: self
                .by_code
                .iter()
                .map(|(((Reverse(grade), place), code), n)| CodeLine {
                    code: (*code).to_owned(),
                    meaning: meaning(code).to_owned(),
                    grade: *grade,
                    certainty: certainty(*place).to_owned(),
                    n: *n,
                })
                .collect(),
            lines: self
                .worst
                .values()
                .map(|row| line(row, known, &with_sheet))
                .collect(),
        }
    }
}

fn line(row: &FindingRow, known: &Known, with_sheet: &BTreeSet<&str>) -> FindingLine {
    let game = row.game_id.and_then(|id| known.get(&id));
    let id = row.game_id.map(|id| id.to_string());
    FindingLine {
        grade: grade(row.severity),
        certainty: row.certainty.word().to_owned(),
        code: row.code.word().to_owned(),
        message: row.message.clone(),
        archive: row.archive.clone(),
        member: row.member.clone(),
        has_sheet: id.as_deref().is_some_and(|id| with_sheet.contains(id)),
        game_id: id,
        ordinal: game.map(|game| game.ordinal),
        players: game.map(|game| game.players.clone()),
        ply: row.ply.and_then(|ply| u32::try_from(ply).ok()),
        byte_offset: row
            .byte_offset
            .and_then(|offset| u64::try_from(offset).ok()),
    }
}

/// Games that the lists name.
#[derive(Debug)]
pub(super) struct Wanted {
    ids: BTreeSet<GameId>,
    draws: First<(), CountDraw>,
}

impl Wanted {
    pub(super) fn of(seen: &Seen, draws: First<(), CountDraw>) -> Wanted {
        let listed = seen.worst.values().filter_map(|row| row.game_id);
        let ids = listed
            .chain(draws.values().map(|draw| draw.game_id))
            .chain(seen.sheets())
            .collect();
        Wanted { ids, draws }
    }

    pub(super) fn has(&self, id: &GameId) -> bool {
        self.ids.contains(id)
    }

    /// The games whose count ran out.
    pub(super) fn count_draws(&self, known: &Known, counts: &mut CountFigures) {
        counts.draws_total = self.draws.seen();
        counts.draws = self
            .draws
            .values()
            .map(|draw| {
                let game = known.get(&draw.game_id);
                CountDrawLine {
                    archive: game.map(|game| game.archive.clone()).unwrap_or_default(),
                    ordinal: game.map_or(0, |game| game.ordinal),
                    players: game.map(|game| game.players.clone()).unwrap_or_default(),
                    ..draw.line.clone()
                }
            })
            .collect();
    }
}
