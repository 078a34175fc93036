//! Opening, middlegame, endgame: a divider of our own for makruk and ouk.
//!
//! The chess divider of lila does not fit (ANALYSIS 1.1): a game of makruk starts with 14 pieces and an empty second
//! rank, men leave the back rank long before any contact, and promoted bia would count as pieces. So:
//!
//! - The **opening** is the build-up. It ends at the first position with at most 12 of the 14 pieces, or at most
//!   13 of the 16 unpromoted bia, or a bia ngai, or at least four men beyond the middle of the board: exchanges have
//!   been made, or the armies stand in each other's half.
//! - The **endgame** begins at the first position with at most six pieces, or without any unpromoted bia (only then
//!   can pieces' honour be counted, and board's honour in makruk), or with a bare khun.
//! - A phase never comes back, and the middlegame is missing where the endgame comes at once.
//!
//! Pieces are rua, ma, khon and met of both sides; bia ngai are not pieces. The thresholds are a convention, chosen
//! so that the demo games divide sensibly; no source gives any for makruk.

use rules::Color;
use serde::{Deserialize, Serialize};

use crate::board::{Board, far_half};

/// A part of the game. The order is that of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The build-up.
    Opening,
    /// From the first exchanges on.
    Middlegame,
    /// Few pieces, or no unpromoted bia.
    Endgame,
}

impl Phase {
    /// In the order of the game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The word stored in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }

    /// The phase of a stored word.
    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.as_str() == word)
    }
}

impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

const OPENING_PIECES: u32 = 13;
const OPENING_BIA: u32 = 14;
const OPENING_MEN_ACROSS: u32 = 3;
const ENDGAME_PIECES: u32 = 6;

/// Tells the phase of each position of one game, from the first on.
#[derive(Clone, Debug)]
pub struct Divider {
    reached: Phase,
}

impl Default for Divider {
    fn default() -> Self {
        Divider {
            reached: Phase::Opening,
        }
    }
}

impl Divider {
    /// Before the first position.
    pub fn new() -> Divider {
        Divider::default()
    }

    /// The phase of the game's next position. A move belongs to the phase of the position it was made in.
    pub fn next(&mut self, board: &Board) -> Phase {
        self.reached = self.reached.max(phase_of(board));
        self.reached
    }
}

/// The phase of a position without its history.
fn phase_of(board: &Board) -> Phase {
    let sides = [(Color::White, &board.white), (Color::Black, &board.black)];
    let sum = |count: &dyn Fn(Color, &crate::board::Men) -> u64| -> u32 {
        sides
            .iter()
            .map(|(color, men)| count(*color, men).count_ones())
            .sum()
    };
    let pieces = sum(&|_, men| men.pieces());
    let bia = sum(&|_, men| men.bia);
    let bare = sides.iter().any(|(_, men)| men.all() == men.khun);
    if pieces <= ENDGAME_PIECES || bia == 0 || bare {
        return Phase::Endgame;
    }
    let promoted = sum(&|_, men| men.bia_ngai);
    let across = sum(&|color, men| men.all() & far_half(color));
    if pieces < OPENING_PIECES || bia < OPENING_BIA || promoted > 0 || across > OPENING_MEN_ACROSS {
        return Phase::Middlegame;
    }
    Phase::Opening
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board_from;

    fn phases(placements: &[&str]) -> Vec<Phase> {
        let mut divider = Divider::new();
        placements
            .iter()
            .map(|placement| divider.next(&board_from(placement)))
            .collect()
    }

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR";

    #[test]
    fn the_start_and_the_build_up_are_opening() {
        assert_eq!(
            phases(&[START, "r1smks1r/4n3/ppnppppp/2p5/2P5/PPNPPPPP/4N3/R1SKMS1R"]),
            [Phase::Opening; 2]
        );
        // one bia exchanged for one: still the build-up
        assert_eq!(
            phases(&["rnsmksnr/8/pp1ppppp/8/8/PP1PPPPP/8/RNSKMSNR"]),
            [Phase::Opening]
        );
    }

    #[test]
    fn exchanges_end_the_opening() {
        // a pair of ma is gone: 12 pieces
        assert_eq!(
            phases(&["r1smksnr/8/pppppppp/8/8/PPPPPPPP/8/R1SKMSNR"]),
            [Phase::Middlegame]
        );
        // three bia are gone
        assert_eq!(
            phases(&["rnsmksnr/8/pp1ppppp/8/8/PP1PPPP1/8/RNSKMSNR"]),
            [Phase::Middlegame]
        );
        // a bia ngai
        assert_eq!(
            phases(&["rnsmksnr/8/1ppppppp/8/8/1PPPPPPP/4M~3/RNSKMSNR"]),
            [Phase::Middlegame]
        );
    }

    #[test]
    fn bia_ngai_are_not_pieces() {
        // six pieces and six bia ngai beside some bia: an endgame all the same
        let board = "r3k2r/3mm~m~2/p2m~4/8/8/P2M~4/3MM~M~2/R3K2R";
        assert_eq!(phases(&[board]), [Phase::Endgame]);
    }

    #[test]
    fn no_bia_or_a_bare_khun_is_an_endgame() {
        assert_eq!(phases(&["rnsmksnr/8/8/8/8/8/8/RNSKMSNR"]), [Phase::Endgame]);
        assert_eq!(
            phases(&["4k3/8/8/8/8/PPPPPPPP/8/RNSKMSNR"]),
            [Phase::Endgame]
        );
    }

    #[test]
    fn a_phase_never_comes_back() {
        let middle = "r1smksnr/8/pppppppp/8/8/PPPPPPPP/8/R1SKMSNR";
        let end = "4k3/8/8/8/8/8/8/R2K4";
        assert_eq!(
            phases(&[START, end, middle, START]),
            [
                Phase::Opening,
                Phase::Endgame,
                Phase::Endgame,
                Phase::Endgame
            ]
        );
    }
}
