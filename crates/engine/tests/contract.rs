//! One contract, each engine: what every `Analyser` keeps.

mod common;

use common::{GAME, legal, line, played};
use engine::{
    Analyser, Budget, Builtin, BuiltinSettings, EngineError, Score, UciCommand, UciEngine, Unit,
    fairy_stockfish,
};
use rules::Line;

fn keeps_the_contract(engine: &mut dyn Analyser) {
    assert!(!engine.identity().as_str().is_empty());
    best_is_legal_and_heads_the_pv(engine);
    played_is_never_above_best(engine);
    a_blunder_is_seen(engine);
    a_single_move_is_judged_too(engine);
    nothing_passes_between_units(engine);
    the_smallest_budget_is_enough(engine);
    ended_roots_are_named(engine);
}

fn unit<'a>(line: &'a Line, played: Option<&str>, nodes: u64) -> Unit<'a> {
    Unit {
        line,
        played: played.map(|uci| legal(line, uci)),
        budget: Budget::nodes(nodes),
    }
}

fn best_is_legal_and_heads_the_pv(engine: &mut dyn Analyser) {
    let line = played("makruk", GAME);
    let found = engine
        .assess(&unit(&line, None, 3000))
        .expect("an assessment");
    assert!(
        line.position()
            .legal_moves()
            .iter()
            .any(|mv| mv.raw() == found.best)
    );
    assert_eq!(found.pv.first(), Some(&found.best));
    assert_eq!(found.played, None);
    assert!(found.nodes > 0 && found.depth > 0);
}

fn played_is_never_above_best(engine: &mut dyn Analyser) {
    let moves: Vec<&str> = GAME.split_whitespace().collect();
    for cut in [0, 7, 20, 33, 41, 54] {
        let line = played("makruk", &moves[..cut].join(" "));
        let found = engine
            .assess(&unit(&line, Some(moves[cut]), 3000))
            .expect("an assessment");
        let score = found.played.expect("a score of the played move");
        assert!(score.rank() <= found.score.rank(), "{found:?}");
        if found.best.to_string() == moves[cut] {
            assert_eq!(score, found.score);
        }
    }
}

fn a_blunder_is_seen(engine: &mut dyn Analyser) {
    // The rook goes where the ma takes it.
    let line = line("makruk", "3k4/8/2p1p3/2n5/7R/2P1P3/8/3K4 w - - 0 1");
    let found = engine
        .assess(&unit(&line, Some("h4a4"), 10_000))
        .expect("an assessment");
    let (best, played) = (found.score.rank(), found.played.expect("its score").rank());
    assert!(best - played > 200, "{found:?}");
}

fn a_single_move_is_judged_too(engine: &mut dyn Analyser) {
    let line = line("makruk", "k7/8/1R6/8/8/8/8/K6R b - - 0 1");
    assert_eq!(line.position().legal_moves().len(), 1);
    let found = engine
        .assess(&unit(&line, Some("a8a7"), 3000))
        .expect("an assessment");
    assert_eq!(found.played, Some(found.score));
    assert!(found.score.rank() < -100);
}

fn nothing_passes_between_units(engine: &mut dyn Analyser) {
    let (a, b) = (
        played("makruk", GAME),
        line("makruk", "8/8/8/8/5N2/5M~2/5K2/7k w - - 0 1"),
    );
    let first = engine.assess(&unit(&a, None, 4000)).expect("an assessment");
    engine.assess(&unit(&b, None, 4000)).expect("an assessment");
    let again = engine.assess(&unit(&a, None, 4000)).expect("an assessment");
    assert_eq!(first, again);
}

fn the_smallest_budget_is_enough(engine: &mut dyn Analyser) {
    let line = played("makruk", GAME);
    let found = engine.assess(&unit(&line, None, 1)).expect("an assessment");
    assert!(
        line.position()
            .legal_moves()
            .iter()
            .any(|mv| mv.raw() == found.best)
    );
}

fn ended_roots_are_named(engine: &mut dyn Analyser) {
    let line = line("makruk", "R6k/1R6/8/8/8/8/8/4K3 b - - 0 1");
    let answer = engine.assess(&unit(&line, None, 1000));
    assert!(
        matches!(
            answer,
            Err(EngineError::NoMoves {
                score: Score::Mate(0)
            })
        ),
        "{answer:?}"
    );
}

#[test]
fn the_builtin_engine() {
    keeps_the_contract(&mut Builtin::new(&BuiltinSettings::default()));
}

#[test]
fn fairy_stockfish_as_a_child() {
    let program = fairy_stockfish();
    let engine = UciEngine::start(UciCommand::new(&program));
    let mut engine = engine.unwrap_or_else(|error| {
        panic!("{error}; this test needs Fairy-Stockfish: apt-get install fairy-stockfish, or set NABSAK_FAIRY_STOCKFISH")
    });
    assert!(
        engine
            .identity()
            .as_str()
            .starts_with("uci:Fairy-Stockfish"),
        "{}",
        engine.identity()
    );
    keeps_the_contract(&mut engine);
    assert_eq!(engine.restarts(), 0);
}

#[test]
fn old_fairies_are_refused_for_ouk() {
    let mut engine =
        UciEngine::start(UciCommand::new(fairy_stockfish())).expect("see the test above");
    if !engine.name().contains("Stockfish 1") {
        return;
    }
    let line = played("ouk", "");
    let answer = engine.assess(&unit(&line, None, 1000));
    assert!(
        matches!(answer, Err(EngineError::Unsupported { .. })),
        "{answer:?}"
    );
    let mut forced = UciCommand::new(fairy_stockfish());
    forced.force_variant = true;
    let mut engine = UciEngine::start(forced).expect("see the test above");
    assert!(engine.assess(&unit(&line, None, 1000)).is_ok());
}
