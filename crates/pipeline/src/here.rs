//! This machine and its processes, as Linux tells of them: whether a process that was here is still here.

use std::fs;

/// Where a process runs, and which one it is there. Its number alone would be another's after a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Here {
    /// The machine's name, for people.
    pub(crate) host: String,
    /// Machine, start of the machine, and namespace of process numbers; empty where the system does not tell.
    pub(crate) place: String,
    /// Process number.
    pub(crate) pid: u32,
    /// When the process began, as the kernel counts.
    pub(crate) since: String,
}

impl Here {
    /// This process.
    pub(crate) fn new() -> Here {
        let host = line("/proc/sys/kernel/hostname").unwrap_or_else(|| "this machine".to_owned());
        let pid = std::process::id();
        Here {
            place: place(&host).unwrap_or_default(),
            host,
            pid,
            since: since(pid).unwrap_or_default(),
        }
    }

    /// Whether the process `pid`, begun at `since` at `place`, is gone. `None` where that cannot be known from here.
    pub(crate) fn is_gone(&self, place: &str, pid: u32, began: &str) -> Option<bool> {
        let known = !self.place.is_empty() && self.place == place && !began.is_empty();
        known.then(|| since(pid).is_none_or(|since| since != began))
    }
}

/// Two containers of one machine may share its name and not its process numbers.
fn place(host: &str) -> Option<String> {
    let boot = line("/proc/sys/kernel/random/boot_id")?;
    let numbers = fs::read_link("/proc/self/ns/pid").ok()?;
    Some(format!("{host} {boot} {}", numbers.display()))
}

/// The start of a process that lives: field 22 of its `stat`. A name in brackets may hold anything, so it is passed over from behind.
fn since(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    // A process that died and was not waited for yet works no more.
    if matches!(fields.next()?, "Z" | "X") {
        return None;
    }
    fields.nth(18).map(str::to_owned)
}

fn line(path: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;

    // Elsewhere the system does not tell.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_here_until_it_ends() {
        let here = Here::new();
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .unwrap();
        let began = since(child.id()).unwrap();
        assert_eq!(here.is_gone(&here.place, child.id(), &began), Some(false));
        // Another process under the same number, and another machine.
        assert_eq!(here.is_gone(&here.place, child.id(), "1"), Some(true));
        assert_eq!(here.is_gone("elsewhere", child.id(), &began), None);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(here.is_gone(&here.place, child.id(), &began), Some(true));
    }
}
