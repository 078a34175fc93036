//! Records that are no PGN, and dialects of scripts and letters of their own, from bytes to replayed games.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::{Dialect, ReaderSettings};
use replay::{DeclaredScore, FindingCode, Judge, Replay, Severity};
use rules::{Color, Ending, GameResult, Variant};
use util::{accepted, finding, has, here};

fn shared(path: &str) -> Option<Vec<Replay>> {
    let path = here("../../../../shared/archives/real").join(path);
    path.exists().then(|| util::file(&path, &Judge::default()))
}

/// The only game of a text, under settings.
fn under(text: &str, settings: &ReaderSettings, judge: &Judge) -> Replay {
    let mut replays = util::bytes_under(text.as_bytes().to_vec(), "text", settings, judge);
    assert_eq!(replays.len(), 1, "{text}");
    replays.remove(0)
}

/// Six plies, the last of which is no mate, and a list of scores.
#[test]
fn scores_stand_in_the_movers_view() {
    let text = r#"{"moves":["e3e4","d6d5","e4d5","c6d5"],"scores":[12,-30,5,null],"result":"1/2-1/2","ply_count":4}"#;
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        (game.variant, game.dialect),
        (Variant::Makruk, Dialect::MakrukSfJson)
    );
    let scores: Vec<_> = game
        .plies
        .iter()
        .map(|ply| ply.eval.as_ref().and_then(|eval| eval.score))
        .collect();
    // Black's -30 is 30 for White.
    assert_eq!(
        scores,
        [
            Some(DeclaredScore::Cp(12)),
            Some(DeclaredScore::Cp(30)),
            Some(DeclaredScore::Cp(5)),
            None
        ]
    );
    assert_eq!(game.result_declared, Some(GameResult::Draw));
}

#[test]
fn broken_records_are_rejected_with_their_reason() {
    let text = r#"{"ply_count":4,"moves":["e3e4","d6d5""#;
    let replay = util::text(text, &Judge::default());
    let Replay::Rejected(rejection) = &replay else {
        panic!()
    };
    assert!(rejection.reason.contains("broken"), "{}", rejection.reason);
    assert!(rejection.game.plies.is_empty());
    let found = finding(&replay, FindingCode::BrokenText);
    assert_eq!(found.severity, Severity::Error);
}

#[test]
fn positions_are_games_without_moves() {
    let text = "8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50\n";
    let position =
        |name: &str| util::bytes_of(text.as_bytes().to_vec(), name, &Judge::default()).remove(0);
    for (name, variant) in [
        ("books/cambodian.epd", Variant::Ouk),
        ("makruk.epd", Variant::Makruk),
        ("karouk.epd", Variant::KarOuk),
    ] {
        let replay = position(name);
        let game = accepted(&replay);
        assert_eq!((game.variant, game.plies.len()), (variant, 0), "{name}");
        assert!(
            game.start_fen
                .starts_with("8/8/4k3/5P2/8/2RMK3/8/8 w - 126"),
            "{}",
            game.start_fen
        );
        assert_eq!(game.start_fen, game.final_fen);
        assert!(has(&replay, FindingCode::NoMoves));
        assert!(
            game.findings
                .iter()
                .all(|finding| finding.severity <= Severity::Note),
            "{:#?}",
            game.findings
        );
    }
    assert!(matches!(position("list.txt"), Replay::SetAside(_)));
    let bad = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSN w - - 0 1\tmakruk\n";
    let replay = util::text(bad, &Judge::default());
    assert_eq!(replay.status(), "rejected");
    assert!(has(&replay, FindingCode::StartPositionInvalid));
}

const PAGE: &str = "'Fast' (10 days + 1 day/move, max 30 days)\n\
This game is being played under Makruk (Thai Chess) rules. Click the 'info' tab for more information.\n\
1. e4 d5\nClock started on 09/19/2023\n2. exd5 cxd5 3. d4 e5= 4. dxe5 fxe5 5. c4 dxc4 6. Nd2 cxb3 7. Nc4 b2\n";

