//! The stage aggregate: everything current to archives, duplicates, rates, openings and formations.

use std::collections::BTreeMap;

use replay::{Finding, FindingCode};
use tables::{
    ArchiveRow, Container, CountRow, EvaluationRow, FindingRow, GameOpeningRow, GameRow, Hex,
    PlayerRow, PlyRow, Row, Table, VerdictRow, parse_word,
};

use crate::chunk::{self, Done, Halt, Id, Made, Patience};
use crate::context::Context;
use crate::duplicates::{self, Repeats};
use crate::key::ChunkKey;
use crate::output::Output;
use crate::parts::Parts;
use crate::publishing::State;
use crate::receipt::{Part, Receipt};
use crate::repeated;
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::{Chunk, Indexed};
use crate::statistics;

/// Goes up when the same games give other statistics.
pub(crate) const AGGREGATE_VERSION: u64 = 3;

/// Before a class, the name under which a receipt counts the records that are there beside the first of their group.
pub(crate) const DUPLICATES: &str = "duplicates_";
/// Before a severity, the name under which a receipt counts findings.
pub(crate) const FINDINGS: &str = "findings_";

/// Builds what has no receipt for the current state.
pub(crate) fn aggregate(
    context: &Context<'_>,
    state: &State,
    chunks: &[Chunk],
) -> Result<Vec<Done>, RunError> {
    let count = Kind::ALL.len() as u64;
    let meter = context.meter(Stage::Aggregate, count, 0, count, "chunks");
    let mut all: Vec<Done> = Vec::with_capacity(Kind::ALL.len());
    let mut duplicates = None;
    for kind in Kind::ALL {
        let key = kind.key(context, state, chunks);
        let id = Id {
            stage: Stage::Aggregate,
            key,
            archive: String::new(),
        };
        let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
        let done = chunk::run(
            context,
            &id,
            Patience::Wait,
            usable,
            || None,
            || kind.build(context, state, chunks, key, duplicates.as_deref()),
        )?;
        if let (Kind::Duplicates, Done::Skipped(receipt) | Done::Made(receipt)) = (kind, &done) {
            duplicates = Some(receipt.parts.clone());
        }
        all.push(done);
        meter.add(1);
    }
    meter.finish();
    context.tally(Stage::Aggregate, &all);
    Ok(all)
}

/// The chunks of the stage: each stands on no more than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// `archives`, and findings about archives that could not be read.
    Archives,
    /// An empty part for each table that has no row, so that its folder always holds something to read.
    Empty,
    /// `duplicates`, and findings about games that are there more than once.
    Duplicates,
    /// `count_rates` and `openings`.
    Games,
    /// `formations`.
    Formations,
}

impl Kind {
    /// In an order in which each has what it needs.
    const ALL: [Kind; 5] = [
        Kind::Archives,
        Kind::Empty,
        Kind::Duplicates,
        Kind::Games,
        Kind::Formations,
    ];

    fn key(self, context: &Context<'_>, state: &State, chunks: &[Chunk]) -> ChunkKey {
        let key = ChunkKey::of("aggregate")
            .field("kind", format!("{self:?}"))
            .field("tables", Table::CONTRACT_VERSION)
            .number("version", AGGREGATE_VERSION);
        let replayed = chunks.iter().map(|chunk| chunk.replay.standing());
        let replayed: Vec<ChunkKey> = replayed.collect();
        match self {
            Kind::Archives => {
                let mut key = key.keys("replay", &replayed);
                for indexed in &state.archives {
                    key = key
                        .field("archive", &indexed.archive.name)
                        .field("content", &indexed.facts.content_hash);
                }
                for (name, reason) in &state.unreadable {
                    key = key.field("unreadable", name).field("reason", reason);
                }
                key.finish()
            }
            Kind::Empty => {
                let empty = empty_tables(chunks, state);
                empty
                    .into_iter()
                    .fold(key, |key, table| key.field("table", table.name()))
                    .finish()
            }
            Kind::Duplicates => key.keys("replay", &replayed).finish(),
            Kind::Games => key
                .keys("replay", &replayed)
                .number("plies", u64::from(context.job.opening_plies))
                .finish(),
            Kind::Formations => key
                .keys(
                    "assemble",
                    chunks
                        .iter()
                        .filter_map(|chunk| chunk.assembled.as_ref())
                        .map(|receipt| &receipt.key),
                )
                .finish(),
        }
    }

    fn build(
        self,
        context: &Context<'_>,
        state: &State,
        chunks: &[Chunk],
        key: ChunkKey,
        duplicates: Option<&[Part]>,
    ) -> Result<Made, Halt> {
        let repeats = || match duplicates {
            Some(parts) => Repeats::read(context, parts),
            None => Err(Halt::Failed("the table duplicates is not there".to_owned())),
        };
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let parts = match self {
            Kind::Archives => archives(context, state, chunks, key)?,
            Kind::Empty => empty_parts(&context.output, key, &empty_tables(chunks, state))?,
            Kind::Duplicates => {
                let (parts, figures) = compared(context, chunks, key)?;
                counts = figures;
                parts
            }
            Kind::Games => {
                let repeats = repeats()?;
                let mut parts = statistics::count_rates(context, chunks, &repeats, key)?;
                parts.extend(statistics::openings(context, chunks, &repeats, key)?);
                parts
            }
            Kind::Formations => statistics::formations(context, chunks, &repeats()?, key)?,
        };
        let rows = parts.iter().map(|part| (part.table.clone(), part.rows));
        rows.for_each(|(table, rows)| *counts.entry(table).or_default() += rows);
        Ok(Made {
            parts,
            counts,
            facts: None,
        })
    }
}

