//! Results, counted.

use rules::{Color, GameResult};
use serde::{Deserialize, Serialize};

/// One game from one player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player won.
    Win,
    /// A draw.
    Draw,
    /// The player lost.
    Loss,
}

impl Outcome {
    /// How `color` fared.
    pub fn of(result: GameResult, color: Color) -> Outcome {
        match (result, color) {
            (GameResult::Draw, _) => Outcome::Draw,
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
                Outcome::Win
            }
            _ => Outcome::Loss,
        }
    }
}

/// Games by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tally {
    /// Games that White won.
    pub white_wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that Black won.
    pub black_wins: u64,
}

impl Tally {
    /// One more game.
    pub fn add(&mut self, result: GameResult) {
        *match result {
            GameResult::WhiteWins => &mut self.white_wins,
            GameResult::Draw => &mut self.draws,
            GameResult::BlackWins => &mut self.black_wins,
        } += 1;
    }

    /// All of `other` as well.
    pub fn merge(&mut self, other: &Tally) {
        self.white_wins += other.white_wins;
        self.draws += other.draws;
        self.black_wins += other.black_wins;
    }

    /// Games in all.
    pub fn n(&self) -> u64 {
        self.white_wins + self.draws + self.black_wins
    }

    /// Games that `color` won.
    pub fn wins(&self, color: Color) -> u64 {
        match color {
            Color::White => self.white_wins,
            Color::Black => self.black_wins,
        }
    }

    /// Half points of `color`.
    pub fn half_points(&self, color: Color) -> u64 {
        2 * self.wins(color) + self.draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_halves() {
        let mut tally = Tally::default();
        for result in [
            GameResult::WhiteWins,
            GameResult::WhiteWins,
            GameResult::Draw,
            GameResult::BlackWins,
        ] {
            tally.add(result);
        }
        assert_eq!(
            (
                tally.n(),
                tally.half_points(Color::White),
                tally.half_points(Color::Black)
            ),
            (4, 5, 3)
        );
        assert_eq!(
            Outcome::of(GameResult::BlackWins, Color::White),
            Outcome::Loss
        );
    }
}
