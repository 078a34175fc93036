//! The stage assemble: a replay chunk's games and their scores to evaluations, players and openings.

use std::collections::{BTreeMap, HashMap};

use analysis::{
    Assessed, Board, Eval, FormationBook, GameInput, MoveClock, PlyInput, WinCurve, analyse,
    board_of,
};
use engine::Score;
use rayon::prelude::*;
use rules::Color;
use tables::{
    AnalysisState, EvaluationRow, GameOpeningRow, GameRow, Hex, PlayerRow, Symbol, Table,
};

use crate::analysts::Engine;
use crate::chunk::{Halt, Made};
use crate::context::{Context, Meter};
use crate::key::ChunkKey;
use crate::lines::{accepted, line_of, walk};
use crate::parts::Parts;
use crate::reading::rows;
use crate::receipt::{Receipt, SearchFacts};
use crate::search::Choice;
use crate::stages::Chunk;
use crate::unit::{self, Answer};

/// Goes up when the same games and scores are put together otherwise.
pub(crate) const ASSEMBLE_VERSION: u64 = 1;

/// Games worked on together.
const BATCH_GAMES: usize = 64;

/// A search chunk and what became of it.
#[derive(Clone, Debug)]
pub(crate) struct Searched {
    pub(crate) facts: SearchFacts,
    pub(crate) state: State,
}

/// What became of a search chunk.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// Its answers are there.
    Done(Receipt),
    /// Not yet searched.
    Pending,
    /// The engine failed.
    Failed,
}

/// The key of an assemble chunk.
pub(crate) fn key(context: &Context<'_>, engine: Option<&Engine>, chunk: &Chunk) -> ChunkKey {
    let analysis = &context.job.analysis;
    let mut key = ChunkKey::of("assemble")
        .keys("replay", [&chunk.replay.standing()])
        .maybe("engine", engine.map(|engine| engine.id.as_str()))
        .field("games", format!("{:?}", analysis.games))
        .number("first ply", u64::from(analysis.first_ply))
        .field("curve", WinCurve::PROVISIONAL.version)
        .field("tables", Table::CONTRACT_VERSION)
        .number("version", ASSEMBLE_VERSION);
    for searched in &chunk.searched {
        let mut search = searched.facts.key;
        let state = match &searched.state {
            State::Done(receipt) => {
                search = receipt.standing();
                "done"
            }
            State::Pending => "pending",
            State::Failed => "failed",
        };
        key = key.keys(state, [&search]);
    }
    key.finish()
}

tables::row! {
    /// The clock of a ply.
    pub struct PlyClock in Table::Plies, ordered by [] {
        /// The game.
        pub game_id: Hex<16>,
        /// Clock after the move.
        pub clock_ms: Option<i64>,
        /// Time used.
        pub elapsed_ms: Option<i64>,
    }
}

/// Rows of one game.
struct Assembled {
    /// Why the engine would not judge it, where it would not.
    refused: Option<String>,
    game: GameRow,
    evaluations: Vec<EvaluationRow>,
    players: Vec<PlayerRow>,
    opening: Option<GameOpeningRow>,
    wanted: u64,
}

/// Puts a chunk together.
pub(crate) fn assemble(
    context: &Context<'_>,
    engine: Option<&Engine>,
    chunk: &Chunk,
    key: ChunkKey,
    meter: &Meter<'_>,
) -> Result<Made, Halt> {
    let choice = Choice::of(context, &chunk.replay)?;
    let book = FormationBook::builtin();
    let mut games = rows::<GameRow>(&context.output, &chunk.games);
    let mut clocks = rows::<PlyClock>(&context.output, &chunk.replay.parts);
    let mut writing = Writing::new(context, key);
    for (count, scores) in pieces(engine, chunk) {
        let answers = match scores {
            Scores::Done(receipt) => answers(context, receipt)?,
            _ => HashMap::new(),
        };
        let work = Work {
            context,
            engine,
            choice: &choice,
            book: &book,
            scores,
            answers: &answers,
        };
        let mut left = count;
        while left > 0 {
            if context.cancelled() {
                return Err(Halt::Cancelled);
            }
            let batch = batch(&mut games, &mut clocks, left.min(BATCH_GAMES as u64))?;
            if batch.is_empty() {
                break;
            }
            left -= batch.len() as u64;
            meter.add(batch.len() as u64);
            let outs: Vec<Result<Assembled, Halt>> = context.pool.install(|| {
                batch
                    .into_par_iter()
                    .map(|(game, clocks)| work.game(game, &clocks))
                    .collect()
            });
            outs.into_iter().try_for_each(|out| writing.put(out?))?;
        }
    }
    writing.finish()
}

/// Where the scores of some games are.
#[derive(Clone, Copy)]
enum Scores<'a> {
    /// In the work file of this receipt.
    Done(&'a Receipt),
    Pending,
    Failed,
    /// The job wants none.
    None,
}

