//! What the record declares: result and ending, from tag, marker and words.

use std::sync::LazyLock;

use archive::{RawGame, ResultMarker, TokenKind};
use rules::{Ending, GameResult};
use serde_json::json;

use crate::finding::{Finding, FindingCode, Severity};
use crate::note::Notebook;

/// The declared result and ending.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    pub(crate) result: Option<GameResult>,
    pub(crate) ending: Option<Ending>,
    /// Whether the record says plainly that there is no result yet (`*`).
    pub(crate) open: bool,
}

/// Reads what a record declares, and notes where its parts differ.
pub(crate) fn read(raw: &RawGame, notes: &mut Notebook) -> Declared {
    let tag_text = raw
        .tag("Result")
        .map(str::trim)
        .filter(|text| !text.is_empty() && *text != "?");
    let tag = tag_text.and_then(archive::outcome::parse);
    if let (Some(text), None) = (tag_text, tag) {
        let finding = Finding::new(
            FindingCode::TagRepaired,
            format!("the result tag `{text}` is not a result"),
        );
        notes.add(finding.severity(Severity::Warning));
    }
    let marker = raw.result_marker;
    if let Some((tag, marker)) = tag.zip(marker).filter(|(tag, marker)| tag != marker) {
        notes.add(mismatch(tag, marker));
    }
    if let (Some(tag), None) = (tag, marker) {
        let message = format!(
            "the record has no end marker; the result tag says {}",
            tag.as_str()
        );
        notes.add(Finding::new(FindingCode::ResultMissing, message).severity(Severity::Note));
    }
    // The tag is the fuller statement; a tag without a result gives way to a marker that has one.
    let chosen = match (tag, marker) {
        (Some(ResultMarker::Open) | None, Some(marker)) => Some(marker),
        (tag, _) => tag,
    };
    if chosen == Some(ResultMarker::BothLose) {
        let finding = Finding::new(
            FindingCode::ResultMissing,
            "the record says that both sides lost, which is no result of these games",
        );
        notes.add(finding);
    }
    Declared {
        result: chosen.and_then(result_of),
        ending: ending(raw, notes),
        open: chosen == Some(ResultMarker::Open),
    }
}

fn mismatch(tag: ResultMarker, marker: ResultMarker) -> Finding {
    let (tag, marker) = (tag.as_str(), marker.as_str());
    Finding::new(
        FindingCode::ResultMismatch,
        format!("the result tag says {tag}, the end marker {marker}"),
    )
    .with(&json!({ "tag": tag, "marker": marker }))
}

fn result_of(marker: ResultMarker) -> Option<GameResult> {
    match marker {
        ResultMarker::WhiteWins => Some(GameResult::WhiteWins),
        ResultMarker::BlackWins => Some(GameResult::BlackWins),
        ResultMarker::Draw => Some(GameResult::Draw),
        ResultMarker::Open | ResultMarker::BothLose => None,
    }
}

/// The declared ending: from the tags that speak of it, else from a comment after the last move.
fn ending(raw: &RawGame, notes: &mut Notebook) -> Option<Ending> {
    let mut unclear = None;
    for name in ["Termination", "TerminationDetails", "ResultReason"] {
        let Some(text) = raw
            .tag(name)
            .filter(|text| !text.trim().is_empty() && text.trim() != "?")
        else {
            continue;
        };
        match ending_of_words(text) {
            Some(Some(ending)) => return Some(ending),
            Some(None) if is_ruled(text) => {
                let message = format!(
                    "the {name} tag `{text}` says that the game was ended from outside the board, which is none of the known endings; kept as text"
                );
                notes.add(Finding::new(FindingCode::TerminationUnclear, message));
            }
            Some(None) => {}
            None => unclear = unclear.or(Some((name, text))),
        }
    }
    if let Some((name, text)) = unclear {
        let message = format!("the {name} tag `{text}` names no known ending; kept as text");
        notes.add(Finding::new(FindingCode::TerminationUnclear, message));
    }
    last_comment(raw).and_then(|text| ending_of_words(&text).flatten())
}

/// The comments between the last move and the end, if there are any.
fn last_comment(raw: &RawGame) -> Option<String> {
    let after = raw
        .tokens
        .iter()
        .rposition(|token| token.kind == TokenKind::Move)
        .map_or(0, |at| at + 1);
    let texts: Vec<_> = raw.tokens[after..]
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Comment(_)))
        .map(|token| raw.text(token))
        .collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

struct Words {
    ending: Option<Ending>,
    /// Someone or something outside the board ended the game.
    ruled: bool,
    whole: bool,
    words: &'static str,
}

static WORDS: LazyLock<Vec<Words>> = LazyLock::new(|| {
    include_str!("../data/ending_words.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(ending, words)| Words {
            ending: Ending::from_name(ending),
            ruled: ending == "ruled",
            whole: words.starts_with('='),
            words: words.trim_start_matches('='),
        })
        .collect()
});

/// Whether words say that the game was ended from outside the board: by an adjudicator, a program's limit, a misfortune.
fn is_ruled(text: &str) -> bool {
    row_of(text).is_some_and(|row| row.ruled)
}

/// The ending that words name. `None`: not understood; `Some(None)`: understood, and no ending of the closed list.
pub(crate) fn ending_of_words(text: &str) -> Option<Option<Ending>> {
    row_of(text).map(|row| row.ending)
}

fn row_of(text: &str) -> Option<&'static Words> {
    let usual = USUAL.iter().find(|(usual, _)| *usual == text);
    usual.map_or_else(|| searched(text), |(_, row)| *row)
}

/// What most records say, looked up once.
static USUAL: LazyLock<Vec<(&str, Option<&Words>)>> = LazyLock::new(|| {
    let texts = ["Normal", "normal", "Time forfeit", "Abandoned"];
    texts.map(|text| (text, searched(text))).to_vec()
});

fn searched(text: &str) -> Option<&'static Words> {
    let folded = text
        .to_lowercase()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    WORDS.iter().find(|row| {
        if row.whole {
            folded == row.words
        } else {
            folded.contains(row.words)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_map_to_the_closed_list() {
        for (text, ending) in [
            ("Time forfeit", Ending::Time),
            ("stalemate", Ending::Stalemate),
            ("rules infraction", Ending::IllegalMove),
            ("Abandoned", Ending::Abandoned),
            ("unterminated", Ending::Unterminated),
            ("player-1 won by checkmate", Ending::Checkmate),
            ("Black resigns", Ending::Resignation),
            ("Draw by 3-fold repetition", Ending::Repetition),
            ("White loses on time", Ending::Time),
            ("board_count", Ending::BoardCount),
            ("เสมอ นับศักดิ์หมาก", Ending::PiecesCount),
        ] {
            assert_eq!(ending_of_words(text), Some(Some(ending)), "{text}");
        }
        for text in [
            "normal",
            "Normal",
            "adjudication",
            "GUI adjudication",
            "max_ply",
            "draw_score",
        ] {
            assert_eq!(ending_of_words(text), Some(None), "{text}");
            assert_eq!(
                is_ruled(text),
                !text.eq_ignore_ascii_case("normal"),
                "{text}"
            );
        }
        assert_eq!(ending_of_words("the cat sat on the board"), None);
        for ending in Ending::ALL {
            assert_eq!(
                ending_of_words(ending.as_str()),
                Some(Some(ending)),
                "{ending}"
            );
        }
    }
}
