//! A worker: Ballista's executor with one slot, and the hands that do chunks.

use std::net::{IpAddr, TcpListener};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::extension::SessionConfigExt;
use ballista_core::ids::new_instance_id;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;
use pipeline::RunOptions;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tonic::transport::Endpoint;

use crate::address::{Address, is_loopback};
use crate::client::{Client, Fault, named};
use crate::codec::Codec;
use crate::error::ClusterError;
use crate::hands::{Hands, SharedHands};
use crate::stores::Stores;

/// How often a worker makes sure that its scheduler is still one of its build.
const LOOK: Duration = Duration::from_secs(5);
/// A chunk that does not stop by then is left to the end of the process.
const STOP: Duration = Duration::from_secs(20);
/// Ballista's loops stop by then.
const QUIET: Duration = Duration::from_secs(2);

/// How a worker runs.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its scheduler.
    pub scheduler: Address,
    /// Where it listens for those who fetch rows of a query; runs need no such port.
    pub bind: IpAddr,
    /// That port; 0 takes a free one.
    pub port: u16,
    /// Whether an address beyond loopback is meant.
    pub insecure_network: bool,
    /// Threads for a chunk, where not as the job says.
    pub threads: Option<usize>,
    /// How long to wait for a scheduler at the start.
    pub patience: Duration,
    /// How chunks are done; who cancels them is the worker's business.
    pub chunks: RunOptions,
}

/// Works until the process is told to stop.
///
/// # Errors
/// There is no scheduler of this build, or the port cannot be had or is beyond loopback without being meant.
pub fn run_worker(settings: &WorkerSettings) -> Result<(), ClusterError> {
    if !is_loopback(settings.bind) && !settings.insecure_network {
        return Err(ClusterError::OpenNetwork(settings.bind.to_string()));
    }
    let name = new_instance_id();
    let working = runtime()?;
    let ended = working.block_on(work(settings, &name));
    // Ballista's loop asks for work to the last, and counts as alive again by that. So it ends first, and the farewell comes then.
    working.shutdown_timeout(QUIET);
    if matches!(ended, Ok(()) | Err(ClusterError::Failed(_))) {
        runtime()?.block_on(say_farewell(settings, &name));
    }
    ended
}

/// Tells the scheduler that this worker is no more, so that it need not wait for its silence.
async fn say_farewell(settings: &WorkerSettings, name: &str) {
    if let Ok(client) = Client::new(&settings.scheduler) {
        let said = tokio::time::timeout(QUIET, client.farewell(name)).await;
        if !matches!(said, Ok(Ok(()))) {
            tracing::warn!("the scheduler did not hear the farewell");
        }
    }
}

async fn work(settings: &WorkerSettings, name: &str) -> Result<(), ClusterError> {
    let client = Client::new(&settings.scheduler);
    let client = client.map_err(|error| ClusterError::Failed(error.to_string()))?;
    let hands = Arc::new(Hands::new(client.clone(), settings));
    tokio::select! {
        found = wait_for_scheduler(settings, client.clone()) => found?,
        () = until_told_to_stop() => return Ok(()),
    }
    let folder = TempDir::with_prefix("nabsak-worker-")
        .map_err(|source| ClusterError::io("making a folder for rows of queries", source))?;
    let config = config(settings, name, &folder, &hands)?;
    tracing::info!(scheduler = %settings.scheduler, worker = name, build = pipeline::build_id(), "worker started");
    let ended = tokio::select! {
        ended = start_executor_process(Arc::new(config)) => {
            ended.map_err(|error| ClusterError::Failed(format!("the worker ended: {error}")))
        }
        // Inside the arms: Ballista's part goes on while the chunk at hand stops.
        error = async {
            let error = watch_scheduler(settings, client).await;
            let_go(&hands).await;
            error
        } => Err(error),
        () = async {
            until_told_to_stop().await;
            tracing::info!("worker stops");
            let_go(&hands).await;
        } => Ok(()),
    };
    tracing::info!(worker = name, "worker ended");
    ended
}

