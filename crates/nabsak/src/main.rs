//! The command line `nabsak`: reads arguments, calls the library crates, turns what comes back into
//! output and an exit code.

mod cli;
mod commands;
mod exit;
mod logging;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    if let Err(error) = logging::start(&cli.log) {
        logging::say(format!("{error:#}"));
        return exit::USAGE.into();
    }
    match commands::run(cli.command, &cli.log) {
        Ok(code) => code.into(),
        Err(error) => exit::report(&error).into(),
    }
}
