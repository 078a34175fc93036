//! Where bytes lie: a folder or S3.
