//! Golden data made by running Fairy-Stockfish (c19b5f6c), replayed ply by ply.
//!
//! `tests/goldens` is a sample that lives in the repository. The whole set is run too where it
//! lies beside the repository.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::{BufRead, BufReader};
use std::ops::Not;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notation::read::{self, Letters, Matched};
use notation::{fen, san, thai, trace, uci};
use rules::{Color, CountState, Ending, LegalMove, Line, MoveKind, Position, Ruleset};
use serde::Deserialize;
use serde_json::{Value, json};

/// The value of a lost game for the side to move.
const MATED: i32 = -32_000;

/// A check of one row: what differs, or nothing.
type Check = fn(&str) -> Result<(), String>;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/goldens")
        .join(name)
}

/// The same file of the whole set, if it is there.
fn whole(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/goldens")
        .join(name);
    path.exists().then_some(path)
}

fn rows(path: &Path) -> Vec<String> {
    let file = std::fs::File::open(path).unwrap();
    let reader: Box<dyn BufRead> = if path.extension().is_some_and(|e| e == "gz") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(BufReader::new(file))
    };
    reader.lines().map(Result::unwrap).collect()
}

/// Checks all rows of a file, in parallel, and names the first few that differ.
fn check_file(path: &Path, check: Check) -> usize {
    let rows = rows(path);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let workers: Vec<_> = rows
            .chunks(rows.len().div_ceil(threads).max(1))
            .map(|part| {
                scope.spawn(move || {
                    part.iter()
                        .filter_map(|row| check(row).err())
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|w| w.join().unwrap())
            .collect()
    });
    assert!(
        wrong.is_empty(),
        "{}: {} of {} rows differ:\n{}",
        path.display(),
        wrong.len(),
        rows.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    rows.len()
}

fn check_both(name: &str, check: Check) -> usize {
    if let Some(path) = whole(name) {
        check_file(&path, check);
    }
    check_file(&sample(name), check)
}

fn fairy(variant: &str) -> Arc<Ruleset> {
    Ruleset::builtin(&format!("{variant}-fairy")).unwrap()
}

fn same<T: PartialEq + std::fmt::Debug>(
    what: &str,
    id: &str,
    got: T,
    want: T,
) -> Result<(), String> {
    if got == want {
        Ok(())
    } else {
        Err(format!("{id}: {what}: got {got:?}, want {want:?}"))
    }
}

fn line(text: &str, rules: &Arc<Ruleset>) -> Line {
    let start = fen::parse(text, rules).unwrap();
    Line::new(rules, start.position, start.count_state)
}

fn play(line: &mut Line, text: &str) {
    let mv = uci::parse(text, line.position()).unwrap();
    line.push(mv);
}

fn insufficient(line: &Line) -> [bool; 2] {
    Color::ALL.map(|color| line.position().insufficient_material(color))
}

fn exhausted(line: &Line, count: &CountState) -> bool {
    let mated = !line.position().has_legal_move() && line.position().in_check();
    count.exhausted().is_some() && !mated
}

fn optional(line: &Line) -> bool {
    line.repetitions() >= 3 || exhausted(line, line.count_state())
}

#[derive(Deserialize)]
struct TraceRow {
    id: String,
    variant: String,
    fen0: String,
    plies: u32,
    uci: Vec<String>,
    san: Vec<String>,
    fens: Vec<String>,
    legal_counts: Vec<usize>,
    legal: usize,
    in_check: bool,
    immediate: (bool, i32),
    optional: (bool, i32),
    insufficient: [bool; 2],
    reason: String,
    result: String,
}

fn check_trace(row: &str) -> Result<(), String> {
    let row: TraceRow = serde_json::from_str(row).unwrap();
    let rules = fairy(&row.variant);
    let request = json!({"id": row.id, "fen": row.fen0, "moves": row.uci});
    let answer: Value =
        serde_json::from_str(&trace::run(&request.to_string(), &rules, false)).unwrap();
    let id = row.id.as_str();
    same("error", id, &answer["error"], &Value::Null)?;
    same("fens", id, &answer["fens"], &json!(row.fens))?;
    same("san", id, &answer["san"], &json!(row.san))?;
    same(
        "legal counts",
        id,
        &answer["legal_counts"],
        &json!(row.legal_counts),
    )?;
    same("in check", id, &answer["in_check"], &json!(row.in_check))?;
    same("plies", id, row.uci.len(), row.plies as usize)?;
    same("legal", id, Some(&row.legal), row.legal_counts.last())?;
    let ending = match row.reason.as_str() {
        "cap" | "insufficient" => Value::Null,
        "counting" => match answer["ending"].as_str() {
            Some(name @ ("board_count" | "pieces_count")) => json!(name),
            _ => json!("a count"),
        },
        reason => json!(reason),
    };
    same("ending", id, &answer["ending"], &ending)?;
    if !ending.is_null() {
        same("ending ply", id, &answer["ending_ply"], &json!(row.plies))?;
        same("result", id, &answer["result"], &json!(row.result))?;
    }

    let mut line = line(&row.fen0, &rules);
    for (text, san) in row.uci.iter().zip(&row.san) {
        play(&mut line, text);
        let place = format!("{id} after {text}");
        same(
            "check",
            &place,
            line.position().in_check(),
            san.ends_with(['+', '#']),
        )?;
        if line.position().position_key() != line.position().fresh_key() {
            return Err(format!("{id}: the key is wrong after {text}"));
        }
    }
    same("insufficient", id, insufficient(&line), row.insufficient)?;
    if row.reason == "insufficient" {
        same("insufficient", id, insufficient(&line), [true, true])?;
    }
    same("optional", id, (optional(&line), 0), row.optional)?;
    same("immediate", id, immediate(&line), row.immediate)
}

/// Whether the variant ended the game, and its value for the side to move: kar ouk's first check is lost.
fn immediate(line: &Line) -> (bool, i32) {
    match line.current_ending() {
        Some((Ending::FirstCheck, _)) => (true, MATED),
        _ => (false, 0),
    }
}

#[test]
fn traces() {
    for variant in ["makruk", "cambodian", "karouk"] {
        if let Some(path) = whole(&format!("traces.{variant}.jsonl.gz")) {
            check_file(&path, check_trace);
        }
    }
    assert!(check_file(&sample("traces.jsonl.gz"), check_trace) > 100);
}

#[derive(Deserialize)]
struct CountRow {
    id: String,
    variant: String,
    fen0: String,
    uci: Vec<String>,
    fen_end: String,
    legal: usize,
    in_check: bool,
    count: Vec<String>,
    optional: String,
    count_draw: String,
    first_count_draw: Option<usize>,
    #[serde(default)]
    count_started_cases: Vec<Told>,
}

#[derive(Deserialize)]
struct Told {
    at: usize,
    count_started: i32,
    fen: String,
    optional: bool,
}

fn check_count(row: &str) -> Result<(), String> {
    let row: CountRow = serde_json::from_str(row).unwrap();
    let rules = fairy(&row.variant);
    let id = row.id.as_str();
    let mut line = line(&row.fen0, &rules);
    let (mut counts, mut optionals, mut draws) = (Vec::new(), String::new(), String::new());
    let flag = |set: bool| if set { '1' } else { '0' };
    for ply in 0..=row.uci.len() {
        if ply > 0 {
            play(&mut line, &row.uci[ply - 1]);
        }
        counts.push(match line.count_state().fields(&rules) {
            Some(count) => format!("{} {}", count.limit.0, count.counted.0),
            None => "-".to_owned(),
        });
        optionals.push(flag(optional(&line)));
        draws.push(flag(exhausted(&line, line.count_state())));
        for told in row.count_started_cases.iter().filter(|told| told.at == ply) {
            check_told(id, told, &line)?;
        }
    }
    for (ply, (got, want)) in counts.iter().zip(&row.count).enumerate() {
        same(&format!("count after ply {ply}"), id, got, want)?;
    }
    same("optional", id, &optionals, &row.optional)?;
    same("count draw", id, &draws, &row.count_draw)?;
    same("first draw", id, draws.find('1'), row.first_count_draw)?;
    same("fen", id, fen::write(&line), row.fen_end)?;
    same("legal", id, line.position().count_legal(), row.legal)?;
    same("in check", id, line.position().in_check(), row.in_check)
}

fn check_told(id: &str, told: &Told, line: &Line) -> Result<(), String> {
    let rules = line.ruleset();
    let state = line
        .count_state()
        .as_told(told.count_started, line.position(), rules);
    let text = fen::write_state(line.position(), &state, rules);
    let place = format!("{id} at ply {} told {}", told.at, told.count_started);
    same("fen", &place, &text, &told.fen)?;
    let optional = line.repetitions() >= 3 || exhausted(line, &state);
    same("optional", &place, optional, told.optional)
}

#[test]
fn counting() {
    assert!(check_both("counting.jsonl.gz", check_count) > 400);
}

#[derive(Deserialize)]
struct SanRow {
    variant: String,
    fen: String,
    uci: String,
    san: String,
    lan: String,
    thai_san: String,
    tags: Vec<String>,
}

fn check_san(row: &str) -> Result<(), String> {
    let row: SanRow = serde_json::from_str(row).unwrap();
    let rules = fairy(&row.variant);
    let id = format!("{} {}", row.fen, row.uci);
    let start = fen::parse(&row.fen, &rules).unwrap();
    same(
        "fen",
        &id,
        fen::write_state(&start.position, &start.count_state, &rules),
        row.fen,
    )?;
    let mv = uci::parse(&row.uci, &start.position).map_err(|error| format!("{id}: {error}"))?;
    same("uci", &id, uci::write(mv), row.uci.clone())?;
    let written = san::write(&start.position, mv);
    same("san", &id, &written, &row.san)?;
    same(
        "thai",
        &id,
        &thai::write(&start.position, mv),
        &row.thai_san,
    )?;
    let twins = start.position.legal_moves();
    let twins = twins
        .iter()
        .filter(|&&rival| san::write(&start.position, rival) == written);
    let ambiguous = row.tags.iter().any(|tag| tag == "ambiguous");
    same("ambiguous", &id, twins.count() > 1, ambiguous)?;
    check_tags(&id, &start.position, mv, &row.tags)?;
    let read = |text: &str, letters| match read::match_move(text, &letters, &start.position) {
        Matched::One(found) => Some(found.mv),
        Matched::Many(_) | Matched::None(_) => None,
    };
    // The engine does not tell a met's leap from steps to the same square: then SAN alone cannot be read.
    let other_kind = start.position.legal_moves().iter().any(|rival| {
        rival.to() == mv.to()
            && rival.kind() != mv.kind()
            && start.position.role_at(rival.from()) == start.position.role_at(mv.from())
    });
    let unclear = ambiguous || mv.kind() == MoveKind::MetLeap && other_kind;
    same(
        "san read",
        &id,
        read(&row.san, Letters::standard()),
        (!unclear).then_some(mv),
    )?;
    same(
        "lan read",
        &id,
        read(&row.lan, Letters::standard().long()),
        Some(mv),
    )?;
    // A Thai letter may be a man or a file, so that some tokens can be read as two moves; never as another one.
    let thai = read(&row.thai_san, Letters::thai()).unwrap_or(mv);
    same("thai san read", &id, thai, mv)
}

/// What a row is there for is what the move is.
fn check_tags(id: &str, position: &Position, mv: LegalMove, tags: &[String]) -> Result<(), String> {
    let mut after = *position;
    after.play(mv);
    let gives_check = position.gives_check(mv);
    let capture = position.is_capture(mv);
    for tag in tags {
        let holds = match tag.as_str() {
            "capture" | "pawn_capture" => capture,
            "promotion" => mv.is_promotion(),
            "promotion_capture" => mv.is_promotion() && capture,
            "check" => gives_check && after.has_legal_move(),
            "mate" => gives_check && !after.has_legal_move(),
            "king_leap" => mv.kind() == MoveKind::KhunLeap,
            "met_leap" => mv.kind() == MoveKind::MetLeap,
            "plain" => !capture && !gives_check && !mv.is_promotion(),
            _ => true,
        };
        same(tag, id, holds, true)?;
    }
    Ok(())
}

#[test]
fn moves_as_text() {
    assert!(check_both("san.jsonl.gz", check_san) > 5000);
}

#[derive(Deserialize)]
struct Example {
    id: String,
    variant: String,
    fen: String,
    uci: Vec<String>,
    san: Vec<String>,
    fen_after: String,
    legal: Vec<String>,
    in_check: bool,
    optional: bool,
    immediate: bool,
    insufficient: [bool; 2],
    stm_value: Option<i32>,
}

fn check_example(row: &str) -> Result<(), String> {
    let row: Example = serde_json::from_str(row).unwrap();
    let rules = fairy(&row.variant);
    let id = row.id.as_str();
    let mut line = line(&row.fen, &rules);
    for (text, san) in row.uci.iter().zip(&row.san) {
        let mv = uci::parse(text, line.position()).map_err(|error| format!("{id}: {error}"))?;
        same("san", id, &san::write(line.position(), mv), san)?;
        line.push(mv);
    }
    same("fen", id, fen::write(&line), row.fen_after)?;
    let mut legal: Vec<_> = line
        .position()
        .legal_moves()
        .iter()
        .map(|&mv| uci::write(mv))
        .collect();
    legal.sort();
    same("legal", id, legal, row.legal)?;
    same("in check", id, line.position().in_check(), row.in_check)?;
    same("optional", id, optional(&line), row.optional)?;
    let first_check = matches!(line.current_ending(), Some((Ending::FirstCheck, _)));
    same("immediate", id, first_check, row.immediate)?;
    let lost = line.position().in_check();
    let value = line
        .position()
        .has_legal_move()
        .not()
        .then_some(if lost { MATED } else { 0 });
    same("value", id, value, row.stm_value)?;
    same("insufficient", id, insufficient(&line), row.insufficient)
}

#[test]
fn worked_examples() {
    assert_eq!(check_both("examples.jsonl", check_example), 42);
}
