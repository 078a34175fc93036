//! Rule sets as a job names them: by id, or by the path of a file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rules::Ruleset;
use serde::{Deserialize, Serialize};

use super::file::{JobError, JobFile, Origin};
use super::spec;

/// A rule set's own file, read once when the job is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleFile {
    /// Its path as typed.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// The rule-set files of a job, by the ids they give themselves.
#[derive(Debug, Default)]
pub(super) struct RuleFiles(pub(super) BTreeMap<String, RuleFile>);

impl RuleFiles {
    /// The rule set that a text names: an id, or a file where it has a slash or ends in `.toml`. A path in a job file starts
    /// at the job file's folder, one on the command line at the current folder.
    ///
    /// # Errors
    /// The place in the job file, and what is wrong with the name or with the file.
    pub(super) fn named(
        &mut self,
        job: &JobFile,
        origin: &Origin,
        name: &str,
    ) -> Result<Arc<Ruleset>, JobError> {
        let fault = |message: String| JobError {
            file: job.file.clone(),
            origin: origin.clone(),
            message,
        };
        if !name.contains(['/', '\\']) && !name.ends_with(".toml") {
            return Ruleset::builtin(name).map_err(|error| fault(unknown(name, &error)));
        }
        let wrong = |reason: &str| fault(format!("rule set file {name}: {}", reason.trim_end()));
        let path = place(job, origin, name);
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error.to_string()))?;
        let rules = Ruleset::from_toml(&text).map_err(|error| wrong(&error.to_string()))?;
        let id = rules.id().to_string();
        let file = RuleFile {
            path: name.to_owned(),
            text,
        };
        match self.0.get(&id) {
            Some(known) if known.text != file.text => Err(wrong(&format!(
                "it calls itself `{id}`, and so does {}",
                known.path
            ))),
            _ => {
                self.0.insert(id, file);
                Ok(rules)
            }
        }
    }
}

fn place(job: &JobFile, origin: &Origin, name: &str) -> PathBuf {
    match (origin, Path::new(&job.file).parent()) {
        (Origin::Line(_), Some(folder)) => folder.join(name),
        _ => PathBuf::from(name),
    }
}

fn unknown(name: &str, error: &rules::RulesetError) -> String {
    match error {
        rules::RulesetError::Unknown(_) => {
            let known = Ruleset::builtin_ids();
            let nearest = spec::nearest_word(name, known).unwrap_or_default();
            format!(
                "unknown rule set '{name}'; the nearest is '{nearest}' (known: {}; a file needs a path or the ending .toml)",
                known.join(", ")
            )
        }
        error => error.to_string(),
    }
}
