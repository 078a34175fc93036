//! What was typed: the job file and the `--set` overrides, each value with the place it came from.

use std::collections::BTreeMap;
use std::fmt;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::spec::{self, Kind};

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A line of the job file, counted from 1.
    Line(usize),
    /// An override from the command line, as typed.
    Set(String),
    /// Nowhere: the default.
    Default,
}

/// A wrong job file: where, what, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct JobError {
    /// The job file's name as given, or a word for it.
    pub file: String,
    /// The place in it.
    pub origin: Origin,
    /// What is wrong and the nearest valid writing.
    pub message: String,
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::Line(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            Origin::Set(text) => write!(f, "--set {text}: {}", self.message),
            Origin::Default => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

/// A value of a key, still unchecked beyond its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A truth value.
    Bool(bool),
    /// A list of texts.
    List(Vec<String>),
    /// A table of the user's own keys, values as text.
    Free(BTreeMap<String, String>),
}

/// A value with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value.
    pub value: Value,
    /// Where it was written.
    pub origin: Origin,
}

/// The keys of a job file as typed. Every key is known and every value has its key's kind; nothing else is checked here.
#[derive(Clone, Debug)]
pub struct JobFile {
    /// The file's name for messages.
    pub file: String,
    /// Keys by dotted path.
    pub keys: BTreeMap<String, Entry>,
    /// The tables of `[[rules.source]]`, keys without the prefix, with the line each opens on.
    pub sources: Vec<(usize, BTreeMap<String, Entry>)>,
}

impl JobFile {
    /// Reads the text of a job file.
    ///
    /// # Errors
    /// Names the line of a TOML error, an unknown key (with the nearest one) or a value of the wrong kind.
    pub fn parse(file: &str, text: &str) -> Result<JobFile, JobError> {
        let lines = Lines::of(text);
        let table = DeTable::parse(text).map_err(|error| JobError {
            file: file.to_owned(),
            origin: error
                .span()
                .map_or(Origin::Default, |span| Origin::Line(lines.line(span.start))),
            message: format!("not valid TOML: {}", error.message()),
        })?;
        let mut job = JobFile {
            file: file.to_owned(),
            keys: BTreeMap::new(),
            sources: Vec::new(),
        };
        job.walk("", table.get_ref(), &lines)?;
        Ok(job)
    }

    /// Applies one `key=value` of the command line over what the file says. The value is TOML where it parses as such, else text.
    ///
    /// # Errors
    /// As [`JobFile::parse`], naming the override instead of a line.
    pub fn set(&mut self, assignment: &str) -> Result<(), JobError> {
        let fault = |message: String| JobError {
            file: self.file.clone(),
            origin: Origin::Set(assignment.to_owned()),
            message,
        };
        let Some((path, text)) = assignment.split_once('=') else {
            return Err(fault("write it as key=value".to_owned()));
        };
        let path = path.trim();
        let Some(key) = spec::find(path) else {
            return Err(fault(unknown(path)));
        };
        let origin = Origin::Set(assignment.to_owned());
        let value = if key.kind == Kind::Text || matches!(key.kind, Kind::Choice(_)) {
            let bare = text.trim();
            let quoted = bare
                .strip_prefix('"')
                .and_then(|rest| rest.strip_suffix('"'));
            Value::Text(quoted.unwrap_or(bare).to_owned())
        } else {
            let parsed = DeValue::parse(text.trim());
            let found = match &parsed {
                Ok(value) => convert(key.kind, value.get_ref()),
                Err(_) if key.kind == Kind::List => Some(Value::List(vec![text.trim().to_owned()])),
                Err(_) => None,
            };
            found.ok_or_else(|| fault(format!("'{path}' takes {}", key.kind.words())))?
        };
        self.keys.insert(path.to_owned(), Entry { value, origin });
        Ok(())
    }

