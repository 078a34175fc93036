//! Archives to stages, chunks, receipts and commits.
