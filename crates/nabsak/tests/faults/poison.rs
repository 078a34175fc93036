//! A game at which the program panics, aborts, hangs or runs out of memory: it is found and set aside, and the rest is kept.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use crate::common::{job, nabsak as plain, root, run_to, same_tables, tables};
use crate::night::{Night, inputs, nabsak, record};

/// One game of `korat-open.pgn` has this tag.
const GAME: &str = "[Round \"3.2\"]";

const SMALL: &str = "[analysis]\nengine = \"none\"\n[run]\nthreads = 2\nstall = \"4s\"\nbeat_s = 1\nisolated_mb = 400\n";

struct Place {
    dir: tempfile::TempDir,
    job: PathBuf,
    out: PathBuf,
}

/// Games of one round: few, so that they are soon halved.
fn few() -> String {
    let text = fs::read_to_string(root().join("demo/korat-open.pgn")).expect("the archive is read");
    let games = text
        .split("[Event ")
        .filter(|game| game.contains("[Round \"3."));
    games.map(|game| format!("[Event {game}")).collect()
}

fn place(more: &str) -> Place {
    let dir = tempfile::tempdir().expect("a folder");
    let inputs = inputs(dir.path(), &["defects.pgn"]);
    fs::write(inputs.join("korat-open.pgn"), few()).expect("the archive is written");
    Place {
        job: job(dir.path(), &inputs, more),
        out: dir.path().join("out"),
        dir,
    }
}

impl Place {
    fn night(&self, fault: &str, name: &str) -> Night {
        let mut command = nabsak();
        command.arg("run").arg(&self.job).env("NABSAK_FAULT", fault);
        Night::start(&mut command, self.dir.path().join(name))
    }

    fn ask(&self, sql: &str) -> String {
        self.ask_for("csv", sql)
    }

    fn ask_for(&self, format: &str, sql: &str) -> String {
        let mut query = plain();
        query.arg("query").arg(&self.out).arg(sql);
        run_to(0, query.args(["--format", format])).0
    }
}

/// Everything about games but the guilty one.
fn others(place: &Place) -> Vec<String> {
    [
        ("games", "game_id"),
        ("plies", "game_id, ply"),
        ("counts", "game_id, start_ply_earliest, kind, side"),
        ("findings", "game_id, code, ply, message"),
    ]
        .iter()
        .map(|(table, order)| {
            place.ask_for("json", &format!(
                "SELECT * FROM {table} WHERE game_id NOT IN (SELECT game_id FROM games WHERE archive = 'korat-open.pgn' AND byte_offset = {}) ORDER BY {order}",
                offset()
            ))
        })
        .collect()
}

fn wanted() -> (Place, Vec<String>) {
    let quiet = place(SMALL);
    run_to(0, plain().arg("run").arg(&quiet.job));
    let rows = others(&quiet);
    assert!(rows.iter().all(|rows| rows.lines().count() > 1));
    (quiet, rows)
}

/// The archive, place and message of what was found about games that the program could not work on.
fn internal_errors(place: &Place) -> String {
    place.ask("SELECT archive, byte_offset, severity, message FROM findings WHERE code = 'internal_error'")
}

fn offset() -> usize {
    let text = few();
    let tag = text.find(GAME).expect("the game is there");
    text[..tag].rfind("[Event ").expect("its first tag")
}

