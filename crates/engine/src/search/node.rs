//! A position on the search's way, with all that its value depends on.

use rules::ruleset::CounterMate;
use rules::{Color, Count, CountKind, CountState, LegalMove, Line, Position, Ruleset};

use crate::eval;
use crate::score::{DRAW, Value, mated_in};

/// A position, the count that runs, and the hash that tells both from others.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) pos: Position,
    pub(crate) state: CountState,
    pub(crate) count: Option<Count>,
    pub(crate) in_check: bool,
    pub(crate) key: u64,
}

impl Node {
    pub(crate) fn root(line: &Line) -> Node {
        Node::new(*line.position(), *line.count_state(), line.ruleset())
    }

    fn new(pos: Position, state: CountState, rules: &Ruleset) -> Node {
        let count = state.count(rules);
        Node {
            key: hash(&pos, count.as_ref()),
            in_check: pos.in_check(),
            pos,
            state,
            count,
        }
    }

    pub(crate) fn after(&self, rules: &Ruleset, mv: LegalMove) -> Node {
        let mut pos = self.pos;
        pos.play(mv);
        let state = self.wish(rules).after(rules, &self.pos, mv, &pos);
        Node::new(pos, state, rules)
    }

    /// The count state after the side to move has said what suits it.
    ///
    /// A counting side that is the stronger one now stops its board's honour count where it may: its own mate would only
    /// draw. It still draws with the very move it says so on, so a mate takes one move more. Starting a count is not
    /// tried: 64 moves lie beyond any horizon, and the evaluation allows for it.
    fn wish(&self, rules: &Ruleset) -> CountState {
        let mut state = self.state;
        let turn = self.pos.turn();
        let stops =
            |count: Count| count.kind == CountKind::Board && count.side == turn && rules.board_stop;
        if self.count.is_some_and(stops)
            && eval::force(&self.pos, turn) > eval::force(&self.pos, !turn)
        {
            // Refused only if it was said before, which is as good.
            let (Ok(()) | Err(_)) = state.stop(rules, &self.pos);
        }
        state
    }

    /// The node after the side to move has passed.
    pub(crate) fn passed(&self, rules: &Ruleset) -> Node {
        Node::new(self.pos.passed(), self.state, rules)
    }

    /// Whether neither side can ever mate, whatever the rule set says about ending the game for it.
    pub(crate) fn is_dead(&self) -> bool {
        Color::ALL
            .into_iter()
            .all(|color| self.pos.insufficient_material(color))
    }

    /// The value of a side to move that is in check and cannot move.
    pub(crate) fn mated(&self, rules: &Ruleset, ply: usize) -> Value {
        let mating = !self.pos.turn();
        match self.count {
            Some(count) if count.side == mating && rules.counter_mate == CounterMate::Draw => DRAW,
            _ => mated_in(ply),
        }
    }
}

/// The position's own key with its rights, and the replies left in a running count, without which a late position
/// would borrow the hopes of an early one.
///
/// While more replies are left than `FAR`, the end lies beyond what a search sees from there, and the number is left
/// out: positions reached by longer and shorter ways then share what is known of them.
fn hash(pos: &Position, count: Option<&Count>) -> u64 {
    let mut key = pos.position_key();
    if let Some(count) = count {
        let left = u64::from(count.replies_left.min(FAR)) << 8;
        key ^= spread(left | (count.side as u64) << 1 | (count.kind as u64) << 2 | 1);
    }
    key
}

/// Replies beyond which the exact number of them does not matter.
pub(crate) const FAR: u32 = 24;

/// A well mixed 64-bit word (the finaliser of SplitMix64).
fn spread(word: u64) -> u64 {
    let mut z = word.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
