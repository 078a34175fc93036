//! The stage replay: a range of an archive to games, plies, counts, verdicts and findings.
//!
//! One thread reads and cuts, all threads replay, this one writes: games go through a bounded queue in batches and come out in the
//! order of the archive, whatever the number of threads.

use std::collections::BTreeMap;
use std::io::Read;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError};
use std::thread;

use archive::{
    Accounting, GameText, ReadError, ReaderSettings, Slice, Slices, Unreadable, UnreadableReason,
};
use crossbeam_channel::{Receiver, Sender, bounded};
use rayon::prelude::*;
use replay::tags::GameTags;
use replay::{Finding, FindingCode, GameId, Place, RecordHash, Replay, SetAside, Severity};
use tables::{AnalysisState, CountRow, FindingRow, GameRow, PlyRow, VerdictRow};

use crate::chunk::{Halt, Made, words_of};
use crate::context::{Context, Meter};
use crate::index::{self, Watched};
use crate::input::Archive;
use crate::key::ChunkKey;
use crate::parts::Parts;
use crate::receipt::{Facts, IndexFacts, RangeFacts, ReplayFacts};

/// A batch is closed at so many games or bytes, whichever comes first.
const BATCH_GAMES: usize = 128;
const BATCH_BYTES: u64 = 1 << 20;

/// Batches that wait: with the one being made and the one being replayed this bounds memory.
const BATCHES_WAITING: usize = 2;

/// The key of a replay chunk.
pub(crate) fn key(
    context: &Context<'_>,
    archive: &str,
    container: &str,
    range: &RangeFacts,
) -> ChunkKey {
    ChunkKey::of("replay")
        .field("archive", archive)
        .field("container", container)
        .field("range", &range.hash)
        .number("start", range.start)
        .number("first ordinal", u64::from(range.first_ordinal))
        .maybe("wide", range.wide.as_ref())
        .field("rules", context.rulebook.identity)
        .field("reader", context.reader.identity())
        .number("version", u64::from(replay::REPLAY_VERSION))
        .field("tables", tables::Table::CONTRACT_VERSION)
        .finish()
}

/// One thing of the archive, replayed.
enum Out {
    Game(Box<Replay>),
    Stretch(Unreadable),
}

/// Replays a range.
pub(crate) fn replay(
    context: &Context<'_>,
    archive: &Archive,
    index: &IndexFacts,
    range: &RangeFacts,
    key: ChunkKey,
    meter: &Meter<'_>,
) -> Result<Made, Halt> {
    let whole = range.start == 0 && range.end == index.bytes;
    let bytes = (!whole).then_some(range.start..range.end);
    let input = archive
        .store
        .read(&archive.key, bytes, Some(&archive.etag))
        .map_err(|error| index::blame(context, error))?;
    let (sender, receiver) = bounded(BATCHES_WAITING);
    let mut writing = Writing::new(context, key, &archive.name);
    let (sums, fits) = thread::scope(|scope| {
        let (watched, seen) = Watched::new(input, context.stop());
        let watch = Arc::clone(&seen);
        let reading = scope.spawn(move || {
            let sums = cut(context, watched, &index.container, range, &sender);
            drop(sender);
            let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
            // A broken container may be left before its end; what was read in full must be what was indexed.
            let fits = seen.bytes != range.end - range.start
                || seen.hasher.finalize().to_hex().as_str() == range.hash;
            (sums, fits)
        });
        let mut told = 0;
        let progress = || {
            let bytes = watch.lock().unwrap_or_else(PoisonError::into_inner).bytes;
            meter.add(bytes - told);
            told = bytes;
        };
        let written = write(context, &archive.name, &receiver, &mut writing, progress);
        drop(receiver);
        let read = reading
            .join()
            .map_err(|panic| Halt::Failed(words_of(panic.as_ref())))?;
        written?;
        Ok::<_, Halt>(read)
    })?;
    let sums = sums?;
    if !fits {
        return Err(Halt::Failed(format!(
            "{} changed while it was being worked on: run again to take up the new state",
            archive.name
        )));
    }
    writing.finish(&sums, whole)
}

