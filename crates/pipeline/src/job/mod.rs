//! The job: what to read, which rules judge it, how to analyse it, where to write. [`JobFile`] is what was typed,
//! [`Job`] is what it means; nothing later reads raw configuration.

mod build;
mod carried;
mod file;
mod rules;
mod spec;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use serde::{Deserialize, Serialize};

pub use file::{Entry, JobError, JobFile, Origin, Value};
pub use rules::RuleFile;
pub(crate) use spec::nearest_word;
pub use spec::{KEYS, KeySpec, Kind};

/// A checked job. Built by [`Job::from_file`] or [`job_for_audit`]; every field holds a usable value. The manifest of an array
/// carries it whole, rule-set files with it, so that a task reads no job file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The name that owns the output folder: letters, digits, `-` and `_`.
    pub name: String,
    /// What is read.
    pub input: Input,
    /// Which rule set judges which game.
    pub rules: RuleChoice,
    /// How games are analysed.
    pub analysis: AnalysisSettings,
    /// Positions up to this ply enter the opening statistics.
    pub opening_plies: u32,
    /// Where results go.
    pub output: Output,
    /// Where S3 is.
    pub s3: S3Access,
    /// How this machine runs it; never part of a key.
    pub run: RunSettings,
}

/// The input of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "carried::Input", try_from = "carried::Input")]
pub struct Input {
    /// Files, folders, globs, `s3://bucket/prefix`, as typed.
    pub archives: Vec<String>,
    /// Archives whose path below the root matches none of these are left out.
    pub include: Patterns,
    /// Archives whose path below the root matches one of these are left out.
    pub exclude: Patterns,
    /// The encoding of all text, or `None` to find it out game by game.
    pub encoding: Option<archive::Encoding>,
    /// The dialect of all games, or `None` to find it out game by game.
    pub dialect: Option<archive::Dialect>,
    /// Which squares bear the numbers 1 to 64, or `None` to try all ways, game by game.
    pub numbering: Option<notation::read::Numbering>,
    /// What an archive may unpack to.
    pub limits: Limits,
}

/// What an archive may unpack to, as `archive::ReaderSettings` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Largest zstd window, as a power of two.
    pub zstd_window_log_max: u32,
    /// Bytes unpacked for each packed one.
    pub max_ratio: u64,
    /// Bytes that one stream unpacks to.
    pub max_decompressed_bytes: u64,
    /// Bytes that the files of one zip or tar unpack to.
    pub max_archive_bytes: u64,
    /// Files of one zip or tar.
    pub max_members: usize,
}

/// Patterns over paths of archives: `*` and `?` stop at `/`, `**` does not.
#[derive(Clone, Debug)]
pub struct Patterns {
    texts: Vec<String>,
    set: GlobSet,
}

impl Patterns {
    /// Compiles the patterns.
    ///
    /// # Errors
    /// The first text that is no pattern, with the reason.
    pub(crate) fn new(texts: Vec<String>) -> Result<Patterns, (String, String)> {
        let mut set = GlobSetBuilder::new();
        for text in &texts {
            let glob = GlobBuilder::new(text).literal_separator(true).build();
            set.add(glob.map_err(|error| (text.clone(), error.kind().to_string()))?);
        }
        let set = set.build();
        let set = set.map_err(|error| (texts.join(", "), error.to_string()))?;
        Ok(Patterns { texts, set })
    }

    /// Whether one of the patterns fits.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// The patterns as typed.
    #[must_use]
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

/// Which rule set judges which variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChoice {
    /// Rule-set id by variant (`makruk`, `ouk`, `kar-ouk`): binds the variant's games. A variant that is not here is judged by its
    /// own profile, unbound.
    pub by_variant: BTreeMap<String, String>,
    /// The variant of games that name none and come from no known source.
    pub default_variant: Option<String>,
    /// Rules for games by where they come from; the first that matches holds.
    pub sources: Vec<SourceRule>,
    /// Ids of rule sets by which every game of their variant is judged as well, each once, in the order of their names.
    pub compare: Vec<String>,
    /// The files of the rule sets that do not come with the program, by id.
    pub files: BTreeMap<String, RuleFile>,
}

/// One `[[rules.source]]`: games from here are of this variant, judged by this rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceRule {
    /// Part of the site tag, case folded.
    pub site: Option<String>,
    /// The dialect of the record.
    pub dialect: Option<String>,
    /// A pattern over the archive's path in which `*` stands for any text.
    pub path: Option<String>,
    /// The variant where the record names none.
    pub variant: String,
    /// The rule set that binds these games, or `None` for the variant's own.
    pub rule_set: Option<String>,
}

/// How games are analysed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalysisSettings {
    /// Which engine.
    pub engine: EngineChoice,
    /// Nodes a ply.
    pub nodes: u64,
    /// Depth limit in plies, if any.
    pub depth: Option<u32>,
    /// Hash table of one engine, MiB.
    pub hash_mib: u32,
    /// Which games.
    pub games: GameChoice,
    /// The first ply that is analysed, from 1.
    pub first_ply: u32,
}

