//! Where the rows of each chunk are now: in the parts that it made, in those of a later stage, or in merged ones.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::commit::Commit;
use crate::context::Context;
use crate::key::ChunkKey;
use crate::receipt::{Facts, MemberFacts, Part, Receipt};
use crate::run::RunError;
use crate::stage::Stage;

/// Tables whose rows replay makes for good; those of the other tables are assemble's, once it has made them.
pub(crate) const REPLAYED: [&str; 4] = ["plies", "counts", "verdicts", "findings"];

/// What the current commit has in the place of chunks' own parts.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// The `games` of a replay chunk, which assemble puts in the place of replay's own.
    games: HashMap<ChunkKey, Vec<Part>>,
    /// Stretches of merged parts, by the chunk that made their rows.
    merged: HashMap<ChunkKey, Vec<Part>>,
    /// The paths of those parts.
    paths: HashSet<String>,
}

/// A replay chunk's rows where they are now.
#[derive(Debug)]
pub(crate) struct Taken {
    /// The receipt, with stretches of merged parts in the place of parts that are gone.
    pub(crate) replay: Receipt,
    /// Its rows of `games`.
    pub(crate) games: Vec<Part>,
}

impl Taken {
    /// Its rows in its own parts.
    pub(crate) fn own(replay: Receipt) -> Taken {
        let games = replay.parts.iter().filter(|part| part.table == "games");
        Taken {
            games: games.cloned().collect(),
            replay,
        }
    }
}

impl Places {
    /// Those of the current commit.
    pub(crate) fn of(context: &Context<'_>, current: Option<&Commit>) -> Result<Places, RunError> {
        let mut places = Places::default();
        let Some(commit) = current else {
            return Ok(places);
        };
        places.assembled_games(commit);
        let prefix = format!("_nabsak/receipts/{}/", Stage::Compact);
        for path in &commit.receipts {
            // What is gone is only done again.
            if path.starts_with(&prefix) && context.output.has(path) {
                let receipt: Receipt = context.output.get_json(path)?;
                if let Facts::Compact(facts) = &receipt.facts {
                    places.members(&receipt.parts, &facts.members);
                }
            }
        }
        Ok(places)
    }

    /// Parts that assemble made bear its key.
    fn assembled_games(&mut self, commit: &Commit) {
        let mut by_assemble: HashMap<String, Vec<Part>> = HashMap::new();
        for part in commit.parts("games") {
            let name = part.path.rsplit('/').next().unwrap_or_default();
            let key = name.split('-').next().unwrap_or_default();
            let parts = by_assemble.entry(key.to_owned()).or_default();
            parts.push(part.clone());
        }
        let chunks = commit.archives.iter().flat_map(|archive| &archive.chunks);
        for chunk in chunks {
            let key = chunk.assemble.map(|key| key.to_string());
            if let Some(parts) = key.and_then(|key| by_assemble.get(&key)) {
                self.games.insert(chunk.replay, parts.clone());
            }
        }
    }

    /// The members' rows follow one another in each table's parts.
    fn members(&mut self, parts: &[Part], members: &[MemberFacts]) {
        self.paths
            .extend(parts.iter().map(|part| part.path.clone()));
        let mut left: BTreeMap<&str, Vec<Part>> = BTreeMap::new();
        for part in parts.iter().rev() {
            left.entry(&part.table).or_default().push(part.clone());
        }
        for member in members {
            for (table, rows) in &member.rows {
                let Some(left) = left.get_mut(table.as_str()) else {
                    continue;
                };
                let own = take(left, *rows);
                let maker = if REPLAYED.contains(&table.as_str()) {
                    member.replay
                } else {
                    member.assemble
                };
                if table == "games" {
                    self.games.insert(member.replay, own.clone());
                }
                self.merged.entry(maker).or_default().extend(own);
            }
        }
    }

    /// Whether a part is one of several chunks.
    pub(crate) fn is_merged(&self, part: &Part) -> bool {
        self.paths.contains(&part.path)
    }

