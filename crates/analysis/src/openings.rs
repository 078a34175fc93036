//! Opening statistics: every move that was played in a position, and how it fared (ANALYSIS 1.2).

use std::collections::{BTreeMap, BTreeSet};

use rules::{ByColor, Color, GameResult};
use serde::{Deserialize, Serialize};

use crate::interval::{Interval, wilson};
use crate::performance::performance;
use crate::tally::Tally;

/// One ply of a game's opening.
#[derive(Clone, Copy, Debug)]
pub struct OpeningPly<'a> {
    /// Number of the ply, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// Key of the position in which the move was made.
    pub position_key: u64,
    /// The move.
    pub uci: &'a str,
    /// The same move as people write it.
    pub san: &'a str,
    /// The position in which the move was made.
    pub fen: &'a str,
}

/// What the statistics take of a game.
#[derive(Clone, Copy, Debug)]
pub struct OpeningGame<'a> {
    /// Variant of the game; its positions are kept apart from those of others.
    pub variant: &'a str,
    /// The result; a game without one is not counted.
    pub result: GameResult,
    /// Ratings, as far as known.
    pub ratings: ByColor<Option<i32>>,
    /// The plies from the start on.
    pub plies: &'a [OpeningPly<'a>],
}

/// A move in a position.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpeningKey {
    /// Variant.
    pub variant: String,
    /// Key of the position before the move.
    pub position_key: u64,
    /// The move.
    pub uci: String,
}

/// How a move in a position fared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpeningRow {
    /// The move and its position.
    pub key: OpeningKey,
    /// As people write it.
    pub san: String,
    /// Who moves: `white` or `black`.
    pub side: String,
    /// The earliest ply at which it was played.
    pub ply: u32,
    /// The position before the move, with the counters of that earliest time.
    pub fen: String,
    /// Results of the games.
    pub tally: Tally,
    /// Games: always the sum of the results.
    pub n: u64,
    /// 95 % Wilson interval of the mover's share of wins.
    pub win_interval: Option<Interval>,
    /// Games in which the mover has a rating.
    pub rated_n: u64,
    /// Mean rating of the movers, over those games.
    pub average_rating: Option<f64>,
    /// Games in which the opponent has a rating.
    pub performance_n: u64,
    /// Performance of the movers over those games, not rounded.
    pub performance: Option<f64>,
}

#[derive(Clone, Debug)]
struct Sums {
    san: String,
    side: Color,
    ply: u32,
    fen: String,
    tally: Tally,
    rated_n: u64,
    rating_sum: i64,
    opponents_n: u64,
    opponent_rating_sum: i64,
    opponents_half_points: u64,
}

impl Sums {
    fn merge(&mut self, other: &Sums) {
        // Two spellings of one move cannot differ but by a marginal note; the smaller one wins in any order.
        if other.san < self.san {
            self.san.clone_from(&other.san);
        }
        if (other.ply, &other.fen) < (self.ply, &self.fen) {
            self.ply = other.ply;
            self.fen.clone_from(&other.fen);
        }
        self.tally.merge(&other.tally);
        self.rated_n += other.rated_n;
        self.rating_sum += other.rating_sum;
        self.opponents_n += other.opponents_n;
        self.opponent_rating_sum += other.opponent_rating_sum;
        self.opponents_half_points += other.opponents_half_points;
    }

    fn of(game: &OpeningGame<'_>, ply: &OpeningPly<'_>) -> Sums {
        let mut tally = Tally::default();
        tally.add(game.result);
        let (own, opponent) = (game.ratings[ply.side], game.ratings[!ply.side]);
        Sums {
            san: ply.san.to_owned(),
            side: ply.side,
            ply: ply.ply,
            fen: ply.fen.to_owned(),
            tally,
            rated_n: u64::from(own.is_some()),
            rating_sum: i64::from(own.unwrap_or(0)),
            opponents_n: u64::from(opponent.is_some()),
            opponent_rating_sum: i64::from(opponent.unwrap_or(0)),
            opponents_half_points: if opponent.is_some() {
                tally.half_points(ply.side)
            } else {
                0
            },
        }
    }

    fn row(self, key: OpeningKey) -> OpeningRow {
        let n = self.tally.n();
        let mean = |sum: i64, n: u64| (n > 0).then(|| sum as f64 / n as f64);
        OpeningRow {
            key,
            san: self.san,
            side: self.side.as_str().to_owned(),
            ply: self.ply,
            fen: self.fen,
            n,
            win_interval: wilson(self.tally.wins(self.side), n),
            tally: self.tally,
            rated_n: self.rated_n,
            average_rating: mean(self.rating_sum, self.rated_n),
            performance_n: self.opponents_n,
            performance: performance(
                self.opponent_rating_sum,
                self.opponents_half_points,
                self.opponents_n,
            ),
        }
    }
}

/// Collects opening statistics; the order of games does not matter.
///
/// Memory grows with the number of different moves in positions. A caller with more games than fit takes them in
/// passes over ranges of `position_key` ([`Openings::between`]).
#[derive(Clone, Debug)]
pub struct Openings {
    max_ply: u32,
    keys: std::ops::RangeInclusive<u64>,
    sums: BTreeMap<OpeningKey, Sums>,
}

