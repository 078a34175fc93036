//! The tables by name.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use arrow_schema::{Field as ArrowField, Schema, SchemaRef};

use crate::row::{Column, Row};
use crate::rows::{
    ArchiveRow, CountRateRow, CountRow, DuplicateRow, EvaluationRow, FindingRow, FormationRow,
    GameOpeningRow, GameRow, OpeningRow, PlayerRow, PlyRow, RunRow, VerdictRow,
};

/// A table. Its contract is `schemas/<name>.yaml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// One row per input object.
    Archives,
    /// One row per game found.
    Games,
    /// One row per ply.
    Plies,
    /// One row per finding.
    Findings,
    /// One row per counting episode.
    Counts,
    /// One row per game and compared rule set.
    Verdicts,
    /// One row per analysed ply.
    Evaluations,
    /// One row per analysed game and colour.
    Players,
    /// One row per accepted game.
    GameOpenings,
    /// One row per game and group of games that are one game, or nearly.
    Duplicates,
    /// One row per rule set, material class and rating band.
    CountRates,
    /// One row per position and move.
    Openings,
    /// One row per formation, colour and formation met.
    Formations,
    /// One row per run.
    Runs,
}

/// Runs `$body` with `$Row` standing for the row struct of the table.
macro_rules! for_rows_of {
    ($table:expr, $Row:ident => $body:expr) => {
        match $table {
            Table::Archives => {
                type $Row = ArchiveRow;
                $body
            }
            Table::Games => {
                type $Row = GameRow;
                $body
            }
            Table::Plies => {
                type $Row = PlyRow;
                $body
            }
            Table::Findings => {
                type $Row = FindingRow;
                $body
            }
            Table::Counts => {
                type $Row = CountRow;
                $body
            }
            Table::Verdicts => {
                type $Row = VerdictRow;
                $body
            }
            Table::Evaluations => {
                type $Row = EvaluationRow;
                $body
            }
            Table::Players => {
                type $Row = PlayerRow;
                $body
            }
            Table::GameOpenings => {
                type $Row = GameOpeningRow;
                $body
            }
            Table::Duplicates => {
                type $Row = DuplicateRow;
                $body
            }
            Table::CountRates => {
                type $Row = CountRateRow;
                $body
            }
            Table::Openings => {
                type $Row = OpeningRow;
                $body
            }
            Table::Formations => {
                type $Row = FormationRow;
                $body
            }
            Table::Runs => {
                type $Row = RunRow;
                $body
            }
        }
    };
}

impl Table {
    /// All of them, in the order in which the data comes into being.
    pub const ALL: [Table; 14] = [
        Table::Archives,
        Table::Games,
        Table::Plies,
        Table::Findings,
        Table::Counts,
        Table::Verdicts,
        Table::Evaluations,
        Table::Players,
        Table::GameOpenings,
        Table::Duplicates,
        Table::CountRates,
        Table::Openings,
        Table::Formations,
        Table::Runs,
    ];

    /// Version of the contracts: a column added is a minor change, one changed or removed a major one, other bytes for the same
    /// columns a patch.
    pub const CONTRACT_VERSION: &'static str = "1.3.0";

    /// The name under which it is queried; also its folder.
    pub fn name(self) -> &'static str {
        match self {
            Table::Archives => "archives",
            Table::Games => "games",
            Table::Plies => "plies",
            Table::Findings => "findings",
            Table::Counts => "counts",
            Table::Verdicts => "verdicts",
            Table::Evaluations => "evaluations",
            Table::Players => "players",
            Table::GameOpenings => "game_openings",
            Table::Duplicates => "duplicates",
            Table::CountRates => "count_rates",
            Table::Openings => "openings",
            Table::Formations => "formations",
            Table::Runs => "runs",
        }
    }

    /// The columns, in order.
    pub fn columns(self) -> Vec<Column> {
        for_rows_of!(self, R => R::columns())
    }

    /// The columns by which the rows of a file are ordered; none means the order of the games in the input.
    ///
    /// `games` go by archive, so that a filter on one prunes, and within it in its own order: a tar is in no order of
    /// names. Tables that hang on a game keep the games' order,
    /// because a writer with bounded memory cannot sort millions of plies by a hash; whoever looks a game up is
    /// served by Bloom filters instead (see [`Table::looked_up_by`]). Aggregates go by their keys.
    pub fn order(self) -> &'static [&'static str] {
        for_rows_of!(self, R => R::ORDER)
    }

    /// The columns by which single rows are looked up; each row group has a Bloom filter for them.
    pub fn looked_up_by(self) -> &'static [&'static str] {
        match self {
            Table::Games => &["game_id", "record_hash"],
            Table::Plies
            | Table::Findings
            | Table::Counts
            | Table::Verdicts
            | Table::Evaluations
            | Table::Players
            | Table::GameOpenings
            | Table::Duplicates => &["game_id"],
            Table::Archives
            | Table::CountRates
            | Table::Openings
            | Table::Formations
            | Table::Runs => &[],
        }
    }

    /// The Arrow schema of its columns.
    pub fn schema(self) -> SchemaRef {
        schema_of(&self.columns())
    }
}

/// The Arrow schema of these columns.
pub(crate) fn schema_of(columns: &[Column]) -> SchemaRef {
    let field =
        |column: &Column| ArrowField::new(column.name, column.data_type.clone(), column.nullable);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no table has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no table is called \"{0}\"")]
pub struct UnknownTable(pub String);

impl FromStr for Table {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<Table, UnknownTable> {
        Table::ALL
            .into_iter()
            .find(|table| table.name() == name)
            .ok_or_else(|| UnknownTable(name.to_owned()))
    }
}
