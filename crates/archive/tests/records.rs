//! Records that are no PGN: JSON, base64 of it, positions, the text of a page.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::{Dialect, NoteKind, RawGame, ReaderSettings, ResultMarker, Start, TokenKind};
use util::{Trickle, moves, read, read_from};

fn only(text: &str) -> RawGame {
    let mut found = read(text.as_bytes());
    assert_eq!(
        (found.games.len(), &found.unreadable[..]),
        (1, &[][..]),
        "{text}"
    );
    found.games.remove(0)
}

fn texts(game: &RawGame, kind: TokenKind) -> Vec<String> {
    let tokens = game.tokens.iter().filter(|token| token.kind == kind);
    tokens.map(|token| game.text(token).into_owned()).collect()
}

const LINE: &str = r#"{"game_id":3,"start_fen":"8/8/8/8/8/8/8/8 w","moves":["e1d2","d6d5"],"scores":[9,-14],"result":"1-0","termination":"adjudication","ply_count":2,"odd":null,"deep":{"a":[1,2]}}"#;

#[test]
fn a_json_line() {
    let game = only(LINE);
    assert_eq!(game.dialect, Dialect::MakrukSfJson);
    assert_eq!(game.raw, LINE.as_bytes());
    assert_eq!(moves(&game), ["e1d2", "d6d5"]);
    assert_eq!(texts(&game, TokenKind::Score), ["9", "-14"]);
    let kinds: Vec<_> = game.tokens.iter().map(|token| token.kind).collect();
    let (mv, score) = (TokenKind::Move, TokenKind::Score);
    assert_eq!(kinds, [mv, score, mv, score]);
    // Known fields become the tags of PGN, unknown ones keep their names, an absent value is none.
    for (name, value) in [
        ("FEN", "8/8/8/8/8/8/8/8 w"),
        ("Result", "1-0"),
        ("Termination", "adjudication"),
        ("game_id", "3"),
        ("deep.a", "[1,2]"),
    ] {
        assert_eq!(game.tag(name), Some(value), "{name}");
    }
    assert_eq!(game.tag("odd"), None);
    for token in &game.tokens {
        let at = token.offset as usize;
        let text = game.text(token).into_owned();
        assert!(game.raw[at..].starts_with(text.as_bytes()), "{text}");
    }
}

#[test]
fn what_is_wrapped_around_records_is_a_separator() {
    let object = r#"{"id":"x","moves":["e3e4"]}"#;
    for (before, between, after) in [
        ("", "\n", "\n"),
        ("[", ",", "]"),
        ("[\n  ", ",\n  ", "\n]\n"),
        ("{\"games\": [", ", ", "], \"total\": 2}"),
        ("{\"a\": {\"mate\": ", "}, \"b\": {\"c\": ", "}}\n"),
        ("\u{feff}[", " , ", "]"),
    ] {
        let text = format!("{before}{object}{between}{object}{after}");
        let found = read(text.as_bytes());
        assert_eq!(
            (found.games.len(), &found.unreadable[..]),
            (2, &[][..]),
            "{text}"
        );
        for game in &found.games {
            assert_eq!(game.raw, object.as_bytes(), "{text}");
        }
        let wide: Vec<u8> = format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let found = read(&wide);
        assert_eq!(found.games.len(), 2, "{text}");
        assert_eq!(moves(&found.games[1]), ["e3e4"]);
        assert_eq!(found.sums.total_bytes(), wide.len() as u64);
    }
}

#[test]
fn a_huge_array_on_one_line_is_cut_in_small_memory() {
    let mut text = String::from("[");
    for number in 0..20_000 {
        text.push_str(&format!(
            "{}{{\"id\":{number},\"moves\":[\"e3e4\",\"d6d5\"]}}",
            if number > 0 { "," } else { "" }
        ));
    }
    text.push(']');
    let settings = ReaderSettings {
        max_game_bytes: 4_096,
        ..ReaderSettings::default()
    };
    let found = read_from(text.as_bytes(), Start::BEGINNING, &settings);
    assert_eq!((found.games.len(), found.unreadable.len()), (20_000, 0));
    let slow = Trickle(text.as_bytes(), util::Seeded(3));
    assert_eq!(read_from(slow, Start::BEGINNING, &settings), found);
}

