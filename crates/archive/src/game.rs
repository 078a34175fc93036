//! A game as it stands in the archive: bytes, tags and tokens, nothing judged.

use std::borrow::Cow;

use crate::{
    dialect::Dialect,
    encoding::Encoding,
    note::TextNote,
    outcome::ResultMarker,
    tags::Tags,
    token::{Token, TokenKind},
};

/// One game of an archive.
///
/// Invariants: `raw` is exactly the `byte_length` bytes at `byte_offset` of the decompressed member; tags and tokens
/// are in the order of the text, but for [`TokenKind::Score`], which stands behind its move; every offset lies in `raw`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawGame {
    /// 1 for the first game of the member.
    pub ordinal: u32,
    /// Where the game starts in the decompressed member.
    pub byte_offset: u64,
    /// Its length there, without the blank lines after it.
    pub byte_length: u64,
    /// Its bytes as they are in the archive.
    pub raw: Vec<u8>,
    /// How the bytes were read.
    pub encoding: Encoding,
    /// Who wrote it.
    pub dialect: Dialect,
    /// Why we think so, for people: a tag, a comment, a move.
    pub evidence: String,
    /// Whether the dialect was set from outside rather than seen in the record.
    pub dialect_is_set: bool,
    /// All tags, repeated ones too, in order.
    pub tags: Tags,
    /// The move text, in order.
    pub tokens: Vec<Token>,
    /// The last result marker of the main line.
    pub result_marker: Option<ResultMarker>,
    /// What was odd about the text: one note per kind, with the first place and the number of times.
    pub notes: Vec<TextNote>,
    /// The text the tokens point into, in UTF-8, where it is not `raw` itself (UTF-16, base64, JSON with escapes).
    pub(crate) text: Option<Vec<u8>>,
}

impl RawGame {
    /// The value of the first tag of that name, whatever its case.
    #[inline]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(|tag| tag.value)
    }

    /// What a token says, decoded: a move or number as written, a comment or variation without its brackets.
    pub fn text(&self, token: &Token) -> Cow<'_, str> {
        let bytes = self.bytes(token);
        match self.text {
            Some(_) => String::from_utf8_lossy(bytes),
            None => self.encoding.decode(bytes),
        }
    }

    /// The bytes behind [`RawGame::text`], ASCII-compatible whatever the file's encoding is.
    #[inline]
    pub fn bytes(&self, token: &Token) -> &[u8] {
        let text = self.text.as_deref().unwrap_or(&self.raw);
        let start = token.start as usize;
        text.get(start..start + token.length as usize)
            .unwrap_or_default()
    }

    /// The eight bytes of that text that begin with a token's, and the token's length; what stands behind a shorter token is
    /// no part of it.
    #[inline]
    pub fn letters(&self, token: &Token) -> (u64, u32) {
        let text = self.text.as_deref().unwrap_or(&self.raw);
        let start = token.start as usize;
        let letters = match text
            .get(start..start + 8)
            .and_then(|eight| eight.first_chunk())
        {
            Some(letters) => *letters,
            None => self.last_letters(start),
        };
        (u64::from_le_bytes(letters), token.length)
    }

    #[cold]
    fn last_letters(&self, start: usize) -> [u8; 8] {
        let text = self.text.as_deref().unwrap_or(&self.raw);
        let mut letters = [0; 8];
        let rest = text.get(start..).unwrap_or_default();
        letters
            .iter_mut()
            .zip(rest)
            .for_each(|(to, from)| *to = *from);
        letters
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &Token> {
        self.tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Move)
    }
}
