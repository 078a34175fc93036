//! Figures for tests: small, but with something in every list, and with names that attack the page.

use crate::board::Marks;
use crate::figures::*;

/// A name that would run if it were not escaped.
pub(crate) const ATTACK: &str = "<script>alert('x')</script> & \"Som\"";

fn counted(list: &[(&str, u64)]) -> Vec<Counted> {
    list.iter()
        .map(|(name, n)| Counted {
            name: (*name).to_owned(),
            n: *n,
        })
        .collect()
}

fn range(hits: u64, n: u64) -> Option<Range> {
    analysis::wilson(hits, n).map(|interval| Range {
        low: interval.low,
        high: interval.high,
    })
}

fn rules(id: &str, title: &str, authority: &str, games: u64) -> RuleSetLine {
    RuleSetLine {
        id: id.into(),
        title: title.into(),
        authority: authority.into(),
        games,
    }
}

pub(crate) fn sample() -> Figures {
    Figures {
        run: run(),
        read: read(),
        findings: findings(),
        results: vec![
            ResultFigures {
                variant: "makruk".into(),
                white_wins: 118,
                draws: 97,
                black_wins: 91,
                unknown: 3,
                endings: counted(&[
                    ("checkmate", 160),
                    ("pieces_count", 41),
                    ("board_count", 12),
                    ("resignation", 49),
                    ("repetition", 30),
                    ("agreement", 14),
                ]),
            },
            ResultFigures {
                variant: "ouk".into(),
                white_wins: 40,
                draws: 31,
                black_wins: 29,
                unknown: 0,
                endings: counted(&[("checkmate", 60), ("pieces_count", 22), ("repetition", 9)]),
            },
        ],
        counts: counts(),
        compared: compared(),
        moves: moves(),
        openings: openings(),
        formations: formations(),
        sheets: vec![illegal(), counted_game()],
        sheets_total: 12,
    }
}

fn run() -> RunFacts {
    RunFacts {
        job: "demo".into(),
        commit: 3,
        at: "2026-11-30T15:20:11Z".into(),
        version: "0.1.0".into(),
        roots: "archives/demo".into(),
        engine: Some("builtin-1-4f6c9d0e".into()),
        curve: "lila-11148-provisional".into(),
        curve_provisional: true,
        rule_sets: vec![
            rules(
                "makruk",
                "Makruk: manual board's honour, automatic pieces' honour",
                "assumed",
                309,
            ),
            rules(
                "ouk",
                "Ouk Chatrang after the federation's article 5",
                "assumed",
                100,
            ),
        ],
        failed: Vec::new(),
        failed_total: 0,
        slowest: vec![("replay of a.pgn".to_owned(), 1_234)],
    }
}

fn read() -> ReadFigures {
    let line = |archive: &str,
                container: &str,
                encoding: &str,
                bytes,
                found,
                rejected,
                set_aside,
                findings| ArchiveLine {
        archive: archive.into(),
        container: container.into(),
        encoding: encoding.into(),
        bytes,
        found,
        accepted: found - rejected - set_aside,
        rejected,
        set_aside,
        findings,
        complete: true,
    };
    ReadFigures {
        archives: 5,
        bytes: 388_211,
        bytes_text: 1_204_998,
        bytes_accounted: 1_204_998,
        bytes_unreadable: 212,
        games_found: 412,
        games_accepted: 403,
        games_rejected: 6,
        games_set_aside: 3,
        plies: 48_113,
        variants: counted(&[("makruk", 309), ("ouk", 100), ("asean", 2), ("makpong", 1)]),
        dialects: counted(&[
            ("pychess", 180),
            ("playok", 120),
            ("cutechess", 90),
            ("winboard", 22),
        ]),
        duplicates: counted(&[("other_dialect", 3), ("prefix", 1)]),
        set_aside: counted(&[
            ("asean: another game, never judged", 2),
            ("makpong: another game, never judged", 1),
        ]),
        lines: vec![
            line(
                "club/2024-01.pgn.zst",
                "zstd",
                "utf-8",
                120_118,
                180,
                0,
                2,
                14,
            ),
            line(
                "club/playok.txt.gz",
                "gzip",
                "windows-874",
                88_101,
                120,
                1,
                0,
                22,
            ),
            line(
                "engine/match.pgn.bz2",
                "bzip2",
                "utf-8",
                70_200,
                90,
                0,
                0,
                3,
            ),
            line(
                "winboard/ouk.pgn",
                "plain",
                "iso-8859-1",
                101_500,
                22,
                5,
                1,
                11,
            ),
            line(
                "broken/หมากรุกไทย-cut.pgn.zst",
                "zstd",
                "utf-8",
                8_292,
                0,
                0,
                0,
                2,
            ),
        ],
    }
}

