//! What a user types: the arguments of every command, and nothing else.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// Audit and statistics of makruk and ouk chatrang game archives.
///
/// Results go to standard output, everything else to standard error.
#[derive(Debug, Parser)]
#[command(name = "nabsak", version = VERSION, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

/// The worker of array jobs and clusters: tasks, and nothing else.
#[derive(Debug, Parser)]
#[command(name = "nabsak-worker", version = VERSION, after_help = EXIT_CODES)]
pub(crate) struct WorkerCli {
    #[command(subcommand)]
    pub(crate) command: WorkerCommand,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkerCommand {
    /// Array jobs: do one chunk of a manifest, or every K-th, as `nabsak task` does.
    Task(TaskArgs),
    /// Does what a task asks of a child process: a chunk at which processes died, with limited memory.
    #[command(hide = true)]
    Alone,
    /// Do the chunks that a scheduler hands out, one at a time, until told to stop.
    Cluster(WorkerArgs),
}

const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (build ",
    env!("NABSAK_BUILD"),
    ")"
);

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 the audit found something at or above --fail-on; 2 wrong usage or job file;
3 some input could not be read (the rest is committed); 4 done, but chunks failed or a deadline came
first; 5 output or a service failed; 130 interrupted. The highest of 3, 4, 5 wins.";

/// How the program speaks while it works.
#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// How log lines look on standard error.
    #[arg(long, global = true, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log: LogFormat,
    /// Log this much: error, warn, info, debug, trace, or a filter such as `pipeline=debug`.
    #[arg(long, global = true, value_name = "FILTER")]
    pub(crate) log_level: Option<String>,
    /// No progress bars or progress lines.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// One readable line an event.
    Text,
    /// One JSON object an event.
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a job file: replay, analyse, write tables and the report.
    Run(RunArgs),
    /// Audit archives without a job file.
    Audit(AuditArgs),
    /// Show one game ply by ply, as the rules see it.
    Replay(ReplayArgs),
    /// Ask the tables of a run a question in SQL.
    Query(QueryArgs),
    /// Write games of a run as PGN that other programs read.
    Export(ExportArgs),
    /// Print the summary of a run's current commit, or write its page.
    Report(ReportArgs),
    /// Browse a run's current commit: report, games, findings, openings, at an address of this machine.
    Serve(ServeArgs),
    /// Draw a position.
    Board(BoardArgs),
    /// The rule sets: list them, show one with the source of each switch, or compare two.
    Rules {
        #[command(subcommand)]
        command: RulesCommand,
    },
    /// Count the leaves of the move tree; the node count is the last line.
    Perft(PerftArgs),
    /// Replay JSON lines from standard input, for tests against other implementations.
    Trace(TraceArgs),
    /// The built-in engine, for any UCI program.
    Uci(UciArgs),
    /// Search a fixed set of positions and print the node signature.
    Bench,
    /// Array jobs: plan a stage of a job as a manifest of chunks, for `nabsak task`.
    Plan(PlanArgs),
    /// Array jobs: do one chunk of a manifest, or every K-th.
    ///
    /// Exit codes: 0 done, by this task or before; 2 the index or the manifest is wrong: plan again; 3 an archive cannot be read;
    /// 4 the chunk failed and is marked, another try would not help; 5 output or a service failed: try again; 130 interrupted.
    Task(TaskArgs),
    /// Array jobs: commit what tasks have done; says which stage is next if work is left (exit 4).
    Commit(CommitArgs),
    /// Does what a run asks of a child process: a chunk at which processes died, with limited memory.
    #[command(hide = true)]
    Alone,
    /// The scheduler of a cluster; `nabsak-worker cluster` is the other side, `--cluster` uses both.
    Cluster {
        #[command(subcommand)]
        command: ClusterCommand,
    },
    /// The commits of an output folder.
    Runs {
        #[command(subcommand)]
        command: RunsCommand,
    },
}

#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The job file.
    #[arg(value_name = "JOB.toml")]
    pub(crate) job: PathBuf,
    /// Say what would run, and run nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Override a key of the job file, such as `analysis.nodes=5000`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Try chunks again that failed in earlier runs.
    #[arg(long)]
    pub(crate) retry_failed: bool,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

/// Where the work is done, if not here.
#[derive(Debug, Args)]
pub(crate) struct ClusterArgs {
    /// Have the workers of this scheduler do the work.
    #[arg(long, value_name = "df://HOST:PORT")]
    pub(crate) cluster: Option<String>,
    /// How long to wait for a scheduler that does not answer, or for a first worker.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) cluster_wait: u64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Hand out the chunks of `nabsak run --cluster` to workers, until told to stop. It keeps nothing: all that matters is in the store.
    Scheduler(SchedulerArgs),
}

