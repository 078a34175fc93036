//! Principal variations, one per ply, in a triangle.

use rules::{Move, MoveKind, Square};

use crate::score::MAX_PLY;

/// The best line found from each ply of the current path.
#[derive(Debug)]
pub(crate) struct Lines {
    moves: Vec<Move>,
    lengths: [usize; MAX_PLY + 2],
}

const WIDTH: usize = MAX_PLY + 2;

impl Lines {
    pub(crate) fn new() -> Lines {
        let corner = Square::from_index(0);
        let filler = Move::new(corner, corner, MoveKind::Normal);
        Lines {
            moves: vec![filler; WIDTH * WIDTH],
            lengths: [0; WIDTH],
        }
    }

    pub(crate) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// `mv` is best at `ply`; the rest follows from the next ply.
    pub(crate) fn set(&mut self, ply: usize, mv: Move) {
        let rest = self.lengths[ply + 1].min(WIDTH - 1);
        self.moves[ply * WIDTH] = mv;
        self.moves
            .copy_within((ply + 1) * WIDTH..(ply + 1) * WIDTH + rest, ply * WIDTH + 1);
        self.lengths[ply] = rest + 1;
    }

    pub(crate) fn at(&self, ply: usize) -> &[Move] {
        &self.moves[ply * WIDTH..ply * WIDTH + self.lengths[ply]]
    }
}
