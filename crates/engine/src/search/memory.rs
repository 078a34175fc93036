//! What a search learns about moves, apart from positions: killers, replies, history. Forgotten between units.

use rules::{Color, Move};

use crate::score::MAX_PLY;

/// History scores stay within this.
pub(crate) const HISTORY_MOST: i32 = 8192;

/// Scores of quiet moves by what they did elsewhere in the tree.
#[derive(Debug)]
pub(crate) struct Memory {
    killers: Vec<[Option<Move>; 2]>,
    replies: Vec<Option<Move>>,
    history: Vec<i32>,
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory { killers: vec![[None; 2]; MAX_PLY + 1], replies: vec![None; 2 * 64 * 64], history: vec![0; 2 * 64 * 64] }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.replies.fill(None);
        self.history.fill(0);
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The quiet move that last refuted `previous`, a move of the other side.
    pub(crate) fn reply(&self, turn: Color, previous: Option<Move>) -> Option<Move> {
        self.replies[slot(turn, previous?)]
    }

    pub(crate) fn history(&self, turn: Color, mv: Move) -> i32 {
        self.history[slot(turn, mv)]
    }

    /// `best` refuted a position in which `tried`, quiet moves too, had been tried before it.
    pub(crate) fn refuted(&mut self, turn: Color, ply: usize, depth: i32, previous: Option<Move>, best: Move, tried: &[Option<Move>]) {
        let [first, _] = self.killers[ply];
        if first != Some(best) {
            self.killers[ply] = [Some(best), first];
        }
        if let Some(previous) = previous {
            self.replies[slot(turn, previous)] = Some(best);
        }
        let bonus = (depth * depth * 8).min(1200);
        self.learn(turn, best, bonus);
        for mv in tried.iter().flatten() {
            self.learn(turn, *mv, -bonus);
        }
    }

    /// Moves a score towards its limit, ever more slowly as it nears it.
    fn learn(&mut self, turn: Color, mv: Move, bonus: i32) {
        let score = &mut self.history[slot(turn, mv)];
        *score += bonus - *score * bonus.abs() / HISTORY_MOST;
    }
}

fn slot(turn: Color, mv: Move) -> usize {
    (turn as usize * 64 + mv.from().index()) * 64 + mv.to().index()
}
