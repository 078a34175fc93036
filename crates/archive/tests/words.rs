//! Words of the move text.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::{Dialect, NoteKind, RawGame, ResultMarker, TokenKind};
use util::{moves, read};

fn game(text: &str) -> RawGame {
    let mut found = read(format!("[Event \"x\"]\n[Variant \"Makruk\"]\n\n{text}\n").as_bytes());
    assert_eq!(found.games.len(), 1, "{text}");
    found.games.remove(0)
}

fn kinds(game: &RawGame) -> Vec<NoteKind> {
    game.notes.iter().map(|note| note.kind).collect()
}

#[test]
fn moves_of_every_dialect() {
    for text in [
        "Nd2 e3e4 d5e6m exf6=M Mbc5 P1e2 Pxb6 Nb1-d2 e3-e4 e4xd5 Ke2+ Ra7# Qc6+= Nd8= O-O c4:d5",
        "จ๔ จxง๕ ม-ง๒ ม็-ฉ๒ ข-จ๗",
        "Fe3e4 fd6d5 Fe4d5<0^15",
    ] {
        let game = game(text);
        assert_eq!(moves(&game).join(" "), text);
        assert_eq!(kinds(&game), []);
    }
}

#[test]
fn numbers() {
    let game = game("1.e4 e5 2) d4 d5 3 c4 3...c5 4. ... 4… b5 *");
    assert_eq!(moves(&game), ["e4", "e5", "d4", "d5", "c4", "c5", "b5"]);
    assert!(kinds(&game).contains(&NoteKind::MoveNumberStyle));
    assert_eq!(
        kinds(&self::game("1. e4 e5 2. d4 4. c4")),
        [NoteKind::MoveNumberOff]
    );
    assert_eq!(kinds(&self::game("1. ... e5 2. d4 d5 3. c4")), []);
    assert_eq!(
        kinds(&self::game(
            "7... e5 8. d4 d5 9. c4 {x} 9... b5 (9... c5) 10. a4"
        )),
        []
    );
}

#[test]
fn glyphs_and_gaps() {
    let game = game("1. e4!? e5 $14 2. d4! ⩲ -- 3. ? ... Z0 e.p. *");
    let words: Vec<_> = game
        .tokens
        .iter()
        .map(|token| (token.kind, game.text(token).into_owned()))
        .collect();
    let nags: Vec<_> = words
        .iter()
        .filter(|(kind, _)| matches!(kind, TokenKind::Nag { .. }))
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(nags, ["!?", "$14", "!", "⩲"]);
    let gaps: Vec<_> = words
        .iter()
        .filter(|(kind, _)| *kind == TokenKind::Gap)
        .map(|(_, text)| text.as_str())
        .collect();
    assert_eq!(gaps, ["--", "?", "...", "Z0"]);
    assert_eq!(kinds(&game), [NoteKind::WordInMoves]);
}

#[test]
fn variations_are_kept_apart() {
    let game = game(
        "(1. a4 (1. b4) b5) 1. e4 (1. d4 d5 {)} (1... c5 2. c4)) e5 (=) 2. d4 ((((3. a4)))) *",
    );
    assert_eq!(moves(&game), ["e4", "e5", "d4"]);
    let counts: Vec<_> = game
        .tokens
        .iter()
        .filter_map(|token| match token.kind {
            TokenKind::Variation { moves } => Some(moves),
            _ => None,
        })
        .collect();
    assert_eq!(counts, [3, 4, 1]);
    assert!(
        game.tokens
            .iter()
            .any(|token| token.kind == TokenKind::DrawOffer)
    );
    assert_eq!(kinds(&game), []);
}

#[test]
fn brackets_that_close_nothing() {
    let game = game("1. e4 } e5 ) 2. d4 (2. c4 c5\n1-0");
    assert_eq!(moves(&game), ["e4", "e5", "d4"]);
    assert_eq!(game.result_marker, Some(ResultMarker::WhiteWins));
    assert_eq!(
        kinds(&game),
        [
            NoteKind::CommentStrayClose,
            NoteKind::VariationStrayClose,
            NoteKind::VariationUnclosed
        ]
    );
}

