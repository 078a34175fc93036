//! Exit codes, as the README documents them.

use std::fmt;
use std::process::ExitCode;

use crate::logging;

/// An exit code of `nabsak`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exit(u8);

/// Everything asked for was done.
pub(crate) const DONE: Exit = Exit(0);
/// The audit found something at or above `--fail-on`.
pub(crate) const FOUND: Exit = Exit(1);
/// Wrong usage or a wrong job file.
pub(crate) const USAGE: Exit = Exit(2);
/// Some input could not be read; the rest is done.
pub(crate) const INPUT: Exit = Exit(3);
/// Output or a service failed.
pub(crate) const OUTPUT: Exit = Exit(5);

impl Exit {
    /// The code a run ended with.
    pub(crate) fn from_code(code: u8) -> Self {
        Self(code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}

/// An error that knows its exit code; everything else ends with [`OUTPUT`].
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// An error of usage: what was typed or written in a job file cannot be done.
pub(crate) fn usage(message: impl fmt::Display) -> anyhow::Error {
    failure(USAGE, message)
}

/// An error with its exit code.
pub(crate) fn failure(exit: Exit, message: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(Failure {
        exit,
        message: message.to_string(),
    })
}

/// Prints the error and gives its exit code. A reader that closed our output early is no error.
pub(crate) fn report(error: &anyhow::Error) -> Exit {
    let closed = error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe);
    if closed {
        return DONE;
    }
    let text = format!("{error:#}");
    logging::say(
        text.lines()
            .map(report::clean)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    error
        .downcast_ref::<Failure>()
        .map_or(OUTPUT, |failure| failure.exit)
}