/// D2: promotion is not written, a trailing `=` offers a draw, results are words.
#[test]
fn schemingmind() {
    let text = format!("{PAGE}Black win\n");
    let replay = util::text(&text, &Judge::default());
    let Replay::Rejected(rejection) = &replay else {
        panic!("{:#?}", replay.findings())
    };
    // Black's bia that took on b3 is a met since: b2 is no bia's move.
    assert_eq!(rejection.ply, 14);
    let text = text.replace("7. Nc4 b2\n", "7. Nc4 Qc2\n");
    let replay = util::text(&text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.plies[11].mv.to_string(), "c4b3m");
    assert_eq!(game.plies[13].mv.to_string(), "b3c2");
    assert_eq!(game.result_declared, Some(GameResult::BlackWins));
    assert_eq!(finding(&replay, FindingCode::DrawOffered).ply, Some(6));
    assert!(
        !has(&replay, FindingCode::MoveTolerated),
        "{:#?}",
        replay.findings()
    );
}

/// D15 as Fairy-Stockfish writes it (THAI_SAN and THAI_LAN of pyffish 0.0.90).
#[test]
fn thai_script() {
    let wanted = "f1g2 b8d7 h1h2 e8e7 d1d2 c8c7 a3a4 h8h7 a4a5 b6a5 a1a5 f6f5";
    let tags = "[Event \"แชมป์\"]\n[Variant \"Makruk\"]\n\n";
    for moves in [
        "1. ค-ช๒ ม-ง๗ 2. ร-ญ๒ ข-จ๗ 3. ข-ง๒ ค-ค๗ 4. ก๔ ร-ญ๗ 5. ก๕ ขxก๕ 6. รxก๕ ฉ๕ *",
        "1. ค ฉ๑-ช๒ ม ข๘-ง๗ 2. ร ญ๑-ญ๒ ข จ๘-จ๗ 3. ข ง๑-ง๒ ค ค๘-ค๗ 4. บ ก๓-ก๔ ร ญ๘-ญ๗ 5. บ ก๔-ก๕ บ ข๖xก๕ 6. ร ก๑xก๕ บ ฉ๖-ฉ๕ *",
    ] {
        let text = format!("{tags}{moves}\n");
        for bytes in [text.clone().into_bytes(), windows_874(&text)] {
            let replays = util::bytes_of(bytes, "thai.pgn", &Judge::default());
            let game = accepted(&replays[0]);
            assert_eq!(game.moves_uci(), wanted);
            assert_eq!(game.dialect, Dialect::Thai);
            assert!(
                !has(&replays[0], FindingCode::MoveTolerated),
                "{:#?}",
                replays[0].findings()
            );
        }
    }
}

/// The Thai block of Windows-874 lies in Unicode's order, 0x0E01 at 0xA1.
fn windows_874(text: &str) -> Vec<u8> {
    let byte = |c: char| match c {
        '\u{e01}'..='\u{e5b}' => (c as u32 - 0xe01 + 0xa1) as u8,
        c => c as u8,
    };
    text.chars().map(byte).collect()
}

/// `งxค๖` is a d-bia or a promoted bia that takes on c6: legality decides, then what follows; else it is ambiguous.
#[test]
fn thai_captures_are_decided_by_legality() {
    let game = |fen: &str, moves: &str| {
        util::text(
            &format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n\n{moves} *\n"),
            &Judge::default(),
        )
    };
    // Only the bia on d5 reaches c6.
    let replay = game("4k3/8/2p5/3P4/8/8/8/4K3 w - - 0 1", "1. งxค๖=ง");
    assert_eq!(accepted(&replay).moves_uci(), "d5c6m");
    // Only the promoted bia on b5 does.
    let replay = game("4k3/8/2p5/1M~6/8/8/8/4K3 w - - 0 1", "1. งxค๖");
    assert_eq!(accepted(&replay).moves_uci(), "b5c6");
    // Both do, and nothing follows.
    let both = "4k3/8/2p5/1M~1P4/8/8/8/4K3 w - - 0 1";
    let replay = game(both, "1. งxค๖");
    assert_eq!(replay.status(), "rejected");
    assert!(
        finding(&replay, FindingCode::AmbiguousMove)
            .message
            .contains("b5c6")
    );
    // The bia on d5 moves on after it: it was the promoted bia that took.
    let replay = game(both, "1. งxค๖ ข-จ๗ 2. ง๖=ง");
    assert_eq!(accepted(&replay).moves_uci(), "b5c6 e8e7 d5d6m");
    assert_eq!(
        finding(&replay, FindingCode::AmbiguousMove).severity,
        Severity::Note
    );
    // `ข` is the khun or the b-bia, `ค` the khon or the c-bia.
    let replay = game("4k3/8/8/8/p7/1P6/1K6/8 w - - 0 1", "1. ขxก๔");
    assert_eq!(accepted(&replay).moves_uci(), "b3a4");
}

