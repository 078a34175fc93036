//! A reader for the well-formed FENs of the test data: the real one is in `notation`, which
//! stands above this crate.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

use std::sync::Arc;

use rules::{
    Color, CountState, FullMoves, Line, Man, Plies, Position, Rights, Role, Ruleset, Setup,
    SetupCount, Square,
};

pub fn setup(fen: &str) -> Setup {
    let mut setup = Setup::empty();
    let fields: Vec<_> = fen.split(' ').collect();
    for (row, rank) in fields[0].split('/').zip((0..8).rev()) {
        let mut file = 0;
        for letter in row.chars() {
            if let Some(skip) = letter.to_digit(10) {
                file += skip as u8;
            } else if letter == '~' {
                let last = Square::new(file - 1, rank).unwrap();
                let man = setup.man_at(last).unwrap();
                setup.put(
                    last,
                    Some(Man {
                        promoted: true,
                        ..man
                    }),
                );
            } else {
                let color = if letter.is_ascii_uppercase() {
                    Color::White
                } else {
                    Color::Black
                };
                let man = Man::new(color, Role::from_letter(letter).unwrap());
                setup.put(Square::new(file, rank).unwrap(), Some(man));
                file += 1;
            }
        }
    }
    setup.turn = if fields[1] == "w" {
        Color::White
    } else {
        Color::Black
    };
    for letter in fields[2].chars().filter(|&letter| letter != '-') {
        setup.rights = setup.rights.with(Rights::from_letter(letter).unwrap());
    }
    if let Some((white, black)) = fields.iter().find_map(|field| field.split_once('+')) {
        setup.checks_left.white = white.parse().unwrap();
        setup.checks_left.black = black.parse().unwrap();
    }
    let clock: u32 = fields[fields.len() - 2].parse().unwrap();
    match fields[3] {
        "-" => setup.ply_clock = Plies(clock),
        limit => {
            setup.count = Some(SetupCount {
                limit: Plies(limit.parse().unwrap()),
                counted: Plies(clock),
            });
        }
    }
    setup.fullmove = FullMoves(fields[fields.len() - 1].parse().unwrap());
    setup
}

pub fn position(fen: &str, rules: &Ruleset) -> Position {
    Position::from_setup(&setup(fen), rules).unwrap()
}

pub fn line(fen: &str, rules: &Arc<Ruleset>) -> Line {
    let setup = setup(fen);
    let position = Position::from_setup(&setup, rules).unwrap();
    Line::new(
        rules,
        position,
        CountState::from_fields(setup.count, &position, rules),
    )
}

/// The fairy rule set of a golden row's variant.
pub fn fairy(variant: &str) -> Arc<Ruleset> {
    Ruleset::builtin(&format!("{variant}-fairy")).unwrap()
}

/// Plays moves in UCI form.
pub fn play(line: &mut Line, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = line.position().resolve(text.parse().unwrap());
        line.push(mv.unwrap_or_else(|| panic!("{text} is not legal in {:?}", line.position())));
    }
}
