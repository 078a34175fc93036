//! Stable keyed pseudonyms in the place of players' names, in every row before it is written.
//!
//! The rows of a game are the only way by which a name gets into an output: whatever is written later is made from them. What is
//! known to be a name is replaced where it stands, and wherever the same name stands in another text of the game's rows.

mod scrub;

use tables::{FindingRow, GameRow, PlyRow, Tags};

use crate::job::Job;
use crate::run::RunError;
use scrub::{Scrub, is_address};

/// A key with fewer bytes could be guessed.
const KEY_BYTES: usize = 16;

/// Tags whose values are kept: none of them says who played. In small letters.
const KEPT: [&str; 32] = [
    "event",
    "site",
    "date",
    "eventdate",
    "round",
    "section",
    "stage",
    "board",
    "result",
    "whiteelo",
    "blackelo",
    "whiteratingdiff",
    "blackratingdiff",
    "whitetype",
    "blacktype",
    "timecontrol",
    "termination",
    "variant",
    "gametype",
    "ruleset",
    "fen",
    "setup",
    "utcdate",
    "utctime",
    "time",
    "gamestarttime",
    "gameendtime",
    "gameduration",
    "plycount",
    "eco",
    "opening",
    "mode",
];

/// Words in the names of tags whose values name people or clubs: they are looked for in the other texts as well.
const OF_PEOPLE: [&str; 9] = [
    "name",
    "team",
    "annotator",
    "arbiter",
    "scorer",
    "player",
    "user",
    "mail",
    "club",
];

/// What stands for players' names.
pub(crate) struct Pseudonyms {
    key: [u8; 32],
    id: String,
}

/// The key is in no log.
impl std::fmt::Debug for Pseudonyms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pseudonyms")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}

impl Pseudonyms {
    /// Those of a job, their key from the environment.
    ///
    /// # Errors
    /// The variable is not there, or holds too little.
    pub(crate) fn of(job: &Job) -> Result<Option<Pseudonyms>, RunError> {
        let Some(variable) = &job.output.pseudonyms else {
            return Ok(None);
        };
        let key = std::env::var_os(variable).ok_or_else(|| {
            RunError::Usage(format!(
                "output.pseudonyms: the environment variable {variable} is not set; it holds the key of the pseudonyms"
            ))
        })?;
        let key = key.as_encoded_bytes();
        if key.len() < KEY_BYTES {
            return Err(RunError::Usage(format!(
                "output.pseudonyms: the key in {variable} is shorter than {KEY_BYTES} bytes"
            )));
        }
        Ok(Some(Pseudonyms::new(key)))
    }

    fn new(key: &[u8]) -> Pseudonyms {
        // The id tells keys apart and gives nothing of them away.
        let id = blake3::derive_key("nabsak 2026 id of a pseudonym key", key);
        Pseudonyms {
            key: blake3::derive_key("nabsak 2026 pseudonyms of players", key),
            id: hex(&id),
        }
    }

    /// A hash of the key: what is part of chunks' keys.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// What stands for a name: the same for all that the search for duplicates takes for one name.
    fn of_name(&self, name: &str) -> String {
        let name = analysis::player_name(Some(name));
        format!("player-{}", self.hash("name", &name))
    }

    fn hash(&self, what: &str, text: &str) -> String {
        let mut hasher = blake3::Hasher::new_keyed(&self.key);
        hasher
            .update(what.as_bytes())
            .update(&[0])
            .update(text.as_bytes());
        hex(hasher.finalize().as_bytes())
    }

    /// An address leads to the players: its host stays, and what tells it apart from others.
    fn of_address(&self, address: &str) -> String {
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        format!("{scheme}://{host}/{}", self.hash("address", address))
    }

    /// Replaces names in the rows of a game.
    pub(crate) fn hide(
        &self,
        game: &mut GameRow,
        plies: &mut [PlyRow],
        findings: &mut [FindingRow],
    ) {
        let scrub = self.scrub(game);
        let text = |text: &str| self.text(&scrub, text);
        let maybe = |field: &mut Option<String>| {
            if let Some(there) = field {
                *there = text(there);
            }
        };
        let name = |field: &mut Option<String>| {
            if let Some(there) = field {
                *there = self.of_name(there);
            }
        };
        game.tags = self.tags(&scrub, &game.tags);
        name(&mut game.white);
        name(&mut game.black);
        maybe(&mut game.event);
        maybe(&mut game.site);
        maybe(&mut game.round);
        maybe(&mut game.time_control);
        maybe(&mut game.termination);
        maybe(&mut game.reason);
        for ply in plies {
            maybe(&mut ply.eval_text);
        }
        for finding in findings {
            finding.message = text(&finding.message);
            maybe(&mut finding.evidence);
        }
    }

    fn tags(&self, scrub: &Scrub, tags: &Tags) -> Tags {
        let mut kept = Tags::default();
        for (name, value) in tags.iter() {
            // The same tag again is `White#2`.
            let plain = name.split('#').next().unwrap_or(name);
            let small = plain.to_lowercase();
            if small == "white" || small == "black" {
                let known = !analysis::player_name(Some(value)).is_empty() && value.trim() != "?";
                let shown = if known {
                    self.of_name(value)
                } else {
                    value.to_owned()
                };
                kept.push(plain, &shown);
            } else if KEPT.contains(&small.as_str()) {
                kept.push(plain, &self.text(scrub, value));
            }
        }
        kept
    }

    /// The names that are to be found in this game's texts.
    fn scrub(&self, game: &GameRow) -> Scrub {
        let mut scrub = Scrub::default();
        let own = [&game.white, &game.black];
        for name in own.into_iter().flatten() {
            scrub.name(name, &self.of_name(name));
        }
        for (tag, value) in game.tags.iter() {
            let small = tag.split('#').next().unwrap_or(tag).to_lowercase();
            let people = OF_PEOPLE.iter().any(|word| small.contains(word));
            if small == "white" || small == "black" || people {
                scrub.name(value, &self.of_name(value));
            }
        }
        scrub
    }

    fn text(&self, scrub: &Scrub, text: &str) -> String {
        if !text.contains("://") {
            return scrub.apply(text);
        }
        let words = text.split_inclusive(char::is_whitespace).map(|word| {
            let bare = word.trim_end();
            let blank = &word[bare.len()..];
            if is_address(bare) {
                format!("{}{blank}", self.of_address(bare))
            } else {
                word.to_owned()
            }
        });
        scrub.apply(&words.collect::<String>())
    }
}

/// 64 bits, enough for a hundred million names.
fn hex(hash: &[u8]) -> String {
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[cfg(test)]
mod tests;
