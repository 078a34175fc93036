//! Jobs that compare rule sets, and rule sets that are files.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod common;

use std::fs;
use std::path::Path;

use common::{Place, files, run};
use pipeline::{AuditOptions, CommitView, Job, job_for_audit};
use store::{Folder, Store};
use tables::{GameRow, VerdictRow};

/// Two rua against a khun that has just bared itself: drawn after ply 10 under makruk, after ply 11 under makruk-fairy.
const COUNTED: &str = "[Variant \"Makruk\"]\n[FEN \"8/8/8/3kP3/8/2K5/8/R6R b - - 0 1\"]\n[SetUp \"1\"]\n[Result \"1-0\"]\n\n\
1... Kxe5 2. Kc2 Ke6 3. Kb3 Ke5 4. Kc4 Ke6 5. Kb5 Ke5 6. Kb6 Ke6 7. Kc7 1-0\n\n\
[Variant \"Cambodian\"]\n[Result \"*\"]\n\n1. e4 e5 *\n";

fn club(switch: &str) -> String {
    format!(
        "# The club's own.\nid = \"club\"\ntitle = \"The club's rules\"\nbased_on = \"makruk\"\nauthority = \"binding\"\n\
         [switches]\n{switch}\n"
    )
}

const EXCEED: &str = "pieces_end = { value = \"exceed\", source = \"the club's book\" }";

fn parse(place: &Place, rules: &str) -> Result<Job, String> {
    let (input, out) = (place.input(), place.out("out"));
    let text = format!(
        "name = \"test\"\n[input]\narchives = [{input:?}]\n[rules]\n{rules}\n[analysis]\nengine = \"none\"\n[output]\ndir = {out:?}\n"
    );
    let file = place.dir.path().join("job.toml");
    Job::parse(&file.display().to_string(), &text, &[]).map_err(|error| error.to_string())
}

fn view(place: &Place) -> CommitView {
    let store: std::sync::Arc<dyn Store> = std::sync::Arc::new(Folder::new(place.out("out")));
    CommitView::open(store, None).unwrap()
}

fn verdicts(place: &Place) -> Vec<VerdictRow> {
    view(place).rows().collect::<Result<_, _>>().unwrap()
}

fn shown(row: &VerdictRow) -> (String, bool, Option<i32>, bool, Option<i32>, Option<String>) {
    (
        row.rule_set.to_string(),
        row.judging,
        row.ply,
        row.agrees,
        row.differs_from_ply,
        row.switch.as_ref().map(ToString::to_string),
    )
}

#[test]
fn what_is_compared_fills_the_table() {
    let place = Place::new();
    place.write("a.pgn", COUNTED.as_bytes());
    fs::write(place.dir.path().join("club.toml"), club(EXCEED)).unwrap();
    let job = parse(
        &place,
        "compare = [\"makruk-ttakji\", \"./club.toml\", \"makruk-fairy\", \"cambodian-fairy\"]",
    );
    run(&job.unwrap());
    let rows = verdicts(&place);
    let makruk: Vec<_> = rows[..4].iter().map(shown).collect();
    let switch = Some("pieces_end".to_owned());
    let row = |id: &str, judging, ply, agrees, from, switch| {
        (id.to_owned(), judging, Some(ply), agrees, from, switch)
    };
    assert_eq!(
        makruk,
        [
            row("makruk", true, 10, true, None, None),
            row("club", false, 11, false, Some(10), switch.clone()),
            row("makruk-fairy", false, 11, false, Some(10), switch),
            row("makruk-ttakji", false, 10, true, None, None),
        ]
    );
    // The ouk game has only the ouk rule set beside its own.
    let ouk: Vec<&str> = rows[4..].iter().map(|row| &*row.rule_set).collect();
    assert_eq!(ouk, ["ouk", "cambodian-fairy"]);
    // Comparing changes nothing in how a game is judged, and the file's text stays with the output.
    let games: Vec<GameRow> = view(&place).rows().collect::<Result<_, _>>().unwrap();
    assert_eq!(games[0].rule_set.as_deref(), Some("makruk"));
    assert!(!games[0].bound);
    assert_eq!(view(&place).commit().rule_sets["club"], club(EXCEED));
    assert_eq!(
        view(&place).rule_set("club").unwrap().title(),
        "The club's rules"
    );
}

