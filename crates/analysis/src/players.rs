//! Players across games: how their moves were judged, by phase.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::class::{Class, ClassCounts};
use crate::phase::Phase;

/// One move of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerMove {
    /// Phase in which it was made.
    pub phase: Phase,
    /// What the engine thought of it; `None` where the move was not analysed.
    pub judged: Option<Judged>,
}

/// An analysed move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// Its class.
    pub class: Class,
    /// Lost centipawns, clamped.
    pub loss_cp: i32,
    /// Whether it was the engine's choice.
    pub played_best: bool,
}

/// A player in a phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlayerKey {
    /// Name as the tables give it.
    pub player: String,
    /// Variant.
    pub variant: String,
    /// Phase.
    pub phase: Phase,
}

/// A player's moves in a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRow {
    /// Who and when.
    pub key: PlayerKey,
    /// Moves played.
    pub moves: u64,
    /// Of these, analysed. Everything below is about these only.
    pub evaluated: u64,
    /// By class.
    pub classes: ClassCounts,
    /// Moves equal to the engine's choice.
    pub best_moves: u64,
    /// Sum of lost centipawns.
    pub loss_cp: u64,
    /// Mean loss in centipawns.
    pub acpl: Option<f64>,
}

#[derive(Clone, Debug, Default)]
struct Sums {
    moves: u64,
    classes: ClassCounts,
    best_moves: u64,
    loss_cp: u64,
}

/// Collects players' moves; the order does not matter. Memory grows with the number of names.
#[derive(Clone, Debug, Default)]
pub struct Players {
    sums: BTreeMap<PlayerKey, Sums>,
}

impl Players {
    /// Nobody yet.
    pub fn new() -> Players {
        Players::default()
    }

    /// Moves of one player in one game.
    pub fn add(
        &mut self,
        player: &str,
        variant: &str,
        moves: impl IntoIterator<Item = PlayerMove>,
    ) {
        for played in moves {
            let key = PlayerKey {
                player: player.to_owned(),
                variant: variant.to_owned(),
                phase: played.phase,
            };
            let sums = self.sums.entry(key).or_default();
            sums.moves += 1;
            if let Some(judged) = played.judged {
                sums.classes.add(judged.class);
                sums.best_moves += u64::from(judged.played_best);
                sums.loss_cp += u64::from(judged.loss_cp.max(0).unsigned_abs());
            }
        }
    }

    /// All that `other` saw as well.
    pub fn merge(&mut self, other: Players) {
        for (key, more) in other.sums {
            let own = self.sums.entry(key).or_default();
            own.moves += more.moves;
            own.classes.merge(&more.classes);
            own.best_moves += more.best_moves;
            own.loss_cp += more.loss_cp;
        }
    }

    /// The rows, in order of their keys.
    pub fn rows(self) -> impl Iterator<Item = PlayerRow> {
        self.sums.into_iter().map(|(key, sums)| {
            let evaluated = sums.classes.total();
            PlayerRow {
                key,
                moves: sums.moves,
                evaluated,
                classes: sums.classes,
                best_moves: sums.best_moves,
                loss_cp: sums.loss_cp,
                acpl: (evaluated > 0).then(|| sums.loss_cp as f64 / evaluated as f64),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unjudged_moves_are_counted_apart() {
        let judged = |class, loss_cp| {
            Some(Judged {
                class,
                loss_cp,
                played_best: class == Class::Best,
            })
        };
        let mut players = Players::new();
        players.add(
            "Som",
            "makruk",
            [
                PlayerMove {
                    phase: Phase::Opening,
                    judged: None,
                },
                PlayerMove {
                    phase: Phase::Opening,
                    judged: judged(Class::Blunder, 300),
                },
                PlayerMove {
                    phase: Phase::Opening,
                    judged: judged(Class::Best, 0),
                },
                PlayerMove {
                    phase: Phase::Endgame,
                    judged: None,
                },
            ],
        );
        let rows: Vec<_> = players.rows().collect();
        assert_eq!(
            (
                rows[0].moves,
                rows[0].evaluated,
                rows[0].classes.blunder,
                rows[0].acpl
            ),
            (3, 2, 1, Some(150.0))
        );
        assert_eq!(
            (rows[1].moves, rows[1].evaluated, rows[1].acpl),
            (1, 0, None)
        );
    }
}
