//! What a record says about counting (RULES 8.5): commands and numbers, where they stand, and what a rule set makes of them.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{CountAction, CountBasis, EpisodeEnd, Finding, FindingCode, Judge, Replay, Severity};
use rules::{Color, CountKind, Ruleset};
use util::{accepted, finding, has, quiet};

fn built_in(id: &str) -> Judge {
    let rules = Ruleset::builtin(id).unwrap();
    let mut judge = Judge::default();
    judge.bind(rules.variant(), rules.id()).unwrap();
    judge
}

/// White has khun, rua and met, Black khun and ma; White moves with odd plies, Black with even ones. No bia.
const ARMED: &str = "7k/8/5n2/8/8/8/4M3/R2K4 w - - 0 1";

/// A quiet game of so many plies with a comment after some of them (ply 0: before the first move).
fn game(id: &str, fen: &str, first: &str, plies: u32, comments: &[(u32, &str)]) -> Replay {
    let variant = match Ruleset::builtin(id).unwrap().variant() {
        rules::Variant::Makruk => "Makruk",
        rules::Variant::Ouk => "Ouk",
        rules::Variant::KarOuk => "Karouk",
    };
    let comment = |ply: u32| -> String {
        let at = comments.iter().filter(|(at, _)| *at == ply);
        at.map(|(_, text)| format!("{{{text}}} ")).collect()
    };
    let mut text = format!(
        "[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n[Result \"*\"]\n\n{}",
        comment(0)
    );
    for (ply, mv) in (1..).zip(quiet::moves(fen, "makruk", first, plies)) {
        text.push_str(&format!("{mv} {}", comment(ply)));
    }
    text.push_str("*\n");
    util::text(&text, &built_in(id))
}

/// Plies and actions of the commands carried out.
fn done(replay: &Replay) -> Vec<(u32, char, CountAction)> {
    let commands = &accepted(replay).count_commands;
    let done = commands.iter();
    done.map(|command| (command.ply, command.side.letter(), command.action))
        .collect()
}

fn invalid(replay: &Replay) -> Vec<&Finding> {
    let findings = replay.findings().iter();
    findings
        .filter(|finding| finding.code == FindingCode::CountCommandInvalid)
        .collect()
}

use CountAction::{Start, Stop};

#[test]
fn a_command_may_stand_anywhere_in_a_comment() {
    for text in [
        "[%count start]",
        "he begins [%count start] to count",
        "[%clk 0:01:02][%count start]",
        "[%COUNT Start]",
        "[%count  start ]",
        "+0.20/12 3s [%count start]",
    ] {
        let replay = game("makruk", ARMED, "", 8, &[(2, text)]);
        assert_eq!(done(&replay), [(2, 'b', Start)], "{text}");
        assert_eq!(
            accepted(&replay).counts[0].last_number.unwrap().0,
            4,
            "{text}"
        );
        assert!(invalid(&replay).is_empty(), "{text}");
    }
    for text in [
        "[%count begin]",
        "count start",
        "[%cnt 3 of 64]",
        "[%cnt 3/]",
        "[%cnt /64]",
        "[%cnt -3/64]",
    ] {
        let replay = game("makruk", ARMED, "", 8, &[(2, text)]);
        assert!(done(&replay).is_empty(), "{text}");
    }
}

#[test]
fn a_command_counts_with_the_move_that_it_stands_after() {
    let replay = game(
        "makruk",
        ARMED,
        "",
        8,
        &[(2, "[%count start]"), (6, "[%count stop]")],
    );
    assert_eq!(done(&replay), [(2, 'b', Start), (6, 'b', Stop)]);
    let numbers: Vec<Option<u32>> = accepted(&replay)
        .plies
        .iter()
        .map(|ply| ply.count.map(|count| count.number.0))
        .collect();
    // 1 with ply 2; the stopping move still counts, 3 with ply 6; then nothing.
    assert_eq!(
        numbers,
        [
            None,
            Some(1),
            Some(1),
            Some(2),
            Some(2),
            Some(3),
            None,
            None
        ]
    );
    assert_eq!(accepted(&replay).counts[0].ended, EpisodeEnd::Stopped);
}

