//! The root: ever deeper iterations, until the budget says stop.

use rules::{LegalMove, Move};

use super::{Searcher, exchange, order};
use crate::score::{INFINITE, MATE, MATE_BOUND, Value};

/// What one finished iteration found.
#[derive(Clone, Debug)]
pub(crate) struct Iteration {
    pub(crate) depth: u32,
    pub(crate) best: Move,
    pub(crate) value: Value,
    /// Begins with `best`.
    pub(crate) pv: Vec<Move>,
    /// The played move's value at this depth, if one was given; never above `value`.
    pub(crate) played: Option<Value>,
}

/// Progress of a search, for whoever watches it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress<'a> {
    pub(crate) iteration: &'a Iteration,
    pub(crate) nodes: u64,
    pub(crate) deepest: usize,
    pub(crate) per_mille: usize,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) last: Iteration,
    pub(crate) nodes: u64,
    pub(crate) deepest: usize,
}

/// What to do with an iteration that the budget cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Leave it out, and do not begin one that will hardly be finished: scores must be true to their depth.
    Discard,
    /// Take a better move it had found already: a player wants the best move and no more.
    UseMove,
}

struct RootMove {
    mv: LegalMove,
    value: Value,
    pv: Vec<Move>,
}

const DEEPEST: u32 = 100;
/// Half the width of the first window around the last value.
const WINDOW: Value = 24;

