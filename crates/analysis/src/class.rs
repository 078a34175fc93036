//! Classes of moves: how much a move gave away (ANALYSIS 1.1).

use rules::Color;
use serde::{Deserialize, Serialize};

use crate::curve::{Eval, WinCurve};

/// How a move is judged. The order is from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The engine's own choice, or a move that lost nothing.
    Best,
    /// Lost less than an inaccuracy.
    Good,
    /// Lost at least 5 points of win chance.
    Inaccuracy,
    /// Lost at least 10 points.
    Mistake,
    /// Lost at least 15 points.
    Blunder,
}

impl Class {
    /// From best to worst.
    pub const ALL: [Class; 5] = [
        Class::Best,
        Class::Good,
        Class::Inaccuracy,
        Class::Mistake,
        Class::Blunder,
    ];

    /// The word stored in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Class::Best => "best",
            Class::Good => "good",
            Class::Inaccuracy => "inaccuracy",
            Class::Mistake => "mistake",
            Class::Blunder => "blunder",
        }
    }

    /// The class of a stored word.
    pub fn from_word(word: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.as_str() == word)
    }
}

impl std::fmt::Display for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The two scores between which a move is judged, both from White's view.
///
/// They should come from one root at equal depth (the best move's score and the played move's), so that their
/// difference is the move and not the noise between two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// With best play from here.
    pub before: Eval,
    /// After the played move.
    pub after: Eval,
    /// Whether the played move is the engine's choice.
    pub played_best: bool,
}

impl Loss {
    /// Lost centipawns of the mover, both scores clamped to ±1000; 0 where nothing was lost.
    pub fn cp(&self, mover: Color) -> i32 {
        let before = self.before.seen_by(mover).clamped_cp();
        let after = self.after.seen_by(mover).clamped_cp();
        (before - after).max(0)
    }

    /// The class of the move for its mover.
    ///
    /// Mates come first: being mated where one was not ("mate created"), and losing a mate one had ("mate lost") are
    /// judged by the score on the other side of the change; a mate that only takes longer is [`Class::Good`].
    pub fn class(&self, curve: &WinCurve, mover: Color) -> Class {
        let (before, after) = (self.before.seen_by(mover), self.after.seen_by(mover));
        if self.played_best || after.rank() >= before.rank() {
            return Class::Best;
        }
        match (before, after) {
            (Eval::Mate(b), Eval::Mate(a)) if (b > 0) == (a > 0) => Class::Good,
            (Eval::Mate(_), Eval::Mate(_)) => Class::Blunder,
            (Eval::Cp(cp), Eval::Mate(_)) => mate_class(-i64::from(cp)),
            (Eval::Mate(_), Eval::Cp(cp)) => mate_class(i64::from(cp)),
            (Eval::Cp(_), Eval::Cp(_)) => {
                chance_class(curve.chances(before) - curve.chances(after))
            }
        }
    }
}

/// `settled`: how decided the game was on the side of the change that had no mate, in the direction of the change.
fn mate_class(settled: i64) -> Class {
    match settled {
        1000.. => Class::Inaccuracy,
        701..1000 => Class::Mistake,
        _ => Class::Blunder,
    }
}

/// `loss` on the scale from -1 to 1.
fn chance_class(loss: f64) -> Class {
    if loss >= 0.3 {
        Class::Blunder
    } else if loss >= 0.2 {
        Class::Mistake
    } else if loss >= 0.1 {
        Class::Inaccuracy
    } else {
        Class::Good
    }
}

/// How many moves of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClassCounts {
    /// Moves judged best.
    pub best: u64,
    /// Moves judged good.
    pub good: u64,
    /// Inaccuracies.
    pub inaccuracy: u64,
    /// Mistakes.
    pub mistake: u64,
    /// Blunders.
    pub blunder: u64,
}

impl ClassCounts {
    /// One more move of `class`.
    pub fn add(&mut self, class: Class) {
        *self.slot(class) += 1;
    }

    /// All of `other` as well.
    pub fn merge(&mut self, other: &ClassCounts) {
        for class in Class::ALL {
            *self.slot(class) += other.get(class);
        }
    }

    /// Moves of `class`.
    pub fn get(&self, class: Class) -> u64 {
        match class {
            Class::Best => self.best,
            Class::Good => self.good,
            Class::Inaccuracy => self.inaccuracy,
            Class::Mistake => self.mistake,
            Class::Blunder => self.blunder,
        }
    }

    /// Moves of every class.
    pub fn total(&self) -> u64 {
        Class::ALL.into_iter().map(|class| self.get(class)).sum()
    }

