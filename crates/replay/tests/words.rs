//! Endings that the board cannot show: resignation, time, agreement, abandonment, a claimed repetition. They come from the record
//! only. Each under each of the ten rule sets: while a count runs, one ply before it runs out, with the ply that ends it, and
//! later; and on Ttakji's 400th ply.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{Certainty, FindingCode, Judge, Replay, Severity};
use rules::{Ending, GameResult, Ruleset, Variant};
use util::{accepted, finding, has, quiet};

use Certainty::{Impossible, Possible, Proved};
use FindingCode::{CountPlayedOn, EndingMismatch, ResultContradictsBoard, WinnerCannotMate};

fn built_in(id: &str) -> Judge {
    let rules = Ruleset::builtin(id).unwrap();
    let mut judge = Judge::default();
    judge.bind(rules.variant(), rules.id()).unwrap();
    judge
}

fn game(
    judge: &Judge,
    variant: Variant,
    fen: &str,
    words: &str,
    moves: &[String],
    result: &str,
) -> Replay {
    let variant = match variant {
        Variant::Makruk => "Makruk",
        Variant::Ouk => "Ouk",
        Variant::KarOuk => "Karouk",
    };
    let tags = match words {
        "" => String::new(),
        _ => format!("[Termination \"{words}\"]\n"),
    };
    util::text(&quiet::record(variant, fen, &tags, moves, result), judge)
}

/// Under a rule set that the game is bound to.
fn under(id: &str, fen: &str, words: &str, moves: &[String], result: &str) -> Replay {
    let variant = Ruleset::builtin(id).unwrap().variant();
    let replay = game(&built_in(id), variant, fen, words, moves, result);
    assert_eq!(accepted(&replay).plies.len(), moves.len(), "{id}");
    // What the record declares is kept, whatever the board says.
    let declared = accepted(&replay).result_declared.map(GameResult::as_str);
    assert_eq!(declared.unwrap_or("*"), result, "{id}");
    replay
}

/// What a record may say of its end, and whether that is a win of the side with more men or of the one that counts.
const WORDS: [(&str, Ending, &str); 9] = [
    ("Black resigns", Ending::Resignation, "1-0"),
    ("White resigns", Ending::Resignation, "0-1"),
    ("Time forfeit", Ending::Time, "1-0"),
    // White's flag falls against a bare khun, or against khun and ma.
    ("Time forfeit", Ending::Time, "0-1"),
    ("abandoned", Ending::Abandoned, "1-0"),
    ("abandoned", Ending::Abandoned, "0-1"),
    ("Draw by agreement", Ending::Agreement, "1/2-1/2"),
    // Claimed, but no position stood three times.
    ("Draw by repetition", Ending::Repetition, "1/2-1/2"),
    ("abandoned", Ending::Abandoned, "*"),
];

/// Where a game stops, seen from the ply after which its count has run out.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Phase {
    Runs,
    OnePlyBefore,
    WithTheLastPly,
    LongAgo,
}

const PHASES: [(Phase, i32); 4] = [
    (Phase::Runs, -4),
    (Phase::OnePlyBefore, -1),
    (Phase::WithTheLastPly, 0),
    (Phase::LongAgo, 4),
];

/// What must be said of a bound game whose count runs out after a ply, if it does.
fn certainty(phase: Phase, ending: Ending, result: &str, known: bool) -> Certainty {
    let over = matches!(phase, Phase::WithTheLastPly | Phase::LongAgo);
    match (over, result) {
        // The board is not over: only the record knows. A repetition that did not occur is none.
        (false, _) if ending == Ending::Repetition && known => Impossible,
        (false, _) => Possible,
        // The count has drawn the game: a draw is a draw, by whatever words; a win cannot be.
        (true, "1/2-1/2" | "*") => Proved,
        (true, _) => Impossible,
    }
}

