//! Evaluations as programs write them; read exactly, without floating point.

/// An evaluation that the record declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredEval {
    /// As written.
    pub text: String,
    /// What it says.
    pub value: EvalValue,
    /// Whose good is positive.
    pub view: EvalView,
    /// Search depth, if told.
    pub depth: Option<u32>,
}

/// A score; a mate is never a number of centipawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalValue {
    /// Hundredths of a bia.
    Centipawns(i32),
    /// Mate in so many moves; negative if it is against the viewer.
    Mate(i32),
}

/// Whose side a score is seen from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EvalView {
    /// Positive is good for White: `%eval`, TCEC `wv`.
    White,
    /// Positive is good for the side that made the move: cutechess, WinBoard.
    Mover,
}

/// Whole numbers in `%eval` above this many bia are taken for centipawns: no program gives anybody 100 rooks.
const MAX_WHOLE_UNITS: i32 = 300;

/// The value of `%eval`, and what was odd about it.
pub(super) fn command(text: &str) -> Option<(DeclaredEval, Option<String>)> {
    let (number, depth) = match text.split_once(',') {
        Some((number, depth)) => (number.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    let mut value = score(number)?;
    let mut oddity = None;
    match value {
        EvalValue::Mate(_) if !number.contains('#') => {
            oddity = Some(format!("mate written `{number}`, not `#`"));
        }
        EvalValue::Centipawns(cp) if !number.contains('.') && cp.abs() > MAX_WHOLE_UNITS * 100 => {
            value = EvalValue::Centipawns(cp / 100);
            oddity = Some(format!("`{number}` read as centipawns"));
        }
        _ => {}
    }
    Some((
        DeclaredEval {
            text: text.to_owned(),
            value,
            view: EvalView::White,
            depth,
        },
        oddity,
    ))
}

/// `0.29`, `+1`, `-0.4`, `#-3`, `-#3`, `M5`, `-M12`, `M-5`, `+M13`.
pub(super) fn score(text: &str) -> Option<EvalValue> {
    let text = text.trim();
    let (negative, rest) = sign(text);
    if let Some(moves) = rest.strip_prefix(['#', 'M', 'm']) {
        let (inner_negative, digits) = sign(moves);
        let moves = digits_only(digits)?;
        return Some(EvalValue::Mate(if negative != inner_negative {
            -moves
        } else {
            moves
        }));
    }
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    if fraction.is_empty() && rest.contains('.') || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let hundredths: i32 = fraction
        .chars()
        .chain("00".chars())
        .take(2)
        .collect::<String>()
        .parse()
        .ok()?;
    let whole = if whole.is_empty() && !fraction.is_empty() {
        0
    } else {
        digits_only(whole)?
    };
    let cp = whole.checked_mul(100)?.checked_add(hundredths)?;
    Some(EvalValue::Centipawns(if negative { -cp } else { cp }))
}

fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => text
            .strip_prefix('−')
            .map_or((false, text), |rest| (true, rest)),
    }
}

fn digits_only(text: &str) -> Option<i32> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        None
    } else {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms() {
        for (text, want) in [
            ("0.29", Some(EvalValue::Centipawns(29))),
            ("+1", Some(EvalValue::Centipawns(100))),
            ("-0.4", Some(EvalValue::Centipawns(-40))),
            ("-0.05", Some(EvalValue::Centipawns(-5))),
            (".5", Some(EvalValue::Centipawns(50))),
            ("0.299", Some(EvalValue::Centipawns(29))),
            ("#3", Some(EvalValue::Mate(3))),
            ("#-3", Some(EvalValue::Mate(-3))),
            ("-#3", Some(EvalValue::Mate(-3))),
            ("-M12", Some(EvalValue::Mate(-12))),
            ("M-5", Some(EvalValue::Mate(-5))),
            ("1.", None),
            ("", None),
            ("e4", None),
            ("99999999999", None),
        ] {
            assert_eq!(score(text), want, "{text}");
        }
    }
}
