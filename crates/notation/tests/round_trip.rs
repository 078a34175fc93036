//! Text -> position -> text and move -> SAN -> move, on random games of every builtin rule set.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use notation::fen::Reading;
use notation::read::{Letters, Matched, match_among};
use notation::{fen, san, uci};
use rules::{Authority, CountCommand, CountKind, LegalMove, Line, MoveKind, Ruleset};

const SEED: u64 = 20_261_130;

fn roll(state: &mut u64, sides: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % sides.max(1)
}

/// Every builtin rule set, and every combination of the sutras on top of makruk.
fn rule_sets() -> Vec<Arc<Ruleset>> {
    let additions = ["+sut-khun", "+sut-ma", "+sut-met", "+takhaeng-ruea"];
    let composed = (1..16).map(|set| {
        let chosen = additions
            .iter()
            .enumerate()
            .filter(|(bit, _)| set >> bit & 1 == 1);
        chosen.fold("makruk".to_owned(), |id, (_, part)| id + part)
    });
    let plain = Ruleset::builtin_ids().iter().map(|id| (*id).to_owned());
    let ids = plain.chain(composed);
    ids.map(|id| Ruleset::builtin(&id).unwrap()).collect()
}

/// Plays random games with counts started and stopped, half of them fond of captures so that men
/// run out, and shows the line after every move and every word about a count.
fn every_position(mut see: impl FnMut(&Line)) {
    for rules in rule_sets() {
        for game in 0..40 {
            let mut dice = SEED + game;
            let mut line = Line::from_start(&rules);
            for _ in 0..200 {
                see(&line);
                if roll(&mut dice, 8) == 0 {
                    let said = [CountCommand::Start, CountCommand::Stop][roll(&mut dice, 2)];
                    if line.command(said).is_ok() {
                        see(&line);
                    }
                }
                let moves = line.position().legal_moves();
                let noisy = line.position().noisy_moves();
                let greedy = game % 2 == 0 && !noisy.is_empty() && roll(&mut dice, 3) > 0;
                let pool = if greedy { &noisy } else { &moves };
                if pool.is_empty() {
                    break;
                }
                line.push(pool[roll(&mut dice, pool.len())]);
            }
        }
    }
}

#[test]
fn a_written_position_reads_back() {
    every_position(|line| {
        let text = fen::write(line);
        let start = fen::parse_as(&text, line.ruleset(), Reading::Lenient).unwrap();
        let again = fen::write_state(&start.position, &start.count_state, line.ruleset());
        assert_eq!(again, text);
        assert_eq!(
            start.position.position_key(),
            line.position().position_key()
        );
        let fields = start.count_state.fields(line.ruleset());
        assert_eq!(fields, line.count_state().fields(line.ruleset()));
        // Nothing that we write is a repair.
        assert!(start.notes.is_empty(), "{text}: {:?}", start.notes);
    });
}

#[test]
fn a_position_written_in_full_has_the_same_count() {
    let mut seen: BTreeMap<(CountKind, bool, bool), u32> = BTreeMap::new();
    every_position(|line| {
        let (rules, text) = (line.ruleset(), fen::write_full(line));
        let start = fen::parse_as(&text, rules, Reading::Strict).unwrap();
        assert_eq!(start.count_state, *line.count_state(), "{text}");
        let again = fen::write_full_state(&start.position, &start.count_state, rules);
        assert_eq!(again, text);
        match line.count() {
            None => assert_eq!(text, fen::write(line)),
            Some(count) => {
                let stopped = text.contains("cs=");
                let field = line.count_state().fields(rules).is_some();
                *seen.entry((count.kind, stopped, field)).or_default() += 1;
            }
        }
    });
    // Both counts, running, with the stop just said, and stopped, were all there.
    for kind in [CountKind::Board, CountKind::Pieces] {
        for (stopped, field) in [(false, true), (true, true), (true, false)] {
            let times = seen.get(&(kind, stopped, field)).copied().unwrap_or(0);
            assert!(times > 5, "{kind:?} {stopped} {field}: {times} in {seen:?}");
        }
    }
}

#[test]
fn a_written_move_names_that_move() {
    let letters = Letters::standard();
    let (mut leaps, mut sutras) = (0, 0);
    every_position(|line| {
        let position = line.position();
        let legal = position.legal_moves();
        let engine = line.ruleset().authority() == Authority::Engine;
        let mut names = BTreeSet::new();
        for &mv in &legal {
            let text = uci::write(mv);
            assert_eq!(uci::parse(&text, position), Ok(mv));
            let text = san::write(position, mv);
            match match_among(&text, &letters, position, &legal) {
                Matched::One(found) => {
                    assert_eq!(found.mv, mv, "{text} in {position:?}");
                    assert!(found.notes.is_empty(), "{text}: {:?}", found.notes);
                    assert!(names.insert(text), "{position:?}");
                }
                // Only the engine's own form may fail to tell a met leap from a met's step.
                Matched::Many(moves) => {
                    assert!(engine, "{text} in {position:?}: {moves:?}");
                    let leap = |mv: &LegalMove| mv.kind() == MoveKind::MetLeap;
                    assert!(moves.contains(&mv) && moves.iter().any(leap), "{text}");
                }
                other => panic!("{text} in {position:?}: {other:?}"),
            }
            leaps += u32::from(matches!(mv.kind(), MoveKind::KhunLeap | MoveKind::MetLeap));
            sutras += u32::from(mv.kind().moves_two());
        }
    });
    assert!(leaps > 1000 && sutras > 1000, "{leaps} {sutras}");
}

#[test]
fn a_met_leap_is_told_from_a_step() {
    let text = "4k3/8/8/8/8/8/3M~4/3KM3 w DE - 0 1";
    let read = |id: &str| {
        let rules = Ruleset::builtin(id).unwrap();
        let start = fen::parse(text, &rules).unwrap();
        ["e1e3", "d2e3"].map(|uci_text| {
            let mv = uci::parse(uci_text, &start.position).unwrap();
            san::write(&start.position, mv)
        })
    };
    assert_eq!(read("ouk"), ["Mee3", "Mde3"]);
    assert_eq!(read("cambodian-fairy"), ["Me3", "Me3"]);
}