fn findings() -> FindingFigures {
    let code = |code: &str, meaning: &str, grade, certainty: &str, n| CodeLine {
        code: code.into(),
        meaning: meaning.into(),
        grade,
        certainty: certainty.into(),
        n,
    };
    FindingFigures {
        total: 61,
        by_grade: [2, 9, 11, 39],
        by_code: vec![
            code(
                "result_contradicts_board",
                "The declared result or ending is not what stands on the board.",
                Grade::Critical,
                "proved",
                2,
            ),
            code(
                "illegal_move",
                "A token that no legal move fits; the game is replayed up to it.",
                Grade::Error,
                "proved",
                6,
            ),
            code(
                "count_played_on",
                "Play went on after a count had drawn the game.",
                Grade::Error,
                "possible",
                3,
            ),
            code(
                "result_missing",
                "The record does not say how the game ended.",
                Grade::Warning,
                "proved",
                11,
            ),
            code(
                "move_tolerated",
                "A move read by meaning although it was spelled loosely.",
                Grade::Note,
                "proved",
                39,
            ),
        ],
        lines: vec![
            FindingLine {
                grade: Grade::Error,
                certainty: "proved".into(),
                code: "illegal_move".into(),
                message:
                    "No legal move fits `Nf6`: no ma can reach f6, which holds Black's own bia."
                        .into(),
                archive: "winboard/ouk.pgn".into(),
                member: None,
                game_id: Some("00112233445566778899aabbccddeeff".into()),
                ordinal: Some(7),
                players: Some(format!("{ATTACK} – สมชาย ใจดี")),
                ply: Some(4),
                byte_offset: Some(20_118),
                has_sheet: true,
            },
            FindingLine {
                grade: Grade::Error,
                certainty: "proved".into(),
                code: "truncated_input".into(),
                message:
                    "The zstd stream ends before its last frame does; 0 complete games were kept."
                        .into(),
                archive: "broken/หมากรุกไทย-cut.pgn.zst".into(),
                ..FindingLine::default()
            },
            FindingLine {
                grade: Grade::Warning,
                certainty: "proved".into(),
                code: "result_missing".into(),
                message: "The record does not say how the game ended.".into(),
                archive: "club/playok.txt.gz".into(),
                game_id: Some("ff".into()),
                ordinal: Some(3),
                ..FindingLine::default()
            },
        ],
    }
}

fn compared() -> ComparedFigures {
    ComparedFigures {
        games: 311,
        alike: 300,
        pairs: vec![ComparedPair {
            judging: "makruk".into(),
            other: "makruk-fairy".into(),
            authority: "engine".into(),
            games: 311,
            alike: 300,
        }],
        groups: vec![ComparedGroup {
            judging: "makruk".into(),
            other: "makruk-fairy".into(),
            switches: "pieces_end".into(),
            games: 11,
            first: ComparedGame {
                game_id: "abcdef".into(),
                archive: format!("club/{ATTACK}.pgn"),
                ordinal: 12,
                players: format!("{ATTACK} – Phet"),
                ply: 10,
                judged: "makruk: 1/2-1/2 by pieces count after ply 10".into(),
                compared: "makruk-fairy: 1/2-1/2 by pieces count after ply 11".into(),
                has_sheet: false,
            },
        }],
    }
}

fn counts() -> CountFigures {
    let group =
        |rule_set: &str, material: &str, games, no_bia, bare_khun, proved, possible| CountGroup {
            rule_set: rule_set.into(),
            player_kind: "engine".into(),
            material: material.into(),
            games,
            no_bia,
            bare_khun,
            all_proved: proved + 1,
            all_possible: possible,
            proved,
            possible,
            range: range(proved, no_bia)
                .zip(range(proved + possible, no_bia))
                .map(|(a, b)| Range {
                    low: a.low,
                    high: b.high,
                }),
            left_out: counted(&[("rejected", 6), ("non_standard_start", 2)]),
        };
    CountFigures {
        groups: vec![
            group("makruk", "all", 301, 180, 133, 53, 14),
            group("ouk", "all", 100, 61, 40, 22, 0),
        ],
        materials: vec![
            group("makruk", "one_rua", 40, 40, 40, 6, 0),
            group("makruk", "one_khon", 22, 22, 22, 19, 0),
        ],
        draws: vec![CountDrawLine {
            game_id: "abcdef".into(),
            archive: "club/2024-01.pgn.zst".into(),
            ordinal: 12,
            players: "Mongkut – Phet".into(),
            rule_set: "makruk".into(),
            kind: "pieces".into(),
            side: "black".into(),
            material: "KRR-K".into(),
            first: 5,
            last: 8,
            limit: 8,
            certainty: "proved".into(),
        }],
        draws_total: 53,
    }
}