/// D9: squares are mirrored, `<` or `x` marks a capture, `*` promotion, `^` the rights lost.
#[test]
fn kpgn() {
    let text = r#"{"moves":["Fd3d4","fe6e5","Fd4e5<0^15","fd6e5x1","Qd1d3","hb8d7"],"whiteWin":false,"blackWin":true}"#;
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!((game.variant, game.dialect), (Variant::Ouk, Dialect::Kpgn));
    // Files mirrored: d is e, e is d, b is g, d7 is e7; the met of KPGN's d1 is that of e1 and leaps to e3, which is free by then.
    assert_eq!(game.moves_uci(), "e3e4 d6d5 e4d5 e6d5 e1e3 g8e7");
    assert_eq!(game.result_declared, Some(GameResult::BlackWins));
}

#[test]
fn khmer_squares() {
    let replay = util::text(
        "[Variant \"Ouk Chatrang\"]\n\n1. ង៣ង៤ ឃ៦ឃ៥ *\n",
        &Judge::default(),
    );
    assert_eq!(accepted(&replay).moves_uci(), "e3e4 d6d5");
}

/// D13: from and to, `=F`, and a start board whose rights the program drops.
#[test]
fn khmer_client() {
    let text = "[Variant \"Ouk Chatrang\"]\n[FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\"]\n\n\
        1. e3e4 d6d5 2. e4xd5 e6xd5 3. Bc1b2 d5d4 4. c3xd4 c6c5 5. d4xc5 b6xc5 6. Ke2 *\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        (game.variant, game.dialect, game.plies.len()),
        (Variant::Ouk, Dialect::KhmerClient, 11)
    );
    assert!(has(&replay, FindingCode::StartPositionRepaired));
    let promotes = text.replace("6. Ke2", "6. d3d4 c5xd4 7. Ke2 d4d3=F");
    let replay = util::text(&promotes, &Judge::default());
    assert_eq!(
        accepted(&replay).plies.last().unwrap().mv.to_string(),
        "d4d3m"
    );
    assert!(
        !has(&replay, FindingCode::MoveTolerated),
        "{:#?}",
        replay.findings()
    );
}

/// D14: no numbers, no promotions, the board implied.
#[test]
fn thaichess_blocks() {
    let block = "[ID \"g-1\"]\n[Source \"x\"]\n[Result \"1-0\"]\n[ResultReason \"resign\"]\n[MoveCount \"4\"]\n[Variant \"Makruk\"]\n\n\
        a3-a4 b6-b5 a4xb5 a6xb5\n";
    let replay = util::text(block, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        (game.dialect, game.ending_declared),
        (Dialect::ThaiChess, Some(Ending::Resignation))
    );
    assert_eq!(game.moves_uci(), "a3a4 b6b5 a4b5 a6b5");
    let black = block
        .replace("[MoveCount", "[StartingTurn \"black\"]\n[MoveCount")
        .replace("a3-a4 b6-b5 a4xb5 a6xb5", "a6-a5 b3-b4 a5xb4 a3xb4");
    let replay = util::text(&black, &Judge::default());
    assert_eq!(accepted(&replay).plies[0].side, Color::Black);
}

