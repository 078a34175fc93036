//! Counting the leaves of the move tree: the usual test of a move generator.

use crate::{LegalMove, Position};

/// The number of move sequences of this length. The last ply is counted, not made.
///
/// Counts, repetition and other endings do not stop it; a winning check in kar ouk does.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut next = *position;
                next.play_with::<false, false>(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
}

/// As [`perft`], but the moves of the last ply are made too, each as a replay makes it. For measuring.
///
/// Without `keyed` the key is left behind: the difference is what it costs a move.
#[must_use]
pub fn perft_made(position: &Position, depth: u32, keyed: bool) -> u64 {
    match keyed {
        true => made::<true>(position, depth),
        false => made::<false>(position, depth),
    }
}

fn made<const KEYED: bool>(position: &Position, depth: u32) -> u64 {
    let mut leaves = 0;
    for &mv in &position.legal_moves() {
        let mut next = *position;
        next.play_with::<KEYED, true>(mv);
        leaves += match depth {
            0 | 1 => std::hint::black_box(&next).turn as u64 | 1,
            _ => made::<KEYED>(&next, depth - 1),
        };
    }
    leaves
}

/// [`perft`] split by the first move; depth 0 counts as 1.
#[must_use]
pub fn perft_divide(position: &Position, depth: u32) -> Vec<(LegalMove, u64)> {
    position
        .legal_moves()
        .iter()
        .map(|&mv| {
            let mut next = *position;
            next.play(mv);
            (mv, perft(&next, depth.saturating_sub(1)))
        })
        .collect()
}
