//! The small real-looking files, and what must be read from each.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::{
    ClockKind, CommentFacts, Dialect, Encoding, EvalValue, NoteKind, RawGame, ResultMarker,
    TokenKind, comment, date, time_control,
};
use util::{data, moves, read, read_archive};

fn only(bytes: &[u8]) -> RawGame {
    let mut found = read_archive(bytes);
    assert_eq!(found.games.len(), 1);
    assert_eq!(found.unreadable, []);
    found.games.remove(0)
}

#[test]
fn playok_text() {
    let game = only(&data("mk00000001.txt"));
    assert_eq!(game.dialect, Dialect::PlayOk);
    assert_eq!(game.moves().count(), 56);
    assert_eq!(moves(&game)[11], "bxc3=P");
    assert_eq!(game.result_marker, Some(ResultMarker::WhiteWins));
    assert_eq!(
        game.notes.iter().map(|note| note.kind).collect::<Vec<_>>(),
        [NoteKind::LineEndCrCrLf]
    );
}

#[test]
fn winboard() {
    let game = only(&data("match.pgn"));
    assert_eq!(game.dialect, Dialect::WinBoard);
    assert_eq!(game.evidence, "VariantMen \"M:FifD;K:KiN\"");
    assert_eq!(game.moves().count(), 48);
    assert_eq!(
        game.tag("FEN"),
        Some("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w EDed 0 1")
    );
    assert_eq!(game.notes, []);
    let without_tag = String::from_utf8(data("match.pgn"))
        .unwrap()
        .replace("[VariantMen \"M:FifD;K:KiN\"]\n", "");
    assert_eq!(
        only(without_tag.as_bytes()).dialect,
        Dialect::WinBoard,
        "the drawn board is enough"
    );
}

#[test]
fn pychess() {
    let found = read_archive(&data("pychess_db_2026-01.pgn.bz2"));
    assert_eq!(found.games.len(), 2);
    for (game, variant) in found.games.iter().zip(["Makruk", "Cambodian"]) {
        assert_eq!(game.dialect, Dialect::Pychess);
        assert_eq!(game.tag("Variant"), Some(variant));
        assert_eq!(game.tag("WhiteElo"), Some("1500?"));
    }
}

#[test]
fn results() {
    let found = read(&data("club.pgn"));
    let results: Vec<_> = found
        .games
        .iter()
        .map(|game| (game.tag("Result").unwrap(), game.result_marker.unwrap()))
        .collect();
    assert_eq!(results[0], ("1/2-1/2", ResultMarker::Draw));
    assert_eq!(results[1], ("1-0", ResultMarker::BlackWins));
    assert_eq!(
        read(&data("league.pgn"))
            .games
            .iter()
            .map(|g| g.moves().count())
            .collect::<Vec<_>>(),
        [24, 24, 14]
    );
}

#[test]
fn one_game_in_four_encodings() {
    for (file, encoding) in [
        ("cp874.pgn", Encoding::Windows874),
        ("utf8-bom.pgn", Encoding::Utf8Bom),
        ("utf16le.pgn", Encoding::Utf16Le),
        ("mixed.pgn", Encoding::Utf8),
    ] {
        for game in &read(&data(file)).games {
            let expected = if game.ordinal == 2 {
                Encoding::Utf8Bom
            } else {
                encoding
            };
            assert_eq!(game.encoding, expected, "{file}");
            assert_eq!(game.tag("Event"), Some("ชิงแชมป์หมากรุกไทย"), "{file}");
            assert_eq!(game.tag("White"), Some("สมชาย ใจดี"), "{file}");
            assert_eq!(game.moves().count(), 12, "{file}");
        }
    }
    assert_eq!(read(&data("mixed.pgn")).games.len(), 2);
}

#[test]
fn utf16_offsets_are_those_of_the_file() {
    let bytes = data("utf16le.pgn");
    let game = only(&bytes);
    assert_eq!(game.raw, &bytes[..game.byte_length as usize]);
    for token in game.moves() {
        let text: Vec<u8> = game
            .text(token)
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert!(game.raw[token.offset as usize..].starts_with(&text));
    }
    let white = game.tags.iter().find(|tag| tag.is("White")).unwrap();
    assert!(game.raw[white.offset as usize..].starts_with(b"[\0W\0h\0"));
}