#[test]
fn a_file_judges_and_its_rules_are_in_the_key() {
    let place = Place::new();
    place.write("a.pgn", COUNTED.as_bytes());
    let file = place.dir.path().join("club.toml");
    let go = || run(&parse(&place, "makruk = \"club.toml\"").unwrap());
    fs::write(&file, club(EXCEED)).unwrap();
    go();
    let ply = || {
        let games: Vec<GameRow> = view(&place).rows().collect::<Result<_, _>>().unwrap();
        assert_eq!(games[0].rule_set.as_deref(), Some("club"));
        assert!(games[0].bound);
        games[0].ending_ply
    };
    assert_eq!(ply(), Some(11));
    let receipts = || files(&place.out("out"), "_nabsak/receipts/replay").len();
    assert_eq!(receipts(), 1);
    // Another comment is the same rule set; another value is another one.
    fs::write(&file, club(EXCEED).replace("The club's own", "Ours")).unwrap();
    go();
    assert_eq!((ply(), receipts()), (Some(11), 1));
    assert!(view(&place).commit().rule_sets["club"].contains("# Ours"));
    fs::write(&file, club("")).unwrap();
    go();
    assert_eq!(ply(), Some(10));
    assert!(verdicts(&place).is_empty());
}

#[test]
fn a_rule_set_with_additions_judges_the_games_that_name_it() {
    let place = Place::new();
    let game =
        "[Variant \"Makruk\"]\n[RuleSet \"makruk+sut-khun\"]\n[Result \"*\"]\n\n1. Kb2 e5 *\n";
    place.write("a.pgn", game.as_bytes());
    let outcome = run(&parse(&place, "").unwrap());
    assert_eq!(
        (outcome.counts.games_accepted, outcome.exit_status()),
        (1, 0)
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let place = Place::new();
    let wrong = |rules: &str| parse(&place, rules).unwrap_err();
    let unknown = wrong("compare = [\"makruk-fary\"]");
    assert!(
        unknown.contains("job.toml:5") && unknown.contains("the nearest is 'makruk-fairy'"),
        "{unknown}"
    );
    let missing = wrong("ouk = \"./none.toml\"");
    assert!(
        missing.contains("job.toml:5") && missing.contains("rule set file ./none.toml"),
        "{missing}"
    );
    fs::write(place.dir.path().join("club.toml"), club("pieces_ende = 1")).unwrap();
    let key = wrong("makruk = \"./club.toml\"");
    assert!(
        key.contains("rule set file ./club.toml")
            && key.contains("line 7")
            && key.contains("pieces_ende"),
        "{key}"
    );
    fs::write(place.dir.path().join("club.toml"), club("")).unwrap();
    let other = wrong("ouk = \"./club.toml\"");
    assert!(other.contains("is for makruk, not for ouk"), "{other}");
    fs::write(place.dir.path().join("club2.toml"), club(EXCEED)).unwrap();
    let twice = wrong("compare = [\"./club.toml\", \"./club2.toml\"]");
    assert!(twice.contains("calls itself `club`"), "{twice}");
}

#[test]
fn an_audit_takes_files_from_where_it_is_called() {
    let place = Place::new();
    let file = place.dir.path().join("club.toml");
    fs::write(&file, club(EXCEED)).unwrap();
    let options = AuditOptions {
        rules: Some(file.display().to_string()),
        compare: vec!["makruk".to_owned(), "makruk-fairy".to_owned()],
        ..AuditOptions::default()
    };
    let job = job_for_audit(&["x".to_owned()], &options).unwrap();
    assert_eq!(job.rules.by_variant["makruk"], "club");
    assert_eq!(job.rules.compare, ["makruk", "makruk-fairy"]);
    assert!(Path::new(&job.rules.files["club"].path).is_absolute());
    let options = AuditOptions {
        compare: vec!["makruk-fairyy".to_owned()],
        ..AuditOptions::default()
    };
    let error = job_for_audit(&["x".to_owned()], &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("makruk-fairyy") && error.contains("'makruk-fairy'"),
        "{error}"
    );
}
