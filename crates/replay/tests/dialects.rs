//! Habits of single writers, and how the judge is told who decides.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::tags::player::PlayerKind;
use replay::{Certainty, DeclaredScore, FindingCode, Judge, SourceRule};
use rules::{Authority, Ending, Ruleset, RulesetId, Variant};
use util::{accepted, finding, has};

const CUTECHESS: &str = "[Event \"?\"]\n[White \"Fairy-Stockfish\"]\n[Black \"sjaakii\"]\n[Result \"0-1\"]\n\
[FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1\"]\n[PlyCount \"4\"]\n[SetUp \"1\"]\n[TimeControl \"40/60\"]\n[Variant \"makruk\"]\n\n\
1. e4 {+0.12/14 0.5s} d5 {+0.30/12 1.2s} 2. Ed2 {book} Fe7 {-M12/137 25s, White resigns} 0-1\n";

#[test]
fn cutechess() {
    let replay = util::text(CUTECHESS, &Judge::default());
    let game = accepted(&replay);
    let scores: Vec<_> = game
        .plies
        .iter()
        .map(|ply| ply.eval.as_ref().and_then(|eval| eval.score))
        .collect();
    // The mover's view becomes White's.
    let wanted = [
        Some(DeclaredScore::Cp(12)),
        Some(DeclaredScore::Cp(-30)),
        None,
        Some(DeclaredScore::Mate(12)),
    ];
    assert_eq!(scores, wanted);
    assert_eq!(game.plies[1].elapsed_ms, Some(1_200));
    assert_eq!(game.ending_declared, Some(Ending::Resignation));
    assert_eq!(game.tags.player_kind, PlayerKind::Engine);
    let noted: Vec<&str> = game
        .findings
        .iter()
        .filter(|finding| finding.code == FindingCode::MoveTolerated)
        .filter_map(|finding| finding.evidence.as_deref())
        .collect();
    assert_eq!(noted.len(), 1, "{noted:?}");
    assert!(
        noted[0].contains("letter_alias") && noted[0].contains("\"plies\":2"),
        "{noted:?}"
    );
}

const DRAWN: &str = "[Variant \"Makruk\"]\n[Site \"club\"]\n[FEN \"8/8/8/3kP3/8/2K5/8/R6R b - - 0 1\"]\n[Result \"1-0\"]\n\n\
1... Kxe5 2. Kc2 Ke6 3. Kb3 Ke5 4. Kc4 Ke6 5. Kb5 Ke5 6. Kb6 Ke6 7. Kc7 1-0\n";

fn own_rules(id: &str, switches: &str) -> std::sync::Arc<Ruleset> {
    let text = format!(
        "id = \"{id}\"\ntitle = \"test\"\nbased_on = \"kar-ouk\"\nauthority = \"assumed\"\n[switches]\n{switches}\n"
    );
    Ruleset::from_toml(&text).unwrap()
}

