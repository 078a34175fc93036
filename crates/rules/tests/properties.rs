//! Two ways to one answer, on random games of every builtin rule set and of every sutra.
//!
//! The second way is written from RULES alone: it walks the board square by square, makes each
//! move on a set-up and looks whether the khun can be taken.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use rules::ruleset::{KingLeap, MetLeap, Sutra};
use rules::{
    Bitboard, Color, LegalMove, Line, Man, Move, MoveKind, Position, Role, Ruleset, Setup, Square,
    UciMove,
};

const SEED: u64 = 20_261_130;
const GAMES: u64 = 60;

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

/// Plays random games, captures a little preferred, and shows every position and its moves.
fn every_position(mut see: impl FnMut(&Line, &[LegalMove])) {
    let composed = [
        "makruk+sut-khun",
        "makruk+sut-ma",
        "makruk+sut-met",
        "makruk-ttakji+sut-khun+sut-ma+sut-met+takhaeng-ruea",
    ];
    for id in Ruleset::builtin_ids().iter().chain(&composed) {
        let rules = Ruleset::builtin(id).unwrap();
        for game in 0..GAMES {
            let mut dice = Dice(SEED + game);
            let mut line = Line::from_start(&rules);
            for _ in 0..160 {
                let moves = line.position().legal_moves();
                see(&line, &moves);
                if moves.is_empty() {
                    break;
                }
                let noisy = line.position().noisy_moves();
                let pool: &[LegalMove] = if !noisy.is_empty() && dice.roll(4) == 0 {
                    &noisy
                } else {
                    &moves
                };
                line.push(pool[dice.roll(pool.len())]);
            }
        }
    }
}

fn step(square: Square, file: i8, rank: i8) -> Option<Square> {
    let file = u8::try_from(square.file() as i8 + file).ok()?;
    let rank = u8::try_from(square.rank() as i8 + rank).ok()?;
    Square::new(file, rank)
}

