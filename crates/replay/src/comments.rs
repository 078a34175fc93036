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
    if let Some(clock) = plain_clock(text) {
        ply.clock_ms = ply.clock_ms.or(Some(clock));
        return;
    }
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

/// The milliseconds of a comment that is a clock and nothing else, as most are: `[%clk 0:09:52]`.
fn plain_clock(text: &str) -> Option<u32> {
    let clock = text.trim_matches(' ').strip_prefix("[%clk ")?;
    let &[h, b':', m, n, b':', s, t, b']'] = clock.as_bytes() else {
        return None;
    };
    let digit = |byte: u8| Some(u32::from(byte)).filter(|_| byte.is_ascii_digit());
    let number = |tens: u8, ones: u8| Some((digit(tens)? - 48) * 10 + digit(ones)? - 48);
    let (minutes, seconds) = (number(m, n)?, number(s, t)?);
    let hours = number(b'0', h)?;
    (minutes < 60 && seconds < 60).then_some(((hours * 60 + minutes) * 60 + seconds) * 1000)
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

#[cfg(test)]
mod tests {
    use super::plain_clock;

    #[test]
    fn a_plain_clock_is_what_the_reader_of_comments_makes_of_it() {
        for seconds in (0..36_000_u32).step_by(7) {
            let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            let text = format!(" [%clk {h}:{m:02}:{s:02}] ");
            assert_eq!(plain_clock(&text), Some(seconds * 1000));
            let facts = archive::comment::parse(&text);
            assert_eq!(facts.clock_ms, Some(u64::from(seconds) * 1000), "{text}");
            assert!(facts.oddities.is_empty() && facts.eval.is_none());
            assert_eq!(facts.elapsed_ms, None);
        }
        for other in [
            "[%clk 0:60:00]",
            "[%clk 0:00:60]",
            "[%clk 10:00:00]",
            "[%clk 0:0a:00]",
            "[%clk 0:00:00] x",
            "[%emt 0:00:01]",
        ] {
            assert_eq!(plain_clock(other), None, "{other}");
        }
    }
}
