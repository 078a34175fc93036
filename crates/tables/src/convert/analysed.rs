//! Rows of the assemble stage: `evaluations`, `players`, `game_openings`.

use analysis::{AnalysedGame, Eval, Evaluation, GameFormations};
use rules::{Color, GameResult};

use crate::cell::{Hex, Symbol};
use crate::convert::{signed, small};
use crate::rows::{EvaluationRow, GameOpeningRow, GameRow, PlayerRow};

fn centipawns(score: Eval) -> Option<i32> {
    if let Eval::Cp(cp) = score {
        Some(cp)
    } else {
        None
    }
}

fn mate(score: Eval) -> Option<i32> {
    if let Eval::Mate(moves) = score {
        Some(moves)
    } else {
        None
    }
}

impl EvaluationRow {
    /// The analysed plies of a game, in order.
    pub fn of_game<'a>(
        game_id: Hex<16>,
        game: &'a AnalysedGame,
        engine_id: &'a Symbol,
    ) -> impl Iterator<Item = EvaluationRow> + 'a {
        let curve = Symbol::from(game.curve);
        game.evaluations
            .iter()
            .map(move |evaluation| EvaluationRow {
                game_id,
                engine_id: engine_id.clone(),
                curve: curve.clone(),
                ..EvaluationRow::new(evaluation)
            })
    }

    fn new(evaluation: &Evaluation) -> EvaluationRow {
        EvaluationRow {
            game_id: Hex([0; 16]),
            ply: small(evaluation.ply),
            side: evaluation.side,
            score_cp: centipawns(evaluation.score),
            mate_in: mate(evaluation.score),
            played_cp: centipawns(evaluation.played_score),
            played_mate_in: mate(evaluation.played_score),
            best_uci: evaluation.best_uci.clone(),
            is_best: evaluation.played_best,
            pv: evaluation.pv.clone(),
            nodes: signed(evaluation.nodes),
            depth: small(evaluation.depth),
            win_before: evaluation.win_before,
            win_after: evaluation.win_after,
            loss_cp: evaluation.loss_cp,
            accuracy: evaluation.accuracy,
            class: evaluation.class,
            phase: evaluation.phase,
            curve: Symbol::from(""),
            engine_id: Symbol::from(""),
        }
    }
}

/// What a side scored in a game: by the declared result, else by the derived one.
fn score(game: &GameRow, side: Color) -> Option<f64> {
    let result = game.result_declared.or(game.result_derived)?;
    Some(match (result, side) {
        (GameResult::Draw, _) => 0.5,
        (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => 1.0,
        (GameResult::WhiteWins, Color::Black) | (GameResult::BlackWins, Color::White) => 0.0,
    })
}

impl PlayerRow {
    /// Both players of a game, White first.
    pub fn of_game(game: &GameRow, analysed: &AnalysedGame, engine_id: &Symbol) -> [PlayerRow; 2] {
        [Color::White, Color::Black].map(|side| PlayerRow::new(game, side, analysed, engine_id))
    }

    fn new(game: &GameRow, side: Color, analysed: &AnalysedGame, engine_id: &Symbol) -> PlayerRow {
        let figures = &analysed.players[side];
        let (player, rating) = match side {
            Color::White => (&game.white, game.white_elo),
            Color::Black => (&game.black, game.black_elo),
        };
        let clock = figures.clock.as_ref();
        PlayerRow {
            game_id: game.game_id,
            side,
            player: player.clone(),
            rating,
            score: score(game, side),
            moves: small(figures.moves),
            moves_analysed: small(figures.evaluated),
            accuracy: figures.accuracy,
            acpl: figures.acpl,
            loss_cp: signed(figures.loss_cp),
            best_moves: small(figures.best_moves),
            best_move_rate: figures.best_move_rate,
            n_best: small(figures.classes.best),
            n_good: small(figures.classes.good),
            n_inaccuracy: small(figures.classes.inaccuracy),
            n_mistake: small(figures.classes.mistake),
            n_blunder: small(figures.classes.blunder),
            clock_moves: clock.map_or(0, |clock| small(clock.timed_moves)),
            clock_used_ms: clock.map(|clock| clock.spent_ms),
            clock_longest_ms: clock.map(|clock| clock.longest_ms),
            clock_longest_ply: clock.map(|clock| small(clock.longest_ply)),
            clock_lowest_ms: clock.and_then(|clock| clock.lowest_clock_ms),
            curve: analysed.curve.into(),
            engine_id: engine_id.clone(),
        }
    }
}

impl GameOpeningRow {
    /// The row of a game from the standard start.
    pub fn new(game_id: Hex<16>, variant: &Symbol, formations: &GameFormations) -> GameOpeningRow {
        let (white, black) = (&formations.settled.white, &formations.settled.black);
        let first_capture = formations.at_first_capture.as_ref();
        GameOpeningRow {
            game_id,
            variant: variant.clone(),
            opening_key: formations.opening_key().into(),
            formation_ply: small(formations.ply),
            white_formation: white.id.as_str().into(),
            white_ma: white.ma.as_str().into(),
            white_detail: white.detail.as_str().into(),
            black_formation: black.id.as_str().into(),
            black_ma: black.ma.as_str().into(),
            black_detail: black.detail.as_str().into(),
            first_capture_ply: formations.first_capture_ply.map(small),
            white_formation_at_first_capture: first_capture
                .map(|sides| sides.white.id.as_str().into()),
            black_formation_at_first_capture: first_capture
                .map(|sides| sides.black.id.as_str().into()),
        }
    }
}
