//! The words for tokens that were refused, and for those that nearly were.

use archive::Token;
use notation::read::{LeapRefusal, Matched, NoMatch, match_among, near};
use notation::{fen, san};
use rules::ruleset::{KingLeap, MetLeap};
use rules::{CountError, LegalMove, Position, Role};
use serde_json::{Value, json};

use crate::finding::{Finding, FindingCode, Severity};
use crate::ledger::CountAction;
use crate::walk::Walk;

/// At most so many moves are listed in evidence.
const MOST_LISTED: usize = 20;

/// A token that no legal move fits.
#[cold]
pub(crate) fn illegal(
    walk: &Walk<'_>,
    token: &Token,
    text: &str,
    position: &Position,
    reason: NoMatch,
) -> Finding {
    let words = in_words(walk, position, reason);
    if reason.is_unreadable() {
        return located(
            walk,
            token,
            text,
            FindingCode::UnreadableMove,
            format!("`{text}` cannot be read as a move: {words}"),
        )
        .with(
            &json!({ "token": text, "reason": reason.as_str(), "good_plies": walk.plies.len() }),
        );
    }
    let near = near(text, &walk.letters, position);
    let message = format!("no legal move matches `{text}`: {words}");
    located(walk, token, text, FindingCode::IllegalMove, message).with(&json!({
        "token": text,
        "reason": reason.as_str(),
        "good_plies": walk.plies.len(),
        "near": listed(position, &near),
    }))
}

/// The reason, and where it is a leap, what became of the right.
fn in_words(walk: &Walk<'_>, position: &Position, reason: NoMatch) -> String {
    let NoMatch::Leap(refusal) = reason else {
        return reason.to_string();
    };
    let rules = walk.line.ruleset();
    if rules.king_leap == KingLeap::None && rules.met_leap == MetLeap::None {
        return format!(
            "no such man moves there, and {} has no first-move leaps",
            rules.id()
        );
    }
    let LeapRefusal::RightLost(from) = refusal else {
        return reason.to_string();
    };
    let role = position.role_at(from).unwrap_or(Role::Khun);
    let how = walk.rights.tell(position.turn(), role);
    let how = how.unwrap_or_else(|| "the start position does not have it".to_owned());
    format!("{reason}; {how}")
}

/// A token that several legal moves fit.
#[cold]
pub(crate) fn ambiguous(
    walk: &Walk<'_>,
    token: &Token,
    text: &str,
    position: &Position,
    moves: &[LegalMove],
) -> Finding {
    let names: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let message = format!(
        "`{text}` can be {}, and the moves after it do not settle which",
        names.join(" or ")
    );
    located(walk, token, text, FindingCode::AmbiguousMove, message)
        .with(&json!({ "token": text, "candidates": listed(position, moves), "good_plies": walk.plies.len() }))
}

/// A token that several legal moves fit, one of which alone lets the game go on.
#[cold]
pub(crate) fn settled(
    walk: &Walk<'_>,
    token: &Token,
    text: &str,
    position: &Position,
    moves: &[LegalMove],
    mv: LegalMove,
) -> Finding {
    let message = format!(
        "`{text}` fits {} legal moves; only {mv} lets the moves after it be legal",
        moves.len()
    );
    located(walk, token, text, FindingCode::AmbiguousMove, message)
        .severity(Severity::Note)
        .with(&json!({ "token": text, "candidates": listed(position, moves), "settled": mv.to_string() }))
}

/// A word where a move should stand.
#[cold]
pub(crate) fn word(walk: &Walk<'_>, token: &Token) -> Finding {
    let text = walk.raw.text(token);
    let message = format!(
        "`{}` stands where a move should, and is none",
        clipped(&text)
    );
    located(walk, token, &text, FindingCode::UnreadableMove, message)
        .with(&json!({ "token": clipped(&text), "reason": "word", "good_plies": walk.plies.len() }))
}

/// A placeholder: the moves that would fill it are listed, none is filled in.
#[cold]
pub(crate) fn gap(walk: &Walk<'_>, token: &Token, next: Option<&Token>) -> Finding {
    let text = walk.raw.text(token);
    let position = walk.line.position();
    let legal = position.legal_moves();
    let next = next.map(|token| walk.raw.text(token));
    let fits = |mv: &&LegalMove| {
        let Some(next) = &next else { return true };
        let mut after = *position;
        after.play(**mv);
        matches!(
            match_among(next, &walk.letters, &after, &after.legal_moves()),
            Matched::One(_)
        )
    };
    let fillers: Vec<LegalMove> = legal.iter().filter(fits).copied().collect();
    let message = format!(
        "`{}` marks a move that is missing; {} legal moves would fit",
        clipped(&text),
        fillers.len()
    );
    located(walk, token, &text, FindingCode::UnreadableMove, message).with(&json!({
        "token": clipped(&text),
        "reason": "gap",
        "good_plies": walk.plies.len(),
        "fillers": listed(position, &fillers),
        "fillers_in_all": fillers.len(),
    }))
}

/// A game beyond any length that a game can have.
#[cold]
pub(crate) fn too_long(walk: &Walk<'_>, token: &Token, most: u32) -> Finding {
    let message = format!("the game goes on after {most} plies; the rest was not read");
    located(walk, token, "", FindingCode::GameTooLarge, message)
}

/// A count command that the rules or the board do not allow.
#[cold]
pub(crate) fn command(
    walk: &Walk<'_>,
    ply: u32,
    action: CountAction,
    error: CountError,
) -> Finding {
    Finding::new(
        FindingCode::CountCommandInvalid,
        format!(
            "`count {}` at ply {ply} means nothing: {error}",
            action.as_str()
        ),
    )
    .at_ply(ply)
    .in_position(fen::write(&walk.line))
    .under(walk.line.ruleset().id())
}

/// A finding about a token and the ply it should have been.
pub(crate) fn located(
    walk: &Walk<'_>,
    token: &Token,
    text: &str,
    code: FindingCode,
    message: String,
) -> Finding {
    let ply = walk.next_ply();
    let position = walk.line.position();
    let side = match position.turn() {
        rules::Color::White => "White",
        rules::Color::Black => "Black",
    };
    Finding::new(
        code,
        format!(
            "ply {ply} (move {}, {side}): {message}",
            position.fullmove().0
        ),
    )
    .at_ply(ply)
    .at_bytes(
        walk.place.byte_offset + u64::from(token.offset),
        text.len() as u64,
    )
    .in_position(fen::write(&walk.line))
    .under(walk.line.ruleset().id())
}

fn listed(position: &Position, moves: &[LegalMove]) -> Value {
    moves
        .iter()
        .take(MOST_LISTED)
        .map(|&mv| json!({ "uci": mv.to_string(), "san": san::write(position, mv) }))
        .collect()
}

/// A text short enough for a message.
fn clipped(text: &str) -> String {
    text.chars().take(40).collect()
}
