//! Made-up rows of any table: each column is filled by its type, so that a new column needs nothing here.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, StringArray,
    TimestampMicrosecondArray,
};
use arrow_schema::DataType;
use tables::{Cell, Column, Row, Tags};

/// A small generator of numbers that are the same everywhere (xorshift).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Something, or nothing once in four times where the column allows it.
    fn some<T>(&mut self, column: &Column, value: impl FnOnce(u64) -> T) -> Option<T> {
        let number = self.next();
        (!column.nullable || !number.is_multiple_of(4)).then(|| value(number >> 2))
    }
}

fn text(column: &Column, number: u64) -> String {
    match column.digits {
        Some(digits) => format!("{number:016x}").repeat(4)[..digits].to_owned(),
        None => format!("{} {} หมากรุก", column.name, number % 50),
    }
}

fn word(column: &Column, number: u64) -> String {
    match &column.allowed {
        Some(words) => words[number as usize % words.len()].to_owned(),
        None => format!("{}_{}", column.name, number % 5),
    }
}

fn array(column: &Column, n: usize, numbers: &mut Numbers) -> ArrayRef {
    let mut each = |value: &dyn Fn(u64) -> u64| -> Vec<Option<u64>> {
        (0..n).map(|_| numbers.some(column, value)).collect()
    };
    let values = each(&|number| number);
    match &column.data_type {
        DataType::Boolean => Arc::new(
            values
                .iter()
                .map(|v| v.map(|v| v % 2 == 0))
                .collect::<BooleanArray>(),
        ),
        DataType::Int32 => Arc::new(
            values
                .iter()
                .map(|v| v.map(|v| (v % 1000) as i32))
                .collect::<Int32Array>(),
        ),
        DataType::Int64 => Arc::new(
            values
                .iter()
                .map(|v| v.map(|v| (v % 100_000) as i64))
                .collect::<Int64Array>(),
        ),
        DataType::Float64 => Arc::new(
            values
                .iter()
                .map(|v| v.map(|v| (v % 1000) as f64 / 1000.0))
                .collect::<Float64Array>(),
        ),
        DataType::Utf8 => Arc::new(
            values
                .iter()
                .map(|v| v.map(|v| text(column, v)))
                .collect::<StringArray>(),
        ),
        DataType::Dictionary(..) => {
            let words: Vec<Option<String>> =
                values.iter().map(|v| v.map(|v| word(column, v))).collect();
            Arc::new(
                words
                    .iter()
                    .map(Option::as_deref)
                    .collect::<DictionaryArray<Int32Type>>(),
            )
        }
        DataType::Timestamp(..) => {
            let array: TimestampMicrosecondArray = values
                .iter()
                .map(|v| v.map(|v| (v % (1 << 50)) as i64))
                .collect();
            Arc::new(array.with_timezone("UTC"))
        }
        DataType::Map(..) => {
            let tags = |number: u64| {
                let mut tags = Tags::default();
                (0..number % 4).for_each(|tag| tags.push(&format!("Tag{}", tag % 2), "สวัสดี"));
                tags
            };
            let tags: Vec<Option<Tags>> = values.iter().map(|v| v.map(tags)).collect();
            Tags::array(tags.iter().map(Option::as_ref))
        }
        other => unreachable!("no column has the type {other}"),
    }
}

/// `n` made-up rows, the same for the same seed.
pub(crate) fn rows<R: Row>(n: usize, seed: u64) -> Vec<R> {
    let mut numbers = Numbers(seed * 2 + 1);
    let arrays: Vec<ArrayRef> = R::columns()
        .iter()
        .map(|column| array(column, n, &mut numbers))
        .collect();
    R::from_arrays(&arrays).expect("the arrays have the types of the columns")
}
