//! Numbers and foreign text in a form for people.

/// A whole number with commas between thousands.
pub(crate) fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the unit that fits.
pub(crate) fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return format!("{n} B");
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `part` of `whole` in percent; a dash where there is no whole.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        "–".to_owned()
    } else {
        format!("{:.1} %", 100.0 * part as f64 / whole as f64)
    }
}

/// A share from 0 to 1 in percent.
pub(crate) fn share(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

/// An optional figure with `digits` after the point; a dash where there is none.
pub(crate) fn figure(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

/// `n` with the word in its singular or plural form.
pub(crate) fn plural(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", number(n), if n == 1 { one } else { many })
}

/// A stored word for people: underscores become spaces.
pub(crate) fn words(word: &str) -> String {
    word.replace('_', " ")
}

/// Foreign text on one line that cannot steer a terminal or turn the writing round: control characters and marks of
/// direction become the replacement character, line ends a space.
pub fn clean(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '\n' | '\r' | '\t' => ' ',
            letter if letter.is_control() => '\u{fffd}',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
                '\u{fffd}'
            }
            letter => letter,
        })
        .collect()
}

/// As [`clean`], and cut to at most `most` characters with an ellipsis.
pub(crate) fn cut(text: &str, most: usize) -> String {
    let text = clean(text);
    if text.chars().count() <= most {
        return text;
    }
    text.chars()
        .take(most.saturating_sub(1))
        .chain(['…'])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_500), "1.5 kB");
        assert_eq!(bytes(999_960), "1.0 MB");
        assert_eq!(bytes(u64::MAX), "18446744.1 TB");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "–");
        assert_eq!(plural(1, "game", "games"), "1 game");
    }

    #[test]
    fn foreign_text_cannot_steer_a_terminal() {
        assert_eq!(
            clean("a\u{1b}[31mb\nc\u{202e}d"),
            "a\u{fffd}[31mb c\u{fffd}d"
        );
        assert_eq!(cut("ขุนพลคู่", 5), "ขุนพ…");
    }
}
