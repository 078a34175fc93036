//! The cases with known answers, one test each; `expected.md` beside each input says what is right.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::Encoding;
use replay::tags::player::PlayerKind;
use replay::{
    Certainty, CountBasis, DeclaredScore, EpisodeEnd, FindingCode, Judge, MaterialClass, Replay,
    Severity,
};
use rules::{CountKind, Ending, FullMoves, GameResult, RulesetId, Variant};
use util::{accepted, as_expected, case, expected, finding, has};

#[test]
fn case_01_playok_text() {
    let replays = case("01-playok-text/mk00000001.txt");
    as_expected("01-playok-text", &replays);
    let game = accepted(&replays[0]);
    assert_eq!((game.variant, game.plies.len()), (Variant::Makruk, 56));
    assert_eq!(game.result_declared, Some(GameResult::WhiteWins));
    assert_eq!((game.derived, game.ending_declared), (None, None));
    assert!(
        game.findings
            .iter()
            .all(|finding| finding.severity == Severity::Note),
        "{:#?}",
        game.findings
    );
    assert_eq!(game.tags.player_kind, PlayerKind::Human);
    assert!(game.final_fen.contains("M~"));
}

#[test]
fn case_03_winboard_cambodian() {
    let replays = case("03-winboard-cambodian/match.pgn");
    as_expected("03-winboard-cambodian", &replays);
    let game = accepted(&replays[0]);
    assert_eq!((game.variant, game.plies.len()), (Variant::Ouk, 48));
    assert_eq!(
        game.start_fen,
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"
    );
    assert!(has(&replays[0], FindingCode::StartPositionRepaired));
    assert_eq!(
        (game.result_declared, game.derived),
        (Some(GameResult::BlackWins), None)
    );
    assert_eq!(game.tags.player_kind, PlayerKind::Engine);
}

#[test]
fn case_05_pychess_month() {
    let replays = case("05-pychess-month-two-variants/pychess_db_2026-01.pgn.bz2");
    as_expected("05-pychess-month-two-variants", &replays);
    assert_eq!(accepted(&replays[0]).variant, Variant::Makruk);
    assert_eq!(accepted(&replays[1]).variant, Variant::Ouk);
    for replay in &replays {
        let rating = replay.tags().white_rating;
        assert_eq!((rating.value, rating.provisional), (Some(1500), true));
        assert!(!has(replay, FindingCode::RatingUnclear));
    }
}

#[test]
fn case_07_result_contradictions() {
    let replays = case("07-result-contradictions/club.pgn");
    assert_eq!(replays.len(), 4);

    let first = accepted(&replays[0]);
    assert_eq!(first.result_declared, Some(GameResult::Draw));
    assert_eq!(first.ending_declared, Some(Ending::Stalemate));
    let derived = first.derived.unwrap();
    assert_eq!(
        (derived.ending, derived.result, derived.ply),
        (Ending::Checkmate, GameResult::WhiteWins, 1)
    );
    let contradiction = finding(&replays[0], FindingCode::ResultContradictsBoard);
    assert_eq!(
        (contradiction.severity, contradiction.certainty),
        (Severity::Critical, Certainty::Proved)
    );
    assert_eq!(first.certainty, Certainty::Impossible);
    // Its only move bares the khun and mates: the count never came to its first number.
    let count = &first.counts[0];
    assert_eq!(
        (
            count.start_ply_earliest,
            count.first_number,
            count.last_number
        ),
        (2, FullMoves(5), None)
    );

    let second = accepted(&replays[1]);
    assert!(has(&replays[1], FindingCode::ResultMismatch));
    assert_eq!(second.derived.unwrap().result, GameResult::WhiteWins);
    assert!(has(&replays[1], FindingCode::CheckMarkWrong));

    let third = accepted(&replays[2]);
    assert_eq!(
        (third.derived, third.ending_declared),
        (None, Some(Ending::Time))
    );
    assert_eq!(
        finding(&replays[2], FindingCode::WinnerCannotMate).severity,
        Severity::Note
    );
    assert!(!has(&replays[2], FindingCode::ResultContradictsBoard));

    // Both rua reach b7 in the fourth, so that its last move cannot be told; its result is no contradiction.
    let Replay::Rejected(fourth) = &replays[3] else {
        panic!()
    };
    assert!(has(&replays[3], FindingCode::AmbiguousMove));
    assert_eq!(fourth.game.result_declared, Some(GameResult::WhiteWins));
    assert!(!has(&replays[3], FindingCode::ResultContradictsBoard));
    let text = std::fs::read_to_string(util::here("cases/07-result-contradictions/club.pgn"));
    let text = text.unwrap().replace("1. Rb7 1-0", "1. Rbb7 1-0");
    let mut replays = util::bytes_of(text.into_bytes(), "club.pgn", &Judge::default());
    let replay = replays.remove(3);
    let fourth = accepted(&replay);
    assert_eq!(
        (fourth.result_declared, fourth.derived),
        (Some(GameResult::WhiteWins), None)
    );
    assert!(fourth.findings.is_empty(), "{:#?}", fourth.findings);
    assert_eq!(fourth.certainty, Certainty::Possible);
}

