//! Games that repeat another record, as far as the statistics need it: same moves, players and date.

use std::collections::HashMap;

use tables::{Hex, Table};

use crate::chunk::Halt;
use crate::context::Context;
use crate::lines::accepted;
use crate::reading::rows;
use crate::stages::Chunk;

/// Games looked at in one pass: about 100 MB of a map's memory.
const GAMES_A_PASS: u64 = 1_000_000;

tables::row! {
    /// What makes two records one game.
    pub struct GameIdentity in Table::Games, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Its moves.
        pub moves_hash: Option<Hex<16>>,
        /// White.
        pub white: Option<String>,
        /// Black.
        pub black: Option<String>,
        /// Date.
        pub date: Option<String>,
        /// Number of plies.
        pub plies: i32,
        /// What became of it.
        pub status: tables::Status,
    }
}

/// One bit a game, in the order of the chunks: whether it repeats a game of a smaller id.
#[derive(Debug)]
pub(crate) struct Duplicates {
    bits: Vec<u64>,
}

impl Duplicates {
    /// Looks at all games, in as many passes as memory asks for; the answer is the same for any number.
    pub(crate) fn find(context: &Context<'_>, chunks: &[Chunk]) -> Result<Duplicates, Halt> {
        let games: u64 = chunks
            .iter()
            .map(|chunk| chunk.replay.count("games_found"))
            .sum();
        let words = usize::try_from(games / 64 + 1).unwrap_or(usize::MAX);
        let mut duplicates = Duplicates {
            bits: vec![0; words],
        };
        let passes = games / GAMES_A_PASS + 1;
        for pass in 0..passes {
            duplicates.pass(context, chunks, |hash| hash % passes == pass)?;
        }
        Ok(duplicates)
    }

    fn pass(
        &mut self,
        context: &Context<'_>,
        chunks: &[Chunk],
        mine: impl Fn(u64) -> bool,
    ) -> Result<(), Halt> {
        // The smallest id of each group, and where that game stands.
        let mut firsts: HashMap<u128, (Hex<16>, usize)> = HashMap::new();
        let mut at = 0;
        for chunk in chunks {
            for game in rows::<GameIdentity>(&context.output, &chunk.games) {
                let game = game?;
                if let Some(hash) = identity(&game).filter(|hash| mine(*hash as u64)) {
                    match firsts.get_mut(&hash) {
                        None => {
                            firsts.insert(hash, (game.game_id, at));
                        }
                        Some(first) if first.0 <= game.game_id => self.set(at),
                        Some(first) => {
                            let before = std::mem::replace(first, (game.game_id, at));
                            self.set(before.1);
                        }
                    }
                }
                at += 1;
            }
            if context.cancelled() {
                return Err(Halt::Cancelled);
            }
        }
        Ok(())
    }

    fn set(&mut self, at: usize) {
        if let Some(word) = self.bits.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }

    /// Whether the game at this place, counted over all chunks, repeats another.
    pub(crate) fn repeats(&self, at: usize) -> bool {
        self.bits
            .get(at / 64)
            .is_some_and(|word| word >> (at % 64) & 1 == 1)
    }
}

/// A game without moves repeats nothing.
fn identity(game: &GameIdentity) -> Option<u128> {
    if !accepted(game.status) || game.plies == 0 {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(&game.moves_hash?.0);
    for text in [&game.white, &game.black, &game.date] {
        let text = text.as_deref().unwrap_or("").to_lowercase();
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    }
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    Some(u128::from_le_bytes(bytes))
}
