//! What a column can hold, and how each kind becomes an Arrow array and comes back.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType,
};
use arrow_array::{Array, ArrayRef, MapArray, StringArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field as ArrowField, Fields, TimeUnit};

use crate::columns;
use crate::error::CellError;

/// A kind of value that fills a column.
///
/// Values go a whole column at a time, so that a kind is one loop and not a builder with a life of its own.
pub trait Cell: Sized + Clone + PartialEq {
    /// The Arrow type of a column of this kind.
    fn data_type() -> DataType;
    /// The column of these values; `None` becomes null.
    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef
    where
        Self: 'a;
    /// The values of a column.
    ///
    /// # Errors
    /// If the array has another type, or a value is not one of this kind.
    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError>;
    /// The words that may stand in the column, if the list is closed.
    fn allowed() -> Option<Vec<&'static str>> {
        None
    }
    /// The number of hex digits, if the column holds ids.
    fn digits() -> Option<usize> {
        None
    }
}

/// A column of a row struct: a [`Cell`] that is always there, or an `Option` of one.
pub trait Field: Sized {
    /// The kind of value.
    type Cell: Cell;
    /// Whether the column may be null.
    const NULLABLE: bool;
    /// The value, if there is one.
    fn get(&self) -> Option<&Self::Cell>;
    /// Back from a stored value.
    ///
    /// # Errors
    /// [`CellError::Null`] if there is none and there must be.
    fn from_cell(value: Option<Self::Cell>) -> Result<Self, CellError>;
}

impl<T: Cell> Field for T {
    type Cell = T;
    const NULLABLE: bool = false;

    fn get(&self) -> Option<&T> {
        Some(self)
    }

    fn from_cell(value: Option<T>) -> Result<T, CellError> {
        value.ok_or(CellError::Null)
    }
}

impl<T: Cell> Field for Option<T> {
    type Cell = T;
    const NULLABLE: bool = true;

    fn get(&self) -> Option<&T> {
        self.as_ref()
    }

    fn from_cell(value: Option<T>) -> Result<Option<T>, CellError> {
        Ok(value)
    }
}

/// `array` as the type that `data_type` says, or what stands there instead.
fn wrong_type<T: Cell>(array: &dyn Array) -> CellError {
    CellError::WrongType {
        expected: T::data_type(),
        found: array.data_type().clone(),
    }
}

fn primitives<T: Cell, P: ArrowPrimitiveType>(
    array: &dyn Array,
    to_cell: impl Fn(P::Native) -> T,
) -> Result<Vec<Option<T>>, CellError> {
    let array = array
        .as_primitive_opt::<P>()
        .ok_or_else(|| wrong_type::<T>(array))?;
    Ok(array.iter().map(|value| value.map(&to_cell)).collect())
}

macro_rules! number {
    ($ty:ty, $data_type:expr, $primitive:ty) => {
        impl Cell for $ty {
            fn data_type() -> DataType {
                $data_type
            }

            fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
                Arc::new(columns::numbers::<$primitive>(
                    values.map(Option::<&$ty>::copied),
                ))
            }

            fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
                primitives::<$ty, $primitive>(array, |value| value)
            }
        }
    };
}

number!(i32, DataType::Int32, Int32Type);
number!(i64, DataType::Int64, Int64Type);
number!(f64, DataType::Float64, Float64Type);

impl Cell for bool {
    fn data_type() -> DataType {
        DataType::Boolean
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        columns::flags(values.map(Option::<&bool>::copied))
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        let array = array
            .as_boolean_opt()
            .ok_or_else(|| wrong_type::<bool>(array))?;
        Ok(array.iter().collect())
    }
}

fn texts<T: Cell>(
    array: &dyn Array,
    to_cell: impl Fn(&str) -> Result<T, CellError>,
) -> Result<Vec<Option<T>>, CellError> {
    let array = array
        .as_string_opt::<i32>()
        .ok_or_else(|| wrong_type::<T>(array))?;
    array
        .iter()
        .map(|value| value.map(&to_cell).transpose())
        .collect()
}