#[test]
fn on_the_other_sides_move_it_is_the_other_sides_count() {
    // White may count, too (T: any armed player): nothing shows that Black was meant.
    let replay = game("makruk", ARMED, "", 8, &[(3, "[%count start]")]);
    assert_eq!(done(&replay), [(3, 'w', Start)]);
    assert_eq!(accepted(&replay).counts[0].side, Some(Color::White));
    // Unless Black's moves bear the numbers: said, though right, by the wrong side.
    let marks = [
        (3, "[%count start]"),
        (4, "[%cnt 1/64]"),
        (6, "[%cnt 2/64]"),
    ];
    let replay = game("makruk", ARMED, "", 8, &marks);
    let note = finding(&replay, FindingCode::CountNumberWrong);
    assert_eq!((note.ply, note.severity), (Some(4), Severity::Note));
    assert!(
        note.message
            .contains("with a move of Black, but White is counting"),
        "{}",
        note.message
    );
    // A stop by the side that does not count.
    let replay = game(
        "makruk",
        ARMED,
        "",
        8,
        &[(2, "[%count start]"), (5, "[%count stop]")],
    );
    assert_eq!(done(&replay), [(2, 'b', Start)]);
    assert_eq!(invalid(&replay)[0].ply, Some(5));
    assert!(invalid(&replay)[0].message.contains("not counting"));
}

#[test]
fn what_is_said_twice_or_too_early_means_nothing_and_is_noted() {
    let twice = game(
        "makruk",
        ARMED,
        "",
        8,
        &[(2, "[%count start]"), (6, "[%count start]")],
    );
    assert_eq!(done(&twice), [(2, 'b', Start)]);
    assert!(invalid(&twice)[0].message.contains("running already"));
    assert_eq!(accepted(&twice).counts[0].last_number.unwrap().0, 4);
    // The other side may not start while the count runs.
    let both = game(
        "makruk",
        ARMED,
        "",
        8,
        &[(2, "[%count start]"), (5, "[%count start]")],
    );
    assert_eq!(done(&both), [(2, 'b', Start)]);
    assert_eq!(invalid(&both)[0].ply, Some(5));
    // A bia is left until ply 3, which promotes it.
    let fen = "7k/8/5n2/8/P7/8/4M3/R2K4 w - - 0 1";
    let early = game(
        "makruk",
        fen,
        "a4a5 f6h5 a5a6m",
        8,
        &[(2, "[%count start]"), (4, "[%count start]")],
    );
    assert_eq!(done(&early), [(4, 'b', Start)]);
    assert_eq!(invalid(&early)[0].ply, Some(2));
    assert!(invalid(&early)[0].message.contains("a bia is left"));
    // Before the first move.
    let homeless = game(
        "makruk",
        ARMED,
        "",
        8,
        &[(0, "[%count start]"), (4, "[%cnt 2/64]")],
    );
    assert!(
        invalid(&homeless)[0]
            .message
            .contains("before the first move")
    );
    assert_eq!(invalid(&homeless)[0].ply, None);
}

#[test]
fn a_rule_set_that_counts_by_itself_hears_no_command() {
    // F counts from ply 1's position on, for Black: 1 with ply 2.
    let marks = [(4, "[%count start]"), (6, "[%count stop]")];
    let replay = game("makruk-fairy", ARMED, "", 8, &marks);
    assert!(done(&replay).is_empty());
    assert_eq!(invalid(&replay).len(), 2);
    assert_eq!(accepted(&replay).counts[0].basis, CountBasis::Rule);
    assert_eq!(accepted(&replay).counts[0].last_number.unwrap().0, 4);
    // Its numbers are held against the count that runs: 3 with ply 6.
    let right = game("makruk-fairy", ARMED, "", 8, &[(6, "[%cnt 3/64]")]);
    assert!(!has(&right, FindingCode::CountNumberWrong));
    assert!(invalid(&right).is_empty());
    let wrong = game("makruk-fairy", ARMED, "", 8, &[(6, "[%cnt 2/64]")]);
    let both = finding(&wrong, FindingCode::CountNumberWrong);
    assert_eq!((both.ply, both.severity), (Some(6), Severity::Warning));
    assert!(
        both.message
            .contains("count 2 of 64 at ply 6, but it is 3 of 64"),
        "{}",
        both.message
    );
    let evidence = both.evidence.as_ref().unwrap();
    assert!(
        evidence.contains("\"said\":{\"limit\":64,\"number\":2}"),
        "{evidence}"
    );
    assert!(evidence.contains("\"number\":3"), "{evidence}");
}

