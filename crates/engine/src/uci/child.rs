//! An engine's process: lines in, lines out, each wait with a deadline, no orphan left behind.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

/// Lines that wait to be read before the engine is made to wait.
const LINES_WAITING: usize = 1024;
/// A longer line is cut here.
const LONGEST_LINE: u64 = 16 * 1024;

/// A running engine in a process group of its own, which dies with this value.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why a line did not come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoLine {
    /// The deadline passed.
    Silence,
    /// The engine closed its output or its input.
    Death,
}

impl Process {
    pub(super) fn start(program: &Path, args: &[String]) -> std::io::Result<Process> {
        let mut child = Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // A group of its own: Ctrl-C at the terminal is for us to pass on, and its own children die with it.
            .process_group(0)
            .spawn()?;
        let gone = || std::io::Error::other("the child has no pipes");
        let input = child.stdin.take().ok_or_else(gone)?;
        let output = child.stdout.take().ok_or_else(gone)?;
        let (sender, lines) = sync_channel(LINES_WAITING);
        std::thread::Builder::new()
            .name("uci-reader".into())
            .spawn(move || read_lines(output, &sender))?;
        Ok(Process {
            child,
            input,
            lines,
        })
    }

    pub(super) fn say(&mut self, line: &str) -> Result<(), NoLine> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_broken_pipe| NoLine::Death)
    }

    /// The next line, cut to a sane length, without its end.
    pub(super) fn hear(&mut self, until: Instant) -> Result<String, NoLine> {
        let left = until.saturating_duration_since(Instant::now());
        // An engine that never stops talking must not be listened to for ever.
        if left.is_zero() {
            return Err(NoLine::Silence);
        }
        self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Silence,
            RecvTimeoutError::Disconnected => NoLine::Death,
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.say("quit").is_ok() && self.ends_within(Duration::from_millis(50)) {
            return;
        }
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            nevermind(
                kill_process_group(group, Signal::KILL),
                "the group may be gone already",
            );
        }
        nevermind(self.child.kill(), "the child may be gone already");
        nevermind(self.child.wait(), "nothing more can be done for it");
    }
}

impl Process {
    fn ends_within(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(_)) => return true,
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(1)),
                Ok(None) | Err(_) => return false,
            }
        }
    }
}

/// Drops a result, saying why.
fn nevermind<T, E>(_result: Result<T, E>, _why: &str) {}

fn read_lines(output: ChildStdout, lines: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
        if lines.send(line).is_err() {
            return;
        }
    }
}
