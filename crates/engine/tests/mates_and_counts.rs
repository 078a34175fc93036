//! What a good analyst must see: mates of known length, and wins that a count lets through or not.

mod common;

use common::{legal, line};
use engine::{Analyser, Assessment, Budget, Builtin, BuiltinSettings, EngineError, Score, Unit};
use rules::{CountCommand, Line};

fn assess(line: &Line, nodes: u64) -> Assessment {
    let mut engine = Builtin::new(&BuiltinSettings { hash_mib: 32 });
    engine
        .assess(&Unit {
            line,
            played: None,
            budget: Budget::nodes(nodes),
        })
        .expect("a root with moves")
}

/// ANALYSIS 4.1: the khun in the met's corner.
#[test]
fn ma_and_met_mate_in_four() {
    let found = assess(
        &line("makruk", "8/8/8/8/5N2/5M~2/5K2/7k w - - 0 1"),
        200_000,
    );
    assert_eq!(found.score, Score::Mate(4));
    assert_eq!(found.pv.len(), 7);
}

/// The same with the whole count of its own ahead: it still fits.
#[test]
fn khon_and_met_mate_in_fifteen() {
    let found = assess(
        &line("makruk", "8/8/8/8/6M1/5S2/5K2/7k w - - 0 1"),
        30_000_000,
    );
    assert_eq!(found.score, Score::Mate(15));
}

#[test]
fn a_win_that_the_count_leaves_no_time_for_is_a_draw() {
    // Two rooks, limit 8: four replies are enough for a mate in three, one is not.
    let enough = assess(
        &line("makruk", "7k/8/8/8/8/8/R7/1R2K3 b - 16 8 40"),
        100_000,
    );
    assert_eq!(enough.score, Score::Mate(-3));
    let short = assess(
        &line("makruk", "4k3/8/8/8/8/8/R7/1R2K3 b - 16 14 40"),
        100_000,
    );
    assert_eq!(short.score, Score::Cp(0));
}

#[test]
fn the_last_reply_may_mate() {
    // Mate in one with the last reply that the count allows, and with none left.
    let last = assess(
        &line("makruk", "7k/1R6/8/8/8/8/R7/4K3 w - 16 15 40"),
        10_000,
    );
    assert_eq!(last.score, Score::Mate(1));
}

#[test]
fn mate_by_the_counting_side_is_what_the_rule_set_says() {
    let free = assess(
        &line("makruk-fairy", "k7/7R/8/8/8/8/7r/K5R1 w - 128 10 40"),
        10_000,
    );
    assert_eq!(
        free.score,
        Score::Mate(1),
        "under the engine's rules the counting side may win"
    );
    let mut bound = line("makruk", "k7/7R/8/8/8/8/7r/K5R1 w - - 0 40");
    bound
        .command(CountCommand::Start)
        .expect("no bia, both armed");
    let bound = assess(&bound, 20_000);
    assert_ne!(
        bound.score,
        Score::Mate(1),
        "its own mate at once would only draw"
    );
}

#[test]
fn kar_ouk_ends_with_the_first_check() {
    let found = assess(
        &line("kar-ouk", "3mk3/8/8/8/8/8/R7/3KM3 w - - 1+1 0 1"),
        10_000,
    );
    assert_eq!(found.score, Score::Mate(1));
}

#[test]
fn roots_without_a_move_are_named() {
    let mut engine = Builtin::new(&BuiltinSettings::default());
    let mated = line("makruk", "R6k/1R6/8/8/8/8/8/4K3 b - - 0 1");
    let stale = line("makruk", "k7/8/K7/8/8/8/8/1R6 b - - 0 1");
    for (line, score) in [(mated, Score::Mate(0)), (stale, Score::Cp(0))] {
        let answer = engine.assess(&Unit {
            line: &line,
            played: None,
            budget: Budget::nodes(1000),
        });
        assert!(
            matches!(answer, Err(EngineError::NoMoves { score: found }) if found == score),
            "{answer:?}"
        );
    }
}

#[test]
fn a_third_occurrence_is_seen_coming() {
    // White is far ahead but has only shuffled; the third time draws.
    let mut line = line("makruk", "4k3/8/8/8/8/8/R7/1R2K3 w - - 0 1");
    for uci in [
        "a2a3", "e8d8", "a3a2", "d8e8", "a2a3", "e8d8", "a3a2", "d8e8",
    ] {
        let mv = legal(&line, uci);
        line.push(mv);
    }
    assert_eq!(line.repetitions(), 3);
    let found = assess(&line, 50_000);
    assert_ne!(found.best.to_string(), "a2a3");
}
