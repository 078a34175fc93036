//! Counts of the rule sets that no engine plays: hand-made from the sources' own words
//! (RULES 4, 5.3), the same positions as the worked timeline of RULES 4.3.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::sync::Arc;

use rules::{
    Color, Count, CountCommand, CountError, CountKind, Ended, Ending, GameResult, LegalMove, Line,
    Ruleset,
};

fn rules(id: &str) -> Arc<Ruleset> {
    Ruleset::builtin(id).unwrap()
}

/// Plays moves from a FEN and gives the first ending.
fn ended(id: &str, fen: &str, moves: &str) -> Option<Ended> {
    let mut line = support::line(fen, &rules(id));
    support::play(&mut line, moves);
    line.ended()
}

fn draw(ending: Ending, ply: u32) -> Option<Ended> {
    Some(Ended {
        ending,
        result: GameResult::Draw,
        ply,
    })
}

/// Two rooks take the last man: N = 4, L = 8.
const TWO_ROOKS: &str = "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1";
/// The capture (ply 1), then the bare khun's moves at plies 2, 4, 6, 8, 10.
const SHUFFLE: &str = "e1e4 c3b3 h1h2 b3c3 h2h1 c3b3 h1h3 b3c2 h3h2 c2c3";

#[test]
fn the_timeline_of_two_rooks() {
    for (id, ply) in [
        ("ouk", 8),
        ("cambodian-fairy", 8),
        ("makruk", 9),
        ("makruk-fairy", 10),
    ] {
        assert_eq!(
            ended(id, TWO_ROOKS, SHUFFLE),
            draw(Ending::PiecesCount, ply),
            "{id}"
        );
    }
}

#[test]
fn the_numbers_said() {
    let mut line = support::line(TWO_ROOKS, &rules("makruk"));
    let mut said = Vec::new();
    for text in SHUFFLE.split(' ').take(9) {
        support::play(&mut line, text);
        let count = line.count().unwrap();
        assert_eq!((count.kind, count.side), (CountKind::Pieces, Color::Black));
        assert_eq!((count.men, count.first.0, count.limit.0), (4, 5, 8));
        said.push((count.number.0, count.replies_left));
    }
    let want = [
        (4, 4),
        (5, 4),
        (5, 3),
        (6, 3),
        (6, 2),
        (7, 2),
        (7, 1),
        (8, 1),
        (8, 0),
    ];
    assert_eq!(said, want);
}

#[test]
fn ouk_has_one_reply_less() {
    let mut line = support::line(TWO_ROOKS, &rules("ouk"));
    support::play(&mut line, "e1e4");
    assert_eq!(line.count().unwrap().replies_left, 3);
}

#[test]
fn the_last_reply_may_mate() {
    let last = "7k/R7/8/8/8/8/8/1R4K1 w - 16 15 30";
    let mate = Some(Ended {
        ending: Ending::Checkmate,
        result: GameResult::WhiteWins,
        ply: 1,
    });
    assert_eq!(ended("makruk", last, "b1b8"), mate);
    assert_eq!(ended("makruk", last, "b1b2"), draw(Ending::PiecesCount, 1));
    // In ouk the same count ran out when Black said 8.
    let ouk = "7k/R7/8/8/8/8/8/1R4K1 w - 14 15 30";
    assert_eq!(ended("ouk", ouk, "b1b2"), draw(Ending::PiecesCount, 0));
}

#[test]
fn too_many_men_leave_exactly_one_reply_in_makruk() {
    // Nine men against a limit of eight.
    let nine = "8/8/8/3k4/4r3/3M4/1RR1MMMM/K7 w - - 0 1";
    assert_eq!(
        ended("makruk-fairy", nine, "d3e4"),
        draw(Ending::PiecesCount, 1)
    );
    assert_eq!(
        ended("makruk", nine, "d3e4 d5e4 b2b3"),
        draw(Ending::PiecesCount, 3)
    );
    // Eight men against eight: the same single reply.
    let eight = "8/8/8/3k4/4r3/3M4/1RR2MMM/K7 w - - 0 1";
    assert_eq!(
        ended("makruk", eight, "d3e4 d5e4 b2b3"),
        draw(Ending::PiecesCount, 3)
    );
    assert_eq!(ended("makruk", eight, "d3e4 d5e4"), None);
}