#[test]
fn case_09_illegal_move() {
    let replays = case("09-illegal-move-midway/league.pgn");
    let lengths: Vec<usize> = replays
        .iter()
        .map(|replay| replay.game().unwrap().plies.len())
        .collect();
    assert_eq!(lengths, [24, 12, 14]);
    let statuses: Vec<&str> = replays.iter().map(Replay::status).collect();
    assert_eq!(statuses, ["accepted", "rejected", "accepted"]);

    let Replay::Rejected(rejection) = &replays[1] else {
        panic!()
    };
    assert_eq!(rejection.ply, 13);
    let illegal = finding(&replays[1], FindingCode::IllegalMove);
    assert_eq!((illegal.ply, illegal.byte_length), (Some(13), Some(3)));
    assert_eq!(
        illegal.fen.as_deref(),
        Some("rn1mksnr/2s5/1p1pp2p/p1p2p2/1P2PP2/P1PP3P/3N2S1/R1SKM1NR w - - 0 7")
    );
    assert!(
        illegal.message.contains("no legal move matches `Rh5`")
            && illegal.message.contains("blocked")
    );
    assert!(illegal.evidence.as_ref().unwrap().contains("\"near\""));
    let bytes = std::fs::read(util::here("cases/09-illegal-move-midway/league.pgn")).unwrap();
    let at = illegal.byte_offset.unwrap() as usize;
    assert_eq!(&bytes[at..at + 3], b"Rh5");
    assert_eq!(
        (
            rejection.game.place.ordinal,
            rejection.game.place.archive.as_str()
        ),
        (2, "league.pgn")
    );
    assert_eq!(rejection.game.result_declared, Some(GameResult::BlackWins));
}

#[test]
fn case_11_thai_encodings() {
    let mut hashes = std::collections::BTreeSet::new();
    for (name, games, encoding) in [
        ("cp874.pgn", 1, Some(Encoding::Windows874)),
        ("mixed.pgn", 2, None),
        ("utf16le.pgn", 1, Some(Encoding::Utf16Le)),
        ("utf8-bom.pgn", 1, Some(Encoding::Utf8Bom)),
    ] {
        let replays = case(&format!("11-thai-encodings/{name}"));
        assert_eq!(replays.len(), games, "{name}");
        for replay in &replays {
            let game = accepted(replay);
            assert_eq!(
                game.tags.event.as_deref(),
                Some("ชิงแชมป์หมากรุกไทย"),
                "{name}"
            );
            assert_eq!(game.tags.white.as_deref(), Some("สมชาย ใจดี"), "{name}");
            assert_eq!(game.tags.date.date.unwrap().to_string(), "2026-01-02");
            assert_eq!(game.tags.date.text.as_deref(), Some("2569.01.02"));
            assert!(has(replay, FindingCode::DateUnclear));
            assert_eq!(game.plies.len(), 12);
            assert!(
                encoding.is_none_or(|encoding| game.encoding == encoding),
                "{name}: {:?}",
                game.encoding
            );
            hashes.insert(game.moves_hash);
        }
    }
    assert_eq!(hashes.len(), 1);
}

