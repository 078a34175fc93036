//! A set of named tables, each a list of Parquet parts, and questions to them.

use std::sync::Arc;

use datafusion::arrow::datatypes::Schema;
use datafusion::catalog::TableProvider;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::error::DataFusionError;
use datafusion::execution::context::{SQLOptions, SessionContext};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::ExecutionPlan;
use datafusion::prelude::{DataFrame, SessionConfig};
use store::Store;
use tables::Table;
use thiserror::Error;
use tokio::runtime::Runtime;

use crate::answer::Answer;
use crate::bridge::Bridge;

/// The address under which DataFusion finds the commit's store; it never leaves the process.
const ROOT: &str = "nabsak://commit/";

/// Why a question has no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The SQL is wrong, or asks for something a read-only session refuses.
    #[error("{0}")]
    Sql(#[source] Box<DataFusionError>),
    /// The SQL is fine, and this session was told not to answer such questions.
    #[error("{0}")]
    Refused(String),
    /// The answer could not be printed.
    #[error("cannot write the answer: {0}")]
    Write(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The process could not start its worker threads.
    #[error("cannot start the query threads: {0}")]
    Threads(#[source] std::io::Error),
}

impl From<DataFusionError> for QueryError {
    fn from(error: DataFusionError) -> Self {
        Self::Sql(Box::new(error))
    }
}

/// One Parquet part of a table.
#[derive(Debug, Clone)]
pub struct Part {
    /// The table it belongs to.
    pub table: Table,
    /// Its key in the store.
    pub key: String,
}

/// A question as DataFusion would answer it.
#[derive(Debug, Clone)]
pub struct Planned {
    /// The answer's columns.
    pub schema: Arc<Schema>,
    /// How its rows are made.
    pub plan: Arc<dyn ExecutionPlan>,
}

/// The tables of one commit, ready for questions. Blocks the calling thread while it works.
pub struct Session {
    runtime: Runtime,
    context: SessionContext,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Session {
    /// Names every table of the contracts; one without parts is there, and empty.
    ///
    /// # Errors
    ///
    /// [`QueryError::Threads`], and [`QueryError::Sql`] if DataFusion refuses a part's name.
    pub fn new(store: Arc<dyn Store>, parts: &[Part]) -> Result<Self, QueryError> {
        Session::rooted(store, parts, ROOT, SessionConfig::new())
    }

    /// The same, where plans leave the process: `root` is the address under which others find the store, and ends in a slash.
    ///
    /// # Errors
    ///
    /// As [`Session::new`].
    pub fn rooted(
        store: Arc<dyn Store>,
        parts: &[Part],
        root: &str,
        mut config: SessionConfig,
    ) -> Result<Self, QueryError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(QueryError::Threads)?;
        // Readers of these tables look for words: give them text, not its internal view type.
        config
            .options_mut()
            .execution
            .parquet
            .schema_force_view_types = false;
        let context = SessionContext::new_with_config(config);
        let url = ObjectStoreUrl::parse(root)?;
        context.register_object_store(url.as_ref(), Arc::new(Bridge::new(store)));
        for table in Table::ALL {
            let keys = parts
                .iter()
                .filter(|part| part.table == table)
                .map(|part| part.key.as_str());
            context.register_table(table.name(), provider(root, table, keys)?)?;
        }
        Ok(Self { runtime, context })
    }

    /// Asks one question.
    ///
    /// # Errors
    ///
    /// [`QueryError::Sql`] for SQL that is wrong or that would change anything.
    pub fn ask(&self, sql: &str) -> Result<Answer, QueryError> {
        self.runtime.block_on(async {
            let frame = self.frame(sql).await?;
            let schema = Arc::new(frame.schema().as_arrow().clone());
            Ok(Answer::new(schema, frame.collect().await?))
        })
    }

    /// Plans one question without answering it, if `may` has no reason against it.
    ///
    /// # Errors
    ///
    /// As [`Session::ask`], and [`QueryError::Refused`] with the reason.
    pub fn plan(
        &self,
        sql: &str,
        may: impl FnOnce(&LogicalPlan) -> Result<(), String>,
    ) -> Result<Planned, QueryError> {
        self.runtime.block_on(async {
            let frame = self.frame(sql).await?;
            may(frame.logical_plan()).map_err(QueryError::Refused)?;
            let schema = Arc::new(frame.schema().as_arrow().clone());
            let plan = frame.create_physical_plan().await?;
            Ok(Planned { schema, plan })
        })
    }

    /// The session's settings.
    pub fn config(&self) -> SessionConfig {
        self.context.copied_config()
    }

    /// The session's name, unlike any other's.
    pub fn id(&self) -> String {
        self.context.session_id()
    }

    /// Runs something on the session's threads.
    pub fn block_on<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    async fn frame(&self, sql: &str) -> Result<DataFrame, DataFusionError> {
        let read_only = SQLOptions::new()
            .with_allow_ddl(false)
            .with_allow_dml(false)
            .with_allow_statements(false);
        self.context.sql_with_options(sql, read_only).await
    }
}

fn provider<'a>(
    root: &str,
    table: Table,
    keys: impl Iterator<Item = &'a str>,
) -> Result<Arc<dyn TableProvider>, DataFusionError> {
    let schema: Arc<Schema> = table.schema();
    let urls: Vec<_> = keys
        .map(|key| ListingTableUrl::parse(format!("{root}{key}")))
        .collect::<Result<_, _>>()?;
    if urls.is_empty() {
        return Ok(Arc::new(EmptyTable::new(schema)));
    }
    let options =
        ListingOptions::new(Arc::new(ParquetFormat::default())).with_file_extension(".parquet");
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config)?))
}
