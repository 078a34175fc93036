//! Names of files in zips and tars. They are words in a table and never paths on a disk; still nothing of them leads
//! anywhere but down.

use std::collections::HashMap;

use crate::{encoding, note::Notes};

/// Longer names are cut.
const MAX_NAME_BYTES: usize = 1_024;

/// A name that is written, and why it is not the one that the container has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) oddity: Option<String>,
}

/// Gives each member a name of its own.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, u32>);

impl Names {
    pub(crate) fn name(&mut self, raw: &[u8]) -> Named {
        let (decoded, legacy) = decode(raw);
        let mut name = clean(&decoded);
        let mut oddity = if legacy {
            Some(format!("the name is not UTF-8: {}", raw.escape_ascii()))
        } else if name != decoded {
            Some(format!("the name is written {}", raw.escape_ascii()))
        } else {
            None
        };
        let seen = self.0.entry(name.clone()).or_default();
        *seen += 1;
        if *seen > 1 {
            oddity = Some(format!("file number {seen} of the name {name}"));
            // A number that makes it another name again is counted, too.
            while {
                let count = self.0.entry(name.clone()).or_default();
                let numbered = format!("{name}#{count}");
                *count += 1;
                let taken = self.0.contains_key(&numbered);
                if !taken {
                    self.0.insert(numbered.clone(), 1);
                    name = numbered;
                }
                taken
            } {}
        }
        Named { name, oddity }
    }
}

/// The name as text, and whether it is in an old encoding.
fn decode(raw: &[u8]) -> (String, bool) {
    match std::str::from_utf8(raw) {
        Ok(name) => (name.to_owned(), false),
        Err(_) => {
            let encoding = encoding::detect(raw, &mut Notes::default());
            (encoding.decode(raw).into_owned(), true)
        }
    }
}

/// Without roots, drives, backslashes, `.`, `..` and control characters.
fn clean(name: &str) -> String {
    let name = name.replace('\\', "/");
    let parts: Vec<String> = name.split('/').filter_map(part).collect();
    let mut clean = parts.join("/");
    if clean.len() > MAX_NAME_BYTES {
        let end = (0..=MAX_NAME_BYTES)
            .rev()
            .find(|end| clean.is_char_boundary(*end));
        clean.truncate(end.unwrap_or(0));
    }
    if clean.is_empty() {
        "unnamed".clone_into(&mut clean);
    }
    clean
}

fn part(part: &str) -> Option<String> {
    let drive = part.len() == 2 && part.ends_with(':') && part.is_char_boundary(1);
    if matches!(part, "" | "." | "..") || drive {
        return None;
    }
    let plain = |letter: char| {
        if letter.is_control() {
            '\u{fffd}'
        } else {
            letter
        }
    };
    Some(part.chars().map(plain).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_but_down() {
        for (raw, want) in [
            ("a.pgn", "a.pgn"),
            ("games/2026/a.pgn", "games/2026/a.pgn"),
            ("../../etc/passwd", "etc/passwd"),
            ("/etc/passwd", "etc/passwd"),
            ("C:\\games\\a.pgn", "games/a.pgn"),
            ("..\\..\\a.pgn", "a.pgn"),
            ("./a//b/./c", "a/b/c"),
            ("..", "unnamed"),
            ("", "unnamed"),
            ("a\nb\0c", "a\u{fffd}b\u{fffd}c"),
            ("..a/b..", "..a/b.."),
        ] {
            let named = Names::default().name(raw.as_bytes());
            assert_eq!(named.name, want, "{raw:?}");
            assert_eq!(named.oddity.is_some(), raw != want, "{raw:?}");
        }
        assert!(
            Names::default()
                .name("x/".repeat(4_000).as_bytes())
                .name
                .len()
                <= 1_024
        );
    }

    #[test]
    fn equal_names_are_told_apart() {
        let mut names = Names::default();
        let given: Vec<String> = ["a", "a", "a#2", "./a", "b"]
            .iter()
            .map(|raw| names.name(raw.as_bytes()).name)
            .collect();
        let mut unique = given.clone();
        unique.sort();
        unique.dedup();
        assert_eq!(unique.len(), 5, "{given:?}");
        assert_eq!(given[..2], ["a", "a#2"]);
    }

    /// `หมากรุก.pgn` as an old Thai Windows writes it (TIS-620).
    #[test]
    fn a_thai_name_of_an_old_zip() {
        let raw = [b"\xcb\xc1\xd2\xa1\xc3\xd8\xa1".as_slice(), b".pgn"].concat();
        let named = Names::default().name(&raw);
        assert_eq!(named.name, "หมากรุก.pgn");
        assert!(named.oddity.is_some());
    }
}