fn moves() -> MoveFigures {
    let phase = |variant: &str, phase: &str, classes: [u64; 5], acpl| {
        let evaluated = classes.iter().sum();
        PhaseLine {
            variant: variant.into(),
            phase: phase.into(),
            evaluated,
            classes,
            acpl: Some(acpl),
            blunder_range: range(classes[4], evaluated),
        }
    };
    let player = |name: &str, classes: [u64; 5]| PlayerLine {
        player: name.into(),
        variant: "makruk".into(),
        games: 61,
        moves: 3_100,
        evaluated: classes.iter().sum(),
        accuracy: Some(81.4),
        acpl: Some(47.2),
        classes,
        blunders: [10, 60, classes[4].saturating_sub(70)],
        phase_moves: [900, 1_200, 900],
    };
    MoveFigures {
        games: 403,
        games_analysed: 403,
        games_pending: 0,
        games_failed: 0,
        plies: 47_800,
        plies_analysed: 47_800,
        phases: vec![
            phase("makruk", "opening", [5_200, 3_900, 480, 110, 61], 12.4),
            phase(
                "makruk",
                "middlegame",
                [6_100, 4_700, 1_300, 610, 540],
                41.0,
            ),
            phase("makruk", "endgame", [8_200, 5_100, 900, 520, 610], 48.8),
            phase("ouk", "opening", [1_200, 900, 88, 20, 9], 11.0),
        ],
        players: vec![
            player("Level 6", [1_500, 900, 200, 120, 101]),
            player(ATTACK, [1_300, 700, 300, 190, 170]),
        ],
        players_total: 14,
    }
}

fn openings() -> Vec<OpeningFigures> {
    let line = |ply, san: &str, white_wins, draws, black_wins| {
        let n = white_wins + draws + black_wins;
        let wins = if ply % 2 == 1 { white_wins } else { black_wins };
        OpeningLine {
            ply,
            san: san.into(),
            white_wins,
            draws,
            black_wins,
            n,
            win_range: range(wins, n),
            average_rating: Some(1_612.4),
            performance: (n > 3).then_some(1_640.0),
        }
    };
    vec![OpeningFigures {
        variant: "makruk".into(),
        lines: vec![
            line(1, "c4", 50, 41, 39),
            line(2, "c5", 30, 22, 20),
            line(3, "Nc3", 11, 9, 8),
            line(2, "f5", 9, 8, 11),
            line(1, "e4", 40, 31, 30),
            line(1, "Nd2", 1, 0, 1),
        ],
    }]
}

fn formations() -> Vec<FormationLine> {
    let line = |formation: &str,
                name: Option<&str>,
                thai: Option<&str>,
                side: &str,
                wins,
                draws,
                losses| FormationLine {
        variant: "makruk".into(),
        formation: formation.into(),
        name: name.map(Into::into),
        thai: thai.map(Into::into),
        side: side.into(),
        wins,
        draws,
        losses,
        n: wins + draws + losses,
        win_range: range(wins, wins + draws + losses),
    };
    vec![
        line(
            "ma_phuk_right",
            Some("ma phuk"),
            Some("ม้าผูก"),
            "white",
            31,
            22,
            20,
        ),
        line(
            "ma_phuk_right",
            Some("ma phuk"),
            Some("ม้าผูก"),
            "black",
            18,
            20,
            27,
        ),
        line(
            "ma_thiam",
            Some("ma thiam rot"),
            Some("ม้าเทียมรถ"),
            "white",
            12,
            9,
            11,
        ),
        line("unnamed", None, None, "white", 70, 60, 55),
    ]
}

fn san_moves(list: &[&str], hit: Option<(u32, Grade)>) -> Vec<SheetMove> {
    (1u32..)
        .zip(list)
        .map(|(ply, san)| SheetMove {
            ply,
            number: ply.div_ceil(2),
            white: ply % 2 == 1,
            san: (*san).to_owned(),
            grade: hit.filter(|(at, _)| *at == ply).map(|(_, grade)| grade),
        })
        .collect()
}

