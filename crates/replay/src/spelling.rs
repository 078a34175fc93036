//! How the moves of a record are spelled: the letters of its dialect, and where squares bear numbers, which number is
//! which.

use archive::{Dialect, RawGame, TokenKind};
use notation::read::{Letters, Matched, Numbering, match_among};
use rules::Position;
use serde_json::json;

use crate::finding::{Finding, FindingCode, Severity};

/// The letters of a record, fixed before its first move is read.
pub(crate) fn letters(raw: &RawGame) -> Letters {
    let letters = match raw.dialect {
        Dialect::PlayOk => Letters::playok(),
        Dialect::SchemingMind => Letters::schemingmind(),
        Dialect::Kpgn => return Letters::kpgn(),
        Dialect::BjMakruk => Letters::bj_makruk(),
        Dialect::KhmerClient => Letters::khmer_client(),
        Dialect::ThaiChess => Letters::standard().silent(),
        Dialect::Thai => return Letters::thai(),
        Dialect::MakrukJs => Letters::makruk_js(),
        _ => Letters::standard(),
    };
    // A record that starts with `e3e4` or `e3-e4` writes so throughout: its own form, no tolerance.
    let first = raw.moves().next().map_or(&[][..], |token| raw.bytes(token));
    if is_long(first) {
        letters.long()
    } else {
        letters
    }
}

/// Whether a move is written from square to square, with or without the man's letter and a mark between.
fn is_long(token: &[u8]) -> bool {
    let man = usize::from(token.first().is_some_and(u8::is_ascii_uppercase));
    match token.get(man..) {
        Some([b'a'..=b'h', b'1'..=b'8', rest @ ..]) => {
            let mark = usize::from(matches!(rest.first(), Some(b'-' | b'x' | b':')));
            matches!(rest.get(mark..), Some([b'a'..=b'h', b'1'..=b'8', ..]))
        }
        _ => false,
    }
}

/// Which number is which square: the one way in which all moves are legal.
///
/// # Errors
/// A finding that says which ways there are: none, or several.
pub(crate) fn numbering(
    raw: &RawGame,
    start: &Position,
) -> Result<(Letters, Finding), Box<Finding>> {
    let tried: Vec<(Numbering, u32, bool)> = Numbering::ALL
        .into_iter()
        .map(|numbering| {
            let (plies, whole) = legal_plies(raw, &Letters::numbered(numbering), *start);
            (numbering, plies, whole)
        })
        .collect();
    let whole: Vec<Numbering> = tried
        .iter()
        .filter(|(_, _, whole)| *whole)
        .map(|(n, ..)| *n)
        .collect();
    let listed: Vec<_> = tried
        .iter()
        .map(|(numbering, plies, whole)| {
            json!({ "numbering": numbering.to_string(), "legal_plies": plies, "to_the_end": whole })
        })
        .collect();
    let evidence = json!({ "reason": "numbering", "readings": listed });
    let names: Vec<String> = whole.iter().map(ToString::to_string).collect();
    match *whole.as_slice() {
        [numbering] => {
            let message =
                format!("squares bear numbers; only one way is legal to the end: {numbering}");
            let finding =
                Finding::new(FindingCode::AmbiguousMove, message).severity(Severity::Note);
            Ok((Letters::numbered(numbering), finding.with(&evidence)))
        }
        [] => {
            let message = "squares bear numbers, and in none of the eight ways to number them are all moves legal";
            Err(Box::new(
                Finding::new(FindingCode::IllegalMove, message)
                    .at_ply(1)
                    .with(&evidence),
            ))
        }
        _ => {
            let message = format!(
                "squares bear numbers, and the moves are legal to the end in {} ways ({}): say which one it is, input.numbering = \"{}\" or the like",
                whole.len(),
                names.join("; "),
                whole.first().map_or(String::new(), |way| way.squares()),
            );
            Err(Box::new(
                Finding::new(FindingCode::AmbiguousMove, message)
                    .at_ply(1)
                    .with(&evidence),
            ))
        }
    }
}

/// How many moves are legal one after another, and whether that is all of them. Bounded by the moves there are.
fn legal_plies(raw: &RawGame, letters: &Letters, mut position: Position) -> (u32, bool) {
    let mut plies = 0;
    for token in &raw.tokens {
        match token.kind {
            TokenKind::Move => {}
            TokenKind::Gap | TokenKind::Word => return (plies, false),
            _ => continue,
        }
        match match_among(
            &raw.text(token),
            letters,
            &position,
            &position.legal_moves(),
        ) {
            Matched::One(found) => position.play(found.mv),
            Matched::Many(_) | Matched::None(_) => return (plies, false),
        }
        plies += 1;
    }
    (plies, true)
}