#[test]
fn numbers_alone_tell_the_start() {
    // 3 with ply 6: begun with ply 2.
    let replay = game(
        "makruk",
        ARMED,
        "",
        10,
        &[(6, "[%cnt 3/64]"), (8, "[%cnt 4/64]")],
    );
    assert_eq!(done(&replay), [(2, 'b', Start)]);
    assert!(!has(&replay, FindingCode::CountNumberWrong));
    assert_eq!(accepted(&replay).counts[0].basis, CountBasis::Record);
    // White's numbers tell White's start.
    let white = game("makruk", ARMED, "", 10, &[(5, "[%cnt 2/64]")]);
    assert_eq!(done(&white), [(3, 'w', Start)]);
    // Begun anew at 1: the count before was stopped with its last number.
    let anew = game(
        "makruk",
        ARMED,
        "",
        12,
        &[(4, "[%cnt 2/64]"), (10, "[%cnt 1/64]")],
    );
    assert_eq!(
        done(&anew),
        [(2, 'b', Start), (4, 'b', Stop), (10, 'b', Start)]
    );
    assert!(!has(&anew, FindingCode::CountNumberWrong));
    assert_eq!(accepted(&anew).counts.len(), 2);
    // A number that jumps is wrong, not a new start.
    let jump = game(
        "makruk",
        ARMED,
        "",
        12,
        &[(4, "[%cnt 2/64]"), (8, "[%cnt 5/64]")],
    );
    assert_eq!(done(&jump), [(2, 'b', Start)]);
    let wrong = finding(&jump, FindingCode::CountNumberWrong);
    assert!(
        wrong
            .message
            .contains("count 5 of 64 at ply 8, but it is 4 of 64"),
        "{}",
        wrong.message
    );
    // A number from before the record began, or of another limit: no start explains it.
    for text in ["[%cnt 9/64]", "[%cnt 3/16]", "[%cnt 0/64]"] {
        let lost = game("makruk", ARMED, "", 8, &[(6, text)]);
        assert!(done(&lost).is_empty(), "{text}");
        let wrong = finding(&lost, FindingCode::CountNumberWrong);
        assert!(
            wrong.message.contains("but no count runs"),
            "{}",
            wrong.message
        );
    }
    // With an explicit start the numbers are held against it.
    let marks = [(4, "[%count start]"), (6, "[%cnt 3/64]")];
    let told = game("makruk", ARMED, "", 8, &marks);
    assert_eq!(done(&told), [(4, 'b', Start)]);
    let wrong = finding(&told, FindingCode::CountNumberWrong);
    assert!(
        wrong
            .message
            .contains("count 3 of 64 at ply 6, but it is 2 of 64"),
        "{}",
        wrong.message
    );
}

/// White takes the last man with ply 1: N = 4, L = 8.
const BARED: &str = "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1";

