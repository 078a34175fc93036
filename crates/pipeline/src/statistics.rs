//! Statistics over all games, in bounded passes: count rates, openings, formations.

use std::iter::Peekable;

use analysis::{
    CountDraw, CountGame, CountRates, Exclusion, FormationBook, FormationSeen, Formations,
    OpeningGame, OpeningPly, Openings, Rating, RatingBand,
};
use rayon::prelude::*;
use rules::{ByColor, Color, CountKind, Ending, GameResult, Line};
use tables::{
    CountBasis, CountRateRow, EpisodeEnd, FormationRow, Hex, MaterialClass, OpeningRow, Row,
    Status, Symbol, Table,
};

use crate::chunk::Halt;
use crate::context::Context;
use crate::duplicates::Repeats;
use crate::key::ChunkKey;
use crate::lines::{LineOf, walk};
use crate::parts::Parts;
use crate::reading::rows;
use crate::receipt::Part;
use crate::run::RunError;
use crate::stages::{Chunk, games_parts};

/// Positions and moves held at once; beyond it the keys are halved and gone through twice. About 60 MB.
const OPENINGS_A_PASS: usize = 200_000;

/// Games worked on together.
const BATCH_GAMES: usize = 512;

tables::row! {
    /// What the statistics take of a game.
    pub struct GameFacts in Table::Games, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Which game it is.
        pub variant: Symbol,
        /// Who judged it.
        pub rule_set: Option<Symbol>,
        /// What became of it.
        pub status: Status,
        /// Who played.
        pub player_kind: tables::PlayerKind,
        /// White's rating.
        pub white_elo: Option<i32>,
        /// Black's rating.
        pub black_elo: Option<i32>,
        /// Whether White's is provisional.
        pub white_elo_provisional: bool,
        /// Whether Black's is provisional.
        pub black_elo_provisional: bool,
        /// Result by the record.
        pub result_declared: Option<GameResult>,
        /// Result by the rules.
        pub result_derived: Option<GameResult>,
        /// Ending by the record.
        pub ending_declared: Option<Ending>,
        /// Ending by the rules.
        pub ending_derived: Option<Ending>,
        /// Where it starts.
        pub start_fen: Option<String>,
        /// Its moves.
        pub moves: String,
        /// Count commands.
        pub count_commands: Option<String>,
        /// Where it ends.
        pub final_fen: Option<String>,
    }
}

tables::row! {
    /// What the statistics take of a counting episode.
    pub struct Episode in Table::Counts, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Which honour.
        pub kind: CountKind,
        /// Who says that it ran.
        pub basis: CountBasis,
        /// How it ended.
        pub ended: EpisodeEnd,
        /// What the other side had.
        pub material: MaterialClass,
    }
}

tables::row! {
    /// What the statistics take of a game's formations.
    pub struct Formation in Table::GameOpenings, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// White's.
        pub white_formation: Symbol,
        /// Black's.
        pub black_formation: Symbol,
    }
}

impl GameFacts {
    /// The record's result, else the board's.
    fn result(&self) -> Option<GameResult> {
        self.result_declared.or(self.result_derived)
    }

    fn ratings(&self) -> ByColor<Option<Rating>> {
        let rating = |points: Option<i32>, provisional| {
            points.map(|points| Rating {
                points,
                provisional,
            })
        };
        ByColor {
            white: rating(self.white_elo, self.white_elo_provisional),
            black: rating(self.black_elo, self.black_elo_provisional),
        }
    }

    /// Whether it begins from its rule set's own start; the counters do not matter.
    fn standard_start(&self, context: &Context<'_>) -> bool {
        let rules = self
            .rule_set
            .as_deref()
            .and_then(|id| context.rulebook.rule_set(id));
        let head = |fen: &str| {
            fen.split_ascii_whitespace()
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        };
        match (rules, &self.start_fen) {
            (Some(rules), Some(fen)) => {
                head(&notation::fen::write(&Line::from_start(&rules))) == head(fen)
            }
            _ => false,
        }
    }

    /// Why the statistics leave it out, if they do.
    fn excluded(&self, context: &Context<'_>, repeats: bool) -> Option<Exclusion> {
        if self.status != Status::Accepted {
            Some(Exclusion::Rejected)
        } else if repeats {
            Some(Exclusion::Duplicate)
        } else if !self.standard_start(context) {
            Some(Exclusion::NonStandardStart)
        } else if self.result().is_none() {
            Some(Exclusion::NoResult)
        } else {
            None
        }
    }

    fn line(&self) -> Option<LineOf<'_>> {
        Some(LineOf {
            game_id: self.game_id,
            rule_set: self.rule_set.as_deref()?,
            start_fen: self.start_fen.as_deref()?,
            moves: &self.moves,
            count_commands: self.count_commands.as_deref().unwrap_or(""),
        })
    }
}

/// Every game of the chunks.
fn games<'a>(
    context: &'a Context<'_>,
    chunks: &'a [Chunk],
) -> impl Iterator<Item = Result<GameFacts, RunError>> + 'a {
    rows::<GameFacts>(&context.output, &games_parts(chunks))
}