fn ahead(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

/// The squares a man attacks, by walking.
fn walk(setup: &Setup, from: Square, man: Man) -> Vec<Square> {
    let up = ahead(man.color);
    let diagonal = [(-1, up), (1, up), (-1, -up), (1, -up)];
    let straight = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    let steps: Vec<(i8, i8)> = match man.role {
        Role::Bia => diagonal[..2].to_vec(),
        Role::Met => diagonal.to_vec(),
        Role::Khon => [&diagonal[..], &[(0, up)]].concat(),
        Role::Khun => [&diagonal[..], &straight[..]].concat(),
        Role::Ma => (-2..=2)
            .flat_map(|f| (-2..=2).map(move |r| (f, r)))
            .filter(|&(f, r): &(i8, i8)| f.abs() + r.abs() == 3)
            .collect(),
        Role::Rua => return slide(setup, from, &straight),
    };
    steps
        .into_iter()
        .filter_map(|(f, r)| step(from, f, r))
        .collect()
}

fn slide(setup: &Setup, from: Square, directions: &[(i8, i8)]) -> Vec<Square> {
    let mut reached = Vec::new();
    for &(file, rank) in directions {
        let mut at = from;
        while let Some(next) = step(at, file, rank) {
            reached.push(next);
            if setup.man_at(next).is_some() {
                break;
            }
            at = next;
        }
    }
    reached
}

fn attacked(setup: &Setup, square: Square, by: Color) -> bool {
    Square::ALL.into_iter().any(|from| {
        setup
            .man_at(from)
            .is_some_and(|man| man.color == by && walk(setup, from, man).contains(&square))
    })
}

fn khun(setup: &Setup, color: Color) -> Square {
    setup.squares(color, Role::Khun).next().unwrap()
}

/// Whether the side's khun is safe after the move.
fn safe(setup: &Setup, mv: Move) -> bool {
    let mut after = setup.clone();
    let man = after.man_at(mv.from());
    if mv.kind().moves_two() {
        let bia = after.man_at(mv.to());
        after.put(step(mv.to(), 0, ahead(setup.turn)).unwrap(), bia);
    }
    after.put(mv.from(), None);
    after.put(mv.to(), man);
    !attacked(&after, khun(&after, setup.turn), !setup.turn)
}

/// All moves that look right, whether or not they leave the khun to be taken.
fn pseudo_moves(setup: &Setup, rules: &Ruleset) -> Vec<Move> {
    let mut moves = Vec::new();
    for from in Square::ALL {
        let Some(man) = setup.man_at(from).filter(|man| man.color == setup.turn) else {
            continue;
        };
        let up = ahead(man.color);
        let mut targets = walk(setup, from, man);
        if man.role == Role::Bia {
            targets.retain(|&to| setup.man_at(to).is_some());
            targets.extend(step(from, 0, up).filter(|&to| setup.man_at(to).is_none()));
        }
        targets.retain(|&to| {
            setup
                .man_at(to)
                .is_none_or(|other| other.color != man.color)
        });
        for to in targets {
            let sixth = if man.color == Color::White { 5 } else { 2 };
            let kind = match man.role == Role::Bia && to.rank() == sixth {
                true => MoveKind::Promotion,
                false => MoveKind::Normal,
            };
            moves.push(Move::new(from, to, kind));
        }
        if setup.rights.has(from) {
            moves.extend(leap_moves(setup, from, man, rules));
            moves.extend(sutra_moves(setup, from, man, rules));
        }
    }
    moves
}

fn leap_moves(setup: &Setup, from: Square, man: Man, rules: &Ruleset) -> Vec<Move> {
    let up = ahead(man.color);
    let (steps, kind): (&[(i8, i8)], _) = match man.role {
        Role::Khun if attacked(setup, from, !man.color) => (&[], MoveKind::KhunLeap),
        Role::Khun if rules.king_leap == KingLeap::Knight => (&KNIGHT, MoveKind::KhunLeap),
        Role::Khun => (&[(-2, up), (2, up)], MoveKind::KhunLeap),
        _ if rules.met_leap == MetLeap::None => (&[], MoveKind::MetLeap),
        _ => (&[(0, 2 * up)], MoveKind::MetLeap),
    };
    steps
        .iter()
        .filter_map(|&(f, r)| step(from, f, r))
        .filter(|&to| setup.man_at(to).is_none())
        .map(|to| Move::new(from, to, kind))
        .collect()
}

const KNIGHT: [(i8, i8); 8] = [
    (-2, -1),
    (-2, 1),
    (2, -1),
    (2, 1),
    (-1, -2),
    (-1, 2),
    (1, -2),
    (1, 2),
];

/// RULES 8.2, 8.3: the square of an own bia, two ranks ahead, that has an empty square before it.
fn sutra_moves(setup: &Setup, from: Square, man: Man, rules: &Ruleset) -> Vec<Move> {
    let up = ahead(man.color);
    let (files, sutra, kind): (&[i8], _, _) = match man.role {
        Role::Met => (&[0], Sutra::Met, MoveKind::SutMet),
        Role::Ma => (&[-1, 1], Sutra::Ma, MoveKind::SutMa),
        _ => return Vec::new(),
    };
    let own_bia = Some(Man::new(man.color, Role::Bia));
    files
        .iter()
        .filter(|_| rules.sutras.contains(&sutra))
        .filter_map(|&file| step(from, file, 2 * up))
        .filter(|&to| setup.man_at(to) == own_bia)
        .filter(|&to| step(to, 0, up).is_some_and(|on| setup.man_at(on).is_none()))
        .map(|to| Move::new(from, to, kind))
        .collect()
}

#[test]
fn generated_moves_are_the_brute_force_moves() {
    every_position(|line, moves| {
        let setup = line.position().setup();
        let mut want = pseudo_moves(&setup, line.ruleset());
        want.retain(|&mv| safe(&setup, mv));
        if line.position().check_given() {
            want.clear();
        }
        want.sort_unstable();
        let mut got: Vec<_> = moves.iter().map(|mv| mv.raw()).collect();
        got.sort_unstable();
        assert_eq!(got, want, "{:?}", line.position());
        assert_eq!(line.position().count_legal(), got.len());
    });
}

#[test]
fn moves_looked_for_backwards_are_the_legal_ones() {
    every_position(|line, moves| {
        let position = line.position();
        let ordinary = |mv: &LegalMove| matches!(mv.kind(), MoveKind::Normal | MoveKind::Promotion);
        for (role, to) in Role::ALL
            .into_iter()
            .flat_map(|r| Square::ALL.map(|to| (r, to)))
        {
            let arrivals = position.arrivals(role, to);
            assert_eq!(line.arrivals(role, to), arrivals);
            let origins = arrivals.origins();
            let mut got: Vec<_> = origins
                .into_iter()
                .filter_map(|from| arrivals.of(from))
                .collect();
            let fits = |mv: &&LegalMove| {
                mv.to() == to && position.role_at(mv.from()) == Some(role) && ordinary(mv)
            };
            let mut want: Vec<_> = moves.iter().filter(fits).copied().collect();
            got.sort_unstable();
            want.sort_unstable();
            assert_eq!(got, want, "{role:?} to {to}: {position:?}");
            assert_eq!(origins.len() as usize, got.len());
        }
        for &mv in moves {
            let (mut pushed, mut pushed_on) = (line.clone(), line.clone());
            pushed.push(mv);
            if pushed.position().has_legal_move() {
                pushed_on.push_on(mv);
                assert_eq!(pushed_on.current_ending(), pushed.current_ending());
                assert_eq!(pushed_on.ended(), pushed.ended());
            }
            let wish = UciMove::from(mv.raw());
            assert_eq!(position.resolve(wish), Some(mv));
            let other = UciMove {
                promotion: !wish.promotion,
                ..wish
            };
            assert_eq!(position.resolve(other), None);
        }
        assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position:?}");
        assert_eq!(line.in_check(), !position.checkers().is_empty());
    });
}