/// D16: `M` is the ma, `E` the met, `T` the khon, `B` the bia, and the start is not makruk's.
#[test]
fn makruk_js() {
    let text = "[Variant \"Makruk\"]\n[FEN \"rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 1\"]\n\n1. Md2 Mc7 *\n";
    let replay = util::text(text, &Judge::default());
    assert_eq!(replay.status(), "rejected");
    let found = finding(&replay, FindingCode::StartPositionInvalid);
    assert!(found.message.contains("e-file"), "{}", found.message);
    let text = "[Variant \"Makruk\"]\n\n1. e4 e5 2. Td2 Md7 3. Ee2 d5 4. exd5 cxd5 *\n";
    assert_eq!(util::text(text, &Judge::default()).status(), "rejected");
    let settings = ReaderSettings {
        dialect: Some(Dialect::MakrukJs),
        ..ReaderSettings::default()
    };
    let replay = under(text, &settings, &Judge::default());
    let game = accepted(&replay);
    // The khon of c1 and the met of d1 both are where makruk-js has them.
    assert_eq!(game.moves_uci(), "e3e4 e6e5 c1d2 b8d7 d1e2 d6d5 e4d5 c6d5");
    assert!(
        !has(&replay, FindingCode::MoveTolerated),
        "{:#?}",
        replay.findings()
    );
}

/// D17: blanks inside moves, `1)`, results in words.
#[test]
fn typed_by_hand() {
    let text =
        "[Variant \"Makruk\"]\n\n1) c 3 - c 4 f 6 - f 5 2) Nb1 - d2 Sc8-c7 3) Ke2 1/2 - 1/2\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.moves_uci(), "c3c4 f6f5 b1d2 c8c7 d1e2");
    assert_eq!(game.result_declared, Some(GameResult::Draw));
    let blanks = game.findings.iter().filter(|f| {
        f.evidence
            .as_deref()
            .is_some_and(|e| e.contains("\"blanks\""))
    });
    assert_eq!(blanks.count(), 1, "{:#?}", game.findings);
}

/// D18: the moves tell where square 1 is, or they do not.
#[test]
fn numbered_squares() {
    let game = |moves: &str| {
        util::text(
            &format!("[Variant \"Makruk\"]\n\n{moves} *\n"),
            &Judge::default(),
        )
    };
    // From a1 along the ranks: e1 is 5, d2 12, d8 60, c7 51. Mirrored, 5 would be d1, the khun, and reach e2 (12) as well.
    let replay = game("1. 5-12 60-51");
    let asked = finding(&replay, FindingCode::AmbiguousMove);
    assert!(
        asked.message.contains("input.numbering = \"a1 b1\""),
        "{}",
        asked.message
    );
    assert_eq!(replay.status(), "rejected");
    // Said, it is taken.
    for (squares, moves) in [("a1 b1", "e1d2 d8c7"), ("h1 g1", "d1e2 e8f7")] {
        let mut judge = Judge::default();
        judge.number_squares(Some(squares.parse().unwrap()));
        let replay = util::text("[Variant \"Makruk\"]\n\n1. 5-12 60-51 *\n", &judge);
        assert_eq!(accepted(&replay).moves_uci(), moves);
    }
    // A met does not go straight: 4-12 is the khun's move from d1 to d2 and cannot be mirrored.
    let replay = game("1. 4-12 60-51 2. 19-27");
    let played = accepted(&replay);
    assert_eq!(played.moves_uci(), "d1d2 d8c7 c3c4");
    let told = finding(&replay, FindingCode::AmbiguousMove);
    assert_eq!(told.severity, Severity::Note);
    assert!(
        told.message.contains("1 is a1, 2 is b1"),
        "{}",
        told.message
    );
    let replay = game("1. 4-60");
    assert!(has(&replay, FindingCode::IllegalMove));
    assert!(replay.game().unwrap().plies.is_empty());
}

