//! Writes a made-up output folder, `sample DIR`: right types and keys, meaningless values. For trying queries.

mod rows;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use rows::rows;
use tables::{
    ArchiveRow, CountRateRow, CountRow, DuplicateRow, EvaluationRow, FindingRow, FormationRow,
    GameOpeningRow, GameRow, Hex, OpeningRow, PlayerRow, PlyRow, Row, RunRow, VerdictRow, write,
};

const GAMES: usize = 60;
const PLIES: usize = 40;

fn put<R: Row>(dir: &Path, rows: Vec<R>) -> Result<(), Box<dyn Error>> {
    let folder = dir.join(R::TABLE.name());
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("sample.parquet"), write(rows)?)?;
    Ok(())
}

/// Rows that hang on the games, `each` to a game; `fit` gives them their key.
fn of_games<R: Row>(
    games: &[GameRow],
    each: usize,
    fit: impl Fn(&mut R, Hex<16>, usize),
) -> Vec<R> {
    let mut hanging: Vec<R> = rows(games.len() * each, 11);
    for (index, row) in hanging.iter_mut().enumerate() {
        fit(row, games[index / each].game_id, index % each);
    }
    hanging
}

/// Aggregates whose sums are right and whose keys differ.
fn count_rates() -> Vec<CountRateRow> {
    let mut rates: Vec<CountRateRow> = rows(20, 2);
    for (index, rate) in rates.iter_mut().enumerate() {
        rate.material = if index.is_multiple_of(2) {
            "all".into()
        } else {
            "one_rua".into()
        };
        rate.band = if index % 4 < 2 {
            "all".into()
        } else {
            "unrated".into()
        };
        rate.rule_set = format!("rules {}", index / 4).into();
        rate.draws = rate.draws_proved + rate.draws_possible;
        rate.n = rate.draws + 10;
    }
    rates
}

/// Pairs of games.
fn duplicates(games: &[GameRow]) -> Vec<DuplicateRow> {
    let mut found: Vec<DuplicateRow> = rows(games.len() / 2, 6);
    for (row, pair) in found.iter_mut().zip(games.chunks(2)) {
        row.canonical_game_id = pair[0].game_id;
        row.game_id = pair[0].game_id;
        row.group_size = 2;
    }
    found
}

fn openings() -> Vec<OpeningRow> {
    let mut openings: Vec<OpeningRow> = rows(200, 3);
    for opening in &mut openings {
        opening.n = opening.white_wins + opening.draws + opening.black_wins;
        opening.ply %= 20;
    }
    openings
}

fn formations() -> Vec<FormationRow> {
    let mut formations: Vec<FormationRow> = rows(30, 4);
    for (index, formation) in formations.iter_mut().enumerate() {
        formation.formation = format!("formation {index}").into();
        formation.n = formation.wins + formation.draws + formation.losses;
    }
    formations
}

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: sample DIR")?);
    let mut games: Vec<GameRow> = rows(GAMES, 5);
    for game in &mut games {
        game.plies = PLIES as i32;
        game.white = Some(format!("player {}", game.byte_offset % 7));
        game.black = Some(format!("player {}", game.byte_offset % 5 + 7));
        game.variant = if game.byte_offset % 3 == 0 {
            "ouk".into()
        } else {
            "makruk".into()
        };
    }
    let color = |index: usize| {
        if index.is_multiple_of(2) {
            tables::Color::White
        } else {
            tables::Color::Black
        }
    };
    let plies = of_games(&games, PLIES, |row: &mut PlyRow, id, index| {
        (row.game_id, row.ply, row.side) = (id, index as i32 + 1, color(index));
    });
    let evaluations = of_games(&games, PLIES, |row: &mut EvaluationRow, id, index| {
        (row.game_id, row.ply, row.side) = (id, index as i32 + 1, color(index));
    });
    put(&dir, plies)?;
    put(&dir, evaluations)?;
    put(
        &dir,
        of_games(&games, 3, |row: &mut FindingRow, id, _| {
            row.game_id = row.game_id.and(Some(id))
        }),
    )?;
    put(
        &dir,
        of_games(&games, 2, |row: &mut CountRow, id, index| {
            (row.game_id, row.episode) = (id, index as i32 + 1)
        }),
    )?;
    put(
        &dir,
        of_games(&games, 1, |row: &mut VerdictRow, id, _| row.game_id = id),
    )?;
    put(
        &dir,
        of_games(&games, 2, |row: &mut PlayerRow, id, index| {
            (row.game_id, row.side) = (id, color(index))
        }),
    )?;
    put(
        &dir,
        of_games(&games, 1, |row: &mut GameOpeningRow, id, _| {
            row.game_id = id
        }),
    )?;
    put(&dir, duplicates(&games))?;
    put(&dir, games)?;
    put(&dir, rows::<ArchiveRow>(3, 1))?;
    put(&dir, count_rates())?;
    put(&dir, openings())?;
    put(&dir, formations())?;
    put(&dir, rows::<RunRow>(1, 5))
}