#[test]
fn nested_comments_either_way() {
    // Balanced: one comment. A move number between the braces: the first one closes.
    assert_eq!(moves(&game("1. e4 {see {inner} text} e5 *")), ["e4", "e5"]);
    let game = game("1. e4 {see {inner} e5 2. d4 {y} d5 *");
    assert_eq!(moves(&game), ["e4", "e5", "d4", "d5"]);
    assert_eq!(kinds(&game), [NoteKind::CommentNested]);
}

#[test]
fn results_in_all_spellings() {
    for (text, marker) in [
        ("1-0", ResultMarker::WhiteWins),
        ("1 - 0", ResultMarker::WhiteWins),
        ("½-½", ResultMarker::Draw),
        ("1/2", ResultMarker::Draw),
        ("0.5-0.5", ResultMarker::Draw),
        ("0-0", ResultMarker::BothLose),
        ("*", ResultMarker::Open),
        ("1-0{done}", ResultMarker::WhiteWins),
    ] {
        let game = game(&format!("1. e4 e5 {text}"));
        assert_eq!(game.result_marker, Some(marker), "{text}");
        assert_eq!(moves(&game), ["e4", "e5"], "{text}");
    }
    assert_eq!(game("1. e4 White win").result_marker, None);
}

#[test]
fn commands_in_the_open() {
    let game = game("1. e4 [%clk 0:01:02] e5 [x\n2. d4 *");
    assert_eq!(moves(&game), ["e4", "e5", "d4"]);
    assert_eq!(kinds(&game), [NoteKind::BracketInMoves]);
}

#[test]
fn dialects() {
    let dialect =
        |tags: &str, text: &str| read(format!("{tags}\n\n{text}\n").as_bytes()).games[0].dialect;
    assert_eq!(
        dialect("[Variant \"makruk\"]", "1. e4 {+0.12/14 0.5s} d5 {book}"),
        Dialect::Cutechess
    );
    assert_eq!(
        dialect("[Variant \"makruk\"]", "1. e4 {book} d5"),
        Dialect::Cutechess
    );
    assert_eq!(
        dialect("[Variant \"makruk\"]", "1. e4 {-0.27/28 29} d5"),
        Dialect::WinBoard
    );
    assert_eq!(
        dialect(
            "[Site \"https://www.pychess.org/analysis/makruk\"]",
            "1. e4 *"
        ),
        Dialect::PychessAnalysis
    );
    assert_eq!(
        dialect("[Site \"https://www.pychess.org/x\"]", "1. e4 (1. d4) *"),
        Dialect::PychessAnalysis
    );
    assert_eq!(
        dialect("[Annotator \"PyChess 1.0\"]", "1. e4 *"),
        Dialect::PychessDesktop
    );
    assert_eq!(dialect("[Event \"x\"]", "1. Bb2 bxc3=P"), Dialect::PlayOk);
    assert_eq!(
        dialect("[Event \"x\"]", "1. e4 {1/2 was offered}"),
        Dialect::Pgn
    );
}

