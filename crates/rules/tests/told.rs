//! Counts told in full: told and taken up again they are the same, and nonsense is refused.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use std::collections::BTreeMap;

use rules::{
    Color, CountCommand, CountKind, CountState, FullMoves, Line, Ruleset, Stop, ToldCount,
    ToldError,
};

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 33) as usize % sides.max(1)
    }
}

/// Plays games that soon run out of men, with commands thrown in, past every ending.
fn every_count(mut see: impl FnMut(&Line)) {
    for (id, seed) in Ruleset::builtin_ids().iter().zip(1..) {
        let rules = Ruleset::builtin(id).unwrap();
        for game in 0..60 {
            let mut dice = Dice(seed * 1000 + game);
            let mut line = Line::from_start(&rules);
            for _ in 0..260 {
                if dice.roll(6) == 0 {
                    let said = [CountCommand::Start, CountCommand::Stop][dice.roll(2)];
                    let _ = line.command(said);
                    see(&line);
                }
                let moves = line.position().legal_moves();
                let noisy = line.position().noisy_moves();
                let pool = if !noisy.is_empty() && dice.roll(3) > 0 {
                    &noisy
                } else {
                    &moves
                };
                if pool.is_empty() {
                    break;
                }
                line.push(pool[dice.roll(pool.len())]);
                see(&line);
            }
        }
    }
}

#[test]
fn a_count_told_and_taken_up_is_the_same() {
    let mut seen: BTreeMap<(CountKind, &str), u32> = BTreeMap::new();
    every_count(|line| {
        let (position, rules) = (line.position(), line.ruleset());
        let Some(told) = line.count_state().told(position, rules) else {
            assert_eq!(*line.count_state(), CountState::NONE);
            return;
        };
        let stop = match told.stop {
            Stop::No => "runs",
            Stop::Asked => "asked",
            Stop::Done => "stopped",
        };
        *seen.entry((told.kind, stop)).or_default() += 1;
        let again = CountState::from_told(&told, position, rules);
        assert_eq!(again, Ok(*line.count_state()), "{told:?} {position:?}");
        // The start is told as a ply of the game, and no count begins before the game.
        assert!(told.start.unwrap() >= 1, "{told:?}");
    });
    // Every kind of state was there, in numbers.
    for kind in [CountKind::Board, CountKind::Pieces] {
        for stop in ["runs", "asked", "stopped"] {
            let times = seen.get(&(kind, stop)).copied().unwrap_or(0);
            assert!(times > 50, "{kind:?} {stop}: {times}");
        }
    }
}

/// Black, bare, counts the pieces' honour against two rua: N = 4, L = 8 (RULES 4.3).
fn bare(turn: Color) -> ToldCount {
    ToldCount {
        kind: CountKind::Pieces,
        side: Color::Black,
        number: FullMoves(5),
        limit: Some(FullMoves(8)),
        start: Some(if turn == Color::White { 60 } else { 58 }),
        stop: Stop::No,
    }
}

#[test]
fn what_is_told_is_held_against_the_position() {
    let rules = Ruleset::builtin("makruk").unwrap();
    let take = |fen: &str, told: ToldCount| {
        let position = support::position(fen, &rules);
        CountState::from_told(&told, &position, &rules)
            .map(|state| state.count(&rules).unwrap().number.0)
    };
    let white = "7k/8/8/8/8/8/R7/1R4K1 w - - 0 31";
    let black = "7k/8/8/8/8/8/R7/1R4K1 b - - 0 30";
    // Ply 60 was Black's move 30, with which 5 was said; White's move 31 is ply 61.
    assert_eq!(take(white, bare(Color::White)), Ok(5));
    // Black said 5 with ply 58 (move 29), White replied; Black is to move again.
    assert_eq!(take(black, bare(Color::Black)), Ok(5));
    // Said a move earlier or later: another number by now.
    for start in [57, 61, 62, i64::MIN, i64::MAX] {
        let told = ToldCount {
            start: Some(start),
            ..bare(Color::White)
        };
        assert_eq!(take(white, told), Err(ToldError::Start(start)));
    }
    let told = bare(Color::White);
    let number = |number| ToldCount {
        number: FullMoves(number),
        ..told
    };
    assert_eq!(
        take(white, number(3)),
        Err(ToldError::BelowMen(FullMoves(4)))
    );
    assert_eq!(
        take(white, number(0)),
        Err(ToldError::NothingSaid(Color::White))
    );
    // Twice as many plies do not go into a clock.
    for far in [1 << 31, u32::MAX] {
        let refused = Err(ToldError::TooFar(FullMoves(far)));
        assert_eq!(take(white, number(far)), refused);
    }
    // Five men and one taken with ply 60: 6 was said. Six men cannot have become four.
    assert_eq!(take(white, number(6)), Ok(6));
    assert_eq!(take(white, number(7)), Err(ToldError::Start(60)));
    let side = ToldCount {
        side: Color::White,
        ..told
    };
    assert_eq!(take(white, side), Err(ToldError::NotBare(Color::White)));
    let limit = ToldCount {
        limit: Some(FullMoves(0)),
        ..told
    };
    assert_eq!(take(white, limit), Err(ToldError::NoLimit));
    let stop = ToldCount {
        stop: Stop::Done,
        ..told
    };
    let refused = Err(ToldError::CannotStop(CountKind::Pieces));
    assert_eq!(take(white, stop), refused);
    let bia = "7k/8/8/8/8/P7/R7/1R4K1 w - - 0 31";
    assert_eq!(take(bia, told), Err(ToldError::BiaLeft(CountKind::Pieces)));
    let board = ToldCount {
        kind: CountKind::Board,
        ..told
    };
    assert_eq!(take(bia, board), Err(ToldError::BiaLeft(CountKind::Board)));
}

#[test]
fn a_told_count_of_the_boards_honour() {
    let told = ToldCount {
        kind: CountKind::Board,
        side: Color::White,
        number: FullMoves(7),
        limit: None,
        start: None,
        stop: Stop::Asked,
    };
    let take = |id: &str, fen: &str, told: ToldCount| {
        let rules = Ruleset::builtin(id).unwrap();
        let position = support::position(fen, &rules);
        CountState::from_told(&told, &position, &rules).map(|state| {
            let count = state.count(&rules).unwrap();
            (count.number.0, count.limit.0)
        })
    };
    let fen = "1r1k4/8/8/8/8/8/N7/1R4K1 w - - 0 31";
    // The limit of the rule set, since none is told.
    assert_eq!(take("makruk", fen, told), Ok((7, 64)));
    let done = ToldCount {
        stop: Stop::Done,
        ..told
    };
    let refused = Err(ToldError::StopTurn(Color::Black));
    assert_eq!(take("makruk", fen, done), refused);
    let refused = Err(ToldError::CannotStop(CountKind::Board));
    assert_eq!(take("ouk", fen, told), refused);
    let runs = ToldCount {
        stop: Stop::No,
        ..told
    };
    let many = "1r1kr1r1/8/8/8/8/8/N7/1R2R1K1 w - - 0 31";
    assert_eq!(take("ouk", many, runs), Err(ToldError::ManyMen));
    // With a bia but few men: ouk counts, makruk does not.
    let few = "1r1k4/8/8/8/8/P7/N7/1R2R1K1 w - - 0 31";
    assert_eq!(take("ouk", few, runs), Ok((7, 64)));
    let refused = Err(ToldError::BiaLeft(CountKind::Board));
    assert_eq!(take("makruk", few, runs), refused);
}
