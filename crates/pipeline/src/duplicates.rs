//! `duplicates`: games that are one game, or nearly, over all archives, and the findings about them.

use analysis::{Duplicate, DuplicateClass, DuplicateLimits, GameRecord, GameRecords};
use rules::UciMove;
use tables::{DuplicateRow, Hex, Symbol, Table};

use crate::chunk::Halt;
use crate::context::Context;
use crate::key::ChunkKey;
use crate::lines::accepted;
use crate::parts::Parts;
use crate::reading::rows;
use crate::receipt::Part;
use crate::stages::{Chunk, games_parts};

tables::row! {
    /// What is compared of a game.
    pub struct Compared in Table::Games, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// How it is written.
        pub dialect: Symbol,
        /// Site, which with some dialects is an address of the game.
        pub site: Option<String>,
        /// Date.
        pub date: Option<String>,
        /// Round.
        pub round: Option<String>,
        /// White.
        pub white: Option<String>,
        /// Black.
        pub black: Option<String>,
        /// What became of it.
        pub status: tables::Status,
        /// Where it starts.
        pub start_fen: Option<String>,
        /// Its moves.
        pub moves: String,
    }
}

/// All games of the chunks, read anew each time: memory holds one part and one batch of rows.
struct Games<'a> {
    context: &'a Context<'a>,
    chunks: &'a [Chunk],
}

impl GameRecords for Games<'_> {
    type Error = Halt;

    /// Rejected games are passed over: what their other moves were is not known.
    fn each(&self, visit: &mut dyn FnMut(u32, GameRecord)) -> Result<(), Halt> {
        let mut number = 0;
        for game in rows::<Compared>(&self.context.output, &games_parts(self.chunks)) {
            let game = game?;
            if accepted(game.status) {
                visit(number, record(game)?);
                number += 1;
                if number % 1024 == 0 && self.context.cancelled() {
                    return Err(Halt::Cancelled);
                }
            }
        }
        Ok(())
    }
}

fn record(game: Compared) -> Result<GameRecord, Halt> {
    let bits = |word: &str| {
        let mv: UciMove = word
            .parse()
            .map_err(|_| Halt::Failed(format!("game {}: a move is not in UCI", game.game_id)))?;
        let bits = usize::from(mv.promotion) << 12 | mv.from.index() << 6 | mv.to.index();
        Ok(bits as u16)
    };
    let moves: Result<Vec<u16>, Halt> = game.moves.split_ascii_whitespace().map(bits).collect();
    let address = game.site.filter(|site| site.contains("://"));
    Ok(GameRecord {
        start: start(game.start_fen.as_deref().unwrap_or("")),
        moves: moves?,
        white: game.white,
        black: game.black,
        date: game.date,
        round: game.round.or(address),
        dialect: game.dialect.to_string(),
        id: game.game_id.0,
    })
}

/// A hash of what is the same start in every spelling, as in `moves_hash`: board, turn, rights, and limit and number of a
/// count that is running; not the clocks.
fn start(fen: &str) -> u128 {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let mut hasher = blake3::Hasher::new();
    let count = fields.get(4..6).filter(|_| fields.len() > 6);
    for field in fields.iter().take(3).chain(count.unwrap_or_default()) {
        hasher.update(field.as_bytes()).update(b" ");
    }
    let mut bytes = [0; 16];
    hasher.finalize_xof().fill(&mut bytes);
    u128::from_le_bytes(bytes)
}

/// Finds the groups, in as many passes over the games as memory asks for.
pub(crate) fn find(context: &Context<'_>, chunks: &[Chunk]) -> Result<Vec<Duplicate>, Halt> {
    analysis::duplicates(&Games { context, chunks }, DuplicateLimits::default())
}

/// `duplicates`.
pub(crate) fn table(
    context: &Context<'_>,
    found: &[Duplicate],
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    let mut parts = Parts::new(&context.output, key);
    parts.extend(DuplicateRow::of_groups(found))?;
    Ok(parts.finish_with_one()?)
}

tables::row! {
    /// What the statistics take of a row of `duplicates`.
    pub struct Grouped in Table::Duplicates, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// How its group belongs together.
        pub class: DuplicateClass,
        /// The smallest id of the group.
        pub canonical_game_id: Hex<16>,
    }
}

/// The games that statistics leave out, because another record of the game is counted.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// Ascending.
    ids: Vec<Hex<16>>,
}

impl Repeats {
    /// Those that the table names.
    pub(crate) fn read(context: &Context<'_>, parts: &[Part]) -> Result<Repeats, Halt> {
        let mut ids = Vec::new();
        for row in rows::<Grouped>(&context.output, parts) {
            let row = row?;
            if row.class.is_one_game() && row.game_id != row.canonical_game_id {
                ids.push(row.game_id);
            }
        }
        ids.sort_unstable();
        Ok(Repeats { ids })
    }

    /// Whether the game repeats another record.
    pub(crate) fn has(&self, game: &Hex<16>) -> bool {
        self.ids.binary_search(game).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_no_part_of_a_start_and_a_running_count_is() {
        let one = start("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
        assert_eq!(
            one,
            start("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 7 9")
        );
        assert_ne!(
            one,
            start("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1")
        );
        let count = start("8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - - 128 18 50");
        assert_eq!(count, start("8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - - 128 18 51"));
        assert_ne!(count, start("8/6ks/3M~2r1/2K1M3/8/3R4/8/8 w - - 128 20 50"));
    }
}
