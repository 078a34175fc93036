//! A cluster as real processes: a scheduler, workers, a driver; quiet, killed, frozen, gone, and of another build. The bytes are
//! always those of a run on one machine.
//!
//! With `--nocapture` each fault prints a row: fault, noticed after, finished after, chunks begun twice.
#![cfg(all(feature = "cluster", unix))]

mod cluster_bench;
mod common;

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use cluster_bench::{Cluster, Place, ended, kill, other_build, signal, wait_for, walk};
use common::{nabsak, run_to, same_tables, tables};

#[test]
fn a_quiet_run_gives_the_bytes_of_one_machine_and_begins_each_chunk_once() {
    let place = Place::new(300);
    let cluster = Cluster::start(2, 10);
    let (summary, _) = run_to(0, &mut cluster.run(&place));
    assert!(summary.contains("commit 2"), "{summary}");
    same_tables(&tables(&place.out()), &place.wanted);
    let begun = cluster.begun();
    let mut chunks = 0;
    for stage in ["index", "replay", "search", "assemble"] {
        let receipts = common::receipts(&place.out(), stage).len();
        let of_stage = begun.keys().filter(|(name, _)| name == stage);
        assert_eq!(of_stage.count(), receipts, "{stage}: a chunk for a receipt");
        chunks += receipts;
    }
    assert!(begun.values().all(|times| times.len() == 1), "{begun:?}");
    assert_eq!(begun.len(), chunks);
    for worker in 0..2 {
        assert!(cluster.begun_by(worker) > 0, "both workers had work");
    }
    assert!(walk(&place.out().join("_nabsak/attempts")).is_empty());
    let (summary, _) = run_to(0, &mut cluster.run(&place));
    assert!(summary.contains("nothing new"), "{summary}");
    assert_eq!(cluster.begun().len(), chunks, "nothing was done again");
}

#[test]
fn questions_have_the_answers_of_one_machine_or_are_refused() {
    let place = Place::new(0);
    let cluster = Cluster::start(2, 10);
    run_to(0, &mut cluster.run(&place));
    let out = place.out();
    let ask = |sql: &str, elsewhere: bool| {
        let mut command = nabsak();
        command.arg("query").arg(&out).arg(sql).arg("--format=csv");
        if elsewhere {
            command.args(["--cluster", &cluster.address()]);
        }
        command
    };
    let questions = [
        "SELECT count(*), sum(plies), min(date), max(white) FROM games",
        "SELECT variant, status, count(*) AS n FROM games GROUP BY variant, status ORDER BY variant, status",
        "SELECT game_id, white, black FROM games WHERE plies > 20 ORDER BY game_id LIMIT 7",
        "SELECT count(DISTINCT position_key) FROM plies WHERE ply > 4",
        "SELECT side, avg(ply) AS a FROM plies GROUP BY side HAVING count(*) > 1 ORDER BY side",
        "SELECT code, count(*) AS n FROM findings GROUP BY code ORDER BY n DESC, code LIMIT 5",
        "SELECT count(*) FROM verdicts",
    ];
    for sql in questions {
        let (here, _) = run_to(0, &mut ask(sql, false));
        let (there, _) = run_to(0, &mut ask(sql, true));
        assert_eq!(here, there, "{sql}");
        assert!(here.lines().count() > 1, "{sql}: {here}");
    }
    for sql in [
        "SELECT count(*) FROM games JOIN plies USING (game_id)",
        "SELECT count(*) FROM games WHERE game_id IN (SELECT game_id FROM findings)",
        "SELECT row_number() OVER (ORDER BY game_id) FROM games",
        "SELECT white FROM games UNION ALL SELECT black FROM games",
    ] {
        let (_, said) = run_to(2, &mut ask(sql, true));
        assert!(said.contains("without --cluster"), "{sql}: {said}");
        run_to(0, &mut ask(sql, false));
    }
    // The scheduler's own figures can be looked at; nothing can be changed there.
    let metrics = cluster.http("GET", "/api/metrics");
    assert!(metrics.starts_with("HTTP/1.1 200"), "{metrics}");
    assert!(metrics.contains("job_completed_total"), "{metrics}");
    let refused = cluster.http("PATCH", "/api/job/x");
    assert!(refused.starts_with("HTTP/1.1 405"), "{refused}");
}

#[test]
fn a_worker_killed_in_the_middle_costs_its_chunk_and_no_more() {
    let place = Place::new(1000);
    let mut cluster = Cluster::start(2, 8);
    let mut driver = cluster.start_run(&place);
    let chunk = cluster.wait_for_chunk("search", 0);
    let killed = Instant::now();
    let at = cluster_bench::now();
    kill(&mut cluster.workers[0].child);
    assert_eq!(ended(&mut driver), Some(0));
    let finished = killed.elapsed();
    same_tables(&tables(&place.out()), &place.wanted);
    let noticed = cluster.begun_again(&chunk, at);
    cluster.row(&place, "worker, kill -9", noticed, finished);
    let begun = cluster.begun();
    let twice: Vec<_> = begun.iter().filter(|(_, times)| times.len() > 1).collect();
    assert!(twice.iter().any(|(name, _)| **name == chunk), "{twice:?}");
    assert!(walk(&place.out().join("_nabsak/attempts")).is_empty());
}

