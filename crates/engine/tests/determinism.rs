//! The same unit gives the same assessment: in any order, on any thread, on a used engine or a fresh one.

mod common;

use common::{GAME, legal, played};
use engine::{Analyser, Assessment, Budget, Builtin, BuiltinSettings, Unit};
use rules::{LegalMove, Line};

fn units() -> Vec<(Line, LegalMove)> {
    let moves: Vec<&str> = GAME.split_whitespace().collect();
    let mut units: Vec<(Line, LegalMove)> = (0..moves.len())
        .map(|cut| {
            let line = played("makruk", &moves[..cut].join(" "));
            let mv = legal(&line, moves[cut]);
            (line, mv)
        })
        .collect();
    let ouk = played("ouk", "d1f2 e8g7 g1e2 h6h5 f3f4");
    let mv = legal(&ouk, "h5h4");
    units.push((ouk, mv));
    units
}

fn judge(engine: &mut Builtin, (line, played): &(Line, LegalMove)) -> Assessment {
    let unit = Unit {
        line,
        played: Some(*played),
        budget: Budget::nodes(3000),
    };
    engine.assess(&unit).expect("an assessment")
}

#[test]
fn order_and_threads_do_not_matter() {
    let units = units();
    let settings = BuiltinSettings { hash_mib: 1 };
    let mut engine = Builtin::new(&settings);
    let forwards: Vec<Assessment> = units.iter().map(|unit| judge(&mut engine, unit)).collect();
    let mut backwards: Vec<Assessment> = units
        .iter()
        .rev()
        .map(|unit| judge(&mut engine, unit))
        .collect();
    backwards.reverse();
    assert_eq!(forwards, backwards);

    let on_threads: Vec<Assessment> = std::thread::scope(|scope| {
        let handles: Vec<_> = units
            .chunks(10)
            .map(|chunk| {
                let settings = &settings;
                scope.spawn(move || {
                    chunk
                        .iter()
                        .map(|unit| judge(&mut Builtin::new(settings), unit))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    assert_eq!(forwards, on_threads);
}

#[test]
fn a_small_and_a_large_table_agree_on_the_plain() {
    // Another size may change nodes and scores a little, but not what is plain to see.
    let line = common::line("makruk", "3k4/8/2p1p3/2n5/7R/2P1P3/8/3K4 w - - 0 1");
    let unit = Unit {
        line: &line,
        played: Some(legal(&line, "h4a4")),
        budget: Budget::nodes(30_000),
    };
    for hash_mib in [1, 8, 64] {
        let found = Builtin::new(&BuiltinSettings { hash_mib })
            .assess(&unit)
            .expect("an assessment");
        assert!(
            found.score.rank() - found.played.expect("its score").rank() > 200,
            "{hash_mib}: {found:?}"
        );
    }
}

#[test]
fn settings_are_part_of_the_identity() {
    let identity = |hash_mib| {
        Builtin::new(&BuiltinSettings { hash_mib })
            .identity()
            .clone()
    };
    assert_eq!(identity(8), identity(8));
    assert_ne!(identity(8), identity(16));
}

#[test]
fn a_line_of_twenty_thousand_plies_is_no_trouble() {
    let mut line = common::line("ouk", "r3k3/8/8/p7/8/8/8/R3K3 w - - 0 1");
    for _ in 0..5000 {
        for uci in ["a1b1", "a8b8", "b1a1", "b8a8"] {
            let mv = legal(&line, uci);
            line.push(mv);
        }
    }
    assert_eq!(line.plies().0, 20_000);
    let unit = Unit {
        line: &line,
        played: None,
        budget: Budget::nodes(2000),
    };
    assert!(
        Builtin::new(&BuiltinSettings::default())
            .assess(&unit)
            .is_ok()
    );
}
