//! What an archive holds, and the ways to it: members one after the other, each cut where a reading can begin.

use std::{
    io::{self, Read},
    sync::Arc,
};

use crate::{
    container::{
        Container, HEAD_BYTES,
        marks::{Mark, Marks},
        packing::Packing,
    },
    cut::{CutRange, Cuts, cut_points_where},
    error::{ContainerError, ReadError},
    games::UnreadableReason,
    listing::Entry,
    object::{Near, Object},
    opener::Opener,
    route::{Route, Step},
    settings::ReaderSettings,
    tarfile, zipfile,
};

/// How an archive is cut.
#[derive(Debug, Clone, Copy)]
pub struct Cutting {
    /// Ranges are at least so long, but the last of a member.
    pub target_bytes: u64,
    /// Whether a packed stream is unpacked to find where it can be cut: pays if it holds several members or frames (see
    /// [`crate::Starts`]). Files in a zip or tar are always unpacked.
    pub unpack: bool,
}

/// What an archive holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survey {
    /// How it is packed.
    pub container: Container,
    /// In the order of the archive; one at least.
    pub segments: Vec<Segment>,
}

/// A member, or a range of one; or something about the archive that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The file in the container, by a name that no other one has; `None` where there is only one stream.
    pub member: Option<String>,
    /// The way to the text; `None` where there is nothing to read.
    pub route: Option<Route>,
    /// The range; `None` for a stream that was not cut and is read as a whole.
    pub range: Option<CutRange>,
    /// The container is broken within this range: its text alone does not say all that a reading finds.
    pub broken: bool,
    /// What is to be said beside what a reading of the text says.
    pub notes: Vec<UnreadableReason>,
}

impl Segment {
    fn note(member: Option<String>, notes: Vec<UnreadableReason>) -> Segment {
        Segment {
            member,
            route: None,
            range: None,
            broken: false,
            notes,
        }
    }
}

impl Route {
    /// How many bytes have to be unpacked in vain before the text begins.
    pub fn detour(&self) -> u64 {
        match self.steps.as_slice() {
            [Step::Unpack(..), Step::Skip(bytes), ..] => *bytes,
            _ => 0,
        }
    }
}

/// Surveys an archive.
///
/// Reading the segments one after the other, each with a [`crate::Slices`] from the start of its range (the beginning where
/// it has none), finds every game of the archive. Compressions may stand around a tar and around each file in a zip or
/// tar, and twice around a single stream; what is packed deeper than that is not game text.
///
/// # Errors
/// The input's own; what is wrong with the archive is a note, or found when its segment is read.
pub fn survey(
    object: &Arc<dyn Object>,
    cutting: Cutting,
    settings: &ReaderSettings,
) -> Result<Survey, ReadError> {
    let mut surveying = Surveying {
        object,
        cutting,
        settings,
        opener: Opener::new(Arc::clone(object), settings),
        segments: Vec::new(),
        total_bytes: 0,
    };
    let container = surveying.archive()?;
    if surveying.segments.is_empty() {
        let empty = Segment::note(None, vec![UnreadableReason::Empty]);
        surveying.segments.push(empty);
    }
    Ok(Survey {
        container,
        segments: surveying.segments,
    })
}

struct Surveying<'a> {
    object: &'a Arc<dyn Object>,
    cutting: Cutting,
    settings: &'a ReaderSettings,
    opener: Opener,
    segments: Vec<Segment>,
    total_bytes: u64,
}

fn failed(source: io::Error) -> ReadError {
    ReadError {
        byte_offset: 0,
        source,
    }
}

