//! Learns the evaluation's weights from positions with results (what `harvest` writes): `tune FILE... > weights.rs`.
//!
//! Logistic regression by Adam over all features at once. The target is the game's result mixed with what a search
//! said; rare features stay near their old weights. Progress goes to standard error.

use std::io::{BufRead, BufReader};

use engine::tuning::{Trace, trace, weights};
use notation::fen;
use rules::Ruleset;

/// Share of the game's result in the target; the search's score has the rest.
const RESULT: f64 = 0.65;
const EPOCHS: usize = 400;
const RATE: f64 = 0.8;
/// Pull towards the old weights, per position.
const PULL: f64 = 3e-9;

struct Sample {
    trace: Trace,
    result: f64,
    score: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Ruleset::builtin("makruk")?;
    let mut samples = Vec::new();
    for file in std::env::args().skip(1) {
        for line in BufReader::new(std::fs::File::open(file)?).lines() {
            let line = line?;
            let mut parts = line.split(';');
            let (Some(text), Some(result), Some(score)) =
                (parts.next(), parts.next(), parts.next())
            else {
                continue;
            };
            let start = fen::parse(text, &rules)?;
            let (result, score) = (result.parse::<f64>()? / 2.0, score.parse()?);
            samples.push(Sample {
                trace: trace(&start.position),
                result,
                score,
            });
        }
    }
    let old: Vec<[f64; 2]> = weights()
        .into_iter()
        .map(|(mg, eg)| [f64::from(mg), f64::from(eg)])
        .collect();
    let k = fit_slope(&samples);
    eprintln!("{} positions, slope {k:.6}", samples.len());
    let targets: Vec<f64> = samples
        .iter()
        .map(|s| RESULT * s.result + (1.0 - RESULT) * chance(k * s.score))
        .collect();
    let new = descend(&samples, &targets, &old, k);
    print_weights(&new);
    Ok(())
}

fn chance(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The slope that makes search scores fit the results best.
fn fit_slope(samples: &[Sample]) -> f64 {
    let error = |k: f64| {
        samples
            .iter()
            .map(|s| (s.result - chance(k * s.score)).powi(2))
            .sum::<f64>()
    };
    let steps = (4..60).map(|step| f64::from(step) * 0.000_25);
    steps
        .min_by(|a, b| error(*a).total_cmp(&error(*b)))
        .unwrap_or(0.004)
}

fn value(trace: &Trace, weights: &[[f64; 2]]) -> (f64, f64) {
    let sum: f64 = trace
        .features
        .iter()
        .map(|&(feature, times)| {
            let [mg, eg] = weights[usize::from(feature)];
            f64::from(times) * (mg * trace.phase + eg * (1.0 - trace.phase))
        })
        .sum();
    let scale = trace.scale[usize::from(sum < 0.0)];
    (sum * scale + trace.tempo, scale)
}

fn descend(samples: &[Sample], targets: &[f64], old: &[[f64; 2]], k: f64) -> Vec<[f64; 2]> {
    let mut weights = old.to_vec();
    let (mut first, mut second) = (vec![[0.0; 2]; old.len()], vec![[0.0; 2]; old.len()]);
    for epoch in 1..=EPOCHS {
        let mut gradient = vec![[0.0; 2]; old.len()];
        let mut error = 0.0;
        for (sample, target) in samples.iter().zip(targets) {
            let (value, scale) = value(&sample.trace, &weights);
            let guess = chance(k * value);
            error += (guess - target).powi(2);
            let slope = (guess - target) * guess * (1.0 - guess) * k * scale;
            for &(feature, times) in &sample.trace.features {
                let change = slope * f64::from(times);
                gradient[usize::from(feature)][0] += change * sample.trace.phase;
                gradient[usize::from(feature)][1] += change * (1.0 - sample.trace.phase);
            }
        }
        let n = samples.len() as f64;
        let rate = RATE * if epoch * 4 > EPOCHS * 3 { 0.25 } else { 1.0 };
        for (index, weight) in weights.iter_mut().enumerate() {
            for half in 0..2 {
                let g = gradient[index][half] / n + PULL * (weight[half] - old[index][half]);
                first[index][half] = 0.9 * first[index][half] + 0.1 * g;
                second[index][half] = 0.999 * second[index][half] + 0.001 * g * g;
                let (a, b) = (
                    1.0 - 0.9_f64.powi(epoch as i32),
                    1.0 - 0.999_f64.powi(epoch as i32),
                );
                weight[half] -=
                    rate * (first[index][half] / a) / ((second[index][half] / b).sqrt() + 1e-12);
            }
        }
        if epoch % 50 == 0 || epoch == 1 {
            eprintln!("epoch {epoch}: error {:.6}", error / n);
        }
    }
    weights
}

fn print_weights(weights: &[[f64; 2]]) {
    println!(
        "//! Every number of the evaluation, in hundredths of a bia: one row a feature of `features.rs`, in its order,"
    );
    println!("//! middlegame and endgame. Written by `examples/tune.rs` from self-play games.\n");
    println!("use super::pair::{{Pair, p}};\n");
    println!("/// The right to move.\npub(super) const TEMPO: i32 = 12;\n");
    println!("/// The weights.\n#[rustfmt::skip]");
    println!("pub(super) static WEIGHTS: [Pair; super::features::COUNT] = [");
    for row in weights.chunks(8) {
        let cells: Vec<String> = row
            .iter()
            .map(|[mg, eg]| format!("p({:.0}, {:.0}),", mg.round() + 0.0, eg.round() + 0.0))
            .collect();
        println!("    {}", cells.join(" "));
    }
    println!("];");
}
