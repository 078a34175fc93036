//! The scheduler: Ballista's, behind a guard that lets only its own build in.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::middleware::{from_fn, from_fn_with_state};
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::serde::protobuf::scheduler_grpc_server::SchedulerGrpcServer;
use ballista_core::utils::{default_config_producer, default_session_builder};
use ballista_scheduler::api::get_routes;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::{SchedulerConfig, TaskDistributionPolicy};
use ballista_scheduler::scheduler_process::create_scheduler;
use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::address::is_loopback;
use crate::codec::Codec;
use crate::error::ClusterError;
use crate::guard::{Guard, only_looking, same_build};
use crate::stores::NoStores;
use crate::worker::{runtime, until_told_to_stop};

/// How a scheduler runs.
#[derive(Clone, Debug)]
pub struct SchedulerSettings {
    /// Where it listens.
    pub bind: IpAddr,
    /// Its port; 0 takes a free one.
    pub port: u16,
    /// Whether an address beyond loopback is meant.
    pub insecure_network: bool,
    /// After so much silence a worker is lost. Workers that work report every five seconds.
    pub worker_timeout: Duration,
}

/// Runs a scheduler until the process is told to stop. `ready` hears where it listens.
///
/// # Errors
/// The port cannot be had, or is beyond loopback without being meant.
pub fn run_scheduler(
    settings: &SchedulerSettings,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ClusterError> {
    if !is_loopback(settings.bind) && !settings.insecure_network {
        return Err(ClusterError::OpenNetwork(settings.bind.to_string()));
    }
    runtime()?.block_on(async {
        tokio::select! {
            served = serve(settings, ready) => served,
            () = until_told_to_stop() => Ok(()),
        }
    })
}

async fn serve(
    settings: &SchedulerSettings,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), ClusterError> {
    let asked = SocketAddr::new(settings.bind, settings.port);
    let bound = TcpListener::bind(asked).await;
    let listener = bound.map_err(|source| ClusterError::io(&format!("binding {asked}"), source))?;
    let address = listener.local_addr();
    let address = address.map_err(|source| ClusterError::io("binding", source))?;
    let config = Arc::new(config(settings, address.port()));
    let cluster = BallistaCluster::new_memory(
        config.scheduler_id.clone(),
        Arc::new(session),
        Arc::new(default_config_producer),
    );
    let guard = Guard {
        cluster: cluster.cluster_state(),
        timeout: settings.worker_timeout,
    };
    let scheduler =
        create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::clone(&config));
    let scheduler = scheduler
        .await
        .map_err(|error| ClusterError::Failed(error.to_string()))?;
    let grpc = SchedulerGrpcServer::new(scheduler.clone())
        .max_encoding_message_size(config.grpc_server_max_encoding_message_size as usize)
        .max_decoding_message_size(config.grpc_server_max_decoding_message_size as usize);
    let calls = Routes::new(grpc)
        .into_axum_router()
        .layer(from_fn_with_state(guard, same_build));
    let pages = get_routes(Arc::new(scheduler)).layer(from_fn(only_looking));
    let service = pages
        .merge(calls)
        .into_make_service_with_connect_info::<SocketAddr>();
    tracing::info!(%address, build = pipeline::build_id(), "scheduler listens");
    ready(address);
    axum::serve(listener, service)
        .await
        .map_err(|source| ClusterError::io("serving", source))
}

/// A session whose stores are empty: the plan of a query names the commit's, and only workers open it.
fn session(config: SessionConfig) -> datafusion::error::Result<SessionState> {
    let environment = RuntimeEnvBuilder::new()
        .with_object_store_registry(Arc::new(NoStores))
        .build_arc()?;
    let state = SessionStateBuilder::new_from_existing(default_session_builder(config)?);
    Ok(state.with_runtime_env(environment).build())
}

fn config(settings: &SchedulerSettings, port: u16) -> SchedulerConfig {
    let timeout = settings.worker_timeout.as_secs().max(1);
    SchedulerConfig {
        bind_host: settings.bind.to_string(),
        bind_port: port,
        external_host: settings.bind.to_string(),
        scheduling_policy: TaskSchedulingPolicy::PullStaged,
        task_distribution: TaskDistributionPolicy::RoundRobin,
        executor_timeout_seconds: timeout,
        expire_dead_executor_interval_seconds: (timeout / 6).max(1),
        no_executors_grace_period_seconds: timeout,
        // Receipts are in the store: what a job leaves with the workers is of no use to anyone.
        finished_job_data_clean_up_interval_seconds: 60,
        finished_job_state_clean_up_interval_seconds: 3600,
        override_physical_codec: Some(Arc::new(Codec::default())),
        // Pages of other hosts have no business here, and none is linked to.
        cors_allowed_origins: "http://localhost".to_owned(),
        cors_allowed_methods: "GET".to_owned(),
        web_tui_route: "/webtui".to_owned(),
        ..SchedulerConfig::default()
    }
}
