//! What a run says while it works: bars on a terminal, log lines elsewhere.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration, ProgressBar, ProgressStyle};
use pipeline::{Event, Progress, Rate, Silent, Stage};
use tracing::{info, warn};

use crate::cli::{LogArgs, LogFormat};
use crate::logging::say;

/// How often a running stage says how far it is, where no bar can.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The progress this terminal, or its absence, wants.
pub(super) fn choose(log: &LogArgs) -> Arc<dyn Progress> {
    if log.quiet {
        Arc::new(Silent)
    } else if log.log == LogFormat::Text && std::io::stderr().is_terminal() {
        Arc::new(Bars::default())
    } else {
        Arc::new(Lines {
            beside_log: log.log == LogFormat::Json,
            last: Mutex::default(),
        })
    }
}

/// One bar, for the stage that runs now.
#[derive(Default)]
struct Bars {
    bar: Mutex<Option<ProgressBar>>,
}

impl Bars {
    fn start(&self, stage: Stage, total: u64, unit: &str) {
        let counted = match unit {
            "bytes" => "{bytes}/{total_bytes}",
            _ => "{human_pos}/{human_len} {msg}",
        };
        let template = format!("{{prefix:>10}} {{wide_bar}} {counted}  {{per_sec}}  {{eta}} left");
        let style = ProgressStyle::with_template(&template)
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(total)
            .with_style(style)
            .with_prefix(stage.as_str())
            .with_message(unit.to_owned());
        self.replace(Some(bar));
    }

    fn replace(&self, bar: Option<ProgressBar>) {
        if let Ok(mut slot) = self.bar.lock() {
            if let Some(old) = slot.take() {
                old.finish_and_clear();
            }
            *slot = bar;
        }
    }

    fn with(&self, act: impl FnOnce(&ProgressBar)) {
        if let Ok(slot) = self.bar.lock()
            && let Some(bar) = slot.as_ref()
        {
            act(bar);
        }
    }

    fn say(&self, text: &str) {
        match self.bar.lock().ok().and_then(|slot| slot.clone()) {
            Some(bar) => bar.println(text),
            None => say(text),
        }
    }
}

impl Progress for Bars {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::StageStarted {
                stage,
                chunks,
                total,
                unit,
                ..
            } if *chunks > 0 => self.start(*stage, *total, unit),
            Event::Advanced { facts, .. } => self.with(|bar| bar.set_position(facts.done)),
            Event::StageDone { stage, facts } => {
                self.replace(None);
                if facts.done > 0 {
                    self.say(&format!(
                        "{:>10} done in {}",
                        stage.as_str(),
                        HumanDuration(facts.elapsed)
                    ));
                }
            }
            Event::Planned { archives, bytes } => {
                self.say(&format!(
                    "{:>10} {archives} archives, {}",
                    "plan",
                    HumanBytes(*bytes)
                ));
            }
            other => {
                if let Some(text) = trouble(other) {
                    self.say(&text);
                }
            }
        }
    }
}

/// Log lines: a stage's begin and end, and how far it is now and then.
struct Lines {
    /// Whether the log tells runs, chunks and troubles by itself.
    beside_log: bool,
    last: Mutex<Option<Instant>>,
}

impl Lines {
    fn due(&self) -> bool {
        let Ok(mut last) = self.last.lock() else {
            return false;
        };
        let due = last.is_none_or(|at| at.elapsed() >= LINE_EVERY);
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}

impl Progress for Lines {
    fn event(&self, event: &Event<'_>) {
        match event {
            Event::Started { run, job } if !self.beside_log => info!(run, job, "run started"),
            Event::Planned { archives, bytes } => info!(archives, bytes, "input listed"),
            Event::StageStarted {
                stage,
                chunks,
                skipped,
                total,
                unit,
            } => {
                info!(
                    stage = stage.as_str(),
                    chunks, skipped, total, unit, "stage started"
                );
                if let Ok(mut last) = self.last.lock() {
                    *last = Some(Instant::now());
                }
            }
            Event::Advanced { stage, facts } if self.due() => rate(*stage, facts, "stage goes on"),
            Event::StageDone { stage, facts } => rate(*stage, facts, "stage done"),
            Event::Committed { number, parts } => info!(commit = number, parts, "committed"),
            other if !self.beside_log => {
                if let Some(text) = trouble(other) {
                    warn!("{text}");
                }
            }
            _ => {}
        }
    }
}

fn rate(stage: Stage, facts: &Rate, text: &str) {
    let left_s = facts.left.map(|left| left.as_secs());
    info!(
        stage = stage.as_str(),
        done = facts.done,
        total = facts.total,
        per_second = facts.per_second.round(),
        left_s,
        "{text}"
    );
}

/// The events a user must see whatever else is shown.
fn trouble(event: &Event<'_>) -> Option<String> {
    match event {
        Event::ChunkFailed { chunk } => Some(format!(
            "chunk {} of stage {} ({}) failed: {}",
            chunk.key, chunk.stage, chunk.archive, chunk.reason
        )),
        Event::Unreadable { archive, reason } => {
            Some(format!("{archive}: cannot be read: {reason}"))
        }
        Event::Warning { text } => Some((*text).to_owned()),
        _ => None,
    }
}
