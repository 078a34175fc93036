//! Boards as SVG: men of makruk and ouk on a plain wooden board.

use std::fmt::Write as _;

use rules::Square;
use serde::{Deserialize, Serialize};

use crate::men::{Piece, symbols, title};

/// What to mark on a board. Squares are named `a1` to `h8`; a name that is none marks nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The last move: from and to.
    pub last: Option<(String, String)>,
    /// The move or square that a finding is about, ringed in red.
    pub bad: Vec<String>,
    /// Whether the men are named as in ouk (neang, koul) rather than makruk (met, khon).
    pub ouk: bool,
    /// Whether Black sits at the bottom.
    pub flipped: bool,
}

/// Why a board cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The text before the first space is not eight ranks.
    #[error("a board has eight ranks of eight squares, `{0}` does not")]
    Ranks(String),
    /// A letter that is no man.
    #[error("`{0}` is no man: K M S N R P, their small letters, and M~ for a promoted bia")]
    Man(char),
}

/// Side of a square.
const SIDE: usize = 100;
/// Margin for the coordinates.
const EDGE: usize = 44;
/// Width and height of the drawing.
const SIZE: usize = 8 * SIDE + 2 * EDGE;

/// The board of a FEN as a whole SVG file.
///
/// # Errors
/// If the first field of `fen` is not a board; nothing else of it is needed but the side to move.
pub fn board_svg(fen: &str, marks: &Marks) -> Result<String, BoardError> {
    let drawing = drawing(fen, marks)?;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {SIZE} {SIZE}\" width=\"{w}\" height=\"{w}\" role=\"img\">\
         {symbols}{drawing}</svg>\n",
        w = SIZE / 2,
        symbols = symbols(),
    ))
}

/// The board for a page that holds [`symbols`] once for all its boards.
pub(crate) fn board_inline(fen: &str, marks: &Marks) -> Result<String, BoardError> {
    let drawing = drawing(fen, marks)?;
    Ok(format!(
        "<svg class=\"board\" viewBox=\"0 0 {SIZE} {SIZE}\" role=\"img\">{drawing}</svg>"
    ))
}

fn drawing(fen: &str, marks: &Marks) -> Result<String, BoardError> {
    let mut words = fen.split_whitespace();
    let pieces = placement(words.next().unwrap_or_default())?;
    let black_moves = words.next() == Some("b");
    let mut svg = String::with_capacity(8 * 1024);
    put(
        &mut svg,
        format_args!(
            "<title>{}</title>",
            if black_moves {
                "Black to move"
            } else {
                "White to move"
            }
        ),
    );
    wood(&mut svg);
    if let Some((from, to)) = &marks.last {
        [from, to]
            .into_iter()
            .for_each(|name| shade(&mut svg, name, marks.flipped, "#f2cf4a", "0.62"));
    }
    marks
        .bad
        .iter()
        .for_each(|name| shade(&mut svg, name, marks.flipped, "#d8402f", "0.38"));
    lines(&mut svg);
    coordinates(&mut svg, marks.flipped);
    for (square, piece) in pieces {
        let (x, y) = corner(square, marks.flipped);
        put(
            &mut svg,
            format_args!(
                "<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\"><title>{name} {square}</title></use>",
                id = piece.symbol_id(),
                name = title(piece, marks.ouk),
            ),
        );
    }
    marks
        .bad
        .iter()
        .for_each(|name| ring(&mut svg, name, marks.flipped));
    to_move(&mut svg, black_moves, marks.flipped);
    Ok(svg)
}

/// Writing into a string cannot fail.
fn put(svg: &mut String, text: std::fmt::Arguments<'_>) {
    svg.write_fmt(text).expect("a string takes any text");
}

/// The men of the board field of a FEN, in the order of the field.
fn placement(field: &str) -> Result<Vec<(Square, Piece)>, BoardError> {
    let wrong = || BoardError::Ranks(field.chars().take(90).collect());
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        return Err(wrong());
    }
    let mut men: Vec<(Square, Piece)> = Vec::with_capacity(32);
    for (down, rank) in (0u8..).zip(ranks) {
        let mut file = 0u8;
        let mut previous_is_man = false;
        for letter in rank.chars() {
            match letter {
                '1'..='8' => file = file.saturating_add(letter as u8 - b'0'),
                '~' if previous_is_man => {
                    let last = men.last_mut().ok_or_else(wrong)?;
                    last.1 = last.1.promoted().ok_or(BoardError::Man('~'))?;
                }
                _ => {
                    let piece = Piece::from_letter(letter).ok_or(BoardError::Man(letter))?;
                    men.push((Square::new(file, 7 - down).ok_or_else(wrong)?, piece));
                    file += 1;
                }
            }
            previous_is_man = letter.is_ascii_alphabetic();
        }
        if file != 8 {
            return Err(wrong());
        }
    }
    Ok(men)
}

/// Upper left corner of a square.
fn corner(square: Square, flipped: bool) -> (usize, usize) {
    let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
    let (across, down) = if flipped {
        (7 - file, rank)
    } else {
        (file, 7 - rank)
    };
    (EDGE + across * SIDE, EDGE + down * SIDE)
}

