//! Players' names are in no output where a job wants pseudonyms: not in a table, a page, a log, an export or an answer.

mod common;

use std::fs;
use std::path::Path;

use bytes::Bytes;
use common::{job, nabsak, run, run_to, tables};
use tables::{
    ArchiveRow, DuplicateRow, EvaluationRow, FindingRow, GameRow, PlayerRow, PlyRow, Row, RunRow,
    read_all,
};

const VARIABLE: &str = "NABSAK_TEST_PSEUDONYM_KEY";
const KEY: &str = "correct horse battery staple";

/// Each with a name in it that no output may hold.
const NAMES: [&str; 7] = [
    "Somchai",
    "Jaidee",
    "rua_dam",
    "สมชาย",
    "Malee",
    "Korat",
    "O'Hara",
];

/// The names stand in the players' tags, in other tags, in addresses, in comments, and in what is wrong with the record. The third
/// game is the first in other spelling.
const ARCHIVE: &str = r#"[Event "Somchai Jaidee against rua_dam"]
[Site "https://example.org/@/rua_dam/17"]
[Date "2026.01.02"]
[White "Somchai Jaidee"]
[Black "rua_dam"]
[WhiteElo "Somchai"]
[WhiteTeam "Korat Chess Club"]
[Annotator "Malee"]
[Variant "Makruk"]
[Termination "Somchai Jaidee won on time, says Malee"]
[Result "1-0"]

1. e4 {Somchai smiles at rua_dam} d5 2. exd5 exd5 {[%eval Malee]} 1-0

[Event "?"]
[Site "Bangkok"]
[Date "2026.01.02"]
[White "สมชาย"]
[Black "Jaidee, Somchai"]
[Scorer "Malee"]
[Variant "Makruk"]
[Result "Malee"]

1. e4 d5 2. Somchai 0-1

[Event "Again"]
[Site "https://example.org/@/rua_dam/18"]
[Date "2026.01.02"]
[White "SOMCHAI  JAIDEE"]
[Black "Rua_Dam"]
[Variant "Makruk"]
[Result "1-0"]

1. e4 d5 2. exd5 exd5 1-0

[Event "Set aside for rua_dam"]
[Date "2026.01.02"]
[White "O'Hara"]
[Black "rua_dam"]
[Variant "Sittuyin"]
[Result "1-0"]

1. e4 d5 1-0
"#;

fn rows<R: Row + std::fmt::Debug>(out: &Path) -> Vec<R> {
    let folder = fs::read_dir(out.join(R::TABLE.name())).expect("the table is there");
    let parts = folder.flatten().map(|part| part.path());
    parts
        .flat_map(|part| {
            let bytes = fs::read(part).expect("the part is read");
            read_all::<R>(Bytes::from(bytes)).expect("the part holds rows")
        })
        .collect()
}

fn all<R: Row + std::fmt::Debug>(out: &Path) -> String {
    format!("{:#?}", rows::<R>(out))
}

/// Every file below a folder that is text as it lies there.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, found);
        } else {
            let bytes = fs::read(&path).expect("the file is read");
            let bytes = match zstd_of(&path) {
                true => zstd::decode_all(bytes.as_slice()).expect("it unpacks"),
                false => bytes,
            };
            let text = String::from_utf8_lossy(&bytes).into_owned();
            found.push((path.display().to_string(), text));
        }
    }
}

fn zstd_of(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "zst")
}