impl Cell for String {
    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        columns::texts(values.map(|value| value.map(String::as_str)))
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        texts(array, |value| Ok(value.to_owned()))
    }
}

/// `N` bytes that name something, stored as `2 N` lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex<const N: usize>(pub [u8; N]);

/// A 64-bit position key, stored as 16 hex digits: an id like the others, and no reader can mistake it for a
/// number or round it.
pub type Key = Hex<8>;

impl From<u64> for Key {
    fn from(key: u64) -> Key {
        Hex(key.to_be_bytes())
    }
}

impl From<Key> for u64 {
    fn from(key: Key) -> u64 {
        u64::from_be_bytes(key.0)
    }
}

/// Longest id in bytes: a whole BLAKE3 hash.
const LONGEST: usize = 32;

impl<const N: usize> Hex<N> {
    /// Writes the digits into `digits` and lends them.
    fn digits<'a>(&self, digits: &'a mut [u8; 2 * LONGEST]) -> &'a str {
        const { assert!(N <= LONGEST, "ids have at most 32 bytes") }
        const ALPHABET: &[u8; 16] = b"0123456789abcdef";
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair[0] = ALPHABET[usize::from(byte >> 4)];
            pair[1] = ALPHABET[usize::from(byte & 15)];
        }
        std::str::from_utf8(&digits[..2 * N]).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.digits(&mut [0; 2 * LONGEST]))
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let bad = || CellError::NotHex {
            digits: 2 * N,
            found: text.to_owned(),
        };
        if text.len() != 2 * N {
            return Err(bad());
        }
        let mut bytes = [0; N];
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digit = |c: u8| char::from(c).to_digit(16).ok_or_else(bad);
            *byte = (digit(pair[0])? << 4 | digit(pair[1])?) as u8;
        }
        Ok(Hex(bytes))
    }
}

impl<const N: usize> Cell for Hex<N> {
    fn data_type() -> DataType {
        DataType::Utf8
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        columns::digits(values.map(|value| value.map(|value| &value.0)))
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        texts(array, str::parse)
    }

    fn digits() -> Option<usize> {
        Some(2 * N)
    }
}

/// A word of an open list, such as a rule set or a dialect: few different ones, so stored as a dictionary string;
/// a new one is no change of the contract.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// The word.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Symbol {
    fn from(word: &str) -> Symbol {
        Symbol(word.into())
    }
}

impl From<String> for Symbol {
    fn from(word: String) -> Symbol {
        Symbol(word.into())
    }
}

impl std::ops::Deref for Symbol {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq<str> for Symbol {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Symbol {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// The Arrow type of words.
pub(crate) fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// The values of a column of words; each different word is understood once per batch.
pub(crate) fn dictionary_values<T: Cell>(
    array: &dyn Array,
    to_cell: impl Fn(&str) -> Result<T, CellError>,
) -> Result<Vec<Option<T>>, CellError> {
    let array = array
        .as_dictionary_opt::<Int32Type>()
        .ok_or_else(|| wrong_type::<T>(array))?;
    let words = texts(array.values().as_ref(), to_cell)?;
    let word_of = |key: usize| words.get(key).cloned().flatten();
    Ok(array.keys_iter().map(|key| key.and_then(word_of)).collect())
}

impl Cell for Symbol {
    fn data_type() -> DataType {
        dictionary_type()
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        let mut builder =
            StringDictionaryBuilder::<Int32Type>::with_capacity(values.len(), 16, 256);
        values.for_each(|value| builder.append_option(value.map(Symbol::as_str)));
        Arc::new(builder.finish())
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        dictionary_values(array, |word| Ok(Symbol::from(word)))
    }
}

/// A moment, in microseconds since 1970-01-01T00:00:00 UTC. Only `runs` has any.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Cell for Timestamp {
    fn data_type() -> DataType {
        DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        let array = columns::numbers::<TimestampMicrosecondType>(
            values.map(|value| value.map(|moment| moment.0)),
        );
        Arc::new(array.with_timezone("UTC"))
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        primitives::<Timestamp, TimestampMicrosecondType>(array, Timestamp)
    }
}

/// The tags of a game as written, in order, names made unique.
///
/// Stored as a Parquet map and not as JSON text: DuckDB and DataFusion both read `tags['Event']` from it without a
/// JSON library, and no value has to be quoted. A map's keys must differ, hence a repeated name gets `#2`, `#3`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

/// So many tags are compared with one another sooner than hashed.
const FEW_TAGS: usize = 64;

impl Tags {
    /// The tags of these names and values, in order; as [`Tags::push`] for each, but no slower for many.
    pub fn of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Tags {
        let mut tags = Tags::default();
        let mut taken: HashSet<String> = HashSet::new();
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        for (name, value) in pairs {
            if tags.0.len() < FEW_TAGS {
                tags.push(name, value);
                continue;
            }
            if taken.is_empty() {
                taken.extend(tags.0.iter().map(|(name, _)| name.clone()));
            }
            let mut unique = name.to_owned();
            let times = numbers.entry(name).or_insert(1);
            while !taken.insert(unique.clone()) {
                *times += 1;
                unique = format!("{name}#{times}");
            }
            tags.0.push((unique, value.to_owned()));
        }
        tags
    }

