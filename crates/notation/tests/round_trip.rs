//! Text -> position -> text and move -> SAN -> move, on random games of every builtin rule set.
#![allow(clippy::unwrap_used)]

use notation::read::{Letters, Matched, match_move};
use notation::{fen, san, uci};
use rules::{Authority, Line, Ruleset};

const SEED: u64 = 20_261_130;

fn roll(state: &mut u64, sides: usize) -> usize {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % sides.max(1)
}

fn every_position(mut see: impl FnMut(&Line)) {
    for id in Ruleset::builtin_ids() {
        let rules = Ruleset::builtin(id).unwrap();
        for game in 0..40 {
            let mut dice = SEED + game;
            let mut line = Line::from_start(&rules);
            for _ in 0..200 {
                see(&line);
                let moves = line.position().legal_moves();
                if moves.is_empty() {
                    break;
                }
                line.push(moves[roll(&mut dice, moves.len())]);
            }
        }
    }
}

#[test]
fn a_written_position_reads_back() {
    every_position(|line| {
        let text = fen::write(line);
        let start = fen::parse(&text, line.ruleset()).unwrap();
        let again = fen::write_state(&start.position, &start.count_state, line.ruleset());
        assert_eq!(again, text);
        assert_eq!(
            start.position.position_key(),
            line.position().position_key()
        );
        let fields = start.count_state.fields(line.ruleset());
        assert_eq!(fields, line.count_state().fields(line.ruleset()));
    });
}

#[test]
fn a_written_move_names_that_move() {
    let letters = Letters::standard();
    every_position(|line| {
        let position = line.position();
        for &mv in &position.legal_moves() {
            let text = uci::write(mv);
            assert_eq!(uci::parse(&text, position), Ok(mv));
            let text = san::write(position, mv);
            match match_move(&text, &letters, position) {
                Matched::One(found) => assert_eq!(found.mv, mv, "{text} in {position:?}"),
                // Only the engine's own form may fail to tell a met leap from a met's step.
                other => assert_eq!(
                    line.ruleset().authority(),
                    Authority::Engine,
                    "{text} in {position:?}: {other:?}"
                ),
            }
        }
    });
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