/// The engine of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EngineChoice {
    /// No analysis.
    None,
    /// The built-in search.
    Builtin,
    /// A UCI engine as a child process, one per worker thread.
    Uci {
        /// The program: a path, or a name on `PATH`.
        program: String,
        /// Its arguments.
        args: Vec<String>,
        /// UCI options, sent in key order.
        options: BTreeMap<String, String>,
        /// How long one ply may take before the engine is taken for dead.
        ply_timeout: Duration,
    },
}

/// Which games are analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameChoice {
    /// Every accepted game.
    All,
    /// Accepted games with a finding of severity warning or above.
    Findings,
}

/// Where results go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// A folder or `s3://bucket/prefix`.
    pub location: String,
    /// Whether `report.html` is wanted (the command line writes it).
    pub report: bool,
    /// How long parts that a newer commit no longer names stay.
    pub keep_hours: u32,
    /// The environment variable that holds the key of the pseudonyms, if players' names are replaced.
    pub pseudonyms: Option<String>,
}

/// How S3 is reached; what is `None` comes from the environment. Keys are never in a job file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct S3Access {
    /// Endpoint of a store that is not AWS.
    pub endpoint: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Bucket in the path rather than in the host name.
    pub path_style: bool,
}

impl S3Access {
    /// As the store takes it.
    #[must_use]
    pub fn settings(&self) -> store::S3Settings {
        store::S3Settings {
            endpoint: self.endpoint.clone(),
            region: self.region.clone(),
            path_style: self.path_style.then_some(true),
            ..store::S3Settings::default()
        }
    }
}

/// How this machine runs the job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSettings {
    /// Worker threads; 0 = one a core.
    pub threads: usize,
    /// Size of a replay chunk in bytes of text.
    pub chunk_bytes: u64,
    /// Target size of a search chunk in CPU seconds.
    pub search_chunk_s: u32,
    /// Deaths or failures after which a chunk is set aside.
    pub attempts: u32,
    /// Memory of a process that works on a chunk alone, because others died at it, in bytes.
    pub isolated_bytes: u64,
    /// How often a process says that it lives. One that misses three beats is taken for dead.
    pub beat: Duration,
    /// A process that gets nowhere for so long is given up.
    pub stall: Option<Duration>,
    /// What to do where another run of the job is at work.
    pub lock: Lock,
    /// No new chunk is started after this long.
    pub deadline: Option<Duration>,
    /// Prometheus textfile.
    pub metrics: Option<PathBuf>,
}

/// What a run does where another one is at work on the same output. What is right is never decided by this: the commit log is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lock {
    /// Says so, and shares the work: what the other is at is left to it.
    #[default]
    Share,
    /// Waits until the other has ended.
    Wait,
    /// Ends at once.
    Stop,
    /// Does not look.
    Off,
}

/// Options of a job that `nabsak audit` builds from its command line.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// The variant of games that name none.
    pub variant: Option<String>,
    /// The rule set that judges, and binds, every game of its variant: an id or a file.
    pub rules: Option<String>,
    /// Rule sets by which every game of their variant is judged as well: ids or files.
    pub compare: Vec<String>,
    /// Whether games are analysed by the built-in engine.
    pub analyse: bool,
    /// Output folder or S3 prefix; `./nabsak-audit` where `None`.
    pub out: Option<String>,
    /// Worker threads; 0 = one a core.
    pub threads: usize,
}

impl Job {
    /// Checks a job file and builds the job. `S3Access` is completed from the environment later, when a store is opened.
    ///
    /// # Errors
    /// Names the line and the nearest valid value.
    pub fn from_file(file: &JobFile) -> Result<Job, JobError> {
        build::job(file)
    }

    /// Reads, overrides and checks in one step.
    ///
    /// # Errors
    /// As [`JobFile::parse`], [`JobFile::set`] and [`Job::from_file`].
    pub fn parse(name: &str, text: &str, overrides: &[String]) -> Result<Job, JobError> {
        let mut file = JobFile::parse(name, text)?;
        for assignment in overrides {
            file.set(assignment)?;
        }
        Job::from_file(&file)
    }

    /// The job as checked, in one text: two jobs that read, judge, analyse and write the same have the same. How this machine runs
    /// it is not in it.
    #[must_use]
    pub fn identity(&self) -> String {
        format!(
            "{:?}",
            (
                &self.name,
                (
                    &self.input.archives,
                    self.input.include.texts(),
                    self.input.exclude.texts(),
                    self.input.encoding,
                    self.input.dialect,
                    self.input.numbering,
                    self.input.limits
                ),
                &self.rules,
                &self.analysis,
                self.opening_plies,
                &self.output,
            )
        )
    }

    /// Worker threads of this machine's run.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self.run.threads {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads => threads,
        }
    }
}

/// The job of `nabsak audit PATH...`: no job file, findings first, analysis only where asked for.
///
/// # Errors
/// Names a wrong option and the nearest valid one.
pub fn job_for_audit(paths: &[String], options: &AuditOptions) -> Result<Job, JobError> {
    build::audit(paths, options)
}