impl Surveying<'_> {
    fn archive(&mut self) -> Result<Container, ReadError> {
        let size = self.object.size();
        let near = Near::new(self.object.as_ref());
        let head = near.read(0, HEAD_BYTES).map_err(failed)?;
        let whole = Route::whole(0, size);
        let container = Container::of(&head);
        match (container, Packing::of(&head)) {
            (_, Some(packing)) => return self.stream(whole.unpacked(packing), packing),
            (Container::Zip, _) => {
                let listed = zipfile::list(&near, self.settings).map_err(failed)?;
                self.members(listed.entries)?;
            }
            (Container::Tar, _) => {
                let base = tarfile::Base::Object(size);
                let listed = tarfile::list(near, &base, self.settings).map_err(failed)?;
                self.members(listed.entries)?;
            }
            _ => self.member(None, whole, Vec::new(), self.cutting.target_bytes < size)?,
        }
        Ok(container)
    }

    /// A packed stream: a tar, or a text that may be packed once more.
    fn stream(&mut self, route: Route, packing: Packing) -> Result<Container, ReadError> {
        let mut peeked = Peeked::new(self.opener.open(&route).map_err(failed)?);
        if !tarfile::is_tar(&peeked.head) {
            self.member(None, route, Vec::new(), self.cutting.unpack)?;
            return Ok(Container::packed(packing));
        }
        let base = tarfile::Base::Stream(route);
        let blocks = tarfile::Streamed::new(&mut peeked);
        let listed = tarfile::list(blocks, &base, self.settings).map_err(failed)?;
        self.members(listed.entries)?;
        Ok(Container::Tar)
    }

    fn members(&mut self, entries: Vec<Entry>) -> Result<(), ReadError> {
        for entry in entries {
            let max_bytes = self.settings.max_archive_bytes;
            match entry.route {
                Some(_) if self.total_bytes > max_bytes => {
                    let reason = UnreadableReason::ArchiveTooLarge { max_bytes };
                    self.segments.push(Segment::note(None, vec![reason]));
                    break;
                }
                Some(route) => self.member(entry.name, route, entry.notes, true)?,
                None => self.segments.push(Segment::note(entry.name, entry.notes)),
            }
        }
        Ok(())
    }

    /// One member: unpacked once more if it is packed, and cut.
    fn member(
        &mut self,
        name: Option<String>,
        mut route: Route,
        notes: Vec<UnreadableReason>,
        cut: bool,
    ) -> Result<(), ReadError> {
        let peeked = Peeked::new(self.opener.open(&route).map_err(failed)?);
        let packing = Packing::of(&peeked.head);
        let mut reader: Box<dyn Read + Send> = Box::new(peeked);
        if let Some(packing) = packing {
            reader = self.opener.further(reader, packing, Mark::default());
            route = route.unpacked(packing);
        }
        if !cut {
            self.segments.push(Segment {
                member: name,
                route: Some(route),
                range: None,
                broken: false,
                notes,
            });
            return Ok(());
        }
        let target = self.cutting.target_bytes;
        let entrances = Entrances::new(route, self.opener.marks(), target / 4);
        let cuts = cut_points_where(reader, target, self.settings, |at| entrances.may_enter(at))?;
        self.total_bytes = self.total_bytes.saturating_add(cuts.sums.total_bytes());
        self.cuts(name, &entrances, cuts, notes);
        Ok(())
    }

    fn cuts(
        &mut self,
        name: Option<String>,
        entrances: &Entrances,
        cuts: Cuts,
        mut notes: Vec<UnreadableReason>,
    ) {
        let last = cuts.ranges.len().saturating_sub(1);
        for (number, range) in cuts.ranges.into_iter().enumerate() {
            let is_last = number == last;
            self.segments.push(Segment {
                member: name.clone(),
                route: Some(entrances.route(&range, is_last, cuts.fault.as_ref())),
                broken: is_last && cuts.sums.incomplete,
                range: Some(range),
                notes: if is_last {
                    std::mem::take(&mut notes)
                } else {
                    Vec::new()
                },
            });
        }
    }
}

/// Where a member can be entered, and how.
struct Entrances {
    route: Route,
    marks: Marks,
    max_detour: u64,
}

