//! What is listed of a zip or a tar: its files, in its own order.

use crate::{games::UnreadableReason, member_name::Names, route::Route, settings::ReaderSettings};

/// A file in a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// `None` for what concerns the container itself.
    pub(crate) name: Option<String>,
    /// The way to its bytes; `None` where they cannot or should not be read.
    pub(crate) route: Option<Route>,
    /// What was odd, and why it is not read.
    pub(crate) notes: Vec<UnreadableReason>,
}

/// The files of a container, in the making.
#[derive(Debug)]
pub(crate) struct Entries {
    pub(crate) entries: Vec<Entry>,
    names: Names,
    max_members: usize,
    pub(crate) full: bool,
}

impl Entries {
    pub(crate) fn new(settings: &ReaderSettings) -> Entries {
        Entries {
            entries: Vec::new(),
            names: Names::default(),
            max_members: settings.max_members,
            full: false,
        }
    }

    /// Adds a file: the way to it, or why it is not read.
    pub(crate) fn add(&mut self, raw_name: &[u8], found: Result<Route, UnreadableReason>) {
        if self.full {
            return;
        }
        if self.entries.len() >= self.max_members {
            self.full = true;
            self.note(UnreadableReason::TooManyMembers {
                max_members: self.max_members,
            });
            return;
        }
        let named = self.names.name(raw_name);
        let oddity = named.oddity.map(UnreadableReason::MemberName);
        let (route, fault) = match found {
            Ok(route) => (Some(route), None),
            Err(fault) => (None, Some(fault)),
        };
        self.entries.push(Entry {
            name: Some(named.name),
            route,
            notes: fault.into_iter().chain(oddity).collect(),
        });
    }

    /// Keeps only what is about the container itself.
    pub(crate) fn drop_files(&mut self) {
        self.entries.retain(|entry| entry.name.is_none());
    }

    /// Notes something about the container itself.
    pub(crate) fn note(&mut self, reason: UnreadableReason) {
        self.entries.push(Entry {
            name: None,
            route: None,
            notes: vec![reason],
        });
    }
}
