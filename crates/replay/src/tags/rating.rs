//! Ratings: `1500`, `1500?`, `1200.0`, `?`, `-`.

/// A rating tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rating {
    /// The number, where there is one.
    pub value: Option<u16>,
    /// Marked as provisional by a `?` after the number.
    pub provisional: bool,
}

impl Rating {
    /// Reads a tag value. `Err` holds nothing: the text is no rating and no known word for none.
    pub fn parse(text: &str) -> Result<Rating, UnclearRating> {
        let text = text.trim();
        let (number, provisional) = match text.strip_suffix('?') {
            Some(rest) => (rest.trim(), !rest.is_empty()),
            None => (text, false),
        };
        if matches!(number, "" | "-" | "0" | "??" | "???") || number.eq_ignore_ascii_case("unrated")
        {
            return Ok(Rating::default());
        }
        let whole = match number.split_once('.') {
            Some((whole, part)) if part.bytes().all(|byte| byte.is_ascii_digit()) => whole,
            Some(_) => return Err(UnclearRating),
            None => number,
        };
        match whole.parse::<u16>() {
            Ok(value) if value <= 5000 => Ok(Rating {
                value: Some(value),
                provisional,
            }),
            _ => Err(UnclearRating),
        }
    }
}

/// Text that is no rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a rating")]
pub struct UnclearRating;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        let some = |value, provisional| {
            Ok(Rating {
                value: Some(value),
                provisional,
            })
        };
        assert_eq!(Rating::parse("1500"), some(1500, false));
        assert_eq!(Rating::parse("1500?"), some(1500, true));
        assert_eq!(Rating::parse(" 1200.0 "), some(1200, false));
        for none in ["", "?", "-", "0", " "] {
            assert_eq!(Rating::parse(none), Ok(Rating::default()), "{none}");
        }
        for unclear in ["abc", "1.x", "99999", "-5"] {
            assert_eq!(Rating::parse(unclear), Err(UnclearRating), "{unclear}");
        }
    }
}
