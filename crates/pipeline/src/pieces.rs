//! The reading half of the stage replay: the ranges of a chunk, cut into games and stretches.

use std::io::Read;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use archive::{Object, Opener, Route, Slice, Slices};
use crossbeam_channel::Sender;
use replay::FindingCode;

use crate::chunk::Halt;
use crate::context::Context;
use crate::index::{self, Watched};
use crate::receipt::{NoteFacts, RangeFacts};

/// A batch is closed at so many games or bytes, whichever comes first.
const BATCH_GAMES: usize = 128;
const BATCH_BYTES: u64 = 1 << 20;

/// One thing of an archive.
#[derive(Debug)]
pub(crate) struct Piece {
    /// The file in the container.
    pub(crate) member: Option<Arc<str>>,
    /// Games of the chunk before it.
    pub(crate) number: u64,
    pub(crate) what: What,
}

#[derive(Debug)]
pub(crate) enum What {
    Slice(Slice),
    Note(NoteFacts),
}

/// Sums over the ranges of a chunk.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    pub(crate) bytes_text: u64,
    pub(crate) bytes_unreadable: u64,
    pub(crate) games: u64,
}

/// Reads the ranges of a chunk one after the other.
pub(crate) struct Pieces<'a, 'c> {
    context: &'a Context<'c>,
    archive: &'a str,
    opener: Opener,
    sender: &'a Sender<Vec<Piece>>,
    /// Bytes of text so far, for whoever watches.
    text_read: Arc<AtomicU64>,
    batch: Vec<Piece>,
    batch_bytes: u64,
    sums: Sums,
}

impl<'a, 'c> Pieces<'a, 'c> {
    pub(crate) fn new(
        context: &'a Context<'c>,
        archive: &'a str,
        object: Arc<dyn Object>,
        sender: &'a Sender<Vec<Piece>>,
        text_read: Arc<AtomicU64>,
    ) -> Pieces<'a, 'c> {
        Pieces {
            context,
            archive,
            opener: Opener::new(object, &context.reader),
            sender,
            text_read,
            batch: Vec::new(),
            batch_bytes: 0,
            sums: Sums::default(),
        }
    }

    /// Sends everything that the ranges hold, in order.
    pub(crate) fn read(mut self, ranges: &[RangeFacts]) -> Result<Sums, Halt> {
        for range in ranges {
            let member: Option<Arc<str>> = range.member.as_deref().map(Arc::from);
            if let Some(route) = &range.route {
                self.range(range, route, member.as_ref())?;
            }
            for note in &range.notes {
                self.piece(member.as_ref(), What::Note(note.clone()))?;
            }
        }
        self.send()?;
        Ok(self.sums)
    }

    fn range(
        &mut self,
        range: &RangeFacts,
        route: &str,
        member: Option<&Arc<str>>,
    ) -> Result<(), Halt> {
        let route: Route = route
            .parse()
            .map_err(|error: archive::NotARoute| Halt::Failed(error.to_string()))?;
        let input = self
            .opener
            .open(&route)
            .map_err(|error| index::reading(self.context, &error))?;
        let (watched, seen) = Watched::new(input, self.context.stop());
        let reader = Counting {
            inner: watched,
            bytes: Arc::clone(&self.text_read),
        };
        for slice in Slices::new(reader, index::start(range), &self.context.reader) {
            match slice.map_err(|error| index::reading(self.context, &error.source))? {
                Slice::End(end) => {
                    self.sums.bytes_text += end.total_bytes();
                    self.sums.bytes_unreadable += end.unreadable_bytes;
                    if range.whole && end.games == 0 && end.unreadable == 0 {
                        self.piece(member, What::Note(no_game(range)))?;
                    }
                }
                slice => self.piece(member, What::Slice(slice))?,
            }
        }
        let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        // A broken container may be left before its end; what was read in full must be what was indexed.
        let fits = !range.hash_of_text
            || seen.bytes != range.end - range.start
            || seen.hasher.finalize().to_hex().as_str() == range.hash;
        if fits {
            return Ok(());
        }
        Err(Halt::Failed(format!(
            "{} changed while it was being worked on: run again to take up the new state",
            self.archive
        )))
    }

    fn piece(&mut self, member: Option<&Arc<str>>, what: What) -> Result<(), Halt> {
        let number = self.sums.games;
        if let What::Slice(Slice::Game(text)) = &what {
            self.batch_bytes += text.byte_length;
            self.sums.games += 1;
        }
        self.batch.push(Piece {
            member: member.map(Arc::clone),
            number,
            what,
        });
        if self.batch.len() >= BATCH_GAMES || self.batch_bytes >= BATCH_BYTES {
            self.send()?;
        }
        Ok(())
    }

    /// Fails where nobody listens any more: the writer met an error and tells it.
    fn send(&mut self) -> Result<(), Halt> {
        self.batch_bytes = 0;
        let batch = std::mem::take(&mut self.batch);
        self.sender.send(batch).map_err(|_| Halt::Cancelled)
    }
}

fn no_game(range: &RangeFacts) -> NoteFacts {
    let what = if range.member.is_some() {
        "file"
    } else {
        "archive"
    };
    NoteFacts {
        code: FindingCode::EmptyArchive.as_str().to_owned(),
        message: format!("the {what} holds no game"),
    }
}

/// A reader that tells how much went through it.
struct Counting<R> {
    inner: R,
    bytes: Arc<AtomicU64>,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(into)?;
        self.bytes.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}