#[test]
fn a_setting_overrides_what_is_seen() {
    let settings = archive::ReaderSettings {
        encoding: Some(Encoding::Windows1252),
        ..Default::default()
    };
    let bytes = data("cp874.pgn");
    let found = util::read_from(bytes.as_slice(), archive::Start::BEGINNING, &settings);
    assert_eq!(found.games[0].encoding, Encoding::Windows1252);
    assert_ne!(found.games[0].tag("White"), Some("สมชาย ใจดี"));
}

#[test]
fn variant_names() {
    let found = read(&data("names.pgn"));
    assert_eq!(found.games.len(), 21);
    assert_eq!(found.games[5].tag("Variant"), Some("หมากรุกไทย"));
    assert_eq!(found.games[18].tag("Variant"), Some(""));
    assert_eq!(found.games[19].tag("Variant"), None);
    assert_eq!(found.games[20].tag("Variant"), Some("makruk"));
}

fn comments(game: &RawGame) -> Vec<CommentFacts> {
    let comments = game
        .tokens
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Comment(_)));
    comments
        .map(|token| comment::parse(&game.text(token)))
        .collect()
}

#[test]
fn comments_clocks_evaluations() {
    let game = only(&data("comments.pgn"));
    assert_eq!(moves(&game).join(" "), "Nd2 g5 f4 Sc7 e4 f5 Sg2 gxf4 b4 a5");
    assert_eq!(game.result_marker, Some(ResultMarker::Open));
    let facts = comments(&game);
    assert!(
        facts[0]
            .text
            .contains("[Event \"not a tag\"]\n1-0 is only text")
    );
    assert_eq!(facts[1].clock_ms, Some(300_300));
    assert_eq!(
        facts[1].eval.as_ref().unwrap().value,
        EvalValue::Centipawns(12)
    );
    let second = facts[2].eval.as_ref().unwrap();
    assert_eq!(
        (second.value, second.depth),
        (EvalValue::Centipawns(-42), Some(18))
    );
    assert_eq!(facts[3].text, "a (paren ]");
    assert_eq!(facts[4].text, "rest of line 0-1 (");
    assert_eq!(facts[5].eval.as_ref().unwrap().value, EvalValue::Mate(-3));
    assert_eq!(facts[6].eval.as_ref().unwrap().value, EvalValue::Mate(2));
    assert_eq!(facts[7].text, "see {inner} text");
    let variations = game
        .tokens
        .iter()
        .filter(|token| matches!(token.kind, TokenKind::Variation { moves: 1 }));
    assert_eq!(variations.count(), 1);
    let kinds: Vec<_> = game.notes.iter().map(|note| note.kind).collect();
    assert_eq!(kinds, [NoteKind::HiddenLine, NoteKind::CommentNested]);
}

#[test]
fn one_game_in_other_spellings() {
    assert_eq!(only(&data("a.pgn")).dialect, Dialect::Pychess);
    assert_eq!(only(&data("b.txt")).dialect, Dialect::PlayOk);
    for (file, first, last) in [
        ("uci.pgn", "d3d4", "g7f8"),
        ("lan.pgn", "d3-d4", "Sg7-f8"),
        ("block.txt", "d3-d4", "g7-f8"),
    ] {
        let game = only(&data(file));
        let moves = moves(&game);
        assert_eq!(
            (moves.len(), moves[0].as_str(), moves[55].as_str()),
            (56, first, last),
            "{file}"
        );
        assert_eq!(game.notes, [], "{file}");
    }
    let first = only(&data("count.pgn"));
    assert_eq!(
        first.tokens[0].kind,
        TokenKind::MoveNumber {
            number: 1,
            black: true
        }
    );
    assert_eq!(first.notes, []);
}

