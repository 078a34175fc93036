//! Names of the game, as archives write them (FORMATS section 4), from a table.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use rules::Variant;
use unicode_normalization::UnicodeNormalization;

/// What a variant tag names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Named {
    /// One of the three games that are replayed.
    Ours(Variant),
    /// Another game, by its canonical name where it is known, else in the record's words.
    Other(String),
    /// Nothing: no tag, or an empty one.
    Nothing,
}

static NAMES: LazyLock<BTreeMap<String, &'static str>> = LazyLock::new(|| {
    include_str!("../data/variant_names.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .map(|(canonical, spelling)| (fold(spelling), canonical))
        .collect()
});

/// Recognises a variant name.
pub fn recognise(name: &str) -> Named {
    let folded = fold(name);
    if folded.is_empty() || folded == "?" {
        return Named::Nothing;
    }
    match NAMES.get(&folded) {
        Some(&canonical) => match ours(canonical) {
            Some(variant) => Named::Ours(variant),
            None => Named::Other(canonical.to_owned()),
        },
        None => Named::Other(name.trim().to_lowercase()),
    }
}

fn ours(canonical: &str) -> Option<Variant> {
    [Variant::Makruk, Variant::Ouk, Variant::KarOuk]
        .into_iter()
        .find(|variant| variant.as_str() == canonical)
}

/// Case and spelling folded away: two names are one if their folds are equal.
pub(crate) fn fold(name: &str) -> String {
    if name.is_ascii() {
        let kept = |c: &char| !c.is_ascii_whitespace() && !matches!(c, '\x0b' | '-' | '_' | '\'');
        return name
            .chars()
            .filter(kept)
            .map(|c| c.to_ascii_lowercase())
            .collect();
    }
    let lower: String = name.nfkc().flat_map(char::to_lowercase).collect();
    lower
        .nfkc()
        .filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '\'' | '’'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_three() {
        let is = |name: &str, variant| assert_eq!(recognise(name), Named::Ours(variant), "{name}");
        for name in [
            "Makruk",
            "MAKRUK",
            "makruk ",
            "Thai Chess",
            "thai",
            "หมากรุกไทย",
            "МАКРУК",
            "Ajedrez Tailande\u{301}s",
        ] {
            is(name, Variant::Makruk);
        }
        for name in [
            "Cambodian",
            "Ouk Chatrang",
            "Ouk Chaktrang",
            "Cambodia",
            "co\u{31b}\u{300} o\u{302}\u{301}c",
            "អុកចត្រង្គ",
            "УК",
        ] {
            is(name, Variant::Ouk);
        }
        for name in ["Kar Ouk", "karouk", "kar-ouk", "Ka Ouk"] {
            is(name, Variant::KarOuk);
        }
    }

    #[test]
    fn others_keep_a_name_and_nothing_is_nothing() {
        for (name, canonical) in [
            ("Makpong", "makpong"),
            ("ASEAN", "asean"),
            ("Ai-Wok", "ai-wok"),
            ("Chess960", "chess960"),
        ] {
            assert_eq!(recognise(name), Named::Other(canonical.to_owned()));
        }
        assert_eq!(
            recognise("Ouk-Khmer (Hill's version)"),
            Named::Other("ouk-khmer-hill".to_owned())
        );
        for name in ["", "  ", "?"] {
            assert_eq!(recognise(name), Named::Nothing);
        }
    }

    #[test]
    fn the_short_way_for_ascii_folds_alike() {
        for byte in 0..128_u8 {
            let name = char::from(byte).to_string();
            // A letter that is not ASCII, and stays as it is, sends the whole the long way.
            let long = fold(&format!("{name}ก"));
            assert_eq!(fold(&name), long.trim_end_matches('ก'), "{byte}");
        }
    }
}
