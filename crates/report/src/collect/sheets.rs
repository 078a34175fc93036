//! Sheets: the worst games in full, played through again from their rows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pipeline::CommitView;
use rules::{Color, CountCommand, Line, Ruleset, UciMove};
use tables::{FindingRow, GameRow, Status, Word};

use super::findings::{Seen, grade, rank};
use super::games::{Known, rule_set_title};
use super::keep::First;
use super::{CollectError, GameId, rows, unsigned};
use crate::board::Marks;
use crate::figures::{
    CountStep, Grade, RuleSetLine, Sheet, SheetBoard, SheetFinding, SheetMove, Verdict,
};

/// Findings shown of a game.
const FINDINGS: usize = 12;
/// Of these, with a board.
const BOARDS: usize = 4;
/// A game of at most so many plies is shown whole.
const WHOLE_PLIES: u32 = 400;
/// Of a longer one, so many plies at both ends and on both sides of a finding.
const NEAR_PLIES: u32 = 30;
/// Plies of a count that are shown: the last ones.
const COUNT_STEPS: usize = 160;

/// The sheets, worst game first.
pub(super) fn read(
    view: &CommitView,
    seen: &Seen,
    known: &Known,
) -> Result<Vec<Sheet>, CollectError> {
    let order = seen.sheets();
    let wanted: BTreeSet<GameId> = order.iter().copied().collect();
    let mut findings: BTreeMap<GameId, First<_, FindingRow>> = BTreeMap::new();
    rows::each(view, |row: FindingRow| {
        if let Some(id) = row.game_id.filter(|id| wanted.contains(id)) {
            let rank = rank(&row);
            findings
                .entry(id)
                .or_insert_with(|| First::new(FINDINGS))
                .offer(rank, || row);
        }
    })?;
    let mut sheets: BTreeMap<GameId, Sheet> = BTreeMap::new();
    let mut missing = wanted.iter().filter(|id| known.contains_key(*id)).count();
    let mut games = rows::of::<GameRow>(view);
    while missing > 0 {
        let Some(game) = games.next() else { break };
        let game = game?;
        if wanted.contains(&game.game_id) {
            missing -= 1;
            let found = findings.get(&game.game_id);
            let list: Vec<&FindingRow> = found.iter().flat_map(|first| first.values()).collect();
            sheets.insert(
                game.game_id,
                sheet(
                    &game,
                    &list,
                    found.map_or(0, First::seen),
                    game.rule_set
                        .as_deref()
                        .and_then(|id| view.rule_set(id))
                        .as_ref(),
                ),
            );
        }
    }
    Ok(order.iter().filter_map(|id| sheets.remove(id)).collect())
}

/// The sheet of one game from its rows and the rule set that judged it, whatever its findings; the game need not be part of
/// a commit.
pub fn sheet_of(game: &GameRow, findings: &[FindingRow], rules: Option<&Arc<Ruleset>>) -> Sheet {
    let mut worst = First::new(FINDINGS);
    for row in findings {
        worst.offer(rank(row), || row);
    }
    let list: Vec<&FindingRow> = worst.values().copied().collect();
    sheet(game, &list, worst.seen(), rules)
}

/// Every position of a game, each with the squares of the move that led to it.
pub(crate) fn boards_of(
    game: &GameRow,
    rules: Option<&Arc<Ruleset>>,
) -> Vec<(String, Option<(String, String)>)> {
    let played = Played::of(game, rules);
    let moved = std::iter::once(None).chain(played.squares.into_iter().map(Some));
    played.fens.into_iter().zip(moved).collect()
}

fn sheet(
    game: &GameRow,
    findings: &[&FindingRow],
    findings_total: u64,
    rules: Option<&Arc<Ruleset>>,
) -> Sheet {
    let played = Played::of(game, rules);
    let mut sheet = about(game, rules);
    sheet.findings = findings
        .iter()
        .map(|row| finding(row, game, &played))
        .collect();
    let boards = sheet
        .findings
        .iter_mut()
        .filter(|finding| finding.board.is_some());
    boards.skip(BOARDS).for_each(|finding| finding.board = None);
    sheet.findings_total = findings_total;
    sheet.stopped_at = stopped_at(game, findings);
    sheet.moves = moves(&played, findings);
    sheet.count_total = played.counts.len() as u64;
    sheet.count = played
        .counts
        .into_iter()
        .rev()
        .take(COUNT_STEPS)
        .rev()
        .collect();
    sheet
}

