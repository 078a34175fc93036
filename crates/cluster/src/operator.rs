//! The plan of a wave: an in-memory manifest of indices, one partition each, and above it the operator that does them.
//!
//! The work must stand above the manifest. Ballista cuts a task's plan to its partitions by looking for sources that it knows; a
//! source of our own would be left whole, and every task would do everything.

use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, RecordBatch, StringArray, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::datasource::memory::MemorySourceConfig;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    PlanProperties, ReplaceChildrenOptions, SendableRecordBatchStream,
};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};

use crate::hands::Hands;

/// What a worker must know beside the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Work {
    /// The build that made the plan.
    pub(crate) build: String,
    /// The driver's run.
    pub(crate) run: String,
    /// The stage, for the log.
    pub(crate) stage: String,
    /// The manifest's place.
    pub(crate) manifest: String,
    /// After this no chunk begins, in milliseconds since 1970.
    pub(crate) deadline_ms: Option<u64>,
}

/// Does the chunks whose indices come from below. One row comes out for each: index and what became of it.
#[derive(Debug)]
pub(crate) struct ChunksExec {
    work: Arc<Work>,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl ChunksExec {
    pub(crate) fn new(work: Arc<Work>, input: Arc<dyn ExecutionPlan>) -> ChunksExec {
        let properties = PlanProperties::new(
            EquivalenceProperties::new(outcomes()),
            input.output_partitioning().clone(),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        ChunksExec {
            work,
            input,
            properties: Arc::new(properties),
        }
    }

    pub(crate) fn work(&self) -> &Work {
        &self.work
    }
}

/// The plan that does chunks of a manifest, one partition a chunk.
pub(crate) fn plan(work: Work, indices: &[u64]) -> Result<Arc<dyn ExecutionPlan>> {
    let schema: SchemaRef = Arc::new(Schema::new(vec![Field::new(
        "index",
        DataType::UInt64,
        false,
    )]));
    let partitions = indices
        .iter()
        .map(|index| {
            let column: ArrayRef = Arc::new(UInt64Array::from(vec![*index]));
            Ok(vec![RecordBatch::try_new(
                Arc::clone(&schema),
                vec![column],
            )?])
        })
        .collect::<Result<Vec<_>>>()?;
    let manifest = MemorySourceConfig::try_new_exec(&partitions, schema, None)?;
    Ok(Arc::new(ChunksExec::new(Arc::new(work), manifest)))
}

fn outcomes() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("index", DataType::UInt64, false),
        Field::new("outcome", DataType::Utf8, false),
    ]))
}

impl DisplayAs for ChunksExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChunksExec: {}", self.work.manifest)
    }
}

impl ExecutionPlan for ChunksExec {
    fn name(&self) -> &str {
        "ChunksExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        mut children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match (children.pop(), children.is_empty()) {
            (Some(input), true) => Ok(Arc::new(ChunksExec::new(Arc::clone(&self.work), input))),
            _ => Err(DataFusionError::Internal(
                "ChunksExec has one child".to_owned(),
            )),
        }
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
        self.replace_children(children, options)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let hands = context.session_config().get_extension::<Hands>();
        let hands = hands.ok_or_else(|| {
            DataFusionError::Execution("chunks are done by nabsak-worker only".to_owned())
        })?;
        let job = job_of(&context.task_id().unwrap_or_default());
        let work = Arc::clone(&self.work);
        let input = self.input.execute(partition, context)?;
        let rows = input
            .map_ok(|batch| stream::iter(indices(&batch)))
            .try_flatten()
            .then(move |index| {
                let (hands, work, job) = (Arc::clone(&hands), Arc::clone(&work), job.clone());
                async move {
                    let index = index?;
                    let outcome = hands.take(&work, index, &job).await?;
                    row(index, outcome)
                }
            });
        Ok(Box::pin(RecordBatchStreamAdapter::new(
            outcomes(),
            rows.boxed(),
        )))
    }
}

fn indices(batch: &RecordBatch) -> Vec<Result<u64>> {
    let column = batch.column(0).as_any().downcast_ref::<UInt64Array>();
    match column {
        Some(column) => column.values().iter().map(|index| Ok(*index)).collect(),
        None => vec![Err(DataFusionError::Internal(
            "the manifest holds indices".to_owned(),
        ))],
    }
}

fn row(index: u64, outcome: &str) -> Result<RecordBatch> {
    let index: ArrayRef = Arc::new(UInt64Array::from(vec![index]));
    let outcome: ArrayRef = Arc::new(StringArray::from(vec![outcome]));
    Ok(RecordBatch::try_new(outcomes(), vec![index, outcome])?)
}

/// The job in a task's name, `TID <job>/<stage>.<attempt>/...`.
fn job_of(task: &str) -> String {
    let task = task.strip_prefix("TID ").unwrap_or(task);
    task.split('/').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_partition_a_chunk() {
        let work = Work {
            build: "b".to_owned(),
            run: "r".to_owned(),
            stage: "search".to_owned(),
            manifest: "/out/_nabsak/plans/search/x".to_owned(),
            deadline_ms: None,
        };
        let plan = plan(work, &[4, 0, 9]).expect("a plan");
        assert_eq!(plan.output_partitioning().partition_count(), 3);
        assert_eq!(plan.children().len(), 1);
    }

    #[test]
    fn a_task_names_its_job() {
        assert_eq!(job_of("TID aBc12/1.0/7.0"), "aBc12");
        assert_eq!(job_of(""), "");
    }
}