/// Ends the work at hand in order.
async fn let_go(hands: &Hands) {
    let stopped = tokio::time::timeout(STOP, hands.stop()).await;
    if stopped.is_err() {
        tracing::warn!("the chunk at hand did not stop");
    }
}

fn config(
    settings: &WorkerSettings,
    name: &str,
    folder: &TempDir,
    hands: &SharedHands,
) -> Result<ExecutorProcessConfig, ClusterError> {
    let folder = folder.path().to_string_lossy().into_owned();
    let hands = Arc::clone(hands);
    let session = move || SessionConfig::new_with_ballista().with_extension(Arc::clone(&hands));
    let temporary = folder.clone();
    let environment = move |_: &SessionConfig| {
        RuntimeEnvBuilder::new()
            .with_temp_file_path(temporary.clone())
            .with_object_store_registry(Arc::new(Stores::default()))
            .build_arc()
    };
    let port = match settings.port {
        0 => free_port(settings.bind)?,
        port => port,
    };
    Ok(ExecutorProcessConfig {
        executor_id: name.to_owned(),
        bind_host: bind_host(settings.bind),
        port,
        // Never opened: workers ask for work, nobody pushes it to them.
        grpc_port: port,
        scheduler_host: settings.scheduler.host().to_owned(),
        scheduler_port: settings.scheduler.port(),
        scheduler_connect_timeout_seconds: 30,
        vcores: 1,
        task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
        work_dir: Some(folder),
        job_data_ttl_seconds: 3600,
        job_data_clean_up_interval_seconds: 600,
        override_config_producer: Some(Arc::new(session)),
        override_runtime_producer: Some(Arc::new(environment)),
        override_physical_codec: Some(Arc::new(Codec::default())),
        override_create_grpc_client_endpoint: Some(Arc::new(|endpoint: Endpoint| {
            Ok(named(endpoint)?)
        })),
        ..ExecutorProcessConfig::default()
    })
}

/// As Ballista puts it before a colon and the port.
fn bind_host(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

/// A port that is free now. Ballista takes only a number, so somebody else may be quicker; then the worker ends with that message.
fn free_port(ip: IpAddr) -> Result<u16, ClusterError> {
    TcpListener::bind((ip, 0))
        .and_then(|listener| listener.local_addr())
        .map(|address| address.port())
        .map_err(|source| ClusterError::io(&format!("finding a free port of {ip}"), source))
}

async fn wait_for_scheduler(
    settings: &WorkerSettings,
    mut client: Client,
) -> Result<(), ClusterError> {
    let begun = Instant::now();
    loop {
        match client.hello().await {
            Ok(_) => return Ok(()),
            Err(Fault::OtherBuild(text)) => return Err(other_build(settings, &text)),
            Err(Fault::Away(reason)) if begun.elapsed() >= settings.patience => {
                return Err(ClusterError::NoScheduler {
                    address: settings.scheduler.clone(),
                    reason,
                    patience: settings.patience,
                });
            }
            Err(Fault::Away(_)) => tokio::time::sleep(Duration::from_millis(300)).await,
        }
    }
}

/// Comes back only when another build's scheduler has taken the place of ours.
async fn watch_scheduler(settings: &WorkerSettings, mut client: Client) -> ClusterError {
    let mut away = false;
    loop {
        tokio::time::sleep(LOOK).await;
        match client.hello().await {
            Ok(_) if away => {
                away = false;
                tracing::info!("the scheduler is back");
            }
            Ok(_) => {}
            Err(Fault::Away(reason)) if !away => {
                away = true;
                tracing::warn!(reason, "the scheduler is away; the chunk at hand goes on");
            }
            Err(Fault::Away(_)) => {}
            Err(Fault::OtherBuild(text)) => return other_build(settings, &text),
        }
    }
}

fn other_build(settings: &WorkerSettings, text: &str) -> ClusterError {
    ClusterError::OtherBuild(format!("{}: {text}", settings.scheduler))
}

pub(crate) fn runtime() -> Result<Runtime, ClusterError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|source| ClusterError::io("starting threads", source))
}

/// Comes back at the first SIGINT or SIGTERM.
pub(crate) async fn until_told_to_stop() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
