//! Finds names in texts that are no names themselves.

/// Names shorter than this are replaced where they stand alone as a tag's value, and not looked for in other texts.
const SHORTEST: usize = 2;

/// Words of a name that say nothing alone.
const NO_NAMES: [&str; 12] = [
    "white", "black", "game", "move", "draw", "the", "ply", "count", "ouk", "makruk", "none",
    "player",
];

/// Names to look for, and what stands for each.
#[derive(Debug, Default)]
pub(super) struct Scrub {
    /// In small letters; the longest first, so that no name is taken apart by a shorter one.
    names: Vec<(Vec<char>, String)>,
}

impl Scrub {
    /// Looks for a name in the ways in which it may stand in a sentence: as it is, in an evidence's JSON, its words in the other
    /// order, and each longer word of it.
    pub(super) fn name(&mut self, name: &str, pseudonym: &str) {
        let name = name.trim();
        self.add(name, pseudonym);
        let quoted = serde_json::to_string(name).unwrap_or_default();
        self.add(quoted.trim_matches('"'), pseudonym);
        let words: Vec<&str> = name
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .collect();
        self.add(&words.join(" "), pseudonym);
        let turned: Vec<&str> = words.iter().rev().copied().collect();
        self.add(&turned.join(" "), pseudonym);
        for word in words.into_iter().filter(|word| word.chars().count() >= 4) {
            self.add(word, pseudonym);
        }
        self.names
            .sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    }

    fn add(&mut self, name: &str, pseudonym: &str) {
        let small: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
        let text: String = small.iter().collect();
        let letters = small.iter().any(|c| c.is_alphabetic());
        if small.len() < SHORTEST || !letters || NO_NAMES.contains(&text.as_str()) {
            return;
        }
        if !self.names.iter().any(|(there, _)| *there == small) {
            self.names.push((small, pseudonym.to_owned()));
        }
    }

    /// The text with pseudonyms in the place of names, whatever their case.
    pub(super) fn apply(&self, text: &str) -> String {
        if self.names.is_empty() {
            return text.to_owned();
        }
        // Small letters, each with the place of the letter it comes from.
        let small: Vec<(usize, char)> = text
            .char_indices()
            .flat_map(|(at, c)| c.to_lowercase().map(move |small| (at, small)))
            .collect();
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        let mut copied = 0;
        while at < small.len() {
            let found = self.names.iter().find(|(name, _)| stands(&small, at, name));
            let Some((name, pseudonym)) = found else {
                at += 1;
                continue;
            };
            let end = at + name.len();
            out.push_str(&text[copied..small[at].0]);
            out.push_str(pseudonym);
            copied = small.get(end).map_or(text.len(), |(place, _)| *place);
            at = end;
        }
        out.push_str(&text[copied..]);
        out
    }
}

/// Whether a name stands here, and not as a part of a longer word. Thai and Khmer have no blanks between words: there a name ends
/// where it ends.
fn stands(small: &[(usize, char)], at: usize, name: &[char]) -> bool {
    let here = small.get(at..at + name.len());
    let same = here.is_some_and(|here| here.iter().map(|(_, c)| c).eq(name));
    let apart = |side: Option<&(usize, char)>, edge: Option<&char>| {
        let word = |c: &char| c.is_ascii_alphanumeric() || *c == '_';
        !(edge.is_some_and(word) && side.is_some_and(|(_, c)| word(c)))
    };
    let before = at.checked_sub(1).and_then(|before| small.get(before));
    same && apart(before, name.first()) && apart(small.get(at + name.len()), name.last())
}

/// Whether a word is an address.
pub(super) fn is_address(word: &str) -> bool {
    let scheme = word.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        !scheme.is_empty()
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '+')
    })
}