impl Searcher<'_> {
    /// Searches the root; `None` if it has no legal move. `watch` sees each finished iteration.
    ///
    /// With a played move, each iteration also finds that move's own value, with a full window and to the same depth,
    /// out of the same budget; an iteration is finished when both values are known. If the played move comes out above
    /// the best one, it is the best one.
    pub(crate) fn deepen(
        mut self,
        played: Option<LegalMove>,
        cut: Cut,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Option<Outcome> {
        let mut roots = self.root_moves();
        let mut last: Option<Iteration> = None;
        for depth in 1..=self.limits.depth.clamp(1, DEEPEST) {
            let before = self.nodes;
            let guess = last.as_ref().map(|iteration| iteration.value);
            let value = self.aspire(&mut roots, depth as i32, guess);
            if self.stopped {
                self.use_cut(cut, &roots, last.as_mut());
                break;
            }
            let mut iteration = iteration(depth, value, roots.first()?);
            if let Some(played) = played {
                let guess = last.as_ref().and_then(|iteration| iteration.played);
                self.judge(played, &mut iteration, guess, &mut roots);
                if self.stopped {
                    break;
                }
            }
            self.committed = false;
            let (nodes, deepest, per_mille) = (self.nodes, self.deepest, self.space.per_mille());
            watch(Progress {
                iteration: &iteration,
                nodes,
                deepest,
                per_mille,
            });
            let done = self.is_settled(&iteration) || self.cannot_finish_another(cut, before);
            last = Some(iteration);
            if done {
                break;
            }
        }
        last.map(|last| Outcome {
            last,
            nodes: self.nodes,
            deepest: self.deepest,
        })
    }

    /// The root's moves, noisy ones first, in a fixed order.
    fn root_moves(&self) -> Vec<RootMove> {
        let pos = &self.root.pos;
        let mut roots: Vec<RootMove> = pos
            .legal_moves()
            .iter()
            .filter(|mv| self.only.is_empty() || self.only.contains(mv))
            .map(|&mv| {
                let noisy = order::is_noisy(pos, mv.raw());
                let first = if noisy && exchange::gains(pos, mv.raw(), 0) {
                    1
                } else {
                    0
                };
                RootMove {
                    mv,
                    value: first,
                    pv: vec![mv.raw()],
                }
            })
            .collect();
        roots.sort_by_key(|root| -root.value);
        roots
    }

    /// One iteration: a window around the last value, widened until the value lies inside.
    fn aspire(&mut self, roots: &mut [RootMove], depth: i32, guess: Option<Value>) -> Value {
        let mut margin = WINDOW;
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth >= 5 && guess.abs() < MATE_BOUND => {
                (guess - margin, guess + margin)
            }
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.search_root(roots, depth, alpha, beta);
            if self.stopped {
                return value;
            }
            roots.sort_by_key(|root| -root.value);
            margin *= 3;
            if value <= alpha && alpha > -INFINITE {
                alpha = if margin > 1000 {
                    -INFINITE
                } else {
                    (value - margin).max(-INFINITE)
                };
            } else if value >= beta && beta < INFINITE {
                beta = if margin > 1000 {
                    INFINITE
                } else {
                    (value + margin).min(INFINITE)
                };
            } else {
                return value;
            }
        }
    }

    fn search_root(
        &mut self,
        roots: &mut [RootMove],
        depth: i32,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        let mut best = -INFINITE;
        for (index, root) in roots.iter_mut().enumerate() {
            let full = (index == 0).then_some(beta);
            let value = self.root_value(root.mv, depth, alpha, beta, full.is_some(), index);
            if self.stopped {
                root.value = if index == 0 { root.value } else { -INFINITE };
                return best;
            }
            // Moves that only proved to be worse keep their order among themselves: the sort is stable.
            root.value = -INFINITE;
            if value > best {
                best = value;
            }
            if index == 0 || value > alpha {
                root.value = value;
                root.pv.truncate(1);
                root.pv.extend_from_slice(self.best_line(1));
            }
            if value > alpha {
                alpha = value;
                if alpha >= beta {
                    break;
                }
            }
        }
        best
    }

    fn root_value(
        &mut self,
        mv: LegalMove,
        depth: i32,
        alpha: Value,
        beta: Value,
        full: bool,
        index: usize,
    ) -> Value {
        let child = self.root.after(self.rules, mv);
        self.moves[0] = Some(mv.raw());
        self.steps[0] = Some(order::step(&self.root.pos, mv.raw()));
        self.evals[0] = if self.root.in_check {
            0
        } else {
            self.evaluate(&self.root)
        };
        self.enter(&child);
        let mut value = -INFINITE;
        if !full {
            let late = index >= 6
                && depth >= 4
                && !child.in_check
                && !order::is_noisy(&self.root.pos, mv.raw());
            value = -self.search(
                &child,
                depth - 1 - i32::from(late),
                (-alpha - 1, -alpha),
                1,
                true,
            );
            if late && value > alpha && !self.stopped {
                value = -self.search(&child, depth - 1, (-alpha - 1, -alpha), 1, true);
            }
        }
        if full || (value > alpha && !self.stopped) {
            value = -self.search(&child, depth - 1, (-beta, -alpha), 1, false);
        }
        self.leave();
        value
    }

    /// The played move's own value at the iteration's depth.
    fn judge(
        &mut self,
        played: LegalMove,
        iteration: &mut Iteration,
        guess: Option<Value>,
        roots: &mut Vec<RootMove>,
    ) {
        if played.raw() == iteration.best {
            iteration.played = Some(iteration.value);
            return;
        }
        let (value, pv) = self.value_of(played, iteration.depth as i32, guess);
        if self.stopped {
            return;
        }
        iteration.played = Some(value);
        if value > iteration.value {
            iteration.value = value;
            iteration.best = played.raw();
            iteration.pv = pv;
            if let Some(place) = roots.iter().position(|root| root.mv == played) {
                let root = roots.remove(place);
                roots.insert(0, root);
            }
        }
    }

    fn value_of(&mut self, mv: LegalMove, depth: i32, guess: Option<Value>) -> (Value, Vec<Move>) {
        let mut margin = WINDOW;
        let (mut alpha, mut beta) = match guess {
            Some(guess) if depth >= 5 && guess.abs() < MATE_BOUND => {
                (guess - margin, guess + margin)
            }
            _ => (-INFINITE, INFINITE),
        };
        loop {
            let value = self.root_value(mv, depth, alpha, beta, true, 0);
            margin *= 3;
            if self.stopped
                || (value > alpha && value < beta)
                || (alpha == -INFINITE && beta == INFINITE)
            {
                let mut pv = vec![mv.raw()];
                pv.extend_from_slice(self.best_line(1));
                return (value, pv);
            }
            if value <= alpha {
                alpha = if margin > 1000 {
                    -INFINITE
                } else {
                    (value - margin).max(-INFINITE)
                };
            } else {
                beta = if margin > 1000 {
                    INFINITE
                } else {
                    (value + margin).min(INFINITE)
                };
            }
        }
    }

    /// A cut iteration has searched the former best move first; what beat it since is better knowledge.
    fn use_cut(&self, cut: Cut, roots: &[RootMove], last: Option<&mut Iteration>) {
        let (Cut::UseMove, Some(last)) = (cut, last) else {
            return;
        };
        let better = roots
            .iter()
            .filter(|root| root.value > -INFINITE)
            .max_by_key(|root| root.value);
        if let Some(root) =
            better.filter(|root| root.mv.raw() != last.best && root.value > last.value)
        {
            last.best = root.mv.raw();
            last.value = root.value;
            last.pv.clone_from(&root.pv);
        }
    }

    /// A mate well inside the searched depth will not get shorter.
    fn is_settled(&self, iteration: &Iteration) -> bool {
        let value = iteration.value.abs();
        value >= MATE_BOUND && iteration.depth as Value >= MATE - value + 6
    }

    fn cannot_finish_another(&self, cut: Cut, before: u64) -> bool {
        let late = self
            .limits
            .soft
            .is_some_and(|soft| std::time::Instant::now() >= soft);
        let cost = self.nodes - before;
        let short =
            cut == Cut::Discard && self.nodes.saturating_add(cost + cost / 4) > self.limits.nodes;
        late || short || self.nodes >= self.limits.nodes || self.limits.interrupted()
    }
}

fn iteration(depth: u32, value: Value, root: &RootMove) -> Iteration {
    Iteration {
        depth,
        best: root.mv.raw(),
        value,
        pv: root.pv.clone(),
        played: None,
    }
}