#[test]
fn noisy_moves_are_the_captures_and_promotions() {
    every_position(|line, moves| {
        let position = line.position();
        let mut want: Vec<_> = moves
            .iter()
            .filter(|&&mv| position.is_capture(mv) || mv.is_promotion())
            .collect();
        let noisy = position.noisy_moves();
        let mut got: Vec<_> = noisy.iter().collect();
        want.sort_unstable();
        got.sort_unstable();
        assert_eq!(got, want, "{position:?}");
    });
}

#[test]
fn keys_checks_and_set_ups_agree_with_a_second_way() {
    every_position(|line, moves| {
        let position = line.position();
        assert_eq!(
            position.position_key(),
            position.fresh_key(),
            "{position:?}"
        );
        let some = !moves.is_empty();
        assert_eq!(position.has_legal_move(), some, "{position:?}");
        let again = Position::from_setup(&position.setup(), line.ruleset()).unwrap();
        assert_eq!(&again, position);
        for &mv in moves {
            let mut after = *position;
            after.play(mv);
            assert_eq!(
                position.gives_check(mv),
                after.in_check(),
                "{position:?} {mv}"
            );
            assert_eq!(Move::from_bits(mv.raw().to_bits()), Some(mv.raw()));
        }
    });
}

#[test]
fn attacks_looked_up_from_either_end_agree() {
    every_position(|line, _| {
        let position = line.position();
        for square in Square::ALL {
            let mut forward = Bitboard::EMPTY;
            for from in position.occupied() {
                if position.attacks_from(from).contains(square) {
                    forward = forward | Bitboard::of(from);
                }
            }
            let backward = position.attackers_to(square, position.occupied());
            assert_eq!(forward, backward, "{position:?} {square}");
        }
    });
}