#[test]
fn case_13_variant_names() {
    let replays = case("13-variant-names/names.pgn");
    let names: Vec<&str> = replays.iter().map(Replay::variant_name).collect();
    let mut wanted = vec!["makruk"; 6];
    wanted.extend(["ouk"; 5]);
    wanted.extend(["kar-ouk"; 2]);
    wanted.extend([
        "makpong", "asean", "sittuyin", "standard", "chess960", "", "", "makruk",
    ]);
    assert_eq!(names, wanted);
    for (index, replay) in replays.iter().enumerate() {
        let aside = (13..20).contains(&index);
        assert_eq!(
            replay.status(),
            if aside { "set_aside" } else { "accepted" },
            "{index}"
        );
    }
    for replay in &replays[13..18] {
        assert!(has(replay, FindingCode::VariantSetAside));
    }
    for replay in &replays[18..20] {
        assert!(
            finding(replay, FindingCode::VariantUnknown)
                .message
                .contains("--variant")
        );
        let Replay::SetAside(aside) = replay else {
            panic!()
        };
        assert!(aside.admit.is_some());
    }
    let mut judge = Judge::default();
    judge.default_variant(Some(Variant::Makruk));
    let replays = util::file(&util::here("cases/13-variant-names/names.pgn"), &judge);
    assert_eq!(
        replays
            .iter()
            .filter(|replay| replay.status() == "set_aside")
            .count(),
        5
    );
}

