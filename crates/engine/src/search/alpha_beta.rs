//! Principal variation search of one node.

use rules::{Color, Move, Role};

use super::memory::{HISTORY_MOST, Quiet};
use super::node::Node;
use super::order::{Candidate, Hints, Ordered};
use super::table::{Bound, Found};
use super::{Searcher, exchange, order};
use crate::eval;
use crate::score::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, mate_in, mated_in};

/// What is known of a node before its moves are tried.
struct View {
    ply: usize,
    depth: i32,
    pv: bool,
    /// A null window says that this node is expected to fail high.
    cut: bool,
    /// Static value; meaningless in check.
    eval: Value,
    /// The side to move stands better than at its last turn.
    improving: bool,
    hint: Option<Move>,
}

/// Lower and upper limit of the values that matter.
type Window = (Value, Value);

impl Searcher<'_> {
    /// The value of `node`, exact within the window, a bound outside.
    ///
    /// The caller has entered the node's key into the path and its move into the steps.
    pub(super) fn search(
        &mut self,
        node: &Node,
        depth: i32,
        (mut alpha, mut beta): Window,
        ply: usize,
        cut: bool,
    ) -> Value {
        self.space.lines.clear(ply);
        let depth = if node.in_check { depth + 1 } else { depth };
        if depth <= 0 {
            return self.settle(node, alpha, beta, ply);
        }
        if self.tick() {
            return DRAW;
        }
        self.deepest = self.deepest.max(ply);
        if let Some(value) = self.ended(node, ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate(node);
        }
        alpha = alpha.max(mated_in(ply));
        beta = beta.min(mate_in(ply + 1));
        if alpha < DRAW && self.can_repeat(node, ply) {
            alpha = DRAW;
        }
        if alpha >= beta {
            return alpha;
        }
        let pv = beta - alpha > 1;
        let found = self.space.table.probe(node.key, ply);
        if let Some(value) = found
            .and_then(|found| cutoff(&found, depth, alpha, beta))
            .filter(|_| !pv)
        {
            return value;
        }
        let mut view = self.look(node, found.as_ref(), depth, ply);
        view.pv = pv;
        view.cut = cut;
        let quiet = !node.in_check && !pv;
        if let Some(value) = quiet
            .then(|| self.refuted_at_rest(node, &view, alpha, beta))
            .flatten()
        {
            return value;
        }
        if view.hint.is_none() && depth >= 4 {
            view.depth -= 1;
        }
        self.try_moves(node, &view, alpha, beta)
    }

    /// Static value, trend and the table's move.
    fn look(&mut self, node: &Node, found: Option<&Found>, depth: i32, ply: usize) -> View {
        let two_ago = if ply >= 2 {
            self.evals[ply - 2]
        } else {
            INFINITE
        };
        let hint = found.and_then(|found| found.mv);
        let mut view = View {
            ply,
            depth,
            pv: false,
            cut: false,
            eval: -INFINITE,
            improving: false,
            hint,
        };
        if node.in_check {
            self.evals[ply] = two_ago;
            return view;
        }
        let eval = found.map_or_else(|| self.evaluate(node), |found| found.eval);
        self.evals[ply] = eval;
        view.improving = eval > two_ago;
        // A searched bound says more than a look.
        view.eval = match found {
            Some(found) if found.bound != Bound::Upper && found.value > eval => found.value,
            Some(found) if found.bound != Bound::Lower && found.value < eval => found.value,
            _ => eval,
        };
        view
    }

    pub(super) fn evaluate(&self, node: &Node) -> Value {
        eval::evaluate(&node.pos, self.rules, node.count.as_ref())
    }

    /// Cuts that need no move of ours: the position is so good, or so bad, that a look suffices.
    fn refuted_at_rest(
        &mut self,
        node: &Node,
        view: &View,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        let &View { depth, eval, .. } = view;
        let sane = beta.abs() < MATE_BOUND && eval.abs() < MATE_BOUND;
        if sane && depth <= 6 && eval - REVERSE_MARGIN * (depth - i32::from(view.improving)) >= beta
        {
            return Some(eval);
        }
        if sane && depth <= 2 && eval + RAZOR_MARGIN * depth <= alpha {
            let value = self.settle(node, alpha, alpha + 1, view.ply);
            if value <= alpha || self.stopped {
                return Some(value);
            }
        }
        if sane && depth >= 2 && eval >= beta && self.may_pass(node, view.ply) {
            return self.pass(node, view, beta);
        }
        None
    }

    /// Passing proves something only where a move is an advantage: with pieces on the board, and no count that a lost
    /// move would bring nearer to its end.
    fn may_pass(&self, node: &Node, ply: usize) -> bool {
        let color = node.pos.turn();
        let pieces = node.pos.of(color, Role::Rua)
            | node.pos.of(color, Role::Ma)
            | node.pos.of(color, Role::Khon);
        let passed_before = ply > 0 && self.steps[ply - 1].is_none();
        !passed_before && node.count.is_none() && pieces.len() >= 2 && !self.rules.first_check_wins
    }

    fn pass(&mut self, node: &Node, view: &View, beta: Value) -> Option<Value> {
        let reduction = 3 + view.depth / 4 + ((view.eval - beta) / 150).min(3);
        let child = node.passed(self.rules);
        let floor = std::mem::replace(&mut self.floor, self.path.len());
        self.steps[view.ply] = None;
        self.moves[view.ply] = None;
        self.enter(&child);
        let value = -self.search(
            &child,
            view.depth - reduction,
            (-beta, 1 - beta),
            view.ply + 1,
            !view.cut,
        );
        self.leave();
        self.floor = floor;
        if self.stopped {
            return Some(DRAW);
        }
        // A mate found by passing is no mate.
        (value >= beta).then_some(if value >= MATE_BOUND { beta } else { value })
    }

    fn try_moves(&mut self, node: &Node, view: &View, mut alpha: Value, beta: Value) -> Value {
        let moves = node.pos.legal_moves();
        if moves.is_empty() {
            return if node.in_check {
                node.mated(self.rules, view.ply)
            } else {
                DRAW
            };
        }
        if self.rules.first_check_wins && moves.iter().any(|&mv| node.pos.gives_check(mv)) {
            return mate_in(view.ply + 1);
        }
        let start = alpha;
        let mut best = (-INFINITE, None);
        let mut tried = Tried::default();
        let hints = Hints {
            first: view.hint,
            past: self.past(view.ply),
            memory: &self.space.memory,
            ply: view.ply,
        };
        let mut ordered = Ordered::new(&node.pos, &moves, hints);
        let mut number = 0;
        while let Some(candidate) = ordered.next(&node.pos) {
            number += 1;
            let mv = candidate.mv.raw();
            let hopeless =
                best.0 > -MATE_BOUND && self.is_hopeless(node, view, &candidate, number, alpha);
            // Near the root a draw by repetition hangs on moves of the game, which `can_repeat` does not know.
            let saves = view.ply < 3 && alpha < DRAW && node.pos.ply_clock().0 >= 3;
            if hopeless
                && !node.pos.gives_check(candidate.mv)
                && !(saves && self.repeats(node, candidate.mv))
            {
                continue;
            }
            let child = node.after(self.rules, candidate.mv);
            self.steps[view.ply] = Some(order::step(&node.pos, mv));
            self.moves[view.ply] = Some(mv);
            self.enter(&child);
            let value = self.try_move(
                &child,
                view,
                &candidate,
                number,
                (alpha, beta),
                node.in_check,
            );
            self.leave();
            if self.stopped {
                return DRAW;
            }
            if value > best.0 {
                best.0 = value;
                if value > alpha {
                    best.1 = Some(mv);
                    alpha = value;
                    if view.pv {
                        self.space.lines.set(view.ply, mv);
                    }
                    if alpha >= beta {
                        self.learn(node, view, &candidate, tried.moves());
                        break;
                    }
                }
            }
            if candidate.quiet {
                tried.push(order::quiet(&node.pos, mv));
            }
        }
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value > start => Bound::Exact,
            _ => Bound::Upper,
        };
        let eval = if node.in_check {
            0
        } else {
            self.evals[view.ply]
        };
        let found = Found {
            mv: best.1,
            value: best.0,
            eval,
            depth: view.depth,
            bound,
        };
        self.space.table.store(node.key, view.ply, found);
        best.0
    }

    /// One move: the first with the whole window, the others with an empty one, late ones less deep, and again with
    /// more where they surprise.
    fn try_move(
        &mut self,
        child: &Node,
        view: &View,
        candidate: &Candidate,
        number: usize,
        (alpha, beta): Window,
        evading: bool,
    ) -> Value {
        let (depth, ply) = (view.depth - 1, view.ply + 1);
        let mut value = -INFINITE;
        if number > 1 {
            let reduction = if evading || child.in_check {
                0
            } else {
                reduction(view, candidate, number)
            };
            value = -self.search(
                child,
                depth - reduction,
                (-alpha - 1, -alpha),
                ply,
                reduction > 0 || !view.cut,
            );
            if value > alpha && reduction > 0 && !self.stopped {
                value = -self.search(child, depth, (-alpha - 1, -alpha), ply, !view.cut);
            }
        }
        if number == 1 || (value > alpha && value < beta && !self.stopped) {
            let cut = !view.pv && !view.cut;
            value = -self.search(child, depth, (-beta, -alpha), ply, cut);
        }
        value
    }

    /// Whether a late move near the horizon is not worth a look.
    fn is_hopeless(
        &self,
        node: &Node,
        view: &View,
        candidate: &Candidate,
        number: usize,
        alpha: Value,
    ) -> bool {
        if node.in_check || number <= 1 || self.rules.first_check_wins {
            return false;
        }
        let depth = view.depth;
        if !candidate.quiet {
            return candidate.losing
                && depth <= 6
                && !exchange::gains(&node.pos, candidate.mv.raw(), -95 * depth);
        }
        let few = (3 + depth * depth) / if view.improving { 1 } else { 2 };
        if depth <= 8 && number as i32 > few {
            return true;
        }
        let left = (depth - 1 - base_reduction(depth, number)).max(0);
        let far = left <= 5 && view.eval + FUTILITY_BASE + FUTILITY_MARGIN * left <= alpha;
        let disliked = left <= 3 && candidate.score < -HISTORY_MOST / 4;
        far || disliked
            || (left <= 5 && !exchange::gains(&node.pos, candidate.mv.raw(), -16 * left * left))
    }

    fn learn(&mut self, node: &Node, view: &View, best: &Candidate, tried: &[Option<Quiet>]) {
        if best.quiet {
            let turn: Color = node.pos.turn();
            let past = self.past(view.ply);
            let best = order::quiet(&node.pos, best.mv.raw());
            self.space
                .memory
                .refuted(turn, view.ply, view.depth, past, best, tried);
        }
    }
}