#[derive(Debug, Args)]
pub(crate) struct SchedulerArgs {
    /// Its port; 0 takes a free one and prints it.
    #[arg(long, value_name = "PORT", default_value_t = 50050)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    /// After so much silence a worker is lost and its chunk goes to another. Workers report every five seconds or more often.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(7..))]
    pub(crate) worker_timeout: u64,
}

#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The scheduler.
    #[arg(value_name = "df://HOST:PORT")]
    pub(crate) scheduler: String,
    /// The port from which rows of queries are fetched, a free one if 0. Runs need none.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub(crate) port: u16,
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    /// Threads for a chunk, where not as the job says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
    /// How long to wait for a scheduler that does not answer yet.
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    pub(crate) wait: u64,
}

/// Where a part of a cluster listens.
#[derive(Debug, Args)]
pub(crate) struct ListenArgs {
    /// The address to listen on.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) bind: IpAddr,
    /// Listen beyond this machine, though the ports have neither encryption nor passwords: whoever reaches them can run work and read
    /// files as this user.
    #[arg(long)]
    pub(crate) insecure_network: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlanArgs {
    /// The job file.
    #[arg(value_name = "JOB.toml")]
    pub(crate) job: PathBuf,
    /// The stage, in running order: index, replay, search, assemble. What the stages before have done is taken up.
    #[arg(long, value_enum)]
    pub(crate) stage: ArrayStage,
    /// Override a key of the job file, such as `analysis.nodes=5000`.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Largest size the array may have; with more chunks than that, each task does several.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_tasks: u64,
    /// Take chunks up again that were given up after too many deaths.
    #[arg(long)]
    pub(crate) retry_failed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ArrayStage {
    /// What each new archive is, and where it is cut.
    Index,
    /// Ranges of archives to games.
    Replay,
    /// Plies to scores.
    Search,
    /// Games and scores to evaluations.
    Assemble,
}

#[derive(Debug, Args)]
pub(crate) struct TaskArgs {
    /// The manifest, as `nabsak plan` printed it: a path or s3://bucket/prefix/_nabsak/plans/...
    pub(crate) manifest: String,
    /// Which chunk, from 0.
    #[arg(
        long,
        value_name = "N",
        required_unless_present = "index_from_env",
        conflicts_with = "index_from_env"
    )]
    pub(crate) index: Option<u64>,
    /// Take the index from SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or AWS_BATCH_JOB_ARRAY_INDEX.
    #[arg(long)]
    pub(crate) index_from_env: bool,
    /// Do every K-th chunk from N on: for an array of the size K.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) stride: Option<u64>,
    /// Worker threads, where not as the job says.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    pub(crate) threads: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct CommitArgs {
    /// The job file.
    #[arg(value_name = "JOB.toml")]
    pub(crate) job: PathBuf,
    /// Override a key of the job file, as for the plan.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AuditArgs {
    /// Files, folders, globs or s3://bucket/prefix.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<String>,
    /// Games that do not name their variant are this one: makruk, ouk or kar-ouk.
    #[arg(long, value_name = "ID")]
    pub(crate) variant: Option<String>,
    /// Judge by this rule set, an id or a file, and bind it: findings need not hold under other readings of the rules.
    #[arg(long, value_name = "ID|FILE")]
    pub(crate) rules: Option<String>,
    /// Judge every game by these rule sets of its variant as well, and say where they part and by which switch.
    #[arg(long, value_name = "ID|FILE,...", value_delimiter = ',')]
    pub(crate) compare: Vec<String>,
    /// Analyse every game with the built-in engine as well.
    #[arg(long)]
    pub(crate) analyse: bool,
    /// Exit with 1 if a finding is at least this severe: note, warning, error or critical.
    #[arg(long, value_name = "SEVERITY")]
    pub(crate) fail_on: Option<String>,
    /// Where tables and report.html go.
    #[arg(long, value_name = "DIR", default_value = "./nabsak-audit")]
    pub(crate) out: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// An archive file, or the output folder of a run.
    pub(crate) path: PathBuf,
    /// Which game: its number in the file (1, the first, if absent), or its game id in an output folder.
    #[arg(long, value_name = "N|GAME_ID")]
    pub(crate) game: Option<String>,
    /// Judge by this rule set instead of the variant's own.
    #[arg(long, value_name = "ID")]
    pub(crate) rules: Option<String>,
    /// Say what these rule sets make of the game as well, where they part and by which switch.
    #[arg(long, value_name = "ID|FILE,...", value_delimiter = ',')]
    pub(crate) compare: Vec<String>,
    /// Write the game's printable sheet here instead.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct QueryArgs {
    /// The output folder of a run, or s3://bucket/prefix.
    pub(crate) dir: String,
    /// The question.
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub(crate) sql: Option<String>,
    /// A file with the question.
    #[arg(long)]
    pub(crate) file: Option<PathBuf>,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns.
    Table,
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object a line.
    Json,
    /// A Parquet file.
    Parquet,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The output folder of a run, or s3://bucket/prefix.
    pub(crate) dir: String,
    /// Only games for which this holds, a condition in SQL on the games table, such as
    /// "white_elo > 2000 AND game_id IN (SELECT game_id FROM findings WHERE severity = 'error')".
    #[arg(long = "where", value_name = "SQL")]
    pub(crate) condition: Option<String>,
    /// How the moves are written.
    #[arg(long = "as", value_enum, value_name = "FORM", default_value_t = ExportForm::Pgn)]
    pub(crate) form: ExportForm,
    /// Clocks, times and evaluations of the record as comments.
    #[arg(long)]
    pub(crate) comments: bool,
    /// The number said at each move of a counting side as a comment.
    #[arg(long)]
    pub(crate) counts: bool,
    /// What was found as comments.
    #[arg(long)]
    pub(crate) findings: bool,
    /// Where the archives lie now, as in the job's `input.archives`, for --as original; where they lay at the run unless said.
    #[arg(long, value_name = "PATH")]
    pub(crate) input: Vec<String>,
    /// Write here instead of to standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportForm {
    /// PGN in the usual letters, as pychess, cutechess and WinBoard read it.
    Pgn,
    /// PGN in Thai letters. Captures of a bia and of a man that would read alike are written longer.
    Thai,
    /// The bytes that stand in the archives, also of games that were rejected or set aside.
    Original,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The output folder of a run, or s3://bucket/prefix.
    pub(crate) dir: String,
    /// Write the self-contained page here instead of printing the summary.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// The output folder of a run, or s3://bucket/prefix.
    pub(crate) dir: String,
    /// The port; 0 takes any that is free. The address is printed.
    #[arg(long, value_name = "N", default_value_t = 8377)]
    pub(crate) port: u16,
    /// The address to listen on. There is no password: beyond this machine only behind a proxy that asks for one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) host: std::net::IpAddr,
}

