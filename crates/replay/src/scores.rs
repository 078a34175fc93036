//! Evaluations that a record keeps as a list of whole numbers beside its moves (D4): centipawns in the mover's view, with
//! distances to mate among them and nothing that tells the two apart.

use rules::{Color, Ended, Ending};
use serde_json::json;

use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;
use crate::record::{DeclaredScore, PlyEval, ReplayedPly};

/// No program sees a mate farther off than this many moves.
const MOST_MOVES_TO_MATE: i32 = 60;

/// A side that was ahead by so much does not fall back to a few centipawns by its own move.
const WON_CP: i32 = 500;

/// Attaches a number to the ply it belongs to.
pub(crate) fn attach(text: &str, ply: &mut ReplayedPly) {
    let Ok(number) = text.trim().parse::<i32>() else {
        return;
    };
    if ply.eval.is_none() {
        ply.eval = Some(Box::new(PlyEval {
            text: text.to_owned(),
            score: Some(DeclaredScore::Cp(white_view(number, ply.side))),
            depth: None,
        }));
    }
}

fn white_view(number: i32, mover: Color) -> i32 {
    if mover == Color::Black {
        number.saturating_neg()
    } else {
        number
    }
}

/// Tells distances to mate from centipawns, once the game is known: those that the board bears out are mates, small
/// numbers right after a won game's large ones are left open.
pub(crate) fn tell_mates(plies: &mut [ReplayedPly], ended: Option<Ended>, notes: &mut Notebook) {
    if plies.iter().all(|ply| ply.eval.is_none()) {
        return;
    }
    let last = plies.len();
    let mate =
        ended.filter(|ended| ended.ending == Ending::Checkmate && ended.ply as usize == last);
    let (mut mates, mut unclear) = (0_u32, Vec::new());
    // By side: the last number that was certainly centipawns.
    let mut before: [Option<i32>; 2] = [None; 2];
    for (index, ply) in plies.iter_mut().enumerate() {
        let Some(eval) = ply.eval.as_mut() else {
            continue;
        };
        let (Ok(number), Some(DeclaredScore::Cp(cp))) = (eval.text.parse::<i32>(), eval.score)
        else {
            continue;
        };
        let left = i32::try_from(last - index).unwrap_or(i32::MAX);
        // The winner mates with the last ply: at it 1 move is left, one ply before the loser has 1, too.
        let wins = left % 2 == 1;
        let distance = if wins { (left + 1) / 2 } else { -(left / 2) };
        let side = usize::from(ply.side == Color::Black);
        let fell = before[side].is_some_and(|last| {
            last.abs() >= WON_CP
                && number.abs() <= MOST_MOVES_TO_MATE
                && last.signum() == number.signum()
        });
        if mate.is_some() && number == distance && (fell || left <= 2) {
            eval.score = Some(DeclaredScore::Mate(white_view(number, ply.side)));
            mates += 1;
        } else if fell {
            eval.score = None;
            unclear.push(index + 1);
        } else {
            before[side] = Some(white_view(cp, ply.side));
        }
    }
    if mates == 0 && unclear.is_empty() {
        return;
    }
    let message = format!(
        "the list of scores holds distances to mate among centipawns: {mates} are borne out by the mate on the board, {} cannot be told and are left out",
        unclear.len()
    );
    let evidence =
        json!({ "mates": mates, "unclear_plies": unclear.iter().take(20).collect::<Vec<_>>() });
    notes.add(Finding::new(FindingCode::EvalUnclear, message).with(&evidence));
}
