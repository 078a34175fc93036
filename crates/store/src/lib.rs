//! Where bytes lie: a folder or an S3 bucket, behind one blocking trait.
//!
//! In comes a [`Location`] (a path, or `s3://bucket/prefix`); out goes a [`Store`] that lists, reads by range,
//! creates once, replaces and deletes objects named by `/`-separated keys. It refuses to know what the bytes
//! mean: no globs, no compression, no job, no chunk.
//!
//! ```
//! use store::{Created, Location, S3Settings, Store};
//! # let dir = tempfile::tempdir()?;
//! let location: Location = dir.path().to_str().ok_or("a path in UTF-8")?.parse()?;
//! let store = store::open(&location, &S3Settings::default())?;
//! assert_eq!(store.create("a/b", "khun".into())?, Created::Created);
//! assert_eq!(store.create("a/b", "met".into())?, Created::Exists);
//! assert_eq!(store.get("a/b")?, "khun");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Feature `testing` adds the module `testing`: the contract that every store keeps, and a real S3 server for tests.

mod contents;
mod error;
mod folder;
mod key;
mod location;
mod probe;
mod s3;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use contents::{Created, Entry, Etag, LeftOut, MAX_OBJECT_BYTES, Store, Survey};
pub use error::{Error, Retry};
pub use folder::Folder;
pub use location::{Location, open};
pub use s3::{Checksums, S3, S3Settings};
