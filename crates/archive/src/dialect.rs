//! Who wrote a game, told by what is in it.

use std::str::FromStr;

use crate::{
    game::RawTag,
    outcome::ResultMarker,
    token::{Token, TokenKind},
};

/// A way of writing games (FORMATS 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// D1: PlayOK and Kurnik text exports; no Variant tag, letters K Q B N R, promoted bia `P`.
    PlayOk,
    /// D6: WinBoard and XBoard with Fairy-Max and the like.
    WinBoard,
    /// D7: exports of pychess.org.
    Pychess,
    /// D7b: its analysis board.
    PychessAnalysis,
    /// D10: cutechess.
    Cutechess,
    /// D11: PyChess on the desktop.
    PychessDesktop,
    /// PGN of no known writer.
    Pgn,
}

/// A name that is no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown dialect `{0}`: expected one of playok, winboard, pychess, pychess-analysis, cutechess, pychess-desktop, pgn"
)]
pub struct UnknownDialect(pub String);

impl Dialect {
    /// All dialects.
    pub const ALL: &[Dialect] = &[
        Dialect::PlayOk,
        Dialect::WinBoard,
        Dialect::Pychess,
        Dialect::PychessAnalysis,
        Dialect::Cutechess,
        Dialect::PychessDesktop,
        Dialect::Pgn,
    ];

    /// The name that tables and job files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::PlayOk => "playok",
            Dialect::WinBoard => "winboard",
            Dialect::Pychess => "pychess",
            Dialect::PychessAnalysis => "pychess-analysis",
            Dialect::Cutechess => "cutechess",
            Dialect::PychessDesktop => "pychess-desktop",
            Dialect::Pgn => "pgn",
        }
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Dialect::ALL.iter().find(|dialect| dialect.as_str() == name);
        found
            .copied()
            .ok_or_else(|| UnknownDialect(name.to_owned()))
    }
}

/// What there is to judge by.
pub(crate) struct Signs<'a> {
    pub(crate) tags: &'a [RawTag],
    pub(crate) tokens: &'a [Token],
    /// The ASCII-compatible text of the game.
    pub(crate) text: &'a [u8],
    pub(crate) result: Option<ResultMarker>,
}

/// The dialect and the evidence for it. Tags weigh more than comments, comments more than moves.
pub(crate) fn detect(signs: &Signs<'_>) -> (Dialect, String) {
    by_tags(signs)
        .or_else(|| by_comments(signs))
        .or_else(|| by_moves(signs))
        .unwrap_or_else(|| (Dialect::Pgn, "no sign of a known writer".to_owned()))
}

fn by_tags(signs: &Signs<'_>) -> Option<(Dialect, String)> {
    let tag = |name: &str| {
        signs
            .tags
            .iter()
            .find(|tag| tag.is(name))
            .map(|tag| tag.value.as_str())
    };
    let site = tag("Site").unwrap_or_default();
    let said = |name: &str, value: &str| format!("{name} \"{value}\"");
    if has_word(site, "pychess.org") || has_word(site, "pychess-variants") {
        let analysis =
            has_word(site, "/analysis") || has_word(site, "/editor") || is_analysis(signs);
        let dialect = if analysis {
            Dialect::PychessAnalysis
        } else {
            Dialect::Pychess
        };
        return Some((dialect, said("Site", site)));
    }
    if tag("Variant").is_none() && ["playok", "kurnik"].iter().any(|name| has_word(site, name)) {
        return Some((
            Dialect::PlayOk,
            format!("{}, no Variant", said("Site", site)),
        ));
    }
    if let Some(men) = tag("VariantMen") {
        return Some((Dialect::WinBoard, said("VariantMen", men)));
    }
    if let Some(annotator) = tag("Annotator").filter(|value| has_word(value, "pychess")) {
        return Some((Dialect::PychessDesktop, said("Annotator", annotator)));
    }
    // Cutechess keeps these; WinBoard and pychess do not.
    let kept = ["GameStartTime", "GameDuration", "GameEndTime"]
        .iter()
        .find_map(|name| Some((*name, tag(name)?)));
    if let Some((name, value)) = kept {
        return Some((Dialect::Cutechess, said(name, value)));
    }
    let event = tag("Event").unwrap_or_default();
    event
        .starts_with("PyChess ")
        .then(|| (Dialect::Pychess, said("Event", event)))
}

/// The analysis board always writes `*` and puts variations in parentheses.
fn is_analysis(signs: &Signs<'_>) -> bool {
    signs.result == Some(ResultMarker::Open)
        && signs
            .tokens
            .iter()
            .any(|token| matches!(token.kind, TokenKind::Variation { .. }))
}

/// Enough comments to judge by; a long game has hundreds.
const COMMENTS_LOOKED_AT: usize = 8;

fn by_comments(signs: &Signs<'_>) -> Option<(Dialect, String)> {
    let comments = signs
        .tokens
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Comment(_)));
    comments.take(COMMENTS_LOOKED_AT).find_map(|token| {
        let text = signs
            .text
            .get(token.start as usize..(token.start + token.length) as usize)?;
        let shown = || String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
        if text.starts_with(b"------") {
            return Some((
                Dialect::WinBoard,
                "a board drawn in the first comment".to_owned(),
            ));
        }
        if text == b"book" {
            return Some((Dialect::Cutechess, "comment {book}".to_owned()));
        }
        let (depth_at, rest) = engine_comment(text)?;
        let dialect = if rest.ends_with(b"s") {
            Dialect::Cutechess
        } else {
            Dialect::WinBoard
        };
        (depth_at > 0).then(|| (dialect, format!("comment {{{}}}", shown())))
    })
}

/// For `+0.29/34 434s`: where the slash is, and what follows the blank, up to a comma.
fn engine_comment(text: &[u8]) -> Option<(usize, &[u8])> {
    let slash = memchr::memchr(b'/', text)?;
    let score = &text[..slash];
    let number = score
        .iter()
        .all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'M' | b'#'));
    let rest = &text[slash + 1..];
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    let time = rest.get(digits..)?.strip_prefix(b" ")?;
    let time = &time[..memchr::memchr2(b',', b' ', time).unwrap_or(time.len())];
    (number && digits > 0 && time.first().is_some_and(u8::is_ascii_digit)).then_some((slash, time))
}

/// Only PlayOK writes a promotion as `=P`.
fn by_moves(signs: &Signs<'_>) -> Option<(Dialect, String)> {
    if signs.tags.iter().any(|tag| tag.is("Variant")) {
        return None;
    }
    let promotion = signs
        .tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Move)
        .find_map(|token| {
            let text = signs
                .text
                .get(token.start as usize..(token.start + token.length) as usize)?;
            memchr::memmem::find(text, b"=P").map(|_| String::from_utf8_lossy(text).into_owned())
        })?;
    Some((
        Dialect::PlayOk,
        format!("promotion `{promotion}`, no Variant"),
    ))
}

/// Whether a value holds a word, whatever its case; the word is in lower case.
fn has_word(value: &str, word: &str) -> bool {
    value
        .as_bytes()
        .windows(word.len())
        .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
}