    fn slot(&mut self, class: Class) -> &mut u64 {
        match class {
            Class::Best => &mut self.best,
            Class::Good => &mut self.good,
            Class::Inaccuracy => &mut self.inaccuracy,
            Class::Mistake => &mut self.mistake,
            Class::Blunder => &mut self.blunder,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(before: Eval, after: Eval) -> Class {
        Loss {
            before,
            after,
            played_best: false,
        }
        .class(&WinCurve::PROVISIONAL, Color::White)
    }

    #[test]
    fn thresholds_in_win_chance() {
        // from 0: w(c) = tanh(0.00184104 c); 0.1 at 54.5, 0.2 at 110.1, 0.3 at 168.1 centipawns
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-54)), Class::Good);
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-55)), Class::Inaccuracy);
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-110)), Class::Inaccuracy);
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-111)), Class::Mistake);
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-168)), Class::Mistake);
        assert_eq!(class(Eval::Cp(0), Eval::Cp(-169)), Class::Blunder);
    }

    #[test]
    fn best_is_the_engines_move_or_no_loss() {
        assert_eq!(class(Eval::Cp(10), Eval::Cp(10)), Class::Best);
        assert_eq!(class(Eval::Cp(10), Eval::Cp(40)), Class::Best);
        let same = Loss {
            before: Eval::Cp(0),
            after: Eval::Cp(-500),
            played_best: true,
        };
        assert_eq!(
            same.class(&WinCurve::PROVISIONAL, Color::White),
            Class::Best
        );
        // beyond the clamp the chance is equal, yet something was lost
        assert_eq!(class(Eval::Cp(2500), Eval::Cp(1500)), Class::Good);
    }

    #[test]
    fn mate_created() {
        assert_eq!(class(Eval::Cp(-1000), Eval::Mate(-3)), Class::Inaccuracy);
        assert_eq!(class(Eval::Cp(-999), Eval::Mate(-3)), Class::Mistake);
        assert_eq!(class(Eval::Cp(-701), Eval::Mate(-3)), Class::Mistake);
        assert_eq!(class(Eval::Cp(-700), Eval::Mate(-3)), Class::Blunder);
        assert_eq!(class(Eval::Cp(900), Eval::Mate(-3)), Class::Blunder);
    }

    #[test]
    fn mate_lost() {
        assert_eq!(class(Eval::Mate(2), Eval::Cp(1000)), Class::Inaccuracy);
        assert_eq!(class(Eval::Mate(2), Eval::Cp(999)), Class::Mistake);
        assert_eq!(class(Eval::Mate(2), Eval::Cp(701)), Class::Mistake);
        assert_eq!(class(Eval::Mate(2), Eval::Cp(700)), Class::Blunder);
        assert_eq!(class(Eval::Mate(2), Eval::Mate(-2)), Class::Blunder);
    }

    #[test]
    fn a_delayed_mate_is_good_and_a_found_one_best() {
        assert_eq!(class(Eval::Mate(2), Eval::Mate(7)), Class::Good);
        assert_eq!(class(Eval::Mate(-7), Eval::Mate(-2)), Class::Good);
        assert_eq!(class(Eval::Cp(300), Eval::Mate(4)), Class::Best);
        assert_eq!(class(Eval::Mate(-4), Eval::Cp(-300)), Class::Best);
    }

    #[test]
    fn black_sees_the_other_way() {
        let loss = Loss {
            before: Eval::Cp(-40),
            after: Eval::Cp(320),
            played_best: false,
        };
        assert_eq!(
            loss.class(&WinCurve::PROVISIONAL, Color::Black),
            Class::Blunder
        );
        assert_eq!(
            loss.class(&WinCurve::PROVISIONAL, Color::White),
            Class::Best
        );
        assert_eq!(loss.cp(Color::Black), 360);
        assert_eq!(loss.cp(Color::White), 0);
    }

    #[test]
    fn lost_centipawns_are_clamped() {
        let loss = Loss {
            before: Eval::Mate(1),
            after: Eval::Cp(1500),
            played_best: false,
        };
        assert_eq!(loss.cp(Color::White), 0);
        let loss = Loss {
            before: Eval::Cp(1500),
            after: Eval::Mate(-1),
            played_best: false,
        };
        assert_eq!(loss.cp(Color::White), 2000);
    }

    #[test]
    fn words_come_back() {
        for class in Class::ALL {
            assert_eq!(Class::from_word(class.as_str()), Some(class));
        }
        assert_eq!(Class::from_word("brilliant"), None);
    }
}