/// `count_rates`.
pub(crate) fn count_rates(
    context: &Context<'_>,
    chunks: &[Chunk],
    repeats: &Repeats,
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    let mut rates = CountRates::new();
    let replayed = chunks.iter().flat_map(|chunk| &chunk.replay.parts);
    let replayed: Vec<Part> = replayed.cloned().collect();
    let mut episodes = rows::<Episode>(&context.output, &replayed).peekable();
    for game in games(context, chunks) {
        let game = game?;
        let own = episodes_of(&mut episodes, &game.game_id)?;
        let Some(rule_set) = game.rule_set.as_deref() else {
            continue;
        };
        let pieces = own.iter().find(|episode| {
            episode.kind == CountKind::Pieces && episode.basis != CountBasis::Silent
        });
        let board = own
            .iter()
            .any(|episode| episode.kind == CountKind::Board && episode.basis != CountBasis::Silent);
        let (no_bia, bare) = last_board(game.final_fen.as_deref().unwrap_or(""));
        rates.add(&CountGame {
            rule_set,
            material: pieces
                .filter(|_| no_bia && bare)
                .map(|episode| episode.material.as_str()),
            band: RatingBand::of(&game.ratings()),
            player_kind: game.player_kind,
            excluded: game.excluded(context, repeats.has(&game.game_id)),
            no_bia,
            bare_khun: no_bia && bare,
            board_count: board,
            pieces_count: pieces.is_some(),
            draw: draw(&game, &own),
        });
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
    }
    let rows: Result<Vec<_>, _> = rates
        .rows()
        .map(|rate| CountRateRow::of_rate(&rate))
        .collect();
    let rows = rows.map_err(|error| Halt::Failed(error.to_string()))?;
    sorted(context, key, rows.into_iter().flatten().collect())
}

/// The parts of a table that is small enough to be put into its order in memory.
fn sorted<R: Row>(
    context: &Context<'_>,
    key: ChunkKey,
    mut rows: Vec<R>,
) -> Result<Vec<Part>, Halt> {
    rows.sort_by(R::order);
    let mut parts = Parts::new(&context.output, key);
    parts.extend(rows)?;
    Ok(parts.finish_with_one()?)
}

/// The episodes of a game: both tables have the games in the same order.
fn episodes_of<I: Iterator<Item = Result<Episode, RunError>>>(
    episodes: &mut Peekable<I>,
    game: &Hex<16>,
) -> Result<Vec<Episode>, RunError> {
    let mut own = Vec::new();
    while let Some(next) =
        episodes.next_if(|next| next.as_ref().map_or(true, |next| next.game_id == *game))
    {
        own.push(next?);
    }
    Ok(own)
}

/// Whether no unpromoted bia is left, and whether a khun is bare. Bia never come back and men never come back, so the last board
/// tells whether either was ever reached.
fn last_board(fen: &str) -> (bool, bool) {
    let board = fen.split_ascii_whitespace().next().unwrap_or("");
    let men = |of: fn(&char) -> bool| board.chars().filter(of).count();
    let bare = men(char::is_ascii_uppercase) == 1 || men(char::is_ascii_lowercase) == 1;
    (!board.is_empty() && !board.contains(['P', 'p']), bare)
}

fn draw(game: &GameFacts, episodes: &[Episode]) -> CountDraw {
    let by_count =
        |ending: Option<Ending>| matches!(ending, Some(Ending::BoardCount | Ending::PiecesCount));
    if game.result() != Some(GameResult::Draw) {
        CountDraw::NotDrawn
    } else if by_count(game.ending_derived) || by_count(game.ending_declared) {
        CountDraw::Proved
    } else if episodes
        .iter()
        .any(|episode| episode.ended == EpisodeEnd::Limit)
    {
        CountDraw::Possible
    } else {
        CountDraw::Other
    }
}

/// `openings`.
pub(crate) fn openings(
    context: &Context<'_>,
    chunks: &[Chunk],
    repeats: &Repeats,
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    let mut parts = Parts::new(&context.output, key);
    // In the order of the table: variant, then key.
    for variant in ["kar-ouk", "makruk", "ouk"] {
        let mut ranges = vec![(0, u64::MAX)];
        while let Some((low, high)) = ranges.pop() {
            match openings_between(context, chunks, repeats, variant, low, high)? {
                Some(openings) => {
                    for row in openings.rows() {
                        parts.push(
                            OpeningRow::of_opening(&row)
                                .map_err(|error| Halt::Failed(error.to_string()))?,
                        )?;
                    }
                }
                None => {
                    let middle = low + (high - low) / 2;
                    ranges.push((middle + 1, high));
                    ranges.push((low, middle));
                }
            }
        }
    }
    Ok(parts.finish_with_one()?)
}