#[test]
fn broken_json_is_a_game_with_a_finding_and_costs_only_itself() {
    let good = r#"{"id":1,"moves":["e3e4"]}"#;
    for bad in [
        r#"{"id":2,"moves":["e3e4","d6"#,
        r#"{"id":2,"moves":["e3e4","#,
        r#"{"id":2,"moves":["e3e4"] "x"}"#,
        r#"{"id":2,"moves":[e3e4]}"#,
    ] {
        let text = format!("{good}\n{bad}\n{good}\n");
        let found = read(text.as_bytes());
        assert_eq!(
            (found.games.len(), &found.unreadable[..]),
            (3, &[][..]),
            "{bad}"
        );
        let broken: Vec<bool> = found
            .games
            .iter()
            .map(|game| {
                game.notes
                    .iter()
                    .any(|note| note.kind == NoteKind::RecordBroken)
            })
            .collect();
        assert_eq!(broken, [false, true, false], "{bad}");
        assert_eq!(found.games[1].raw, bad.as_bytes());
    }
}

#[test]
fn escapes_and_whole_games_in_a_text() {
    let game =
        only(r#"{"white":"\u0e01\"x\"","moves":["\u0065\u0033e4","d6d5"],"result":"1\/2-1\/2"}"#);
    assert_eq!(game.tag("White"), Some("ก\"x\""));
    assert_eq!(moves(&game), ["e3e4", "d6d5"]);
    assert_eq!(game.tag("Result"), Some("1/2-1/2"));
    let game = only(r#"{"pgn":"[Event \"club\"]\n\n1. e4 {good \u0e01} e5 1-0\n","id":7}"#);
    assert_eq!(game.tag("Event"), Some("club"));
    assert_eq!(moves(&game), ["e4", "e5"]);
    assert_eq!(game.result_marker, Some(ResultMarker::WhiteWins));
    let mv = game.moves().nth(1).unwrap();
    assert!(game.raw[mv.offset as usize..].starts_with(b"e5 1-0"));
    let game = only(r#"{"moves":"e3e4 d6d5 c3c4","winner":"black"}"#);
    assert_eq!(moves(&game).len(), 3);
    assert_eq!(game.result_marker, Some(ResultMarker::BlackWins));
    let game = only(r#"{"moves":[{"n":1,"uci":"e3e4"},{"san":"d5"},null,"?"]}"#);
    assert_eq!(moves(&game), ["e3e4", "d5"]);
    assert_eq!(texts(&game, TokenKind::Gap), ["null", "?"]);
}

#[test]
fn json_in_windows_874() {
    let text = r#"{"white":"สมชาย","moves":["e3e4"],"result":"1-0"}"#;
    let bytes = encoding_rs::WINDOWS_874.encode(text).0;
    let found = read(&bytes);
    let game = &found.games[0];
    assert_eq!(game.encoding.as_str(), "windows-874");
    assert_eq!(game.tag("White"), Some("สมชาย"));
    assert_eq!(moves(game), ["e3e4"]);
    let at = game.moves().next().unwrap().offset as usize;
    assert!(game.raw[at..].starts_with(b"e3e4"));
}

#[test]
fn kpgn_and_base64_of_it() {
    let object = r#"{"moves":["Fe3e4","fd6d5","Fe4d5<0^15"],"ren":"BHGQKGHB/8/FFFFFFFF/8/8/ffffffff/8/bhgkqghb w ---- -- -.-","whiteWin":true,"blackWin":false}"#;
    let game = only(object);
    assert_eq!(game.dialect, Dialect::Kpgn);
    assert_eq!(moves(&game), ["Fe3e4", "fd6d5", "Fe4d5<0^15"]);
    assert_eq!(game.result_marker, Some(ResultMarker::WhiteWins));
    assert!(game.tag("FEN").unwrap().starts_with("BHGQ"));
    let code = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, object);
    let wrapped: Vec<&str> = code
        .as_bytes()
        .chunks(76)
        .map(|line| std::str::from_utf8(line).unwrap())
        .collect();
    for text in [
        code.clone(),
        code.trim_end_matches('=').to_owned(),
        wrapped.join("\n"),
    ] {
        let other = only(&text);
        assert_eq!(other.dialect, Dialect::Kpgn);
        assert_eq!(moves(&other), moves(&game));
        assert_eq!(other.raw, text.as_bytes());
    }
    let found = read(format!("{code}\n{code}\n").as_bytes());
    assert_eq!((found.games.len(), found.unreadable.len()), (2, 0));
}

#[test]
fn positions() {
    let text = "# white is ahead\n1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\n\n# more\n\
        8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50\t391\tdraw  \n\
        8/8/4k3/5P2/8/2RMK3/8/8 w - - bm c3c8; id \"rook\"; variant makruk;\n\
        4k3/8/8/8/8/8/8/3K4 w ---- -- -.- bhgq\n# the end\n";
    let found = read(text.as_bytes());
    assert_eq!((found.games.len(), &found.unreadable[..]), (4, &[][..]));
    let fens: Vec<_> = found
        .games
        .iter()
        .map(|game| game.tag("FEN").unwrap())
        .collect();
    assert_eq!(
        fens,
        [
            "1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            "8/8/4k3/5P2/8/2RMK3/8/8 w - 126 41 50",
            "8/8/4k3/5P2/8/2RMK3/8/8 w - -",
            "4k3/8/8/8/8/8/8/3K4 w ---- -- -.- bhgq",
        ]
    );
    assert_eq!(found.games[1].tag("Column2"), Some("391"));
    assert_eq!(found.games[2].tag("bm"), Some("c3c8"));
    assert_eq!(found.games[2].tag("Variant"), Some("makruk"));
    let dialects: Vec<_> = found.games.iter().map(|game| game.dialect).collect();
    assert_eq!(
        dialects,
        [Dialect::Epd, Dialect::Epd, Dialect::Epd, Dialect::Ren]
    );
    for game in &found.games {
        assert_eq!(game.tokens, []);
    }
}

const PAGE: &str = "'Fast' (10 days + 1 day/move, max 30 days)\n\
This game is being played under Makruk (Thai Chess) rules. Click the 'info' tab for more information.\n\
1. e4 c5\nClock started on 08/05/2013\n2. Ne2 Nc6= 3. Qf2 Bf7\nBlack win\n";

#[test]
fn schemingmind_pages() {
    let game = only(PAGE);
    assert_eq!(game.dialect, Dialect::SchemingMind);
    assert_eq!(moves(&game), ["e4", "c5", "Ne2", "Nc6=", "Qf2", "Bf7"]);
    assert_eq!(game.tag("Variant"), Some("Makruk (Thai Chess)"));
    assert_eq!(game.tag("Date"), Some("08/05/2013"));
    assert_eq!(game.result_marker, Some(ResultMarker::BlackWins));
    assert_eq!(
        texts(&game, TokenKind::Result(ResultMarker::BlackWins)),
        ["Black win"]
    );
    assert_eq!(game.notes, []);
    let found = read(format!("Some words before.\n\n{PAGE}\n{PAGE}").as_bytes());
    assert_eq!((found.games.len(), found.unreadable.len()), (2, 1));
    // The date is missing from its line; and a NUL stands before the words.
    for (line, date) in [
        ("Clock started on ", ""),
        ("\0Clock started on 9 May", "9 May"),
    ] {
        let game = only(&PAGE.replace("Clock started on 08/05/2013", line));
        assert_eq!(game.tag("Date"), Some(date), "{line:?}");
    }
}

#[test]
fn moves_typed_with_blanks_and_by_numbers() {
    let game = only("1) c 3 - c 4 f 6 - f 5 2) Nb1 - d2 c6 x d5 3) N b 1 - d 2 1-0\n");
    assert_eq!(game.dialect, Dialect::HandTyped);
    assert_eq!(
        moves(&game),
        [
            "c 3 - c 4",
            "f 6 - f 5",
            "Nb1 - d2",
            "c6 x d5",
            "N b 1 - d 2"
        ]
    );
    let game = only("[Event \"x\"]\n\n1. 20-28 44-36 2. 12x21 N2-12 1-0\n");
    assert_eq!(game.dialect, Dialect::Numbered);
    assert_eq!(moves(&game), ["20-28", "44-36", "12x21", "N2-12"]);
    let game = only("[Event \"x\"]\n\n1. บ ก๓-ก๔ ม ข๘-ง๗ 2. ม็ จ๑-ง๒ ค ฉ๘xช๗+ 1-0\n");
    assert_eq!(game.dialect, Dialect::Thai);
    assert_eq!(moves(&game), ["บ ก๓-ก๔", "ม ข๘-ง๗", "ม็ จ๑-ง๒", "ค ฉ๘xช๗+"]);
    let bytes = encoding_rs::WINDOWS_874
        .encode("[Event \"แชมป์\"]\n\n1. บ ก๓-ก๔ ม ข๘-ง๗ 2. จ๔ ม็-ฉ๒ 1-0\n")
        .0;
    let found = read(&bytes);
    assert_eq!(moves(&found.games[0]), ["บ ก๓-ก๔", "ม ข๘-ง๗", "จ๔", "ม็-ฉ๒"]);
    assert_eq!(found.games[0].dialect, Dialect::Thai);
}

#[test]
fn each_game_of_a_mixed_file_has_its_own_dialect() {
    let text = format!(
        "[Variant \"makruk\" ]\n\n1. e4 e5 *\n\n{LINE}\n{PAGE}\n[Variant \"Ouk Chatrang\"]\n\n1. e3e4 d6d5 2. Kd1f2 *\n\n\
         [ID \"g\"]\n[Result \"1-0\"]\n[ResultReason \"x\"]\n[MoveCount \"2\"]\n\na3-a4 a6-a5\n\n\
         [Event \"Makruk-SF Self-Play\"]\n\n1. e3e4 *\n\n[Event \"x\"]\n\n1. Td2 Te7 *\n\n[Event \"y\"]\n\n1. e3e4 *\n\n\
         8/8/4k3/5P2/8/2RMK3/8/8 w - - 0 1\n"
    );
    let found = read(text.as_bytes());
    assert_eq!(found.unreadable, []);
    let dialects: Vec<_> = found
        .games
        .iter()
        .map(|game| game.dialect.as_str())
        .collect();
    assert_eq!(
        dialects,
        [
            "bj-makruk",
            "makruk-sf-json",
            "schemingmind",
            "khmer-client",
            "thaichess",
            "makruk-sf",
            "makruk-js",
            "uci",
            "epd"
        ]
    );
    for game in &found.games {
        assert!(!game.evidence.is_empty() && !game.dialect_is_set);
        assert_eq!(game.dialect.as_str().parse(), Ok(game.dialect));
    }
    let settings = ReaderSettings {
        dialect: Some(Dialect::PlayOk),
        ..ReaderSettings::default()
    };
    let set = read_from(text.as_bytes(), Start::BEGINNING, &settings);
    assert!(
        set.games
            .iter()
            .all(|game| game.dialect == Dialect::PlayOk && game.dialect_is_set)
    );
}
