//! An S3 bucket, or a look-alike's, as a store.

mod settings;

pub use settings::{Checksums, S3Settings};
