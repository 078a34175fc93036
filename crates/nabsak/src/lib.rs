//! The command lines `nabsak` and `nabsak-worker`: they read arguments, call the library crates, and turn what comes back into output
//! and an exit code.

mod cli;
mod commands;
mod exit;
mod logging;

use std::process::ExitCode;

use clap::Parser;

/// The hash that both programs of a build carry.
const BUILD: &str = env!("NABSAK_BUILD");

/// The program `nabsak`.
#[must_use]
pub fn nabsak() -> ExitCode {
    let cli = cli::Cli::parse();
    carry_out("nabsak", &cli.log, || commands::run(cli.command, &cli.log))
}

/// The program `nabsak-worker`: tasks of arrays and of clusters, and nothing else.
#[must_use]
pub fn worker() -> ExitCode {
    let cli = cli::WorkerCli::parse();
    carry_out("nabsak-worker", &cli.log, || {
        commands::run_worker(cli.command, &cli.log)
    })
}

fn carry_out(
    program: &'static str,
    log: &cli::LogArgs,
    command: impl FnOnce() -> anyhow::Result<exit::Exit>,
) -> ExitCode {
    pipeline::set_build_id(BUILD);
    if let Err(error) = logging::start(program, log) {
        logging::say(format!("{error:#}"));
        return exit::USAGE.into();
    }
    match command() {
        Ok(code) => code.into(),
        Err(error) => exit::report(&error).into(),
    }
}
