//! A line of play: the one place where positions, counts and history meet.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ruleset::{CounterMate, DeadRule, RepetitionRule, Ruleset};
use crate::{
    Arrivals, Color, Count, CountCommand, CountError, CountState, Ended, Ending, GameResult,
    LegalMove, Plies, Position, Role, Square,
};

/// Up to this many keys are searched one by one; a longer stretch without a capture or bia move,
/// which only a strange record has, is tallied, so that no game costs the square of its length.
const SCANNED: usize = 512;

/// Keys that may have occurred, by eight of their bits: what is not in it has not, and need not be searched for.
#[derive(Clone, Copy, Debug, Default)]
struct Seen([u64; 4]);

impl Seen {
    fn of(key: u64) -> Seen {
        let mut seen = Seen::default();
        seen.is_new(key);
        seen
    }

    /// Adds a key; whether it certainly was not there.
    #[inline]
    fn is_new(&mut self, key: u64) -> bool {
        let word = &mut self.0[(key >> 6 & 3) as usize];
        let bit = 1 << (key & 63);
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

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
    seen: Seen,
    tally: Option<HashMap<u64, u32>>,
    plies: Plies,
    repetitions: u8,
    in_check: bool,
    /// Whether the side that waits is in check, as records have it at the start: the next move may leave it so.
    odd: bool,
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
            seen: Seen::of(start.key()),
            position: start,
            tally: None,
            count,
            plies: Plies::ZERO,
            repetitions: 1,
            in_check: start.in_check(),
            odd: start.attacked_by(start.khun(!start.turn()), start.turn()),
            current: None,
            ended: None,
        };
        line.judge(line.position.has_legal_move());
        line
    }

    /// A line that has come to a position after so many plies without a count and without an ending, of whichever rule set
    /// the position is; no first-move right may be alive. `keys` are those of [`Line::keys`].
    #[must_use]
    pub fn resumed(
        rules: &Arc<Ruleset>,
        mut position: Position,
        keys: &[u64],
        plies: Plies,
    ) -> Line {
        position.rules = rules.move_rules();
        let mut line = Line::new(rules, position, CountState::NONE);
        line.plies = plies;
        line.keys = keys.to_vec();
        line.seen = Seen::default();
        keys.iter().for_each(|&key| {
            line.seen.is_new(key);
        });
        line.repetitions = line.occurrences(position.key());
        line.ended = None;
        line.judge(line.position.has_legal_move());
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
    #[inline]
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
        self.advance(mv);
        let moves = self.position.can_move(self.in_check);
        self.judge(moves)
    }

    /// [`Line::push`]; whether nothing else came of the move, so that nobody need look: there is a legal move, the position
    /// stands for the first time, and no count runs, begins or can be started by saying so. Not in kar ouk, and not where
    /// the number of plies is limited.
    #[inline]
    pub fn push_plainly(&mut self, mv: LegalMove) -> bool {
        self.advance(mv);
        let plain = self.repetitions == 1 && self.is_plain();
        let moves = self.position.can_move(self.in_check);
        // While a bia is left, or anybody may count, no position is dead.
        if plain && moves {
            self.current = None;
            return true;
        }
        self.judge(moves);
        false
    }

    /// Whether no count runs, begins or can be started by saying so, in a game that only its moves and counts end.
    #[must_use]
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.count.is_far(&self.rules, &self.position)
            && !self.rules.first_check_wins
            && self.rules.ply_cap == Plies::ZERO
    }

    /// [`Line::push`] of a move after which there is a legal one, as the caller knows.
    pub fn push_on(&mut self, mv: LegalMove) -> Option<Ended> {
        self.advance(mv);
        self.judge(true)
    }

    #[inline]
    fn advance(&mut self, mv: LegalMove) {
        let ordinary = !(self.odd || mv.kind().moves_two());
        let took_bia =
            self.position.role_at(mv.to()) == Some(Role::Bia) && self.position.is_capture(mv);
        self.position.play_with::<true, true>(mv);
        self.count = self.count.after_move(&self.rules, took_bia, &self.position);
        self.plies = self.plies.next();
        if self.position.ply_clock() == Plies::ZERO {
            self.keys.clear();
            self.seen = Seen::default();
            self.tally = None;
        }
        let key = self.position.key();
        self.keys.push(key);
        let new = self.seen.is_new(key) && self.tally.is_none();
        self.repetitions = if new { 1 } else { self.occurrences(key) };
        self.in_check = match ordinary {
            true => self.position.is_checked_by(mv.to().index()),
            false => self.position.in_check(),
        };
        self.odd = false;
    }

    /// [`Position::arrivals`] in the current position, whose checks are known already.
    #[must_use]
    #[inline]
    pub fn arrivals(&self, role: Role, to: Square) -> Arrivals {
        self.position.arrivals_when(self.in_check, role, to)
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub const fn in_check(&self) -> bool {
        self.in_check
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

    fn occurrences(&mut self, key: u64) -> u8 {
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

    /// Looks for an ending, given whether there is a legal move; gives it if it is the line's first.
    #[inline]
    fn judge(&mut self, moves: bool) -> Option<Ended> {
        self.current = self.judgement(moves);
        let (ending, result) = self.current?;
        if self.ended.is_none() {
            self.ended = Some(Ended {
                ending,
                result,
                ply: self.plies.0,
            });
            return self.ended;
        }
        None
    }

    #[inline]
    fn judgement(&self, moves: bool) -> Option<(Ending, GameResult)> {
        let draw = |ending| Some((ending, GameResult::Draw));
        if self.position.check_given() {
            let winner = !self.position.turn();
            return Some((Ending::FirstCheck, GameResult::win(winner)));
        }
        if !moves {
            return Some(self.no_moves());
        }
        if let Some(ending) = self.dead() {
            return draw(ending);
        }
        if let Some(ending) = self.count.exhausted() {
            return draw(ending);
        }
        if self.repetitions >= 3 && self.rules.repetition == RepetitionRule::Auto3 {
            return draw(Ending::Repetition);
        }
        if self.rules.ply_cap > Plies::ZERO && self.plies >= self.rules.ply_cap {
            return draw(Ending::PlyCap);
        }
        None
    }

    #[cold]
    fn no_moves(&self) -> (Ending, GameResult) {
        if !self.in_check {
            return (Ending::Stalemate, GameResult::Draw);
        }
        let winner = !self.position.turn();
        let counts = self.count().is_some_and(|count| count.side == winner);
        if counts && self.rules.counter_mate == CounterMate::Draw {
            return (Ending::MateByCounter, GameResult::Draw);
        }
        (Ending::Checkmate, GameResult::win(winner))
    }

    #[inline]
    fn dead(&self) -> Option<Ending> {
        // Nothing is dead while a rua or khon is left.
        let position = &self.position;
        let heavy = position.role(Role::Rua) | position.role(Role::Khon);
        if !heavy.is_empty() {
            return None;
        }
        self.dead_by_material()
    }

    fn dead_by_material(&self) -> Option<Ending> {
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
