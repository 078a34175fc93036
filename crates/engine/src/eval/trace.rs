//! The evaluation taken apart, for a tuner.

use rules::{Color, Position};

use super::features::{self, Attacks, Tally};
use super::{force, mop_up, weights};

/// A position's features.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Feature and how many times more White has it than Black.
    pub features: Vec<(u16, i16)>,
    /// 0 (endgame) to 1 (middlegame).
    pub phase: f64,
    /// What the ending leaves of the value, for either side as the stronger.
    pub scale: [f64; 2],
    /// The value of the right to move, for White if White has it.
    pub tempo: f64,
}

struct Counts(Vec<i16>);

impl Tally for Counts {
    fn add(&mut self, feature: usize, times: i32) {
        self.0[feature] += times as i16;
    }
}

/// Takes the evaluation of `pos` apart.
#[must_use]
pub fn trace(pos: &Position) -> Trace {
    let attacks = Attacks::of(pos);
    let mut sides = [
        Counts(vec![0; features::COUNT]),
        Counts(vec![0; features::COUNT]),
    ];
    for color in Color::ALL {
        attacks.note(pos, color, &mut sides[color as usize]);
    }
    let [white, black] = sides;
    let differences = white.0.iter().zip(&black.0).enumerate();
    let scale = Color::ALL.map(|strong| {
        let gap = force(pos, strong) - force(pos, !strong);
        f64::from(mop_up::winning_scale(pos, strong, gap)) / 64.0
    });
    let tempo = f64::from(weights::TEMPO);
    Trace {
        features: differences
            .filter(|(_, (a, b))| a != b)
            .map(|(i, (a, b))| (i as u16, a - b))
            .collect(),
        phase: f64::from(features::phase(pos)) / f64::from(features::PHASE_FULL),
        scale,
        tempo: if pos.turn() == Color::White {
            tempo
        } else {
            -tempo
        },
    }
}

/// The weights in use: middlegame and endgame of each feature.
#[must_use]
pub fn weights() -> Vec<(i32, i32)> {
    weights::WEIGHTS
        .iter()
        .map(|pair| (pair.mg, pair.eg))
        .collect()
}
