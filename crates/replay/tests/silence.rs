//! Where the record is silent: from which ply to which a count can have been started, and what that makes of a declared draw or
//! win. Each edge one ply before, at and after it. Derived by hand from RULES 4.1 and 4.2.
//!
//! Most games here are judged by makruk with a limit of 3 instead of 64. A board's honour count started with ply t says 1, 2,
//! 3 with the plies t, t + 2, t + 4, and is drawn (RULES 4.3)
//!   by `reach` when 3 is said: after ply t + 4,
//!   by `reply` after the reply to 3: after ply t + 5,
//!   by `exceed` when 4 would be said: after ply t + 6.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{Certainty, CountBasis, EpisodeEnd, FindingCode, Judge, Replay, StartInterval};
use rules::{Color, CountKind, Ruleset, RulesetId, Variant};
use util::{accepted, finding, has, quiet};

/// A judge bound to a rule set with some switches set otherwise.
fn judge(based_on: &str, switches: &[(&str, &str)]) -> Judge {
    let mut text = format!(
        "id = \"ours\"\ntitle = \"\"\nbased_on = \"{based_on}\"\nauthority = \"assumed\"\n[switches]\n"
    );
    for (name, value) in switches {
        text.push_str(&format!(
            "{name} = {{ value = {value}, source = \"test\" }}\n"
        ));
    }
    bound(Ruleset::from_toml(&text).unwrap())
}

fn bound(rules: std::sync::Arc<Ruleset>) -> Judge {
    let (variant, id) = (rules.variant(), rules.id().clone());
    let mut judge = Judge::default();
    judge.know(rules).bind(variant, &id).unwrap();
    judge
}

fn built_in(id: &str) -> Judge {
    bound(Ruleset::builtin(id).unwrap())
}

const THREE: (&str, &str) = ("board_limit", "3");

/// White has khun, rua and met, Black khun and ma: Black is the weaker one. White is to move and no bia is left, so White may
/// start with ply 1 and Black with ply 2.
const ARMED: &str = "7k/8/5n2/8/8/8/4M3/R2K4 w - - 0 1";

fn play(judge: &Judge, fen: &str, moves: &[String], ending: &str, result: &str) -> Replay {
    let tags = match ending {
        "" => String::new(),
        _ => format!("[Termination \"{ending}\"]\n"),
    };
    let replay = util::text(&quiet::record("Makruk", fen, &tags, moves, result), judge);
    assert_eq!(accepted(&replay).plies.len(), moves.len());
    replay
}

/// Side, earliest and latest start, earliest expiry, latest start in time.
type Start = (char, u32, u32, Option<u32>, Option<u32>);

fn starts(replay: &Replay) -> Vec<Start> {
    let all = accepted(replay).silent_starts.iter();
    all.map(|start: &StartInterval| {
        (
            start.side.letter(),
            start.earliest,
            start.latest,
            start.expires,
            start.latest_in_time,
        )
    })
    .collect()
}

