//! The name of a place as a user writes it, and the road from there to a store.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use crate::contents::Store;
use crate::error::Error;
use crate::folder::Folder;
use crate::key;
use crate::s3::{S3, S3Settings};

/// Where data lies: a path of this machine, or a bucket with a prefix.
///
/// ```
/// use store::Location;
/// let bucket: Location = "s3://games/2026/".parse()?;
/// assert_eq!(bucket, Location::S3 { bucket: "games".into(), prefix: "2026".into() });
/// assert_eq!(bucket.to_string(), "s3://games/2026");
/// assert!(matches!("archives/real".parse()?, Location::Folder(_)));
/// # Ok::<(), store::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A folder, absolute or relative to the working directory.
    Folder(PathBuf),
    /// A bucket of S3 or of a look-alike.
    S3 {
        /// The bucket's name.
        bucket: String,
        /// What every key begins with, without slashes at either end; may be empty.
        prefix: String,
    },
}

impl FromStr for Location {
    type Err = Error;

    /// # Errors
    /// [`Error::BadLocation`] for an empty text, a scheme other than `s3`, or no bucket.
    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = |reason| {
            Err(Error::BadLocation {
                text: text.to_owned(),
                reason,
            })
        };
        let Some((scheme, rest)) = text.split_once("://") else {
            return if text.is_empty() {
                refuse("it is empty")
            } else {
                Ok(Self::Folder(text.into()))
            };
        };
        if scheme != "s3" {
            return refuse("only paths and s3://bucket/prefix are known");
        }
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() {
            return refuse("the bucket's name is missing after s3://");
        }
        let prefix = prefix.trim_end_matches('/');
        if !prefix.is_empty() && key::fault(prefix).is_some() {
            return refuse("its prefix has an empty part, `.`, `..` or an unfinished name");
        }
        Ok(Self::S3 {
            bucket: bucket.to_owned(),
            prefix: prefix.to_owned(),
        })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => write!(f, "{}", path.display()),
            Self::S3 { bucket, prefix } if prefix.is_empty() => write!(f, "s3://{bucket}"),
            Self::S3 { bucket, prefix } => write!(f, "s3://{bucket}/{prefix}"),
        }
    }
}

/// The store at a place. Asks nothing of it yet (see [`Store::check`]); `settings` matter to S3 only.
///
/// # Errors
/// [`Error::Settings`] for S3 settings that cannot work.
pub fn open(location: &Location, settings: &S3Settings) -> Result<Arc<dyn Store>, Error> {
    match location {
        Location::Folder(path) => Ok(Arc::new(Folder::new(path))),
        Location::S3 { bucket, prefix } => Ok(Arc::new(S3::connect(bucket, prefix, settings)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_places_are_refused_with_a_reason() {
        for (text, word) in [
            ("", "empty"),
            ("s3://", "bucket"),
            ("s3:///x", "bucket"),
            ("gs://b/x", "only paths"),
            ("s3://b/a//c", "prefix"),
            ("s3://b/../c", "prefix"),
        ] {
            let error = text.parse::<Location>().unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn a_bucket_alone_is_a_place() {
        let at = |text: &str| text.parse::<Location>().unwrap().to_string();
        assert_eq!(at("s3://games"), "s3://games");
        assert_eq!(at("s3://games/"), "s3://games");
        assert_eq!(at("s3://games/a/b//"), "s3://games/a/b");
        assert_eq!(at("C:/data"), "C:/data");
    }
}