fn check(id: &str, fen: &str, moves: &[String], expires: u32, derived: Ending) {
    // A repetition is refuted only where the record takes nothing for granted: it starts with a capture, or from the start.
    let known = fen == BARED && !id.ends_with("wikipedia");
    for (phase, offset) in PHASES {
        let plies = (expires as i32 + offset) as usize;
        let over = offset >= 0;
        for (words, ending, result) in WORDS {
            let place = format!("{id}, {phase:?} ({plies} plies), {words} {result}");
            let replay = under(id, fen, words, &moves[..plies], result);
            let game = accepted(&replay);
            let found = game
                .derived
                .map(|ended| (ended.ending, ended.result, ended.ply));
            let want = over.then_some((derived, GameResult::Draw, expires));
            assert_eq!(found, want, "{place}");
            assert_eq!(game.ending_declared, Some(ending), "{place}");
            assert_eq!(
                game.certainty,
                certainty(phase, ending, result, known),
                "{place}"
            );
            let win = result.contains('0') && !result.contains("1/2");
            let contradicts = has(&replay, ResultContradictsBoard);
            assert_eq!(
                contradicts,
                win && phase == Phase::WithTheLastPly,
                "{place}"
            );
            assert_eq!(
                has(&replay, CountPlayedOn),
                phase == Phase::LongAgo,
                "{place}"
            );
            let mismatch = has(&replay, EndingMismatch);
            assert_eq!(mismatch, ending == Ending::Repetition, "{place}");
        }
    }
}

/// White takes the last man with ply 1: two rua, N = 4, L = 8.
const BARED: &str = "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1";

/// The ply after which the pieces' honour has run out (RULES 4.3).
const PIECES: [(&str, u32); 8] = [
    ("makruk", 9),
    ("makruk-ttakji", 9),
    ("makruk-fairy", 10),
    ("ouk", 8),
    ("ouk-chessplayx", 9),
    ("cambodian-fairy", 8),
    ("kar-ouk", 8),
    ("karouk-fairy", 8),
];

#[test]
fn while_the_pieces_honour_is_counted() {
    let moves = quiet::moves(BARED, "makruk", "e1e4", 14);
    for (id, expires) in PIECES {
        check(id, BARED, &moves, expires, Ending::PiecesCount);
        // The bare khun wins by the record only: noted as the men cannot do it, under every rule set (`time_v_bare = loss`).
        for words in ["Time forfeit", "White resigns"] {
            let replay = under(id, BARED, words, &moves[..6], "0-1");
            assert_eq!(
                finding(&replay, WinnerCannotMate).severity,
                Severity::Note,
                "{id}"
            );
        }
    }
}

#[test]
fn where_the_pieces_honour_waits_for_a_word() {
    // W: nobody said start. Everything stays possible, before and after ply 10, when it could have run out first.
    let moves = quiet::moves(BARED, "makruk", "e1e4", 14);
    for id in ["makruk-wikipedia", "ouk-wikipedia"] {
        for plies in [6, 9, 10, 14] {
            for (words, ending, result) in WORDS {
                let replay = under(id, BARED, words, &moves[..plies], result);
                let game = accepted(&replay);
                assert_eq!((game.derived, game.ending_declared), (None, Some(ending)));
                assert_eq!(game.certainty, Possible, "{id} {plies} {words} {result}");
                assert!(!has(&replay, ResultContradictsBoard));
                let draw = plies >= 10 && result == "1/2-1/2";
                assert_eq!(has(&replay, FindingCode::CountDrawPossible), draw);
                let could = plies >= 10 && !draw;
                assert_eq!(has(&replay, FindingCode::CountCouldHaveExpired), could);
            }
        }
    }
}

/// White has khun, rua and met, Black khun and ma; no bia.
const ARMED: &str = "7k/8/5n2/8/8/8/4M3/R2K4 w - - 0 1";

#[test]
fn while_the_boards_honour_is_counted() {
    // Black says 1 with ply 2, where it must say so, and 64 with ply 128: drawn after the reply, ply 129. By itself the count
    // begins with the position after ply 1, for Black: ouk and F's ouk are drawn when 64 is said, F's makruk with 65, ply 130.
    let mut moves = quiet::moves(ARMED, "makruk", "", 134);
    for (id, expires) in [
        ("makruk-fairy", 130),
        ("ouk", 128),
        ("ouk-chessplayx", 129),
        ("cambodian-fairy", 128),
        ("kar-ouk", 128),
        ("karouk-fairy", 128),
    ] {
        check(id, ARMED, &moves, expires, Ending::BoardCount);
    }
    moves[1].push_str(" {[%count start]}");
    for id in [
        "makruk",
        "makruk-ttakji",
        "makruk-wikipedia",
        "ouk-wikipedia",
    ] {
        check(id, ARMED, &moves, 129, Ending::BoardCount);
    }
}