/// The steps of a way that can be entered in its middle: unpack, pass over, take.
struct Simple {
    packing: Option<Packing>,
    skip: u64,
    take: Option<u64>,
}

impl Entrances {
    fn new(route: Route, marks: Marks, max_detour: u64) -> Self {
        Entrances {
            route,
            marks,
            max_detour,
        }
    }

    /// `None` where something is packed twice.
    fn simple(&self) -> Option<Simple> {
        let mut simple = Simple {
            packing: None,
            skip: 0,
            take: None,
        };
        for (number, step) in self.route.steps.iter().enumerate() {
            match *step {
                Step::Unpack(packing, _) if number == 0 => simple.packing = Some(packing),
                Step::Unpack(..) => return None,
                Step::Skip(bytes) => simple.skip = bytes,
                Step::Take(bytes) => simple.take = Some(bytes),
                Step::Check { .. } => {}
            }
        }
        Some(simple)
    }

    fn may_enter(&self, at: u64) -> bool {
        match self.simple() {
            None => false,
            Some(Simple { packing: None, .. }) => true,
            Some(Simple { skip, .. }) => {
                skip + at - self.marks.before(skip + at).unpacked <= self.max_detour
            }
        }
    }

    /// The way to a range of a member of which this fault is known.
    fn route(&self, range: &CutRange, is_last: bool, fault: Option<&ContainerError>) -> Route {
        let (at, length) = (range.start.byte_offset, range.byte_length);
        let Some(simple) = self.simple() else {
            return self.route.clone();
        };
        let mut route = Route::whole(self.route.from, self.route.to);
        match simple.packing {
            None => route.from += at,
            Some(packing) => {
                let mark = self.marks.before(simple.skip + at);
                let skip = simple.skip + at - mark.unpacked;
                route.from += mark.packed;
                route = route.then(Step::Unpack(packing, mark));
                if skip > 0 {
                    route = route.then(Step::Skip(skip));
                }
            }
        }
        if !is_last {
            if simple.packing.is_none() {
                route.to = route.from + length;
                return route;
            }
            return route.then(Step::Take(length));
        }
        // The last range goes to the end of the member, and finds what is wrong there.
        if let Some(all) = simple.take {
            route = route.then(Step::Take(all - at));
        }
        match self.route.steps.last() {
            Some(check @ Step::Check { .. }) if at == 0 => route.then(*check),
            // Only a reading of the whole file can hold its checksum against it. What that found is repeated for the
            // last range by a check that cannot hold: more bytes than there are, or fewer.
            Some(Step::Check { .. }) => match fault.filter(|fault| fault.is_of_check()) {
                Some(ContainerError::Truncated { .. }) => route.then(Step::Check {
                    bytes: u64::MAX,
                    crc: 0,
                }),
                Some(_) => route.then(Step::Check { bytes: 0, crc: 1 }),
                None => route,
            },
            _ => route,
        }
    }
}

/// A stream whose first bytes were looked at.
struct Peeked {
    head: Vec<u8>,
    given: usize,
    fault: Option<io::Error>,
    rest: Box<dyn Read + Send>,
}

impl Peeked {
    fn new(mut rest: Box<dyn Read + Send>) -> Peeked {
        let mut head = Vec::with_capacity(HEAD_BYTES);
        let fault = rest
            .by_ref()
            .take(HEAD_BYTES as u64)
            .read_to_end(&mut head)
            .err();
        Peeked {
            head,
            given: 0,
            fault,
            rest,
        }
    }
}

impl Read for Peeked {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let held = &self.head[self.given..];
        if !held.is_empty() {
            let read = held.len().min(into.len());
            into[..read].copy_from_slice(&held[..read]);
            self.given += read;
            return Ok(read);
        }
        match self.fault.take() {
            Some(error) => Err(error),
            None => self.rest.read(into),
        }
    }
}
