//! A scheduler and workers on this machine, a small job, and what their logs say.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::common::{job, nabsak, receipts, root, run_to, tables};

/// A folder with some demo archives, a job over them, and the tables of a quiet run on one machine.
pub(crate) struct Place {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) job: PathBuf,
    pub(crate) wanted: BTreeMap<String, Vec<u8>>,
    nodes: u32,
}

impl Place {
    /// `nodes` a ply for the engine, in chunks of a second or less; with 0 there is no engine.
    pub(crate) fn new(nodes: u32) -> Place {
        let dir = tempfile::tempdir().expect("a folder");
        let inputs = dir.path().join("in");
        fs::create_dir(&inputs).expect("a folder");
        for name in ["defects.pgn", "korat-open.pgn", "thai-club.pgn"] {
            let from = root().join("demo").join(name);
            fs::copy(from, inputs.join(name)).expect("the archive is copied");
        }
        let job = job(dir.path(), &inputs, &settings(nodes));
        let mut place = Place {
            dir,
            job,
            wanted: BTreeMap::new(),
            nodes,
        };
        if nodes < 10_000 {
            let quiet = place.quiet("quiet");
            run_to(0, nabsak().arg("run").arg(quiet));
            place.wanted = tables(&place.dir.path().join("quiet/out"));
        }
        place
    }

    /// The same job with an output of its own.
    pub(crate) fn quiet(&self, name: &str) -> PathBuf {
        let dir = self.dir.path().join(name);
        fs::create_dir(&dir).expect("a folder");
        job(&dir, &self.dir.path().join("in"), &settings(self.nodes))
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.dir.path().join("out")
    }
}

fn settings(nodes: u32) -> String {
    match nodes {
        0 => "[analysis]\nengine = \"none\"\n".to_owned(),
        _ => {
            let seconds = if nodes < 1000 { 1 } else { 3 };
            format!("[analysis]\nnodes = {nodes}\n[run]\nsearch_chunk_s = {seconds}\nbeat_s = 1\n")
        }
    }
}

/// A worker and its log.
pub(crate) struct Worker {
    pub(crate) child: Child,
    pub(crate) log: PathBuf,
}

/// Stage and index.
pub(crate) type Chunk = (String, u64);
/// When each chunk was begun, in seconds of the day.
pub(crate) type Begun = BTreeMap<Chunk, Vec<f64>>;

/// A scheduler and its workers; they end with the test.
pub(crate) struct Cluster {
    pub(crate) scheduler: Child,
    pub(crate) workers: Vec<Worker>,
    port: u16,
    timeout: u32,
    logs: tempfile::TempDir,
}

impl Cluster {
    /// `timeout`: seconds of silence after which a worker is lost.
    pub(crate) fn start(workers: usize, timeout: u32) -> Cluster {
        let (scheduler, port) = start_scheduler(0, timeout);
        let mut cluster = Cluster {
            scheduler,
            workers: Vec::new(),
            port,
            timeout,
            logs: tempfile::tempdir().expect("a folder"),
        };
        for number in 0..workers {
            let log = cluster.logs.path().join(format!("worker-{number}"));
            let file = fs::File::create(&log).expect("a log");
            let child = cluster
                .worker(&["--threads", "1", "--log", "json"])
                .stderr(file)
                .spawn()
                .expect("the worker starts");
            cluster.workers.push(Worker { child, log });
        }
        wait_for("the workers are known", || {
            cluster
                .http("GET", "/api/executors")
                .matches("\"id\"")
                .count()
                == workers
        });
        cluster
    }

    pub(crate) fn restart_scheduler(&mut self) {
        (self.scheduler, _) = start_scheduler(self.port, self.timeout);
    }

    pub(crate) fn address(&self) -> String {
        format!("df://127.0.0.1:{}", self.port)
    }

    pub(crate) fn worker(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nabsak-worker"));
        command.stdin(Stdio::null()).arg("cluster");
        command.arg(self.address()).args(words);
        command
    }

    /// A driver.
    pub(crate) fn run(&self, place: &Place) -> Command {
        let mut command = nabsak();
        command.arg("run").arg(&place.job);
        command.args(["--cluster", &self.address()]);
        command
    }

    pub(crate) fn start_run(&self, place: &Place) -> Child {
        self.start_run_with(place, &[])
    }

    pub(crate) fn start_run_with(&self, place: &Place, words: &[&str]) -> Child {
        let mut command = self.run(place);
        command.args(words).stdout(Stdio::null());
        command.stderr(Stdio::piped());
        command.spawn().expect("the driver starts")
    }

    /// What the workers' logs say was begun, and when.
    pub(crate) fn begun(&self) -> Begun {
        let mut begun = Begun::new();
        for worker in &self.workers {
            for (chunk, at) in begun_in(&worker.log) {
                begun.entry(chunk).or_default().push(at);
            }
        }
        for times in begun.values_mut() {
            times.sort_by(f64::total_cmp);
        }
        begun
    }

    pub(crate) fn begun_by(&self, worker: usize) -> usize {
        begun_in(&self.workers[worker].log).len()
    }

    /// Waits until a worker has begun a chunk of a stage and made its marker; says which.
    pub(crate) fn wait_for_chunk(&self, stage: &str, worker: usize) -> Chunk {
        let mut found = None;
        let log = &self.workers[worker].log;
        wait_for(
            &format!("worker {worker} begins a chunk of {stage}"),
            || {
                let mut begun = begun_in(log).into_iter().map(|(chunk, _)| chunk);
                found = begun.rfind(|chunk| chunk.0 == stage);
                found.is_some()
            },
        );
        // Past the start, well before the end.
        std::thread::sleep(Duration::from_millis(150));
        let last = begun_in(log)
            .into_iter()
            .map(|(chunk, _)| chunk)
            .next_back();
        last.or(found).expect("a chunk")
    }