#[derive(Debug, Args)]
pub(crate) struct BoardArgs {
    /// The position.
    #[arg(long)]
    pub(crate) fen: String,
    /// Read the position under this rule set.
    #[arg(long, value_name = "ID", default_value = "makruk")]
    pub(crate) rules: String,
    /// Write an SVG picture here instead of printing the board.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Every rule set this build knows.
    List,
    /// One rule set: its switches, each with its value, the rule set that states it, and the source.
    Show {
        /// The rule set's id, such as makruk+sut-khun, or the path of a rule-set file.
        #[arg(value_name = "ID|FILE")]
        id: String,
    },
    /// The switches in which two rule sets differ, with the sources of both.
    Diff {
        /// A rule set's id or file.
        #[arg(value_name = "ID|FILE")]
        one: String,
        /// The other's.
        #[arg(value_name = "ID|FILE")]
        other: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Plies.
    pub(crate) depth: u32,
    /// The rule set.
    #[arg(long, value_name = "ID", default_value = "makruk")]
    pub(crate) rules: String,
    /// The position; the rule set's start position if absent.
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// The count behind each move of the first ply.
    #[arg(long)]
    pub(crate) divide: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The rule set.
    #[arg(long, value_name = "ID")]
    pub(crate) rules: String,
    /// Stop at the first ending; without it, play goes on past endings.
    #[arg(long)]
    pub(crate) until_end: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UciArgs {
    /// The rule set until the other side sets UCI_Variant.
    #[arg(long, value_name = "ID", default_value = "makruk")]
    pub(crate) rules: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Every commit, one a line.
    List {
        /// The output folder of a run, or s3://bucket/prefix.
        dir: String,
    },
    /// One commit: its tables, parts and rows.
    Show {
        /// The output folder of a run, or s3://bucket/prefix.
        dir: String,
        /// The commit's number; the current one if absent.
        commit: Option<u64>,
    },
    /// Make the state of an earlier commit the current one, as a new commit, if all its parts are still there (see
    /// output.keep_hours). The next run of the job commits the state of its input again.
    Restore {
        /// The output folder of a run, or s3://bucket/prefix.
        dir: String,
        /// The commit's number.
        commit: u64,
    },
}
