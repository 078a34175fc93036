//! The stage replay: a range of an archive to games, plies, counts, verdicts and findings.
//!
//! One thread reads and cuts, all threads replay and make rows, this one writes them while the next batch is replayed: games go
//! through bounded queues in batches and come out in the order of the archive, whatever the number of threads.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use archive::{GameText, ReaderSettings, Slice};
use crossbeam_channel::{Receiver, bounded};
use rayon::prelude::*;
use replay::tags::GameTags;
use replay::{Finding, FindingCode, Place, Replay, SetAside, Severity};
use tables::{AnalysisState, CountRow, FindingRow, GameRow, PlyRow, VerdictRow};

use crate::alone::{DIED, GAMES};
use crate::chunk::{Halt, Made, words_of};
use crate::context::{Context, Meter};
use crate::fault;
use crate::input::Archive;
use crate::key::ChunkKey;
use crate::object::StoredObject;
use crate::parts::Parts;
use crate::pieces::{Piece, Pieces, Sums, What};
use crate::receipt::{ChunkFacts, Facts, IndexFacts, ReplayFacts};
use crate::stage::Stage;
use crate::stretches;

/// Batches that wait to be replayed: with the one being made, the one being replayed, the one that waits to be written and the one
/// being written this bounds memory.
const BATCHES_WAITING: usize = 2;

/// The key of a replay chunk.
pub(crate) fn key(
    context: &Context<'_>,
    archive: &str,
    index: &IndexFacts,
    chunk: &ChunkFacts,
) -> ChunkKey {
    let mut key = ChunkKey::of("replay")
        .field("archive", archive)
        .field("container", &index.container);
    for range in &chunk.ranges {
        key = key
            .maybe("member", range.member.as_ref())
            .field("range", &range.hash)
            .number("start", range.start)
            .number("first ordinal", u64::from(range.first_ordinal))
            .number("whole", u64::from(range.whole))
            .maybe("wide", range.wide.as_ref())
            // Where the container is broken the text does not say everything that is found.
            .maybe("object", range.broken.then_some(&index.content_hash));
        for note in &range.notes {
            key = key.field("note", &note.code).field("text", &note.message);
        }
    }
    key = key
        .field("rules", context.rulebook.identity)
        .field("reader", context.reader.identity());
    // Absent where names stay: keys of such jobs are what they were.
    if let Some(pseudonyms) = &context.pseudonyms {
        key = key.field("pseudonyms", pseudonyms.id());
    }
    key.number("version", u64::from(replay::REPLAY_VERSION))
        .field("tables", tables::Table::CONTRACT_VERSION)
        .finish()
}

/// One thing of the archive, replayed.
enum Out {
    Game(Box<GameRows>),
    Finding(Box<FindingRow>),
}

/// The rows of one game.
struct GameRows {
    status: &'static str,
    game: GameRow,
    plies: Vec<PlyRow>,
    counts: Vec<CountRow>,
    verdicts: Vec<VerdictRow>,
    findings: Vec<FindingRow>,
    /// Whether a finding is more than a note.
    marked: bool,
}

impl GameRows {
    fn of(replay: &Replay) -> GameRows {
        let game = || replay.game().into_iter();
        let findings = replay.findings().iter();
        GameRows {
            status: replay.status(),
            game: GameRow::new(replay, analysis_of(replay)),
            plies: game().flat_map(PlyRow::of_game).collect(),
            counts: game().flat_map(CountRow::of_game).collect(),
            verdicts: game().flat_map(VerdictRow::of_game).collect(),
            marked: findings
                .clone()
                .any(|finding| finding.severity != Severity::Note),
            findings: FindingRow::of_game(replay).collect(),
        }
    }
}

/// Replays a chunk.
pub(crate) fn replay(
    context: &Context<'_>,
    archive: &Archive,
    chunk: &ChunkFacts,
    key: ChunkKey,
    meter: &Meter<'_>,
) -> Result<Made, Halt> {
    let object = StoredObject::new(archive, context.stop());
    // A stream that was not cut is measured by its bytes, everything else by its text.
    let by_text = chunk.ranges.iter().any(|range| range.hash_of_text);
    let text_read = Arc::new(AtomicU64::new(0));
    let watch = if by_text {
        Arc::clone(&text_read)
    } else {
        object.bytes_read()
    };
    let (sender, batches) = bounded(BATCHES_WAITING);
    let (replayed, receiver) = bounded(1);
    let mut writing = (!context.choice.is_trial()).then(|| Writing::new(context, key));
    let sums = thread::scope(|scope| {
        let reading = scope.spawn(move || {
            let object = Arc::new(object);
            let pieces = Pieces::new(context, &archive.name, object, &sender, text_read);
            pieces.read(&chunk.ranges)
        });
        let replaying = scope.spawn(move || {
            for batch in batches {
                let outs = replay_all(context, &archive.name, batch);
                // Where nobody listens any more, the writer met an error and tells it.
                if context.cancelled() || replayed.send(outs).is_err() {
                    return Err(Halt::Cancelled);
                }
            }
            Ok(())
        });
        let mut told = 0;
        let progress = || {
            let bytes = watch.load(Ordering::Relaxed);
            meter.add(bytes - told);
            told = bytes;
        };
        let written = write(context, &receiver, writing.as_mut(), progress);
        drop(receiver);
        let failed = |panic: Box<dyn Any + Send>| Halt::Failed(words_of(panic.as_ref()));
        let replayed = replaying.join().map_err(failed)?;
        let read = reading.join().map_err(failed)?;
        written?;
        let sums = read?;
        replayed.map(|()| sums)
    })?;
    match writing {
        Some(writing) => writing.finish(&sums),
        // A trial: all that is asked is how many games there are.
        None => Ok(Made {
            counts: [(GAMES.to_owned(), sums.games)].into(),
            ..Made::default()
        }),
    }
}

