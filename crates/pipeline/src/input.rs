//! From what was typed to the archives there are. Reads no bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use store::{Entry, Error, Etag, Location, Store, Survey};
use tables::Table;

use crate::job::Job;
use crate::output::failed;
use crate::run::{RunError, Stores};

/// One input object.
#[derive(Clone, Debug)]
pub(crate) struct Archive {
    /// Path below the input's root: its name in every table.
    pub(crate) name: String,
    /// Where that store is; a folder's path is whole.
    pub(crate) root: Location,
    pub(crate) store: Arc<dyn Store>,
    /// Its key in that store.
    pub(crate) key: String,
    pub(crate) size: u64,
    pub(crate) etag: Etag,
}

/// The archives of a job, sorted by name, and those that were named but are not there.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) archives: Vec<Archive>,
    /// Name and reason.
    pub(crate) missing: Vec<(String, String)>,
}

/// Lists the input of a job.
pub(crate) fn list(job: &Job, stores: &dyn Stores) -> Result<Listing, RunError> {
    let mut found: BTreeMap<String, Archive> = BTreeMap::new();
    let mut missing = BTreeMap::new();
    let output = absolute(&job.output.location);
    for typed in &job.input.archives {
        let open = |place: &Place| {
            let store = stores.open(&place.root, &job.s3.settings());
            store.map_err(|source| failed(&format!("opening {}", place.root), source))
        };
        let mut place = Place::of(typed)?;
        let mut store = open(&place)?;
        let mut listed = place.entries(store.as_ref());
        // A prefix under which nothing lies may be the name of one object.
        if let (true, Some(object)) = (
            listed
                .as_ref()
                .is_ok_and(|survey| survey.entries.is_empty()),
            place.as_object(),
        ) {
            place = object;
            store = open(&place)?;
            listed = store.check().and_then(|()| place.entries(store.as_ref()));
        }
        let survey = match listed {
            Ok(survey) => survey,
            Err(Error::NotFound { place: what }) => {
                missing.insert(place.name(), format!("{what} does not exist"));
                continue;
            }
            // Of a folder this place alone cannot be read; of a service nothing can be said.
            Err(source) if matches!(place.root, Location::Folder(_)) => {
                missing.insert(place.name(), source.to_string());
                continue;
            }
            Err(source) => return Err(failed(&format!("listing {typed}"), source)),
        };
        if place.covers_output(output.as_deref()) {
            return Err(RunError::Usage(format!(
                "{typed} is the output folder itself: write the results elsewhere"
            )));
        }
        for left in survey.left_out {
            if wanted(job, &left.name, false) {
                missing.insert(left.name, left.reason);
            }
        }
        let outputs = outputs_among(&survey.entries);
        let root = whole(&place.root);
        for entry in survey.entries {
            if outputs.iter().any(|folder| made_by_us(&entry.key, folder)) && !place.named() {
                continue;
            }
            if !wanted(job, &entry.key, place.named())
                || place.is_output(&entry.key, output.as_deref())
            {
                continue;
            }
            let archive = Archive {
                name: entry.key.clone(),
                root: root.clone(),
                store: Arc::clone(&store),
                key: entry.key,
                size: entry.size,
                etag: entry.etag,
            };
            add(&mut found, archive)?;
        }
    }
    let missing: Vec<(String, String)> = missing.into_iter().collect();
    // Tables that hold something are never replaced by nothing because a share is not mounted or a name is mistyped.
    if found.is_empty() {
        let why = missing
            .iter()
            .map(|(name, reason)| format!("\n  {name}: {reason}"));
        return Err(RunError::NoInput(format!(
            "{}{}",
            job.input.archives.join(", "),
            why.collect::<String>()
        )));
    }
    Ok(Listing {
        archives: found.into_values().collect(),
        missing,
    })
}

/// One name, one archive: the same object named twice is one, two objects of one name are an error.
fn add(found: &mut BTreeMap<String, Archive>, archive: Archive) -> Result<(), RunError> {
    let here = |archive: &Archive| format!("{}/{}", archive.store.describe(), archive.key);
    match found.get(&archive.name) {
        None => {
            found.insert(archive.name.clone(), archive);
        }
        Some(first) if here(first) == here(&archive) => {}
        Some(first) => {
            return Err(RunError::Usage(format!(
                "two archives are called '{}': {} and {}. Name a folder above both as the input, with 'include' patterns",
                archive.name,
                here(first),
                here(&archive)
            )));
        }
    }
    Ok(())
}

/// Include and exclude hold for what a folder, a glob or a prefix brings; a file named by itself is wanted.
fn wanted(job: &Job, name: &str, named: bool) -> bool {
    let hidden = name.split('/').any(|part| part.starts_with('.'));
    named || (!hidden && job.input.include.is_match(name) && !job.input.exclude.is_match(name))
}

/// A typed input: a root, and what below it is meant.
#[derive(Debug)]
struct Place {
    root: Location,
    what: What,
}

#[derive(Debug)]
enum What {
    Everything,
    One(String),
    Matching(Box<GlobMatcher>, String),
}