impl Openings {
    /// Takes the first `max_ply` plies of each game.
    pub fn new(max_ply: u32) -> Openings {
        Openings::between(max_ply, 0..=u64::MAX)
    }

    /// Takes only positions whose key lies in `keys`: one pass of several.
    pub fn between(max_ply: u32, keys: std::ops::RangeInclusive<u64>) -> Openings {
        Openings {
            max_ply,
            keys,
            sums: BTreeMap::new(),
        }
    }

    /// One game. Give each game once, duplicates left out. A position that comes back counts once a game and move.
    pub fn add(&mut self, game: &OpeningGame<'_>) {
        let mut met = BTreeSet::new();
        let max_ply = self.max_ply;
        for ply in game.plies.iter().take_while(|ply| ply.ply <= max_ply) {
            if self.keys.contains(&ply.position_key) && met.insert((ply.position_key, ply.uci)) {
                let key = OpeningKey {
                    variant: game.variant.to_owned(),
                    position_key: ply.position_key,
                    uci: ply.uci.to_owned(),
                };
                self.put(key, Sums::of(game, ply));
            }
        }
    }

    /// All that `other` saw as well.
    pub fn merge(&mut self, other: Openings) {
        other
            .sums
            .into_iter()
            .for_each(|(key, sums)| self.put(key, sums));
    }

    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.sums.len()
    }

    /// Whether nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.sums.is_empty()
    }

    /// The rows, in order of their keys.
    pub fn rows(self) -> impl Iterator<Item = OpeningRow> {
        self.sums.into_iter().map(|(key, sums)| sums.row(key))
    }

    fn put(&mut self, key: OpeningKey, sums: Sums) {
        match self.sums.entry(key) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(sums);
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => slot.get_mut().merge(&sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ply(ply: u32, position_key: u64, uci: &'static str) -> OpeningPly<'static> {
        let side = if ply % 2 == 1 {
            Color::White
        } else {
            Color::Black
        };
        OpeningPly {
            ply,
            side,
            position_key,
            uci,
            san: uci,
            fen: "",
        }
    }

    fn game<'a>(
        result: GameResult,
        white: Option<i32>,
        black: Option<i32>,
        plies: &'a [OpeningPly<'a>],
    ) -> OpeningGame<'a> {
        OpeningGame {
            variant: "makruk",
            result,
            ratings: ByColor { white, black },
            plies,
        }
    }

    #[test]
    fn one_win_over_1500_performs_2300() {
        let plies = [ply(1, 7, "e3e4"), ply(2, 8, "e6e5")];
        let mut openings = Openings::new(20);
        openings.add(&game(GameResult::WhiteWins, Some(1600), Some(1500), &plies));
        let rows: Vec<_> = openings.rows().collect();
        assert_eq!(
            (rows[0].performance, rows[0].average_rating, rows[0].n),
            (Some(2300.0), Some(1600.0), 1)
        );
        // Black lost to 1600
        assert_eq!(
            (rows[1].performance, rows[1].average_rating),
            (Some(800.0), Some(1500.0))
        );
        assert_eq!(rows[1].win_interval, wilson(0, 1));
    }

    #[test]
    fn a_position_that_comes_back_counts_once() {
        let plies = [ply(1, 7, "c1c2"), ply(3, 7, "c1c2"), ply(5, 7, "e3e4")];
        let mut openings = Openings::new(20);
        openings.add(&game(GameResult::Draw, None, None, &plies));
        let rows: Vec<_> = openings.rows().collect();
        assert_eq!(
            rows.iter()
                .map(|row| (row.key.uci.as_str(), row.n, row.ply))
                .collect::<Vec<_>>(),
            [("c1c2", 1, 1), ("e3e4", 1, 5)]
        );
        assert_eq!((rows[0].performance, rows[0].average_rating), (None, None));
    }

    #[test]
    fn depth_and_key_ranges_limit() {
        let plies = [ply(1, 7, "c1c2"), ply(2, 9, "c8c7"), ply(3, 11, "d1d2")];
        let mut openings = Openings::between(2, 8..=20);
        openings.add(&game(GameResult::Draw, None, None, &plies));
        assert_eq!(
            openings
                .rows()
                .map(|row| row.key.position_key)
                .collect::<Vec<_>>(),
            [9]
        );
    }

    #[test]
    fn order_and_grouping_do_not_matter() {
        let a = [ply(1, 7, "e3e4"), ply(2, 8, "e6e5")];
        let b = [ply(1, 7, "e3e4"), ply(2, 8, "d6d5")];
        let games = [
            game(GameResult::WhiteWins, Some(1600), Some(1500), &a),
            game(GameResult::Draw, None, Some(1700), &b),
            game(GameResult::BlackWins, Some(1800), None, &b),
        ];
        let mut whole = Openings::new(20);
        games.iter().for_each(|game| whole.add(game));
        let (mut one, mut two) = (Openings::new(20), Openings::new(20));
        one.add(&games[2]);
        two.add(&games[1]);
        two.add(&games[0]);
        one.merge(two);
        assert!(whole.rows().eq(one.rows()));
    }
}
