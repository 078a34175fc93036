//! What is a key, so that no key leaves the root.

use crate::error::Error;

/// What names an unfinished write begins with; no key has such a part.
pub(crate) const UNFINISHED: &str = ".tmp-";

/// S3's limit on a key, prefix included, in bytes of UTF-8.
const MAX_BYTES: usize = 1024;

/// Passes a key on if it is one.
pub(crate) fn check(key: &str) -> Result<&str, Error> {
    match fault(key) {
        None => Ok(key),
        Some(reason) => Err(Error::BadKey {
            key: key.to_owned(),
            reason,
        }),
    }
}

/// Passes a folder on, without the `/` at its end; the root is empty.
pub(crate) fn check_prefix(prefix: &str) -> Result<&str, Error> {
    match prefix.strip_suffix('/').unwrap_or(prefix) {
        "" if prefix.is_empty() => Ok(""),
        folder => check(folder),
    }
}

/// Which rule a key breaks.
pub(crate) fn fault(key: &str) -> Option<&'static str> {
    if key.len() > MAX_BYTES {
        return Some("it has more than 1,024 bytes");
    }
    if key.contains('\0') {
        return Some("it holds a NUL byte");
    }
    key.split('/').find_map(|part| match part {
        "" => Some("a part between slashes is empty"),
        "." | ".." => Some("`.` and `..` are no parts of a key"),
        _ if part.starts_with(UNFINISHED) => {
            Some("a part begins with `.tmp-`, as unfinished writes do")
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_below_the_root() {
        for good in [
            "a",
            "a/b.parquet",
            "หมากรุก/๑.pgn",
            "a b",
            "..a",
            "_nabsak/x",
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "/a",
            "a/",
            "a//b",
            "..",
            "a/../b",
            "./a",
            "a\0",
            ".tmp-1",
            "a/.tmp-/b",
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
        assert!(check(&"k".repeat(1025)).is_err());
    }

    #[test]
    fn prefixes_may_end_in_a_slash() {
        assert_eq!(check_prefix("").unwrap(), "");
        assert_eq!(check_prefix("a/").unwrap(), "a");
        assert_eq!(check_prefix("a/b").unwrap(), "a/b");
        assert!(check_prefix("/").is_err());
        assert!(check_prefix("a//").is_err());
    }
}