/// Ending of the count, plies of the game, and for White and Black: the earliest expiry and the latest start in time.
type Edge = (&'static str, u32, Option<(u32, u32)>, Option<(u32, u32)>);

#[test]
fn a_draw_by_the_boards_honour_at_its_edges() {
    let edges: [Edge; 13] = [
        // White's count of ply 1 runs out after ply 6, Black's of ply 2 after ply 7.
        ("reply", 5, None, None),
        ("reply", 6, Some((6, 1)), None),
        ("reply", 7, Some((6, 1)), Some((7, 2))),
        // White's of ply 3 after ply 8, Black's of ply 4 after ply 9.
        ("reply", 8, Some((6, 3)), Some((7, 2))),
        ("reply", 9, Some((6, 3)), Some((7, 4))),
        ("reach", 4, None, None),
        ("reach", 5, Some((5, 1)), None),
        ("reach", 6, Some((5, 1)), Some((6, 2))),
        ("reach", 7, Some((5, 3)), Some((6, 2))),
        ("exceed", 6, None, None),
        ("exceed", 7, Some((7, 1)), None),
        ("exceed", 8, Some((7, 1)), Some((8, 2))),
        ("exceed", 9, Some((7, 3)), Some((8, 2))),
    ];
    for (end, plies, white, black) in edges {
        let judge = judge("makruk", &[THREE, ("board_end", &format!("\"{end}\""))]);
        let moves = quiet::moves(ARMED, "makruk", "", plies);
        let replay = play(&judge, ARMED, &moves, "board_count", "1/2-1/2");
        let latest = |side: u32| side + (plies - side) / 2 * 2;
        let of = |letter, first, edge: Option<(u32, u32)>| {
            let (expires, in_time) = edge.unzip();
            (letter, first, latest(first), expires, in_time)
        };
        let want = vec![of('w', 1, white), of('b', 2, black)];
        assert_eq!(starts(&replay), want, "{end} {plies}");
        // A draw claimed one ply too early is impossible.
        let possible = white.is_some() || black.is_some();
        let codes = (
            has(&replay, FindingCode::CountDrawPossible),
            has(&replay, FindingCode::CountDrawImpossible),
        );
        assert_eq!(codes, (possible, !possible), "{end} {plies}");
        let certainty = match possible {
            true => Certainty::Possible,
            false => Certainty::Impossible,
        };
        assert_eq!(accepted(&replay).certainty, certainty, "{end} {plies}");
        // The episode is that of the weaker side, Black.
        let episode = &accepted(&replay).counts[0];
        assert_eq!(
            (episode.basis, episode.side),
            (CountBasis::Silent, Some(Color::Black))
        );
        let ended = match black {
            Some(_) => EpisodeEnd::Limit,
            None => EpisodeEnd::RecordEnded,
        };
        assert_eq!(episode.ended, ended, "{end} {plies}");
        // A win after it can have run out stays possible, as every win that the board does not show.
        let won = play(&judge, ARMED, &moves, "resignation", "1-0");
        assert_eq!(accepted(&won).certainty, Certainty::Possible);
        assert_eq!(has(&won, FindingCode::CountCouldHaveExpired), possible);
    }
}

#[test]
fn sixty_four_under_each_rule_set_that_counts_by_will() {
    for id in ["makruk", "makruk-ttakji", "makruk-wikipedia"] {
        for (plies, want) in [
            (127, None),
            (128, Some((128, 1))),
            (129, Some((128, 1))),
            (130, Some((128, 3))),
        ] {
            let moves = quiet::moves(ARMED, "makruk", "", plies);
            let replay = play(&built_in(id), ARMED, &moves, "board_count", "1/2-1/2");
            let (expires, in_time) = want.unzip();
            let (side, earliest, _, ended, start) = starts(&replay)[0];
            assert_eq!(
                (side, earliest, ended, start),
                ('w', 1, expires, in_time),
                "{id} {plies}"
            );
            let impossible = accepted(&replay).certainty == Certainty::Impossible;
            assert_eq!(impossible, want.is_none(), "{id} {plies}");
        }
    }
}

#[test]
fn a_rule_set_that_counts_by_itself_leaves_nothing_open() {
    let moves = quiet::moves(ARMED, "makruk", "", 20);
    let replay = play(
        &built_in("makruk-fairy"),
        ARMED,
        &moves,
        "board_count",
        "1/2-1/2",
    );
    assert_eq!(starts(&replay), []);
    // White counts from ply 1 on... the count of Black's first turn: 10 of 64 said with ply 20.
    assert!(has(&replay, FindingCode::CountDrawImpossible));
    assert_eq!(accepted(&replay).certainty, Certainty::Impossible);
}

#[test]
fn it_opens_when_the_last_bia_is_gone() {
    // The bia promotes with ply 1: Black may start with ply 2, White with ply 3.
    let fen = "7k/8/5n2/P7/8/8/4M3/R2K4 w - - 0 1";
    let moves = quiet::moves(fen, "makruk", "a5a6m", 8);
    let replay = play(
        &judge("makruk", &[THREE]),
        fen,
        &moves,
        "board_count",
        "1/2-1/2",
    );
    assert_eq!(
        starts(&replay),
        [('w', 3, 7, Some(8), Some(3)), ('b', 2, 8, Some(7), Some(2))]
    );
    let short = play(
        &judge("makruk", &[THREE]),
        fen,
        &moves[..6],
        "board_count",
        "1/2-1/2",
    );
    assert_eq!(accepted(&short).certainty, Certainty::Impossible);
}

#[test]
fn it_closes_when_a_side_is_bared() {
    // The ma steps to e4 with the ply before the last, and the rua takes it: the pieces' honour is counted from then on.
    let fen = "7k/8/8/8/8/6n1/R7/3KM3 w - - 0 1";
    let quiet_plies = ["a2a3", "g3h1", "a3a2", "h1g3", "a2a4", "g3e4", "a4e4"];
    let moves = |from: usize| -> Vec<String> {
        quiet_plies[from..]
            .iter()
            .map(|&mv| mv.to_owned())
            .collect()
    };
    // Bared with ply 7: White's count of ply 1 ran out with ply 6; Black's of ply 2 would have with ply 7.
    let replay = play(&judge("makruk", &[THREE]), fen, &moves(0), "", "1/2-1/2");
    assert_eq!(
        starts(&replay),
        [('w', 1, 7, Some(6), Some(1)), ('b', 2, 6, None, None)]
    );
    let counts = &accepted(&replay).counts;
    assert_eq!(
        (counts[0].kind, counts[0].ended),
        (CountKind::Board, EpisodeEnd::Replaced)
    );
    assert_eq!(counts[1].kind, CountKind::Pieces);
    // Bared with ply 5: too early for either.
    let soon = [
        "a2a4", "g3f5", "d1d2", "f5d4", "a4d4", "h8h7", "d4d5", "h7h8",
    ]
    .map(str::to_owned);
    let open = play(&judge("makruk", &[THREE]), fen, &soon, "", "1/2-1/2");
    assert_eq!(
        starts(&open),
        [('w', 1, 5, None, None), ('b', 2, 4, None, None)]
    );
    // By W, whose pieces' honour waits for a word, the board's honour goes on after the capture.
    let wiki = play(
        &judge("makruk-wikipedia", &[THREE]),
        fen,
        &moves(0),
        "",
        "1/2-1/2",
    );
    assert_eq!(
        starts(&wiki),
        [('w', 1, 7, Some(6), Some(1)), ('b', 2, 6, Some(7), Some(2))]
    );
}

#[test]
fn who_may_start_by_board_who() {
    // Three men on either side: `le3` lets both count. With four men White may not.
    let few = [
        THREE,
        ("board_who", "\"le3\""),
        ("board_trigger", "\"le3\""),
    ];
    let le3 = judge("makruk", &few);
    let moves = quiet::moves(ARMED, "makruk", "", 6);
    let both = play(&le3, ARMED, &moves, "", "1/2-1/2");
    assert_eq!(
        starts(&both)
            .iter()
            .map(|start| start.0)
            .collect::<String>(),
        "wb"
    );
    let four = "7k/8/5n2/8/8/8/4M3/RM1K4 w - - 0 1";
    let moves = quiet::moves(four, "makruk", "", 6);
    let black = play(&le3, four, &moves, "", "1/2-1/2");
    assert_eq!(starts(&black), [('b', 2, 6, None, None)]);
    let armed = play(&judge("makruk", &[THREE]), four, &moves, "", "1/2-1/2");
    assert_eq!(starts(&armed).len(), 2);
    // A bia is left: `le3` with the ouk trigger does not mind, makruk's does.
    let bia = "7k/8/5n2/8/8/7P/4M3/R2K4 w - - 0 1";
    let moves = quiet::moves(bia, "makruk", "", 6);
    let ouk_like = play(&le3, bia, &moves, "", "1/2-1/2");
    assert_eq!(starts(&ouk_like).len(), 1);
    let makruk = play(&judge("makruk", &[THREE]), bia, &moves, "", "1/2-1/2");
    assert_eq!(starts(&makruk), []);
}

/// Black, with a ma against two rua, is to move; White mates with b1b8 or b2b8 when it likes.
const MATING: &str = "7k/R7/8/8/8/8/K7/1R5n b - - 0 1";

fn mate_with_ply(ply: usize) -> Vec<String> {
    let shuffle = [
        "h1g3", "b1b2", "g3h1", "b2b3", "h1g3", "b3b2", "g3h1", "b2b1",
    ];
    let mut moves: Vec<String> = shuffle[..ply - 1].iter().map(|&mv| mv.to_owned()).collect();
    let rank = match ply {
        2 => "b1",
        4 | 8 => "b2",
        _ => "b3",
    };
    moves.push(format!("{rank}b8"));
    moves
}

#[test]
fn a_mate_in_time_is_proved_and_a_later_one_possible() {
    let three = judge("makruk", &[THREE]);
    // Black's count of ply 1 runs out after ply 6 unless ply 6 mates: the last reply is in time.
    for (ply, certainty) in [
        (2, Certainty::Proved),
        (4, Certainty::Proved),
        (6, Certainty::Proved),
        (8, Certainty::Possible),
    ] {
        let won = play(&three, MATING, &mate_with_ply(ply), "", "1-0");
        assert_eq!(accepted(&won).certainty, certainty, "{ply}");
        assert!(!has(&won, FindingCode::ResultContradictsBoard));
        // A declared draw: impossible in time, possible later, where the count can have run out before the mate.
        let drawn = play(&three, MATING, &mate_with_ply(ply), "", "1/2-1/2");
        let contradiction = finding(&drawn, FindingCode::ResultContradictsBoard);
        let (of_draw, of_finding) = match certainty {
            Certainty::Proved => (Certainty::Impossible, Certainty::Proved),
            _ => (Certainty::Possible, Certainty::Possible),
        };
        assert_eq!(accepted(&drawn).certainty, of_draw, "{ply}");
        assert_eq!(contradiction.certainty, of_finding, "{ply}");
        // Words that speak of no count leave no such room.
        let stalemate = play(&three, MATING, &mate_with_ply(ply), "stalemate", "1/2-1/2");
        assert_eq!(
            accepted(&stalemate).certainty,
            Certainty::Impossible,
            "{ply}"
        );
        // Nor does a win of the other side.
        let lost = play(&three, MATING, &mate_with_ply(ply), "", "0-1");
        assert_eq!(accepted(&lost).certainty, Certainty::Impossible, "{ply}");
    }
}

#[test]
fn a_mate_by_a_side_that_may_have_counted() {
    let mate = vec!["c1c8".to_owned()];
    // White mates at once; by material it is weaker, even, stronger.
    for (fen, open) in [
        ("k7/8/1K6/8/8/8/8/2R3rr w - - 0 1", true),
        ("k7/8/1K6/8/8/8/8/2R3r1 w - - 0 1", true),
        ("k7/8/1K6/8/8/8/8/2R3n1 w - - 0 1", false),
    ] {
        let won = play(&built_in("makruk"), fen, &mate, "", "1-0");
        let want = if open {
            Certainty::Possible
        } else {
            Certainty::Proved
        };
        assert_eq!(accepted(&won).certainty, want, "{fen}");
        assert_eq!(has(&won, FindingCode::MateByCountingSide), open, "{fen}");
        let drawn = play(
            &built_in("makruk"),
            fen,
            &mate,
            "mate_by_counter",
            "1/2-1/2",
        );
        let want = if open {
            Certainty::Possible
        } else {
            Certainty::Impossible
        };
        assert_eq!(accepted(&drawn).certainty, want, "{fen}");
        // Where such a mate is a win, nothing is open.
        let win = judge("makruk", &[("counter_mate", "\"win\"")]);
        let won = play(&win, fen, &mate, "", "1-0");
        assert_eq!(accepted(&won).certainty, Certainty::Proved, "{fen}");
    }
}

/// White takes the last man with ply 1: two rua, N = 4, L = 8. By W Black may begin with ply 2, 4, ...: it says 4, and 8 four
/// moves later, the draw: ply 2 + 8 = 10.
const BARED: &str = "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1";

#[test]
fn the_pieces_honour_of_w_is_silent_too() {
    for (id, variant) in [("makruk-wikipedia", "Makruk"), ("ouk-wikipedia", "Ouk")] {
        for (plies, want) in [
            (1, None),
            (9, None),
            (10, Some((10, 2))),
            (11, Some((10, 2))),
            (12, Some((10, 4))),
        ] {
            let moves = quiet::moves(BARED, "makruk", "e1e4", plies);
            let tags = "[Termination \"pieces_count\"]\n";
            let text = quiet::record(variant, BARED, tags, &moves, "1/2-1/2");
            let replay = util::text(&text, &built_in(id));
            let pieces: Vec<_> = accepted(&replay)
                .silent_starts
                .iter()
                .filter(|start| start.kind == CountKind::Pieces)
                .collect();
            assert_eq!(pieces.len(), usize::from(plies > 1), "{id} {plies}");
            for start in &pieces {
                assert_eq!((start.side, start.earliest), (Color::Black, 2));
                assert_eq!(start.latest, plies / 2 * 2);
                assert_eq!(
                    start.expires.zip(start.latest_in_time),
                    want,
                    "{id} {plies}"
                );
            }
            let certainty = match want {
                Some(_) => Certainty::Possible,
                None => Certainty::Impossible,
            };
            assert_eq!(accepted(&replay).certainty, certainty, "{id} {plies}");
            let episode = accepted(&replay)
                .counts
                .iter()
                .find(|episode| episode.kind == CountKind::Pieces);
            assert_eq!(episode.is_some(), plies > 1);
            if let Some(episode) = episode {
                assert_eq!(episode.basis, CountBasis::Silent);
                assert_eq!((episode.first_number.0, episode.limit.0), (4, 8));
                // 4 with ply 2, 7 with ply 8, 8 with ply 10 at the earliest.
                let said = (4 + (plies - 2) / 2).min(8);
                assert_eq!(episode.last_number.map(|number| number.0), Some(said));
                let ended = if want.is_some() {
                    EpisodeEnd::Limit
                } else {
                    EpisodeEnd::RecordEnded
                };
                assert_eq!(episode.ended, ended);
            }
        }
    }
}

#[test]
fn a_later_start_takes_men_and_limit_anew() {
    // The bare khun takes a rua with ply 1. Begun with it: N = 4, L = 8, drawn after ply 1 + 8. Begun with ply 3: N = 3,
    // L = 16, drawn after ply 3 + 26.
    let fen = "7R/8/8/8/8/2k5/1R6/6K1 b - - 0 1";
    for (plies, want) in [
        (8, None),
        (9, Some((9, 1))),
        (28, Some((9, 1))),
        (29, Some((9, 3))),
    ] {
        let moves = quiet::moves(fen, "makruk", "c3b2", plies);
        let replay = play(&built_in("makruk-wikipedia"), fen, &moves, "", "1/2-1/2");
        let (expires, in_time) = want.unzip();
        let latest = 1 + (plies - 1) / 2 * 2;
        assert_eq!(
            starts(&replay),
            [('b', 1, latest, expires, in_time)],
            "{plies}"
        );
        assert!(!accepted(&replay).silent_starts[0].broken);
    }
    // A khon and two ma: 44 by W. The khun takes the khon: two ma and no khon, 32. Begun with ply 1: N = 5, drawn after
    // ply 1 + 78; begun with ply 3: N = 4, drawn after ply 3 + 56, the sooner.
    let fen = "8/8/8/8/3N4/2k5/1S6/6KN b - - 0 1";
    for (plies, want) in [(58, None), (59, Some(59)), (79, Some(59))] {
        let moves = quiet::moves(fen, "makruk", "c3b2", plies);
        let replay = play(&built_in("makruk-wikipedia"), fen, &moves, "", "1/2-1/2");
        assert_eq!(starts(&replay)[0].3, want, "{plies}");
    }
}

#[test]
fn what_the_record_tells_is_not_silent() {
    let text = quiet::record(
        "Makruk",
        ARMED,
        "",
        &quiet::moves(ARMED, "makruk", "", 8),
        "1-0",
    );
    let first = text
        .lines()
        .last()
        .unwrap()
        .split(' ')
        .next()
        .unwrap()
        .to_owned();
    let told = text.replacen(&first, &format!("{first} {{[%count start]}}"), 1);
    let replay = util::text(&told, &judge("makruk", &[THREE]));
    assert_eq!(starts(&replay), []);
    assert_eq!(accepted(&replay).counts[0].basis, CountBasis::Record);
}

#[test]
fn where_nothing_binds_another_reading_may_know_a_count() {
    // More than three men on both sides: ouk counts nothing. By W ouk counts as makruk: no bia, started by will.
    let fen = "1nr4k/7m/8/8/8/8/M7/K4RN1 w - - 0 1";
    for (plies, want) in [(127, Certainty::Impossible), (128, Certainty::Possible)] {
        let moves = quiet::moves(fen, "ouk", "", plies);
        let tags = "[Termination \"board_count\"]\n";
        let text = quiet::record("Ouk", fen, tags, &moves, "1/2-1/2");
        let unbound = util::text(&text, &Judge::default());
        assert_eq!(accepted(&unbound).certainty, want, "{plies}");
        let mut judge = Judge::default();
        judge.bind(Variant::Ouk, &RulesetId::new("ouk")).unwrap();
        let to_ouk = util::text(&text, &judge);
        assert_eq!(
            accepted(&to_ouk).certainty,
            Certainty::Impossible,
            "{plies}"
        );
    }
}
