//! Who may talk to a scheduler: programs of its own build. They say so in the user agent of every call.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::USER_AGENT;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ballista_scheduler::cluster::ClusterState;
use tonic::Status;

/// Response header: how many workers were heard of lately.
pub(crate) const WORKERS: &str = "nabsak-workers";

const AGENT: &str = "nabsak-build/";

/// What a program of ours says it is.
pub(crate) fn agent() -> String {
    format!("{AGENT}{}", pipeline::build_id())
}

/// What the guard knows.
#[derive(Clone)]
pub(crate) struct Guard {
    pub(crate) cluster: Arc<dyn ClusterState>,
    /// After so much silence a worker is lost.
    pub(crate) timeout: Duration,
}

/// Lets calls of this build through and tells them how many workers there are.
pub(crate) async fn same_build(
    State(guard): State<Guard>,
    request: Request,
    next: Next,
) -> Response {
    let said = request.headers().get(USER_AGENT);
    let build = said.and_then(|agent| build_of(agent.to_str().ok()?));
    let ours = pipeline::build_id();
    if build.as_deref() != Some(ours.as_str()) {
        let theirs = build.unwrap_or_else(|| "unknown".to_owned());
        tracing::warn!(theirs, ours, "a program of another build was refused");
        return Status::failed_precondition(format!(
            "the scheduler is build {ours} of nabsak, and this is build {theirs}: use one build for scheduler, workers and runs"
        ))
        .into_http::<Body>();
    }
    let mut response = next.run(request).await;
    let workers = HeaderValue::from(guard.workers());
    response.headers_mut().insert(WORKERS, workers);
    response
}

/// The REST side shows, and changes nothing.
pub(crate) async fn only_looking(request: Request, next: Next) -> Response {
    match *request.method() {
        Method::GET | Method::HEAD => next.run(request).await,
        _ => (
            StatusCode::METHOD_NOT_ALLOWED,
            "this side only shows; jobs are stopped where they were started\n",
        )
            .into_response(),
    }
}

impl Guard {
    fn workers(&self) -> usize {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let oldest = now.unwrap_or_default().saturating_sub(self.timeout);
        let heartbeats = self.cluster.executor_heartbeats();
        let lately = heartbeats
            .values()
            .filter(|heartbeat| heartbeat.timestamp > oldest.as_secs());
        lately.count()
    }
}

/// The build in a user agent; the transport puts its own name behind ours.
fn build_of(agent: &str) -> Option<String> {
    let build = agent.strip_prefix(AGENT)?.split(' ').next()?;
    Some(build.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_read_from_its_user_agent() {
        let build = build_of("nabsak-build/0123456789abcdef tonic/0.14.9");
        assert_eq!(build.as_deref(), Some("0123456789abcdef"));
        assert_eq!(build_of("tonic/0.14.9"), None);
        assert_eq!(build_of(&agent()), Some(pipeline::build_id()));
    }
}