#[test]
fn case_15_count_two_rooks() {
    let bound = |id: Option<&str>| {
        let mut judge = Judge::default();
        if let Some(id) = id {
            judge.bind(Variant::Makruk, &RulesetId::new(id)).unwrap();
        }
        util::file(
            &util::here("cases/15-count-two-rooks-makruk/count.pgn"),
            &judge,
        )
        .remove(0)
    };
    let unbound = bound(None);
    let game = accepted(&unbound);
    assert_eq!(
        game.derived.map(|ended| (ended.ending, ended.ply)),
        Some((Ending::PiecesCount, 10))
    );
    assert_eq!(game.result_declared, Some(GameResult::WhiteWins));
    let played_on = finding(&unbound, FindingCode::CountPlayedOn);
    assert_eq!(played_on.certainty, Certainty::Possible);
    let evidence = played_on.evidence.as_ref().unwrap();
    // Every profile's reading is there: W leaves the count to the players, and the record starts none.
    let evidence: serde_json::Value = serde_json::from_str(evidence).unwrap();
    let readings: Vec<_> = evidence["readings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reading| {
            let text = |field: &str| reading[field].as_str().unwrap_or_default().to_owned();
            (
                text("rule_set"),
                text("authority"),
                reading["ply"].as_u64(),
                text("switch"),
            )
        })
        .collect();
    let wanted = [
        ("makruk", "assumed", Some(10), ""),
        ("makruk-ttakji", "binding", Some(10), ""),
        ("makruk-wikipedia", "assumed", None, "pieces_start"),
        ("makruk-fairy", "engine", Some(11), "pieces_end"),
    ];
    let wanted = wanted.map(|(id, authority, ply, switch)| {
        (id.to_owned(), authority.to_owned(), ply, switch.to_owned())
    });
    assert_eq!(readings, wanted);
    for part in [
        "with ply 10",
        "makruk-wikipedia finds no ending (switch pieces_start)",
        "makruk-fairy finds pieces count after ply 11 (switch pieces_end)",
    ] {
        assert!(
            played_on.message.contains(part),
            "{part}: {}",
            played_on.message
        );
    }
    assert_eq!(game.certainty, Certainty::Possible);
    let numbers: Vec<_> = game
        .plies
        .iter()
        .filter_map(|ply| ply.count.map(|count| count.number.0))
        .collect();
    assert_eq!(numbers, [4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9]);
    let episode = &game.counts[0];
    assert_eq!(
        (
            episode.kind,
            episode.limit,
            episode.first_number,
            episode.last_number
        ),
        (
            CountKind::Pieces,
            FullMoves(8),
            FullMoves(5),
            Some(FullMoves(8))
        )
    );
    assert_eq!(
        (episode.material, episode.signature.as_str()),
        (MaterialClass::TwoRua, "KRR-K")
    );
    assert_eq!(
        (episode.basis, episode.ended),
        (CountBasis::Rule, EpisodeEnd::Limit)
    );
    assert_eq!(
        (episode.start_ply_earliest, episode.start_ply_latest),
        (3, 3)
    );
    // Another reading lets it say 9.
    assert_eq!(episode.certainty, Certainty::Possible);

    for (id, ply) in [("makruk", 10), ("makruk-fairy", 11)] {
        let replay = bound(Some(id));
        let played_on = finding(&replay, FindingCode::CountPlayedOn);
        assert_eq!(
            (played_on.certainty, played_on.ply),
            (Certainty::Proved, Some(ply + 1)),
            "{id}"
        );
        assert_eq!(accepted(&replay).certainty, Certainty::Impossible);
        assert_eq!(accepted(&replay).counts[0].certainty, Certainty::Proved);
        assert_eq!(
            accepted(&replay).result_declared,
            Some(GameResult::WhiteWins)
        );
    }
    let tagged =
        std::fs::read_to_string(util::here("cases/15-count-two-rooks-makruk/count.pgn")).unwrap();
    let tagged = tagged.replace("[SetUp \"1\"]", "[SetUp \"1\"]\n[RuleSet \"makruk-fairy\"]");
    let replay = util::text(&tagged, &Judge::default());
    assert_eq!(accepted(&replay).rule_set, RulesetId::new("makruk-fairy"));
    assert_eq!(
        finding(&replay, FindingCode::CountPlayedOn).certainty,
        Certainty::Proved
    );
    let fens = accepted(&replay);
    assert_eq!(fens.final_fen, "8/2K5/4k3/8/8/8/8/R6R b - 16 18 7");
}

#[test]
fn case_17_leap_rights() {
    let table =
        std::fs::read_to_string(util::here("cases/17-leap-rights-cambodian/legality.tsv")).unwrap();
    let answers = [true, false, true, true, false, false];
    for (line, legal) in table.lines().skip(1).zip(answers) {
        let [label, fen, before, asked] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let moves = format!("{before} {asked}");
        let game = format!(
            "[Variant \"Cambodian\"]\n[FEN \"{fen}\"]\n\n{} *\n",
            moves.trim()
        );
        let replay = util::text(&game, &Judge::default());
        assert_eq!(replay.status() == "accepted", legal, "{label}");
        if !legal {
            let reason = &finding(&replay, FindingCode::IllegalMove).message;
            println!("{label}: {reason}");
        }
    }
    let aim = expected("17-leap-rights-cambodian", "after");
    assert!(aim.is_empty());
    let fen = "1nsmksnr/7r/pppppppp/8/8/PPPPPPPP/3S3R/RN1KMSN1 b DEde - 2 3";
    let game = format!("[Variant \"Cambodian\"]\n[FEN \"{fen}\"]\n\n1... Rd7 *\n");
    let replay = util::text(&game, &Judge::default());
    assert_eq!(
        accepted(&replay).final_fen,
        "1nsmksnr/3r4/pppppppp/8/8/PPPPPPPP/3S3R/RN1KMSN1 w Ede - 3 4"
    );
    let game = format!("[Variant \"Cambodian\"]\n[FEN \"{fen}\"]\n\n1... Rd7 2. Kf2 *\n");
    let replay = util::text(&game, &Judge::default());
    let reason = &finding(&replay, FindingCode::IllegalMove).message;
    assert!(
        reason.contains("lost at ply 1") && reason.contains("rua moved to d7"),
        "{reason}"
    );
}

