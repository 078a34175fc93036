//! Rows to Arrow to Parquet and back, exactly as the contracts in `schemas/` say.
//!
//! In: the row structs of this crate ([`GameRow`], [`PlyRow`], ...), made by hand or from what `replay` and `analysis`
//! found. Out: the bytes of a Parquet part ([`write()`], [`TableWriter`]), and rows again ([`read()`]).
//!
//! Each table is described once, by its row struct: columns, types, nullability, order and both roads follow from
//! it, and a test holds the contract against it. Knows nothing of where parts lie, what they are called, or which of
//! them are current.
//!
//! ```
//! use tables::{Color, Key, OpeningRow, read_all, write};
//!
//! let row = OpeningRow {
//!     variant: "makruk".into(),
//!     position_key: Key::from(0x1234),
//!     fen: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1".into(),
//!     ply: 1,
//!     uci: "e3e4".into(),
//!     san: "e4".into(),
//!     side: Color::White,
//!     white_wins: 3,
//!     draws: 5,
//!     black_wins: 2,
//!     n: 10,
//!     wilson_low: None,
//!     wilson_high: None,
//!     n_rated: 0,
//!     average_rating: None,
//!     n_performance: 0,
//!     performance: None,
//! };
//! let part = write(vec![row.clone()])?;
//! assert_eq!(read_all::<OpeningRow>(bytes::Bytes::from(part))?, [row]);
//! # Ok::<(), tables::TableError>(())
//! ```

mod cell;
mod columns;
mod convert;
mod error;
mod layout;
mod read;
mod row;
mod rows;
mod table;
mod words;
mod write;

pub use arrow_array::ArrayRef;

pub use cell::{Cell, Field, Hex, Key, Symbol, Tags, Timestamp};
pub use error::{CellError, TableError};
pub use read::{Rows, read, read_all, read_rows};
pub use row::{Column, Row, column_array, column_fields};
pub use rows::{
    ArchiveRow, CountRateRow, CountRow, DuplicateRow, EvaluationRow, FindingRow, FormationRow,
    GameOpeningRow, GameRow, OpeningRow, PlayerRow, PlyRow, RunRow, VerdictRow,
};
pub use table::{Table, UnknownTable};
pub use words::{
    AnalysisState, Authority, Certainty, Class, Color, Container, CountBasis, CountDrawBy,
    CountKind, DuplicateClass, Ending, EpisodeEnd, FindingCode, GameResult, MaterialClass, Phase,
    PlayerKind, Population, RunStatus, Severity, Stage, Status, Word, parse_word,
};
pub use write::{BATCH_ROWS, ROW_GROUP_ROWS, TableWriter, write};
