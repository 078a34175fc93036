//! Games of the built-in engine against itself, of any strength and manners, made again from a seed.
//!
//! They fill the demo archive and serve tests; nothing here judges games.

use std::sync::Arc;

use rules::{CountCommand, CountKind, Ending, GameResult, LegalMove, Line, Ruleset, Variant};

use crate::{Builtin, Score};

/// A small random number generator (SplitMix64): the same numbers everywhere, for ever.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that roll the same for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// The next 64 random bits.
    pub fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 to `end - 1`; 0 if `end` is 0.
    pub fn below(&mut self, end: u64) -> u64 {
        // The bias of the high half of a product is under one in a billion for the small ranges used here.
        ((u128::from(self.roll()) * u128::from(end)) >> 64) as u64
    }

    /// True `per_mille` times out of a thousand.
    pub fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < u64::from(per_mille)
    }

    /// One of the items; `None` if there is none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.below(items.len() as u64) as usize)
    }
}

/// How a side plays.
#[derive(Clone, Debug)]
pub struct Player {
    /// Nodes for a move.
    pub nodes: u64,
    /// How often, out of a thousand moves, it hardly looks at the board.
    pub slips: u32,
    /// It resigns when it is this many centipawns down at two moves running; `None`: never.
    pub resigns_at: Option<i32>,
    /// It takes and offers draws in dead level positions from this ply on; `None`: never.
    pub agrees_from: Option<u32>,
    /// It counts the board's honour when it may and is worse, and stops when it is better.
    pub counts: bool,
    /// How often, out of ten thousand moves after the 60th ply, its flag falls.
    pub flags: u32,
}

/// What a game is played by.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The rule set.
    pub rules: Arc<Ruleset>,
    /// White and Black.
    pub players: [Player; 2],
    /// Plies chosen at random among good moves.
    pub opening_plies: u32,
    /// A longer game is drawn by agreement.
    pub longest: u32,
    /// Decides every chance in the game.
    pub seed: u64,
}

/// One ply of a game.
#[derive(Clone, Copy, Debug)]
pub struct GamePly {
    /// The move.
    pub mv: LegalMove,
    /// What its player thought of it, from his own view; `None` in the opening.
    pub score: Option<Score>,
    /// What he said about the board's honour count before it.
    pub command: Option<CountCommand>,
    /// He hardly looked.
    pub slip: bool,
}

/// A finished game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The plies, in order.
    pub plies: Vec<GamePly>,
    /// Why it ended.
    pub ending: Ending,
    /// Who won.
    pub result: GameResult,
}

/// Plays one game. The same pairing gives the same game.
#[must_use]
pub fn play(engine: &mut Builtin, pairing: &Pairing) -> GameRecord {
    let mut game = Game {
        line: Line::from_start(&pairing.rules),
        plies: Vec::new(),
        dice: Dice::new(pairing.seed),
        scores: [Vec::new(), Vec::new()],
    };
    let (ending, result) = loop {
        if let Some(end) = game.turn(engine, pairing) {
            break end;
        }
    };
    GameRecord {
        plies: game.plies,
        ending,
        result,
    }
}

struct Game {
    line: Line,
    plies: Vec<GamePly>,
    dice: Dice,
    /// Each side's scores in centipawns, its own view.
    scores: [Vec<i32>; 2],
}

type End = (Ending, GameResult);

impl Game {
    /// One turn of the side to move; the end of the game if it brings it.
    fn turn(&mut self, engine: &mut Builtin, pairing: &Pairing) -> Option<End> {
        let side = self.line.position().turn();
        let player = &pairing.players[side as usize];
        let ply = self.line.plies().0;
        if ply < pairing.opening_plies {
            let mv = self.opening_move(engine)?;
            return self.make(GamePly {
                mv,
                score: None,
                command: None,
                slip: false,
            });
        }
        let lost = GameResult::win(!side);
        if ply > 60 && self.dice.below(10_000) < u64::from(player.flags) {
            return Some((Ending::Time, lost));
        }
        let slip = self.dice.chance(player.slips);
        let nodes = if slip {
            40
        } else {
            player.nodes * 3 / 4 + self.dice.below(player.nodes / 2 + 1)
        };
        let command = if player.counts {
            self.say(side as usize)
        } else {
            None
        };
        let (mv, score) = engine.choose(&self.line, nodes)?;
        self.scores[side as usize].push(score.rank().clamp(-20_000, 20_000));
        if self.wants_to_resign(side as usize, player) {
            return Some((Ending::Resignation, lost));
        }
        self.make(GamePly {
            mv,
            score: Some(score),
            command,
            slip,
        })
        .or_else(|| {
            self.is_agreed(pairing)
                .then_some((Ending::Agreement, GameResult::Draw))
        })
    }

