//! Games that are there more than once: the table, the findings, and what statistics leave out.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use common::{Place, assert_same, game, run};
use pipeline::CommitView;
use store::{Folder, Store};
use tables::{
    CountRateRow, DuplicateClass, DuplicateRow, FindingRow, GameRow, Hex, OpeningRow, Population,
    Row, Severity,
};

fn rows<R: Row>(place: &Place, out: &str) -> Vec<R> {
    let store: Arc<dyn Store> = Arc::new(Folder::new(place.out(out)));
    let view = CommitView::open(store, None).unwrap();
    view.rows().collect::<Result<_, _>>().unwrap()
}

/// The groups: class, and the archives of its games.
fn groups(place: &Place, out: &str) -> Vec<(DuplicateClass, Vec<String>)> {
    let archives: BTreeMap<Hex<16>, String> = rows::<GameRow>(place, out)
        .into_iter()
        .map(|game| (game.game_id, game.archive))
        .collect();
    let found = rows::<DuplicateRow>(place, out);
    let group = |a: &DuplicateRow, b: &DuplicateRow| {
        (a.class, a.canonical_game_id) == (b.class, b.canonical_game_id)
    };
    let mut groups: Vec<_> = found
        .chunk_by(group)
        .map(|rows| {
            let smallest = rows.iter().map(|row| row.game_id).min().unwrap();
            assert!(rows.iter().all(|row| row.canonical_game_id == smallest));
            assert!(rows.iter().all(|row| row.group_size as usize == rows.len()));
            let mut names: Vec<String> = rows
                .iter()
                .map(|row| archives[&row.game_id].clone())
                .collect();
            names.sort();
            (rows[0].class, names)
        })
        .collect();
    groups.sort();
    groups
}

fn audited(place: &Place, out: &str) -> Vec<FindingRow> {
    let mut findings: Vec<FindingRow> = rows(place, out);
    findings.retain(|finding| finding.code.as_str().starts_with("duplicate_"));
    findings
}