impl Place {
    fn of(typed: &str) -> Result<Place, RunError> {
        let usage =
            |error: &dyn std::fmt::Display| RunError::Usage(format!("input '{typed}': {error}"));
        if let Some((fixed, pattern)) = split_glob(typed) {
            let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
            let glob = glob.map_err(|error| usage(error.kind()))?.compile_matcher();
            let root = fixed.parse().map_err(|error: Error| usage(&error))?;
            return Ok(Place {
                root,
                what: What::Matching(Box::new(glob), pattern),
            });
        }
        let location: Location = typed.parse().map_err(|error: Error| usage(&error))?;
        match &location {
            Location::Folder(path) if path.is_dir() => Ok(Place {
                root: location,
                what: What::Everything,
            }),
            Location::Folder(path) => {
                let name = path.file_name().and_then(|name| name.to_str());
                let name = name
                    .ok_or_else(|| usage(&"no file name in UTF-8"))?
                    .to_owned();
                let parent = path
                    .parent()
                    .filter(|parent| !parent.as_os_str().is_empty());
                let root = Location::Folder(parent.unwrap_or(Path::new(".")).to_owned());
                Ok(Place {
                    root,
                    what: What::One(name),
                })
            }
            Location::S3 { .. } => Ok(Place {
                root: location,
                what: What::Everything,
            }),
        }
    }

    fn entries(&self, store: &dyn Store) -> Result<Survey, Error> {
        match &self.what {
            What::One(name) => Ok(Survey {
                entries: vec![store.head(name)?],
                left_out: Vec::new(),
            }),
            What::Everything => store.survey(""),
            What::Matching(glob, pattern) => {
                let mut survey = store.survey("")?;
                survey.entries.retain(|entry| glob.is_match(&entry.key));
                survey.left_out.retain(|left| glob.is_match(&left.name));
                if survey.entries.is_empty() && survey.left_out.is_empty() {
                    return Err(Error::NotFound {
                        place: format!("{}/{pattern}", store.describe()),
                    });
                }
                Ok(survey)
            }
        }
    }

    /// The object that a prefix names, if it names one.
    fn as_object(&self) -> Option<Place> {
        let (Location::S3 { bucket, prefix }, What::Everything) = (&self.root, &self.what) else {
            return None;
        };
        let (folder, name) = prefix.rsplit_once('/').unwrap_or(("", prefix));
        (!name.is_empty()).then(|| Place {
            root: Location::S3 {
                bucket: bucket.clone(),
                prefix: folder.to_owned(),
            },
            what: What::One(name.to_owned()),
        })
    }

    fn name(&self) -> String {
        match &self.what {
            What::One(name) => name.clone(),
            What::Matching(_, pattern) => pattern.clone(),
            What::Everything => self.root.to_string(),
        }
    }

    fn named(&self) -> bool {
        matches!(self.what, What::One(_))
    }

    /// Whether all that is meant lies in the output folder.
    fn covers_output(&self, output: Option<&Path>) -> bool {
        match (&self.root, &self.what, output) {
            (Location::Folder(root), What::Everything, Some(output)) => {
                clean(&std::path::absolute(root).unwrap_or_default()).starts_with(output)
            }
            _ => false,
        }
    }

    /// Whether the object lies in the output folder: a job that reads a folder and writes below it does not read itself.
    fn is_output(&self, key: &str, output: Option<&Path>) -> bool {
        match (&self.root, output) {
            (Location::Folder(root), Some(output)) => {
                clean(&std::path::absolute(root).unwrap_or_default().join(key)).starts_with(output)
            }
            _ => false,
        }
    }
}

/// The folders among these objects that a run has written to, with the slash at their end; `""` is the root.
fn outputs_among(entries: &[Entry]) -> BTreeSet<String> {
    let folder = |entry: &Entry| match entry.key.find("_nabsak/commits/") {
        Some(0) => Some(String::new()),
        Some(at) if entry.key[..at].ends_with('/') => Some(entry.key[..at].to_owned()),
        _ => None,
    };
    entries.iter().filter_map(folder).collect()
}

/// Whether a run made the object, in an output folder.
fn made_by_us(key: &str, output: &str) -> bool {
    let Some(name) = key.strip_prefix(output) else {
        return false;
    };
    let first = name.split('/').next().unwrap_or_default();
    first == "_nabsak"
        || ["report.html", "views.sql"].contains(&name)
        || (first != name && first.parse::<Table>().is_ok())
}

fn absolute(location: &str) -> Option<PathBuf> {
    match location.parse().ok()? {
        Location::Folder(path) => std::path::absolute(path).ok().map(|path| clean(&path)),
        Location::S3 { .. } => None,
    }
}

/// The same place from any working directory.
fn whole(root: &Location) -> Location {
    match root {
        Location::Folder(path) => {
            let whole = std::path::absolute(path).map(|path| clean(&path));
            Location::Folder(whole.unwrap_or_else(|_| path.clone()))
        }
        Location::S3 { .. } => root.clone(),
    }
}

/// Without `.` and `..`, by the letters alone.
fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

/// The folders before the first part that holds a wildcard, and the pattern from there on.
fn split_glob(typed: &str) -> Option<(String, String)> {
    let wild = |part: &str| part.contains(['*', '?', '[', '{']);
    if !wild(typed) || Path::new(typed).exists() {
        return None;
    }
    let parts: Vec<&str> = typed.split('/').collect();
    let first = parts.iter().position(|part| wild(part))?;
    let (fixed, pattern) = parts.split_at(first);
    let fixed = match fixed.join("/") {
        root if root.is_empty() && typed.starts_with('/') => "/".to_owned(),
        root if root.is_empty() => ".".to_owned(),
        root => root,
    };
    Some((fixed, pattern.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_cut_at_the_first_wildcard() {
        let cut = |typed: &str| split_glob(typed);
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(cut("a/b/*.pgn"), pair("a/b", "*.pgn"));
        assert_eq!(cut("*.pgn"), pair(".", "*.pgn"));
        assert_eq!(cut("/*.pgn"), pair("/", "*.pgn"));
        assert_eq!(
            cut("s3://b/p/2026-??/*.zst"),
            pair("s3://b/p", "2026-??/*.zst")
        );
        assert_eq!(cut("a/b.pgn"), None);
    }

    #[test]
    fn dots_go() {
        assert_eq!(clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