/// Cuts the range into batches of games.
fn cut(
    context: &Context<'_>,
    input: impl Read + Send + 'static,
    container: &str,
    range: &RangeFacts,
    sender: &Sender<Vec<Slice>>,
) -> Result<Accounting, Halt> {
    let fault = |error: &ReadError| index::reading(context, &error.source);
    // Only a whole object has a container: a range is plain, whatever its first bytes look like.
    let reader: Box<dyn Read + Send> = if container == archive::Container::Plain.as_str() {
        Box::new(input)
    } else {
        archive::open(Box::new(input), &context.reader)
            .map_err(|error| index::reading(context, &error))?
            .reader
    };
    let mut batch = Vec::new();
    let mut bytes = 0;
    let mut sums = Accounting::default();
    for slice in Slices::new(reader, index::start(range), &context.reader) {
        match slice.map_err(|error| fault(&error))? {
            Slice::End(end) => sums = end,
            slice => {
                bytes += match &slice {
                    Slice::Game(text) => text.byte_length,
                    _ => 0,
                };
                batch.push(slice);
            }
        }
        if (batch.len() >= BATCH_GAMES || bytes >= BATCH_BYTES)
            && !send(sender, &mut batch, &mut bytes)
        {
            return Err(Halt::Cancelled);
        }
    }
    if !send(sender, &mut batch, &mut bytes) {
        return Err(Halt::Cancelled);
    }
    Ok(sums)
}

/// False where nobody listens any more: the writer met an error and tells it.
fn send(sender: &Sender<Vec<Slice>>, batch: &mut Vec<Slice>, bytes: &mut u64) -> bool {
    *bytes = 0;
    sender.send(std::mem::take(batch)).is_ok()
}

/// Replays batches as they come and writes them in their order.
fn write(
    context: &Context<'_>,
    archive: &str,
    batches: &Receiver<Vec<Slice>>,
    writing: &mut Writing<'_>,
    mut progress: impl FnMut(),
) -> Result<(), Halt> {
    for batch in batches {
        progress();
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        let outs: Vec<Out> = context.pool.install(|| {
            batch
                .into_par_iter()
                .filter_map(|slice| one(context, archive, slice))
                .collect()
        });
        for out in outs {
            match out {
                Out::Game(game) => writing.game(&game)?,
                Out::Stretch(stretch) => writing.stretch(&stretch)?,
            }
        }
    }
    progress();
    Ok(())
}

fn one(context: &Context<'_>, archive: &str, slice: Slice) -> Option<Out> {
    match slice {
        Slice::Game(text) => Some(Out::Game(Box::new(game(context, archive, text)))),
        Slice::Unreadable(stretch) => Some(Out::Stretch(stretch)),
        Slice::End(_) => None,
    }
}

/// Replays one game. A panic costs this game only.
fn game(context: &Context<'_>, archive: &str, text: GameText) -> Replay {
    let place = Place {
        archive: archive.to_owned(),
        member: None,
        ordinal: text.ordinal,
        byte_offset: text.byte_offset,
        byte_length: text.byte_length,
    };
    let read = |text: GameText, settings: &ReaderSettings| text.read(settings);
    let work = || {
        replay::replay(
            &read(text, &context.reader),
            &place,
            &context.rulebook.judge,
        )
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let words = words_of(panic.as_ref());
        tracing::error!(
            run = context.run,
            archive,
            offset = place.byte_offset,
            words,
            "a game was set aside"
        );
        set_aside(&place, &words)
    })
}

/// What stands for a game that this program could not work on.
fn set_aside(place: &Place, words: &str) -> Replay {
    Replay::SetAside(Box::new(SetAside {
        id: GameId::new(place, words.as_bytes()),
        record_hash: RecordHash::new(words.as_bytes()),
        place: place.clone(),
        dialect: archive::Dialect::Pgn,
        encoding: archive::Encoding::Utf8,
        tags: GameTags::default(),
        raw_tags: Vec::new(),
        variant: String::new(),
        reason: words.to_owned(),
        admit: None,
        result_declared: None,
        ending_declared: None,
        findings: vec![
            Finding::new(FindingCode::InternalError, words)
                .at_bytes(place.byte_offset, place.byte_length),
        ],
    }))
}

