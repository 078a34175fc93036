//! The stage compact: the small parts of neighbouring chunks become larger ones, which the commit names in their place.
//!
//! Which chunks go together is a function of the chunks that are there, and not of the order in which they came: the same input has
//! the same parts whether it came at once or in a thousand nights. A chunk that comes, changes or goes moves the ends of the groups
//! beside it only. Rows stay as they are and in their order.

use std::collections::BTreeMap;
use std::ops::Range;

use tables::{
    CountRow, EvaluationRow, FindingRow, GameOpeningRow, GameRow, PlayerRow, PlyRow, Row, Table,
    VerdictRow,
};

use crate::analysts::Engine;
use crate::assembling::State;
use crate::chunk::{self, Done, Halt, Id, Made, Patience};
use crate::context::Context;
use crate::key::ChunkKey;
use crate::parts::Parts;
use crate::places::REPLAYED;
use crate::reading::rows;
use crate::receipt::{CompactFacts, Facts, MemberFacts, Part, Receipt};
use crate::run::RunError;
use crate::stage::Stage;
use crate::stages::Chunk;

/// Goes up when the same chunks are merged otherwise.
pub(crate) const COMPACT_VERSION: u64 = 1;

/// A chunk whose parts hold this much stands alone: to write it once more would cost more than an object does.
const SMALL: u64 = 2 << 20;

/// What the parts of a group hold on the average, as the chunks' own parts; what a night that adds a few games writes again.
const TARGET: u64 = 16 << 20;

/// What they hold at most.
const LARGEST: u64 = 2 * TARGET;

/// The tables that chunks fill, in the order in which a group writes them.
const CHUNKED: [Table; 8] = [
    Table::Games,
    Table::Plies,
    Table::Counts,
    Table::Verdicts,
    Table::Findings,
    Table::Evaluations,
    Table::Players,
    Table::GameOpenings,
];

/// What a commit names of the chunks, beside the chunks that keep their own parts.
#[derive(Debug, Default)]
pub(crate) struct Compacted {
    /// Groups by the place of their first chunk.
    groups: BTreeMap<usize, Group>,
    /// Chunks that stand alone and whose own parts were made anew from merged ones.
    alone: BTreeMap<usize, Vec<Part>>,
}

#[derive(Debug)]
struct Group {
    end: usize,
    receipt: Receipt,
}

/// What stands for a chunk in a commit.
#[derive(Debug)]
pub(crate) enum Named<'a> {
    /// Its own parts.
    Own,
    /// These parts of its own.
    Parts(&'a [Part]),
    /// The parts of a group, of which it is the first.
    Group(&'a Receipt),
    /// The group of a chunk before it.
    Before,
}

impl Compacted {
    /// What stands for the chunk at this place.
    pub(crate) fn named(&self, place: usize) -> Named<'_> {
        if let Some(parts) = self.alone.get(&place) {
            return Named::Parts(parts);
        }
        match self.groups.range(..=place).next_back() {
            Some((first, group)) if *first == place => Named::Group(&group.receipt),
            Some((_, group)) if place < group.end => Named::Before,
            _ => Named::Own,
        }
    }
}

/// Merges what is small; `None` if the run was told to stop.
pub(crate) fn compact(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunks: &[Chunk],
) -> Result<Option<Compacted>, RunError> {
    let sizes: Vec<Option<Size>> = chunks.iter().map(|chunk| size(engine, chunk)).collect();
    let groups = groups(&sizes);
    let count = groups.len() as u64;
    let meter = context.meter(Stage::Compact, count, 0, count, "chunks");
    let done = context.each(context.open_chunks(), &groups, |group| {
        let members = chunks.get(group.clone()).unwrap_or_default();
        let key = key(members);
        let id = Id::new(Stage::Compact, key, "");
        let usable = |receipt: &Receipt| context.output.has_all(&receipt.parts);
        let done = chunk::run(
            context,
            &id,
            Patience::Wait,
            usable,
            || None,
            || merge(context, members, key),
        );
        meter.add(1);
        done
    })?;
    meter.finish();
    context.tally(Stage::Compact, &done);
    let mut compacted = Compacted::default();
    for (group, done) in groups.into_iter().zip(done) {
        match done {
            Done::Skipped(receipt) | Done::Made(receipt) => {
                let end = group.end;
                compacted.groups.insert(group.start, Group { end, receipt });
            }
            Done::Left | Done::Busy => return Ok(None),
            // Their own parts do as well, if they are there.
            Done::Failed(failed) => tracing::warn!(
                run = context.run,
                reason = failed.reason,
                "parts stay small"
            ),
            Done::Unreadable(reason) => {
                tracing::warn!(run = context.run, reason, "parts stay small")
            }
        }
    }
    let alone = alone(context, chunks, &compacted)?;
    Ok(alone.map(|alone| Compacted { alone, ..compacted }))
}

