//! One game of the archive: who played it, when, at what pace, and how it went.

use std::sync::Arc;

use engine::selfplay::{Dice, GameRecord, Pairing, Player, play};
use engine::{Builtin, Score};
use rules::{Color, CountCommand, Ending, Line, Ruleset, Variant};

use crate::people::{Circle, Person, pair};
use crate::san::{Spelling, san};

/// What the games of one file have in common.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) rules: &'static str,
    pub(crate) games: u64,
    pub(crate) circle: Circle,
    /// Nodes a move, least and most: games are played by weaker and stronger players.
    pub(crate) nodes: (u64, u64),
    /// Base time in seconds and increment.
    pub(crate) paces: &'static [(u32, u32)],
    /// First day of the event.
    pub(crate) from: (i32, u32, u32),
    /// How many days it lasts.
    pub(crate) days: u64,
    /// Nobody agrees to a draw, few resign, and who may count counts: counted draws come of it.
    pub(crate) stubborn: bool,
    pub(crate) seed: u64,
}

/// A finished game and all that its record says.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) rules: Arc<Ruleset>,
    pub(crate) players: [Person; 2],
    pub(crate) date: (i32, u32, u32),
    pub(crate) number: u64,
    pub(crate) base_s: u32,
    pub(crate) increment_s: u32,
    pub(crate) record: GameRecord,
    /// Time left after each ply, and the time it took, in milliseconds.
    pub(crate) clocks: Vec<(u32, u32)>,
}

impl Plan {
    /// Plays game `number` of the plan.
    pub(crate) fn play(&self, number: u64, engine: &mut Builtin) -> Game {
        let mut dice = Dice::new(self.seed * 1_000_003 + number);
        let rules = Ruleset::builtin(self.rules).expect("plans name builtin rule sets");
        let players = pair(self.circle, &mut dice);
        let skill = |person: &Person, dice: &mut Dice| self.player(person, dice);
        let pairing = Pairing {
            players: [skill(&players[0], &mut dice), skill(&players[1], &mut dice)],
            opening_plies: 6 + dice.below(7) as u32,
            longest: match rules.variant() {
                Variant::KarOuk => 120,
                _ if self.stubborn => 600,
                _ => 360,
            },
            seed: dice.roll(),
            rules: Arc::clone(&rules),
        };
        let record = play(engine, &pairing);
        let (base_s, increment_s) = *dice.pick(self.paces).expect("plans have a pace");
        let clocks = run_clocks(&record, base_s, increment_s, &mut dice);
        let date = day_after(self.from, number * self.days / self.games);
        Game {
            rules,
            players,
            date,
            number: number + 1,
            base_s,
            increment_s,
            record,
            clocks,
        }
    }

    /// The better the rating, the more nodes and the fewer slips.
    fn player(&self, person: &Person, dice: &mut Dice) -> Player {
        let (least, most) = self.nodes;
        let skill = u64::from(person.elo.clamp(1200, 2400) - 1200);
        let engine = self.circle == Circle::Engines;
        let resigns = !engine && dice.chance(if self.stubborn { 250 } else { 620 });
        Player {
            nodes: least + (most - least) * skill / 1200,
            slips: if engine { 0 } else { 40 - skill as u32 / 40 },
            resigns_at: resigns.then(|| 700 + dice.below(500) as i32),
            agrees_from: (dice.chance(700) && !self.stubborn).then(|| 70 + dice.below(90) as u32),
            counts: dice.chance(850) || self.stubborn,
            flags: if engine { 2 } else { 9 },
        }
    }
}

impl Game {
    /// The moves in SAN.
    pub(crate) fn sans(&self, spelling: Spelling) -> Vec<String> {
        let mut line = Line::from_start(&self.rules);
        let mut sans = Vec::new();
        for ply in &self.record.plies {
            sans.push(san(&line, ply.mv, spelling));
            line.push(ply.mv);
        }
        sans
    }

    /// The position after the last move.
    pub(crate) fn end(&self) -> Line {
        let mut line = Line::from_start(&self.rules);
        for ply in &self.record.plies {
            line.push(ply.mv);
        }
        line
    }

    pub(crate) fn result(&self) -> &'static str {
        self.record.result.as_str()
    }

    /// The mover's score of a ply, `None` in the opening.
    pub(crate) fn score(&self, ply: usize) -> Option<Score> {
        self.record.plies[ply].score
    }

    /// What was said about the count before a ply.
    pub(crate) fn command(&self, ply: usize) -> Option<CountCommand> {
        self.record.plies[ply].command
    }

    /// `2025.11.07`
    pub(crate) fn dotted_date(&self) -> String {
        let (year, month, day) = self.date;
        format!("{year:04}.{month:02}.{day:02}")
    }

    /// Why it ended, as an arbiter would put it.
    pub(crate) fn reason(&self) -> &'static str {
        match self.record.ending {
            Ending::Checkmate => "checkmate",
            Ending::FirstCheck => "first check",
            Ending::Stalemate => "stalemate",
            Ending::BoardCount => "board's honour",
            Ending::PiecesCount => "pieces' honour",
            Ending::MateByCounter => "mate by counter",
            Ending::Repetition => "threefold repetition",
            Ending::BareKings => "bare kings",
            Ending::Resignation => "resignation",
            Ending::Time => "time forfeit",
            Ending::Agreement => "agreement",
            _ => "normal",
        }
    }
}

/// Thinking times as people have them: quick in the opening, slow in the middle, hurried at the end. Nobody's clock
/// runs out but that of a player who lost on time, and his only after his last move.
fn run_clocks(
    record: &GameRecord,
    base_s: u32,
    increment_s: u32,
    dice: &mut Dice,
) -> Vec<(u32, u32)> {
    let mut left = [base_s * 1000; 2];
    let mut clocks = Vec::new();
    for ply in 0..record.plies.len() {
        let side = ply % 2;
        let pace = left[side] / if ply < 16 { 90 } else { 35 };
        let took = (u64::from(pace) * (20 + dice.below(180)) / 100) as u32;
        let took = took.min(left[side].saturating_sub(900)).max(100);
        left[side] = left[side].saturating_sub(took) + increment_s * 1000;
        clocks.push((left[side], took));
    }
    clocks
}

/// The day some days after another; months as the calendar has them.
fn day_after((mut year, mut month, mut day): (i32, u32, u32), mut days: u64) -> (i32, u32, u32) {
    while days > 0 {
        days -= 1;
        day += 1;
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let length = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        if day > length {
            day = 1;
            month += 1;
        }
        if month > 12 {
            month = 1;
            year += 1;
        }
    }
    (year, month, day)
}

/// The side that made a ply.
pub(crate) fn side(ply: usize) -> Color {
    if ply.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}
