//! Where the men stand, as sets of squares: all that phases and formations need to know of a position.

use rules::{ByColor, Color, Position, Role};

/// The men of one colour, each kind as a set of squares (bit 0 = a1, bit 1 = b1, ... bit 63 = h8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Men {
    /// Khun.
    pub khun: u64,
    /// Met that began as met. Bia ngai are not among them.
    pub met: u64,
    /// Khon.
    pub khon: u64,
    /// Ma.
    pub ma: u64,
    /// Rua.
    pub rua: u64,
    /// Unpromoted bia.
    pub bia: u64,
    /// Bia ngai, the promoted bia.
    pub bia_ngai: u64,
}

impl Men {
    /// All of them.
    pub fn all(&self) -> u64 {
        self.khun | self.bia | self.bia_ngai | self.pieces()
    }

    /// Rua, ma, khon and met: neither khun, nor bia, nor bia ngai.
    pub fn pieces(&self) -> u64 {
        self.met | self.khon | self.ma | self.rua
    }
}

/// The men of both colours.
pub type Board = ByColor<Men>;

/// The men of a position.
pub fn board_of(position: &Position) -> Board {
    ByColor::new_with(|color| {
        let of = |role| position.of(color, role).0;
        let promoted = position.promoted().0;
        Men {
            khun: of(Role::Khun),
            met: of(Role::Met) & !promoted,
            khon: of(Role::Khon),
            ma: of(Role::Ma),
            rua: of(Role::Rua),
            bia: of(Role::Bia),
            bia_ngai: of(Role::Met) & promoted,
        }
    })
}

/// Everything on the ranks beyond the middle of the board, as `color` sees it.
pub(crate) fn far_half(color: Color) -> u64 {
    match color {
        Color::White => 0xffff_ffff_0000_0000,
        Color::Black => 0x0000_0000_ffff_ffff,
    }
}

/// The same squares with rank 1 and rank 8 exchanged, so that Black's men are seen as White's.
pub(crate) fn mirrored(squares: u64) -> u64 {
    squares.swap_bytes()
}

/// The names of the squares of a set, in order of square: `e2c3`, not `c3e2`.
pub(crate) fn square_names(mut squares: u64) -> String {
    let mut names = String::new();
    while squares != 0 {
        let index = squares.trailing_zeros() as u8;
        names.push(char::from(b'a' + index % 8));
        names.push(char::from(b'1' + index / 8));
        squares &= squares - 1;
    }
    names
}

#[cfg(test)]
pub(crate) fn board_from(placement: &str) -> Board {
    let mut board = Board::default();
    let (mut file, mut rank) = (0u32, 7u32);
    let mut last: Option<(Color, u64)> = None;
    for letter in placement.chars() {
        match letter {
            '/' => (file, rank) = (0, rank - 1),
            '1'..='8' => file += letter.to_digit(10).unwrap(),
            '~' => {
                let (color, square) = last.unwrap();
                let men = if color == Color::White {
                    &mut board.white
                } else {
                    &mut board.black
                };
                men.met &= !square;
                men.bia_ngai |= square;
            }
            _ => {
                let square = 1u64 << (rank * 8 + file);
                let color = if letter.is_uppercase() {
                    Color::White
                } else {
                    Color::Black
                };
                let men = if color == Color::White {
                    &mut board.white
                } else {
                    &mut board.black
                };
                *match letter.to_ascii_uppercase() {
                    'K' => &mut men.khun,
                    'M' => &mut men.met,
                    'S' => &mut men.khon,
                    'N' => &mut men.ma,
                    'R' => &mut men.rua,
                    _ => &mut men.bia,
                } |= square;
                last = Some((color, square));
                file += 1;
            }
        }
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_fourteen_pieces() {
        let start = board_of(&rules::Ruleset::builtin("makruk").unwrap().start());
        assert_eq!(
            start,
            board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR")
        );
        assert_eq!(
            start.white.pieces().count_ones() + start.black.pieces().count_ones(),
            14
        );
        assert_eq!(start.white.all().count_ones(), 16);
        assert_eq!(square_names(start.white.ma), "b1g1");
        assert_eq!(mirrored(start.black.ma), start.white.ma);
    }
}
