//! What can go wrong between rows and Parquet.

use arrow_schema::{ArrowError, DataType};
use parquet::errors::ParquetError;

use crate::table::Table;

/// A value that does not fit its column.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CellError {
    /// The column has another type than the contract says.
    #[error("expected a column of type {expected}, found {found}")]
    WrongType {
        /// By the contract.
        expected: DataType,
        /// In the file.
        found: DataType,
    },
    /// The column has a null where the contract allows none.
    #[error("a null in a column that has none")]
    Null,
    /// The column holds a word outside its closed list.
    #[error("\"{found}\" is not one of {}", expected.join(", "))]
    UnknownWord {
        /// The closed list.
        expected: Vec<&'static str>,
        /// In the file.
        found: String,
    },
    /// The column holds something else than an id.
    #[error("expected {digits} hex digits, found \"{found}\"")]
    NotHex {
        /// Number of digits.
        digits: usize,
        /// In the file.
        found: String,
    },
}

/// A table that could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A value does not fit its column.
    #[error("table {table}, column {column}: {source}")]
    Cell {
        /// The table.
        table: Table,
        /// The column.
        column: &'static str,
        /// What does not fit.
        source: CellError,
    },
    /// The file lacks a column that was asked for.
    #[error("table {table}: the file has no column {column}")]
    MissingColumn {
        /// The table.
        table: Table,
        /// The column.
        column: &'static str,
    },
    /// Rows were pushed against the order of the table.
    #[error("table {table}: row {row} comes after one that must follow it (order: {})", table.order().join(", "))]
    OutOfOrder {
        /// The table.
        table: Table,
        /// Number of the row, 0 is the first.
        row: u64,
    },
    /// Arrow refused the columns.
    #[error("table {table}: {source}")]
    Arrow {
        /// The table.
        table: Table,
        /// Arrow's reason.
        source: ArrowError,
    },
    /// Parquet could not be written or read; the sink's own errors are among these.
    #[error("table {table}: {source}")]
    Parquet {
        /// The table.
        table: Table,
        /// Parquet's reason.
        source: ParquetError,
    },
}
