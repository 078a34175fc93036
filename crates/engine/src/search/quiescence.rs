//! Captures and promotions to the end, so that no evaluation is taken in the middle of an exchange.

use super::Searcher;
use super::alpha_beta::cutoff;
use super::node::Node;
use super::order::{Hints, Ordered};
use super::table::{Bound, Found};
use crate::eval::EXCHANGE;
use crate::score::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, mate_in};

impl Searcher<'_> {
    /// The value of `node` when only noisy moves are played on, or any move out of check.
    pub(super) fn settle(
        &mut self,
        node: &Node,
        mut alpha: Value,
        beta: Value,
        ply: usize,
    ) -> Value {
        self.space.lines.clear(ply);
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
        let found = self.space.table.probe(node.key, ply);
        if let Some(value) = found
            .and_then(|found| cutoff(&found, 0, alpha, beta))
            .filter(|_| beta - alpha == 1)
        {
            return value;
        }
        if self.rules.first_check_wins
            && node
                .pos
                .legal_moves()
                .iter()
                .any(|&mv| node.pos.gives_check(mv))
        {
            return mate_in(ply + 1);
        }
        let start = alpha;
        let mut best = -INFINITE;
        let mut eval = 0;
        if !node.in_check {
            eval = found.map_or_else(|| self.evaluate(node), |found| found.eval);
            best = eval;
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let mut best_move = None;
        let moves = if node.in_check {
            node.pos.legal_moves()
        } else {
            node.pos.noisy_moves()
        };
        if node.in_check && moves.is_empty() {
            return node.mated(self.rules, ply);
        }
        let hint = found.and_then(|found| found.mv);
        let hints = Hints {
            first: hint,
            past: self.past(ply),
            memory: &self.space.memory,
            ply,
        };
        let mut ordered = Ordered::new(&node.pos, &moves, hints);
        while let Some(candidate) = ordered.next(&node.pos) {
            let mv = candidate.mv.raw();
            if best > -MATE_BOUND && !node.in_check {
                let gain = node
                    .pos
                    .role_at(mv.to())
                    .map_or(0, |role| EXCHANGE[role as usize]);
                let gain = if mv.is_promotion() { gain + 100 } else { gain };
                if candidate.losing || eval + gain + 150 <= alpha {
                    best = best.max((eval + gain + 150).min(alpha));
                    continue;
                }
            }
            let child = node.after(self.rules, candidate.mv);
            self.moves[ply] = Some(mv);
            self.enter(&child);
            let value = -self.settle(&child, -beta, -alpha, ply + 1);
            self.leave();
            if self.stopped {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(mv);
                    self.space.lines.set(ply, mv);
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        let bound = match best {
            value if value >= beta => Bound::Lower,
            value if value > start => Bound::Exact,
            _ => Bound::Upper,
        };
        self.space.table.store(
            node.key,
            ply,
            Found {
                mv: best_move,
                value: best,
                eval,
                depth: 0,
                bound,
            },
        );
        best
    }
}