/// A chunk that may go with others: what decides where groups end, and how much its own parts hold.
type Size = (ChunkKey, u64);

/// `None` where the chunk stands alone: it is large, or its parts are not its last.
fn size(engine: Option<&Engine>, chunk: &Chunk) -> Option<Size> {
    let searched = &chunk.searched;
    let settled = chunk.assembled.is_some()
        && (engine.is_none() || chunk.cut.is_some())
        && searched
            .iter()
            .all(|searched| matches!(searched.state, State::Done(_)));
    let bytes = chunk.parts().map(|part| part.bytes).sum();
    (settled && bytes < SMALL).then_some((chunk.replay.key, bytes))
}

/// Neighbours that go together, two at least. A group ends behind a chunk whose key says so, which it says the sooner the larger
/// the chunk is; so its end does not hang on where it began.
fn groups(sizes: &[Option<Size>]) -> Vec<Range<usize>> {
    let mut groups = Vec::new();
    let mut first = 0;
    let mut held = 0;
    let mut close = |first: &mut usize, held: &mut u64, end: usize| {
        if end > *first + 1 {
            groups.push(*first..end);
        }
        (*first, *held) = (end, 0);
    };
    for (place, size) in sizes.iter().enumerate() {
        let Some((key, bytes)) = size else {
            close(&mut first, &mut held, place);
            first = place + 1;
            continue;
        };
        if held + bytes > LARGEST {
            close(&mut first, &mut held, place);
        }
        held += bytes;
        if ends(key, *bytes) {
            close(&mut first, &mut held, place + 1);
        }
    }
    close(&mut first, &mut held, sizes.len());
    groups
}

fn ends(key: &ChunkKey, bytes: u64) -> bool {
    let start = key.bytes().first_chunk::<8>().copied().unwrap_or_default();
    u64::from_le_bytes(start) < bytes.saturating_mul(u64::MAX / TARGET)
}

fn key(members: &[Chunk]) -> ChunkKey {
    let assembled = members.iter().filter_map(|chunk| chunk.assembled.as_ref());
    ChunkKey::of("compact")
        .keys("replay", members.iter().map(|chunk| &chunk.replay.key))
        .keys("assemble", assembled.map(|receipt| &receipt.key))
        .field("tables", Table::CONTRACT_VERSION)
        .number("version", COMPACT_VERSION)
        .finish()
}

fn merge(context: &Context<'_>, members: &[Chunk], key: ChunkKey) -> Result<Made, Halt> {
    let mut parts = Vec::new();
    for table in CHUNKED {
        let own: Vec<Part> = members
            .iter()
            .flat_map(Chunk::parts)
            .filter(|part| part.table == table.name())
            .cloned()
            .collect();
        parts.extend(copied(context, table, &own, key)?);
    }
    let members = members.iter().filter_map(member).collect();
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for part in &parts {
        *counts.entry(part.table.clone()).or_default() += part.rows;
    }
    Ok(Made {
        parts,
        counts,
        facts: Some(Facts::Compact(CompactFacts { members })),
    })
}

fn member(chunk: &Chunk) -> Option<MemberFacts> {
    let mut rows: BTreeMap<String, u64> = BTreeMap::new();
    for part in chunk.parts() {
        *rows.entry(part.table.clone()).or_default() += part.rows;
    }
    Some(MemberFacts {
        replay: chunk.replay.key,
        assemble: chunk.assembled.as_ref()?.key,
        rows,
    })
}

/// Makes their own parts anew for chunks that were merged and now stand alone. The same rows give the same bytes, and so the same
/// names, as when the chunk made them. `None` if the run was told to stop.
fn alone(
    context: &Context<'_>,
    chunks: &[Chunk],
    compacted: &Compacted,
) -> Result<Option<BTreeMap<usize, Vec<Part>>>, RunError> {
    let of_others = |(place, chunk): &(usize, &Chunk)| {
        matches!(compacted.named(*place), Named::Own)
            && chunk.parts().any(|part| chunk.is_merged(part))
    };
    let work: Vec<(usize, &Chunk)> = chunks.iter().enumerate().filter(of_others).collect();
    let made = context.each(
        context.open_chunks(),
        &work,
        |(place, chunk)| match own_parts(context, chunk) {
            Ok(parts) => Ok(Some((*place, parts))),
            Err(Halt::Cancelled) => Ok(None),
            Err(Halt::Fatal(error)) => Err(error),
            Err(Halt::Failed(reason) | Halt::Deadly(reason) | Halt::Unreadable(reason)) => {
                Err(RunError::Broken {
                    path: format!("the parts of {}", chunk.archive),
                    reason,
                })
            }
        },
    )?;
    Ok(made.into_iter().collect())
}