#[test]
fn a_worker_told_to_stop_gives_its_chunk_back_at_once() {
    let place = Place::new(1000);
    let mut cluster = Cluster::start(2, 30);
    let mut driver = cluster.start_run(&place);
    let chunk = cluster.wait_for_chunk("search", 0);
    let (told, at) = (Instant::now(), cluster_bench::now());
    signal(&cluster.workers[0].child, "TERM");
    assert_eq!(ended(&mut cluster.workers[0].child), Some(0));
    assert!(told.elapsed() < Duration::from_secs(10));
    assert_eq!(ended(&mut driver), Some(0));
    let finished = told.elapsed();
    same_tables(&tables(&place.out()), &place.wanted);
    let noticed = cluster.begun_again(&chunk, at);
    cluster.row(&place, "worker, SIGTERM", noticed, finished);
    assert!(
        noticed < Duration::from_secs(15),
        "it did not wait for the timeout"
    );
}

#[test]
fn a_worker_frozen_past_its_time_and_thawed_changes_nothing() {
    let place = Place::new(1000);
    let cluster = Cluster::start(2, 8);
    let mut driver = cluster.start_run(&place);
    let chunk = cluster.wait_for_chunk("search", 0);
    let (frozen, at) = (Instant::now(), cluster_bench::now());
    signal(&cluster.workers[0].child, "STOP");
    assert_eq!(ended(&mut driver), Some(0));
    let finished = frozen.elapsed();
    let before = tables(&place.out());
    same_tables(&before, &place.wanted);
    let noticed = cluster.begun_again(&chunk, at);
    signal(&cluster.workers[0].child, "CONT");
    let log = cluster.workers[0].log.clone();
    wait_for("the thawed worker lets its chunk go, or ends it", || {
        let said = fs::read_to_string(&log).unwrap_or_default();
        said.matches("chunk let go").count() + said.matches("chunk ended").count()
            >= said.matches("chunk begun").count()
    });
    same_tables(&tables(&place.out()), &before);
    // It is of use again.
    let (summary, _) = run_to(0, &mut cluster.run(&place));
    assert!(summary.contains("nothing new"), "{summary}");
    cluster.row(&place, "worker, frozen and thawed", noticed, finished);
}

#[test]
fn a_scheduler_that_is_gone_is_named_and_the_same_command_goes_on() {
    let place = Place::new(1000);
    let mut cluster = Cluster::start(2, 8);
    let driver = cluster.start_run_with(&place, &["--cluster-wait", "2"]);
    wait_for("a receipt of search", || {
        !common::receipts(&place.out(), "search").is_empty()
    });
    let killed = Instant::now();
    kill(&mut cluster.scheduler);
    let output = driver.wait_with_output();
    let output = output.expect("the driver ends");
    let noticed = killed.elapsed();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(
        said.contains("no scheduler answers at df://127.0.0.1:"),
        "{said}"
    );
    assert!(said.contains("same command goes on: nabsak"), "{said}");
    // The chunks at hand are finished by the workers, without anyone to tell.
    wait_for("the workers are idle", || {
        walk(&place.out().join("_nabsak/attempts")).is_empty()
    });
    let before = cluster.begun();
    cluster.restart_scheduler();
    run_to(0, &mut cluster.run(&place));
    let finished = killed.elapsed();
    same_tables(&tables(&place.out()), &place.wanted);
    let search = |begun: &cluster_bench::Begun| {
        begun
            .iter()
            .filter(|((stage, _), _)| stage == "search")
            .map(|(_, times)| times.len())
            .sum::<usize>()
    };
    let again = search(&cluster.begun());
    let receipts = common::receipts(&place.out(), "search").len();
    assert!(
        search(&before) > 0 && again <= receipts + 2,
        "{again} begun for {receipts}"
    );
    cluster.row(&place, "scheduler, kill -9, run again", noticed, finished);
}

#[test]
fn a_scheduler_that_comes_back_soon_is_waited_for() {
    let place = Place::new(1000);
    let mut cluster = Cluster::start(2, 8);
    let mut driver = cluster.start_run(&place);
    wait_for("a receipt of search", || {
        !common::receipts(&place.out(), "search").is_empty()
    });
    let (killed, at) = (Instant::now(), cluster_bench::now());
    kill(&mut cluster.scheduler);
    std::thread::sleep(Duration::from_secs(1));
    cluster.restart_scheduler();
    assert_eq!(ended(&mut driver), Some(0));
    let finished = killed.elapsed();
    same_tables(&tables(&place.out()), &place.wanted);
    let noticed = cluster.next_begun(at);
    cluster.row(
        &place,
        "scheduler, kill -9, back after 1 s",
        noticed,
        finished,
    );
}

