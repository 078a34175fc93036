//! The sutras and takhaeng ruea in records (RULES 8).
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{FindingCode, Judge, Replay};
use util::{accepted, finding};

fn game(tags: &str, moves: &str) -> Replay {
    util::text(
        &format!("[Variant \"Makruk\"]\n{tags}\n[Result \"*\"]\n\n{moves} *\n"),
        &Judge::default(),
    )
}

#[test]
fn two_men_move_in_one_turn() {
    let tags = "[RuleSet \"makruk+sut-met+sut-ma\"]";
    let replay = game(tags, "1. e1e3 b8c6 2. b1a3 a6a5");
    let game = accepted(&replay);
    assert_eq!(game.rule_set.as_str(), "makruk+sut-ma+sut-met");
    assert!(game.bound);
    let san: Vec<_> = game.plies.iter().map(|ply| ply.san.as_str()).collect();
    assert_eq!(san, ["Me3/e4", "Nc6/c5", "Na3/a4", "a5"]);
    assert_eq!(
        game.final_fen,
        "r1smksnr/8/1pnppppp/p1p5/P3P3/NPPPMPPP/8/R1SK1SNR w Gdg - 0 3"
    );
}

#[test]
fn a_sutra_is_no_move_of_plain_makruk() {
    let replay = game("", "1. e1e3 a6a5");
    assert_eq!(replay.status(), "rejected");
    finding(&replay, FindingCode::IllegalMove);
}

#[test]
fn a_tag_turns_ruas_over() {
    let replay = game("[Handicap \"takhaeng-ruea:a1,h8\"]", "1. a1b2 h8g7");
    let game = accepted(&replay);
    assert_eq!(
        game.start_fen,
        "rnsmksnm~/8/pppppppp/8/8/PPPPPPPP/8/M~NSKMSNR w - - 0 1"
    );
    assert_eq!(game.plies[0].san, "Mb2");
    // The tag says which rua, also where the rule set has one of its own.
    let tags = "[RuleSet \"makruk+takhaeng-ruea\"]\n[Handicap \"takhaeng-ruea:h1\"]";
    let replay = game_start(tags);
    assert_eq!(
        replay,
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNM~ w - - 0 1"
    );
    assert_eq!(
        game_start("[RuleSet \"makruk+takhaeng-ruea\"]"),
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/M~NSKMSNR w - - 0 1"
    );
}

fn game_start(tags: &str) -> String {
    accepted(&game(tags, "1. a3a4")).start_fen.clone()
}

#[test]
fn odds_that_cannot_be_are_refused() {
    for (tag, wanted) in [
        ("takhaeng-ruea", "names no rua"),
        ("takhaeng-ruea:z9", "no square"),
        ("takhaeng-ruea:b1", "none stands"),
    ] {
        let replay = game(&format!("[Handicap \"{tag}\"]"), "1. a3a4");
        assert_eq!(replay.status(), "rejected", "{tag}");
        let invalid = finding(&replay, FindingCode::StartPositionInvalid);
        assert!(invalid.message.contains(wanted), "{}", invalid.message);
    }
    accepted(&game("[Handicap \"Black plays blindfold\"]", "1. a3a4"));
}
