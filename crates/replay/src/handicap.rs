//! Odds that a tag gives: takhaeng ruea, a rua turned over that is a met for the whole game (RULES 8.4).

use rules::{Man, Role, Setup, Square};

/// The squares whose ruas a `Handicap` tag turns over; none if it speaks of no such odds.
///
/// # Errors
///
/// One sentence: why the tag cannot be read.
pub(crate) fn overturned(tag: &str) -> Result<Vec<Square>, String> {
    let Some(squares) = tag.trim().strip_prefix("takhaeng-ruea") else {
        return Ok(Vec::new());
    };
    let squares = squares
        .strip_prefix(':')
        .ok_or_else(|| format!("the Handicap `{tag}` names no rua: want takhaeng-ruea:a1"))?;
    squares
        .split(',')
        .map(|name| {
            name.trim()
                .parse()
                .map_err(|_| format!("the Handicap `{tag}` names `{name}`, which is no square"))
        })
        .collect()
}

/// Puts a met in the place of each of these ruas, and ruas back in the corners that are not among them.
///
/// # Errors
///
/// One sentence, if no rua stands on one of the squares.
pub(crate) fn turn_over(setup: &mut Setup, squares: &[Square]) -> Result<(), String> {
    // A rule set may have odds of its own; the tag says which they really are.
    for square in Square::ALL {
        if let Some(man) = setup.man_at(square).filter(|man| man.promoted) {
            setup.put(square, Some(Man::new(man.color, Role::Rua)));
        }
    }
    for &square in squares {
        let rua = setup.man_at(square).filter(|man| man.role == Role::Rua);
        let rua = rua.ok_or_else(|| {
            format!("the Handicap turns over a rua on {square}, where none stands at the start")
        })?;
        let met = Man {
            promoted: true,
            ..Man::new(rua.color, Role::Met)
        };
        setup.put(square, Some(met));
    }
    Ok(())
}