#[test]
fn on_ttakjis_four_hundredth_ply() {
    let moves = quiet::moves(ARMED, "makruk", "", 404);
    let results = ["1-0", "0-1", "1/2-1/2"];
    for (words, ending, result) in WORDS
        .into_iter()
        .filter(|(_, _, result)| results.contains(result))
    {
        for plies in [399, 400, 404] {
            let place = format!("{words} {result} {plies}");
            let replay = under("makruk-ttakji", ARMED, words, &moves[..plies], result);
            let game = accepted(&replay);
            let found = game.derived.map(|ended| (ended.ending, ended.ply));
            assert_eq!(
                found,
                (plies >= 400).then_some((Ending::PlyCap, 400)),
                "{place}"
            );
            assert_eq!(game.ending_declared, Some(ending), "{place}");
            let want = match (plies >= 400, result) {
                (true, "1/2-1/2") => Proved,
                (true, _) => Impossible,
                // Where the record begins with a position, what stood before is not known.
                (false, _) => Possible,
            };
            assert_eq!(game.certainty, want, "{place}");
            let contradicts = plies == 400 && result != "1/2-1/2";
            assert_eq!(has(&replay, ResultContradictsBoard), contradicts, "{place}");
            assert_eq!(
                has(&replay, FindingCode::MovesAfterEnd),
                plies == 404,
                "{place}"
            );
        }
        // The other makruk rule sets know no cap.
        for id in ["makruk", "makruk-wikipedia"] {
            let replay = under(id, ARMED, words, &moves[..400], result);
            assert_eq!(accepted(&replay).derived, None, "{id} {words}");
            assert_eq!(accepted(&replay).certainty, Possible, "{id} {words}");
        }
    }
}

#[test]
fn a_claimed_repetition_that_occurred() {
    // The first position stands again after plies 4 and 8.
    let round = [
        "a1a2", "f6h5", "a2a1", "h5f6", "a1a2", "f6h5", "a2a1", "h5f6", "e2f3",
    ];
    let moves = round.map(str::to_owned);
    let claim = "Draw by repetition";
    for (id, by_itself, claimed) in [
        ("makruk", true, Proved),
        ("makruk-ttakji", true, Proved),
        ("makruk-fairy", true, Proved),
        ("cambodian-fairy", true, Proved),
        ("karouk-fairy", true, Proved),
        // X: may be claimed. It was, and the board bears it out.
        ("ouk", false, Proved),
        ("ouk-chessplayx", false, Proved),
        ("kar-ouk", false, Proved),
        // W has no such rule: a draw then, if one was agreed on, which the record does not say.
        ("makruk-wikipedia", false, Possible),
        ("ouk-wikipedia", false, Possible),
    ] {
        let replay = under(id, ARMED, claim, &moves[..8], "1/2-1/2");
        let derived = accepted(&replay)
            .derived
            .map(|ended| (ended.ending, ended.ply));
        assert_eq!(
            derived,
            by_itself.then_some((Ending::Repetition, 8)),
            "{id}"
        );
        assert_eq!(accepted(&replay).certainty, claimed, "{id}");
        assert!(!has(&replay, EndingMismatch), "{id}");
        // Two times are not three: known to be so, as nothing but the position before the record is not.
        let early = under(id, ARMED, claim, &moves[..4], "1/2-1/2");
        assert_eq!(accepted(&early).certainty, Possible, "{id}");
        assert!(has(&early, EndingMismatch), "{id}");
        // One ply later the position has not stood three times: play went on.
        let late = under(id, ARMED, claim, &moves, "1/2-1/2");
        assert_eq!(accepted(&late).certainty, Possible, "{id}");
        // Nobody claims: a draw like any other, or a win against the rule.
        let unclaimed = under(id, ARMED, "", &moves[..8], "1/2-1/2");
        let want = if by_itself { Proved } else { Possible };
        assert_eq!(accepted(&unclaimed).certainty, want, "{id}");
        let won = under(id, ARMED, "Black resigns", &moves[..8], "1-0");
        let want = if by_itself { Impossible } else { Possible };
        assert_eq!(accepted(&won).certainty, want, "{id}");
    }
    // Where nothing binds the rule set, W's silence leaves ouk's claim open.
    let unbound = game(
        &Judge::default(),
        Variant::Ouk,
        ARMED,
        claim,
        &moves[..8],
        "1/2-1/2",
    );
    assert_eq!(accepted(&unbound).certainty, Possible);
}

