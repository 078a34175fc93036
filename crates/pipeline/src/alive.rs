//! Which processes are at work on an output: each gives a sign that it lives, and beats.
//!
//! A sign is one object a process, written again every few seconds with a higher beat. Whoever meets a chunk with another process's
//! attempt marker asks for that process's sign: is it running, or has it died? No machine's clock is trusted with the answer:
//! - a process of this machine is looked up by its number and the time of its start;
//! - a sign that the store last wrote three beats or more before ours, by the store's own time, is a dead one's;
//! - a sign that does not change while we look on for three beats is a dead one's, or a frozen one's, which is the same to others.
//!
//! All this saves work and counts deaths. What is right is decided by create-only receipts and the commit log alone.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use store::Store;

use crate::here::Here;
use crate::output::{failed, json};
use crate::receipt::FORMAT;
use crate::run::{RunError, StallHook};

/// Folder of the signs.
const SIGNS: &str = "_nabsak/alive";

/// A process that misses so many beats is taken for dead.
const MISSED: u32 = 3;

/// A process's sign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sign {
    version: u32,
    /// The run, or the task.
    pub(crate) run: String,
    /// Whether it plans and commits.
    pub(crate) driver: bool,
    pub(crate) host: String,
    pub(crate) pid: u32,
    place: String,
    since: String,
    /// Seconds between beats.
    every_s: u64,
    beat: u64,
}

impl Sign {
    fn path(run: &str) -> String {
        format!("{SIGNS}/{run}")
    }

    /// Who it is, for a person.
    pub(crate) fn who(&self) -> String {
        format!("{} (process {} on {})", self.run, self.pid, self.host)
    }
}

/// This process's life, and what it knows of others'.
#[derive(Debug)]
pub(crate) struct Life {
    inner: Arc<Inner>,
    beating: Option<JoinHandle<()>>,
}

/// How a process lives.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habits {
    /// Whether it plans and commits: then it looks for others of its kind.
    pub(crate) driver: bool,
    /// Time between beats.
    pub(crate) every: Duration,
    /// A process that gets nowhere for so long is given up.
    pub(crate) stall: Option<Duration>,
}

struct Inner {
    store: Arc<dyn Store>,
    here: Here,
    run: String,
    habits: Habits,
    stalled: Option<StallHook>,
    /// The beat of the sign that is written; none before there is one.
    beat: Mutex<Option<u64>>,
    over: Mutex<bool>,
    end: Condvar,
    pulse: AtomicU64,
    company: AtomicBool,
    seen: Mutex<HashMap<String, (u64, Instant)>>,
    open: Mutex<BTreeMap<String, Instant>>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner")
            .field("run", &self.run)
            .field("habits", &self.habits)
            .finish_non_exhaustive()
    }
}

impl Life {
    /// Begins to watch this process; no sign is given yet.
    pub(crate) fn new(
        store: Arc<dyn Store>,
        run: &str,
        habits: Habits,
        stalled: Option<StallHook>,
    ) -> Life {
        let inner = Arc::new(Inner {
            store,
            here: Here::new(),
            run: run.to_owned(),
            habits,
            stalled,
            beat: Mutex::new(None),
            over: Mutex::new(false),
            end: Condvar::new(),
            pulse: AtomicU64::new(0),
            company: AtomicBool::new(false),
            seen: Mutex::default(),
            open: Mutex::default(),
        });
        let beating = {
            let inner = Arc::clone(&inner);
            thread::Builder::new()
                .name("alive".to_owned())
                .spawn(move || inner.keep_beating())
        };
        if let Err(error) = &beating {
            tracing::warn!(%error, "no thread to tell others that this process lives");
        }
        Life {
            inner,
            beating: beating.ok(),
        }
    }

    /// Gives the sign, if it is not given.
    pub(crate) fn give_sign(&self) -> Result<(), RunError> {
        let mut beat = lock(&self.inner.beat);
        if beat.is_none() {
            self.inner.write(1)?;
            *beat = Some(1);
        }
        Ok(())
    }

    /// Takes the sign back: this process is at work no more.
    pub(crate) fn take_back_sign(&self) {
        let mut beat = lock(&self.inner.beat);
        if beat.take().is_some()
            && let Err(error) = self.inner.store.delete(&Sign::path(&self.inner.run))
        {
            tracing::debug!(%error, "the sign of this process stays");
        }
    }

    /// The sign of another process's run, if it lives.
    pub(crate) fn living(&self, run: &str) -> Result<Option<Sign>, RunError> {
        self.inner.living(run)
    }

    /// Other drivers that live.
    pub(crate) fn drivers(&self) -> Result<Vec<Sign>, RunError> {
        self.inner.drivers()
    }

    /// Whether other drivers are about: then what is at work has to be looked up chunk by chunk.
    pub(crate) fn has_company(&self) -> bool {
        self.inner.company.load(Ordering::Relaxed)
    }

    /// Notes that another driver is about, until the next beat sees for itself.
    pub(crate) fn keep_company(&self) {
        self.inner.company.store(true, Ordering::Relaxed);
    }

