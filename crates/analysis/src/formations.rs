//! Formations across games: how each fared.

use std::collections::BTreeMap;

use rules::{Color, GameResult};
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, wilson};
use crate::tally::Outcome;

/// One formation of one game.
#[derive(Clone, Copy, Debug)]
pub struct FormationSeen<'a> {
    /// Variant of the game.
    pub variant: &'a str,
    /// Id of the formation, see [`Formation`](crate::Formation).
    pub formation: &'a str,
    /// Id of the formation that it met.
    pub opponent: &'a str,
    /// The side that stood so.
    pub color: Color,
    /// The game's result.
    pub result: GameResult,
}

/// What one row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FormationKey {
    /// Variant.
    pub variant: String,
    /// Id of the formation.
    pub formation: String,
    /// The side that stood so: `white` or `black`.
    pub side: String,
    /// Id of the formation that it met, or [`Formations::ALL_OPPONENTS`].
    pub opponent: String,
}

/// How a formation fared, from the view of the side that had it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FormationRow {
    /// What the row is about.
    pub key: FormationKey,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games in all: won, drawn and lost.
    pub n: u64,
    /// 95 % Wilson interval of the share of wins.
    pub win_interval: Option<Interval>,
}

/// Collects formations; the order of games does not matter.
#[derive(Clone, Debug, Default)]
pub struct Formations {
    sums: BTreeMap<FormationKey, [u64; 3]>,
}

impl Formations {
    /// The `opponent` of rows that hold every game.
    pub const ALL_OPPONENTS: &'static str = "all";

    /// Nothing seen yet.
    pub fn new() -> Formations {
        Formations::default()
    }

    /// One formation of one game. Give each game once, duplicates left out.
    pub fn add(&mut self, seen: &FormationSeen<'_>) {
        for opponent in [Formations::ALL_OPPONENTS, seen.opponent] {
            let key = FormationKey {
                variant: seen.variant.to_owned(),
                formation: seen.formation.to_owned(),
                side: seen.color.as_str().to_owned(),
                opponent: opponent.to_owned(),
            };
            let [wins, draws, losses] = self.sums.entry(key).or_default();
            *match Outcome::of(seen.result, seen.color) {
                Outcome::Win => wins,
                Outcome::Draw => draws,
                Outcome::Loss => losses,
            } += 1;
        }
    }

    /// All that `other` saw as well.
    pub fn merge(&mut self, other: Formations) {
        for (key, sums) in other.sums {
            let own = self.sums.entry(key).or_default();
            own.iter_mut()
                .zip(sums)
                .for_each(|(own, more)| *own += more);
        }
    }

    /// The rows, in order of their keys.
    pub fn rows(self) -> impl Iterator<Item = FormationRow> {
        self.sums.into_iter().map(|(key, [wins, draws, losses])| {
            let n = wins + draws + losses;
            FormationRow {
                key,
                wins,
                draws,
                losses,
                n,
                win_interval: wilson(wins, n),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(color: Color, result: GameResult) -> FormationSeen<'static> {
        FormationSeen {
            variant: "makruk",
            formation: "ma_phuk_right",
            opponent: "unnamed",
            color,
            result,
        }
    }

    #[test]
    fn results_are_seen_by_the_side_that_had_it() {
        let mut all = Formations::new();
        all.add(&seen(Color::Black, GameResult::BlackWins));
        all.add(&seen(Color::White, GameResult::BlackWins));
        all.add(&seen(Color::White, GameResult::Draw));
        let rows: Vec<_> = all.rows().collect();
        let what: Vec<_> = rows
            .iter()
            .map(|row| {
                (
                    row.key.side.as_str(),
                    row.key.opponent.as_str(),
                    row.wins,
                    row.draws,
                    row.losses,
                )
            })
            .collect();
        let expected = [
            ("black", "all", 1, 0, 0),
            ("black", "unnamed", 1, 0, 0),
            ("white", "all", 0, 1, 1),
            ("white", "unnamed", 0, 1, 1),
        ];
        assert_eq!(what, expected);
        assert_eq!(rows[2].win_interval, wilson(0, 2));
    }

    #[test]
    fn order_and_grouping_do_not_matter() {
        let games = [
            seen(Color::White, GameResult::WhiteWins),
            seen(Color::Black, GameResult::Draw),
            seen(Color::White, GameResult::Draw),
        ];
        let mut whole = Formations::new();
        games.iter().for_each(|game| whole.add(game));
        let (mut one, mut two) = (Formations::new(), Formations::new());
        two.add(&games[0]);
        one.add(&games[2]);
        one.add(&games[1]);
        one.merge(two);
        assert!(whole.rows().eq(one.rows()));
    }
}