#[test]
fn real_schemingmind_pages() {
    let plies = [
        ("149228.txt", 31, GameResult::Draw),
        ("335959.txt", 162, GameResult::BlackWins),
        ("399086.txt", 189, GameResult::Draw),
        ("737440.txt", 225, GameResult::WhiteWins),
    ];
    for (name, plies, result) in plies {
        let Some(replays) = shared(&format!("schemingmind-page-text/{name}")) else {
            return;
        };
        let game = accepted(&replays[0]);
        assert_eq!(
            (game.variant, game.plies.len()),
            (Variant::Makruk, plies),
            "{name}"
        );
        assert_eq!(game.result_declared, Some(result), "{name}");
        let noisy = [
            FindingCode::MoveTolerated,
            FindingCode::CheckMarkWrong,
            FindingCode::BrokenText,
        ];
        for code in noisy {
            assert!(!has(&replays[0], code), "{name}: {:#?}", game.findings);
        }
        let mates = game.plies.last().unwrap().token().ends_with('#');
        assert_eq!(
            game.derived.is_some_and(|e| e.ending == Ending::Checkmate),
            mates,
            "{name}"
        );
    }
}

#[test]
fn real_selfplay() {
    let Some(replays) = shared("makruk-sf-selfplay/gauntlet_vs_fairy.excerpt.jsonl") else {
        return;
    };
    // The README: result 1/2-1/2, termination stalemate, yet the last position is checkmate.
    let game = accepted(&replays[0]);
    assert_eq!(
        (game.result_declared, game.ending_declared),
        (Some(GameResult::Draw), Some(Ending::Stalemate))
    );
    assert_eq!(game.derived.unwrap().ending, Ending::Checkmate);
    assert_eq!(
        finding(&replays[0], FindingCode::ResultContradictsBoard).severity,
        Severity::Critical
    );
    // Its last scores are 4, -1169, 3, -2, 2, -1, 1: all but -1169 are distances to White's or Black's mate.
    let scores: Vec<_> = game
        .plies
        .iter()
        .rev()
        .take(7)
        .map(|ply| ply.eval.as_ref().unwrap().score.unwrap())
        .collect();
    let winner = game.plies.last().unwrap().side;
    let sign = if winner == Color::White { 1 } else { -1 };
    let mate = |n: i32| DeclaredScore::Mate(sign * n);
    assert_eq!(
        scores,
        [
            mate(1),
            mate(1),
            mate(2),
            mate(2),
            mate(3),
            DeclaredScore::Cp(sign * 1169),
            mate(4)
        ]
    );
    assert!(has(&replays[0], FindingCode::EvalUnclear));
    for file in ["decisive_v2.excerpt.jsonl", "decisive_v2.excerpt.pgn"] {
        for replay in shared(&format!("makruk-sf-selfplay/{file}")).unwrap() {
            let game = accepted(&replay);
            assert_eq!(game.variant, Variant::Makruk);
            assert!(
                !has(&replay, FindingCode::MoveTolerated),
                "{:#?}",
                game.findings
            );
        }
    }
    // The same games: three of them stand in both files.
    let (json, pgn) = (
        shared("makruk-sf-selfplay/decisive_v2.excerpt.jsonl").unwrap(),
        shared("makruk-sf-selfplay/decisive_v2.excerpt.pgn").unwrap(),
    );
    let same = json.iter().filter(|one| {
        pgn.iter()
            .any(|other| accepted(one).moves_hash == accepted(other).moves_hash)
    });
    assert!(same.count() >= 3);
    for file in ["imbalanced_fens.txt", "train_mixed.excerpt.tsv"] {
        for replay in util::file_named(
            &here("../../../../shared/archives/real/makruk-sf-selfplay").join(file),
            &format!("makruk-sf/{file}"),
        ) {
            assert!(accepted(&replay).plies.is_empty());
        }
    }
}

#[test]
fn real_openmakruk() {
    let Some(replays) = shared("openmakruk-json/game-fixtures.mate.json") else {
        return;
    };
    let game = accepted(&replays[0]);
    assert_eq!(game.plies.len(), 31);
    assert_eq!(game.derived.unwrap().ending, Ending::Checkmate);
    assert_eq!(game.result_declared, Some(GameResult::WhiteWins));
    let told = game
        .raw_tags
        .iter()
        .find(|tag| tag.name == "finalFen")
        .unwrap()
        .value
        .split(' ')
        .next()
        .unwrap();
    assert_eq!(game.final_fen.split(' ').next().unwrap(), told);
    // The README: `mg-rua-flank-attack` has an illegal move, ply 5 `b1c3`, own bia on c3.
    let replays = shared("openmakruk-json/master-games.excerpt.json").unwrap();
    assert_eq!(accepted(&replays[0]).plies.len(), 6);
    let Replay::Rejected(rejection) = &replays[1] else {
        panic!()
    };
    assert_eq!((rejection.ply, rejection.game.plies.len()), (5, 4));
    assert!(
        finding(&replays[1], FindingCode::IllegalMove)
            .message
            .contains("own man")
    );
    for replay in shared("openmakruk-json/openings.excerpt.json").unwrap() {
        assert_eq!(accepted(&replay).plies.len(), 4);
    }
}

