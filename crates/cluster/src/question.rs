//! A question to a commit, answered by the workers: scans and aggregates of one table.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::execution_plans::execute_physical_plan;
use ballista_core::extension::SessionConfigExt;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::PhysicalPlanNode;
use futures_util::TryStreamExt;
use query::{Answer, Part, Session};
use store::Store;
use tonic::transport::Endpoint;

use crate::address::Address;
use crate::client::named;
use crate::codec::Codec;
use crate::driver::Line;
use crate::error::ClusterError;
use crate::stores::root_of;

/// Asks a commit's tables in SQL and has the workers read them. `place` is where they find the store, a whole path or a URL.
///
/// # Errors
/// The SQL is wrong, or more than scans and aggregates of one table; or the cluster cannot be had.
pub fn ask(
    scheduler: &Address,
    patience: Duration,
    store: Arc<dyn Store>,
    place: &str,
    parts: &[Part],
    sql: &str,
) -> Result<Answer, ClusterError> {
    let said = |error: query::QueryError| ClusterError::Question(error.to_string());
    let config = SessionConfig::new_with_ballista()
        .with_ballista_job_name("nabsak query")
        .with_ballista_override_create_grpc_client_endpoint(Arc::new(|endpoint: Endpoint| {
            Ok(named(endpoint)?)
        }));
    let session = Session::rooted(store, parts, &root_of(place), config).map_err(said)?;
    let planned = session.plan(sql, only_simple).map_err(said)?;
    Line::open(scheduler, patience)?.wait_ready(|| false)?;
    let batches = session.block_on(async {
        let config = session.config();
        let ballista = config.ballista_config();
        let codec = Codec::default();
        let rows = execute_physical_plan::<PhysicalPlanNode>(
            scheduler.url(),
            &ballista,
            planned.plan,
            &codec,
            session.id(),
            config,
        );
        rows.await?.try_collect::<Vec<_>>().await
    });
    let batches = batches.map_err(|error| {
        ClusterError::Failed(format!(
            "the cluster did not answer: {error}. Without --cluster the question is answered on this machine"
        ))
    })?;
    Ok(Answer::new(planned.schema, batches))
}

/// Ballista's plans of joins, windows and the like have given wrong answers in the past: what we do not check, we do not ask.
fn only_simple(plan: &LogicalPlan) -> Result<(), String> {
    let mut beyond = None;
    let mut tables = 0;
    let walked = plan.apply_with_subqueries(|node| {
        match node {
            LogicalPlan::Projection(_)
            | LogicalPlan::Filter(_)
            | LogicalPlan::Aggregate(_)
            | LogicalPlan::Distinct(_)
            | LogicalPlan::Sort(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::SubqueryAlias(_) => {}
            LogicalPlan::TableScan(_) => tables += 1,
            other => {
                let name = other.display().to_string();
                beyond.get_or_insert(name);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    });
    if tables > 1 {
        beyond.get_or_insert("more than one table".to_owned());
    }
    match (walked, beyond) {
        (Err(error), _) => Err(error.to_string()),
        (Ok(_), Some(beyond)) => Err(format!(
            "--cluster answers scans, filters, aggregates, ORDER BY and LIMIT over one table, and this question has {beyond}: ask it \
             without --cluster"
        )),
        (Ok(_), None) => Ok(()),
    }
}