#[test]
fn the_bare_khun_takes_the_last_bia() {
    let mut line = support::line("8/8/5k2/5P2/8/8/3K4/R7 b - - 0 1", &rules("makruk"));
    support::play(&mut line, "f6f5");
    let count = line.count().unwrap();
    assert_eq!(count.side, Color::Black);
    // White's move at once is an extra reply; then Black says N + 1 = 4.
    assert_eq!(
        (count.first.0, count.number.0, count.replies_left),
        (4, 3, 14)
    );
    support::play(&mut line, "a1a2 f5f4");
    assert_eq!(line.count().unwrap().number.0, 4);
}

#[test]
fn the_limit_is_the_smallest_that_applies_and_never_changes() {
    let mut line = support::line("8/8/8/7k/4m3/8/1S1N4/K1N5 w - - 0 1", &rules("makruk"));
    support::play(&mut line, "d2e4");
    assert_eq!(line.count().unwrap().limit.0, 32);

    let mut line = support::line("7R/8/8/8/8/2k5/1R6/6K1 b - 16 8 1", &rules("makruk"));
    support::play(&mut line, "c3b2");
    assert_eq!(line.count().unwrap().limit.0, 8);
}

#[test]
fn khun_against_khun_is_drawn_at_once() {
    let fen = "8/8/8/8/8/2k5/3R4/6K1 b - 32 8 1";
    assert_eq!(ended("makruk", fen, "c3d2"), draw(Ending::BareKings, 1));
    assert_eq!(ended("makruk-fairy", fen, "c3d2"), None);
}

#[test]
fn no_count_while_a_bia_is_left() {
    let mut line = support::line("8/3k4/8/5P2/8/8/3K4/R7 w - - 0 1", &rules("makruk"));
    support::play(&mut line, "a1a2 d7d6");
    assert_eq!(line.count(), None);
}

const NO_BIA: &str = "8/8/1k6/1s6/4K3/3N4/8/2R4n b - - 0 1";

#[test]
fn makruk_counts_the_board_only_when_told() {
    let mut line = support::line(NO_BIA, &rules("makruk"));
    support::play(&mut line, "h1g3");
    assert_eq!(line.count(), None);
    assert!(
        line.count_state()
            .may_start_board(&rules("makruk"), line.position())
    );
    assert_eq!(
        line.command(CountCommand::Stop),
        Err(CountError::NotCounting)
    );
}

#[test]
fn start_stop_and_start_again() {
    let makruk = rules("makruk");
    let mut line = support::line("8/1r3k2/8/8/8/8/3K2R1/4N3 b - - 0 1", &makruk);
    line.command(CountCommand::Start).unwrap();
    assert_eq!(line.command(CountCommand::Start), Err(CountError::Running));
    support::play(&mut line, "b7b8");
    let count = line.count().unwrap();
    assert_eq!((count.kind, count.side), (CountKind::Board, Color::Black));
    assert_eq!((count.first.0, count.number.0, count.limit.0), (1, 1, 64));
    assert_eq!(count.replies_left, 64);
    // One count at a time, and only the counting side stops it.
    assert_eq!(line.command(CountCommand::Start), Err(CountError::Running));
    assert_eq!(
        line.command(CountCommand::Stop),
        Err(CountError::NotCounting)
    );
    support::play(&mut line, "g2g1");
    line.command(CountCommand::Stop).unwrap();
    support::play(&mut line, "b8b7");
    // The move with which he stops still counts.
    assert_eq!(line.count().unwrap().number.0, 2);
    // White may count at once.
    line.command(CountCommand::Start).unwrap();
    support::play(&mut line, "g1g2");
    let count = line.count().unwrap();
    assert_eq!((count.side, count.number.0), (Color::White, 1));
}

#[test]
fn who_may_start() {
    let makruk = rules("makruk");
    let with_bia = support::line("8/1r3k2/8/8/4P3/8/3K2R1/4N3 b - - 0 1", &makruk);
    let bare = support::line("8/5k2/8/8/8/8/3K2R1/4N3 b - - 0 1", &makruk);
    for mut line in [with_bia, bare] {
        assert_eq!(
            line.command(CountCommand::Start),
            Err(CountError::NotAllowed)
        );
    }
    let mut ouk = support::line("8/1r3k2/8/8/8/8/3K2R1/4N3 b - - 0 1", &rules("ouk"));
    assert_eq!(ouk.command(CountCommand::Start), Err(CountError::Automatic));
    support::play(&mut ouk, "b7b8 g2g1");
    assert_eq!(
        ouk.command(CountCommand::Stop),
        Err(CountError::NotCounting)
    );
    support::play(&mut ouk, "b8b7");
    assert_eq!(ouk.command(CountCommand::Stop), Err(CountError::CannotStop));
}