#[test]
fn a_repetition_that_cannot_have_occurred() {
    // From the start, with nothing before the record.
    for (tag, certainty) in [("Makruk", Impossible), ("Ouk", Impossible)] {
        let text = format!(
            "[Variant \"{tag}\"]\n[Termination \"repetition\"]\n[Result \"1/2-1/2\"]\n\n1. Nd2 Nd7 2. Nb1 Nb8 1/2-1/2\n"
        );
        for id in ["makruk", "ouk"] {
            if !tag.eq_ignore_ascii_case(id) {
                continue;
            }
            let replay = util::text(&text, &built_in(id));
            assert_eq!(accepted(&replay).certainty, certainty, "{tag}");
            let mismatch = finding(&replay, EndingMismatch);
            assert!(
                mismatch.message.contains("no position stood three times"),
                "{}",
                mismatch.message
            );
        }
    }
}

#[test]
fn words_that_contradict_their_result() {
    let moves = quiet::moves(ARMED, "makruk", "", 8);
    for (words, result, against) in [
        ("Draw by agreement", "1-0", true),
        ("Draw by agreement", "1/2-1/2", false),
        ("Black resigns", "1/2-1/2", true),
        ("Time forfeit", "1/2-1/2", true),
        ("Time forfeit", "0-1", false),
        ("abandoned", "1/2-1/2", false),
    ] {
        for (id, certainty) in [
            ("makruk-ttakji", Proved),
            ("makruk", Possible),
            ("makruk-wikipedia", Possible),
        ] {
            let replay = under(id, ARMED, words, &moves, result);
            assert_eq!(
                has(&replay, EndingMismatch),
                against,
                "{id} {words} {result}"
            );
            if against {
                assert_eq!(
                    finding(&replay, EndingMismatch).certainty,
                    certainty,
                    "{id} {words}"
                );
            }
        }
    }
}

#[test]
fn a_flag_against_a_bare_khun_by_time_v_bare() {
    let text = "id = \"ours\"\ntitle = \"\"\nbased_on = \"makruk\"\nauthority = \"assumed\"\n[switches]\n\
                time_v_bare = { value = \"draw\", source = \"test\" }\n";
    let rules = Ruleset::from_toml(text).unwrap();
    let mut judge = Judge::default();
    judge
        .know(std::sync::Arc::clone(&rules))
        .bind(Variant::Makruk, rules.id())
        .unwrap();
    let moves = quiet::moves(BARED, "makruk", "e1e4", 6);
    let play = |result| {
        game(
            &judge,
            Variant::Makruk,
            BARED,
            "Time forfeit",
            &moves,
            result,
        )
    };
    let lost = play("0-1");
    assert_eq!(accepted(&lost).certainty, Impossible);
    assert_eq!(finding(&lost, WinnerCannotMate).severity, Severity::Error);
    let drawn = play("1/2-1/2");
    assert_eq!(accepted(&drawn).certainty, Possible);
    assert!(!has(&drawn, EndingMismatch));
    // The bare khun's own flag is another matter.
    let won = play("1-0");
    assert_eq!(accepted(&won).certainty, Possible);
    assert!(!has(&won, WinnerCannotMate));
}

/// Two ruas against a khun that the bia keep from being bare, with no count and no repetition: a mate after Ttakji's cap.
#[test]
fn a_mate_after_a_cap_that_another_reading_has() {
    let fen = "6k1/R7/8/p7/P7/3K4/8/1R6 w - - 0 1";
    let mated = |plies: u32| {
        let rules = Ruleset::builtin("makruk").unwrap();
        let mut moves = quiet::moves(fen, "makruk", "", plies);
        let start = notation::fen::parse(fen, &rules).unwrap();
        let mut position = start.position;
        for text in &moves {
            position.play(position.resolve(text.parse().unwrap()).unwrap());
        }
        let mate = position.legal_moves().iter().copied().find(|&mv| {
            let mut after = position;
            after.play(mv);
            after.in_check() && !after.has_legal_move()
        })?;
        moves.push(mate.to_string());
        Some(moves)
    };
    for (from, certainty) in [(200, Proved), (402, Possible)] {
        let moves = (from..from + 60).step_by(2).find_map(mated).unwrap();
        let replay = game(&Judge::default(), Variant::Makruk, fen, "", &moves, "1-0");
        let derived = accepted(&replay).derived.unwrap();
        assert_eq!(derived.ending, Ending::Checkmate);
        assert_eq!(accepted(&replay).certainty, certainty, "{}", moves.len());
    }
}