fn names(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// `cases/21`: a, b and c are one game in three dialects, d is its first 50 plies; e and f are two games that open alike.
#[test]
fn one_game_in_three_dialects_and_its_beginning() {
    let place = Place::new();
    let case = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../replay/tests/cases/21-duplicates-across-dialects");
    for name in ["a.pgn", "b.txt", "c.pgn", "d.pgn", "e.pgn", "f.pgn"] {
        place.write(name, &fs::read(case.join(name)).unwrap());
    }
    let outcome = run(&place.job("out", &[]));
    let found = groups(&place, "out");
    assert_eq!(
        found[0],
        (
            DuplicateClass::OtherDialect,
            names(&["a.pgn", "b.txt", "c.pgn"])
        )
    );
    let (class, prefix) = &found[1];
    assert_eq!(
        (*class, prefix.len(), found.len()),
        (DuplicateClass::Prefix, 2, 2)
    );
    assert!(prefix.contains(&"d.pgn".to_owned()), "{prefix:?}");
    let classes = BTreeMap::from([("other_dialect".to_owned(), 2), ("prefix".to_owned(), 1)]);
    assert_eq!(outcome.counts.duplicates, classes);

    // Each record beside the canonical one has a finding that says where that is.
    let games: Vec<GameRow> = rows(&place, "out");
    let found: Vec<DuplicateRow> = rows(&place, "out");
    let findings = audited(&place, "out");
    let beside: BTreeSet<_> = found
        .iter()
        .filter(|row| row.game_id != row.canonical_game_id)
        .map(|row| {
            (
                Some(row.game_id),
                format!("duplicate_{}", row.class.as_str()),
            )
        })
        .collect();
    let told: BTreeSet<_> = findings
        .iter()
        .map(|finding| (finding.game_id, finding.code.as_str().to_owned()))
        .collect();
    assert_eq!((told, findings.len()), (beside, 3));
    for finding in &findings {
        let own = games
            .iter()
            .find(|game| Some(game.game_id) == finding.game_id)
            .unwrap();
        assert_eq!(
            (finding.byte_offset, finding.byte_length),
            (Some(own.byte_offset), Some(own.byte_length))
        );
        let row = found
            .iter()
            .find(|row| Some(row.game_id) == finding.game_id)
            .unwrap();
        let other = games
            .iter()
            .find(|game| game.game_id == row.canonical_game_id)
            .unwrap();
        assert!(
            finding
                .message
                .contains(&format!("game 1 of {}", other.archive)),
            "{}",
            finding.message
        );
    }
    let notes = |of: &BTreeMap<String, u64>| of.values().sum::<u64>();
    assert_eq!(
        notes(&outcome.counts.findings),
        rows::<FindingRow>(&place, "out").len() as u64
    );

    // Statistics count a, d, e and f: what is only the beginning of another is for a person to judge.
    let opening = rows::<OpeningRow>(&place, "out")
        .into_iter()
        .find(|row| row.ply == 1 && row.uci == "g3g4")
        .unwrap();
    assert_eq!(opening.n, 4);
    let rates: Vec<CountRateRow> = rows(&place, "out");
    let all = rates.iter().filter(|rate| {
        rate.population == Population::Games && rate.material == *"all" && rate.band == *"all"
    });
    let sums = all.fold((0, 0), |(n, left), rate| {
        (n + rate.n, left + rate.left_out_duplicate)
    });
    assert_eq!(sums, (4, 2));
}

const PGN: &str = "[Event \"Club\"]\n[Date \"2026.03.04\"]\n[White \"Somchai\"]\n[Black \"Malee\"]\n[Variant \"Makruk\"]\n\
[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nd2 Ne7 3. f4 exf4 4. Ke2 1/2-1/2\n";

const THAI: &str = "[Event \"ชมรม\"]\n[Date \"2026.03.04\"]\n[White \"SOMCHAI\"]\n[Black \"Malee\"]\n[Variant \"Makruk\"]\n\
[Result \"1/2-1/2\"]\n\n1. จ๔ จ๕ 2. มง๒ มจ๗ 3. ฉ๔ จxฉ๔ 4. ขจ๒ 1/2-1/2\n";

#[test]
fn two_archives_in_two_dialects_whatever_the_number_of_threads() {
    let place = Place::new();
    place.write("club.pgn", PGN.as_bytes());
    place.write("thai/club.pgn", THAI.as_bytes());
    let others: String = (0..30)
        .map(|seed| game("makruk", "Makruk", seed, 60))
        .collect();
    place.write("others.pgn", others.as_bytes());
    place.write("copy.pgn", others.as_bytes());
    for (out, threads) in [("one", "run.threads=1"), ("three", "run.threads=3")] {
        run(&place.job(out, &[threads, "analysis.engine=\"none\""]));
    }
    assert_same(&place.out("one"), &place.out("three"));
    let dialects: BTreeSet<String> = rows::<GameRow>(&place, "one")
        .iter()
        .filter(|game| game.archive.ends_with("club.pgn"))
        .map(|game| game.dialect.to_string())
        .collect();
    assert_eq!(dialects.len(), 2, "{dialects:?}");
    let found = groups(&place, "one");
    let club = (
        DuplicateClass::OtherDialect,
        names(&["club.pgn", "thai/club.pgn"]),
    );
    assert!(found.contains(&club), "{found:?}");
    let copied = (DuplicateClass::Exact, names(&["copy.pgn", "others.pgn"]));
    assert_eq!(found.iter().filter(|group| **group == copied).count(), 30);
    let first = rows::<OpeningRow>(&place, "one");
    let games: i64 = first
        .iter()
        .filter(|row| row.ply == 1)
        .map(|row| row.n)
        .sum();
    assert_eq!(games, 31);
}

#[test]
fn records_of_one_game_that_differ_in_the_result_are_an_error() {
    let place = Place::new();
    place.write("a.pgn", PGN.as_bytes());
    place.write("b.pgn", PGN.replace("1/2-1/2", "1-0").as_bytes());
    run(&place.job("out", &["analysis.engine=\"none\""]));
    let findings = audited(&place, "out");
    let codes: Vec<&str> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    assert_eq!(codes, ["duplicate_exact", "duplicate_results_differ"]);
    assert_eq!(findings[1].severity, Severity::Error);
    assert!(
        findings[1].message.contains("1-0") && findings[1].message.contains("1/2-1/2"),
        "{}",
        findings[1].message
    );
    // One archive is gone: so is what the two said of one another.
    fs::remove_file(place.input().join("b.pgn")).unwrap();
    run(&place.job("out", &["analysis.engine=\"none\""]));
    assert!(rows::<DuplicateRow>(&place, "out").is_empty());
    assert!(audited(&place, "out").is_empty());
}

/// Two people who play twice a day: what tells the games apart is the round or the address.
#[test]
fn games_that_say_they_are_two_are_two() {
    let place = Place::new();
    let at = |mark: &str, moves: &str| {
        format!(
            "[Event \"x\"]\n{mark}\n[Date \"2026.03.04\"]\n[White \"A\"]\n[Black \"B\"]\n[Variant \"Makruk\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
        )
    };
    let (one, two) = ("1. e4 e5 2. d4 d5", "1. f4 c5 2. d4 d5");
    let site = |id: u8| format!("[Site \"https://www.pychess.org/{id}\"]");
    place.write(
        "site.pgn",
        (at(&site(1), one) + &at(&site(2), two)).as_bytes(),
    );
    run(&place.job("site", &["analysis.engine=\"none\""]));
    assert!(groups(&place, "site").is_empty());
    let club = "[Site \"club\"]";
    place.write("site.pgn", (at(club, one) + &at(club, two)).as_bytes());
    run(&place.job("club", &["analysis.engine=\"none\""]));
    assert_eq!(
        groups(&place, "club"),
        [(
            DuplicateClass::SamePlayers,
            names(&["site.pgn", "site.pgn"])
        )]
    );
}