fn about(game: &GameRow, rules: Option<&Arc<Ruleset>>) -> Sheet {
    Sheet {
        game_id: game.game_id.to_string(),
        archive: game.archive.clone(),
        member: game.member.clone(),
        ordinal: unsigned(game.ordinal.into()),
        byte_offset: unsigned(game.byte_offset),
        byte_length: unsigned(game.byte_length),
        dialect: game.dialect.to_string(),
        white: game.white.clone(),
        black: game.black.clone(),
        white_elo: game.white_elo.map(i64::from),
        black_elo: game.black_elo.map(i64::from),
        event: game.event.clone(),
        site: game.site.clone(),
        round: game.round.clone(),
        date: game.date.clone(),
        time_control: game.time_control.clone(),
        variant: game.variant.to_string(),
        rule_set: game.rule_set.as_ref().map(|id| RuleSetLine {
            id: id.to_string(),
            title: rule_set_title(id),
            authority: game
                .authority
                .map(|authority| authority.word().to_owned())
                .unwrap_or_default(),
            games: 0,
        }),
        status: game.status.word().to_owned(),
        reason: game.reason.clone(),
        declared: Verdict {
            result: game.result_declared.map(|result| result.word().to_owned()),
            ending: game.ending_declared.map(|ending| ending.word().to_owned()),
        },
        derived: Verdict {
            result: game.result_derived.map(|result| result.word().to_owned()),
            ending: game.ending_derived.map(|ending| ending.word().to_owned()),
        },
        certainty: game
            .certainty
            .map(|certainty| certainty.word().to_owned())
            .unwrap_or_default(),
        start_fen: game.start_fen.clone().filter(|fen| !is_usual(rules, fen)),
        plies: u32::try_from(game.plies).unwrap_or(0),
        ..Sheet::default()
    }
}

fn is_usual(rules: Option<&Arc<Ruleset>>, fen: &str) -> bool {
    rules.is_some_and(|rules| {
        board_of(&notation::fen::write_position(&rules.start())) == board_of(fen)
    })
}

/// First field of a FEN.
fn board_of(fen: &str) -> &str {
    fen.split_ascii_whitespace().next().unwrap_or_default()
}

/// A game played through again.
#[derive(Default)]
struct Played {
    moves: Vec<SheetMove>,
    /// From and to of each move.
    squares: Vec<(String, String)>,
    /// The position before each move, and the last one.
    fens: Vec<String>,
    counts: Vec<CountStep>,
}

impl Played {
    /// As far as the row's moves go. Under a rule set that is not known the moves stay
    /// in UCI and there are no positions.
    fn of(game: &GameRow, rules: Option<&Arc<Ruleset>>) -> Played {
        match (rules, &game.start_fen) {
            (Some(rules), Some(fen)) => Played::replayed(game, rules, fen),
            _ => Played::unread(game),
        }
    }

    fn replayed(game: &GameRow, rules: &Arc<Ruleset>, fen: &str) -> Played {
        let mut played = Played::default();
        let Ok(start) = notation::fen::parse(fen, rules) else {
            return Played::unread(game);
        };
        let mut line = Line::new(rules, start.position, start.count_state);
        let commands = commands(game.count_commands.as_deref().unwrap_or_default());
        for (ply, text) in (1u32..).zip(game.moves.split_ascii_whitespace()) {
            for (_, command) in commands.iter().filter(|(at, _)| *at == ply) {
                // A command that the rules refuse is a finding of its own; the moves go on.
                line.command(*command).unwrap_or_default();
            }
            let wish = text.parse::<UciMove>().ok();
            let Some(mv) = wish.and_then(|wish| line.position().resolve(wish)) else {
                break;
            };
            played.fens.push(notation::fen::write(&line));
            played
                .squares
                .push((mv.from().to_string(), mv.to().to_string()));
            let san = notation::san::write(line.position(), mv);
            let (number, white) = (
                line.position().fullmove().0,
                line.position().turn() == Color::White,
            );
            line.push(mv);
            played.counts.extend(step(&line, ply, &san));
            played.moves.push(SheetMove {
                ply,
                number,
                white,
                san,
                grade: None,
            });
        }
        played.fens.push(notation::fen::write(&line));
        played
    }