#[test]
fn case_19_comments_clocks_evals() {
    let replays = case("19-comments-clocks-evals/comments.pgn");
    assert_eq!(replays.len(), 1);
    let game = accepted(&replays[0]);
    assert_eq!(
        game.moves_uci(),
        "b1d2 g6g5 f3f4 c8c7 e3e4 f6f5 f1g2 g5f4 b3b4 a6a5"
    );
    assert_eq!(
        game.final_fen,
        "rn1mksnr/2s5/1pppp2p/p4p2/1P2Pp2/P1PP2PP/3N2S1/R1SKM1NR w - - 0 6"
    );
    assert_eq!(game.result_declared, None);
    let eval = |ply: usize| {
        game.plies[ply - 1]
            .eval
            .as_ref()
            .and_then(|eval| eval.score)
    };
    assert_eq!(game.plies[0].clock_ms, Some(300_300));
    assert_eq!(eval(1), Some(DeclaredScore::Cp(12)));
    assert_eq!(eval(2), Some(DeclaredScore::Cp(-42)));
    assert_eq!(game.plies[1].eval.as_ref().unwrap().depth, Some(18));
    assert_eq!(eval(5), Some(DeclaredScore::Mate(-3)));
    assert_eq!(eval(6), Some(DeclaredScore::Mate(2)));
    assert!(has(&replays[0], FindingCode::EvalUnclear));
    assert!(has(&replays[0], FindingCode::BrokenText));
    assert!(!has(&replays[0], FindingCode::UnreadableMove));
}

#[test]
fn case_21_duplicates() {
    let one = |name: &str| case(&format!("21-duplicates-across-dialects/{name}")).remove(0);
    let (a, b, c, d) = (one("a.pgn"), one("b.txt"), one("c.pgn"), one("d.pgn"));
    let moves = &expected("21-duplicates-across-dialects", "moves")[0];
    let last = &expected("21-duplicates-across-dialects", "final position")[0];
    for replay in [&a, &b, &c] {
        assert_eq!(&accepted(replay).moves_uci(), moves);
        assert_eq!(&accepted(replay).final_fen, last);
        assert_eq!(accepted(replay).moves_hash, accepted(&a).moves_hash);
    }
    assert_ne!(a.id(), b.id());
    assert_eq!(b.tags().black.as_deref(), Some("player-972"));
    let shorter = accepted(&d);
    assert_eq!(shorter.plies.len(), 50);
    assert!(moves.starts_with(&shorter.moves_uci()));
    let (e, f) = (one("e.pgn"), one("f.pgn"));
    assert_eq!(accepted(&e).moves_hash, accepted(&f).moves_hash);
    assert_ne!(accepted(&e).record_hash, accepted(&f).record_hash);
}

#[test]
fn case_23_fen_dialects() {
    let table = std::fs::read_to_string(util::here("cases/23-fen-dialects/fens.tsv")).unwrap();
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    let ouk_start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1";
    let wanted: [Result<&str, &str>; 15] = [
        Ok(start),
        Ok(start),
        Ok(start),
        Err("ASEAN"),
        Err("makruk-js"),
        Ok(ouk_start),
        Ok(ouk_start),
        Ok(start),
        Ok(start),
        Ok("8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50"),
        Ok("8/8/1M~M~5/K3k3/6r1/5m~2/8/3R4 b - 128 0 54"),
        Err("no khun"),
        Err("more than one khun"),
        Err("7 squares"),
        Err("REN"),
    ];
    for (number, (line, wanted)) in (1..).zip(table.lines().skip(1).zip(wanted)) {
        let (fen, variant) = line.split_once('\t').unwrap();
        let replay = util::text(
            &format!("[Variant \"{variant}\"]\n[FEN \"{fen}\"]\n\n*\n"),
            &Judge::default(),
        );
        match wanted {
            Ok(fen) => assert_eq!(accepted(&replay).start_fen, fen, "line {number}"),
            Err(reason) => {
                assert_eq!(replay.status(), "rejected", "line {number}");
                let message = &finding(&replay, FindingCode::StartPositionInvalid).message;
                assert!(message.contains(reason), "line {number}: {message}");
            }
        }
        let noted = [2, 3, 7, 8, 9, 10].contains(&number);
        assert_eq!(
            has(&replay, FindingCode::StartPositionRepaired),
            noted,
            "line {number}: {:#?}",
            replay.findings()
        );
    }
}

