//! Where games start and end, with everything that people and programs leave out or put in between.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use archive::{NoteKind, RawGame};
use util::{move_lists, moves, read};

fn events(bytes: &[u8]) -> Vec<String> {
    read(bytes)
        .games
        .iter()
        .map(|game| game.tag("Event").unwrap_or("-").to_owned())
        .collect()
}

fn kinds(game: &RawGame) -> Vec<NoteKind> {
    game.notes.iter().map(|note| note.kind).collect()
}

#[test]
fn all_line_ends() {
    let text = "[Event \"a\"]\n[Site \"s\"]\n\n1. e4\ne5 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
    for end in ["\n", "\r\n", "\r", "\r\r\n"] {
        let text = text.replace('\n', end);
        assert_eq!(move_lists(text.as_bytes()), ["e4 e5", "d4"], "{end:?}");
        assert_eq!(events(text.as_bytes()), ["a", "b"], "{end:?}");
    }
    let crcrlf = read(text.replace('\n', "\r\r\n").as_bytes());
    assert_eq!(kinds(&crcrlf.games[0]), [NoteKind::LineEndCrCrLf]);
}

#[test]
fn no_blank_lines_and_no_final_one() {
    assert_eq!(
        events(b"[Event \"a\"]\n1. e4 1-0\n[Event \"b\"]\n1. d4 0-1"),
        ["a", "b"]
    );
    assert_eq!(
        events(b"[Event \"a\"]\n1. e4\n[Event \"b\"]\n1. d4"),
        ["a", "b"],
        "no results either"
    );
}

#[test]
fn blank_lines_within_the_tags() {
    let found = read(b"[Event \"a\"]\n\n[Site \"s\"]\n\n\n[Round \"1\"]\n\n\n1. e4 1-0\n");
    assert_eq!(found.games.len(), 1);
    assert_eq!(found.games[0].tags.len(), 3);
    assert_eq!(kinds(&found.games[0]), [NoteKind::TagBlankLine]);
}

#[test]
fn games_without_moves() {
    let text =
        b"[Event \"a\"]\n[Result \"*\"]\n\n[Event \"b\"]\n[Result \"*\"]\n\n*\n\n[Event \"c\"]\n";
    assert_eq!(events(text), ["a", "b", "c"]);
}

#[test]
fn tags_after_the_moves() {
    let found =
        read(b"[Event \"a\"]\n\n1. e4 1-0\n[Termination \"normal\"]\n\n[Event \"b\"]\n\n1. d4 *\n");
    assert_eq!(found.games.len(), 2);
    assert_eq!(found.games[0].tag("Termination"), Some("normal"));
    assert_eq!(kinds(&found.games[0]), [NoteKind::TagAfterMoves]);
    // The same tag belongs to the next game if moves follow.
    let found = read(b"[Event \"a\"]\n\n1. e4 1-0\n\n[Termination \"normal\"]\n\n1. d4 *\n");
    assert_eq!(found.games.len(), 2);
    assert_eq!(found.games[1].tag("Termination"), Some("normal"));
}

#[test]
fn games_that_do_not_start_with_an_event() {
    let text =
        b"[ID \"1\"]\n[Result \"1-0\"]\n\na3-a4 a6-a5\n\n[ID \"2\"]\n[Result \"*\"]\n\nb3-b4\n";
    assert_eq!(move_lists(text), ["a3-a4 a6-a5", "b3-b4"]);
    let text = b"[White \"x\"]\n\n1. e4\n\n[Site \"y\"]\n[White \"z\"]\n\n1. d4\n";
    assert_eq!(move_lists(text), ["e4", "d4"]);
}

#[test]
fn games_without_tags() {
    let found = read(b"1. e4 e5 1-0\n\n1. d4 d5\n2. c4 0-1\n1. b4 *\n");
    assert_eq!(
        found
            .games
            .iter()
            .map(moves)
            .map(|m| m.join(" "))
            .collect::<Vec<_>>(),
        ["e4 e5", "d4 d5 c4", "b4"]
    );
    assert_eq!(kinds(&found.games[0]), [NoteKind::TagsMissing]);
    assert_eq!(
        move_lists(b"1. e4 e5\n\n1. d4 d5\n"),
        ["e4 e5", "d4 d5"],
        "no results either"
    );
}