/// Legal moves that take nothing, let nothing be taken and bring no earlier position back.
fn fresh_quiet_moves(line: &Line, seen: &[u64]) -> Vec<LegalMove> {
    let position = line.position();
    let fits = |&mv: &LegalMove| {
        let mut after = *position;
        after.play(mv);
        let replies = after.legal_moves();
        !position.is_capture(mv)
            && !seen.contains(&after.key())
            && !replies.is_empty()
            && !replies.iter().any(|&reply| after.is_capture(reply))
    };
    position
        .legal_moves()
        .iter()
        .copied()
        .filter(fits)
        .collect()
}

/// Plays on quietly until the line ends; `None` if it runs into a corner.
fn play_out(mut line: Line, seed: &mut u64) -> Option<(Vec<Count>, Ended)> {
    let mut seen = vec![line.position().key()];
    let mut counts = Vec::new();
    loop {
        let moves = fresh_quiet_moves(&line, &seen);
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let pick = (*seed >> 33) as usize % moves.len().max(1);
        let ended = line.push(*moves.get(pick)?);
        seen.push(line.position().key());
        counts.extend(line.count());
        if let Some(ended) = ended {
            return Some((counts, ended));
        }
    }
}

/// The first playing out that reaches an ending.
fn played_out(line: &Line) -> (Vec<Count>, Ended) {
    let mut seed = 20_261_201;
    (0..10_000)
        .find_map(|_| play_out(line.clone(), &mut seed))
        .unwrap()
}

#[test]
fn the_board_count_ends_at_the_ply_of_its_rule_set() {
    let fen = "8/1r3k2/8/8/8/8/3K2R1/4N3 b - - 0 1";
    let mut makruk = support::line(fen, &rules("makruk"));
    makruk.command(CountCommand::Start).unwrap();
    let (counts, ended) = played_out(&makruk);
    assert_eq!(Some(ended), draw(Ending::BoardCount, 128));
    let said: Vec<u32> = counts.iter().map(|count| count.number.0).collect();
    let want: Vec<u32> = (1..=64).flat_map(|number| [number, number]).collect();
    assert_eq!(said, want);

    // In the others the count starts with the position after the first move.
    let (_, ended) = played_out(&support::line(fen, &rules("makruk-fairy")));
    assert_eq!(Some(ended), draw(Ending::BoardCount, 130));
    let (_, ended) = played_out(&support::line(fen, &rules("ouk")));
    // White, with three men, is to move then; so is Black one ply later, too late.
    assert_eq!(Some(ended), draw(Ending::BoardCount, 128));
}

#[test]
fn a_mate_by_the_counting_side() {
    let mate = "c1c8";
    let counted = "k7/8/1K6/8/8/8/8/2R3n1 w - 128 10 1";
    assert_eq!(
        ended("makruk", counted, mate),
        draw(Ending::MateByCounter, 1)
    );
    let win = Some(Ended {
        ending: Ending::Checkmate,
        result: GameResult::WhiteWins,
        ply: 1,
    });
    assert_eq!(ended("makruk-fairy", counted, mate), win);
    let ouk = "k7/8/1K6/8/8/8/8/2R3n1 w - 126 10 1";
    assert_eq!(ended("ouk", ouk, mate), win);
    // The other side counts: a mate is a mate.
    let other = "k7/8/1K6/8/8/8/8/2R3n1 w - 128 11 1";
    assert_eq!(ended("makruk", other, mate), win);
}