/// The table `duplicates`, the findings about it, and how many there are of each class and severity.
fn compared(
    context: &Context<'_>,
    chunks: &[Chunk],
    key: ChunkKey,
) -> Result<(Vec<Part>, BTreeMap<String, u64>), Halt> {
    let found = duplicates::find(context, chunks)?;
    let mut parts = duplicates::table(context, &found, key)?;
    let (findings, severities) = repeated::findings(context, chunks, &found, key)?;
    parts.extend(findings);
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for (severity, n) in severities {
        counts.insert(format!("{FINDINGS}{severity}"), n);
    }
    for game in found.iter().filter(|game| game.id != game.canonical) {
        let class = format!("{DUPLICATES}{}", game.class.as_str());
        *counts.entry(class).or_default() += 1;
    }
    Ok((parts, counts))
}

fn archives(
    context: &Context<'_>,
    state: &State,
    chunks: &[Chunk],
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    let mut by_archive: BTreeMap<&str, Vec<&Chunk>> = BTreeMap::new();
    for chunk in chunks {
        by_archive.entry(&chunk.archive).or_default().push(chunk);
    }
    let mut rows = Parts::<ArchiveRow>::new(&context.output, key);
    for indexed in &state.archives {
        let own = by_archive
            .get(indexed.archive.name.as_str())
            .map_or(&[][..], Vec::as_slice);
        rows.push(archive_row(indexed, own)?)?;
    }
    let mut findings = Parts::<FindingRow>::new(&context.output, key);
    for (name, reason) in &state.unreadable {
        let finding = Finding::new(FindingCode::ArchiveUnreadable, reason.as_str());
        findings.push(FindingRow::of_archive(name, None, &finding))?;
    }
    let mut parts = rows.finish_with_one()?;
    parts.extend(findings.finish()?);
    Ok(parts)
}

fn archive_row(indexed: &Indexed, chunks: &[&Chunk]) -> Result<ArchiveRow, Halt> {
    let fault =
        |error: &dyn std::fmt::Display| Halt::Failed(format!("{}: {error}", indexed.archive.name));
    let sum = |name: &str| {
        i64::try_from(
            chunks
                .iter()
                .map(|chunk| chunk.replay.count(name))
                .sum::<u64>(),
        )
        .unwrap_or(i64::MAX)
    };
    let mut encodings: BTreeMap<&str, u64> = BTreeMap::new();
    for (encoding, games) in chunks.iter().flat_map(|chunk| &chunk.facts.encodings) {
        *encodings.entry(encoding).or_default() += games;
    }
    // Most games; of equals the first by name.
    let encoding = encodings
        .into_iter()
        .min_by_key(|(_, games)| std::cmp::Reverse(*games));
    let findings = ["note", "warning", "error", "critical"]
        .map(|severity| sum(&format!("findings_{severity}")));
    Ok(ArchiveRow {
        archive: indexed.archive.name.clone(),
        content_hash: indexed
            .facts
            .content_hash
            .parse::<Hex<32>>()
            .map_err(|error| fault(&error))?,
        container: parse_word::<Container>(&indexed.facts.container)
            .map_err(|error| fault(&error))?,
        encoding: encoding.map(|(name, _)| name.into()),
        bytes: i64::try_from(indexed.facts.bytes).unwrap_or(i64::MAX),
        members: i32::try_from(indexed.facts.members).unwrap_or(i32::MAX),
        bytes_text: sum("bytes_text"),
        bytes_accounted: sum("bytes_text"),
        bytes_unreadable: sum("bytes_unreadable"),
        games_found: sum("games_found"),
        games_accepted: sum("games_accepted"),
        games_rejected: sum("games_rejected"),
        games_set_aside: sum("games_set_aside"),
        findings: findings.iter().sum(),
    })
}

/// Tables that chunks fill, and none did.
fn empty_tables(chunks: &[Chunk], state: &State) -> Vec<Table> {
    let filled = |table: Table| {
        chunks.iter().any(|chunk| {
            let assembled = chunk.assembled.iter().flat_map(|receipt| &receipt.parts);
            chunk
                .replay
                .parts
                .iter()
                .chain(assembled)
                .any(|part| part.table == table.name())
        })
    };
    let chunked = [
        Table::Games,
        Table::Plies,
        Table::Findings,
        Table::Counts,
        Table::Verdicts,
        Table::Evaluations,
        Table::Players,
        Table::GameOpenings,
    ];
    let unreadable = |table: Table| table == Table::Findings && !state.unreadable.is_empty();
    chunked
        .into_iter()
        .filter(|table| !filled(*table) && !unreadable(*table))
        .collect()
}

fn empty_parts(output: &Output, key: ChunkKey, tables: &[Table]) -> Result<Vec<Part>, Halt> {
    fn empty<R: Row>(output: &Output, key: ChunkKey) -> Result<Vec<Part>, RunError> {
        Parts::<R>::new(output, key).finish_with_one()
    }
    let mut parts = Vec::new();
    for table in tables {
        parts.extend(match table {
            Table::Games => empty::<GameRow>(output, key)?,
            Table::Plies => empty::<PlyRow>(output, key)?,
            Table::Findings => empty::<FindingRow>(output, key)?,
            Table::Counts => empty::<CountRow>(output, key)?,
            Table::Verdicts => empty::<VerdictRow>(output, key)?,
            Table::Evaluations => empty::<EvaluationRow>(output, key)?,
            Table::Players => empty::<PlayerRow>(output, key)?,
            Table::GameOpenings => empty::<GameOpeningRow>(output, key)?,
            _ => Vec::new(),
        });
    }
    Ok(parts)
}
