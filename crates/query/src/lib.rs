//! A commit to SQL tables, read only.