#[test]
fn numbers_of_an_automatic_count_start_nothing() {
    // T: 5 with ply 2, 6 with ply 4.
    let right = game(
        "makruk",
        BARED,
        "e1e4",
        6,
        &[(2, "[%cnt 5/8]"), (4, "[%cnt 6/8]")],
    );
    assert!(done(&right).is_empty());
    assert!(invalid(&right).is_empty());
    assert!(!has(&right, FindingCode::CountNumberWrong));
    // A met and a ma against the khun: L = 64, as the board's honour has, yet no board's honour.
    let fen = "8/8/8/8/4m3/3M3k/8/K3N3 w - - 0 1";
    let right = game("makruk", fen, "d3e4", 6, &[(2, "[%cnt 5/64]")]);
    assert!(invalid(&right).is_empty());
    assert!(!has(&right, FindingCode::CountNumberWrong));
    // W's numbers, one less, are wrong here: both are told.
    let wrong = game("makruk", BARED, "e1e4", 6, &[(2, "[%cnt 4/8]")]);
    let both = finding(&wrong, FindingCode::CountNumberWrong);
    assert!(
        both.message
            .contains("count 4 of 8 at ply 2, but it is 5 of 8"),
        "{}",
        both.message
    );
    // A number with the attacker's reply.
    let aside = game("makruk", BARED, "e1e4", 6, &[(3, "[%cnt 5/8]")]);
    assert_eq!(
        finding(&aside, FindingCode::CountNumberWrong).severity,
        Severity::Note
    );
}

#[test]
fn the_pieces_honour_of_w_by_command() {
    for id in ["makruk-wikipedia", "ouk-wikipedia"] {
        let marks = [
            (4, "[%count start]"),
            (8, "[%count stop]"),
            (12, "[%count start]"),
        ];
        let replay = game(id, BARED, "e1e4", 14, &marks);
        assert_eq!(
            done(&replay),
            [(4, 'b', Start), (8, 'b', Stop), (12, 'b', Start)],
            "{id}"
        );
        let counts: Vec<_> = accepted(&replay)
            .counts
            .iter()
            .filter(|episode| episode.kind == CountKind::Pieces)
            .map(|episode| {
                (
                    episode.start_ply_earliest,
                    episode.first_number.0,
                    episode.last_number.unwrap().0,
                    episode.ended,
                    episode.basis,
                )
            })
            .collect();
        // 4, 5 and with the stopping move 6; then 4 and 5 again.
        let want = [
            (4, 4, 6, EpisodeEnd::Stopped, CountBasis::Record),
            (12, 4, 5, EpisodeEnd::RecordEnded, CountBasis::Record),
        ];
        assert_eq!(counts, want, "{id}");
        assert!(invalid(&replay).is_empty(), "{id}");
        // The attacker cannot start it.
        let replay = game(id, BARED, "e1e4", 8, &[(3, "[%count start]")]);
        assert_eq!(invalid(&replay).len(), 1, "{id}");
    }
}

#[test]
fn the_pieces_honour_of_w_by_its_numbers() {
    // 5 of 8 with ply 6: 4 with ply 4.
    let replay = game("makruk-wikipedia", BARED, "e1e4", 10, &[(6, "[%cnt 5/8]")]);
    assert_eq!(done(&replay), [(4, 'b', Start)]);
    assert!(!has(&replay, FindingCode::CountNumberWrong));
    // The khun takes a rua with ply 1: begun with ply 3 the count says 3 of 16, and 5 of 16 with ply 7.
    let fen = "7R/8/8/8/8/2k5/1R6/6K1 b - - 0 1";
    let anew = game("makruk-wikipedia", fen, "c3b2", 10, &[(7, "[%cnt 5/16]")]);
    assert_eq!(done(&anew), [(3, 'b', Start)]);
    assert!(!has(&anew, FindingCode::CountNumberWrong));
    // Begun with ply 1: 4 of 8, 6 of 8 with ply 5; then begun anew with ply 7: 3 of 16.
    let marks = [(5, "[%cnt 6/8]"), (7, "[%cnt 3/16]"), (9, "[%cnt 4/16]")];
    let twice = game("makruk-wikipedia", fen, "c3b2", 10, &marks);
    assert_eq!(done(&twice), [(1, 'b', Start), (7, 'b', Start)]);
    assert!(!has(&twice, FindingCode::CountNumberWrong));
    // T's numbers name no start by W.
    let other = game("makruk-wikipedia", BARED, "e1e4", 10, &[(2, "[%cnt 5/8]")]);
    assert!(done(&other).is_empty());
    assert!(
        finding(&other, FindingCode::CountNumberWrong)
            .message
            .contains("but no count runs")
    );
}
