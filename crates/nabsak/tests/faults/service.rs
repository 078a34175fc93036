//! S3 in trouble: a real server behind a proxy that answers, waits and breaks as a test wants.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use store::Store;
use store::testing::{FaultProxy, SeaweedFs, Trouble};

use crate::common::{job, nabsak as plain, root, run_to, same_tables, tables};
use crate::night::{Night, nabsak, record, until};

const SMALL: &str = "[analysis]\nnodes = 100\n[run]\nbeat_s = 1\n";
const ARCHIVES: [&str; 2] = ["thai-club.pgn", "defects.pgn"];

struct Place {
    dir: tempfile::TempDir,
    server: SeaweedFs,
    proxy: FaultProxy,
    wanted: BTreeMap<String, Vec<u8>>,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        let inputs = crate::night::inputs(dir.path(), &ARCHIVES);
        run_to(0, plain().arg("run").arg(job(dir.path(), &inputs, SMALL)));
        let server = SeaweedFs::start();
        let archives = server.store("archives");
        for name in ARCHIVES {
            let bytes = fs::read(root().join("demo").join(name)).expect("the archive is read");
            archives.put(name, bytes.into()).expect("it is uploaded");
        }
        let proxy = FaultProxy::start(server.port());
        Place {
            wanted: tables(&dir.path().join("out")),
            dir,
            server,
            proxy,
        }
    }

    fn job(&self, output: &str) -> PathBuf {
        let path = self.dir.path().join(format!("{output}.toml"));
        let text = format!(
            "name = \"test\"\n[input]\narchives = [\"s3://games/archives\"]\n[output]\ndir = \"s3://games/{output}\"\n{SMALL}"
        );
        fs::write(&path, text).expect("the job file is written");
        path
    }

    /// A command through the proxy.
    fn through(&self, mut command: Command) -> Command {
        command
            .envs(self.server.env())
            .env("AWS_ENDPOINT_URL", self.proxy.endpoint());
        command
    }

    /// The client gives up sooner than it usually does, so that the test does.
    fn night(&self, job: &Path, log: &str) -> Night {
        Night::start(
            self.through(nabsak())
                .env("AWS_MAX_ATTEMPTS", "4")
                .arg("run")
                .arg(job),
            self.dir.path().join(log),
        )
    }

    fn is_whole(&self, output: &str) {
        let store = self.server.store(output);
        let entries = store.list("").expect("the bucket is listed");
        let parts = entries.into_iter().map(|entry| entry.key).filter(|key| {
            key.ends_with(".parquet") && !key.starts_with('_') && !key.starts_with("runs/")
        });
        let found = parts.map(|key| (key.clone(), store.get(&key).expect("a part").to_vec()));
        same_tables(&found.collect(), &self.wanted);
    }
}

#[test]
fn a_service_in_trouble_costs_time_and_no_row() {
    let place = Place::new();
    // Trouble that passes while the client tries again: the run does not end.
    let every = |nth: u64, trouble: Trouble, writes_only: bool| {
        let count = AtomicU64::new(0);
        move |method: &str, path: &str| {
            let meant = !writes_only || (method == "PUT" && path.contains(".parquet"));
            (meant && count.fetch_add(1, Ordering::SeqCst) % nth == nth - 1).then_some(trouble)
        }
    };
    let passing: [(&str, &str, Trouble, u64, bool); 5] = [
        (
            "slowdown",
            "503 to every twelfth request",
            Trouble::Answer(503),
            12,
            false,
        ),
        (
            "errors",
            "500 to every twelfth request",
            Trouble::Answer(500),
            12,
            false,
        ),
        (
            "slow",
            "every eighth request waits 0.5 s",
            Trouble::Wait(Duration::from_millis(500)),
            8,
            false,
        ),
        (
            "cut",
            "every second upload of a part breaks in its middle",
            Trouble::CutUpload(1000),
            2,
            true,
        ),
        (
            "lost",
            "every third upload of a part loses its answer",
            Trouble::LoseReply,
            3,
            true,
        ),
    ];
    for (name, words, trouble, nth, writes_only) in passing {
        place.proxy.trouble(every(nth, trouble, writes_only));
        let before = place.proxy.troubles();
        let mut night = place.night(&place.job(name), &format!("{name}.log"));
        night.ends(0);
        assert!(place.proxy.troubles() > before, "{name}: no trouble came");
        record(
            &format!("S3: {words}"),
            Duration::ZERO,
            night.begun.elapsed(),
            &[&night],
        );
        place.proxy.heal();
        place.is_whole(name);
    }
    // Trouble that stays: the run ends, says what is wrong and how to go on, and does.
    let staying = [
        (
            "full",
            "507, no space, from the first part of plies on",
            507,
            "no space left for",
        ),
        (
            "down",
            "503 to all, from the first part of plies on",
            503,
            "503",
        ),
    ];
    for (name, words, status, said) in staying {
        let job = place.job(name);
        let struck = AtomicU64::new(0);
        place.proxy.trouble(move |method, path| {
            let begins = method == "PUT" && path.contains("/plies/");
            let on = struck.fetch_or(u64::from(begins), Ordering::SeqCst) > 0 || begins;
            let meant = on && (status == 503 || method == "PUT");
            meant.then_some(Trouble::Answer(status))
        });
        let mut night = place.night(&job, &format!("{name}.log"));
        until("trouble", || place.proxy.troubles() > 0);
        night.ends(5);
        let noticed = night.begun.elapsed();
        assert!(night.says(said), "{}", night.text());
        assert!(
            night.says("the same command goes on: nabsak "),
            "{}",
            night.text()
        );
        place.proxy.heal();
        let mut last = place.night(&job, &format!("{name}-last.log"));
        last.ends(0);
        record(
            &format!("S3: {words}; run again"),
            noticed,
            noticed + last.begun.elapsed(),
            &[&night, &last],
        );
        place.is_whole(name);
    }
}

