//! Processes whose logs are kept, and figures over them.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::root;

/// A folder with archives of the demo.
pub(crate) fn inputs(dir: &Path, names: &[&str]) -> PathBuf {
    let inputs = dir.join("in");
    fs::create_dir_all(&inputs).expect("a folder");
    for name in names {
        fs::copy(root().join("demo").join(name), inputs.join(name)).expect("the archive is copied");
    }
    inputs
}

/// A process with a log of its own.
pub(crate) struct Night {
    child: Child,
    log: PathBuf,
    pub(crate) begun: Instant,
}

/// A program that says in its log which chunks it begins.
pub(crate) fn nabsak() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_nabsak"));
    command
        .stdin(Stdio::null())
        .args(["--quiet", "--log", "json"])
        .args(["--log-level", "info,pipeline=debug"]);
    command
}

impl Night {
    pub(crate) fn start(command: &mut Command, log: PathBuf) -> Night {
        let file = File::create(&log).expect("a log file");
        let child = command.stdout(Stdio::null()).stderr(file);
        Night {
            child: child.spawn().expect("the program starts"),
            log,
            begun: Instant::now(),
        }
    }

    /// Starts, and waits for the end with this code.
    pub(crate) fn run(code: i32, command: &mut Command, log: PathBuf) -> Night {
        let mut night = Night::start(command, log);
        night.ends(code);
        night
    }

    pub(crate) fn ends(&mut self, code: i32) {
        let got = self.child.wait().expect("it ends").code();
        assert_eq!(got, Some(code), "its log:\n{}", self.text());
    }

    /// Waits for the end; none where a signal was it.
    pub(crate) fn end(&mut self) -> Option<i32> {
        self.child.wait().expect("it ends").code()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    pub(crate) fn text(&self) -> String {
        fs::read_to_string(&self.log).expect("the log is read")
    }

    pub(crate) fn says(&self, words: &str) -> bool {
        self.text().contains(words)
    }

    /// Waits until its log says so; gives the time since `from`.
    pub(crate) fn until(&self, words: &str, from: Instant) -> Duration {
        until(words, || self.says(words));
        from.elapsed()
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([&format!("-{name}"), &self.child.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("it is killed");
        self.child.wait().expect("it is gone");
    }
}

impl Drop for Night {
    fn drop(&mut self) {
        // A test that failed leaves no process behind; one that is over is not there to be killed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

pub(crate) fn until(what: &str, mut seen: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !seen() {
        assert!(
            begun.elapsed() < Duration::from_secs(180),
            "waited in vain for {what}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// How often each chunk of a stage that stands on its input alone was begun, over all nights.
pub(crate) fn begun(nights: &[&Night]) -> BTreeMap<String, u64> {
    let mut begun = BTreeMap::new();
    for line in nights.iter().flat_map(|night| lines(&night.text())) {
        let field = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let conclusion = ["aggregate", "compact"].contains(&field("stage").as_str());
        if field("message") == "chunk begun" && !conclusion {
            *begun
                .entry(format!("{} {}", field("stage"), field("chunk")))
                .or_default() += 1;
        }
    }
    begun
}

fn lines(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Chunks that were begun more than once.
pub(crate) fn twice(nights: &[&Night]) -> u64 {
    begun(nights).values().map(|times| times - 1).sum()
}

/// A line of figures of a fault: after how long it was noticed, after how long all was done, both since the fault, and how many of all
/// chunks were begun again. `target/tmp/faults.tsv` gathers them.
pub(crate) fn record(fault: &str, noticed: Duration, finished: Duration, nights: &[&Night]) {
    let begun = begun(nights);
    let again: u64 = begun.values().map(|times| times - 1).sum();
    let line = format!(
        "{fault}\t{:.1} s\t{:.1} s\t{again} of {}\n",
        noticed.as_secs_f64(),
        finished.as_secs_f64(),
        begun.len()
    );
    print!("{line}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults.tsv");
    let file = File::options().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.expect("the figures are written");
}