    /// The rows of a replay receipt, if all of them can still be read.
    pub(crate) fn taken(&self, context: &Context<'_>, receipt: &Receipt) -> Option<Taken> {
        let is_games = |part: &Part| part.table == "games";
        let (games, others): (Vec<Part>, Vec<Part>) =
            receipt.parts.iter().cloned().partition(is_games);
        let mut parts = self.placed(context, &receipt.key, others)?;
        parts.extend(games.iter().cloned());
        let games = if context.output.has_all(&games) {
            games
        } else {
            let moved = self.games.get(&receipt.key)?;
            context.output.has_all(moved).then(|| moved.clone())?
        };
        Some(Taken {
            replay: Receipt {
                parts,
                ..receipt.clone()
            },
            games,
        })
    }

    /// The rows of an assemble receipt, if all of them can still be read.
    pub(crate) fn assembled(&self, context: &Context<'_>, receipt: &Receipt) -> Option<Receipt> {
        Some(Receipt {
            parts: self.placed(context, &receipt.key, receipt.parts.clone())?,
            ..receipt.clone()
        })
    }

    /// A chunk's own parts, or where their rows are merged with others'.
    fn placed(&self, context: &Context<'_>, key: &ChunkKey, own: Vec<Part>) -> Option<Vec<Part>> {
        if context.output.has_all(&own) {
            return Some(own);
        }
        let mut placed = self.merged.get(key)?.clone();
        if !context.output.has_all(&placed) || rows_of(&placed) != rows_of(&own) {
            return None;
        }
        // Stretches are taken for as large as the parts whose rows they hold: what is merged with what must not hang on what was
        // merged before.
        placed.iter_mut().for_each(|part| part.bytes = 0);
        for part in &own {
            let first = placed.iter_mut().find(|there| there.table == part.table);
            if let Some(first) = first {
                first.bytes += part.bytes;
            }
        }
        Some(placed)
    }
}

fn rows_of(parts: &[Part]) -> BTreeMap<&str, u64> {
    let mut rows = BTreeMap::new();
    for part in parts {
        *rows.entry(part.table.as_str()).or_default() += part.rows;
    }
    rows
}

/// Takes so many rows from the last of `left` on, which stand there the other way round.
fn take(left: &mut Vec<Part>, rows: u64) -> Vec<Part> {
    let mut own = Vec::new();
    let mut wanted = rows;
    while let Some(part) = left.last_mut().filter(|_| wanted > 0) {
        let here = part.rows.min(wanted);
        own.push(Part {
            rows: here,
            ..part.clone()
        });
        wanted -= here;
        part.first_row += here;
        part.rows -= here;
        if part.rows == 0 {
            left.pop();
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(path: &str, rows: u64) -> Part {
        Part {
            table: "plies".to_owned(),
            path: path.to_owned(),
            rows,
            bytes: 10,
            first_row: 0,
        }
    }

    #[test]
    fn rows_of_members_follow_one_another_over_the_ends_of_parts() {
        let key = |text: &str| ChunkKey::of(text).finish();
        let member = |text: &str, rows: u64| MemberFacts {
            replay: key(text),
            assemble: key(&format!("{text} assembled")),
            rows: BTreeMap::from([("plies".to_owned(), rows)]),
        };
        let mut places = Places::default();
        let members = [
            member("a", 3),
            member("b", 0),
            member("c", 9),
            member("d", 2),
        ];
        places.members(
            &[part("one", 5), part("two", 4), part("three", 5)],
            &members,
        );
        let at = |text: &str| {
            let parts = places.merged.get(&key(text)).map_or(&[][..], Vec::as_slice);
            let place = |part: &Part| (part.path.clone(), part.first_row, part.rows);
            parts.iter().map(place).collect::<Vec<_>>()
        };
        let place = |path: &str, first: u64, rows: u64| (path.to_owned(), first, rows);
        assert_eq!(at("a"), [place("one", 0, 3)]);
        assert_eq!(at("b"), []);
        assert_eq!(
            at("c"),
            [place("one", 3, 2), place("two", 0, 4), place("three", 0, 3)]
        );
        assert_eq!(at("d"), [place("three", 3, 2)]);
    }
}
