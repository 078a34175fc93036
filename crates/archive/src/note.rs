//! What was odd about a text.

/// One kind of oddity in one game: noted once, with its first place and how often it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextNote {
    /// The first place, in the raw game.
    pub offset: u32,
    /// What it is.
    pub kind: NoteKind,
    /// How often.
    pub count: u32,
    /// For people, with the text concerned where that helps.
    pub text: String,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {
        /// The oddities a reader can meet. None of them stops a game by itself.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum NoteKind { $($(#[$doc])* $name),* }

        impl NoteKind {
            /// All kinds, in order.
            pub const ALL: &[NoteKind] = &[$(NoteKind::$name),*];

            /// A stable name in snake case.
            pub fn as_str(self) -> &'static str {
                match self { $(NoteKind::$name => $text),* }
            }
        }
    };
}

kinds! {
    /// Lines end with CR CR LF: a CRLF text saved again in text mode.
    LineEndCrCrLf = "line_end_cr_cr_lf",
    /// Lines end with CR alone.
    LineEndCr = "line_end_cr",
    /// More than one kind of line end in the game.
    LineEndMixed = "line_end_mixed",
    /// A byte order mark in front of the game, or inside it.
    ByteOrderMark = "byte_order_mark",
    /// NUL bytes; read as blanks.
    NulByte = "nul_byte",
    /// Other control characters; read as blanks.
    ControlByte = "control_byte",
    /// Bytes that the encoding does not allow in an otherwise good text.
    StrayByte = "stray_byte",
    /// The encoding was guessed from the letters; nothing in the file says it.
    EncodingGuessed = "encoding_guessed",
    /// A hidden line that starts with `%`.
    HiddenLine = "hidden_line",
    /// No tags at all.
    TagsMissing = "tags_missing",
    /// Blank lines inside the tag block.
    TagBlankLine = "tag_blank_line",
    /// Tags after the moves.
    TagAfterMoves = "tag_after_moves",
    /// Several tags, or tags and moves, on one line.
    TagSharesLine = "tag_shares_line",
    /// The same name twice; the first one counts.
    TagDuplicate = "tag_duplicate",
    /// A tag name that starts with a lower-case letter.
    TagLowerCase = "tag_lower_case",
    /// A blank before the closing bracket or after the opening one.
    TagSpacing = "tag_spacing",
    /// A quote inside the value that is not escaped.
    TagQuoteInside = "tag_quote_inside",
    /// Single quotes, typographic quotes or none.
    TagQuoteStyle = "tag_quote_style",
    /// No closing quote or bracket.
    TagUnclosed = "tag_unclosed",
    /// A tag without a value.
    TagValueMissing = "tag_value_missing",
    /// A tag name with letters PGN does not allow.
    TagNameOdd = "tag_name_odd",
    /// `{` inside a comment.
    CommentNested = "comment_nested",
    /// A comment without `}`.
    CommentUnclosed = "comment_unclosed",
    /// `}` outside a comment.
    CommentStrayClose = "comment_stray_close",
    /// A `[...]` in the move text.
    BracketInMoves = "bracket_in_moves",
    /// A variation without `)`.
    VariationUnclosed = "variation_unclosed",
    /// `)` outside a variation.
    VariationStrayClose = "variation_stray_close",
    /// A move number that does not follow from the moves before it.
    MoveNumberOff = "move_number_off",
    /// A move number written `1)` or without a dot.
    MoveNumberStyle = "move_number_style",
    /// A result not spelled `1-0`, `0-1`, `1/2-1/2` or `*`.
    ResultSpelling = "result_spelling",
    /// More than one result marker in the main line; the last one counts.
    ResultRepeated = "result_repeated",
    /// Moves after a result marker.
    MovesAfterResult = "moves_after_result",
    /// A word that is no move.
    WordInMoves = "word_in_moves",
    /// A record that is not JSON, or not base64, although it begins so.
    RecordBroken = "record_broken",
}

impl NoteKind {
    /// Whether it is about the words of a record, rather than about its bytes.
    pub(crate) fn is_of_record(self) -> bool {
        matches!(self, NoteKind::RecordBroken | NoteKind::WordInMoves)
    }
}

/// Collects notes, one per kind.
#[derive(Debug, Default)]
pub(crate) struct Notes(Vec<TextNote>);

impl Notes {
    pub(crate) fn add(&mut self, offset: usize, kind: NoteKind, text: impl FnOnce() -> String) {
        self.add_many(offset, kind, 1, text);
    }

    pub(crate) fn add_many(
        &mut self,
        offset: usize,
        kind: NoteKind,
        count: u32,
        text: impl FnOnce() -> String,
    ) {
        match self.0.iter_mut().find(|note| note.kind == kind) {
            Some(note) => note.count = note.count.saturating_add(count),
            None => self.0.push(TextNote {
                offset: clamp(offset),
                kind,
                count,
                text: text(),
            }),
        }
    }

    /// The notes by place, then by kind.
    pub(crate) fn finish(mut self) -> Vec<TextNote> {
        self.0.sort_by_key(|note| (note.offset, note.kind));
        self.0
    }
}

/// An offset in a game; games are far smaller than 4 GiB, so nothing is lost.
pub(crate) fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
