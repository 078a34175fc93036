//! Who wrote a game, told by what is in it.

use std::str::FromStr;

use crate::{
    outcome::ResultMarker,
    tags::{RawTag, Tags},
    token::{Token, TokenKind},
};

/// A way of writing games (FORMATS 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Dialect {
    /// D1: PlayOK and Kurnik text exports; no Variant tag, letters K Q B N R, promoted bia `P`.
    PlayOk,
    /// D2: the text of a SchemingMind game page; promotion not written, a trailing `=` offers a draw.
    SchemingMind,
    /// D3: self-play PGN of Makruk-SF; UCI moves, FEN without SetUp.
    MakrukSf,
    /// D4: its JSON lines, with scores in the mover's view.
    MakrukSfJson,
    /// D5: positions, one a line, bare or with EPD operations or further columns.
    Epd,
    /// D6: WinBoard and XBoard with Fairy-Max and the like.
    WinBoard,
    /// D7: exports of pychess.org.
    Pychess,
    /// D7b: its analysis board.
    PychessAnalysis,
    /// D8: PGN and JSON of OpenMakruk; UCI moves.
    OpenMakruk,
    /// D9: KPGN of khmer-chess.js, JSON or base64 of it: letter, from, to and flags, squares mirrored.
    Kpgn,
    /// D9: REN positions, one a line: White's first rank comes first, files run from h to a.
    Ren,
    /// D10: cutechess.
    Cutechess,
    /// D11: PyChess on the desktop.
    PychessDesktop,
    /// D12: BJ Makruk online; a blank before the bracket that closes the Variant tag.
    BjMakruk,
    /// D13: the khmer web client: `Ouk Chatrang`, from and to without a dash, promotion `=F`.
    KhmerClient,
    /// D14: PGN-like blocks as of thaichess.org: `a3-a4`, no numbers, promotion not written.
    ThaiChess,
    /// D15: Thai letters and digits, as SAN or from square to square.
    Thai,
    /// D16: makruk-js: B bia, F promoted bia, E met, T khon, M ma.
    MakrukJs,
    /// D17: hand-typed long algebraic: `Nb1-d2`, `c 3 - c 4`.
    HandTyped,
    /// D18: squares numbered from 1 to 64.
    Numbered,
    /// JSON records of no known program.
    Json,
    /// PGN of no known writer with UCI moves.
    Uci,
    /// PGN of no known writer.
    Pgn,
}

/// A name that is no dialect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown dialect `{0}`: expected one of {list}", list = Dialect::list())]
pub struct UnknownDialect(pub String);

impl Dialect {
    /// All dialects.
    pub const ALL: &[Dialect] = &[
        Dialect::PlayOk,
        Dialect::SchemingMind,
        Dialect::MakrukSf,
        Dialect::MakrukSfJson,
        Dialect::Epd,
        Dialect::WinBoard,
        Dialect::Pychess,
        Dialect::PychessAnalysis,
        Dialect::OpenMakruk,
        Dialect::Kpgn,
        Dialect::Ren,
        Dialect::Cutechess,
        Dialect::PychessDesktop,
        Dialect::BjMakruk,
        Dialect::KhmerClient,
        Dialect::ThaiChess,
        Dialect::Thai,
        Dialect::MakrukJs,
        Dialect::HandTyped,
        Dialect::Numbered,
        Dialect::Json,
        Dialect::Uci,
        Dialect::Pgn,
    ];

    /// The name that tables and job files use.
    pub fn as_str(self) -> &'static str {
        match self {
            Dialect::PlayOk => "playok",
            Dialect::SchemingMind => "schemingmind",
            Dialect::MakrukSf => "makruk-sf",
            Dialect::MakrukSfJson => "makruk-sf-json",
            Dialect::Epd => "epd",
            Dialect::WinBoard => "winboard",
            Dialect::Pychess => "pychess",
            Dialect::PychessAnalysis => "pychess-analysis",
            Dialect::OpenMakruk => "openmakruk",
            Dialect::Kpgn => "kpgn",
            Dialect::Ren => "ren",
            Dialect::Cutechess => "cutechess",
            Dialect::PychessDesktop => "pychess-desktop",
            Dialect::BjMakruk => "bj-makruk",
            Dialect::KhmerClient => "khmer-client",
            Dialect::ThaiChess => "thaichess",
            Dialect::Thai => "thai",
            Dialect::MakrukJs => "makruk-js",
            Dialect::HandTyped => "hand-typed",
            Dialect::Numbered => "numbered",
            Dialect::Json => "json",
            Dialect::Uci => "uci",
            Dialect::Pgn => "pgn",
        }
    }

    fn list() -> String {
        let names: Vec<_> = Dialect::ALL
            .iter()
            .map(|dialect| dialect.as_str())
            .collect();
        names.join(", ")
    }

    /// Whether its records are positions without moves.
    pub fn is_position(self) -> bool {
        matches!(self, Dialect::Epd | Dialect::Ren)
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
    pub(crate) tags: &'a Tags,
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
    let tag = |name: &str| Some(signs.tags.get(name)?.value);
    let site = tag("Site").unwrap_or_default();
    // By hand: every game says this, and the formatter costs three times as much.
    let said = |name: &str, value: &str| [name, " \"", value, "\""].concat();
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
    if event.starts_with("PyChess ") {
        return Some((Dialect::Pychess, said("Event", event)));
    }
    if event.starts_with("Makruk-SF") || tag("DepthCap").is_some() && tag("MoveTime").is_some() {
        return Some((Dialect::MakrukSf, said("Event", event)));
    }
    if has_word(site, "openmakruk") || has_word(event, "openmakruk") {
        return Some((
            Dialect::OpenMakruk,
            format!("{}, {}", said("Event", event), said("Site", site)),
        ));
    }
    if has_word(site, "thaichess.org") {
        return Some((Dialect::ThaiChess, said("Site", site)));
    }
    if let (Some(reason), Some(count)) = (tag("ResultReason"), tag("MoveCount")) {
        let said = format!(
            "{}, {}",
            said("ResultReason", reason),
            said("MoveCount", count)
        );
        return Some((Dialect::ThaiChess, said));
    }
    if let Some(fen) = tag("FEN").filter(|fen| is_makruk_js(fen)) {
        return Some((Dialect::MakrukJs, said("FEN", fen)));
    }
    None
}

