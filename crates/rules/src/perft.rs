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
                next.play_with::<false>(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
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