fn illegal() -> Sheet {
    Sheet {
        game_id: "00112233445566778899aabbccddeeff".into(),
        archive: "winboard/ouk.pgn".into(),
        ordinal: 7,
        byte_offset: 19_840,
        byte_length: 611,
        dialect: "winboard".into(),
        white: Some(ATTACK.into()),
        black: Some("สมชาย ใจดี".into()),
        white_elo: Some(1500),
        event: Some("ชิงแชมป์ประเทศไทย <b>2567</b>".into()),
        round: Some("3".into()),
        date: Some("2024-02-11".into()),
        time_control: Some("1200+10".into()),
        variant: "makruk".into(),
        rule_set: Some(rules(
            "makruk",
            "Makruk: manual board's honour, automatic pieces' honour",
            "assumed",
            309,
        )),
        status: "rejected".into(),
        reason: Some("no legal move fits `Nf6` at ply 4".into()),
        declared: Verdict {
            result: Some("1-0".into()),
            ending: Some("resignation".into()),
        },
        certainty: "proved".into(),
        plies: 3,
        moves: san_moves(&["c4", "c5", "Nc3"], None),
        stopped_at: Some("Nf6".into()),
        findings: vec![SheetFinding {
            grade: Grade::Error,
            certainty: "proved".into(),
            code: "illegal_move".into(),
            message: "No legal move fits `Nf6`: no ma can reach f6, which holds Black's own bia."
                .into(),
            rule_set: Some("makruk".into()),
            ply: Some(4),
            byte_offset: Some(20_118),
            byte_length: Some(3),
            board: Some(SheetBoard {
                fen: "rnsmksnr/8/pp1ppppp/2p5/2P5/PPNPPPPP/8/R1SKMSNR b - - 1 2".into(),
                marks: Marks {
                    last: Some(("b1".into(), "c3".into())),
                    bad: vec!["f6".into()],
                    ..Marks::default()
                },
                caption: "Before ply 4, Black to move".into(),
            }),
        }],
        findings_total: 1,
        ..Sheet::default()
    }
}

fn counted_game() -> Sheet {
    let step = |ply, san: &str, number| CountStep {
        ply,
        san: san.into(),
        kind: "pieces".into(),
        side: "black".into(),
        number: Some(number),
        limit: 8,
        replies_left: Some(8 - number),
    };
    Sheet {
        game_id: "abcdef".into(),
        archive: "club/2024-01.pgn.zst".into(),
        ordinal: 12,
        byte_offset: 8_100,
        byte_length: 2_011,
        dialect: "pychess".into(),
        white: Some("Mongkut".into()),
        black: Some("Phet".into()),
        variant: "makruk".into(),
        rule_set: Some(rules("makruk", "Makruk: manual board's honour, automatic pieces' honour", "assumed", 309)),
        status: "accepted".into(),
        declared: Verdict { result: Some("1-0".into()), ending: None },
        derived: Verdict { result: Some("1/2-1/2".into()), ending: Some("pieces_count".into()) },
        certainty: "possible".into(),
        start_fen: Some("8/8/4k3/8/8/8/4M~3/R3K2R w - - 0 1".into()),
        plies: 9,
        moves: san_moves(&["Ra5", "Kf6", "Rh7", "Kg6", "Rb7", "Kf6", "Ke2", "Kg6", "Rc5"], Some((9, Grade::Critical))),
        findings: vec![
            SheetFinding {
                grade: Grade::Critical,
                certainty: "possible".into(),
                code: "result_contradicts_board".into(),
                message: "The record says 1-0, but Black's pieces' honour count ran out at 8: a draw under makruk.".into(),
                rule_set: Some("makruk".into()),
                ply: Some(9),
                board: Some(SheetBoard {
                    fen: "8/1R6/6k1/2R5/8/8/4K3/8 b - 16 16 5".into(),
                    marks: Marks { last: Some(("a5".into(), "c5".into())), ..Marks::default() },
                    caption: "After ply 9, Black to move".into(),
                }),
                ..SheetFinding::default()
            },
            SheetFinding {
                grade: Grade::Note,
                certainty: "proved".into(),
                code: "move_tolerated".into(),
                message: "`Rh1-h7` was read as Rh7.".into(),
                ply: Some(3),
                ..SheetFinding::default()
            },
        ],
        findings_total: 2,
        count: vec![step(2, "Kf6", 5), step(4, "Kg6", 6), step(6, "Kf6", 7), step(8, "Kg6", 8)],
        count_total: 4,
        ..Sheet::default()
    }
}
