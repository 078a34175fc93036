//! The bytes of games as they stand in the archives, after the run that read them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use archive::{Opener, ReaderSettings, Route};

use crate::context::Stop;
use crate::input::{self, Archive};
use crate::job::{AuditOptions, job_for_audit};
use crate::object::StoredObject;
use crate::output::failed;
use crate::receipt::{Facts, IndexFacts, RangeFacts, Receipt};
use crate::run::{RunError, Stores};
use crate::stage::Stage;
use crate::view::CommitView;

/// Where a game lies in its archive, from its row in `games`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GamePlace {
    /// The file in the container, if the archive is one.
    pub member: Option<String>,
    /// Its first byte in the decompressed member.
    pub byte_offset: u64,
    /// Its length.
    pub byte_length: u64,
}

/// The archives of a commit, found again.
#[derive(Debug)]
pub struct Originals {
    archives: BTreeMap<String, Archive>,
    /// What the index stage knows of each, by name.
    index: BTreeMap<String, IndexFacts>,
    settings: ReaderSettings,
}

impl Originals {
    /// Finds the archives of a commit below `inputs`, which are written as in a job; below those of the run that made the
    /// commit, if there are none.
    ///
    /// # Errors
    /// Nothing is found there, or a store failed.
    pub fn open(
        view: &CommitView,
        inputs: &[String],
        stores: &dyn Stores,
    ) -> Result<Originals, RunError> {
        let inputs = match inputs {
            [] => &view.commit().inputs,
            inputs => inputs,
        };
        if inputs.is_empty() {
            return Err(RunError::Usage(
                "the commit does not say where its archives lie: name them with --input".to_owned(),
            ));
        }
        let mut index = BTreeMap::new();
        let prefix = format!("_nabsak/receipts/{}/", Stage::Index);
        for path in &view.commit().receipts {
            if !path.starts_with(&prefix) {
                continue;
            }
            let bytes = view.store().get(path);
            let bytes = bytes.map_err(|source| failed(&format!("reading {path}"), source))?;
            let receipt: Receipt =
                serde_json::from_slice(&bytes).map_err(|error| RunError::Broken {
                    path: path.clone(),
                    reason: error.to_string(),
                })?;
            if let Facts::Index(facts) = receipt.facts {
                index.insert(receipt.archive, facts);
            }
        }
        let job = job_for_audit(inputs, &AuditOptions::default())?;
        let listing = input::list(&job, stores)?;
        let archives = listing.archives.into_iter();
        Ok(Originals {
            archives: archives
                .map(|archive| (archive.name.clone(), archive))
                .collect(),
            index,
            // What the run has unpacked within its limits is not bounded again.
            settings: ReaderSettings {
                max_ratio: u64::MAX,
                max_decompressed_bytes: u64::MAX,
                max_archive_bytes: u64::MAX,
                zstd_window_log_max: 31,
                ..ReaderSettings::default()
            },
        })
    }

    /// Reads games of one archive, in one pass, and hands over the number of each in `games` and its bytes: fewer than
    /// its row says where the archive ends before. They may be other bytes than the run read: compare the row's
    /// `record_hash`. `games` stand in the order of the archive, as in the table.
    ///
    /// Gives `false` if there is no such archive.
    ///
    /// # Errors
    /// `each`'s own; a broken archive is none: its games are not handed over.
    pub fn read(
        &self,
        archive: &str,
        games: &[GamePlace],
        mut each: impl FnMut(usize, &[u8]) -> io::Result<()>,
    ) -> io::Result<bool> {
        let (Some(found), Some(facts)) = (self.archives.get(archive), self.index.get(archive))
        else {
            return Ok(false);
        };
        let object = StoredObject::new(found, Stop::default());
        let mut opener = Opener::new(Arc::new(object), &self.settings);
        let mut games = games.iter().enumerate().peekable();
        let ranges = facts.chunks.iter().flat_map(|chunk| &chunk.ranges);
        for range in ranges {
            let route = range.route.as_deref().map(str::parse::<Route>);
            let Some(Ok(route)) = route else { continue };
            let mut reading: Option<Reading> = None;
            while let Some((number, game)) = games.next_if(|(_, game)| within(range, game)) {
                if reading.is_none() {
                    let Ok(reader) = opener.open(&route) else {
                        continue;
                    };
                    reading = Some(Reading {
                        reader,
                        at: range.start,
                    });
                }
                let bytes = reading.as_mut().map(|reading| reading.take(game));
                if let Some(Ok(bytes)) = bytes {
                    each(number, &bytes)?;
                }
            }
        }
        Ok(true)
    }
}

/// Whether a game begins in a range. A range that is not cut may unpack to more than it says.
fn within(range: &RangeFacts, game: &GamePlace) -> bool {
    range.member == game.member
        && game.byte_offset >= range.start
        && (range.whole || game.byte_offset < range.end)
}

struct Reading {
    reader: Box<dyn Read + Send>,
    /// Where in the member it stands.
    at: u64,
}

impl Reading {
    fn take(&mut self, game: &GamePlace) -> io::Result<Vec<u8>> {
        let skip = game.byte_offset.saturating_sub(self.at);
        self.at += io::copy(&mut (&mut self.reader).take(skip), &mut io::sink())?;
        let mut bytes = Vec::new();
        let read = (&mut self.reader)
            .take(game.byte_length)
            .read_to_end(&mut bytes);
        self.at += bytes.len() as u64;
        read.map(|_| bytes)
    }
}