#[test]
fn without_workers_or_a_scheduler_the_end_is_soon_and_clear() {
    let place = Place::new(1000);
    let mut cluster = Cluster::start(2, 8);
    let driver = cluster.start_run_with(&place, &["--cluster-wait", "3"]);
    cluster.wait_for_chunk("search", 0);
    let killed = Instant::now();
    for worker in &mut cluster.workers {
        kill(&mut worker.child);
    }
    let output = driver.wait_with_output().expect("the driver ends");
    let finished = killed.elapsed();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    assert!(said.contains("has no worker"), "{said}");
    assert!(said.contains("nabsak-worker cluster df://"), "{said}");
    assert!(said.contains("same command goes on"), "{said}");
    cluster.row(&place, "all workers, kill -9", finished, finished);
    // Nobody came back: the same again, from the start.
    let (_, said) = run_to(5, cluster.run(&place).args(["--cluster-wait", "1"]));
    assert!(said.contains("has no worker"), "{said}");
    kill(&mut cluster.scheduler);
    let (_, said) = run_to(5, cluster.run(&place).args(["--cluster-wait", "1"]));
    assert!(said.contains("no scheduler answers"), "{said}");
    let (_, said) = run_to(5, &mut cluster.worker(&["--wait", "1"]));
    assert!(said.contains("no scheduler answers"), "{said}");
    // On one machine it goes on as well.
    run_to(0, nabsak().arg("run").arg(&place.job));
    same_tables(&tables(&place.out()), &place.wanted);
}

#[test]
fn a_cancelled_run_stops_the_workers_and_goes_on_later() {
    let place = Place::new(20_000);
    let cluster = Cluster::start(1, 10);
    let mut driver = cluster.start_run(&place);
    cluster.wait_for_chunk("search", 0);
    let cancelled = Instant::now();
    signal(&driver, "INT");
    assert_eq!(ended(&mut driver), Some(130));
    let markers = place.out().join("_nabsak/attempts");
    wait_for("the worker takes its marker back", || {
        walk(&markers).is_empty()
    });
    let stopped = cancelled.elapsed();
    assert!(stopped < Duration::from_secs(10), "{stopped:?}");
    let log = cluster.workers[0].log.clone();
    wait_for("the worker says so", || {
        fs::read_to_string(&log)
            .unwrap_or_default()
            .contains("chunk let go")
    });
    cluster.row(&place, "driver, SIGINT", stopped, stopped);
}

#[test]
fn another_build_is_refused() {
    let place = Place::new(0);
    let cluster = Cluster::start(1, 10);
    let dir = tempfile::tempdir().expect("a folder");
    let nabsak = other_build(env!("CARGO_BIN_EXE_nabsak"), dir.path());
    let worker = other_build(env!("CARGO_BIN_EXE_nabsak-worker"), dir.path());
    let mut run = Command::new(nabsak);
    run.arg("run")
        .arg(&place.job)
        .args(["--cluster", &cluster.address()]);
    let mut ask = Command::new(&worker);
    ask.args(["cluster", &cluster.address()]);
    for command in [&mut run, &mut ask] {
        let (_, said) = run_to(2, command);
        assert!(said.contains("use one build"), "{said}");
        assert!(said.contains("fedcba9876543210"), "{said}");
    }
    assert!(cluster.begun().is_empty(), "nothing was done for it");
    // What is no scheduler at all.
    let mut wrong = common::nabsak();
    wrong
        .arg("run")
        .arg(&place.job)
        .args(["--cluster", "somewhere:1"]);
    let (_, said) = run_to(2, &mut wrong);
    assert!(said.contains("df://host:50050"), "{said}");
}

#[test]
fn nothing_listens_beyond_loopback_unless_told_so_twice() {
    let (_, said) = run_to(
        2,
        nabsak().args(["cluster", "scheduler", "--bind", "0.0.0.0", "--port", "0"]),
    );
    assert!(said.contains("--insecure-network"), "{said}");
    let mut worker = Command::new(env!("CARGO_BIN_EXE_nabsak-worker"));
    worker.args(["cluster", "df://127.0.0.1:1", "--bind", "::"]);
    let (_, said) = run_to(2, &mut worker);
    assert!(said.contains("--insecure-network"), "{said}");
}

#[test]
fn a_broken_archive_is_named_as_on_one_machine() {
    let place = Place::new(0);
    fs::write(
        place.dir.path().join("in/broken.zip"),
        b"PK\x03\x04 and no more",
    )
    .expect("written");
    let cluster = Cluster::start(2, 10);
    let (code, there, _) = common::run(&mut cluster.run(&place));
    let quiet = place.quiet("alone");
    let (here, _) = run_to(code, nabsak().arg("run").arg(&quiet));
    same_tables(
        &tables(&place.out()),
        &tables(&place.dir.path().join("alone/out")),
    );
    for summary in [&here, &there] {
        assert!(summary.contains("broken.zip"), "{summary}");
    }
}
