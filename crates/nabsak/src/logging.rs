//! Words on standard error: readable text, or one JSON object a line. A reader that is gone, or a full disk behind
//! it, stops no run: what cannot be said is dropped.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use tracing_subscriber::EnvFilter;

use crate::cli::{LogArgs, LogFormat};

static FORMAT: OnceLock<LogFormat> = OnceLock::new();
static PROGRAM: OnceLock<&str> = OnceLock::new();

/// The program's name.
pub(crate) fn program() -> &'static str {
    PROGRAM.get().copied().unwrap_or("nabsak")
}

/// Starts logging for the whole process.
pub(crate) fn start(name: &'static str, args: &LogArgs) -> anyhow::Result<()> {
    PROGRAM.get_or_init(|| name);
    let filter = args.log_level.as_deref().unwrap_or(usual(args));
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| anyhow::anyhow!("--log-level {filter:?} is no filter: {error}"))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .log_internal_errors(false)
        .with_target(false);
    match FORMAT.get_or_init(|| args.log) {
        LogFormat::Text => builder.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    Ok(())
}

/// A worker whose scheduler is away says so itself, once; Ballista's loop would say it twenty times a second.
/// People get the stages as the progress tells them, machines every chunk.
fn usual(args: &LogArgs) -> &'static str {
    match args.log {
        LogFormat::Text if args.quiet => {
            "warn,cluster::driver=off,pipeline=off,pipeline::mending=warn,pipeline::output=warn,pipeline::metrics=warn,ballista_executor=off"
        }
        LogFormat::Text => {
            "warn,nabsak=info,cluster=info,cluster::driver=off,pipeline=off,pipeline::mending=warn,pipeline::output=warn,pipeline::metrics=warn,ballista_executor=off"
        }
        LogFormat::Json if args.quiet => "warn,ballista_executor=off",
        LogFormat::Json => {
            "warn,nabsak=info,cluster=info,pipeline=info,store=info,ballista_executor=off"
        }
    }
}

/// A word to the user that no log level hides.
pub(crate) fn say(text: impl Display) {
    match FORMAT.get() {
        Some(LogFormat::Json) => tracing::error!("{text}"),
        _ => drop(writeln!(std::io::stderr(), "{}: {text}", program())),
    }
}