#[test]
fn real_opening_books() {
    for (file, variant) in [
        ("makruk.epd", Variant::Makruk),
        ("cambodian.epd", Variant::Ouk),
        ("karouk.epd", Variant::KarOuk),
    ] {
        let Some(replays) = shared(&format!("fsf-books-epd/{file}")) else {
            return;
        };
        for replay in &replays {
            let game = accepted(replay);
            assert_eq!((game.variant, game.plies.len()), (variant, 0), "{file}");
        }
    }
}

/// The README of the real archives: White's first rank comes first, files run the other way, the last field holds the men taken.
#[test]
fn real_ren() {
    let Some(replays) = shared("khmer-ren/ren-examples.txt") else {
        return;
    };
    // The second and third are read by hand: rank 1 comes first, each rank from the h-file, T is a promoted bia.
    // No counts are said, and no rights are lost but those whose men have left their squares.
    let starts = [
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
        "1n2ksnr/1r2sm2/1pp5/8/8/PPPPPPPM~/2NS4/R2MKSNR w e - 0 1",
        "1n2ksnr/1r2sm2/1m~p5/8/8/PPPPPPPM~/2NS4/R2KMSNR w DEe - 0 1",
        "4K3/8/8/8/8/8/8/3k4 w - - 0 1",
    ];
    for (replay, start) in replays.iter().zip(starts) {
        let game = accepted(replay);
        assert_eq!((game.variant, game.dialect), (Variant::Ouk, Dialect::Ren));
        assert_eq!(game.start_fen, start);
    }
    assert_eq!(replays.len(), 4);
}

/// Case 23 as a file: each line of the table is a position, the second column names the game.
#[test]
fn case_23_from_bytes() {
    let replays = util::file(&here("cases/23-fen-dialects/fens.tsv"), &Judge::default());
    let statuses: Vec<_> = replays.iter().map(Replay::status).collect();
    let (yes, no) = ("accepted", "rejected");
    // 4 is the ASEAN start, 5 makruk-js, 12 to 14 no positions; 15 is REN and is converted.
    assert_eq!(
        statuses,
        [
            yes, yes, yes, no, no, yes, yes, yes, yes, yes, yes, no, no, no, yes
        ]
    );
    let reason =
        |line: usize| &finding(&replays[line - 1], FindingCode::StartPositionInvalid).message;
    assert!(
        reason(4).contains("ASEAN") && reason(5).contains("makruk-js"),
        "{} {}",
        reason(4),
        reason(5)
    );
    let start = &accepted(&replays[5]).start_fen;
    assert_eq!(&accepted(&replays[14]).start_fen, start);
    assert_eq!(accepted(&replays[10]).start_fen.matches('~').count(), 3);
}

/// D18: words about counting are evidence, not commands.
#[test]
fn remarks_on_counting() {
    let text = "[Variant \"Makruk\"]\n[FEN \"8/8/4k3/8/4R3/4K3/8/8 b - - 0 1\"]\n\n\
        1... Kd5 {เริ่มนับศักดิ์หมาก 4} 2. Re8 Kd6 {๕} 3. Re7 หยุดนับ Kxe7 *\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.plies.len(), 5);
    let remarks: Vec<_> = game
        .findings
        .iter()
        .filter(|finding| finding.code == FindingCode::CountRemarked)
        .map(|finding| (finding.ply.unwrap(), finding.certainty, finding.severity))
        .collect();
    let possible = replay::Certainty::Possible;
    assert_eq!(
        remarks,
        [1, 3, 4].map(|ply| (ply, possible, Severity::Note))
    );
}