    fn unread(game: &GameRow) -> Played {
        let black_first = game
            .start_fen
            .as_deref()
            .is_some_and(|fen| fen.split_ascii_whitespace().nth(1) == Some("b"));
        let offset = u32::from(black_first);
        let moves = (1u32..)
            .zip(game.moves.split_ascii_whitespace())
            .map(|(ply, uci)| SheetMove {
                ply,
                number: (ply + offset).div_ceil(2),
                white: (ply + offset) % 2 == 1,
                san: uci.to_owned(),
                grade: None,
            });
        Played {
            moves: moves.collect(),
            ..Played::default()
        }
    }

    fn squares_of(&self, ply: u32) -> Option<&(String, String)> {
        self.squares.get((ply as usize).checked_sub(1)?)
    }
}

fn step(line: &Line, ply: u32, san: &str) -> Option<CountStep> {
    let count = line.count()?;
    Some(CountStep {
        ply,
        san: san.to_owned(),
        kind: count.kind.as_str().to_owned(),
        side: count.side.as_str().to_owned(),
        number: (count.number >= count.first).then_some(count.number.0.into()),
        limit: count.limit.0.into(),
        replies_left: Some(count.replies_left.into()),
    })
}

/// `41w+ 97w-`: before which ply, and whether the count starts or stops.
pub(crate) fn commands(text: &str) -> Vec<(u32, CountCommand)> {
    text.split_ascii_whitespace()
        .filter_map(|word| {
            let command = if word.ends_with('+') {
                CountCommand::Start
            } else {
                CountCommand::Stop
            };
            let digits: String = word.chars().take_while(char::is_ascii_digit).collect();
            Some((digits.parse().ok()?, command))
        })
        .collect()
}

fn finding(row: &FindingRow, game: &GameRow, played: &Played) -> SheetFinding {
    let ply = row.ply.and_then(|ply| u32::try_from(ply).ok());
    SheetFinding {
        grade: grade(row.severity),
        certainty: row.certainty.word().to_owned(),
        code: row.code.word().to_owned(),
        message: row.message.clone(),
        rule_set: row.rule_set.as_ref().map(ToString::to_string),
        ply,
        byte_offset: row
            .byte_offset
            .and_then(|offset| u64::try_from(offset).ok()),
        byte_length: row
            .byte_length
            .and_then(|length| u64::try_from(length).ok()),
        board: (grade(row.severity) >= Grade::Warning)
            .then(|| board(row, ply, game, played))
            .flatten(),
    }
}

/// The position that the finding names, else the one before its ply, else the last one.
fn board(
    row: &FindingRow,
    ply: Option<u32>,
    game: &GameRow,
    played: &Played,
) -> Option<SheetBoard> {
    let last = u32::try_from(played.fens.len()).ok()?.saturating_sub(1);
    let before = ply.map_or(last, |ply| ply.saturating_sub(1).min(last));
    let at = |plies: u32| played.fens.get(plies as usize);
    let (fen, plies) = match &row.fen {
        // The position itself says after how many plies it stood: before the ply or after it, or at the end.
        Some(fen) => {
            let stood = [before, before + 1, last]
                .into_iter()
                .find(|plies| at(*plies).is_some_and(|known| board_of(known) == board_of(fen)));
            (fen.clone(), stood)
        }
        None => (
            at(before).or(game.final_fen.as_ref())?.clone(),
            Some(before),
        ),
    };
    let mut marks = Marks {
        ouk: game.variant != "makruk",
        ..Marks::default()
    };
    marks.last = plies.and_then(|plies| played.squares_of(plies)).cloned();
    if let Some(ply) = ply.filter(|ply| plies == Some(ply.saturating_sub(1))) {
        marks.bad = match played.squares_of(ply) {
            Some((from, to)) => vec![from.clone(), to.clone()],
            None => token(row)
                .map(|token| squares_in(&token))
                .unwrap_or_default(),
        };
    }
    let turn = if fen.split_ascii_whitespace().nth(1) == Some("b") {
        "Black"
    } else {
        "White"
    };
    let when = match plies {
        Some(0) => "At the start".to_owned(),
        Some(plies) => format!("After ply {plies}"),
        None => "The position of the finding".to_owned(),
    };
    Some(SheetBoard {
        fen,
        marks,
        caption: format!("{when}, {turn} to move"),
    })
}

