//! Clocks and evaluations in comments, attached to the ply they follow.

use archive::{DeclaredEval, EvalValue, EvalView};
use rules::Color;

use crate::finding::{Finding, FindingCode};
use crate::note::Notebook;
use crate::record::{DeclaredScore, PlyEval, ReplayedPly};

/// Whether a comment is worth taking apart.
#[inline]
pub(crate) fn may_hold_facts(text: &str) -> bool {
    text.contains('%') || text.contains('/') || text.contains("wv=")
}

/// Attaches what a comment says to the ply before it. The first value stays.
pub(crate) fn attach(text: &str, number: u32, ply: &mut ReplayedPly, notes: &mut Notebook) {
    let facts = archive::comment::parse(text);
    let millis = |value: Option<u64>| value.and_then(|ms| u32::try_from(ms).ok());
    ply.clock_ms = ply.clock_ms.or(millis(facts.clock_ms));
    ply.elapsed_ms = ply.elapsed_ms.or(millis(facts.elapsed_ms));
    for oddity in &facts.oddities {
        notes.add(
            Finding::new(
                FindingCode::EvalUnclear,
                format!("evaluation at ply {number}: {oddity}"),
            )
            .at_ply(number),
        );
    }
    if ply.eval.is_none() {
        ply.eval = facts.eval.map(|eval| Box::new(declared(eval, ply.side)));
    }
}

fn declared(eval: DeclaredEval, mover: Color) -> PlyEval {
    let sign = if eval.view == EvalView::Mover && mover == Color::Black {
        -1
    } else {
        1
    };
    let score = match eval.value {
        EvalValue::Centipawns(cp) => DeclaredScore::Cp(cp.saturating_mul(sign)),
        EvalValue::Mate(moves) => DeclaredScore::Mate(moves.saturating_mul(sign)),
    };
    PlyEval {
        text: eval.text,
        score: Some(score),
        depth: eval.depth,
    }
}
