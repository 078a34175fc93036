//! The run's figures as a Prometheus textfile, for node_exporter's textfile collector.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use metrics::{Key, Label, Level, Metadata, Recorder};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

use crate::job::Job;
use crate::outcome::{ChunkTally, RunOutcome};
use crate::stage::Stage;

/// During the run the file is written at most this often.
const WRITE_EVERY: Duration = Duration::from_secs(5);

static METADATA: Metadata<'static> = Metadata::new("nabsak", Level::INFO, Some("nabsak"));

/// Gauges of one run. A recorder of its own, not the process's: two runs in one process do not mix.
pub(crate) struct Metrics {
    recorder: PrometheusRecorder,
    job: String,
    path: Option<PathBuf>,
    last: Mutex<Instant>,
}

impl Metrics {
    /// A dry run writes none.
    pub(crate) fn new(job: &Job, dry_run: bool) -> Metrics {
        Metrics {
            recorder: PrometheusBuilder::new().build_recorder(),
            job: job.name.clone(),
            path: job.run.metrics.clone().filter(|_| !dry_run),
            last: Mutex::new(Instant::now()),
        }
    }

    /// Work done in a stage.
    pub(crate) fn work(&self, stage: Stage, done: u64) {
        self.gauge(
            "nabsak_stage_work",
            &[("stage", stage.as_str())],
            done as f64,
        );
        let due = self.last.try_lock().is_ok_and(|mut last| {
            let due = last.elapsed() >= WRITE_EVERY;
            if due {
                *last = Instant::now();
            }
            due
        });
        if due {
            self.write();
        }
    }

    /// What became of a stage's chunks.
    pub(crate) fn stage(&self, stage: Stage, tally: &ChunkTally) {
        let figures = [
            ("planned", tally.planned),
            ("skipped", tally.skipped),
            ("done", tally.done),
            ("failed", tally.failed),
            ("left", tally.left),
        ];
        for (state, figure) in figures {
            self.gauge(
                "nabsak_chunks",
                &[("stage", stage.as_str()), ("state", state)],
                figure as f64,
            );
        }
    }

    /// The end of the run; writes the file.
    pub(crate) fn finish(&self, outcome: &RunOutcome) {
        let games = [
            ("accepted", outcome.counts.games_accepted),
            ("rejected", outcome.counts.games_rejected),
            ("set_aside", outcome.counts.games_set_aside),
        ];
        for (status, figure) in games {
            self.gauge("nabsak_games", &[("status", status)], figure as f64);
        }
        for (severity, figure) in &outcome.counts.findings {
            self.gauge("nabsak_findings", &[("severity", severity)], *figure as f64);
        }
        for (class, figure) in &outcome.counts.duplicates {
            self.gauge("nabsak_duplicates", &[("class", class)], *figure as f64);
        }
        let plain = [
            ("nabsak_archives", outcome.counts.archives),
            ("nabsak_archive_bytes", outcome.counts.bytes),
            ("nabsak_plies", outcome.counts.plies),
            ("nabsak_plies_wanted", outcome.coverage.plies_wanted),
            ("nabsak_plies_analysed", outcome.coverage.plies_done),
            ("nabsak_chunks_failed", outcome.failed.len() as u64),
            ("nabsak_commit", outcome.commit.unwrap_or(0)),
        ];
        for (name, figure) in plain {
            self.gauge(name, &[], figure as f64);
        }
        for (stage, pace) in &outcome.paces {
            self.gauge(
                "nabsak_stage_seconds",
                &[("stage", stage.as_str())],
                pace.took.as_secs_f64(),
            );
        }
        let slowest = outcome
            .slowest
            .first()
            .map_or(0.0, |chunk| chunk.took.as_secs_f64());
        self.gauge("nabsak_slowest_chunk_seconds", &[], slowest);
        self.gauge("nabsak_run_seconds", &[], outcome.elapsed.as_secs_f64());
        self.ended(outcome.exit_status());
    }

    /// The end of a run; writes the file, which holds nothing else if the run could not be carried out.
    pub(crate) fn ended(&self, exit_status: u8) {
        self.gauge("nabsak_exit_status", &[], f64::from(exit_status));
        let now = jiff::Timestamp::now().as_second();
        self.gauge("nabsak_run_end_time_seconds", &[], now as f64);
        self.write();
    }

    fn gauge(&self, name: &'static str, labels: &[(&'static str, &str)], value: f64) {
        let job = std::iter::once(Label::new("job_name", self.job.clone()));
        let labels = labels
            .iter()
            .map(|(name, value)| Label::new(*name, (*value).to_owned()));
        let key = Key::from_parts(name, job.chain(labels).collect::<Vec<_>>());
        self.recorder.register_gauge(&key, &METADATA).set(value);
    }

    /// A figure that cannot be written is no reason to stop.
    fn write(&self) {
        let Some(path) = &self.path else {
            return;
        };
        let _one_at_a_time = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = write_beside(path, &self.recorder.handle().render()) {
            tracing::warn!(path = %path.display(), %error, "metrics cannot be written");
        }
    }
}

/// A collector that reads at any moment sees a whole file.
fn write_beside(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        std::fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("tmp-{}", std::process::id()));
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}
