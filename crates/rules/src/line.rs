//! A line of play: the one place where positions, counts and history meet.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ruleset::{CounterMate, DeadRule, RepetitionRule, Ruleset};
use crate::{
    Color, Count, CountCommand, CountError, CountState, Ended, Ending, GameResult, LegalMove,
    Plies, Position,
};

/// Up to this many keys are searched one by one; a longer stretch without a capture or bia move,
/// which only a strange record has, is tallied, so that no game costs the square of its length.
const SCANNED: usize = 512;

/// A start position and the moves made from it.
///
/// It goes on past an ending, as records do; the first ending met is kept. Endings are tested in
/// the order of RULES 6.2: first check, checkmate (a draw where the counting side mates and the
/// rule set says so), stalemate, bare khuns and dead positions, count, repetition, ply cap.
#[derive(Clone, Debug)]
pub struct Line {
    rules: Arc<Ruleset>,
    position: Position,
    count: CountState,
    keys: Vec<u64>,
    tally: Option<HashMap<u64, u32>>,
    plies: Plies,
    repetitions: u8,
    current: Option<(Ending, GameResult)>,
    ended: Option<Ended>,
}

impl Line {
    /// A line that starts from a position, perhaps with a count running.
    #[must_use]
    pub fn new(rules: &Arc<Ruleset>, start: Position, count: CountState) -> Line {
        let mut line = Line {
            rules: Arc::clone(rules),
            keys: vec![start.key()],
            position: start,
            tally: None,
            count,
            plies: Plies::ZERO,
            repetitions: 1,
            current: None,
            ended: None,
        };
        line.judge();
        line
    }

    /// A line from the rule set's start position.
    #[must_use]
    pub fn from_start(rules: &Arc<Ruleset>) -> Line {
        Line::new(rules, rules.start(), CountState::NONE)
    }

    /// The current position.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The rule set.
    #[must_use]
    pub const fn ruleset(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The count that runs, if any.
    #[must_use]
    pub fn count(&self) -> Option<Count> {
        self.count.count(&self.rules)
    }

    /// The counts' state, for a search to carry on.
    #[must_use]
    pub const fn count_state(&self) -> &CountState {
        &self.count
    }

    /// Plies made since the start of the line.
    #[must_use]
    pub const fn plies(&self) -> Plies {
        self.plies
    }

    /// How often the current position has occurred since the last capture or bia move, itself
    /// included: 1 = for the first time.
    #[must_use]
    pub const fn repetitions(&self) -> u8 {
        self.repetitions
    }

    /// The keys of the positions since the last capture or bia move, oldest first, the current one
    /// last.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// What the side to move says about its count before its move.
    ///
    /// # Errors
    ///
    /// [`CountError`] if the rules or the board do not allow it; the line is then unchanged.
    pub fn command(&mut self, command: CountCommand) -> Result<(), CountError> {
        match command {
            CountCommand::Start => self.count.start(&self.rules, &self.position),
            CountCommand::Stop => self.count.stop(&self.rules, &self.position),
        }
    }

    /// Makes a move that was generated from the current position. Gives the line's first ending if
    /// this move brought it.
    pub fn push(&mut self, mv: LegalMove) -> Option<Ended> {
        let before = self.position;
        self.position.play(mv);
        self.count = self.count.after(&self.rules, &before, mv, &self.position);
        self.plies = self.plies.next();
        if self.position.ply_clock() == Plies::ZERO {
            self.keys.clear();
            self.tally = None;
        }
        self.keys.push(self.position.key());
        self.repetitions = self.occurrences();
        let over = self.ended.is_some();
        self.judge();
        if over { None } else { self.ended }
    }

    /// The first ending met, if any.
    #[must_use]
    pub const fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// The ending that the current position is, whatever came before.
    #[must_use]
    pub const fn current_ending(&self) -> Option<(Ending, GameResult)> {
        self.current
    }

    fn occurrences(&mut self) -> u8 {
        let key = self.position.key();
        let times = if self.keys.len() <= SCANNED {
            // The same side is to move only every second ply.
            let same = self.keys.iter().rev().step_by(2).filter(|&&k| k == key);
            same.count()
        } else if let Some(tally) = &mut self.tally {
            let times = tally.entry(key).or_default();
            *times += 1;
            *times as usize
        } else {
            let mut tally = HashMap::with_capacity(2 * SCANNED);
            for &key in &self.keys {
                *tally.entry(key).or_default() += 1;
            }
            let times = tally.get(&key).copied().unwrap_or(1);
            self.tally = Some(tally);
            times as usize
        };
        u8::try_from(times).unwrap_or(u8::MAX)
    }

    fn judge(&mut self) {
        self.current = self.judgement();
        if self.ended.is_none() {
            self.ended = self.current.map(|(ending, result)| Ended {
                ending,
                result,
                ply: self.plies.0,
            });
        }
    }

    fn judgement(&self) -> Option<(Ending, GameResult)> {
        let draw = |ending| Some((ending, GameResult::Draw));
        if self.position.check_given() {
            let winner = !self.position.turn();
            return Some((Ending::FirstCheck, GameResult::win(winner)));
        }
        if !self.position.has_legal_move() {
            return Some(self.no_moves());
        }
        if let Some(ending) = self.dead() {
            return draw(ending);
        }
        if let Some(ending) = self.count.exhausted(&self.rules) {
            return draw(ending);
        }
        if self.rules.repetition == RepetitionRule::Auto3 && self.repetitions >= 3 {
            return draw(Ending::Repetition);
        }
        if self.rules.ply_cap > Plies::ZERO && self.plies >= self.rules.ply_cap {
            return draw(Ending::PlyCap);
        }
        None
    }

    fn no_moves(&self) -> (Ending, GameResult) {
        if !self.position.in_check() {
            return (Ending::Stalemate, GameResult::Draw);
        }
        let winner = !self.position.turn();
        let counts = self.count().is_some_and(|count| count.side == winner);
        if counts && self.rules.counter_mate == CounterMate::Draw {
            return (Ending::MateByCounter, GameResult::Draw);
        }
        (Ending::Checkmate, GameResult::win(winner))
    }

    fn dead(&self) -> Option<Ending> {
        let all = |test: fn(&Position, Color) -> bool| {
            Color::ALL.into_iter().all(|c| test(&self.position, c))
        };
        match self.rules.dead {
            DeadRule::None | DeadRule::Report => None,
            DeadRule::Kvk | DeadRule::Material if all(Position::is_bare) => Some(Ending::BareKings),
            DeadRule::Kvk => None,
            DeadRule::Material => {
                all(Position::insufficient_material).then_some(Ending::DeadPosition)
            }
        }
    }
}