#[test]
fn a_mate_on_the_stopping_move_is_a_draw_and_later_a_win() {
    let counted = "k7/8/1K6/8/8/8/8/2R3n1 w - 128 10 1";
    let mut line = support::line(counted, &rules("makruk"));
    line.command(CountCommand::Stop).unwrap();
    support::play(&mut line, "c1c8");
    assert_eq!(line.ended(), draw(Ending::MateByCounter, 1));

    let mut line = support::line(counted, &rules("makruk"));
    line.command(CountCommand::Stop).unwrap();
    support::play(&mut line, "c1c2 g1f3 c2c8");
    let ended = line.ended().unwrap();
    assert_eq!((ended.ending, ended.ply), (Ending::Checkmate, 3));
    assert_eq!(ended.result, GameResult::WhiteWins);
}

#[test]
fn a_baring_capture_replaces_the_board_count() {
    let mut line = support::line("8/2K3k1/5m2/4S1S1/8/8/8/8 w - 128 97 1", &rules("makruk"));
    assert_eq!(line.count().unwrap().kind, CountKind::Board);
    support::play(&mut line, "e5f6");
    let count = line.count().unwrap();
    assert_eq!((count.kind, count.side), (CountKind::Pieces, Color::Black));
    assert_eq!((count.limit.0, count.first.0), (22, 5));
}

#[test]
fn ouk_counts_with_three_men_though_bia_are_left() {
    let fen = "8/3k4/2n2p2/3S4/8/PP6/3K4/R7 w - - 0 1";
    let mut ouk = support::line(fen, &rules("ouk"));
    support::play(&mut ouk, "a1a2");
    let count = ouk.count().unwrap();
    assert_eq!((count.kind, count.side), (CountKind::Board, Color::Black));
    let mut makruk = support::line(fen, &rules("makruk-fairy"));
    support::play(&mut makruk, "a1a2");
    assert_eq!(makruk.count(), None);
}

#[test]
fn three_times_the_same() {
    let fen = "8/1r3k2/8/8/8/8/3K2R1/4N3 w - - 0 1";
    let moves = "g2g1 b7b8 g1g2 b8b7 g2g1 b7b8 g1g2 b8b7";
    assert_eq!(ended("makruk", fen, moves), draw(Ending::Repetition, 8));
    // In ouk a player may claim it, which the board does not show.
    let mut ouk = support::line(fen, &rules("ouk"));
    support::play(&mut ouk, moves);
    assert_eq!((ouk.repetitions(), ouk.ended()), (3, None));
}

#[test]
fn rights_belong_to_the_position_in_ours() {
    // The khuns step out and back: their rights are gone, so the start position did not recur.
    let moves = "d1d2 e8e7 d2d1 e7e8 d1d2 e8e7 d2d1 e7e8";
    let mut ours = Line::from_start(&rules("ouk"));
    support::play(&mut ours, moves);
    assert_eq!(ours.repetitions(), 2);
    let mut theirs = Line::from_start(&rules("cambodian-fairy"));
    support::play(&mut theirs, moves);
    assert_eq!(theirs.repetitions(), 3);
    assert_ne!(
        rules("cambodian-fairy").start().position_key(),
        theirs.position().position_key()
    );
}

#[test]
fn dead_positions_by_rule_set() {
    // The khun takes the last enemy man; a met alone cannot mate.
    let fen = "8/8/8/2k5/8/2n5/2K5/4M3 w - - 0 1";
    assert_eq!(ended("ouk", fen, "c2c3"), draw(Ending::DeadPosition, 1));
    assert_eq!(ended("makruk", fen, "c2c3"), None);
    assert_eq!(ended("makruk-fairy", fen, "c2c3"), None);
}

#[test]
fn the_first_check_wins_in_kar_ouk() {
    let won = Some(Ended {
        ending: Ending::FirstCheck,
        result: GameResult::WhiteWins,
        ply: 1,
    });
    let fen = "3k4/8/8/8/8/4R3/8/4K3 w - - 1+1 0 1";
    assert_eq!(ended("kar-ouk", fen, "e3d3"), won);
    let mut line = support::line(fen, &rules("kar-ouk"));
    support::play(&mut line, "e3d3");
    assert_eq!(line.position().count_legal(), 0);
}

#[test]
fn a_very_long_shuffle_is_counted_right_and_fast() {
    let mut line = Line::from_start(&rules("ouk"));
    for cycle in 0..5_000 {
        support::play(&mut line, "b1d2 b8d7 d2b1 d7b8");
        assert_eq!(u32::from(line.repetitions()), (cycle + 2).min(255));
    }
    assert_eq!(line.keys().len(), 20_001);
}
