//! REN, the positions of khmer-chess.js (FORMATS 3, D9).
//!
//! ```text
//! BHGQKGHB/8/FFFFFFFF/8/8/ffffffff/8/bhgkqghb w ---- -- -.4@64 ffff
//! │                                           │ │    │  │      └ men taken
//! │                                           │ │    │  └ count: White.Black@limit
//! │                                           │ │    └ khuns in check: K, k
//! │                                           │ └ khuns and mets that may leap no more: K Q k q
//! │                                           └ side to move
//! └ board: White's first rank first, each rank from the h-file; B rua, H ma, G khon, Q met,
//!   F bia, T promoted bia, K khun
//! ```
//!
//! Older strings lack the men taken. There is no move number and no clock: 1 and 0 are taken.

use rules::{Color, CountKind, FullMoves, Man, Role, Ruleset, Setup, Square, Stop, ToldCount};
use rules::{Position, Rights};

use super::board::{rows, side_of};
use super::{Dialect, FenError, FenNote, FenStart, finish, quoted};

pub(super) fn parse(text: &str, rules: &Ruleset) -> Result<FenStart, FenError> {
    let mut setup = Setup::empty();
    let mut parts = text.split_ascii_whitespace();
    let board = parts.next().ok_or(FenError::Empty)?;
    read_board(board, &mut setup)?;
    setup.turn = match parts.next() {
        Some("w") | None => Color::White,
        Some("b") => Color::Black,
        Some(other) => return Err(FenError::Turn(quoted(other))),
    };
    if let Some(text) = parts.next() {
        read_rights(text, rules, &mut setup)?;
    }
    let mut count = None;
    let rest: Vec<_> = parts.collect();
    if rest.len() > 3 {
        return Err(FenError::TooManyFields(rest.len() + 3));
    }
    for text in rest {
        match text {
            _ if text.contains('.') => count = read_count(text)?,
            _ if is_checks(text) || is_taken(text) => {}
            _ => {
                return Err(FenError::Field {
                    field: "count",
                    text: quoted(text),
                    want: "the number said by White, a dot and Black's, perhaps @ and the limit",
                });
            }
        }
    }
    let mut start = finish(setup, rules, vec![FenNote::Converted(Dialect::Ren)])?;
    if let Some(count) = count {
        start.take_told(&count.told(&start.position), rules);
    }
    Ok(start)
}

fn read_board(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let mut upside_down = Setup::empty();
    rows(text, &mut |letter, _| man(letter), &mut upside_down).map_err(turned)?;
    for square in Square::ALL {
        // The row that comes first is rank 1, and its first man stands on the h-file.
        let there = Square::new(7 - square.file(), 7 - square.rank());
        if let Some(there) = there {
            setup.put(there, upside_down.man_at(square));
        }
    }
    Ok(())
}

/// An error with the rank as the string counts it.
fn turned(error: FenError) -> FenError {
    match error {
        FenError::Row { rank, squares } => FenError::Row {
            rank: 9 - rank,
            squares,
        },
        FenError::Letter { letter, rank } => FenError::Letter {
            letter,
            rank: 9 - rank,
        },
        other => other,
    }
}

fn man(letter: char) -> Option<Man> {
    let (role, promoted) = match letter.to_ascii_uppercase() {
        'B' => (Role::Rua, false),
        'H' => (Role::Ma, false),
        'G' => (Role::Khon, false),
        'Q' => (Role::Met, false),
        'T' => (Role::Met, true),
        'F' => (Role::Bia, false),
        'K' => (Role::Khun, false),
        _ => return None,
    };
    Some(Man {
        color: side_of(letter),
        role,
        promoted,
    })
}

/// Four places, for White's khun and met and Black's: `-` where the man may still leap.
fn read_rights(text: &str, rules: &Ruleset, setup: &mut Setup) -> Result<(), FenError> {
    let places = [('K', 3, 0), ('Q', 4, 0), ('k', 4, 7), ('q', 3, 7)];
    let letters: Vec<char> = text.chars().collect();
    let fits = letters.len() == 4
        && letters
            .iter()
            .zip(places)
            .all(|(&letter, (lost, ..))| letter == '-' || letter == lost);
    if !fits {
        return Err(FenError::Field {
            field: "leaps lost",
            text: quoted(text),
            want: "K, Q, k and q in this order, or - in their places",
        });
    }
    for (letter, (_, file, rank)) in letters.into_iter().zip(places) {
        let Some(home) = Square::new(file, rank).filter(|_| letter == '-') else {
            continue;
        };
        let own = setup.man_at(home).is_some_and(|man| {
            man.color == rules::ruleset::home_side(home)
                && Some(man.role) == rules.right_holder(home)
                && !man.promoted
        });
        if own {
            setup.rights = setup.rights.with(Rights::of_square(home));
        }
    }
    Ok(())
}

fn is_checks(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| b"-Kk".contains(&byte))
}

fn is_taken(text: &str) -> bool {
    text.chars().all(|letter| man(letter).is_some())
}

struct Count {
    side: Color,
    number: FullMoves,
    limit: Option<FullMoves>,
}

/// `-.4@64`: Black has said 4 of 64. `-.-`: nobody counts.
fn read_count(text: &str) -> Result<Option<Count>, FenError> {
    let wrong = || FenError::Field {
        field: "count",
        text: quoted(text),
        want: "the number said by White, a dot and Black's, perhaps @ and the limit",
    };
    let (said, limit) = match text.split_once('@') {
        Some((said, limit)) => (said, limit),
        None => (text, "-"),
    };
    let (white, black) = said.split_once('.').ok_or_else(wrong)?;
    let number = |text: &str| -> Result<Option<FullMoves>, FenError> {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text {
            "-" => Ok(None),
            _ if digits => text
                .parse()
                .map(|n| Some(FullMoves(n)))
                .map_err(|_| wrong()),
            _ => Err(wrong()),
        }
    };
    let limit = number(limit)?;
    let (side, number) = match (number(white)?, number(black)?) {
        (None, None) => return Ok(None),
        (Some(number), None) => (Color::White, number),
        (None, Some(number)) => (Color::Black, number),
        (Some(_), Some(_)) => return Err(wrong()),
    };
    Ok(Some(Count {
        side,
        number,
        limit,
    }))
}

impl Count {
    /// Which honour is counted the string does not say: the pieces', where it can be.
    fn told(&self, position: &Position) -> ToldCount {
        let bare = position.is_bare(self.side) && position.role(Role::Bia).is_empty();
        ToldCount {
            kind: match bare {
                true => CountKind::Pieces,
                false => CountKind::Board,
            },
            side: self.side,
            number: self.number,
            limit: self.limit,
            start: None,
            stop: Stop::No,
        }
    }
}