/// Writes batches in their order.
fn write(
    context: &Context<'_>,
    batches: &Receiver<Vec<Out>>,
    mut writing: Option<&mut Writing<'_>>,
    mut progress: impl FnMut(),
) -> Result<(), Halt> {
    for outs in batches {
        progress();
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        let Some(writing) = writing.as_deref_mut() else {
            continue;
        };
        for out in outs {
            match out {
                Out::Game(rows) => writing.game(*rows)?,
                Out::Finding(finding) => writing.finding(*finding)?,
            }
        }
    }
    progress();
    Ok(())
}

fn replay_all(context: &Context<'_>, archive: &str, batch: Vec<Piece>) -> Vec<Out> {
    context.pool.install(|| {
        batch
            .into_par_iter()
            .filter_map(|piece| one(context, archive, piece))
            .collect()
    })
}

fn one(context: &Context<'_>, archive: &str, piece: Piece) -> Option<Out> {
    let member = piece.member.as_deref();
    match piece.what {
        What::Slice(Slice::Game(text)) => {
            if context.choice.passes_over(piece.number) {
                return None;
            }
            let game = game(context, archive, member, piece.number, text);
            let mut rows = GameRows::of(&game);
            if let Some(pseudonyms) = &context.pseudonyms {
                pseudonyms.hide(&mut rows.game, &mut rows.plies, &mut rows.findings);
            }
            Some(Out::Game(Box::new(rows)))
        }
        What::Slice(Slice::Unreadable(stretch)) => {
            let (code, message) = stretches::finding(&stretch.reason, member.unwrap_or(archive));
            let finding =
                Finding::new(code, message).at_bytes(stretch.byte_offset, stretch.byte_length);
            Some(found(archive, member, &finding))
        }
        What::Slice(Slice::End(_)) => None,
        What::Note(note) => {
            let code = note.code.parse().unwrap_or(FindingCode::UnreadableBytes);
            Some(found(archive, member, &Finding::new(code, note.message)))
        }
    }
}

fn found(archive: &str, member: Option<&str>, finding: &Finding) -> Out {
    Out::Finding(Box::new(FindingRow::of_archive(archive, member, finding)))
}

/// Replays one game. A panic costs this game only, and so does what took whole processes down.
fn game(
    context: &Context<'_>,
    archive: &str,
    member: Option<&str>,
    number: u64,
    text: GameText,
) -> Replay {
    let place = Place {
        archive: archive.to_owned(),
        member: member.map(str::to_owned),
        ordinal: text.ordinal,
        byte_offset: text.byte_offset,
        byte_length: text.byte_length,
    };
    let raw = text.raw();
    if context.choice.sets_aside(number) {
        return set_aside(&place, &raw, DIED);
    }
    let read = |text: GameText, settings: &ReaderSettings| text.read(settings);
    let work = || {
        fault::at(Stage::Replay, &raw);
        replay::replay(
            &read(text, &context.reader),
            &place,
            &context.rulebook.judge,
        )
    };
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        // What a panic says may quote the record.
        let words = match &context.pseudonyms {
            None => words_of(panic.as_ref()),
            Some(_) => "internal error".to_owned(),
        };
        tracing::error!(
            run = context.run,
            archive,
            offset = place.byte_offset,
            words,
            "a game was set aside"
        );
        set_aside(&place, &raw, &words)
    })
}

/// What stands for a game that this program could not work on.
fn set_aside(place: &Place, raw: &[u8], words: &str) -> Replay {
    let (id, record_hash) = replay::names(place, raw);
    Replay::SetAside(Box::new(SetAside {
        id,
        record_hash,
        place: place.clone(),
        dialect: archive::Dialect::Pgn,
        encoding: archive::Encoding::Utf8,
        tags: GameTags::default(),
        raw_tags: archive::Tags::default(),
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
    games: Parts<'a, GameRow>,
    plies: Parts<'a, PlyRow>,
    counts: Parts<'a, CountRow>,
    verdicts: Parts<'a, VerdictRow>,
    findings: Parts<'a, FindingRow>,
    sums: BTreeMap<String, u64>,
    facts: ReplayFacts,
}

impl<'a> Writing<'a> {
    fn new(context: &'a Context<'_>, key: ChunkKey) -> Writing<'a> {
        let output = &context.output;
        Writing {
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

    fn game(&mut self, rows: GameRows) -> Result<(), Halt> {
        self.add("games_found", 1);
        self.add(&format!("games_{}", rows.status), 1);
        let encoding = rows.game.encoding.to_string();
        *self.facts.encodings.entry(encoding).or_default() += 1;
        if rows.game.date > self.facts.newest {
            self.facts.newest.clone_from(&rows.game.date);
        }
        self.add("plies", rows.plies.len() as u64);
        self.games.push(rows.game)?;
        self.plies.extend(rows.plies)?;
        self.counts.extend(rows.counts)?;
        self.verdicts.extend(rows.verdicts)?;
        self.facts.marked += u64::from(rows.marked);
        rows.findings
            .into_iter()
            .try_for_each(|row| self.finding(row))
    }

    fn finding(&mut self, row: FindingRow) -> Result<(), Halt> {
        self.add(&format!("findings_{}", row.severity.as_str()), 1);
        self.findings.push(row)?;
        Ok(())
    }

    fn finish(mut self, sums: &Sums) -> Result<Made, Halt> {
        self.add("bytes_text", sums.bytes_text);
        self.add("bytes_unreadable", sums.bytes_unreadable);
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