#[test]
fn clocks_and_dates() {
    let found = read(&data("tc.pgn"));
    let expected = [
        (ClockKind::Clock, Some(600), Some("2026-01-02")),
        (ClockKind::Clock, Some(180), Some("2026-01-02")),
        (ClockKind::Clock, Some(180), None),
        (ClockKind::Clock, Some(9000), None),
        (ClockKind::None, None, None),
        (ClockKind::Unknown, None, Some("2026-01-02")),
        (ClockKind::Sandclock, Some(180), None),
        (ClockKind::Byoyomi, Some(900), None),
        (ClockKind::Correspondence, None, None),
        (ClockKind::Unknown, None, Some("2026-01-02")),
        (ClockKind::None, None, Some("2026-01-02")),
        (ClockKind::Unknown, None, Some("2026-01-02")),
    ];
    assert_eq!(found.games.len(), expected.len());
    for (game, (kind, base_s, iso)) in found.games.iter().zip(expected) {
        let control = time_control::parse(game.tag("TimeControl").unwrap());
        let day = date::parse(game.tag("Date").unwrap());
        let name = game.tag("Event").unwrap();
        assert_eq!(
            (control.kind, control.base_s, day.iso().as_deref()),
            (kind, base_s, iso),
            "{name}"
        );
    }
    assert_eq!(date::parse("2026.??.??").year, Some(2026));
}

/// Files that are read only where they lie beside the repository.
#[test]
fn real_archives() {
    let real =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/archives/real");
    if !real.is_dir() {
        return;
    }
    for path in util::all_files()
        .iter()
        .filter(|path| path.starts_with(&real))
    {
        let found = read_archive(&std::fs::read(path).unwrap());
        let name = path.strip_prefix(&real).unwrap().display().to_string();
        let games = found.games.len();
        match name.split('/').next().unwrap() {
            "playok-text" => {
                assert_eq!(
                    (games, found.games[0].dialect),
                    (1, Dialect::PlayOk),
                    "{name}"
                );
                assert_eq!(
                    found.games[0].notes.len(),
                    1,
                    "{name}: {:?}",
                    found.games[0].notes
                );
            }
            "winboard-fairymax" => {
                assert_eq!(
                    (found.games[0].dialect, found.games[0].moves().count()),
                    (Dialect::WinBoard, 126)
                );
                assert_eq!(found.games[0].result_marker, None);
            }
            "pychess-export-other-variants" => assert_eq!(found.games[0].dialect, Dialect::Pychess),
            "fsf-books-epd" => {
                assert_eq!(found.unreadable, []);
                assert!(found.games.iter().all(|game| game.dialect == Dialect::Epd));
                let lines = std::fs::read_to_string(path).unwrap().lines().count();
                assert_eq!(games, lines, "{name}");
            }
            "schemingmind-page-text" => {
                assert_eq!((games, found.unreadable.len()), (1, 0), "{name}");
                assert_eq!(found.games[0].dialect, Dialect::SchemingMind);
                assert!(found.games[0].result_marker.is_some());
                assert_eq!(found.games[0].notes, [], "{name}");
            }
            "khmer-ren" => {
                assert_eq!((games, found.unreadable.len()), (4, 0));
                assert!(found.games.iter().all(|game| game.dialect == Dialect::Ren));
            }
            "openmakruk-json" => {
                let known = [
                    ("game-fixtures.mate.json", 1),
                    ("master-games.excerpt.json", 2),
                    ("openings.excerpt.json", 3),
                ];
                let want = known
                    .iter()
                    .find(|(file, _)| name.ends_with(file))
                    .unwrap()
                    .1;
                assert_eq!((games, found.unreadable.len()), (want, 0), "{name}");
            }
            "README.md" => {}
            _ if name.ends_with(".pgn") => {
                assert_eq!(games, 5, "{name}");
                assert_eq!(found.games[0].dialect, Dialect::MakrukSf);
            }
            _ if name.ends_with(".jsonl") => {
                assert_eq!(found.unreadable, []);
                for game in &found.games {
                    assert_eq!(game.dialect, Dialect::MakrukSfJson);
                    let told: usize = game.tag("ply_count").unwrap().parse().unwrap();
                    assert_eq!(game.moves().count(), told, "{name}");
                }
            }
            _ => {
                assert_eq!(found.unreadable, [], "{name}");
                assert!(games > 0 && found.games.iter().all(|game| game.dialect == Dialect::Epd));
            }
        }
    }
}