/// Consecutive games of the chunk, with where their scores are.
fn pieces<'a>(engine: Option<&Engine>, chunk: &'a Chunk) -> Vec<(u64, Scores<'a>)> {
    let all = chunk.replay.count("games_found");
    if engine.is_none() {
        return vec![(all, Scores::None)];
    }
    if chunk.searched.is_empty() {
        // Nothing could be cut: an engine's or a reader's failure that stands among the failed chunks.
        return vec![(
            all,
            if chunk.cut.is_some() {
                Scores::None
            } else {
                Scores::Failed
            },
        )];
    }
    let piece = |searched: &'a Searched| {
        let scores = match &searched.state {
            State::Done(receipt) => Scores::Done(receipt),
            State::Pending => Scores::Pending,
            State::Failed => Scores::Failed,
        };
        (searched.facts.games, scores)
    };
    chunk.searched.iter().map(piece).collect()
}

fn answers(context: &Context<'_>, receipt: &Receipt) -> Result<HashMap<ChunkKey, Answer>, Halt> {
    let mut answers = HashMap::new();
    for part in &receipt.parts {
        answers.extend(unit::read(&context.output, part)?);
    }
    Ok(answers)
}

type WithClocks = (GameRow, Vec<PlyClock>);

/// The next games, each with the clocks of its plies: both tables have the games in the same order.
fn batch(
    games: &mut impl Iterator<Item = Result<GameRow, crate::run::RunError>>,
    clocks: &mut impl Iterator<Item = Result<PlyClock, crate::run::RunError>>,
    count: u64,
) -> Result<Vec<WithClocks>, Halt> {
    let mut batch = Vec::new();
    for game in games.take(usize::try_from(count).unwrap_or(usize::MAX)) {
        let game = game?;
        let plies = usize::try_from(game.plies).unwrap_or(0);
        let own: Result<Vec<PlyClock>, _> = clocks.by_ref().take(plies).collect();
        let own = own?;
        if own.len() != plies || own.iter().any(|clock| clock.game_id != game.game_id) {
            return Err(Halt::Failed(format!(
                "game {}: games and plies do not fit together",
                game.game_id
            )));
        }
        batch.push((game, own));
    }
    Ok(batch)
}

/// What every game of a piece needs.
struct Work<'a> {
    context: &'a Context<'a>,
    engine: Option<&'a Engine>,
    choice: &'a Choice,
    book: &'a FormationBook,
    scores: Scores<'a>,
    answers: &'a HashMap<ChunkKey, Answer>,
}

impl Work<'_> {
    fn game(&self, mut game: GameRow, clocks: &[PlyClock]) -> Result<Assembled, Halt> {
        let chosen = accepted(game.status) && self.choice.takes(&game.game_id);
        game.analysis = match self.scores {
            _ if !chosen => AnalysisState::None,
            Scores::None => AnalysisState::None,
            Scores::Done(_) => AnalysisState::Done,
            Scores::Pending => AnalysisState::Pending,
            Scores::Failed => AnalysisState::Failed,
        };
        let nothing = Assembled {
            refused: None,
            game,
            evaluations: Vec::new(),
            players: Vec::new(),
            opening: None,
            wanted: 0,
        };
        if !accepted(nothing.game.status) {
            return Ok(nothing);
        }
        let mut found = self.play(&nothing.game, clocks)?;
        let mut game = nothing.game;
        if found.refused.is_some() && game.analysis == AnalysisState::Done {
            game.analysis = AnalysisState::Failed;
            found.plies.iter_mut().for_each(|ply| ply.assessed = None);
        }
        let input = GameInput {
            standard_start: found.standard_start,
            boards: &found.boards,
            plies: &found.plies,
            base_ms: game.base_s.map(|seconds| i64::from(seconds) * 1000),
            increment_ms: game.increment_s.map(|seconds| i64::from(seconds) * 1000),
        };
        let analysed = analyse(&input, &WinCurve::PROVISIONAL, self.book);
        let opening = analysed
            .formations
            .as_ref()
            .map(|found| GameOpeningRow::new(game.game_id, &game.variant, found));
        let (evaluations, players) = match (self.engine, game.analysis) {
            (Some(engine), AnalysisState::Done) => {
                let id = Symbol::from(engine.id.as_str());
                let evaluations = EvaluationRow::of_game(game.game_id, &analysed, &id).collect();
                (
                    evaluations,
                    PlayerRow::of_game(&game, &analysed, &id).to_vec(),
                )
            }
            _ => (Vec::new(), Vec::new()),
        };
        let wanted = if chosen && self.engine.is_some() {
            found.wanted
        } else {
            0
        };
        Ok(Assembled {
            refused: found.refused,
            game,
            evaluations,
            players,
            opening,
            wanted,
        })
    }

    fn play(&self, game: &GameRow, clocks: &[PlyClock]) -> Result<Played, Halt> {
        let line =
            line_of(game).ok_or_else(|| Halt::Failed(format!("game {}: no line", game.game_id)))?;
        let first = self.context.job.analysis.first_ply;
        let scored = matches!(self.scores, Scores::Done(_)) && game.analysis == AnalysisState::Done;
        let mut played = Played::default();
        let mut clocks = clocks.iter();
        let last = walk(&self.context.rulebook, line, |line, mv| {
            let position = line.position();
            if played.boards.is_empty() {
                played.standard_start = *position == line.ruleset().start();
            }
            played.boards.push(board_of(position));
            let clock = clocks.next();
            let ply = line.plies().0 + 1;
            let answer = match (self.engine, scored && ply >= first) {
                (Some(engine), true) => {
                    let unit = unit::key(&engine.id, engine.budget, line, mv);
                    let answer = self.answers.get(&unit);
                    Some(answer.ok_or_else(|| {
                        Halt::Failed(format!("game {}: ply {ply} has no score", game.game_id))
                    })?)
                }
                _ => None,
            };
            played.wanted += u64::from(ply >= first);
            if let (None, Some(Answer::Refused { e })) = (&played.refused, answer) {
                played.refused = Some(e.clone());
            }
            played.plies.push(PlyInput {
                side: position.turn(),
                clock: MoveClock {
                    clock_ms: clock.and_then(|clock| clock.clock_ms),
                    elapsed_ms: clock.and_then(|clock| clock.elapsed_ms),
                },
                assessed: answer
                    .and_then(|answer| assessed(answer, position.turn(), &mv.raw().to_string())),
            });
            Ok(())
        })?;
        played.boards.push(board_of(last.position()));
        Ok(played)
    }
}

