//! What a search learns about moves, apart from positions: killers, replies, histories. Forgotten between units.

use rules::{Color, Move, Role};

use crate::score::MAX_PLY;

/// History scores stay within this.
pub(crate) const HISTORY_MOST: i32 = 8192;

/// A man of a role arriving on a square: what follow-up histories are indexed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

const STEPS: usize = 6 * 64;

impl Step {
    pub(crate) fn new(role: Role, mv: Move) -> Step {
        Step((role as usize * 64 + mv.to().index()) as u16)
    }
}

/// A quiet move with the man that makes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet {
    pub(crate) mv: Move,
    pub(crate) step: Step,
}

/// The moves that led to a node, the last first: the enemy's, then one's own.
pub(crate) type Past = [Option<Step>; 2];

/// Scores of quiet moves by what they did elsewhere in the tree.
#[derive(Debug)]
pub(crate) struct Memory {
    killers: Vec<[Option<Move>; 2]>,
    replies: Vec<Option<Move>>,
    history: Vec<i32>,
    /// By a move of the past (enemy's, own) and the move that followed.
    follow_ups: [Vec<i16>; 2],
}

impl Memory {
    pub(crate) fn new() -> Memory {
        Memory {
            killers: vec![[None; 2]; MAX_PLY + 1],
            replies: vec![None; 2 * STEPS],
            history: vec![0; 2 * 64 * 64],
            follow_ups: [vec![0; STEPS * STEPS], vec![0; STEPS * STEPS]],
        }
    }

    pub(crate) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.replies.fill(None);
        self.history.fill(0);
        self.follow_ups.iter_mut().for_each(|table| table.fill(0));
    }

    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// The quiet move that last refuted the enemy's last one.
    pub(crate) fn reply(&self, turn: Color, past: Past) -> Option<Move> {
        self.replies[turn as usize * STEPS + usize::from(past[0]?.0)]
    }

    /// A quiet move's score, within about twice `HISTORY_MOST` either way.
    pub(crate) fn score(&self, turn: Color, past: Past, quiet: Quiet) -> i32 {
        let follow_up: i32 = past
            .iter()
            .zip(&self.follow_ups)
            .filter_map(|(step, table)| step.map(|step| i32::from(table[pair(step, quiet.step)])))
            .sum();
        (self.history[slot(turn, quiet.mv)] + follow_up) / 2
    }

    /// `best` refuted a position in which `tried`, quiet moves too, had been tried before it.
    pub(crate) fn refuted(
        &mut self,
        turn: Color,
        ply: usize,
        depth: i32,
        past: Past,
        best: Quiet,
        tried: &[Option<Quiet>],
    ) {
        let [first, _] = self.killers[ply];
        if first != Some(best.mv) {
            self.killers[ply] = [Some(best.mv), first];
        }
        if let Some(enemy) = past[0] {
            self.replies[turn as usize * STEPS + usize::from(enemy.0)] = Some(best.mv);
        }
        let bonus = (depth * depth * 12 + depth * 16).min(1600);
        self.learn(turn, past, best, bonus);
        for &quiet in tried.iter().flatten() {
            self.learn(turn, past, quiet, -bonus);
        }
    }

    fn learn(&mut self, turn: Color, past: Past, quiet: Quiet, bonus: i32) {
        let score = &mut self.history[slot(turn, quiet.mv)];
        *score = nudged(*score, bonus);
        for (step, table) in past.iter().zip(&mut self.follow_ups) {
            if let Some(step) = *step {
                let score = &mut table[pair(step, quiet.step)];
                *score = nudged((*score).into(), bonus) as i16;
            }
        }
    }
}

/// A score moved towards its limit, ever more slowly as it nears it.
fn nudged(score: i32, bonus: i32) -> i32 {
    score + bonus - score * bonus.abs() / HISTORY_MOST
}

fn slot(turn: Color, mv: Move) -> usize {
    (turn as usize * 64 + mv.from().index()) * 64 + mv.to().index()
}

fn pair(past: Step, step: Step) -> usize {
    usize::from(past.0) * STEPS + usize::from(step.0)
}
