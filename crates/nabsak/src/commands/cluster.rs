//! `nabsak cluster scheduler`, `nabsak-worker cluster` and `--cluster`, where the build can.

use std::sync::Arc;

use pipeline::Dispatch;

use crate::cli::{ClusterArgs, SchedulerArgs, WorkerArgs};
use crate::exit::Exit;

/// This build has no cluster: say who has.
#[cfg(not(feature = "cluster"))]
fn missing<T>() -> anyhow::Result<T> {
    Err(crate::exit::usage(
        "this build knows no cluster. Build one that does:  cargo build --release --features cluster",
    ))
}

#[cfg(not(feature = "cluster"))]
pub(super) fn scheduler(_: &SchedulerArgs) -> anyhow::Result<Exit> {
    missing()
}

#[cfg(not(feature = "cluster"))]
pub(super) fn worker(_: &WorkerArgs) -> anyhow::Result<Exit> {
    missing()
}

#[cfg(not(feature = "cluster"))]
pub(super) fn dispatch(args: &ClusterArgs) -> anyhow::Result<Option<Arc<dyn Dispatch>>> {
    match args.cluster {
        None => Ok(None),
        Some(_) => missing(),
    }
}

#[cfg(feature = "cluster")]
pub(super) use with_cluster::{ask, dispatch, scheduler, worker};

#[cfg(feature = "cluster")]
mod with_cluster {
    use std::io::Write;
    use std::time::Duration;

    use cluster::{Address, ClusterError, Driver, SchedulerSettings, WorkerSettings};

    use super::{Arc, ClusterArgs, Dispatch, Exit, SchedulerArgs, WorkerArgs};
    use crate::commands::run::{this_command, unattended};
    use crate::exit::{self, DONE};

    pub(crate) fn scheduler(args: &SchedulerArgs) -> anyhow::Result<Exit> {
        let settings = SchedulerSettings {
            bind: args.listen.bind,
            port: args.port,
            insecure_network: args.listen.insecure_network,
            worker_timeout: Duration::from_secs(args.worker_timeout),
        };
        let ready = |address: std::net::SocketAddr| {
            // Whoever started it and closed its output wants no word.
            let _ = writeln!(
                std::io::stdout(),
                "scheduler at df://{address}\nworkers: nabsak-worker cluster df://{address}\nmetrics: http://{address}/api/metrics"
            );
        };
        cluster::run_scheduler(&settings, ready).map_err(failure)?;
        Ok(DONE)
    }

    pub(crate) fn worker(args: &WorkerArgs) -> anyhow::Result<Exit> {
        let settings = WorkerSettings {
            scheduler: address(&args.scheduler)?,
            bind: args.listen.bind,
            port: args.port,
            insecure_network: args.listen.insecure_network,
            threads: args.threads.map(usize::from),
            patience: Duration::from_secs(args.wait),
            chunks: unattended(),
        };
        cluster::run_worker(&settings).map_err(failure)?;
        Ok(DONE)
    }

    /// Who does the chunks of a run, if not this machine.
    pub(crate) fn dispatch(args: &ClusterArgs) -> anyhow::Result<Option<Arc<dyn Dispatch>>> {
        let Some(scheduler) = &args.cluster else {
            return Ok(None);
        };
        let driver = Driver::new(address(scheduler)?, patience(args));
        Ok(Some(Arc::new(driver)))
    }

    /// Has the workers answer a question, where `--cluster` says so.
    pub(crate) fn ask(
        args: &ClusterArgs,
        view: &pipeline::CommitView,
        parts: &[query::Part],
        sql: &str,
    ) -> anyhow::Result<Option<query::Answer>> {
        let Some(scheduler) = &args.cluster else {
            return Ok(None);
        };
        let store = view.store();
        let place = match store.describe() {
            place if place.starts_with("s3://") => place,
            folder => std::path::absolute(folder)?.display().to_string(),
        };
        let answer = cluster::ask(
            &address(scheduler)?,
            patience(args),
            Arc::clone(store),
            &place,
            parts,
            sql,
        );
        answer.map(Some).map_err(failure)
    }

    fn address(text: &str) -> anyhow::Result<Address> {
        text.parse().map_err(exit::usage)
    }

    fn patience(args: &ClusterArgs) -> Duration {
        Duration::from_secs(args.cluster_wait)
    }

    fn failure(error: ClusterError) -> anyhow::Error {
        let exit = Exit::from_code(error.exit_status());
        let again = match exit {
            exit::OUTPUT => format!("\nThe same command goes on: {}", this_command()),
            _ => String::new(),
        };
        exit::failure(exit, format!("{error}{again}"))
    }
}