const REVERSE_MARGIN: Value = 85;
const RAZOR_MARGIN: Value = 240;
const FUTILITY_BASE: Value = 90;
const FUTILITY_MARGIN: Value = 75;

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
    if view.depth < 3 || number < if view.pv { 4 } else { 2 } {
        return 0;
    }
    if !candidate.quiet {
        return i32::from(candidate.losing);
    }
    let mut plies = base_reduction(view.depth, number);
    if !view.improving {
        plies += 1;
    }
    if view.cut {
        plies += 1;
    }
    if view.pv {
        plies -= 1;
    }
    if candidate.special {
        plies -= 1;
    }
    plies -= candidate.score / (HISTORY_MOST / 3);
    plies.clamp(0, view.depth - 2)
}

/// Product of the logarithms: log2(8) times log2(8) gives about 2.6 plies.
fn base_reduction(depth: i32, number: usize) -> i32 {
    (log2_16ths(depth as u32) * log2_16ths(number as u32)) / 900
}

/// The binary logarithm in sixteenths, by whole numbers alone.
fn log2_16ths(n: u32) -> i32 {
    let n = n.max(1);
    let whole = n.ilog2();
    let rest = ((n << 4) >> whole) - 16;
    (whole * 16 + rest) as i32
}

/// Quiet moves that were tried and did not refute.
struct Tried {
    moves: [Option<Quiet>; 64],
    len: usize,
}

impl Default for Tried {
    fn default() -> Tried {
        Tried {
            moves: [None; 64],
            len: 0,
        }
    }
}

impl Tried {
    fn push(&mut self, quiet: Quiet) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(quiet);
            self.len += 1;
        }
    }

    fn moves(&self) -> &[Option<Quiet>] {
        &self.moves[..self.len]
    }
}
