//! One description per table: the struct is the list of columns, and everything else follows from it.

use std::cmp::Ordering;

use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use crate::cell::{Cell, Field};
use crate::error::TableError;
use crate::table::Table;

/// A column as the code has it; the contract in `schemas/` must say the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its Arrow type.
    pub data_type: DataType,
    /// Whether it may be null.
    pub nullable: bool,
    /// The words that may stand in it, if the list is closed.
    pub allowed: Option<Vec<&'static str>>,
    /// The number of hex digits, if it holds ids.
    pub digits: Option<usize>,
}

impl Column {
    /// The column that a field of type `F` makes.
    pub fn of<F: Field>(name: &'static str) -> Column {
        Column {
            name,
            data_type: F::Cell::data_type(),
            nullable: F::NULLABLE,
            allowed: F::Cell::allowed(),
            digits: F::Cell::digits(),
        }
    }
}

/// A row of a table, or of some of its columns. Made by [`row!`](crate::row!), not by hand.
pub trait Row: Sized + Clone {
    /// The table.
    const TABLE: Table;
    /// The columns by which rows are ordered in a file; none means the order of the games in the input.
    const ORDER: &'static [&'static str];
    /// The columns, in order.
    fn columns() -> Vec<Column>;
    /// How two rows stand by [`Row::ORDER`].
    fn order(&self, other: &Self) -> Ordering;
    /// The rows as one array per column.
    fn arrays(rows: &[Self]) -> Vec<ArrayRef>;
    /// The rows of one array per column, all of one length.
    ///
    /// # Errors
    /// If a column is missing or a value does not fit.
    fn from_arrays(arrays: &[ArrayRef]) -> Result<Vec<Self>, TableError>;
}

/// The array of one column of rows.
pub fn column_array<'a, F: Field + 'a>(fields: impl ExactSizeIterator<Item = &'a F>) -> ArrayRef {
    F::Cell::array(fields.map(F::get))
}

/// The fields of one column of rows.
///
/// # Errors
/// If the column is missing or a value does not fit.
pub fn column_fields<F: Field>(
    table: Table,
    column: &'static str,
    array: Option<&ArrayRef>,
) -> Result<Vec<F>, TableError> {
    let array: &dyn Array = array
        .ok_or(TableError::MissingColumn { table, column })?
        .as_ref();
    let fit = |source| TableError::Cell {
        table,
        column,
        source,
    };
    let cells = F::Cell::values(array).map_err(fit)?;
    cells
        .into_iter()
        .map(F::from_cell)
        .collect::<Result<Vec<F>, _>>()
        .map_err(fit)
}

/// Declares a row struct and with it the columns, the order, and the roads to and from Arrow.
///
/// Every field is a column: its name, its type (a [`Cell`](crate::Cell)), `Option` if it may be null. A struct with
/// some of a table's columns is a projection: reading it decodes those and no others.
///
/// ```
/// use tables::{Hex, Key, Table, row};
///
/// row! {
///     /// Which positions a game went through.
///     pub struct PositionOfGame in Table::Plies, ordered by [] {
///         /// The game.
///         pub game_id: Hex<16>,
///         /// The position after the ply.
///         pub position_key: Key,
///     }
/// }
/// # let rows: Vec<PositionOfGame> = Vec::new();
/// ```
#[macro_export]
macro_rules! row {
    (
        $(#[$meta:meta])*
        pub struct $Row:ident in $table:expr, ordered by [$($key:ident),*] {
            $( $(#[$field_meta:meta])* pub $field:ident: $ty:ty, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Row {
            $( $(#[$field_meta])* pub $field: $ty, )*
        }

        impl $crate::Row for $Row {
            const TABLE: $crate::Table = $table;
            const ORDER: &'static [&'static str] = &[$( stringify!($key) ),*];

            fn columns() -> Vec<$crate::Column> {
                vec![$( $crate::Column::of::<$ty>(stringify!($field)) ),*]
            }

            fn order(&self, _other: &Self) -> std::cmp::Ordering {
                std::cmp::Ordering::Equal$( .then_with(|| self.$key.cmp(&_other.$key)) )*
            }

            fn arrays(rows: &[Self]) -> Vec<$crate::ArrayRef> {
                vec![$( $crate::column_array(rows.iter().map(|row| &row.$field)) ),*]
            }

            fn from_arrays(arrays: &[$crate::ArrayRef]) -> Result<Vec<Self>, $crate::TableError> {
                let mut arrays = arrays.iter();
                $(
                    let mut $field = $crate::column_fields::<$ty>($table, stringify!($field), arrays.next())?
                        .into_iter();
                )*
                let mut rows = Vec::new();
                loop {
                    rows.push($Row {
                        $( $field: match $field.next() {
                            Some(value) => value,
                            None => return Ok(rows),
                        }, )*
                    });
                }
            }
        }
    };
}