#[test]
fn case_25_zstd_frames() {
    let replays = case("25-zstd-frames/dump.pgn.zst");
    let games: Vec<_> = replays
        .iter()
        .map(|replay| {
            (
                accepted(replay).plies.len(),
                accepted(replay).result_declared,
            )
        })
        .collect();
    let wanted = [
        (24, GameResult::WhiteWins),
        (20, GameResult::BlackWins),
        (14, GameResult::Draw),
    ];
    assert_eq!(games, wanted.map(|(plies, result)| (plies, Some(result))));
}

#[test]
fn case_27_coordinate_moves() {
    let moves = &expected("27-coordinate-moves", "moves")[0];
    let last = &expected("27-coordinate-moves", "final position")[0];
    for name in ["uci.pgn", "lan.pgn"] {
        let replays = case(&format!("27-coordinate-moves/{name}"));
        let game = accepted(&replays[0]);
        assert_eq!(
            (&game.moves_uci(), &game.final_fen),
            (moves, last),
            "{name}"
        );
        assert_eq!(game.tags.date.date.unwrap().to_string(), "2026-06-14");
        // `max_ply` is a length adjudicated by the writer, not a rule's draw.
        assert_eq!((game.ending_declared, game.derived), (None, None), "{name}");
    }
}

#[test]
fn case_29_time_controls() {
    let replays = case("29-time-controls/tc.pgn");
    assert_eq!(replays.len(), 12);
    let facts: Vec<_> = replays
        .iter()
        .map(|replay| {
            let tags = replay.tags();
            let date = tags
                .date
                .date
                .map_or_else(|| "-".to_owned(), |date| date.to_string());
            let clock = &tags.time_control;
            (clock.base_s, clock.increment_s, date, tags.date.year)
        })
        .collect();
    let day = "2026-01-02";
    let wanted = [
        (Some(600), Some(0), day, Some(2026)),
        (Some(180), Some(2), day, Some(2026)),
        (Some(180), Some(0), "-", None),
        (Some(9000), Some(30), "-", Some(2026)),
        (None, None, "-", None),
        (None, None, day, Some(2026)),
        (Some(180), None, "-", None),
        (Some(900), Some(0), "-", None),
        (None, None, "-", None),
        (None, None, day, Some(2026)),
        (None, None, day, Some(2026)),
        (None, None, day, Some(2026)),
    ];
    for (number, (fact, (base, increment, date, year))) in (1..).zip(facts.iter().zip(wanted)) {
        assert_eq!(
            fact,
            &(base, increment, date.to_owned(), year),
            "t{number:02}"
        );
        assert_eq!(replays[number - 1].status(), "accepted");
    }
    let noted = |code, games: &[usize]| {
        for number in 1..=12 {
            assert_eq!(
                has(&replays[number - 1], code),
                games.contains(&number),
                "{code} t{number:02}"
            );
        }
    };
    noted(FindingCode::TimeControlUnclear, &[3, 7, 8, 10, 12]);
    noted(FindingCode::DateUnclear, &[4, 6, 7, 8, 11]);
    assert_eq!(
        replays[7].tags().time_control.text.as_deref(),
        Some("900+30x3")
    );
}
