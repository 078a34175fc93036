//! Findings about games that are there more than once: they name the other record.

use std::collections::BTreeMap;

use analysis::{Duplicate, DuplicateClass};
use replay::{Certainty, Finding, FindingCode};
use rules::GameResult;
use serde_json::json;
use tables::{FindingRow, Hex, Table};

use crate::chunk::Halt;
use crate::context::Context;
use crate::key::ChunkKey;
use crate::parts::Parts;
use crate::reading::rows;
use crate::receipt::Part;
use crate::stages::{Chunk, games_parts};

tables::row! {
    /// Where a game lies, and what its record declares.
    pub struct Placed in Table::Games, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Its archive.
        pub archive: String,
        /// Its file in the archive.
        pub member: Option<String>,
        /// Where it starts.
        pub byte_offset: i64,
        /// How long it is.
        pub byte_length: i64,
        /// Its place in the member.
        pub ordinal: i32,
        /// Result by the record.
        pub result_declared: Option<GameResult>,
    }
}

/// A finding for each game of a group but the canonical one, in the order of the games; and how many of each severity.
pub(crate) fn findings(
    context: &Context<'_>,
    chunks: &[Chunk],
    found: &[Duplicate],
    key: ChunkKey,
) -> Result<(Vec<Part>, BTreeMap<String, u64>), Halt> {
    let mut repeated: Vec<&Duplicate> = found
        .iter()
        .filter(|game| game.id != game.canonical)
        .collect();
    repeated.sort_unstable_by_key(|game| (game.id, game.class));
    let mut others: BTreeMap<[u8; 16], Option<Placed>> =
        repeated.iter().map(|game| (game.canonical, None)).collect();
    let places = games_parts(chunks);
    let games = || rows::<Placed>(&context.output, &places);
    for game in games().filter(|_| !repeated.is_empty()) {
        let game = game?;
        if let Some(place) = others.get_mut(&game.game_id.0) {
            *place = Some(game);
        }
    }
    let mut parts = Parts::new(&context.output, key);
    let mut severities: BTreeMap<String, u64> = BTreeMap::new();
    for game in games().filter(|_| !repeated.is_empty()) {
        let game = game?;
        let first = repeated.partition_point(|other| other.id < game.game_id.0);
        let own = repeated[first..]
            .iter()
            .take_while(|other| other.id == game.game_id.0);
        for group in own {
            let Some(Some(other)) = others.get(&group.canonical) else {
                continue;
            };
            for finding in about(&game, group.class, other) {
                *severities
                    .entry(finding.severity.as_str().to_owned())
                    .or_default() += 1;
                parts.push(FindingRow {
                    game_id: Some(game.game_id),
                    ..FindingRow::of_archive(&game.archive, game.member.as_deref(), &finding)
                })?;
            }
        }
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
    }
    Ok((parts.finish()?, severities))
}

fn about(game: &Placed, class: DuplicateClass, other: &Placed) -> Vec<Finding> {
    let (code, certainty, what) = words(class);
    let place = match &other.member {
        Some(member) => format!("{} › {member}", other.archive),
        None => other.archive.clone(),
    };
    let evidence = json!({
        "class": class.as_str(),
        "canonical_game_id": other.game_id.to_string(),
        "archive": other.archive,
        "member": other.member,
        "ordinal": other.ordinal,
    });
    let finding = |code, message: String| {
        let number = |number: i64| u64::try_from(number).unwrap_or(0);
        Finding::new(code, message)
            .at_bytes(number(game.byte_offset), number(game.byte_length))
            .with(&evidence)
    };
    let message = format!("in a group with game {} of {place}: {what}", other.ordinal);
    let mut findings = vec![finding(code, message).certainty(certainty)];
    if let (true, Some(own), Some(its)) = (
        class.is_one_game(),
        game.result_declared,
        other.result_declared,
    ) && own != its
    {
        let message = format!(
            "declared {own}, and {its} by another record of the game, game {} of {place}",
            other.ordinal
        );
        findings.push(finding(FindingCode::DuplicateResultsDiffer, message));
    }
    findings
}

/// What stands in the record is a fact; that two records are one game follows only where nothing tells them apart.
fn words(class: DuplicateClass) -> (FindingCode, Certainty, &'static str) {
    use Certainty::{Possible, Proved, Statistical};
    match class {
        DuplicateClass::Exact => (
            FindingCode::DuplicateExact,
            Proved,
            "the same moves, players and date",
        ),
        DuplicateClass::OtherDialect => (
            FindingCode::DuplicateOtherDialect,
            Proved,
            "the same moves, players and date, in more than one dialect",
        ),
        DuplicateClass::ColoursSwapped => (
            FindingCode::DuplicateColoursSwapped,
            Possible,
            "the same moves and date, the players' colours swapped",
        ),
        DuplicateClass::Prefix => (
            FindingCode::DuplicatePrefix,
            Possible,
            "one is the beginning of another",
        ),
        DuplicateClass::Near => (
            FindingCode::DuplicateNear,
            Possible,
            "as long as another, and one or two plies differ",
        ),
        DuplicateClass::SameMoves => (
            FindingCode::DuplicateSameMoves,
            Statistical,
            "the same moves under other names or another date",
        ),
        DuplicateClass::SamePlayers => (
            FindingCode::DuplicateSamePlayers,
            Possible,
            "the same players and date, other moves",
        ),
    }
}
