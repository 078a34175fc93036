//! The rows a question gave, and the forms they are printed in.

use std::io::Write;
use std::sync::Arc;

use datafusion::arrow::csv;
use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::json;
use datafusion::arrow::record_batch::RecordBatch;
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use parquet::arrow::ArrowWriter;

use crate::session::QueryError;

/// How an [`Answer`] is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for people.
    Table,
    /// Comma-separated values, a header line first; null is empty.
    Csv,
    /// One JSON object a line; null columns are left out.
    Json,
    /// A Parquet file.
    Parquet,
}

/// The rows a question gave.
#[derive(Debug)]
pub struct Answer {
    schema: Arc<Schema>,
    batches: Vec<RecordBatch>,
}

impl Answer {
    /// Rows of a plan's schema.
    pub fn new(schema: Arc<Schema>, batches: Vec<RecordBatch>) -> Self {
        Self { schema, batches }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Prints the rows.
    ///
    /// # Errors
    ///
    /// [`QueryError::Write`] if the output cannot be written, or a column's type has no such form.
    pub fn write(&self, format: Format, out: &mut (impl Write + Send)) -> Result<(), QueryError> {
        match format {
            Format::Table => self.write_table(out),
            Format::Csv => self.write_csv(out),
            Format::Json => self.write_json(out),
            Format::Parquet => self.write_parquet(out),
        }
        .map_err(QueryError::Write)
    }

    fn write_table(&self, out: &mut impl Write) -> Result<(), BoxError> {
        let text = pretty_format_batches_with_schema(Arc::clone(&self.schema), &self.batches)?;
        writeln!(out, "{text}")?;
        Ok(())
    }

    fn write_csv(&self, out: &mut impl Write) -> Result<(), BoxError> {
        let mut writer = csv::WriterBuilder::new().with_header(true).build(out);
        if self.batches.is_empty() {
            writer.write(&RecordBatch::new_empty(Arc::clone(&self.schema)))?;
        }
        for batch in &self.batches {
            writer.write(batch)?;
        }
        Ok(())
    }

    fn write_json(&self, out: &mut impl Write) -> Result<(), BoxError> {
        let mut writer = json::LineDelimitedWriter::new(out);
        for batch in &self.batches {
            writer.write(batch)?;
        }
        writer.finish()?;
        Ok(())
    }

    fn write_parquet(&self, out: &mut (impl Write + Send)) -> Result<(), BoxError> {
        let mut writer = ArrowWriter::try_new(out, Arc::clone(&self.schema), None)?;
        for batch in &self.batches {
            writer.write(batch)?;
        }
        writer.close()?;
        Ok(())
    }
}

type BoxError = Box<dyn std::error::Error + Send + Sync>;