#[test]
fn tags_first_value_counts() {
    let found = read(b"[Event \"a\"]\n[event \"b\"]\n[White 'x']\n[Black]\n\n*\n");
    let game = &found.games[0];
    assert_eq!(game.tag("EVENT"), Some("a"));
    assert_eq!(game.tags.len(), 4);
    let kinds = kinds(game);
    for kind in [
        NoteKind::TagDuplicate,
        NoteKind::TagLowerCase,
        NoteKind::TagQuoteStyle,
        NoteKind::TagValueMissing,
    ] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

#[test]
fn a_stray_byte_costs_one_letter() {
    let mut text = "[Event \"สมชาย\"]\n[White \"".as_bytes().to_vec();
    text.extend(b"\xe9x\"]\n\n1. e4 *\n");
    let game = &read(&text).games[0];
    assert_eq!(game.encoding.as_str(), "utf-8");
    assert_eq!(game.tag("White"), Some("\u{fffd}x"));
    assert_eq!(kinds(game), [NoteKind::StrayByte]);
}

/// Somebody sets eight bits for a file in UTF-16: the words are lost, the reading comes to an end.
#[test]
fn an_encoding_that_the_file_is_not_in() {
    let text = "\u{feff}[Event \"x\"]\n\n1. e4 e5 *\n";
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let settings = archive::ReaderSettings {
        encoding: Some(archive::Encoding::Windows874),
        ..archive::ReaderSettings::default()
    };
    let twice = [bytes.clone(), bytes].concat();
    let items = archive::Games::new(twice.as_slice(), archive::Start::BEGINNING, &settings);
    assert!(items.take(100).count() < 10);
}

/// The same tags and moves in every encoding, made by hand, alone and one behind another.
#[test]
fn encodings_by_hand() {
    use archive::Encoding;
    let text = "[Event \"x\"]\n[White \"สมชาย ใจดี\"]\n\n1. e4 e5 *\n\n";
    let latin = "[Event \"x\"]\n[White \"José Müller\"]\n\n1. e4 e5 *\n\n";
    let le = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
    let be = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_be_bytes).collect() };
    let marked = format!("\u{feff}{text}");
    let thai = encoding_rs::WINDOWS_874.encode(text).0.into_owned();
    let western = encoding_rs::WINDOWS_1252.encode(latin).0.into_owned();
    let parts: [(&str, Vec<u8>, Encoding); 9] = [
        ("utf-8", text.as_bytes().to_vec(), Encoding::Utf8),
        (
            "utf-8 with a mark",
            marked.as_bytes().to_vec(),
            Encoding::Utf8Bom,
        ),
        ("windows-874", thai, Encoding::Windows874),
        ("windows-1252", western, Encoding::Windows1252),
        ("utf-16le with a mark", le(&marked), Encoding::Utf16Le),
        ("utf-16be with a mark", be(&marked), Encoding::Utf16Be),
        ("utf-16le", le(text), Encoding::Utf16Le),
        ("utf-16be", be(text), Encoding::Utf16Be),
        (
            "utf-16le without tags",
            le("1. e4 e5 *\n"),
            Encoding::Utf16Le,
        ),
    ];
    for (name, bytes, encoding) in &parts {
        let found = read(bytes);
        assert_eq!(
            (found.games.len(), &found.unreadable[..]),
            (1, &[][..]),
            "{name}"
        );
        let game = &found.games[0];
        assert_eq!(game.encoding, *encoding, "{name}");
        let white = match (game.tags.is_empty(), encoding) {
            (true, _) => None,
            (_, Encoding::Windows1252) => Some("José Müller"),
            _ => Some("สมชาย ใจดี"),
        };
        assert_eq!(game.tag("White"), white, "{name}");
        assert_eq!(moves(game), ["e4", "e5"], "{name}");
        assert_eq!(
            game.raw,
            bytes[game.byte_offset as usize..][..game.byte_length as usize],
            "{name}"
        );
    }
    // One behind another, UTF-16 last: nothing says where a file of two bytes a letter would end.
    let all: Vec<u8> = parts[..5]
        .iter()
        .flat_map(|(_, bytes, _)| bytes.clone())
        .collect();
    let found = read(&all);
    let encodings: Vec<_> = found.games.iter().map(|game| game.encoding).collect();
    let wanted: Vec<_> = parts[..5]
        .iter()
        .map(|(_, _, encoding)| *encoding)
        .collect();
    assert_eq!(encodings, wanted);
    assert_eq!(found.unreadable, []);
    assert_eq!(found.sums.total_bytes(), all.len() as u64);
    for game in &found.games {
        let range = game.byte_offset as usize..(game.byte_offset + game.byte_length) as usize;
        assert_eq!(game.raw, all[range]);
    }
}
