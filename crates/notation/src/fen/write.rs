//! Writing positions in the form of RULES 7.

use rules::{CountState, Line, Man, Position, Ruleset, SetupCount, Square};

/// The current position of a line, with its count.
#[must_use]
pub fn write(line: &Line) -> String {
    write_state(line.position(), line.count_state(), line.ruleset())
}

/// A position and the state of its counts.
#[must_use]
pub fn write_state(position: &Position, count: &CountState, rules: &Ruleset) -> String {
    text(position, count.fields(rules))
}

/// A position alone: the count fields say that none runs.
#[must_use]
pub fn write_position(position: &Position) -> String {
    text(position, None)
}

fn text(position: &Position, count: Option<SetupCount>) -> String {
    let mut fen = String::with_capacity(96);
    board(position, &mut fen);
    fen.push(' ');
    fen.push(position.turn().letter());
    fen.push(' ');
    if position.rights().is_empty() {
        fen.push('-');
    } else {
        for home in position.rights().squares() {
            let base = if home.rank() == 0 { b'A' } else { b'a' };
            fen.push(char::from(base + home.file()));
        }
    }
    fen.push(' ');
    match count {
        Some(count) => number(&mut fen, count.limit.0),
        None => fen.push('-'),
    }
    if position.first_check_wins() {
        let left = position.checks_left();
        fen.push(' ');
        number(&mut fen, u32::from(left.white));
        fen.push('+');
        number(&mut fen, u32::from(left.black));
    }
    fen.push(' ');
    let plies = count.map_or(position.ply_clock(), |count| count.counted);
    number(&mut fen, plies.0);
    fen.push(' ');
    number(&mut fen, position.fullmove().0);
    fen
}

fn board(position: &Position, fen: &mut String) {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            let man = Square::new(file, rank).and_then(|square| position.man_at(square));
            match man {
                None => empty += 1,
                Some(man) => {
                    skip(fen, &mut empty);
                    letter(fen, man);
                }
            }
        }
        skip(fen, &mut empty);
        if rank > 0 {
            fen.push('/');
        }
    }
}

fn letter(fen: &mut String, man: Man) {
    fen.push(man.letter());
    if man.promoted {
        fen.push('~');
    }
}

fn skip(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push(char::from(b'0' + *empty));
        *empty = 0;
    }
}

fn number(fen: &mut String, mut value: u32) {
    let mut digits = [0u8; 10];
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    fen.extend(digits[start..].iter().map(|&digit| char::from(digit)));
}