#[test]
fn a_game_that_takes_the_process_down_is_found_and_set_aside() {
    let (quiet, wanted) = wanted();
    for (what, words) in [
        ("abort", "signal: 6"),
        ("memory", "signal: 6"),
        ("hang", "signal"),
    ] {
        let place = place(SMALL);
        let fault = format!("{what}:replay:{GAME}");
        let mut nights = Vec::new();
        let at = Instant::now();
        for death in 1..=2 {
            let mut night = place.night(&fault, &format!("{death}.log"));
            let code = night.end();
            match what {
                "hang" => {
                    assert_eq!(code, Some(5), "{}", night.text());
                    assert!(night.says("no progress for"), "{}", night.text());
                    assert!(night.says("To go on: nabsak "), "{}", night.text());
                }
                _ => assert_eq!(code, None, "a signal: {}", night.text()),
            }
            nights.push(night);
        }
        let mut last = place.night(&fault, "last.log");
        let noticed = last.until("worked on in a process of its own", at);
        last.ends(0);
        nights.push(last);
        let all: Vec<&Night> = nights.iter().collect();
        record(
            &format!("a game that makes the process {what}, run three times"),
            noticed,
            at.elapsed(),
            &all,
        );
        let last = &nights[2];
        assert!(
            last.says("takes the process down: set aside"),
            "{}",
            last.text()
        );
        if what != "hang" {
            assert!(last.says(words), "{}", last.text());
        }
        assert_eq!(
            internal_errors(&place),
            format!(
                "archive,byte_offset,severity,message\nkorat-open.pgn,{},critical,internal error: the program died while it worked on this game\n",
                offset()
            )
        );
        assert!(others(&place) == wanted, "{what}: other rows changed");
        // Without the fault, what was set aside is taken up again when that is asked for.
        let (summary, _) = run_to(0, plain().arg("run").arg(&place.job));
        assert!(summary.contains("nothing new"), "{summary}");
        run_to(0, plain().arg("run").arg(&place.job).arg("--retry-failed"));
        same_tables(&tables(&place.out), &tables(&quiet.out));
    }
}

#[test]
fn a_panic_costs_its_game_alone_and_at_once() {
    let (_, wanted) = wanted();
    let place = place(SMALL);
    let at = Instant::now();
    let mut night = place.night(&format!("panic:replay:{GAME}"), "log");
    let noticed = night.until("a game was set aside", at);
    night.ends(0);
    record("a game that panics", noticed, at.elapsed(), &[&night]);
    let found = internal_errors(&place);
    assert!(
        found.contains(&format!(
            "korat-open.pgn,{},critical,internal error: called for",
            offset()
        )),
        "{found}"
    );
    assert!(others(&place) == wanted, "other rows changed");
}

#[test]
fn a_game_that_takes_the_engine_down_is_not_analysed_and_the_others_are() {
    let place = place("[analysis]\nnodes = 50\n[run]\nbeat_s = 1\nisolated_mb = 400\n");
    // The first moves of one game, as the table has them.
    run_to(
        0,
        plain()
            .arg("run")
            .arg(&place.job)
            .args(["--set", "analysis.engine=none"]),
    );
    let moves = place.ask("SELECT moves FROM games WHERE round = '3.2'");
    let fault = format!(
        "abort:search:{}",
        moves.lines().nth(1).expect("the game").trim_matches('"')
    );
    let at = Instant::now();
    let mut nights: Vec<Night> = Vec::new();
    for death in 1..=2 {
        let mut night = place.night(&fault, &format!("{death}.log"));
        assert_eq!(night.end(), None, "a signal: {}", night.text());
        nights.push(night);
    }
    let mut last = place.night(&fault, "last.log");
    let noticed = last.until("worked on in a process of its own", at);
    last.ends(4);
    nights.push(last);
    let all: Vec<&Night> = nights.iter().collect();
    record(
        "a game whose search aborts the process, run three times",
        noticed,
        at.elapsed(),
        &all,
    );
    let without = place.ask("SELECT round FROM games WHERE status = 'accepted' AND game_id NOT IN (SELECT game_id FROM evaluations)");
    assert_eq!(without, "round\n3.2\n");
    let (said, _) = run_to(4, plain().arg("run").arg(&place.job));
    assert!(
        said.contains("Not analysed: 1 games: internal error: the program died"),
        "{said}"
    );
    run_to(0, plain().arg("run").arg(&place.job).arg("--retry-failed"));
}
