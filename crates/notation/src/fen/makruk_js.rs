//! The FEN of makruk-js (FORMATS 3, D16).
//!
//! ```text
//! rmtektmr/8/bbbbbbbb/8/8/BBBBBBBB/8/RMTEKTMR w 10 w bp 64 10 100
//! │                                           │ │  │ │  │  │  └ limit
//! │                                           │ │  │ │  │  └ the first number said
//! │                                           │ │  │ │  └ the number said last
//! │                                           │ │  │ └ bp the board's honour, pp the pieces'
//! │                                           │ │  └ who counts
//! │                                           │ └ move number
//! │                                           └ side to move
//! └ B bia, F promoted bia, E met, T khon, M ma, R rua, K khun
//! ```
//!
//! The start has both khuns on the e-file, so that it is no start of makruk's: the board is read as
//! it stands. The last five fields are there while a count runs.

use rules::{Color, CountKind, FullMoves, Man, Role, Ruleset, Setup, Stop, ToldCount};

use super::board::{rows, side_of};
use super::{Dialect, FenError, FenNote, FenStart, fields, finish, quoted};

pub(super) fn parse(text: &str, rules: &Ruleset) -> Result<FenStart, FenError> {
    let mut setup = Setup::empty();
    let mut notes = vec![FenNote::Converted(Dialect::MakrukJs)];
    let parts: Vec<_> = text.split_ascii_whitespace().collect();
    let Some((board, rest)) = parts.split_first() else {
        return Err(FenError::Empty);
    };
    let splits = rows(board, &mut |letter, _| man(letter), &mut setup)?;
    notes.extend(splits.into_iter().map(|rank| FenNote::EmptySplit { rank }));
    let (turn, number, count) = match *rest {
        [turn, number] => (turn, number, None),
        [turn, number, side, kind, said, first, limit] => {
            (turn, number, Some((side, kind, [said, first, limit])))
        }
        _ => return Err(FenError::TooManyFields(parts.len())),
    };
    setup.turn = read_side("side to move", turn)?;
    setup.fullmove = FullMoves(fields::number("move number", number, &mut notes)?);
    if setup.fullmove == FullMoves(0) {
        notes.push(FenNote::ZeroMoveNumber);
        setup.fullmove = FullMoves(1);
    }
    let told = match count {
        Some((side, kind, numbers)) => Some(read_count(side, kind, numbers, &mut notes)?),
        None => None,
    };
    let mut start = finish(setup, rules, notes)?;
    if let Some(told) = told {
        start.take_told(&told, rules);
    }
    Ok(start)
}

fn man(letter: char) -> Option<Man> {
    let (role, promoted) = match letter.to_ascii_uppercase() {
        'B' => (Role::Bia, false),
        'F' => (Role::Met, true),
        'E' => (Role::Met, false),
        'T' => (Role::Khon, false),
        'M' => (Role::Ma, false),
        'R' => (Role::Rua, false),
        'K' => (Role::Khun, false),
        _ => return None,
    };
    Some(Man {
        color: side_of(letter),
        role,
        promoted,
    })
}

fn read_side(field: &'static str, text: &str) -> Result<Color, FenError> {
    match text {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(FenError::Field {
            field,
            text: quoted(text),
            want: "w or b",
        }),
    }
}

fn read_count(
    side: &str,
    kind: &str,
    [said, first, limit]: [&str; 3],
    notes: &mut Vec<FenNote>,
) -> Result<ToldCount, FenError> {
    let side = read_side("counting side", side)?;
    let kind = match kind {
        "bp" => CountKind::Board,
        "pp" => CountKind::Pieces,
        _ => {
            return Err(FenError::Field {
                field: "count",
                text: quoted(kind),
                want: "bp or pp",
            });
        }
    };
    fields::number("first number", first, notes)?;
    Ok(ToldCount {
        kind,
        side,
        number: FullMoves(fields::number("count", said, notes)?),
        limit: Some(FullMoves(fields::number("count limit", limit, notes)?)),
        start: None,
        stop: Stop::No,
    })
}