    fn walk(&mut self, prefix: &str, table: &DeTable<'_>, lines: &Lines) -> Result<(), JobError> {
        for (name, value) in table {
            let path = if prefix.is_empty() {
                name.get_ref().to_string()
            } else {
                format!("{prefix}.{}", name.get_ref())
            };
            let line = lines.line(name.span().start);
            if path == "rules.source" {
                self.walk_sources(value, line, lines)?;
            } else if let Some(key) = spec::find(&path) {
                let entry = self.entry(key.kind, &path, value, line)?;
                self.keys.insert(path, entry);
            } else if let (DeValue::Table(inner), true) = (value.get_ref(), is_table(&path)) {
                self.walk(&path, inner, lines)?;
            } else {
                return Err(self.fault(line, unknown(&path)));
            }
        }
        Ok(())
    }

    fn walk_sources(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        line: usize,
        lines: &Lines,
    ) -> Result<(), JobError> {
        let wrong = "'rules.source' is a list of tables: write [[rules.source]]";
        let Some(tables) = value.get_ref().as_array() else {
            return Err(self.fault(line, wrong.to_owned()));
        };
        for item in tables.iter() {
            let at = lines.line(item.span().start);
            let Some(table) = item.get_ref().as_table() else {
                return Err(self.fault(at, wrong.to_owned()));
            };
            let mut keys = BTreeMap::new();
            for (name, value) in table {
                let line = lines.line(name.span().start);
                let path = format!("rules.source[].{}", name.get_ref());
                let Some(key) = spec::find(&path) else {
                    return Err(self.fault(line, unknown(&path)));
                };
                keys.insert(
                    name.get_ref().to_string(),
                    self.entry(key.kind, &path, value, line)?,
                );
            }
            self.sources.push((at, keys));
        }
        Ok(())
    }

    fn entry(
        &self,
        kind: Kind,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        line: usize,
    ) -> Result<Entry, JobError> {
        convert(kind, value.get_ref())
            .map(|value| Entry {
                value,
                origin: Origin::Line(line),
            })
            .ok_or_else(|| {
                self.fault(
                    line,
                    format!(
                        "'{path}' takes {}, not {}",
                        kind.words(),
                        value.get_ref().type_str()
                    ),
                )
            })
    }

    fn fault(&self, line: usize, message: String) -> JobError {
        JobError {
            file: self.file.clone(),
            origin: Origin::Line(line),
            message,
        }
    }
}

fn unknown(path: &str) -> String {
    format!(
        "unknown key '{path}'; the nearest key is '{}'",
        spec::nearest_key(path)
    )
}

fn is_table(path: &str) -> bool {
    let prefix = format!("{path}.");
    spec::KEYS.iter().any(|key| key.path.starts_with(&prefix))
}

fn convert(kind: Kind, value: &DeValue<'_>) -> Option<Value> {
    match (kind, value) {
        (Kind::Text | Kind::Choice(_), DeValue::String(text)) => {
            Some(Value::Text(text.to_string()))
        }
        (Kind::Integer(..), DeValue::Integer(_)) => integer(value).map(Value::Integer),
        (Kind::Bool, DeValue::Boolean(flag)) => Some(Value::Bool(*flag)),
        (Kind::List, DeValue::Array(items)) => {
            let texts: Option<Vec<String>> = items
                .iter()
                .map(|item| item.get_ref().as_str().map(str::to_owned))
                .collect();
            texts.map(Value::List)
        }
        (Kind::Free, DeValue::Table(table)) => {
            let mut free = BTreeMap::new();
            for (name, value) in table {
                free.insert(name.get_ref().to_string(), scalar(value.get_ref())?);
            }
            Some(Value::Free(free))
        }
        _ => None,
    }
}

fn integer(value: &DeValue<'_>) -> Option<i64> {
    let found = value.as_integer()?;
    i64::from_str_radix(&found.as_str().replace('_', ""), found.radix()).ok()
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        DeValue::Integer(_) => integer(value).map(|number| number.to_string()),
        _ => None,
    }
}

/// Byte offsets of line starts.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        let breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(at, _)| at + 1);
        Lines(std::iter::once(0).chain(breaks).collect())
    }

    fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}
