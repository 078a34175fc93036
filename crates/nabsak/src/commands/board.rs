//! `nabsak board`: a position as text or as a picture.

use std::io::Write;

use ::rules::{Position, Square, Variant};

use super::{position, ruleset};
use crate::cli::BoardArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &BoardArgs) -> anyhow::Result<Exit> {
    let rules = ruleset(&args.rules)?;
    let position = position(Some(&args.fen), &rules)?;
    match &args.svg {
        Some(file) => {
            let marks = report::Marks {
                ouk: rules.variant() != Variant::Makruk,
                ..report::Marks::default()
            };
            let svg = report::board_svg(&notation::fen::write_position(&position), &marks)?;
            super::whole::write(file, svg.as_bytes())?;
        }
        None => write!(std::io::stdout().lock(), "{}", draw(&position))?,
    }
    Ok(DONE)
}

/// The board from White's side, a rank a line; bia ngai carry a `~`.
fn draw(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..8).rev() {
        text.push_str(&format!("{} ", rank + 1));
        for file in 0..8 {
            let man = Square::new(file, rank).and_then(|square| position.man_at(square));
            text.push_str(&man.map_or_else(|| ". ".to_owned(), man_text));
        }
        text.push('\n');
    }
    text.push_str("  a b c d e f g h\n");
    text
}

fn man_text(man: ::rules::Man) -> String {
    let mark = if man.promoted { '~' } else { ' ' };
    format!("{}{mark}", man.letter())
}
