//! The built-in search: iterative deepening, principal variation search, quiescence.
//!
//! One [`Searcher`] serves one unit at a time; what it learns is forgotten between units.

mod alpha_beta;
mod deepening;
mod exchange;
mod limits;
mod line_of_play;
mod memory;
mod node;
mod order;
mod quiescence;
mod table;

use rules::ruleset::RepetitionRule;
use rules::{LegalMove, Line, Move, Ruleset};

pub(crate) use self::deepening::{Cut, Outcome, Progress};
pub(crate) use self::limits::Limits;
use self::line_of_play::Lines;
use self::memory::{Memory, Past, Step};
pub(crate) use self::node::FAR;
use self::node::Node;
use self::table::Table;
use crate::score::{DRAW, MAX_PLY, Value, mated_in};

/// The tables of a search, allocated once and used for unit after unit.
#[derive(Debug)]
pub(crate) struct Workspace {
    table: Table,
    memory: Memory,
    lines: Lines,
}

impl Workspace {
    /// `bytes` is the size of the transposition table; the rest takes about 200 kB.
    pub(crate) fn new(bytes: usize) -> Workspace {
        Workspace {
            table: Table::new(bytes),
            memory: Memory::new(),
            lines: Lines::new(),
        }
    }

    /// Forgets all units before.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.memory.clear();
    }

    /// How many of a thousand table entries are in use.
    pub(crate) fn per_mille(&self) -> usize {
        self.table.per_mille()
    }
}

/// A search of one root.
pub(crate) struct Searcher<'a> {
    rules: &'a Ruleset,
    space: &'a mut Workspace,
    limits: Limits<'a>,
    root: Node,
    /// Repetition keys from the last irreversible move of the game to the current node.
    path: Vec<u64>,
    /// The root moves to look at; empty means all.
    only: Vec<LegalMove>,
    /// No repetition is looked for before this place: a null move stands there.
    floor: usize,
    /// The moves made on the way from the root, by the ply they were made at; `None` is a null move.
    steps: [Option<Step>; MAX_PLY + 2],
    /// The same as moves.
    moves: [Option<Move>; MAX_PLY + 2],
    /// Static values on the way, by ply; those in check are the last known of that side.
    evals: [Value; MAX_PLY + 2],
    nodes: u64,
    deepest: usize,
    stopped: bool,
    /// The first iteration is finished whatever it costs in nodes.
    committed: bool,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        line: &'a Line,
        space: &'a mut Workspace,
        limits: Limits<'a>,
    ) -> Searcher<'a> {
        let path = line.keys().to_vec();
        Searcher {
            rules: line.ruleset(),
            space,
            limits,
            root: Node::root(line),
            only: Vec::new(),
            path,
            floor: 0,
            steps: [None; MAX_PLY + 2],
            moves: [None; MAX_PLY + 2],
            evals: [0; MAX_PLY + 2],
            nodes: 0,
            deepest: 0,
            stopped: false,
            committed: true,
        }
    }

    /// Limits the root to moves named in UCI; names that are no legal move are passed over.
    pub(crate) fn only(&mut self, names: &[String]) {
        let wished = |name: &String| {
            name.parse()
                .ok()
                .and_then(|wish| self.root.pos.resolve(wish))
        };
        self.only = names.iter().filter_map(wished).collect();
    }

    /// Counts a node; true if the search must end now.
    fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        if self.nodes >= self.limits.nodes && !self.committed {
            self.stopped = true;
        }
        if self.nodes.is_multiple_of(1024) && !self.committed && self.limits.interrupted() {
            self.stopped = true;
        }
        self.stopped
    }

    /// The value of a node at which play is over for a reason that can be told without its legal moves.
    ///
    /// The order is that of RULES 6.2: a first check and mate come before the draws.
    fn ended(&self, node: &Node, ply: usize) -> Option<Value> {
        if node.pos.check_given() {
            return Some(mated_in(ply));
        }
        if !self.is_drawn(node, ply) {
            return None;
        }
        if node.in_check && !node.pos.has_legal_move() {
            return Some(node.mated(self.rules, ply));
        }
        Some(DRAW)
    }

    fn is_drawn(&self, node: &Node, ply: usize) -> bool {
        self.is_repeated(node, ply)
            || node.state.exhausted().is_some()
            || (node.pos.occupied().len() <= 4 && node.is_dead())
    }

    /// Whether the node's position occurred before: once since the root, or twice in all.
    ///
    /// A repetition inside the tree counts as the draw it leads to: whoever wanted it can have it again.
    fn is_repeated(&self, node: &Node, ply: usize) -> bool {
        if self.rules.repetition == RepetitionRule::None {
            return false;
        }
        let here = self.path.len() - 1;
        let span = (node.pos.ply_clock().0 as usize).min(here - self.floor);
        let mut seen = 0;
        for back in (4..=span).step_by(2) {
            if self.path[here - back] == self.path[here] {
                seen += 1;
                if back < ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move can undo its last move and so bring back a position of this search: the enemy has just
    /// undone its own. What can be had again is worth a draw at least.
    fn can_repeat(&self, node: &Node, ply: usize) -> bool {
        if ply < 3 || node.pos.ply_clock().0 < 3 || self.rules.repetition == RepetitionRule::None {
            return false;
        }
        let [Some(first), Some(own), Some(last)] = [3, 2, 1].map(|back| self.moves[ply - back])
        else {
            return false;
        };
        let undone = first.from() == last.to() && first.to() == last.from();
        undone
            && node.pos.attacks_from(own.to()).contains(own.from())
            && node.pos.role_at(own.from()).is_none()
    }

    /// Whether a move leads to a position that stood on the board before.
    fn repeats(&self, node: &Node, mv: LegalMove) -> bool {
        let mut next = node.pos;
        next.play(mv);
        self.path.contains(&next.key())
    }

    fn enter(&mut self, node: &Node) {
        self.path.push(node.pos.key());
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    /// The moves that led to a node at `ply`.
    fn past(&self, ply: usize) -> Past {
        let back = |plies: usize| ply.checked_sub(plies).and_then(|at| self.steps[at]);
        [back(1), back(2)]
    }

    fn best_line(&self, ply: usize) -> &[Move] {
        self.space.lines.at(ply)
    }
}
