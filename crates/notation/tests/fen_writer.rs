//! One writer through many positions says what a plain loop over the squares says.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use notation::fen;
use rules::{
    Color, CountState, FullMoves, Line, Man, Plies, Position, Role, Ruleset, Setup, Square,
};

/// RULES 7, square by square.
fn plain(position: &Position, count: &CountState, rules: &Ruleset) -> String {
    let mut rows = Vec::new();
    for rank in (0..8).rev() {
        let (mut row, mut empty) = (String::new(), 0);
        for file in 0..8 {
            match position.man_at(Square::new(file, rank).unwrap()) {
                None => empty += 1,
                Some(man) => {
                    if empty > 0 {
                        row += &empty.to_string();
                    }
                    empty = 0;
                    row.push(man.letter());
                    row += if man.promoted { "~" } else { "" };
                }
            }
        }
        if empty > 0 {
            row += &empty.to_string();
        }
        rows.push(row);
    }
    let turn = position.turn().letter();
    let (limit, plies) = match count.fields(rules) {
        Some(count) => (count.limit.0.to_string(), count.counted.0.to_string()),
        None => ("-".to_owned(), position.ply_clock().0.to_string()),
    };
    let left = position.checks_left();
    let checks = match position.first_check_wins() {
        true => format!(" {}+{}", left.white, left.black),
        false => String::new(),
    };
    format!(
        "{} {turn} {} {limit}{checks} {plies} {}",
        rows.join("/"),
        position.rights(),
        position.fullmove().0
    )
}

#[test]
fn games_of_random_moves() {
    let mut written = 0;
    for id in [
        "makruk",
        "makruk-fairy",
        "ouk",
        "cambodian-fairy",
        "karouk-fairy",
    ] {
        let rules = Ruleset::builtin(id).unwrap();
        let mut writer = fen::Writer::new();
        for seed in 1..=30u64 {
            let (mut line, mut state) = (Line::from_start(&rules), seed);
            while !line.position().legal_moves().is_empty() && line.plies().0 < 300 {
                let legal = line.position().legal_moves();
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(seed | 1);
                line.push(legal[(state >> 33) as usize % legal.len()]);
                let (position, count) = (line.position(), line.count_state());
                let want = plain(position, count, &rules);
                assert_eq!(
                    writer.write(position, count, &rules),
                    want,
                    "{id}, game {seed}"
                );
                assert_eq!(fen::write(&line), want, "{id}, game {seed}");
                written += 1;
            }
        }
    }
    assert!(written > 10_000, "{written}");
}

/// Boards that no game reaches: any men anywhere, marks too, numbers of any size.
#[test]
fn boards_of_any_kind() {
    let rules = Ruleset::builtin("makruk").unwrap();
    let mut writer = fen::Writer::new();
    let mut state = 7u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99);
        (state >> 33) % below
    };
    let (mut written, mut widest) = (0, 0);
    while written < 3000 {
        let mut setup = Setup::empty();
        let crowd = 1 + random(20);
        for square in Square::ALL {
            let role = [Role::Met, Role::Khon, Role::Ma, Role::Rua, Role::Bia][random(5) as usize];
            let color = Color::ALL[random(2) as usize];
            let man = Man {
                promoted: role == Role::Met && random(3) > 0,
                ..Man::new(color, role)
            };
            setup.put(square, (random(20) < crowd).then_some(man));
        }
        if random(2) == 0 {
            // A rank of eight promoted men: the widest there is.
            let rank = random(8) as u8;
            for file in 0..8 {
                let man = Man {
                    promoted: true,
                    ..Man::new(Color::White, Role::Met)
                };
                setup.put(Square::new(file, rank).unwrap(), Some(man));
            }
        }
        for color in Color::ALL {
            let square = Square::from_index(random(64) as u8);
            setup.put(square, Some(Man::new(color, Role::Khun)));
        }
        setup.ply_clock = Plies(random(2_000) as u32);
        let bits = 1 + random(31);
        setup.fullmove = FullMoves(random(1 << bits) as u32);
        let Ok((position, _)) = Position::forgiving(&setup, &rules) else {
            continue;
        };
        let want = plain(&position, &CountState::NONE, &rules);
        assert_eq!(writer.write(&position, &CountState::NONE, &rules), want);
        assert_eq!(fen::write_position(&position), want);
        written += 1;
        widest += u32::from(want.contains("M~M~M~M~M~M~M~M~"));
    }
    assert!(widest > 100, "{widest}");
}
