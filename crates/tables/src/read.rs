//! Parquet back to rows.

use std::marker::PhantomData;

use arrow_array::{ArrayRef, new_null_array};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::reader::ChunkReader;

use crate::error::TableError;
use crate::row::{Column, Row};

/// Rows decoded at a time: a row of `games` is two or three kilobytes in memory, and a reader holds a batch as columns
/// and as rows.
const READ_ROWS: usize = 1_024;

/// The rows of a part, one batch at a time, in the order of the file.
pub struct Rows<R: Row> {
    batches: ParquetRecordBatchReader,
    columns: Vec<Column>,
    row: PhantomData<R>,
}

impl<R: Row> std::fmt::Debug for Rows<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows")
            .field("table", &R::TABLE)
            .finish_non_exhaustive()
    }
}

/// Reads a part: `Bytes` in memory or a `File`. Only the columns of `R` are decoded, so a struct with few columns
/// (see [`row!`](crate::row!)) is a cheap look at a wide table. Columns that `R` does not know are passed over, and columns that may
/// be null and are not there are null: a file of another minor version reads as well.
///
/// # Errors
/// If the bytes are no Parquet, or lack a column of `R` that is never null.
pub fn read<R: Row>(part: impl ChunkReader + 'static) -> Result<Rows<R>, TableError> {
    stretch(part, None)
}

/// As [`read`], but only `rows` rows from row `first` on: pages that hold none of them are not decoded.
///
/// # Errors
/// As [`read`].
pub fn read_rows<R: Row>(
    part: impl ChunkReader + 'static,
    first: u64,
    rows: u64,
) -> Result<Rows<R>, TableError> {
    let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    stretch(part, Some((place(first), place(rows))))
}

fn stretch<R: Row>(
    part: impl ChunkReader + 'static,
    rows: Option<(usize, usize)>,
) -> Result<Rows<R>, TableError> {
    let parquet_error = |source| TableError::Parquet {
        table: R::TABLE,
        source,
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(part).map_err(parquet_error)?;
    let columns = R::columns();
    let index_of = |column: &Column| match builder.schema().index_of(column.name) {
        Ok(index) => Ok(Some(index)),
        Err(_) if column.nullable => Ok(None),
        Err(_) => Err(TableError::MissingColumn {
            table: R::TABLE,
            column: column.name,
        }),
    };
    let indices = columns
        .iter()
        .filter_map(|column| index_of(column).transpose())
        .collect::<Result<Vec<usize>, _>>()?;
    let mask = ProjectionMask::roots(builder.parquet_schema(), indices);
    let builder = match rows {
        Some((0, rows)) => builder.with_limit(rows),
        Some((first, rows)) => builder.with_offset(first).with_limit(rows),
        None => builder,
    };
    let batches = builder
        .with_projection(mask)
        .with_batch_size(READ_ROWS)
        .build()
        .map_err(parquet_error)?;
    Ok(Rows {
        batches,
        columns,
        row: PhantomData,
    })
}

/// All rows of a part at once, for tables that are small.
///
/// # Errors
/// As [`read`], and if a value does not fit its column.
pub fn read_all<R: Row>(part: impl ChunkReader + 'static) -> Result<Vec<R>, TableError> {
    let mut rows = Vec::new();
    for batch in read(part)? {
        rows.extend(batch?);
    }
    Ok(rows)
}

impl<R: Row> Iterator for Rows<R> {
    type Item = Result<Vec<R>, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = match self.batches.next()? {
            Ok(batch) => batch,
            Err(source) => {
                return Some(Err(TableError::Arrow {
                    table: R::TABLE,
                    source,
                }));
            }
        };
        let arrays: Vec<ArrayRef> = self
            .columns
            .iter()
            .map(|column| match batch.column_by_name(column.name) {
                Some(array) => ArrayRef::clone(array),
                None => new_null_array(&column.data_type, batch.num_rows()),
            })
            .collect();
        Some(R::from_arrays(&arrays))
    }
}