#[test]
fn numbers_that_start_again_stay_in_their_game() {
    let found = read(b"[Event \"a\"]\n\n1. e4 e5\n\n1. d4 d5 1-0\n");
    assert_eq!(found.games.len(), 1);
    assert_eq!(kinds(&found.games[0]), [NoteKind::MoveNumberOff]);
}

#[test]
fn comments_hide_everything() {
    let text = b"[Event \"a\"]\n\n{x\n[Event \"no\"]\n1-0\n} 1. e4 {1-0} e5 ; 1-0 {\n2. d4 {\n\n[Event \"no\"]\n\n} 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
    assert_eq!(events(text), ["a", "b"]);
    assert_eq!(move_lists(text), ["e4 e5 d4", "d4"]);
}

#[test]
fn an_open_comment_does_not_swallow_the_file() {
    let text = b"[Event \"a\"]\n[Site \"s\"]\n\n1. e4 {oops\n1-0\n\n[Event \"b\"]\n[Site \"s\"]\n\n1. d4 *\n";
    assert_eq!(events(text), ["a", "b"]);
    assert_eq!(kinds(&read(text).games[0]), [NoteKind::CommentUnclosed]);
}

#[test]
fn hidden_lines() {
    let found = read(
        b"% a header\n[Event \"a\"]\n\n1. e4\n%hidden 1-0\ne5 *\n% a footer\n\n[Event \"b\"]\n",
    );
    assert_eq!(moves(&found.games[0]), ["e4", "e5"]);
    assert_eq!(found.games.len(), 2);
    assert_eq!(kinds(&found.games[0]), [NoteKind::HiddenLine]);
}

#[test]
fn marks_in_the_middle() {
    let found =
        read("\u{feff}[Event \"a\"]\n\n1. e4 *\n\n\u{feff}[Event \"b\"]\n\n1. d4 *\n".as_bytes());
    assert_eq!(
        found
            .games
            .iter()
            .map(|game| game.encoding.as_str())
            .collect::<Vec<_>>(),
        ["utf-8-bom"; 2]
    );
    assert_eq!(found.games[1].tag("Event"), Some("b"));
}

#[test]
fn tags_and_moves_on_one_line() {
    let found =
        read(b"[Event \"a\"][Site \"s\"] 1. e4 e5 1-0\n[Event \"b\"] [Site \"s\"] 1. d4 *\n");
    assert_eq!(found.games.len(), 2);
    assert_eq!(found.games[0].tag("Site"), Some("s"));
    assert_eq!(moves(&found.games[1]), ["d4"]);
}

#[test]
fn a_value_over_two_lines() {
    let found = read(b"[Event \"a\nb\"]\n[Site \"s\"]\n\n1. e4 *\n");
    assert_eq!(found.games.len(), 1);
    assert_eq!(found.games[0].tag("Event"), Some("a\nb"));
    assert_eq!(found.games[0].tag("Site"), Some("s"));
}

#[test]
fn text_around_games() {
    let found = read(b"Dear all,\nhere it is:\n\n[Event \"a\"]\n\n1. e4 1-0\n\nBest wishes\n");
    assert_eq!(found.games.len(), 1);
    assert_eq!(found.unreadable.len(), 2);
    let found = read(b"Our game was:\n1. e4 e5 2. Nf3 1-0\n");
    assert_eq!(moves(&found.games[0]), ["e4", "e5", "Nf3"]);
}

#[test]
fn moves_after_the_result_stay() {
    let found = read(b"[Event \"a\"]\n\n1. e4 1-0\n\n1... e5 2. d4 0-1\n");
    assert_eq!(found.games.len(), 1);
    assert!(kinds(&found.games[0]).contains(&NoteKind::MovesAfterResult));
    assert!(kinds(&found.games[0]).contains(&NoteKind::ResultRepeated));
    assert_eq!(
        found.games[0].result_marker,
        Some(archive::ResultMarker::BlackWins)
    );
}
