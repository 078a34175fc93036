//! Real games replay to their end.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{FindingCode, Judge, Replay};
use rules::Ending;
use util::{accepted, here};

#[test]
fn playok_games_replay_to_their_end() {
    let mut games = 0;
    let mut files: Vec<_> = std::fs::read_dir(here("real"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for path in files
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
    {
        for replay in util::file(path, &Judge::default()) {
            let game = accepted(&replay);
            assert!(!game.plies.is_empty(), "{}", path.display());
            games += 1;
        }
    }
    assert_eq!(games, 12);
}

#[test]
fn a_count_that_nobody_recorded_is_only_possible() {
    let replays = util::file(&here("real/mk87921746.txt"), &Judge::default());
    let game = accepted(&replays[0]);
    assert_eq!(
        game.derived.map(|ended| ended.ending),
        Some(Ending::Checkmate)
    );
    let could = util::finding(&replays[0], FindingCode::CountCouldHaveExpired);
    assert_eq!(could.certainty, replay::Certainty::Possible);
    assert!(!util::has(&replays[0], FindingCode::CountPlayedOn));
}

/// The other real archives, where they are present.
#[test]
fn other_real_archives() {
    let real = here("../../../../shared/archives/real");
    if !real.is_dir() {
        return;
    }
    let winboard = util::file(
        &real.join("winboard-fairymax/cambodian-fairymax.truncated.pgn"),
        &Judge::default(),
    );
    let game = winboard[0].game().unwrap();
    assert_eq!(game.plies.len(), 126, "{:#?}", game.findings);
    let seirawan = util::file(
        &real.join("pychess-export-other-variants/pychess-variants_YHEWvfWF.pgn"),
        &Judge::default(),
    );
    assert!(matches!(&seirawan[0], Replay::SetAside(aside) if aside.variant == "seirawan960"));
    let selfplay = util::file(
        &real.join("makruk-sf-selfplay/decisive_v2.excerpt.pgn"),
        &Judge::default(),
    );
    assert!(!selfplay.is_empty());
    for replay in &selfplay {
        accepted(replay);
    }
}
