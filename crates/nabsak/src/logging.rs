//! Words on standard error: readable text, or one JSON object a line. A reader that is gone, or a full disk behind
//! it, stops no run: what cannot be said is dropped.

use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use tracing_subscriber::EnvFilter;

use crate::cli::{LogArgs, LogFormat};

static FORMAT: OnceLock<LogFormat> = OnceLock::new();

/// Starts logging for the whole process.
pub(crate) fn start(args: &LogArgs) -> anyhow::Result<()> {
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

/// People get the stages as the progress tells them, machines every chunk.
fn usual(args: &LogArgs) -> &'static str {
    match args.log {
        LogFormat::Text if args.quiet => {
            "warn,pipeline=off,pipeline::mending=warn,pipeline::output=warn,pipeline::metrics=warn"
        }
        LogFormat::Text => {
            "warn,nabsak=info,pipeline=off,pipeline::mending=warn,pipeline::output=warn,pipeline::metrics=warn"
        }
        LogFormat::Json if args.quiet => "warn",
        LogFormat::Json => "warn,nabsak=info,pipeline=info,store=info",
    }
}

/// A word to the user that no log level hides.
pub(crate) fn say(text: impl Display) {
    match FORMAT.get() {
        Some(LogFormat::Json) => tracing::error!("{text}"),
        _ => drop(writeln!(std::io::stderr(), "nabsak: {text}")),
    }
}