/// The openings of a range of keys; `None` if they are too many for memory.
fn openings_between(
    context: &Context<'_>,
    chunks: &[Chunk],
    repeats: &Repeats,
    variant: &str,
    low: u64,
    high: u64,
) -> Result<Option<Openings>, Halt> {
    let mut openings = Openings::between(context.job.opening_plies, low..=high);
    let mut batch = Vec::with_capacity(BATCH_GAMES);
    let mut all = games(context, chunks).peekable();
    while let Some(game) = all.next() {
        let game = game?;
        if game.variant == *variant && game.excluded(context, repeats.has(&game.game_id)).is_none()
        {
            batch.push(game);
        }
        if batch.len() < BATCH_GAMES && all.peek().is_some() {
            continue;
        }
        if context.cancelled() {
            return Err(Halt::Cancelled);
        }
        let played: Vec<Result<Vec<Ply>, Halt>> = context.pool.install(|| {
            batch
                .par_iter()
                .map(|game| first_plies(context, game, low, high))
                .collect()
        });
        for (game, plies) in batch.drain(..).zip(played) {
            add(&mut openings, &game, &plies?);
        }
        if openings.len() > OPENINGS_A_PASS && low < high {
            return Ok(None);
        }
    }
    Ok(Some(openings))
}

/// A ply of an opening that owns its texts.
struct Ply {
    ply: u32,
    side: Color,
    key: u64,
    uci: String,
    san: String,
    fen: String,
}

fn first_plies(
    context: &Context<'_>,
    game: &GameFacts,
    low: u64,
    high: u64,
) -> Result<Vec<Ply>, Halt> {
    let Some(mut line) = game.line() else {
        return Ok(Vec::new());
    };
    let last = context.job.opening_plies as usize;
    // The rest of the game is not played at all.
    let end = line
        .moves
        .match_indices(' ')
        .nth(last.saturating_sub(1))
        .map_or(line.moves.len(), |(at, _)| at);
    line.moves = line.moves.get(..end).unwrap_or(line.moves);
    let mut plies = Vec::with_capacity(last);
    walk(&context.rulebook, line, |line, mv| {
        let position = line.position();
        if (low..=high).contains(&position.key()) {
            plies.push(Ply {
                ply: line.plies().0 + 1,
                side: position.turn(),
                key: position.key(),
                uci: mv.raw().to_string(),
                san: notation::san::write(position, mv),
                fen: notation::fen::write(line),
            });
        }
        Ok(())
    })?;
    Ok(plies)
}

fn add(openings: &mut Openings, game: &GameFacts, plies: &[Ply]) {
    let Some(result) = game.result() else {
        return;
    };
    let plies: Vec<OpeningPly<'_>> = plies
        .iter()
        .map(|ply| OpeningPly {
            ply: ply.ply,
            side: ply.side,
            position_key: ply.key,
            uci: &ply.uci,
            san: &ply.san,
            fen: &ply.fen,
        })
        .collect();
    let ratings = ByColor {
        white: game.white_elo,
        black: game.black_elo,
    };
    openings.add(&OpeningGame {
        variant: game.variant.as_str(),
        result,
        ratings,
        plies: &plies,
    });
}

/// `formations`.
pub(crate) fn formations(
    context: &Context<'_>,
    chunks: &[Chunk],
    repeats: &Repeats,
    key: ChunkKey,
) -> Result<Vec<Part>, Halt> {
    let mut formations = Formations::new();
    let assembled = chunks.iter().filter_map(|chunk| chunk.assembled.as_ref());
    let assembled: Vec<Part> = assembled
        .flat_map(|receipt| receipt.parts.clone())
        .collect();
    let mut seen = rows::<Formation>(&context.output, &assembled).peekable();
    for game in games(context, chunks) {
        let game = game?;
        let own = seen
            .next_if(|next| {
                next.as_ref()
                    .map_or(true, |next| next.game_id == game.game_id)
            })
            .transpose()?;
        let counted = game.excluded(context, repeats.has(&game.game_id)).is_none();
        let (Some(own), Some(result), true) = (own, game.result(), counted) else {
            continue;
        };
        let sides = [
            (Color::White, &own.white_formation, &own.black_formation),
            (Color::Black, &own.black_formation, &own.white_formation),
        ];
        for (color, formation, opponent) in sides {
            formations.add(&FormationSeen {
                variant: game.variant.as_str(),
                formation,
                opponent,
                color,
                result,
            });
        }
    }
    let book = FormationBook::builtin();
    let rows: Result<Vec<_>, _> = formations
        .rows()
        .map(|row| FormationRow::of_formation(&row, &book))
        .collect();
    sorted(
        context,
        key,
        rows.map_err(|error| Halt::Failed(error.to_string()))?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_board_tells_what_was_reached() {
        assert_eq!(last_board("4k3/8/8/8/8/8/3R4/3K4 w - - 0 1"), (true, true));
        assert_eq!(
            last_board("4k3/8/8/8/8/P7/3R4/3K4 w - - 0 1"),
            (false, true)
        );
        assert_eq!(
            last_board("3rk3/8/8/4M~3/8/8/3R4/3K4 w - - 0 1"),
            (true, false)
        );
        assert_eq!(last_board(""), (false, false));
    }
}