    /// How long after a moment a chunk was begun for the next time.
    pub(crate) fn begun_again(&self, chunk: &Chunk, at: f64) -> Duration {
        let begun = self.begun();
        let times = begun.get(chunk).map_or(&[][..], Vec::as_slice);
        let next = times.iter().find(|time| **time > at);
        let next = next.unwrap_or_else(|| panic!("{chunk:?} was not begun again: {times:?}, {at}"));
        Duration::from_secs_f64(next - at)
    }

    /// How long after a moment any chunk was begun.
    pub(crate) fn next_begun(&self, at: f64) -> Duration {
        let begun = self.begun();
        let times = begun
            .values()
            .flatten()
            .copied()
            .filter(|time| *time > at + 1.0);
        let next = times.min_by(f64::total_cmp).expect("work went on");
        Duration::from_secs_f64(next - at)
    }

    /// Prints a row of the table of faults. Work done twice: chunks begun but neither skipped nor what the first receipt stands for.
    pub(crate) fn row(&self, place: &Place, fault: &str, noticed: Duration, finished: Duration) {
        let begun: usize = self.begun().values().map(Vec::len).sum();
        let logs = self.workers.iter().flat_map(|worker| lines(&worker.log));
        let skipped = logs.filter(|line| {
            line["message"] == "chunk ended" && line["done"] == 0 && line["skipped"] != 0
        });
        let stages = ["index", "replay", "search", "assemble"];
        let done = stages.map(|stage| receipts(&place.out(), stage).len());
        let done: usize = done.iter().sum();
        println!(
            "| {fault} | {:.1} s | {:.1} s | {} of {done} chunks |",
            noticed.as_secs_f64(),
            finished.as_secs_f64(),
            begun.saturating_sub(skipped.count() + done),
        );
    }

    /// One plain request to the scheduler's own port.
    pub(crate) fn http(&self, method: &str, path: &str) -> String {
        let asked = TcpStream::connect(("127.0.0.1", self.port)).and_then(|mut stream| {
            write!(
                stream,
                "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
            )?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer)?;
            Ok(String::from_utf8_lossy(&answer).into_owned())
        });
        asked.unwrap_or_default()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            // A frozen one could not even be waited for.
            let _ = worker.child.kill();
            let _ = worker.child.wait();
            if std::thread::panicking() {
                let log = fs::read_to_string(&worker.log).unwrap_or_default();
                eprintln!("--- {}\n{log}", worker.log.display());
            }
        }
        let _ = self.scheduler.kill();
        let _ = self.scheduler.wait();
    }
}

/// Starts a scheduler and gives its port.
fn start_scheduler(port: u16, timeout: u32) -> (Child, u16) {
    let mut child = nabsak()
        .args(["cluster", "scheduler", "--port", &port.to_string()])
        .args(["--worker-timeout", &timeout.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the scheduler starts");
    let mut first = String::new();
    let mut said = BufReader::new(child.stdout.take().expect("its output"));
    said.read_line(&mut first).expect("it says where it is");
    let port = first
        .trim()
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok());
    (
        child,
        port.unwrap_or_else(|| panic!("no port in {first:?}")),
    )
}

fn lines(log: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines = text.lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn begun_in(log: &Path) -> Vec<(Chunk, f64)> {
    let begun = lines(log).into_iter().filter_map(|line| {
        (line["message"] == "chunk begun").then_some(())?;
        let stage = line["stage"].as_str()?.to_owned();
        let at = seconds_of_day(line["timestamp"].as_str()?)?;
        Some(((stage, line["index"].as_u64()?), at))
    });
    begun.collect()
}

/// Of a time such as `2026-12-01T00:45:26.5Z`.
fn seconds_of_day(stamp: &str) -> Option<f64> {
    let time = stamp.split_once('T')?.1.trim_end_matches('Z');
    let mut seconds = 0.0;
    for part in time.split(':') {
        seconds = seconds * 60.0 + part.parse::<f64>().ok()?;
    }
    Some(seconds)
}

/// Seconds of the day, as the logs have them.
pub(crate) fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.expect("a clock").as_secs_f64() % 86_400.0
}

pub(crate) fn wait_for(what: &str, mut seen: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !seen() {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "waited in vain for: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The exit code of a process that ends by itself within two minutes.
pub(crate) fn ended(child: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status.code();
        }
        if begun.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("it hangs");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

pub(crate) fn kill(child: &mut Child) {
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
}

pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

pub(crate) fn walk(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(walk(&entry.path()));
        } else if !entry.file_name().to_string_lossy().starts_with(".tmp-") {
            files.push(entry.path());
        }
    }
    files
}

/// A copy of a program that says it is of the build `fedcba9876543210`.
pub(crate) fn other_build(program: &str, dir: &Path) -> PathBuf {
    let (said, _) = run_to(0, Command::new(program).arg("--version"));
    let build = said.split("(build ").nth(1).and_then(|rest| rest.get(..16));
    let build = build
        .expect("the version names the build")
        .as_bytes()
        .to_owned();
    let mut bytes = fs::read(program).expect("the program is read");
    let mut at = 0;
    let mut replaced = 0;
    while at + 16 <= bytes.len() {
        if bytes[at] == build[0] && bytes[at..at + 16] == build[..] {
            bytes[at..at + 16].copy_from_slice(b"fedcba9876543210");
            replaced += 1;
        }
        at += 1;
    }
    assert!(replaced > 0, "the program carries its build");
    let copy = dir.join(Path::new(program).file_name().expect("a name"));
    fs::write(&copy, bytes).expect("the copy is written");
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).expect("it may run");
    copy
}
