//! Log lines on standard error: readable text, or one JSON object an event.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;

use crate::cli::{LogArgs, LogFormat};

/// Starts logging for the whole process.
pub(crate) fn start(args: &LogArgs) -> anyhow::Result<()> {
    let filter = args.log_level.as_deref().unwrap_or(usual(args));
    let filter = EnvFilter::try_new(filter)
        .map_err(|error| anyhow::anyhow!("--log-level {filter:?} is no filter: {error}"))?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_target(false);
    match args.log {
        LogFormat::Text => builder.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    Ok(())
}

/// People get the stages, machines every chunk.
fn usual(args: &LogArgs) -> &'static str {
    match args.log {
        _ if args.quiet => "warn",
        LogFormat::Text => "warn,nabsak=info",
        LogFormat::Json => "warn,nabsak=info,pipeline=info,store=info",
    }
}
