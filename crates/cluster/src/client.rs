//! Calls to a scheduler, and what its answers mean.

use std::time::Duration;

use ballista_core::extension::SessionConfigExt;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    CancelJobParams, ExecuteQueryParams, ExecutorStoppedParams, GetJobStatusParams, KeyValuePair,
    execute_query_result, job_status,
};
use datafusion::error::DataFusionError;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::physical_plan::AsExecutionPlan;
use datafusion_proto::protobuf::PhysicalPlanNode;
use std::sync::Arc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Status};

use crate::address::Address;
use crate::codec::Codec;
use crate::guard;

/// Largest message of either side, Ballista's own.
const MESSAGE: usize = 16 << 20;
/// A call that takes longer has no answer.
const ANSWER: Duration = Duration::from_secs(15);
/// One session for all waves: a scheduler forgets none while it lives.
const SESSION: &str = "nabsak-run";
/// A job no scheduler has; asked about for what comes with the answer.
const NO_JOB: &str = "nabsak-hello";

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The scheduler is there and is of another build.
    OtherBuild(String),
    /// Nobody answers, for now.
    Away(String),
}

/// What a scheduler says of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JobState {
    /// It waits or runs.
    Open,
    Done,
    /// It failed or was cancelled.
    Failed(String),
    /// The scheduler does not know it: it was started anew since.
    Unknown,
}

/// A line to a scheduler. Clones share it; it comes back by itself when the scheduler does.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    grpc: SchedulerGrpcClient<Channel>,
}

/// How every program of ours calls: it says its build.
pub(crate) fn named(endpoint: Endpoint) -> Result<Endpoint, tonic::transport::Error> {
    endpoint.user_agent(guard::agent())
}

impl Client {
    /// Nothing is called yet. Wants to be in a runtime.
    pub(crate) fn new(address: &Address) -> Result<Client, tonic::transport::Error> {
        let endpoint = named(Endpoint::from_shared(address.url())?)?
            .connect_timeout(Duration::from_secs(3))
            .timeout(ANSWER)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(Duration::from_secs(10))
            .keep_alive_timeout(Duration::from_secs(10));
        let grpc = SchedulerGrpcClient::new(endpoint.connect_lazy())
            .max_encoding_message_size(MESSAGE)
            .max_decoding_message_size(MESSAGE);
        Ok(Client { grpc })
    }

    /// Asks whether the scheduler is there, of this build, and how many workers it has.
    pub(crate) async fn hello(&mut self) -> Result<u64, Fault> {
        self.state(NO_JOB).await.map(|(_, workers)| workers)
    }

    /// What became of a job, and how many workers there are.
    pub(crate) async fn state(&mut self, job: &str) -> Result<(JobState, u64), Fault> {
        let asked = GetJobStatusParams {
            job_id: job.to_owned(),
        };
        let answer = self.grpc.get_job_status(asked).await.map_err(fault)?;
        let workers = answer.metadata().get(guard::WORKERS);
        let workers = workers.and_then(|count| count.to_str().ok()?.parse().ok());
        let workers = workers.ok_or_else(|| {
            Fault::OtherBuild("what answers there is no scheduler of nabsak".to_owned())
        })?;
        let status = answer.into_inner().status.and_then(|status| status.status);
        let state = match status {
            None => JobState::Unknown,
            Some(job_status::Status::Queued(_) | job_status::Status::Running(_)) => JobState::Open,
            Some(job_status::Status::Successful(_)) => JobState::Done,
            Some(job_status::Status::Failed(failed)) => JobState::Failed(failed.error),
        };
        Ok((state, workers))
    }

    /// Hands in a plan and gives the job's name.
    pub(crate) async fn submit(
        &mut self,
        plan: Arc<dyn ExecutionPlan>,
        name: &str,
    ) -> Result<String, Fault> {
        let query = encoded(plan).map_err(|error| Fault::Away(error.to_string()))?;
        let asked = ExecuteQueryParams {
            query: Some(Query::PhysicalPlan(query)),
            settings: settings(name),
            session_id: SESSION.to_owned(),
            operation_id: name.to_owned(),
        };
        let mut request = tonic::Request::new(asked);
        ballista_core::version::insert_version_header(request.metadata_mut());
        let answer = self.grpc.execute_query(request).await.map_err(fault)?;
        match answer.into_inner().result {
            Some(execute_query_result::Result::Success(success)) => Ok(success.job_id),
            other => Err(Fault::Away(format!("the job was not taken: {other:?}"))),
        }
    }

    /// Says that a worker is no more.
    pub(crate) async fn farewell(mut self, worker: &str) -> Result<(), Fault> {
        let said = ExecutorStoppedParams {
            executor_id: worker.to_owned(),
            reason: "the worker was told to stop".to_owned(),
        };
        self.grpc.executor_stopped(said).await.map_err(fault)?;
        Ok(())
    }

    /// Stops a job.
    pub(crate) async fn cancel(&mut self, job: &str) -> Result<(), Fault> {
        let asked = CancelJobParams {
            job_id: job.to_owned(),
        };
        self.grpc.cancel_job(asked).await.map_err(fault)?;
        Ok(())
    }
}

fn encoded(plan: Arc<dyn ExecutionPlan>) -> Result<Vec<u8>, DataFusionError> {
    let mut bytes = Vec::new();
    PhysicalPlanNode::try_from_physical_plan(plan, &Codec::default())?.try_encode(&mut bytes)?;
    Ok(bytes)
}

/// One chunk a task: a task is what is tried again, and a task of several would take all that a worker can at once.
fn settings(name: &str) -> Vec<KeyValuePair> {
    let config = SessionConfig::new_with_ballista()
        .with_ballista_job_name(name)
        .set_usize("ballista.scheduler.max_partitions_per_task", 1);
    let entries = config.options().entries().into_iter();
    entries
        .map(|entry| KeyValuePair {
            key: entry.key,
            value: entry.value,
        })
        .collect()
}

fn fault(status: Status) -> Fault {
    match status.code() {
        Code::FailedPrecondition => Fault::OtherBuild(status.message().to_owned()),
        _ => Fault::Away(words(&status)),
    }
}

/// A status in few words, with its cause where it has one.
fn words(status: &Status) -> String {
    let mut text = status.message().to_owned();
    let mut source = std::error::Error::source(status);
    while let Some(error) = source {
        text = error.to_string();
        source = error.source();
    }
    text
}
