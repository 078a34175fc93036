//! Why a store failed, and whether trying again could help.

use std::io;

/// Whether the same call may succeed later without anybody changing anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It will fail again until a person or the caller's plan changes.
    Never,
    /// Outages, overload, broken connections. The client has already tried a few times within seconds.
    Later,
}

/// A failed call. Each message names the place and, where a person can act, the next step.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The key or prefix is not one.
    #[error("`{key}` is no object key: {reason}")]
    BadKey {
        /// As given.
        key: String,
        /// Which rule it breaks.
        reason: &'static str,
    },
    /// The text is neither a path nor `s3://bucket/prefix`.
    #[error("`{text}` is no place for data: {reason}")]
    BadLocation {
        /// As given.
        text: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A setting is missing or wrong, found before anything was asked of the store.
    #[error("{0}")]
    Settings(String),
    /// There is no such object, or no such folder.
    #[error("{place} does not exist")]
    NotFound {
        /// Store and key.
        place: String,
    },
    /// There is no such bucket.
    #[error(
        "there is no bucket `{bucket}` at {endpoint}: check the name and AWS_ENDPOINT_URL, or create the bucket"
    )]
    NoSuchBucket {
        /// Its name.
        bucket: String,
        /// Who was asked.
        endpoint: String,
    },
    /// No credentials were found anywhere in the chain.
    #[error(
        "no credentials for {place}: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE ({detail})"
    )]
    NoCredentials {
        /// The store.
        place: String,
        /// What the chain said.
        detail: String,
    },
    /// The service does not accept the credentials.
    #[error("{place} refused the credentials ({code}): {advice}")]
    BadCredentials {
        /// The store.
        place: String,
        /// The service's own code, such as `SignatureDoesNotMatch`.
        code: String,
        /// What to check.
        advice: &'static str,
    },
    /// The credentials are good but may not do this.
    #[error(
        "not allowed: {place} ({detail}): check the permissions of these credentials or of the folder"
    )]
    AccessDenied {
        /// Store and key.
        place: String,
        /// Code and message of the service or the system.
        detail: String,
    },
    /// The clocks of this machine and the service differ too much for signed requests.
    #[error(
        "{place} refused the request's time: set this machine's clock (NTP), it is too far from the service's"
    )]
    ClockSkew {
        /// The store.
        place: String,
    },
    /// The object is no longer in the state that was asked for.
    #[error("{place} changed while it was being worked on: run again to take up the new state")]
    Changed {
        /// Store and key.
        place: String,
    },
    /// Nobody answered, or the connection broke too often.
    #[error(
        "{endpoint} cannot be reached ({detail}): check that the service runs, and AWS_ENDPOINT_URL; then run again to go on"
    )]
    Unreachable {
        /// Who was asked.
        endpoint: String,
        /// What the network said.
        detail: String,
    },
    /// The service answered with an error that has no variant of its own.
    #[error("{place}: the service answered {status} {code}: {message}")]
    Service {
        /// Store and key.
        place: String,
        /// HTTP status, 0 where the answer could not be read.
        status: u16,
        /// The service's code; empty where it gave none.
        code: String,
        /// The service's words.
        message: String,
    },
    /// The disk or the quota is full.
    #[error("no space left for {place}: free some, then run again to go on")]
    NoSpace {
        /// Store and key.
        place: String,
    },
    /// The object is larger than [`crate::MAX_OBJECT_BYTES`].
    #[error("{place} would have {size} bytes, more than an object may have here")]
    TooLarge {
        /// Store and key.
        place: String,
        /// Bytes asked for.
        size: u64,
    },
    /// The store lets a second writer win, so results could be overwritten.
    #[error(
        "{place} cannot hold results: {detail}. Use a store with create-only writes (S3's If-None-Match, hard links)"
    )]
    NotCreateOnly {
        /// The store.
        place: String,
        /// What the probe saw.
        detail: String,
    },
    /// Any other failure of the file system.
    #[error("{place}: {source}")]
    Io {
        /// Store and key.
        place: String,
        /// The system's error.
        source: io::Error,
    },
}

impl Error {
    /// Whether trying again later can help.
    #[must_use]
    pub fn retry(&self) -> Retry {
        let later = match self {
            Self::Unreachable { .. } => true,
            Self::Service { status, .. } => matches!(status, 0 | 408 | 409 | 425 | 429 | 500..),
            Self::Io { source, .. } => matches!(
                source.kind(),
                io::ErrorKind::Interrupted
                    | io::ErrorKind::TimedOut
                    | io::ErrorKind::ResourceBusy
                    | io::ErrorKind::StaleNetworkFileHandle
            ),
            _ => false,
        };
        if later { Retry::Later } else { Retry::Never }
    }

    /// The store's error inside an error of [`std::io`], for readers that stand on [`crate::Store::read`]: without one, the fault
    /// lies in the bytes and not in the store.
    #[must_use]
    pub fn of_io(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }

    /// As an error of [`std::io`], with the kind that fits.
    #[must_use]
    pub fn into_io(self) -> io::Error {
        let kind = match &self {
            Self::NotFound { .. } => io::ErrorKind::NotFound,
            Self::AccessDenied { .. } | Self::BadCredentials { .. } => {
                io::ErrorKind::PermissionDenied
            }
            Self::Io { source, .. } => source.kind(),
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, self)
    }

    /// Back from what a reader of [`crate::Store::read`] gave.
    pub(crate) fn from_read(store: String, key: &str, error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(inner) => inner,
            Err(source) => Self::of_file(format!("{store}/{key}"), source),
        }
    }

    /// Names a failure of the file system.
    pub(crate) fn of_file(place: String, source: io::Error) -> Self {
        use io::ErrorKind as Kind;
        match source.kind() {
            Kind::NotFound => Self::NotFound { place },
            Kind::StorageFull | Kind::QuotaExceeded => Self::NoSpace { place },
            Kind::PermissionDenied | Kind::ReadOnlyFilesystem => Self::AccessDenied {
                place,
                detail: source.to_string(),
            },
            _ => Self::Io { place, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_disks_and_quotas_are_named() {
        // ENOSPC and EDQUOT as Linux numbers them.
        for code in [28, 122] {
            let error = Error::of_file("out/x".into(), io::Error::from_raw_os_error(code));
            assert!(matches!(error, Error::NoSpace { .. }), "{error}");
            assert_eq!(error.retry(), Retry::Never);
            assert!(error.to_string().contains("no space left for out/x"));
        }
    }

    #[test]
    fn a_store_error_survives_a_reader() {
        let changed = Error::Changed {
            place: "a/b".into(),
        };
        let io = changed.into_io();
        assert!(matches!(Error::of_io(&io), Some(Error::Changed { .. })));
        assert!(Error::of_io(&io::Error::other("bad bytes")).is_none());
        assert!(matches!(
            Error::from_read("a".into(), "b", io),
            Error::Changed { .. }
        ));
    }
}