/// Before assemble has seen it, an accepted game waits for its analysis.
fn analysis_of(game: &Replay) -> AnalysisState {
    match game {
        Replay::Accepted(_) => AnalysisState::Pending,
        Replay::Rejected(_) | Replay::SetAside(_) => AnalysisState::None,
    }
}

/// The chunk's open parts and sums.
struct Writing<'a> {
    archive: String,
    games: Parts<'a, GameRow>,
    plies: Parts<'a, PlyRow>,
    counts: Parts<'a, CountRow>,
    verdicts: Parts<'a, VerdictRow>,
    findings: Parts<'a, FindingRow>,
    sums: BTreeMap<String, u64>,
    facts: ReplayFacts,
}

impl<'a> Writing<'a> {
    fn new(context: &'a Context<'_>, key: ChunkKey, archive: &str) -> Writing<'a> {
        let output = &context.output;
        Writing {
            archive: archive.to_owned(),
            games: Parts::new(output, key),
            plies: Parts::new(output, key),
            counts: Parts::new(output, key),
            verdicts: Parts::new(output, key),
            findings: Parts::new(output, key),
            sums: BTreeMap::new(),
            facts: ReplayFacts::default(),
        }
    }

    fn add(&mut self, name: &str, count: u64) {
        *self.sums.entry(name.to_owned()).or_default() += count;
    }

    fn game(&mut self, game: &Replay) -> Result<(), Halt> {
        self.add("games_found", 1);
        self.add(&format!("games_{}", game.status()), 1);
        let row = GameRow::new(game, analysis_of(game));
        *self
            .facts
            .encodings
            .entry(row.encoding.to_string())
            .or_default() += 1;
        if row.date > self.facts.newest {
            self.facts.newest.clone_from(&row.date);
        }
        self.games.push(row)?;
        if let Some(game) = game.game() {
            self.add("plies", game.plies.len() as u64);
            self.plies.extend(PlyRow::of_game(game))?;
            self.counts.extend(CountRow::of_game(game))?;
            self.verdicts.extend(VerdictRow::of_game(game))?;
        }
        self.facts.marked += u64::from(
            game.findings()
                .iter()
                .any(|finding| finding.severity != Severity::Note),
        );
        for row in FindingRow::of_game(game) {
            self.finding(row)?;
        }
        Ok(())
    }

    fn finding(&mut self, row: FindingRow) -> Result<(), Halt> {
        self.add(&format!("findings_{}", row.severity.as_str()), 1);
        self.findings.push(row)?;
        Ok(())
    }

    fn stretch(&mut self, stretch: &Unreadable) -> Result<(), Halt> {
        let code = code_of(&stretch.reason);
        let finding = Finding::new(code, stretch.reason.to_string())
            .at_bytes(stretch.byte_offset, stretch.byte_length);
        self.finding(FindingRow::of_archive(&self.archive, None, &finding))
    }

    fn finish(mut self, sums: &Accounting, whole: bool) -> Result<Made, Halt> {
        if whole && sums.games == 0 && sums.unreadable == 0 {
            let finding = Finding::new(FindingCode::EmptyArchive, "the archive holds no game");
            self.finding(FindingRow::of_archive(&self.archive, None, &finding))?;
        }
        self.add("bytes_text", sums.total_bytes());
        self.add("bytes_unreadable", sums.unreadable_bytes);
        let mut parts = self.games.finish()?;
        parts.extend(self.plies.finish()?);
        parts.extend(self.counts.finish()?);
        parts.extend(self.verdicts.finish()?);
        parts.extend(self.findings.finish()?);
        Ok(Made {
            parts,
            counts: self.sums,
            facts: Some(Facts::Replay(self.facts)),
        })
    }
}

fn code_of(reason: &UnreadableReason) -> FindingCode {
    match reason {
        UnreadableReason::NotGameText(_) | UnreadableReason::OtherDialect(_) => {
            FindingCode::NotGameText
        }
        UnreadableReason::GameTooLarge { .. } => FindingCode::GameTooLarge,
        UnreadableReason::Container(archive::ContainerError::Truncated { .. }) => {
            FindingCode::TruncatedInput
        }
        UnreadableReason::Container(_) => FindingCode::UnreadableBytes,
        UnreadableReason::Empty => FindingCode::EmptyArchive,
        _ => FindingCode::UnreadableBytes,
    }
}
