//! A job's input as a manifest carries it: patterns, encoding, dialect and numbering by their names.

use serde::{Deserialize, Serialize};

use super::{Limits, Patterns};

/// [`super::Input`] in plain texts.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Input {
    archives: Vec<String>,
    include: Vec<String>,
    exclude: Vec<String>,
    encoding: Option<String>,
    dialect: Option<String>,
    numbering: Option<String>,
    limits: Limits,
}

impl From<super::Input> for Input {
    fn from(input: super::Input) -> Input {
        Input {
            archives: input.archives,
            include: input.include.texts,
            exclude: input.exclude.texts,
            encoding: input.encoding.map(|encoding| encoding.as_str().to_owned()),
            dialect: input.dialect.map(|dialect| dialect.as_str().to_owned()),
            numbering: input.numbering.map(|numbering| numbering.squares()),
            limits: input.limits,
        }
    }
}

impl TryFrom<Input> for super::Input {
    type Error = String;

    fn try_from(input: Input) -> Result<super::Input, String> {
        let patterns = |texts| {
            Patterns::new(texts)
                .map_err(|(text, reason)| format!("'{text}' is not a pattern: {reason}"))
        };
        let unknown = |what: &str, name: &str| format!("unknown {what} '{name}'");
        Ok(super::Input {
            archives: input.archives,
            include: patterns(input.include)?,
            exclude: patterns(input.exclude)?,
            encoding: input
                .encoding
                .map(|name| name.parse().map_err(|_| unknown("encoding", &name)))
                .transpose()?,
            dialect: input
                .dialect
                .map(|name| name.parse().map_err(|_| unknown("dialect", &name)))
                .transpose()?,
            numbering: input
                .numbering
                .map(|name| name.parse().map_err(|_| unknown("numbering", &name)))
                .transpose()?,
            limits: input.limits,
        })
    }
}
