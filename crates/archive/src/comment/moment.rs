//! Times of day as clocks show them.

/// `1:23:45.6`, `1:23`, `29`, `0.5` as milliseconds; a comma may stand for the point. `None` for anything else.
pub(super) fn parse(text: &str) -> Option<u64> {
    let mut parts = text.trim().split(':').rev();
    let seconds = parts.next()?;
    let (whole, fraction) = seconds.split_once(['.', ',']).unwrap_or((seconds, ""));
    let mut ms = number(whole)?
        .checked_mul(1_000)?
        .checked_add(milliseconds(fraction)?)?;
    for unit in [60_000, 3_600_000] {
        if let Some(part) = parts.next() {
            ms = ms.checked_add(number(part)?.checked_mul(unit)?)?;
        }
    }
    parts.next().is_none().then_some(ms)
}

fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        None
    } else {
        text.parse().ok()
    }
}

fn milliseconds(fraction: &str) -> Option<u64> {
    if fraction.is_empty() {
        return Some(0);
    }
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    if fraction.bytes().all(|b| b.is_ascii_digit()) {
        number(&digits)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn clocks() {
        for (text, want) in [
            ("0:01:59.1", Some(119_100)),
            ("1:02:03", Some(3_723_000)),
            ("1:23", Some(83_000)),
            ("29", Some(29_000)),
            ("0.5", Some(500)),
            ("0.1234", Some(123)),
            ("1:2:3:4", None),
            ("-1", None),
            ("", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse(text), want, "{text}");
        }
    }
}
