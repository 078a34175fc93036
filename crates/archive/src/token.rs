//! The words of a move text.

use crate::outcome::ResultMarker;

/// One word, comment or variation of the move text; its text is had from [`crate::RawGame::text`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Where it starts in the raw game, brackets included.
    pub offset: u32,
    /// Where its text starts in the ASCII-compatible text (brackets excluded).
    pub(crate) start: u32,
    /// Length of that text in bytes.
    pub(crate) length: u32,
    /// What it is.
    pub kind: TokenKind,
}

/// What a token is. Whether a move is legal, or a word means anything, is not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Something that can be a move in some dialect, without glyphs: `Nd2`, `e3e4`, `cxd3=P+`, `Nd8=`, `ม-ง๒`.
    Move,
    /// A number before a move: `1.`, `1...`, `1)`, `1`. Never places a move; only to warn.
    MoveNumber {
        /// The number, `u32::MAX` if it is larger.
        number: u32,
        /// Written with dots for Black (`1...`).
        black: bool,
    },
    /// An annotation: `$14` or a glyph such as `!?`, the text says which.
    Nag {
        /// The PGN number where there is one (`!` is 1, `?` 2, `!!` 3, `??` 4, `!?` 5, `?!` 6).
        code: Option<u16>,
    },
    /// A comment.
    Comment(CommentStyle),
    /// A variation in parentheses, whole, with all that is nested in it.
    Variation {
        /// How many moves it holds, nested ones too.
        moves: u32,
    },
    /// A result marker.
    Result(ResultMarker),
    /// A drawn-offer mark of its own: `(=)` or `=`.
    DrawOffer,
    /// A placeholder where a move is missing: `?`, `--`, `...`, `Z0`, `null`.
    Gap,
    /// A word that can be no move in any dialect.
    Word,
    /// An evaluation that the record keeps apart from its moves: a whole number of centipawns, or of moves to a mate, in
    /// the view of the side that moved. It stands behind its move, wherever the record has it.
    Score,
}

/// How a comment is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentStyle {
    /// `{...}`
    Brace,
    /// `; ...` to the end of the line.
    Line,
    /// `[%clk 0:01:02]` or the like in the open, not in a comment.
    Bracket,
}