#[test]
fn a_server_that_is_killed_in_mid_upload_and_comes_back() {
    let mut place = Place::new();
    let job = place.job("killed");
    let uploads = std::sync::Arc::new(AtomicU64::new(0));
    let seen = std::sync::Arc::clone(&uploads);
    place.proxy.trouble(move |method, path| {
        let part = method == "PUT" && path.contains("/plies/");
        // Half of the upload is on its way, and then nothing.
        (part && seen.fetch_add(1, Ordering::SeqCst) == 0).then_some(Trouble::CutUpload(1000))
    });
    let mut night = place.night(&job, "killed.log");
    until("an upload", || {
        uploads.load(Ordering::SeqCst) > 0 || night.is_over()
    });
    place.server.kill();
    let at = Instant::now();
    std::thread::sleep(Duration::from_secs(1));
    place.server.restart();
    let mut nights = vec![night];
    let code = nights[0].end();
    let noticed = at.elapsed();
    if code != Some(0) {
        assert_eq!(code, Some(5), "{}", nights[0].text());
        assert!(
            nights[0].says("the same command goes on: nabsak "),
            "{}",
            nights[0].text()
        );
        let mut last = place.night(&job, "again.log");
        last.ends(0);
        nights.push(last);
    }
    let all: Vec<&Night> = nights.iter().collect();
    record(
        "S3 server killed (-9) in mid-upload and started again",
        noticed,
        at.elapsed(),
        &all,
    );
    place.is_whole("killed");
}

#[test]
fn an_object_replaced_in_mid_run_fails_its_chunks_and_the_rest_goes_on() {
    let place = Place::new();
    let job = place.job("replaced");
    // The second reading of an archive is replay's: by then it is another object.
    let archives = place.server.store("archives");
    let reads = AtomicU64::new(0);
    place.proxy.trouble(move |method, path| {
        let replay = method == "GET" && path.contains("/thai-club.pgn");
        if replay && reads.fetch_add(1, Ordering::SeqCst) == 1 {
            let bytes = fs::read(root().join("demo/korat-open.pgn")).expect("an archive");
            archives
                .put("thai-club.pgn", bytes.into())
                .expect("it is uploaded");
        }
        None
    });
    let mut night = place.night(&job, "replaced.log");
    night.ends(4);
    let noticed = night.begun.elapsed();
    assert!(
        night.says("changed while it was being worked on"),
        "{}",
        night.text()
    );
    place.proxy.heal();
    let ask = |sql: &str| {
        let mut query = place.through(plain());
        query.args(["query", "s3://games/replaced", sql, "--format", "csv"]);
        run_to(0, &mut query).0
    };
    assert_eq!(
        ask("SELECT DISTINCT archive FROM games"),
        "archive\ndefects.pgn\n"
    );
    let mut last = place.night(&job, "last.log");
    last.ends(0);
    record(
        "S3: an object replaced in mid-run",
        noticed,
        noticed + last.begun.elapsed(),
        &[&night, &last],
    );
    assert_eq!(
        ask("SELECT archive, count(*) AS games FROM games GROUP BY archive ORDER BY archive"),
        "archive,games\ndefects.pgn,19\nthai-club.pgn,30\n"
    );
}
