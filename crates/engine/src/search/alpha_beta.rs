//! Principal variation search of one node.

use rules::{Color, Move, Role};

use super::exchange;
use super::memory::HISTORY_MOST;
use super::node::Node;
use super::order::{Candidate, Hints, Ordered};
use super::table::{Bound, Found};
use super::Searcher;
use crate::eval;
use crate::score::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, mate_in, mated_in};

/// How far below the root, and by which move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) ply: usize,
    pub(super) previous: Option<Move>,
}

impl Place {
    fn next(self, mv: Option<Move>) -> Place {
        Place { ply: self.ply + 1, previous: mv }
    }
}

/// What is known of a node before its moves are tried.
struct View {
    depth: i32,
    pv: bool,
    /// Static value; meaningless in check.
    eval: Value,
    hint: Option<Move>,
}

impl Searcher<'_> {
    /// The value of `node`, exact within `alpha..beta`, a bound outside.
    ///
    /// The caller has entered the node's key into the path.
    pub(super) fn search(&mut self, node: &Node, depth: i32, mut alpha: Value, mut beta: Value, at: Place) -> Value {
        self.space.lines.clear(at.ply);
        let depth = if node.in_check { depth + 1 } else { depth };
        if depth <= 0 {
            return self.settle(node, alpha, beta, at);
        }
        if self.tick() {
            return DRAW;
        }
        self.deepest = self.deepest.max(at.ply);
        if let Some(value) = self.ended(node, at.ply) {
            return value;
        }
        if at.ply >= MAX_PLY {
            return self.evaluate(node);
        }
        alpha = alpha.max(mated_in(at.ply));
        beta = beta.min(mate_in(at.ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let pv = beta - alpha > 1;
        let found = self.space.table.probe(node.key, at.ply);
        if let Some(value) = found.and_then(|found| cutoff(&found, depth, alpha, beta)).filter(|_| !pv) {
            return value;
        }
        let eval = match found {
            _ if node.in_check => -INFINITE,
            Some(found) => found.eval,
            None => self.evaluate(node),
        };
        let hint = found.and_then(|found| found.mv);
        let mut view = View { depth, pv, eval, hint };
        if !node.in_check && !pv {
            if let Some(value) = self.refuted_at_rest(node, &view, alpha, beta, at) {
                return value;
            }
        }
        if hint.is_none() && depth >= 4 {
            view.depth -= 1;
        }
        self.try_moves(node, &view, alpha, beta, at)
    }

    pub(super) fn evaluate(&self, node: &Node) -> Value {
        eval::evaluate(&node.pos, self.rules, node.count.as_ref())
    }

    /// Cuts that need no move of ours: the position is so good, or so bad, that a look suffices.
    fn refuted_at_rest(&mut self, node: &Node, view: &View, alpha: Value, beta: Value, at: Place) -> Option<Value> {
        let &View { depth, eval, .. } = view;
        if beta.abs() < MATE_BOUND && depth <= 6 && eval - REVERSE_MARGIN * depth >= beta {
            return Some(eval);
        }
        if depth <= 2 && alpha.abs() < MATE_BOUND && eval + RAZOR_MARGIN * depth <= alpha {
            let value = self.settle(node, alpha, alpha + 1, at);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        if depth >= 3 && eval >= beta && beta.abs() < MATE_BOUND && self.may_pass(node, at) {
            return self.pass(node, view, beta, at);
        }
        None
    }

    /// Passing proves something only where a move is an advantage: with pieces on the board, and no count that a lost
    /// move would bring nearer to its end.
    fn may_pass(&self, node: &Node, at: Place) -> bool {
        let color = node.pos.turn();
        let pieces = node.pos.of(color, Role::Rua).0 | node.pos.of(color, Role::Ma).0 | node.pos.of(color, Role::Khon).0;
        at.previous.is_some() && node.count.is_none() && pieces.count_ones() >= 2 && !self.rules.first_check_wins
    }

    fn pass(&mut self, node: &Node, view: &View, beta: Value, at: Place) -> Option<Value> {
        let reduction = 3 + view.depth / 4 + ((view.eval - beta) / 200).min(2);
        let child = node.passed(self.rules);
        let floor = std::mem::replace(&mut self.floor, self.path.len());
        self.enter(&child);
        let value = -self.search(&child, view.depth - reduction, -beta, 1 - beta, at.next(None));
        self.leave();
        self.floor = floor;
        if self.stopped {
            return Some(DRAW);
        }
        // A mate found by passing is no mate.
        (value >= beta).then(|| if value >= MATE_BOUND { beta } else { value })
    }

    fn try_moves(&mut self, node: &Node, view: &View, mut alpha: Value, beta: Value, at: Place) -> Value {
        let moves = node.pos.legal_moves();
        if moves.is_empty() {
            return if node.in_check { node.mated(self.rules, at.ply) } else { DRAW };
        }
        if self.rules.first_check_wins && moves.iter().any(|&mv| node.pos.gives_check(mv)) {
            return mate_in(at.ply + 1);
        }
        let start = alpha;
        let mut best = (-INFINITE, None);
        let mut tried = Tried::default();
        let hints = Hints { first: view.hint, previous: at.previous, memory: &self.space.memory, ply: at.ply };
        let mut ordered = Ordered::new(&node.pos, &moves, hints);
        let mut number = 0;
        while let Some(candidate) = ordered.next(&node.pos) {
            number += 1;
            let mv = candidate.mv.raw();
            let hopeless = best.0 > -MATE_BOUND && self.is_hopeless(node, view, &candidate, number, alpha);
            let child = node.after(self.rules, candidate.mv);
            if hopeless && !child.in_check {
                continue;
            }
            let value = self.try_move(&child, view, &candidate, number, (alpha, beta), at.next(Some(mv)), node.in_check);
            if self.stopped {
                return DRAW;
            }
            if value > best.0 {
                best.0 = value;
                if value > alpha {
                    best.1 = Some(mv);
                    alpha = value;
                    if view.pv {
                        self.space.lines.set(at.ply, mv);
                    }
                    if alpha >= beta {
                        self.learn(node.pos.turn(), view.depth, &candidate, tried.moves(), at);
                        break;
                    }
                }
            }
            if candidate.quiet {
                tried.push(mv);
            }
        }
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value > start => Bound::Exact,
            _ => Bound::Upper,
        };
        let eval = if node.in_check { 0 } else { view.eval };
        let found = Found { mv: best.1, value: best.0, eval, depth: view.depth, bound };
        self.space.table.store(node.key, at.ply, found);
        best.0
    }

    /// One move: the first with the whole window, the others with an empty one, late ones less deep, and again with
    /// more where they surprise.
    #[expect(clippy::too_many_arguments, reason = "the state of a loop, split off for reading")]
    fn try_move(
        &mut self,
        child: &Node,
        view: &View,
        candidate: &Candidate,
        number: usize,
        (alpha, beta): (Value, Value),
        at: Place,
        evading: bool,
    ) -> Value {
        self.enter(child);
        let depth = view.depth - 1;
        let mut value = -INFINITE;
        if number > 1 {
            let reduction = if evading || child.in_check { 0 } else { reduction(view, candidate, number) };
            value = -self.search(child, depth - reduction, -alpha - 1, -alpha, at);
            if value > alpha && reduction > 0 && !self.stopped {
                value = -self.search(child, depth, -alpha - 1, -alpha, at);
            }
        }
        if number == 1 || (value > alpha && value < beta && !self.stopped) {
            value = -self.search(child, depth, -beta, -alpha, at);
        }
        self.leave();
        value
    }

    /// Whether a late move near the horizon is not worth a look.
    fn is_hopeless(&self, node: &Node, view: &View, candidate: &Candidate, number: usize, alpha: Value) -> bool {
        if node.in_check || view.pv || number <= 1 {
            return false;
        }
        let depth = view.depth;
        if candidate.quiet {
            let late = number > 4 + (depth * depth) as usize;
            let far = depth <= 5 && view.eval + FUTILITY_MARGIN * depth + 60 <= alpha;
            let disliked = depth <= 3 && candidate.score < -HISTORY_MOST / 2;
            return depth <= 6 && (late || far || disliked);
        }
        candidate.losing && depth <= 4 && !exchange::gains(&node.pos, candidate.mv.raw(), -90 * depth)
    }

    fn learn(&mut self, turn: Color, depth: i32, best: &Candidate, tried: &[Option<Move>], at: Place) {
        if best.quiet {
            self.space.memory.refuted(turn, at.ply, depth, at.previous, best.mv.raw(), tried);
        }
    }
}

const REVERSE_MARGIN: Value = 85;
const RAZOR_MARGIN: Value = 260;
const FUTILITY_MARGIN: Value = 95;

/// The stored value, if it settles the node.
pub(super) fn cutoff(found: &Found, depth: i32, alpha: Value, beta: Value) -> Option<Value> {
    let settles = match found.bound {
        Bound::Exact => true,
        Bound::Lower => found.value >= beta,
        Bound::Upper => found.value <= alpha,
    };
    (settles && found.depth >= depth).then_some(found.value)
}

/// Plies taken off a late move.
fn reduction(view: &View, candidate: &Candidate, number: usize) -> i32 {
    let from = if view.pv { 4 } else { 3 };
    if view.depth < 3 || number < from {
        return 0;
    }
    if !candidate.quiet {
        return i32::from(candidate.losing);
    }
    // Product of the logarithms, in 16ths: log2(8) * log2(8) gives about 2.6 plies.
    let mut plies = (log2_16ths(view.depth as u32) * log2_16ths(number as u32)) / 900;
    plies -= candidate.score.clamp(-HISTORY_MOST, HISTORY_MOST) / (HISTORY_MOST / 2);
    if candidate.score > HISTORY_MOST {
        plies -= 1;
    }
    if view.pv {
        plies -= 1;
    }
    plies.clamp(0, view.depth - 2)
}

/// The binary logarithm in sixteenths, by whole numbers alone.
fn log2_16ths(n: u32) -> i32 {
    let whole = n.max(1).ilog2();
    let rest = ((n << 4) >> whole) - 16;
    (whole * 16 + rest) as i32
}

/// Quiet moves that were tried and did not refute.
struct Tried {
    moves: [Option<Move>; 64],
    len: usize,
}

impl Default for Tried {
    fn default() -> Tried {
        Tried { moves: [None; 64], len: 0 }
    }
}

impl Tried {
    fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(mv);
            self.len += 1;
        }
    }

    fn moves(&self) -> &[Option<Move>] {
        &self.moves[..self.len]
    }
}