/// The token that a finding quotes.
fn token(row: &FindingRow) -> Option<String> {
    let evidence: serde_json::Value = serde_json::from_str(row.evidence.as_deref()?).ok()?;
    Some(evidence.get("token")?.as_str()?.to_owned())
}

/// Names of squares in a token as written: `Nf6`, `e4e5`, `axb6=M`.
fn squares_in(token: &str) -> Vec<String> {
    let bytes = token.as_bytes();
    let pairs = bytes
        .windows(2)
        .filter(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    pairs
        .map(|pair| pair.iter().map(|byte| char::from(*byte)).collect())
        .collect()
}

fn stopped_at(game: &GameRow, findings: &[&FindingRow]) -> Option<String> {
    let stop = game.plies.checked_add(1)?;
    let at_stop = |row: &&&FindingRow| row.ply == Some(stop) && grade(row.severity) >= Grade::Error;
    (game.status == Status::Rejected)
        .then(|| findings.iter().find(at_stop).and_then(|row| token(row)))?
}

/// The moves to show, with the worst finding of each ply.
fn moves(played: &Played, findings: &[&FindingRow]) -> Vec<SheetMove> {
    let mut grades: BTreeMap<u32, Grade> = BTreeMap::new();
    for row in findings
        .iter()
        .filter(|row| grade(row.severity) >= Grade::Warning)
    {
        if let Some(ply) = row.ply.and_then(|ply| u32::try_from(ply).ok()) {
            let known = grades.entry(ply).or_default();
            *known = (*known).max(grade(row.severity));
        }
    }
    let plies = u32::try_from(played.moves.len()).unwrap_or(u32::MAX);
    let near = |ply: u32| {
        plies <= WHOLE_PLIES
            || ply <= NEAR_PLIES
            || ply + NEAR_PLIES > plies
            || grades
                .range(ply.saturating_sub(NEAR_PLIES)..=ply.saturating_add(NEAR_PLIES))
                .next()
                .is_some()
    };
    let shown = played.moves.iter().filter(|played| near(played.ply));
    shown
        .map(|played| SheetMove {
            grade: grades.get(&played.ply).copied(),
            ..played.clone()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_of_tokens() {
        assert_eq!(squares_in("Nf6"), ["f6"]);
        assert_eq!(squares_in("e4e5"), ["e4", "e5"]);
        assert_eq!(squares_in("axb6=M"), ["b6"]);
        assert_eq!(squares_in("ม้าค3"), Vec::<String>::new());
    }

    #[test]
    fn commands_are_read() {
        assert_eq!(
            commands("41w+ 97w-"),
            [(41, CountCommand::Start), (97, CountCommand::Stop)]
        );
        assert_eq!(commands("x"), []);
    }

    #[test]
    fn of_a_long_game_the_plies_near_its_ends_and_findings_are_shown() {
        let played = Played {
            moves: (1..=5_000)
                .map(|ply| SheetMove {
                    ply,
                    ..SheetMove::default()
                })
                .collect(),
            ..Played::default()
        };
        let shown = moves(&played, &[]);
        assert_eq!(shown.len(), 60);
        assert_eq!((shown[0].ply, shown[59].ply), (1, 5_000));
    }
}