#[test]
fn further_readings_join_by_themselves() {
    // Kar ouk has one people's rule set, and an engine's which decides nothing. Black bares itself with ply 1: N = 4,
    // two rua, L = 8; it says 5, 6, 7 and 8 with plies 3, 5, 7 and 9, and 8 said is the draw (`reach`). Nobody checks.
    let drawn = DRAWN.replace("Makruk", "Kar Ouk");
    let alone = util::text(&drawn, &Judge::default());
    let played_on = finding(&alone, FindingCode::CountPlayedOn);
    assert_eq!(
        (played_on.certainty, played_on.ply),
        (Certainty::Proved, Some(10))
    );
    // Another people's reading that agrees leaves it proved.
    let mut judge = Judge::default();
    judge.know(own_rules(
        "club-a",
        "ply_cap = { value = 400, source = \"test\" }",
    ));
    let agreed = util::text(&drawn, &judge);
    assert_eq!(
        finding(&agreed, FindingCode::CountPlayedOn).certainty,
        Certainty::Proved
    );
    assert_eq!(accepted(&agreed).certainty, Certainty::Impossible);
    // One that differs makes the finding possible, and is named with its switch.
    judge.know(own_rules(
        "club-b",
        "pieces_end = { value = \"exceed\", source = \"test\" }",
    ));
    let split = util::text(&drawn, &judge);
    let played_on = finding(&split, FindingCode::CountPlayedOn);
    assert_eq!(played_on.certainty, Certainty::Possible);
    let message = &played_on.message;
    assert!(
        message.contains("club-b finds pieces count after ply 11 (switch pieces_end)"),
        "{message}"
    );
    assert!(!message.contains("karouk-fairy"), "it agrees: {message}");
    // Each reading is evidence, the engine's too.
    let evidence: serde_json::Value =
        serde_json::from_str(played_on.evidence.as_ref().unwrap()).unwrap();
    let readings: Vec<_> = evidence["readings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reading| {
            (
                reading["rule_set"].as_str().unwrap(),
                reading["ply"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        readings,
        [
            ("kar-ouk", 9),
            ("club-a", 9),
            ("club-b", 11),
            ("karouk-fairy", 9)
        ]
    );
    assert_eq!(accepted(&split).certainty, Certainty::Possible);
}

#[test]
fn a_source_binds_a_rule_set() {
    let mut judge = Judge::default();
    let source = SourceRule {
        site: Some("CLUB".to_owned()),
        rule_set: Some(RulesetId::new("makruk-fairy")),
        ..SourceRule::default()
    };
    judge.source(source).unwrap();
    let bound = util::text(DRAWN, &judge);
    let game = accepted(&bound);
    assert_eq!(
        (game.rule_set.as_str(), game.bound, game.authority),
        ("makruk-fairy", true, Authority::Engine)
    );
    assert_eq!(
        finding(&bound, FindingCode::CountPlayedOn).certainty,
        Certainty::Proved
    );

    let unnamed = "[Site \"somewhere\"]\n\n1. e4 e5 *\n";
    assert!(has(
        &util::text(unnamed, &judge),
        FindingCode::VariantUnknown
    ));
    let source = SourceRule {
        path: Some("text*.pgn".to_owned()),
        variant: Some(Variant::Ouk),
        ..SourceRule::default()
    };
    judge.source(source).unwrap();
    assert_eq!(accepted(&util::text(unnamed, &judge)).variant, Variant::Ouk);
    let wrong = SourceRule {
        variant: Some(Variant::Ouk),
        rule_set: Some(RulesetId::new("makruk")),
        ..SourceRule::default()
    };
    assert!(judge.source(wrong).is_err());
}

#[test]
fn a_rule_set_tag_names_the_game() {
    let tagged = util::text("[RuleSet \"kar-ouk\"]\n\n1. e4 e5 *\n", &Judge::default());
    assert_eq!(accepted(&tagged).variant, Variant::KarOuk);
    let unknown = util::text(
        "[Variant \"Makruk\"]\n[RuleSet \"moon\"]\n\n1. e4 e5 *\n",
        &Judge::default(),
    );
    assert!(has(&unknown, FindingCode::RuleSetUnknown));
    assert_eq!(accepted(&unknown).rule_set.as_str(), "makruk");
}

#[test]
fn bad_starts_are_rejected_with_their_reason() {
    for (fen, reason) in [
        ("3k4/8/8/8/8/8/8/8 w - - 0 1", "no khun"),
        ("hello", "8"),
        ("3k4/8/8/8/8/8/8/3K4 x - - 0 1", "side to move"),
    ] {
        let text =
            format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n");
        let replay = util::text(&text, &Judge::default());
        assert_eq!(replay.status(), "rejected", "{fen}");
        let found = finding(&replay, FindingCode::StartPositionInvalid);
        assert!(found.message.contains(reason), "{}", found.message);
        let game = replay.game().unwrap();
        assert!(
            game.plies.is_empty() && game.start_fen.is_empty() && game.result_declared.is_some()
        );
    }
}

#[test]
fn time_lost_with_time_left() {
    let game = |moves: &str, result: &str| {
        let text = format!(
            "[Variant \"Makruk\"]\n[Result \"{result}\"]\n[Termination \"time forfeit\"]\n[TimeControl \"300\"]\n\n{moves} {result}\n"
        );
        util::text(&text, &Judge::default())
    };
    // Black has just moved with two minutes left: it is White's clock that runs.
    let replay = game("1. e4 {[%clk 0:04:00]} e5 {[%clk 0:02:00]}", "1-0");
    let found = finding(&replay, FindingCode::ClockLeft);
    assert_eq!(
        (found.ply, found.certainty, found.severity),
        (Some(2), Certainty::Proved, replay::Severity::Warning)
    );
    // White is to move: four minutes can have gone by.
    let replay = game("1. e4 {[%clk 0:04:00]} e5 {[%clk 0:02:00]}", "0-1");
    assert_eq!(
        finding(&replay, FindingCode::ClockLeft).certainty,
        Certainty::Possible
    );
    let replay = game("1. e4 {[%clk 0:00:20]} e5 {[%clk 0:02:00]}", "0-1");
    assert!(!has(&replay, FindingCode::ClockLeft));
}

#[test]
fn more_periods_than_there_are() {
    let game = |took: [u32; 4]| {
        let mut text = "[Variant \"Makruk\"]\n[TimeControl \"60+30x2\"]\n\n1. e4".to_owned();
        let moves = ["", " e5", " 2. d4", " d5"];
        for (mv, seconds) in moves.iter().zip(took) {
            text.push_str(&format!(
                "{mv} {{[%emt 0:{:02}:{:02}]}}",
                seconds / 60,
                seconds % 60
            ));
        }
        util::text(&format!("{text} *\n"), &Judge::default())
    };
    // White: 50 s of 60, then 10 s and 29 s of its first period: no period is used up.
    assert!(!has(&game([50, 1, 39, 1]), FindingCode::ByoyomiExceeded));
    // 10 s and 75 s: two periods and a half, of two.
    let replay = game([50, 1, 85, 1]);
    assert_eq!(finding(&replay, FindingCode::ByoyomiExceeded).ply, Some(3));
}

#[test]
fn results_and_endings_in_thai_and_khmer() {
    use rules::GameResult;
    for (text, result, ending) in [
        (
            "[Result \"ขาวชนะ\"]\n\n1. e4 e5 {ดำยอมแพ้}",
            Some(GameResult::WhiteWins),
            Some(Ending::Resignation),
        ),
        (
            "\n1. e4 e5 ดำชนะ {ขาวหมดเวลา}",
            Some(GameResult::BlackWins),
            Some(Ending::Time),
        ),
        (
            "[Result \"๑-๐\"]\n\n1. e4 e5",
            Some(GameResult::WhiteWins),
            None,
        ),
        (
            "[Result \"ស្មើ\"]\n\n1. e4 e5 {អាប់}",
            Some(GameResult::Draw),
            Some(Ending::Stalemate),
        ),
        (
            "[Result \"0-1\"]\n[Termination \"ចុះចាញ់\"]\n\n1. e4 e5",
            Some(GameResult::BlackWins),
            Some(Ending::Resignation),
        ),
    ] {
        let replay = util::text(
            &format!("[Variant \"Makruk\"]\n{text}\n"),
            &Judge::default(),
        );
        let game = accepted(&replay);
        assert_eq!(
            (game.result_declared, game.ending_declared),
            (result, ending),
            "{text}"
        );
    }
}

/// D7b: variations before the first move and nested ones stay out of the main line.
#[test]
fn analysis_boards() {
    let text = "[Site \"https://www.pychess.org/analysis/makruk\"]\n[Variant \"Makruk\"]\n[FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1\"]\n[SetUp \"1\"]\n\n\
        (1... a5 2. a4) 1... e5 (1... d5 2. e4 (2. d4 c5) dxe4) 2. e4 { [%eval 0.25] } *\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.moves_uci(), "e6e5 e3e4");
    assert_eq!(game.dialect, archive::Dialect::PychessAnalysis);
    assert!(!has(&replay, FindingCode::MoveTolerated));
}

/// D8: old records have no moves at all, only a comment in Thai.
#[test]
fn a_comment_and_no_moves() {
    let text = "[Event \"OpenMakruk\"]\n[Site \"openmakruk\"]\n[Variant \"Makruk\"]\n[Result \"1-0\"]\n\n{ดำยอมแพ้} 1-0\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        (game.plies.len(), game.dialect),
        (0, archive::Dialect::OpenMakruk)
    );
    assert_eq!(game.ending_declared, Some(Ending::Resignation));
    assert!(has(&replay, FindingCode::NoMoves));
}

/// D11 and D12.
#[test]
fn desktop_and_bj() {
    let text = "[Annotator \"PyChess 1.0.4\"]\n[Variant \"Cambodian\"]\n[Result \"0-1\"]\n[Termination \"rules infraction\"]\n\n1. e4 e5 2. Kf2 Nd7 0-1\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.ending_declared, Some(Ending::IllegalMove));
    assert_eq!(game.moves_uci(), "e3e4 e6e5 d1f2 b8d7");
    let text = "[Variant \"makruk\" ]\n[SetUp \"1\" ]\n[FEN \"rncmkcnr/8/pppppppp/8/8/PPPPPPPP/8/RNCKMCNR w - - 0 1\" ]\n\n1. Cd2 Se7\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.dialect, archive::Dialect::BjMakruk);
    assert_eq!(game.moves_uci(), "c1d2 f8e7");
    assert!(
        !has(&replay, FindingCode::MoveTolerated),
        "{:#?}",
        replay.findings()
    );
}
