//! Which moves to try first.

use rules::{LegalMove, Move, Position, Role};

use super::exchange;
use super::memory::{Memory, Past, Quiet, Step};
use crate::eval::EXCHANGE;

/// No position of these games has more legal moves than fit here with room to spare.
const ROOM: usize = 256;

const FIRST: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 24);

/// Legal moves, the most promising first, sorted no further than asked for.
#[derive(Debug)]
pub(crate) struct Ordered {
    moves: [(i32, Option<LegalMove>); ROOM],
    len: usize,
    next: usize,
}

/// A move on its turn, with what ordering found out about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) mv: LegalMove,
    /// Neither capture nor promotion.
    pub(crate) quiet: bool,
    /// A capture that loses material by static exchange.
    pub(crate) losing: bool,
    /// A killer, a reply or the table's move.
    pub(crate) special: bool,
    /// History score of a quiet move, within about `HISTORY_MOST` either way; 0 where it was not asked for.
    pub(crate) score: i32,
}

/// What ordering may use besides the position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hints<'a> {
    pub(crate) first: Option<Move>,
    pub(crate) past: Past,
    pub(crate) memory: &'a Memory,
    pub(crate) ply: usize,
}

impl Ordered {
    pub(crate) fn new(pos: &Position, moves: &[LegalMove], hints: Hints<'_>) -> Ordered {
        let turn = pos.turn();
        let killers = hints.memory.killers(hints.ply);
        let reply = hints.memory.reply(turn, hints.past);
        let mut ordered = Ordered {
            moves: [(0, None); ROOM],
            len: moves.len().min(ROOM),
            next: 0,
        };
        for (slot, &legal) in ordered.moves.iter_mut().zip(moves) {
            let mv = legal.raw();
            let score = if hints.first == Some(mv) {
                FIRST
            } else if is_noisy(pos, mv) {
                noisy_score(pos, mv)
            } else if killers[0] == Some(mv) {
                KILLER + 2
            } else if killers[1] == Some(mv) {
                KILLER + 1
            } else if reply == Some(mv) {
                KILLER
            } else {
                hints.memory.score(turn, hints.past, quiet(pos, mv))
            };
            *slot = (score, Some(legal));
        }
        ordered
    }

    /// The next best move.
    pub(crate) fn next(&mut self, pos: &Position) -> Option<Candidate> {
        let rest = self.moves.get_mut(self.next..self.len)?;
        let mut best = 0;
        for (index, (score, _)) in rest.iter().enumerate() {
            if *score > rest[best].0 {
                best = index;
            }
        }
        if rest.is_empty() {
            return None;
        }
        rest.swap(0, best);
        let (score, mv) = rest[0];
        self.next += 1;
        let mv = mv?;
        let quiet = !is_noisy(pos, mv.raw());
        let losing = !quiet && score < 0;
        let special = score >= KILLER && quiet;
        let score = if quiet && !special { score } else { 0 };
        Some(Candidate {
            mv,
            quiet,
            losing,
            special,
            score,
        })
    }
}

/// A quiet move with the man that makes it.
pub(crate) fn quiet(pos: &Position, mv: Move) -> Quiet {
    Quiet {
        mv,
        step: step(pos, mv),
    }
}

/// What arrives where.
pub(crate) fn step(pos: &Position, mv: Move) -> Step {
    Step::new(pos.role_at(mv.from()).unwrap_or(Role::Khun), mv)
}

/// Whether a move is a capture or a promotion.
pub(crate) fn is_noisy(pos: &Position, mv: Move) -> bool {
    mv.is_promotion() || pos.role_at(mv.to()).is_some()
}

/// Most valuable victim first, least valuable attacker; behind all quiet moves if it loses the exchange.
fn noisy_score(pos: &Position, mv: Move) -> i32 {
    let worth = |square| {
        pos.role_at(square)
            .map_or(0, |role| EXCHANGE[role as usize])
    };
    let (victim, attacker) = (worth(mv.to()), worth(mv.from()).min(700));
    let gain = victim * 8 - attacker + if mv.is_promotion() { 700 } else { 0 };
    let safe = victim >= attacker || exchange::gains(pos, mv, 0);
    if safe {
        GOOD_CAPTURE + gain
    } else {
        BAD_CAPTURE + gain
    }
}
