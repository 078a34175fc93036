//! The shapes that records come in; the cutter tells them apart, each has a reader of its own.

/// How a record is laid out, whatever program wrote it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// Tags in brackets and a move text.
    #[default]
    Pgn,
    /// One JSON object.
    Json,
    /// Base64 of one JSON object.
    Base64,
    /// One position a line.
    Position,
    /// The text of a SchemingMind page.
    Page,
}