    /// Notes that the work went on.
    pub(crate) fn pulse(&self) {
        self.inner.pulse.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a piece of work that begins, for the message if it never ends.
    pub(crate) fn begin(&self, what: &str) {
        self.pulse();
        lock(&self.inner.open).insert(what.to_owned(), Instant::now());
    }

    /// Notes that it ended.
    pub(crate) fn end(&self, what: &str) {
        self.pulse();
        lock(&self.inner.open).remove(what);
    }

    /// The store's own time, as of this process's last beat.
    pub(crate) fn store_time(&self) -> Option<SystemTime> {
        let sign = self.inner.store.head(&Sign::path(&self.inner.run));
        sign.ok().and_then(|sign| sign.mtime)
    }

    /// How long to wait before asking again what another process does.
    pub(crate) fn patience(&self) -> Duration {
        (self.inner.habits.every / 4).clamp(Duration::from_millis(100), Duration::from_secs(5))
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        *lock(&self.inner.over) = true;
        self.inner.end.notify_all();
        if let Some(beating) = self.beating.take()
            && beating.join().is_err()
        {
            tracing::debug!("the beating thread panicked");
        }
        self.take_back_sign();
    }
}

impl Inner {
    fn keep_beating(&self) {
        let mut pulse = (self.pulse.load(Ordering::Relaxed), Instant::now());
        let mut over = lock(&self.over);
        while !*over {
            let waited = self.end.wait_timeout(over, self.habits.every);
            over = waited.unwrap_or_else(PoisonError::into_inner).0;
            if *over {
                return;
            }
            drop(over);
            self.once();
            let now = self.pulse.load(Ordering::Relaxed);
            if now != pulse.0 {
                pulse = (now, Instant::now());
            }
            if self
                .habits
                .stall
                .is_some_and(|stall| pulse.1.elapsed() > stall)
            {
                self.give_up(pulse.1.elapsed());
                pulse.1 = Instant::now();
            }
            over = lock(&self.over);
        }
    }

    /// One beat. A store that is away for a while is met by the work itself, not here.
    fn once(&self) {
        let mut beat = lock(&self.beat);
        let Some(last) = *beat else {
            return;
        };
        match self.write(last + 1) {
            Ok(()) => *beat = Some(last + 1),
            Err(error) => tracing::debug!(%error, "a beat was missed"),
        }
        drop(beat);
        if self.habits.driver {
            match self.drivers() {
                Ok(others) => self.company.store(!others.is_empty(), Ordering::Relaxed),
                Err(error) => tracing::debug!(%error, "other drivers cannot be seen"),
            }
        }
    }

    fn give_up(&self, idle: Duration) {
        let open = lock(&self.open);
        let open: Vec<&str> = open.keys().map(String::as_str).collect();
        let text = format!(
            "no progress for {} s (run.stall), at work on: {}",
            idle.as_secs(),
            if open.is_empty() {
                "no chunk".to_owned()
            } else {
                open.join(", ")
            }
        );
        tracing::error!(run = self.run, "{text}");
        if let Some(stalled) = &self.stalled {
            stalled(&text);
        }
    }

    fn write(&self, beat: u64) -> Result<(), RunError> {
        let sign = Sign {
            version: FORMAT,
            run: self.run.clone(),
            driver: self.habits.driver,
            host: self.here.host.clone(),
            pid: self.here.pid,
            place: self.here.place.clone(),
            since: self.here.since.clone(),
            every_s: self.habits.every.as_secs(),
            beat,
        };
        let path = Sign::path(&self.run);
        let put = self.store.put(&path, json(&path, &sign)?);
        put.map_err(|source| failed(&format!("writing {path}"), source))
    }

    fn drivers(&self) -> Result<Vec<Sign>, RunError> {
        let listed = self.store.list(SIGNS);
        let listed = listed.map_err(|source| failed("listing who is at work", source))?;
        let mut drivers = Vec::new();
        for entry in listed {
            let run = entry.key.rsplit('/').next().unwrap_or_default();
            if run != self.run {
                drivers.extend(self.living(run)?.filter(|sign| sign.driver));
            }
        }
        Ok(drivers)
    }

    fn living(&self, run: &str) -> Result<Option<Sign>, RunError> {
        let path = Sign::path(run);
        let bytes = match self.store.get(&path) {
            Ok(bytes) => bytes,
            Err(store::Error::NotFound { .. }) => return Ok(None),
            Err(source) => return Err(failed(&format!("reading {path}"), source)),
        };
        let Ok(sign) = serde_json::from_slice::<Sign>(&bytes) else {
            return Ok(None);
        };
        let gone = self.here.is_gone(&sign.place, sign.pid, &sign.since);
        let dead = match gone {
            Some(true) => true,
            // A neighbour may be frozen, but its and our clock are one: what it misses is seen by looking on.
            Some(false) => self.stands_still(&sign),
            None => self.stands_still(&sign) || self.is_old(&sign)?,
        };
        Ok((!dead).then_some(sign))
    }

