//! Outside engines that hang, die, talk nonsense or cheat: each is a typed error, and none outlives its owner.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::played;
use engine::{Analyser, Assessment, Budget, EngineError, Retry, UciCommand, UciEngine, Unit};

fn command(mode: &str, file: &Path) -> UciCommand {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/misbehaving.sh");
    let mut command = UciCommand::new("/bin/sh");
    command.args = vec![
        script.display().to_string(),
        mode.into(),
        file.display().to_string(),
    ];
    command.deadline_per_ply = Duration::from_millis(700);
    command.restarts = 1;
    command
}

/// A file name of this test's own.
fn file(name: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("nabsak-{}-{name}", std::process::id()));
    let (Ok(()) | Err(_)) = std::fs::remove_file(&file);
    file
}

fn ask(mode: &str) -> (Result<Assessment, EngineError>, u64) {
    let mut engine =
        UciEngine::start(command(mode, &file(mode))).expect("it starts like a good one");
    let line = played("makruk", "");
    let answer = engine.assess(&Unit {
        line: &line,
        played: None,
        budget: Budget::nodes(100),
    });
    (answer, engine.restarts())
}

#[test]
fn the_dying_are_started_again_and_then_given_up() {
    let (answer, restarts) = ask("dies");
    assert!(
        matches!(answer, Err(EngineError::Died { .. })),
        "{answer:?}"
    );
    assert_eq!(restarts, 1);
    let (answer, restarts) = ask("dies-once");
    assert_eq!(
        answer.expect("the second try is good").best.to_string(),
        "e3e4"
    );
    assert_eq!(restarts, 1);
}

#[test]
fn the_silent_and_the_chatty_meet_the_deadline() {
    for mode in ["hangs", "chatters"] {
        let started = Instant::now();
        let (answer, _) = ask(mode);
        assert!(
            matches!(answer, Err(EngineError::Silent { .. })),
            "{mode}: {answer:?}"
        );
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "{mode}: {:?}",
            started.elapsed()
        );
    }
    let started = UciEngine::start(command("mute", &file("mute")));
    assert!(
        matches!(started, Err(EngineError::Silent { asked: "uciok", .. })),
        "{started:?}"
    );
}

#[test]
fn nonsense_and_cheating_are_told_apart() {
    assert!(matches!(ask("garbage").0, Err(EngineError::Garbage { .. })));
    assert!(matches!(
        ask("scoreless").0,
        Err(EngineError::Garbage { .. })
    ));
    for mode in ["illegal", "nonsense"] {
        let (answer, restarts) = ask(mode);
        let error = answer.expect_err("no such move");
        assert!(
            matches!(error, EngineError::IllegalMove { .. }),
            "{mode}: {error}"
        );
        assert_eq!((error.retry(), restarts), (Retry::Never, 0));
    }
    assert!(
        ask("shouts").0.is_ok(),
        "a long line is cut and passed over"
    );
}

#[test]
fn no_child_outlives_its_engine() {
    for mode in ["hangs", "stubborn"] {
        let file = file(&format!("group-{mode}"));
        let mut engine = UciEngine::start(command(mode, &file)).expect("it starts like a good one");
        let line = played("makruk", "");
        let answer = engine.assess(&Unit {
            line: &line,
            played: None,
            budget: Budget::nodes(100),
        });
        assert!(answer.is_err());
        drop(engine);
        let grandchild = std::fs::read_to_string(&file).expect("the script wrote it");
        let proc = PathBuf::from(format!("/proc/{}/stat", grandchild.trim()));
        let until = Instant::now() + Duration::from_secs(5);
        // Gone, or a zombie that waits for its adoptive parent.
        while std::fs::read_to_string(&proc).is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(
                Instant::now() < until,
                "{mode}: the engine's own child lives on"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let started = UciEngine::start(UciCommand::new("no-such-engine-anywhere"));
    assert!(
        matches!(&started, Err(EngineError::Start { program, .. }) if program.ends_with("no-such-engine-anywhere")),
        "{started:?}"
    );
}
