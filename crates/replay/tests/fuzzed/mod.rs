//! What must hold for any bytes: run by the fuzzer, and by `fuzz_seeds` on what it found.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "each test binary uses its own part of what they share"
)]

use std::sync::{Arc, OnceLock};

use archive::{Dialect, Games, Item, ReaderSettings, Start};
use replay::{Judge, Place, Replay};
use rules::{Line, Ruleset, UciMove};

/// The first byte chooses the dialect, or that it is found out.
pub fn games(bytes: &[u8]) {
    let Some((first, bytes)) = bytes.split_first() else {
        return;
    };
    let settings = ReaderSettings {
        max_game_bytes: 3_000,
        dialect: Dialect::ALL.get(usize::from(*first)).copied(),
        ..ReaderSettings::default()
    };
    for item in Games::new(bytes, Start::BEGINNING, &settings) {
        let Ok(Item::Game(raw)) = item else { continue };
        let place = Place {
            ordinal: raw.ordinal,
            byte_offset: raw.byte_offset,
            byte_length: raw.byte_length,
            ..Place::nowhere()
        };
        holds(&replay::replay(&raw, &place, judge()));
    }
}

/// Judges ouk where nothing names a variant, and compares with other rule sets.
fn judge() -> &'static Judge {
    static JUDGE: OnceLock<Judge> = OnceLock::new();
    JUDGE.get_or_init(|| {
        let mut judge = Judge::default();
        for id in ["makruk-ttakji", "ouk-wikipedia"] {
            judge.compare(Ruleset::builtin(id).unwrap());
        }
        judge.default_variant(Some(rules::Variant::Ouk));
        judge
    })
}

/// A replay says of itself what another way says of it.
fn holds(replay: &Replay) {
    let place = replay.place();
    for finding in replay.findings() {
        assert!(!finding.message.is_empty());
        if let Some(offset) = finding.byte_offset {
            let end = place.byte_offset + place.byte_length;
            assert!((place.byte_offset..=end).contains(&offset), "{finding:?}");
        }
    }
    let Some(game) = replay.game() else { return };
    if game.start_fen.is_empty() {
        assert!(game.plies.is_empty());
        return;
    }
    let rules: Arc<Ruleset> = Ruleset::builtin(game.rule_set.as_str()).unwrap();
    let start = notation::fen::parse(&game.start_fen, &rules).unwrap();
    let mut line = Line::new(&rules, start.position, start.count_state);
    for (ply, said) in game.plies.iter().zip(game.moves_uci().split(' ')) {
        let mv = said.parse::<UciMove>().ok();
        let mv = mv.and_then(|mv| line.position().resolve(mv)).unwrap();
        assert_eq!(mv, ply.mv);
        assert_eq!(notation::san::of(line.position(), mv), ply.san);
        line.push(mv);
        assert_eq!(line.position().position_key(), ply.key);
        assert_eq!(line.position().in_check(), ply.in_check);
        assert!(u64::from(ply.token_offset) <= place.byte_length);
    }
}