    /// Adds a tag; a name that is there already gets a number.
    pub fn push(&mut self, name: &str, value: &str) {
        let taken = |wanted: &str| self.0.iter().any(|(there, _)| there == wanted);
        let mut unique = name.to_owned();
        let mut times = 1;
        while taken(&unique) {
            times += 1;
            unique = format!("{name}#{times}");
        }
        self.0.push((unique, value.to_owned()));
    }

    /// The value under this name, as the record writes the name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter()
            .find(|(there, _)| *there == name)
            .map(|(_, value)| value)
    }

    /// Names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    fn entry_fields() -> Fields {
        let text = |name: &str| ArrowField::new(name, DataType::Utf8, false);
        Fields::from(vec![text("key"), text("value")])
    }

    fn entries_field() -> Arc<ArrowField> {
        Arc::new(ArrowField::new(
            "key_value",
            DataType::Struct(Tags::entry_fields()),
            false,
        ))
    }
}

impl Cell for Tags {
    fn data_type() -> DataType {
        DataType::Map(Tags::entries_field(), false)
    }

    fn array<'a>(values: impl ExactSizeIterator<Item = Option<&'a Self>>) -> ArrayRef {
        let values: Vec<Option<&Tags>> = values.collect();
        let lengths = values
            .iter()
            .map(|value| value.map_or(0, |tags| tags.0.len()));
        let all = || values.iter().flatten().flat_map(|tags| tags.iter());
        let names: StringArray = all().map(|(name, _)| Some(name)).collect();
        let texts: StringArray = all().map(|(_, value)| Some(value)).collect();
        let entries = StructArray::new(
            Tags::entry_fields(),
            vec![Arc::new(names), Arc::new(texts)],
            None,
        );
        let nulls = values
            .iter()
            .map(Option::is_some)
            .collect::<Vec<bool>>()
            .into();
        let offsets = OffsetBuffer::from_lengths(lengths);
        Arc::new(MapArray::new(
            Tags::entries_field(),
            offsets,
            entries,
            Some(nulls),
            false,
        ))
    }

    fn values(array: &dyn Array) -> Result<Vec<Option<Self>>, CellError> {
        let array = array
            .as_map_opt()
            .ok_or_else(|| wrong_type::<Tags>(array))?;
        let tags_of = |row: usize| {
            let entries = array.value(row);
            let names = texts(entries.column(0), |name| Ok(name.to_owned()))?;
            let values = texts(entries.column(1), |value| Ok(value.to_owned()))?;
            Ok(Tags(
                names
                    .into_iter()
                    .flatten()
                    .zip(values.into_iter().flatten())
                    .collect(),
            ))
        };
        (0..array.len())
            .map(|row| array.is_valid(row).then(|| tags_of(row)).transpose())
            .collect()
    }
}
