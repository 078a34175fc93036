//! What must hold for any bytes whatever. The fuzz targets call these (`fuzz/README.md`), and so
//! does the test that replays the seeds which fuzzing has left.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unreachable_pub,
    unused_imports,
    reason = "each test binary uses its own part of what they share; a panic is how a test fails"
)]

mod fens;
mod moves;
mod rule_sets;
mod traces;

pub use fens::fen;
pub use moves::moves;
pub use rule_sets::ruleset;
pub use traces::trace;

use std::sync::Arc;

use rules::{CountCommand, Line, Ruleset};

/// One rule set of each kind, chosen by a byte.
fn rules_of(byte: u8) -> Arc<Ruleset> {
    let ids = Ruleset::builtin_ids();
    let sutras = "makruk+sut-khun+sut-ma+sut-met";
    let id = ids.get(usize::from(byte) % (ids.len() + 1));
    Ruleset::builtin(id.copied().unwrap_or(sutras)).unwrap()
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 33) as usize % sides.max(1)
    }

    /// A random move, captures preferred so that men run out, and now and then a word about a
    /// count. Whether there was a move.
    fn play(&mut self, line: &mut Line) -> bool {
        if self.roll(8) == 0 {
            let said = [CountCommand::Start, CountCommand::Stop][self.roll(2)];
            let _ = line.command(said);
        }
        let moves = line.position().legal_moves();
        let noisy = line.position().noisy_moves();
        let pool = if !noisy.is_empty() && self.roll(2) == 0 {
            &noisy
        } else {
            &moves
        };
        if pool.is_empty() {
            return false;
        }
        line.push(pool[self.roll(pool.len())]);
        true
    }
}

/// A text of hostile bytes, cut where no text of a game is longer.
fn text_of(bytes: &[u8], most: usize) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(most)]).into_owned()
}