/// A position in the letters of makruk-js, which no other program writes together.
fn is_makruk_js(fen: &str) -> bool {
    let board = fen.split(' ').next().unwrap_or_default();
    let has = |letter: u8| board.bytes().any(|b| b.eq_ignore_ascii_case(&letter));
    has(b'b') && has(b'e') && has(b't')
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

/// Enough moves to find a letter that only one program writes.
const MOVES_LOOKED_AT: usize = 40;

/// What the moves themselves show: the script, the letters, the way from square to square.
fn by_moves(signs: &Signs<'_>) -> Option<(Dialect, String)> {
    let of = |token: &Token| {
        signs
            .text
            .get(token.start as usize..(token.start + token.length) as usize)
            .unwrap_or_default()
    };
    let moves = || {
        signs
            .tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Move)
            .map(of)
    };
    let shown = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
    let first = moves().next()?;
    let variant = signs.tags.get("Variant");
    if let Some(dialect) = by_script(first) {
        return Some((dialect, format!("move `{}`", shown(first))));
    }
    if let Some(word) = moves()
        .take(MOVES_LOOKED_AT)
        .find(|word| matches!(word, [b'T', b'a'..=b'h' | b'x', ..]))
    {
        return Some((Dialect::MakrukJs, format!("letter T in `{}`", shown(word))));
    }
    let long = long_form(first);
    if let Some(tag) = variant {
        if has_word(tag.value, "ouk chatrang") && matches!(long, Some(Long::Plain | Long::Lettered))
        {
            return Some((
                Dialect::KhmerClient,
                format!("Variant \"{}\", move `{}`", tag.value, shown(first)),
            ));
        }
        if is_spaced(&tag, signs.text) {
            return Some((
                Dialect::BjMakruk,
                "a blank before the bracket of the Variant tag".to_owned(),
            ));
        }
    } else if let Some(word) = moves().find(|word| memchr::memmem::find(word, b"=P").is_some()) {
        return Some((
            Dialect::PlayOk,
            format!("promotion `{}`, no Variant", shown(word)),
        ));
    }
    match long {
        Some(Long::Plain) => Some((Dialect::Uci, format!("move `{}`", shown(first)))),
        Some(Long::Dashed) if signs.tags.is_empty() => Some((
            Dialect::HandTyped,
            format!("move `{}`, no tags", shown(first)),
        )),
        _ => None,
    }
}

/// Letters beyond ASCII, or no letters at all.
fn by_script(word: &[u8]) -> Option<Dialect> {
    if crate::line::is_numbered_move(word) {
        return Some(Dialect::Numbered);
    }
    let thai = match std::str::from_utf8(word) {
        Ok(text) => text.contains(|c| matches!(c, 'ก'..='ฮ')),
        Err(_) => word.iter().any(|b| matches!(b, 0xa1..=0xce)),
    };
    thai.then_some(Dialect::Thai)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Long {
    /// `e3e4`
    Plain,
    /// `Kd1f2`
    Lettered,
    /// `e3-e4`, `Nb1-d2`, `e 3 - e 4`
    Dashed,
}

fn long_form(word: &[u8]) -> Option<Long> {
    let man = usize::from(word.first().is_some_and(u8::is_ascii_uppercase));
    match word.get(man..)? {
        [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..] => Some(match man {
            0 => Long::Plain,
            _ => Long::Lettered,
        }),
        [b'a'..=b'h', b'1'..=b'8', rest @ ..] => {
            let dashed = rest.first() == Some(&b'-') || rest.starts_with("–".as_bytes());
            dashed.then_some(Long::Dashed)
        }
        [b'a'..=b'h', b' ', b'1'..=b'8', ..] => Some(Long::Dashed),
        _ => None,
    }
}

/// Whether a blank stands before the bracket that closes a tag.
fn is_spaced(tag: &RawTag<'_>, text: &[u8]) -> bool {
    let rest = text.get(tag.offset as usize..).unwrap_or_default();
    memchr::memchr(b']', rest)
        .and_then(|at| rest[..at].last())
        .is_some_and(|b| *b == b' ')
}

/// Whether a value holds a word, whatever its case; the word is in lower case.
fn has_word(value: &str, word: &str) -> bool {
    let (value, word) = (value.as_bytes(), word.as_bytes());
    let firsts = memchr::memchr2_iter(word[0], word[0].to_ascii_uppercase(), value);
    firsts
        .filter_map(|at| value.get(at..at + word.len()))
        .any(|part| part.eq_ignore_ascii_case(word))
}
