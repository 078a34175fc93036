//! The length cap of Ttakji (RULES 6, 6.2): 400 plies, tested last, so that any other ending of the
//! same ply comes first. Whether a mate on ply 400 wins is open (RULES 12); by the recommended order
//! it does.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::sync::Arc;

use rules::{
    Color, Ended, Ending, GameResult, LegalMove, Line, Plies, Role, Ruleset, Square, UciMove,
};

fn ttakji() -> Arc<Ruleset> {
    Ruleset::builtin("makruk-ttakji").unwrap()
}

/// Ttakji's rules with a shorter cap.
fn capped(plies: u32) -> Arc<Ruleset> {
    let text = format!(
        "id = \"short\"\ntitle = \"\"\nbased_on = \"makruk-ttakji\"\nauthority = \"assumed\"\n\
         [switches]\nply_cap = {{ value = {plies}, source = \"test\" }}\n"
    );
    Ruleset::from_toml(&text).unwrap()
}

fn ended(rules: &Arc<Ruleset>, fen: &str, moves: &str) -> Option<(Ending, GameResult, u32)> {
    let mut line = support::line(fen, rules);
    support::play(&mut line, moves);
    line.ended().map(
        |Ended {
             ending,
             result,
             ply,
         }| (ending, result, ply),
    )
}

/// Two rua against a khun and a ma; Black to move.
const ARMED: &str = "7k/R7/8/8/8/8/K7/1R5n b - - 0 1";

#[test]
fn what_else_ends_the_game_on_the_last_ply_comes_first() {
    let draw = |ending, ply| Some((ending, GameResult::Draw, ply));
    // Nothing else: the cap, with that very ply and not before.
    let calm = "h1g3 b1b2 g3h1 b2b3";
    assert_eq!(ended(&capped(4), ARMED, calm), draw(Ending::PlyCap, 4));
    assert_eq!(ended(&capped(5), ARMED, calm), None);
    // Mate on the last ply wins, mate one ply later comes too late.
    let mate = Some((Ending::Checkmate, GameResult::WhiteWins, 4));
    let mating = "h1g3 b1b2 g3h1 b2b8";
    assert_eq!(ended(&capped(4), ARMED, mating), mate);
    assert_eq!(ended(&capped(3), ARMED, mating), draw(Ending::PlyCap, 3));
    // Stalemate: the khon comes to c7 (E03).
    let stale = ended(&capped(1), "k7/8/K1S5/8/8/8/8/8 w - - 0 1", "c6c7");
    assert_eq!(stale, draw(Ending::Stalemate, 1));
    // Khun against khun.
    let kings = ended(&capped(1), "8/8/8/8/8/2k5/3R4/6K1 b - 32 8 1", "c3d2");
    assert_eq!(kings, draw(Ending::BareKings, 1));
    // The reply to the limit.
    let counted = "7k/R7/8/8/8/8/8/1R4K1 w - 16 15 30";
    assert_eq!(
        ended(&capped(1), counted, "b1b2"),
        draw(Ending::PiecesCount, 1)
    );
    let board = "7k/R7/8/8/8/8/K7/1R5n w - 128 127 64";
    assert_eq!(
        ended(&capped(1), board, "b1b2"),
        draw(Ending::BoardCount, 1)
    );
    // The third occurrence: the position of the start after 4 and 8 plies.
    let round = "h1g3 b1b2 g3h1 b2b1 h1g3 b1b2 g3h1 b2b1";
    assert_eq!(ended(&capped(8), ARMED, round), draw(Ending::Repetition, 8));
    // The counting side mates: a draw of its own name.
    let counting = "k7/8/1K6/8/8/8/8/2R3n1 w - 128 10 6";
    assert_eq!(
        ended(&capped(1), counting, "c1c8"),
        draw(Ending::MateByCounter, 1)
    );
}

/// A quiet game: the black khun stays on h8, the white rua on a7 and b1; the white khun and the
/// black ma walk where they meet nobody, and no position comes three times.
fn wander(start: &Line, plies: u32) -> Line {
    let mut stack = vec![start.clone()];
    let mut seed: u64 = 400;
    loop {
        let line = stack.last().unwrap();
        if line.plies() == Plies(plies) {
            return line.clone();
        }
        let legal = line.position().legal_moves();
        let next: Vec<Line> = legal.iter().filter_map(|&mv| step(line, mv)).collect();
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        match next.get((seed >> 33) as usize % next.len().max(1)) {
            Some(line) => stack.push(line.clone()),
            // A corner: some steps back.
            None => stack.truncate(stack.len().saturating_sub(12).max(1)),
        }
    }
}

/// The line after a walker's move that threatens nobody and repeats nothing thrice.
fn step(line: &Line, mv: LegalMove) -> Option<Line> {
    let walker = match line.position().turn() {
        Color::White => Role::Khun,
        Color::Black => Role::Ma,
    };
    let walks = line.position().role_at(mv.from()) == Some(walker);
    let mut after = line.clone();
    after.push(mv);
    let position = after.position();
    let replies = position.legal_moves();
    let calm = !position.in_check() && !replies.iter().any(|&reply| position.is_capture(reply));
    (walks && calm && after.repetitions() < 3 && position.men_on_board() == 5).then_some(after)
}

#[test]
fn four_hundred_plies() {
    let line = wander(&support::line(ARMED, &ttakji()), 399);
    assert_eq!(line.ended(), None);
    let push = |mv: &str| {
        let mut line = line.clone();
        support::play(&mut line, mv);
        line.ended().unwrap()
    };
    // White is to move with ply 400.
    let mate = push("b1b8");
    assert_eq!(
        (mate.ending, mate.result, mate.ply),
        (Ending::Checkmate, GameResult::WhiteWins, 400)
    );
    let aside: UciMove = "b1c1".parse().unwrap();
    assert!(line.position().resolve(aside).is_some());
    let cap = push("b1c1");
    assert_eq!(
        (cap.ending, cap.result, cap.ply),
        (Ending::PlyCap, GameResult::Draw, 400)
    );
    assert_eq!(
        line.position().role_at(Square::new(7, 7).unwrap()),
        Some(Role::Khun)
    );
    // The other rule sets know no cap.
    for id in ["makruk", "makruk-wikipedia"] {
        let line = wander(&support::line(ARMED, &Ruleset::builtin(id).unwrap()), 400);
        assert_eq!(line.ended(), None, "{id}");
    }
}