fn own_parts(context: &Context<'_>, chunk: &Chunk) -> Result<Vec<Part>, Halt> {
    let mut parts = Vec::new();
    for table in CHUNKED {
        let of_table = chunk.parts().filter(|part| part.table == table.name());
        let of_table: Vec<Part> = of_table.cloned().collect();
        if !of_table.iter().any(|part| chunk.is_merged(part)) {
            parts.extend(of_table);
            continue;
        }
        let assembled = chunk.assembled.as_ref();
        let key = match assembled.filter(|_| !REPLAYED.contains(&table.name())) {
            Some(receipt) => receipt.key,
            None => chunk.replay.key,
        };
        parts.extend(copied(context, table, &of_table, key)?);
    }
    Ok(parts)
}

/// Rows of a table from where they are into parts of this key.
fn copied(
    context: &Context<'_>,
    table: Table,
    from: &[Part],
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    match table {
        Table::Games => copy::<GameRow>(context, from, key),
        Table::Plies => copy::<PlyRow>(context, from, key),
        Table::Counts => copy::<CountRow>(context, from, key),
        Table::Verdicts => copy::<VerdictRow>(context, from, key),
        Table::Findings => copy::<FindingRow>(context, from, key),
        Table::Evaluations => copy::<EvaluationRow>(context, from, key),
        Table::Players => copy::<PlayerRow>(context, from, key),
        Table::GameOpenings => copy::<GameOpeningRow>(context, from, key),
        _ => Ok(Vec::new()),
    }
}

fn copy<R: Row>(context: &Context<'_>, from: &[Part], key: ChunkKey) -> Result<Vec<Part>, Halt> {
    let wanted: u64 = from.iter().map(|part| part.rows).sum();
    let mut parts = Parts::<R>::new(&context.output, key);
    for (number, row) in rows::<R>(&context.output, from).enumerate() {
        if number % 4096 == 0 && context.cancelled() {
            return Err(Halt::Cancelled);
        }
        parts.push(row?)?;
    }
    let parts = parts.finish()?;
    let made: u64 = parts.iter().map(|part| part.rows).sum();
    if made == wanted {
        return Ok(parts);
    }
    Err(Halt::Failed(format!(
        "{}: {made} rows where the receipts say {wanted}",
        R::TABLE.name()
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Chunks of this size, named by their numbers.
    fn sizes(numbers: impl Iterator<Item = u64>, bytes: u64) -> Vec<Option<Size>> {
        numbers
            .map(|number| Some((ChunkKey::of("test").number("n", number).finish(), bytes)))
            .collect()
    }

    #[test]
    fn groups_are_near_their_size_and_cover_neighbours() {
        // 150 kB each: a group has 112 of them on the average, 224 at most.
        let all = sizes(0..20_000, 150_000);
        let found = groups(&all);
        assert!((120..260).contains(&found.len()), "{}", found.len());
        assert!(found.iter().all(|group| group.len() <= 224));
        let covered: usize = found.iter().map(Range::len).sum();
        assert!(covered > 19_900, "{covered}");
        assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }

    #[test]
    fn a_chunk_more_moves_the_groups_beside_it_only() {
        let before = sizes((0..20_000).filter(|number| *number != 9_000), 150_000);
        let after = sizes(0..20_000, 150_000);
        let names = |sizes: &[Option<Size>]| -> Vec<Vec<Option<Size>>> {
            let groups = groups(sizes).into_iter();
            groups.map(|group| sizes[group].to_vec()).collect()
        };
        let (before, after) = (names(&before), names(&after));
        let new = after.iter().filter(|group| !before.contains(group));
        // Until the next chunk whose key ends a group: three at most here.
        assert!((1..=3).contains(&new.count()));
    }

    #[test]
    fn what_stands_alone_parts_its_neighbours() {
        let mut all = sizes(0..5, 1);
        all[2] = None;
        assert_eq!(groups(&all), [0..2, 3..5]);
        all[1] = None;
        assert_eq!(groups(&all), vec![3..5]);
        assert_eq!(groups(&sizes(0..1, 1)), Vec::<Range<usize>>::new());
        assert_eq!(groups(&[]), Vec::<Range<usize>>::new());
    }
}