#[test]
fn no_output_holds_a_name() {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = dir.path().join("in");
    fs::create_dir(&inputs).expect("a folder");
    fs::write(inputs.join("a.pgn"), ARCHIVE).expect("the archive is written");
    let more = format!(
        "keep_hours = 0\npseudonyms = \"{VARIABLE}\"\n[analysis]\nnodes = 20\n[run]\nmetrics = {:?}\n",
        dir.path().join("out/run.prom").display().to_string()
    );
    let path = job(dir.path(), &inputs, &more);
    let out = dir.path().join("out");
    let place = out.display().to_string();
    let typed = |words: &[&str]| {
        let mut command = nabsak();
        command.args(["--log", "json", "--log-level", "trace"]);
        command.args(words).env(VARIABLE, KEY);
        command
    };
    let file = path.display().to_string();

    let mut found: Vec<(String, String)> = Vec::new();
    let mut said = |words: &[&str]| {
        let (code, out, err) = run(&mut typed(words));
        assert_eq!(code, 0, "{words:?}: {err}");
        found.push((format!("{words:?}"), format!("{out}\n{err}")));
        out
    };
    said(&["run", &file]);
    said(&["report", &place]);
    let page = dir.path().join("out/sheet.html").display().to_string();
    let games = rows::<GameRow>(&out);
    assert_eq!(games.len(), 4);
    for game in &games {
        let id = game.game_id.to_string();
        said(&["replay", &place, "--game", &id]);
        said(&["replay", &place, "--game", &id, "--html", &page]);
    }
    let pgn = said(&["export", &place, "--comments", "--counts", "--findings"]);
    assert!(pgn.contains("[White \"player-"), "{pgn}");
    said(&["export", &place, "--as", "thai"]);
    if cfg!(feature = "sql") {
        let columns = "white, black, event, site, termination, reason";
        let sql = format!("SELECT {columns} FROM games");
        said(&["query", &place, &sql, "--format", "csv"]);
        said(&["query", &place, "SELECT * FROM games"]);
        for table in ["findings", "players", "plies"] {
            for format in ["csv", "json", "table"] {
                let sql = format!("SELECT * FROM {table}");
                said(&["query", &place, &sql, "--format", format]);
            }
        }
    }
    found.push(("games".to_owned(), all::<GameRow>(&out)));
    found.push(("plies".to_owned(), all::<PlyRow>(&out)));
    found.push(("findings".to_owned(), all::<FindingRow>(&out)));
    found.push(("players".to_owned(), all::<PlayerRow>(&out)));
    found.push(("duplicates".to_owned(), all::<DuplicateRow>(&out)));
    found.push(("archives".to_owned(), all::<ArchiveRow>(&out)));
    found.push(("evaluations".to_owned(), all::<EvaluationRow>(&out)));
    found.push(("runs".to_owned(), all::<RunRow>(&out)));
    texts(&out, &mut found);
    assert!(found.len() > 40, "{}", found.len());
    for (what, text) in &found {
        let small = text.to_lowercase();
        for name in NAMES {
            let at = small.find(&name.to_lowercase());
            let around = at.map(|at| {
                String::from_utf8_lossy(
                    &small.as_bytes()[at.saturating_sub(80)..(at + 80).min(small.len())],
                )
            });
            assert!(at.is_none(), "{what} holds {name}: {around:?}");
        }
        assert!(!text.contains(KEY), "{what} holds the key");
    }

    // One name, one pseudonym, in whatever case and spacing; the search for duplicates still sees one game.
    assert_eq!(games[0].white, games[2].white);
    assert_eq!(games[0].black, games[2].black);
    assert_ne!(games[0].white, games[0].black);
    assert_ne!(games[0].site, games[2].site);
    assert!(
        games[0]
            .site
            .as_ref()
            .is_some_and(|site| site.starts_with("https://example.org/"))
    );
    let pair = rows::<DuplicateRow>(&out);
    assert!(
        pair.iter().any(|row| row.game_id == games[2].game_id),
        "{pair:?}"
    );

    // The archives' own bytes hold the names.
    let (_, err) = run_to(2, &mut typed(&["export", &place, "--as", "original"]));
    assert!(err.contains("pseudonyms"), "{err}");

    // The same key: nothing to do. Another: all of it anew. None: said so, and the variable's name with it.
    let before = tables(&out);
    let (text, _) = run_to(0, &mut typed(&["run", &file]));
    assert!(text.contains("nothing new"), "{text}");
    assert_eq!(tables(&out), before);
    let (text, _) = run_to(
        0,
        typed(&["run", &file]).env(VARIABLE, "another key of sixteen bytes"),
    );
    assert!(
        text.contains("commit 3") || text.contains("commit 2"),
        "{text}"
    );
    assert_ne!(rows::<GameRow>(&out)[0].white, games[0].white);
    let (_, err) = run_to(2, typed(&["run", &file]).env_remove(VARIABLE));
    assert!(err.contains(VARIABLE), "{err}");
    let (_, err) = run_to(2, typed(&["run", &file]).env(VARIABLE, "short"));
    assert!(err.contains("16 bytes"), "{err}");
    // Who types the key into the job file is told what belongs there, and not what was typed.
    let (_, err) = run_to(
        2,
        &mut typed(&["run", &file, "--set", "output.pseudonyms=my secret words"]),
    );
    assert!(err.contains("never the key itself"), "{err}");
}