/// A game played through.
#[derive(Default)]
struct Played {
    standard_start: bool,
    boards: Vec<Board>,
    plies: Vec<PlyInput>,
    wanted: u64,
    /// Why the engine would not judge it.
    refused: Option<String>,
}

fn assessed(answer: &Answer, turn: Color, played: &str) -> Option<Assessed> {
    let Answer::Scored { b, s, v, p, n, d } = answer else {
        return None;
    };
    let eval = |score: Score| match score.to_white(turn) {
        Score::Cp(cp) => Eval::Cp(cp),
        Score::Mate(moves) => Eval::Mate(moves),
    };
    Some(Assessed {
        best: eval((*s).into()),
        played: eval((*p).into()),
        played_best: b == played,
        best_uci: b.clone(),
        pv: v.clone(),
        nodes: *n,
        depth: *d,
    })
}

/// Before a reason in the counts of a receipt.
pub(crate) const REFUSED: &str = "refused: ";

/// The chunk's open parts and sums.
struct Writing<'a> {
    games: Parts<'a, GameRow>,
    evaluations: Parts<'a, EvaluationRow>,
    players: Parts<'a, PlayerRow>,
    openings: Parts<'a, GameOpeningRow>,
    plies_wanted: u64,
    plies_done: u64,
    states: HashMap<&'static str, u64>,
    /// Games by the reason for which the engine would not judge them.
    refused: BTreeMap<String, u64>,
}

impl<'a> Writing<'a> {
    fn new(context: &'a Context<'_>, key: ChunkKey) -> Writing<'a> {
        let output = &context.output;
        Writing {
            games: Parts::new(output, key),
            evaluations: Parts::new(output, key),
            players: Parts::new(output, key),
            openings: Parts::new(output, key),
            plies_wanted: 0,
            plies_done: 0,
            states: HashMap::new(),
            refused: BTreeMap::new(),
        }
    }

    fn put(&mut self, game: Assembled) -> Result<(), Halt> {
        self.plies_wanted += game.wanted;
        self.plies_done += game.evaluations.len() as u64;
        let state = match game.game.analysis {
            AnalysisState::Done => "games_done",
            AnalysisState::Pending => "games_pending",
            AnalysisState::Failed => "games_failed",
            AnalysisState::None => "games_none",
        };
        *self.states.entry(state).or_default() += 1;
        if let Some(reason) = game.refused {
            *self
                .refused
                .entry(format!("{REFUSED}{reason}"))
                .or_default() += 1;
        }
        self.games.push(game.game)?;
        self.evaluations.extend(game.evaluations)?;
        self.players.extend(game.players)?;
        self.openings.extend(game.opening)?;
        Ok(())
    }

    fn finish(self) -> Result<Made, Halt> {
        let mut parts = self.games.finish()?;
        parts.extend(self.evaluations.finish()?);
        parts.extend(self.players.finish()?);
        parts.extend(self.openings.finish()?);
        let states = self
            .states
            .into_iter()
            .map(|(state, count)| (state.to_owned(), count));
        let mut counts: BTreeMap<String, u64> = states.chain(self.refused).collect();
        counts.insert("plies_wanted".to_owned(), self.plies_wanted);
        counts.insert("plies_done".to_owned(), self.plies_done);
        Ok(Made {
            parts,
            counts,
            facts: None,
        })
    }
}