    fn make(&mut self, ply: GamePly) -> Option<End> {
        self.plies.push(ply);
        if let Some(ended) = self.line.push(ply.mv) {
            return Some((ended.ending, ended.result));
        }
        // Where a third occurrence must be claimed, somebody does.
        (self.line.repetitions() >= 3).then_some((Ending::Repetition, GameResult::Draw))
    }

    /// A random move among those that a short look finds as good as the best.
    fn opening_move(&mut self, engine: &mut Builtin) -> Option<LegalMove> {
        let mut rated: Vec<(i32, LegalMove)> = Vec::new();
        for &mv in &self.line.position().legal_moves() {
            let mut next = self.line.clone();
            next.push(mv);
            let reply = engine
                .choose(&next, 120)
                .map_or(0, |(_, score)| score.rank());
            rated.push((-reply, mv));
        }
        let best = rated.iter().map(|(score, _)| *score).max()?;
        rated.retain(|(score, _)| *score >= best - 28);
        self.dice.pick(&rated).map(|(_, mv)| *mv)
    }

    /// What suits the side to move to say about the board's honour count.
    fn say(&mut self, side: usize) -> Option<CountCommand> {
        let last = *self.scores[side].last()?;
        let pos = *self.line.position();
        let counting = self
            .line
            .count()
            .filter(|count| count.kind == CountKind::Board && count.side == pos.turn());
        let command = match counting {
            Some(_) if last > 150 => CountCommand::Stop,
            None if last < -90
                && self
                    .line
                    .count_state()
                    .may_start_board(self.line.ruleset(), &pos) =>
            {
                CountCommand::Start
            }
            _ => return None,
        };
        self.line.command(command).ok().map(|()| command)
    }

    fn wants_to_resign(&self, side: usize, player: &Player) -> bool {
        let Some(limit) = player.resigns_at else {
            return false;
        };
        // Nobody resigns while a count may still save him.
        let saved = self
            .line
            .count()
            .is_some_and(|count| count.replies_left < 16);
        let tail = self.scores[side].len().saturating_sub(2);
        let bad = &self.scores[side][tail..];
        !saved && bad.len() == 2 && bad.iter().all(|score| *score <= -limit)
    }

    fn is_agreed(&self, pairing: &Pairing) -> bool {
        let ply = self.line.plies().0;
        if ply >= pairing.longest {
            return true;
        }
        let pos = self.line.position();
        let dead = [rules::Color::White, rules::Color::Black]
            .into_iter()
            .all(|color| pos.insufficient_material(color));
        if dead && pairing.rules.variant() != Variant::KarOuk {
            return true;
        }
        let willing = pairing
            .players
            .iter()
            .all(|player| player.agrees_from.is_some_and(|from| ply >= from));
        let level = self.scores.iter().all(|scores| {
            let tail = scores.len().saturating_sub(6);
            scores.len() >= 6 && scores[tail..].iter().all(|score| score.abs() <= 25)
        });
        willing && level
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuiltinSettings;

    fn pairing(seed: u64) -> Pairing {
        let player = Player {
            nodes: 60,
            slips: 50,
            resigns_at: Some(900),
            agrees_from: Some(60),
            counts: true,
            flags: 0,
        };
        let rules = Ruleset::builtin("makruk").expect("a builtin rule set");
        Pairing {
            rules,
            players: [player.clone(), player],
            opening_plies: 6,
            longest: 120,
            seed,
        }
    }

    #[test]
    fn a_seed_makes_a_game() {
        let mut engine = Builtin::new(&BuiltinSettings { hash_mib: 1 });
        let moves = |record: &GameRecord| {
            record
                .plies
                .iter()
                .map(|ply| ply.mv.to_string())
                .collect::<Vec<_>>()
        };
        let first = play(&mut engine, &pairing(7));
        let second = play(&mut engine, &pairing(8));
        let again = play(&mut engine, &pairing(7));
        assert_eq!(moves(&first), moves(&again));
        assert_ne!(moves(&first), moves(&second));
        assert!(first.plies.len() > 6);
    }
}