fn wood(svg: &mut String) {
    put(
        svg,
        format_args!(
            "<rect width=\"{SIZE}\" height=\"{SIZE}\" rx=\"10\" fill=\"#8a5a33\"/>\
             <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{w}\" height=\"{w}\" fill=\"#e3bd86\"/>",
            w = 8 * SIDE,
        ),
    );
}

/// Makruk boards are not chequered: lines alone part the squares.
fn lines(svg: &mut String) {
    let end = EDGE + 8 * SIDE;
    svg.push_str("<path d=\"");
    for step in 0..=8 {
        let at = EDGE + step * SIDE;
        put(svg, format_args!("M{EDGE} {at}H{end}M{at} {EDGE}V{end}"));
    }
    svg.push_str("\" stroke=\"#7a4d29\" stroke-width=\"2.5\" fill=\"none\"/>");
}

fn coordinates(svg: &mut String, flipped: bool) {
    svg.push_str(
        "<g font-family=\"system-ui,sans-serif\" font-size=\"26\" font-weight=\"600\" fill=\"#f6e6cb\" text-anchor=\"middle\">",
    );
    for step in 0..8u8 {
        let seen = if flipped { 7 - step } else { step };
        let middle = EDGE + usize::from(step) * SIDE + SIDE / 2;
        let (file, rank) = (char::from(b'a' + seen), 8 - seen);
        put(
            svg,
            format_args!(
                "<text x=\"{middle}\" y=\"{bottom}\">{file}</text><text x=\"{left}\" y=\"{y}\">{rank}</text>",
                bottom = SIZE - 13,
                left = EDGE / 2,
                y = middle + 9,
            ),
        );
    }
    svg.push_str("</g>");
}

fn shade(svg: &mut String, name: &str, flipped: bool, colour: &str, opacity: &str) {
    if let Ok(square) = name.parse::<Square>() {
        let (x, y) = corner(square, flipped);
        put(
            svg,
            format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{colour}\" fill-opacity=\"{opacity}\"/>"
            ),
        );
    }
}

fn ring(svg: &mut String, name: &str, flipped: bool) {
    if let Ok(square) = name.parse::<Square>() {
        let (x, y) = corner(square, flipped);
        put(
            svg,
            format_args!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{w}\" rx=\"8\" fill=\"none\" stroke=\"#b3261e\" stroke-width=\"7\"/>",
                x = x + 5,
                y = y + 5,
                w = SIDE - 10,
            ),
        );
    }
}

/// A dot beside the board on the side of the player to move.
fn to_move(svg: &mut String, black: bool, flipped: bool) {
    let y = if black == flipped {
        EDGE + 8 * SIDE - SIDE / 2
    } else {
        EDGE + SIDE / 2
    };
    let fill = if black { "#241c16" } else { "#fdf6e6" };
    put(
        svg,
        format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"13\" fill=\"{fill}\" stroke=\"#3a2412\" stroke-width=\"3\"/>",
            x = SIZE - EDGE / 2,
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    #[test]
    fn the_start_has_thirty_two_men() {
        let svg = board_svg(START, &Marks::default()).unwrap();
        assert_eq!(svg.matches("<use ").count(), 32);
        assert!(svg.contains("<title>khun ขุน d1</title>"));
        assert!(svg.contains("<title>White to move</title>"));
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    }

    #[test]
    fn a_bia_ngai_is_not_a_met() {
        let svg = board_svg("4k3/8/8/8/3M~4/8/3M4/3K4 b - - 0 1", &Marks::default()).unwrap();
        assert!(svg.contains("bia ngai เบี้ยหงาย d4") && svg.contains("met เม็ด d2"));
        assert!(svg.contains("Black to move"));
    }

    #[test]
    fn ouk_has_its_own_names() {
        let svg = board_svg(
            START,
            &Marks {
                ouk: true,
                ..Marks::default()
            },
        )
        .unwrap();
        assert!(svg.contains("neang") && svg.contains("koul") && !svg.contains("khon"));
    }

    #[test]
    fn marks_are_drawn_and_unknown_squares_are_not() {
        let marks = Marks {
            last: Some(("e3".to_owned(), "e4".to_owned())),
            bad: vec!["f6".to_owned(), "z9\"/><script>".to_owned()],
            ..Marks::default()
        };
        let svg = board_svg(START, &marks).unwrap();
        assert_eq!(svg.matches("#f2cf4a").count(), 2);
        assert_eq!(svg.matches("#b3261e").count(), 1);
        assert!(!svg.contains("script"));
    }

    #[test]
    fn nonsense_is_an_error() {
        for fen in [
            "",
            "8/8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/7",
            "8/8/8/8/8/8/8/~7",
            "8/8/8/8/8/8/8/7P~",
            "8/8/8/8/8/8/8/7Q",
        ] {
            assert!(board_svg(fen, &Marks::default()).is_err(), "{fen}");
        }
        assert_eq!(
            board_svg("8/8/8/8/8/8/8/7Q", &Marks::default()),
            Err(BoardError::Man('Q'))
        );
    }

    #[test]
    fn a_flipped_board_has_black_at_the_bottom() {
        let flipped = Marks {
            flipped: true,
            ..Marks::default()
        };
        let svg = board_svg("4k3/8/8/8/8/8/8/3K4 w - - 0 1", &flipped).unwrap();
        assert!(svg.contains("<use href=\"#wK\" x=\"444\" y=\"44\""));
    }
}
