//! Rows to Parquet.

use std::cmp::Ordering;
use std::io::Write;
use std::mem;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use crate::error::TableError;
use crate::row::{Column, Row};
use crate::table::{Table, schema_of};

/// Rows handed to Parquet at a time. Fixed, so that the bytes do not depend on how rows are pushed.
pub const BATCH_ROWS: usize = 1_024;

/// Rows of a row group: 128 batches. A row group of plies is then about 3 MB, small enough that a Bloom filter which
/// lets one through costs little, and large enough to compress.
pub const ROW_GROUP_ROWS: usize = 128 * BATCH_ROWS;

/// zstd level: 3 is where more effort stops paying on these tables.
const ZSTD_LEVEL: i32 = 3;

/// Writes rows of one table into a sink as they come.
///
/// Holds one batch of rows and one compressed row group, however many rows are pushed. The same rows give the same
/// bytes, however they are grouped into pushes.
pub struct TableWriter<R: Row, W: Write + Send> {
    parquet: ArrowWriter<W>,
    schema: SchemaRef,
    waiting: Vec<R>,
    last_of_batch: Option<R>,
    pushed: u64,
}

impl<R: Row, W: Write + Send> std::fmt::Debug for TableWriter<R, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter")
            .field("table", &R::TABLE)
            .field("rows", &self.pushed)
            .finish_non_exhaustive()
    }
}

impl<R: Row, W: Write + Send> TableWriter<R, W> {
    /// A writer of an empty table.
    ///
    /// # Errors
    /// If the sink refuses its first bytes.
    pub fn new(sink: W) -> Result<TableWriter<R, W>, TableError> {
        let columns = R::columns();
        let schema = schema_of(&columns);
        let properties = properties(R::TABLE, R::ORDER, &columns).map_err(parquet_error::<R>)?;
        let parquet = ArrowWriter::try_new(sink, SchemaRef::clone(&schema), Some(properties))
            .map_err(parquet_error::<R>)?;
        Ok(TableWriter {
            parquet,
            schema,
            waiting: Vec::with_capacity(BATCH_ROWS),
            last_of_batch: None,
            pushed: 0,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`TableError::OutOfOrder`] if it belongs before the last one; else what the sink says.
    pub fn push(&mut self, row: R) -> Result<(), TableError> {
        let last = self.waiting.last().or(self.last_of_batch.as_ref());
        if last.is_some_and(|last| last.order(&row) == Ordering::Greater) {
            return Err(TableError::OutOfOrder {
                table: R::TABLE,
                row: self.pushed,
            });
        }
        self.waiting.push(row);
        self.pushed += 1;
        if self.waiting.len() == BATCH_ROWS {
            self.write_batch()
        } else {
            Ok(())
        }
    }

    /// Adds rows.
    ///
    /// # Errors
    /// As [`TableWriter::push`].
    pub fn extend(&mut self, rows: impl IntoIterator<Item = R>) -> Result<(), TableError> {
        rows.into_iter().try_for_each(|row| self.push(row))
    }

    /// Number of rows pushed so far.
    pub fn rows(&self) -> u64 {
        self.pushed
    }

    /// Writes what is waiting and the footer, and gives the sink back.
    ///
    /// # Errors
    /// What the sink says.
    pub fn finish(mut self) -> Result<W, TableError> {
        self.write_batch()?;
        self.parquet.into_inner().map_err(parquet_error::<R>)
    }

    fn write_batch(&mut self) -> Result<(), TableError> {
        let rows = mem::take(&mut self.waiting);
        let arrow_error = |source| TableError::Arrow {
            table: R::TABLE,
            source,
        };
        let batch = RecordBatch::try_new(SchemaRef::clone(&self.schema), R::arrays(&rows))
            .map_err(arrow_error)?;
        self.parquet.write(&batch).map_err(parquet_error::<R>)?;
        self.last_of_batch = rows.last().cloned().or(self.last_of_batch.take());
        self.waiting = rows;
        self.waiting.clear();
        Ok(())
    }
}

/// A whole table as bytes: the rows, put into the table's order.
///
/// # Errors
/// Only what Parquet says; memory refuses nothing.
pub fn write<R: Row>(mut rows: Vec<R>) -> Result<Vec<u8>, TableError> {
    rows.sort_by(R::order);
    let mut writer = TableWriter::new(Vec::new())?;
    writer.extend(rows)?;
    writer.finish()
}

fn parquet_error<R: Row>(source: ParquetError) -> TableError {
    TableError::Parquet {
        table: R::TABLE,
        source,
    }
}

fn zstd(level: i32) -> Result<Compression, ParquetError> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(level)?))
}

/// How the table is laid out. Nothing here may depend on the machine, the day or the crate's release.
fn properties(
    table: Table,
    order: &[&str],
    columns: &[Column],
) -> Result<WriterProperties, ParquetError> {
    let path = |column: &&str| ColumnPath::from(*column);
    let place = |key: &&str| columns.iter().position(|column| column.name == *key);
    // Words of a closed list stand in the list's order, which is mostly not that of their letters: readers may be told of
    // the columns before it only.
    let by_letters = |place: &usize| {
        let words = columns
            .get(*place)
            .and_then(|column| column.allowed.as_ref());
        words.is_none_or(|words| words.is_sorted())
    };
    let ascending = |place: usize| SortingColumn {
        column_idx: place as i32,
        descending: false,
        nulls_first: true,
    };
    // Columns that are nested would shift the leaf numbers; `tags`, the only one, comes after every key.
    let places = order.iter().filter_map(place).take_while(by_letters);
    let sorting: Vec<SortingColumn> = places.map(ascending).collect();
    let about = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
    let mut builder = WriterProperties::builder()
        .set_created_by("nabsak version 1.0.0".to_owned())
        .set_key_value_metadata(Some(vec![
            about("nabsak.table", table.name()),
            about("nabsak.contract", Table::CONTRACT_VERSION),
        ]))
        .set_compression(zstd(ZSTD_LEVEL)?)
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_sorting_columns((!sorting.is_empty()).then_some(sorting));
    let has = |column: &&&'static str| columns.iter().any(|own| own.name == **column);
    for column in table.hardly_repeating().iter().filter(has) {
        builder = builder.set_column_dictionary_enabled(path(column), false);
        if columns
            .iter()
            .any(|own| own.name == *column && own.data_type == DataType::Utf8)
        {
            // Lengths apart from text: equal lengths then cost nothing, and zstd sees text alone.
            builder = builder.set_column_encoding(path(column), Encoding::DELTA_LENGTH_BYTE_ARRAY);
        }
    }
    for column in table.near_the_last().iter().filter(has) {
        builder = builder
            .set_column_dictionary_enabled(path(column), false)
            .set_column_encoding(path(column), Encoding::DELTA_BINARY_PACKED);
    }
    for column in table.without_statistics().iter().filter(has) {
        builder = builder.set_column_statistics_enabled(path(column), EnabledStatistics::None);
    }
    for column in table.packed_lightly().iter().filter(has) {
        builder = builder.set_column_compression(path(column), zstd(1)?);
    }
    for column in table.looked_up_by() {
        builder = builder.set_column_bloom_filter_enabled(path(column), true);
    }
    Ok(builder.build())
}