    /// Whether the beat has not changed for as long as three take, while we looked on.
    fn stands_still(&self, sign: &Sign) -> bool {
        let mut seen = lock(&self.seen);
        let now = Instant::now();
        let known = seen.entry(sign.run.clone()).or_insert((sign.beat, now));
        if known.0 != sign.beat {
            *known = (sign.beat, now);
        }
        known.1.elapsed() > silence(sign)
    }

    /// Whether the store wrote it so long before our own last beat that its process must be dead.
    fn is_old(&self, sign: &Sign) -> Result<bool, RunError> {
        if lock(&self.beat).is_none() {
            return Ok(false);
        }
        let time = |run: &str| match self.store.head(&Sign::path(run)) {
            Ok(entry) => Ok(entry.mtime),
            Err(store::Error::NotFound { .. }) => Ok(None),
            Err(source) => Err(failed("looking who is at work", source)),
        };
        let (Some(theirs), Some(ours)) = (time(&sign.run)?, time(&self.run)?) else {
            return Ok(false);
        };
        let passed = ours.duration_since(theirs);
        Ok(passed.is_ok_and(|passed| passed > silence(sign)))
    }
}

/// How long a living process may say nothing.
fn silence(sign: &Sign) -> Duration {
    Duration::from_secs(sign.every_s.max(1)) * MISSED
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

    use super::*;

    const HABITS: Habits = Habits {
        driver: true,
        every: Duration::from_secs(1),
        stall: None,
    };

    fn life(store: &Arc<dyn Store>, run: &str) -> Life {
        Life::new(Arc::clone(store), run, HABITS, None)
    }

    fn other(beat: u64) -> Sign {
        Sign {
            version: FORMAT,
            run: "other".to_owned(),
            driver: true,
            host: "far".to_owned(),
            pid: 1,
            place: "far away".to_owned(),
            since: "1".to_owned(),
            every_s: 1,
            beat,
        }
    }

    fn put(store: &Arc<dyn Store>, sign: &Sign) {
        let path = Sign::path(&sign.run);
        store.put(&path, json(&path, sign).unwrap()).unwrap();
    }

    #[test]
    fn two_of_one_machine_see_one_another_until_one_ends() {
        let dir = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(store::Folder::new(dir.path()));
        let (one, two) = (life(&store, "one"), life(&store, "two"));
        assert!(one.living("two").unwrap().is_none(), "no sign yet");
        one.give_sign().unwrap();
        two.give_sign().unwrap();
        assert_eq!(one.drivers().unwrap()[0].run, "two");
        drop(two);
        assert!(one.drivers().unwrap().is_empty());
        drop(one);
        assert!(store.list("").unwrap().is_empty(), "nothing stays");
    }

    #[test]
    fn a_far_process_that_beats_no_more_is_dead_after_three_beats() {
        let dir = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(store::Folder::new(dir.path()));
        put(&store, &other(1));
        let one = life(&store, "one");
        let begun = Instant::now();
        // Without a sign of our own there is no time to compare with: only looking on tells.
        while one.living("other").unwrap().is_some() {
            assert!(begun.elapsed() < Duration::from_secs(20));
            thread::sleep(Duration::from_millis(20));
        }
        assert!(begun.elapsed() >= Duration::from_secs(3));
        put(&store, &other(2));
        assert!(one.living("other").unwrap().is_some(), "it beats again");
    }

    #[test]
    fn the_store_s_own_time_tells_at_once_and_a_future_one_says_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(store::Folder::new(dir.path()));
        put(&store, &other(1));
        let one = life(&store, "one");
        one.give_sign().unwrap();
        assert!(one.living("other").unwrap().is_some());
        let file = dir.path().join(Sign::path("other"));
        let set = |time| {
            let file = std::fs::File::options().write(true).open(&file).unwrap();
            file.set_modified(time).unwrap();
        };
        set(std::time::SystemTime::now() + Duration::from_secs(36_000));
        assert!(one.living("other").unwrap().is_some());
        set(std::time::SystemTime::now() - Duration::from_secs(60));
        assert!(one.living("other").unwrap().is_none());
    }

    #[test]
    fn a_process_that_gets_nowhere_is_told_so() {
        let dir = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(store::Folder::new(dir.path()));
        let (sender, told) = std::sync::mpsc::channel();
        let sender = Mutex::new(sender);
        let habits = Habits {
            stall: Some(Duration::from_secs(1)),
            ..HABITS
        };
        let hook: StallHook = Arc::new(move |text: &str| {
            sender.lock().unwrap().send(text.to_owned()).unwrap();
        });
        let one = Life::new(store, "one", habits, Some(hook));
        one.begin("replay chunk 1");
        one.begin("replay chunk 2");
        one.end("replay chunk 1");
        let text = told.recv_timeout(Duration::from_secs(20)).unwrap();
        assert!(text.ends_with("at work on: replay chunk 2"), "{text}");
    }
}
