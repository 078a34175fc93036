//! One game, analysed.

use rules::{ByColor, Color};
use serde::{Deserialize, Serialize};

use crate::accuracy::{game_accuracy, move_accuracy};
use crate::board::Board;
use crate::class::{Class, ClassCounts, Loss};
use crate::clock::{ClockUse, MoveClock, clock_use};
use crate::curve::{Eval, WinCurve};
use crate::formation::{FormationBook, GameFormations};
use crate::phase::{Divider, Phase};

/// What an engine said about one ply, from White's view, both scores from the root before the move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assessed {
    /// Score with best play.
    pub best: Eval,
    /// Score of the played move, searched to equal depth; equal to `best` where it is the engine's choice.
    pub played: Eval,
    /// Whether the played move is the engine's choice.
    pub played_best: bool,
    /// The engine's choice.
    pub best_uci: String,
    /// Its line, moves in UCI with spaces between.
    pub pv: String,
    /// Nodes of the search.
    pub nodes: u64,
    /// Depth it reached, in plies.
    pub depth: u32,
}

/// One ply of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyInput {
    /// Who moved.
    pub side: Color,
    /// What the record says about the clock.
    pub clock: MoveClock,
    /// What the engine said; `None` where it was not asked.
    pub assessed: Option<Assessed>,
}

/// All that the analysis takes of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameInput<'a> {
    /// Whether it began from its variant's own start.
    pub standard_start: bool,
    /// Its positions: one more than plies.
    pub boards: &'a [Board],
    /// Its plies.
    pub plies: &'a [PlyInput],
    /// Base time of the time control, in milliseconds.
    pub base_ms: Option<i64>,
    /// Increment of the time control, in milliseconds.
    pub increment_ms: Option<i64>,
}

/// One analysed ply: a row of `evaluations`.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// Number of the ply, from 1.
    pub ply: u32,
    /// Who moved.
    pub side: Color,
    /// Score before the move with best play, White's view.
    pub score: Eval,
    /// Score of the played move, White's view.
    pub played_score: Eval,
    /// The engine's choice.
    pub best_uci: String,
    /// Its line.
    pub pv: String,
    /// Nodes of the search.
    pub nodes: u64,
    /// Depth it reached.
    pub depth: u32,
    /// The mover's win chance with best play, in percent.
    pub win_before: f64,
    /// The mover's win chance after the played move, in percent.
    pub win_after: f64,
    /// Lost centipawns, clamped to ±1000 on both sides; 0 where nothing was lost.
    pub loss_cp: i32,
    /// Accuracy of the move, in percent.
    pub accuracy: f64,
    /// How the move is judged.
    pub class: Class,
    /// Whether the played move is the engine's choice.
    pub played_best: bool,
    /// Phase of the position before the move.
    pub phase: Phase,
}

/// One player's figures in one game: a row of `players`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerFigures {
    /// Own moves.
    pub moves: u32,
    /// Of these, analysed; all that follows but the clock is about these only.
    pub evaluated: u32,
    /// Game accuracy in percent.
    pub accuracy: Option<f64>,
    /// Mean lost centipawns, not rounded; shown rounded.
    pub acpl: Option<f64>,
    /// Sum of lost centipawns.
    pub loss_cp: u64,
    /// Moves equal to the engine's choice.
    pub best_moves: u32,
    /// Their share of `evaluated`.
    pub best_move_rate: Option<f64>,
    /// Moves by class.
    pub classes: ClassCounts,
    /// Use of the clock.
    pub clock: Option<ClockUse>,
}

/// A game with everything the analysis finds in it.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedGame {
    /// Version of the win curve.
    pub curve: &'static str,
    /// The analysed plies, in order.
    pub evaluations: Vec<Evaluation>,
    /// Phase of the position before each ply, analysed or not.
    pub phases: Vec<Phase>,
    /// Figures of both players.
    pub players: ByColor<PlayerFigures>,
    /// Formations; none for a game from a set-up position.
    pub formations: Option<GameFormations>,
}

/// Analyses one game. A game without any assessed ply gives phases, clocks and formations all the same.
///
/// Losses compare two scores of one root. The +15 centipawns of ANALYSIS 1.1 therefore serve only where a score of
/// the start itself is missing from the sequence of win chances: before the first ply of a standard game. From a
/// set-up position that sequence begins with the position's own score.
pub fn analyse(game: &GameInput<'_>, curve: &WinCurve, book: &FormationBook) -> AnalysedGame {
    let phases = phases(game);
    let evaluations: Vec<Evaluation> = game
        .plies
        .iter()
        .zip(&phases)
        .enumerate()
        .filter_map(|(index, (ply, phase))| {
            Some(evaluation(
                index,
                ply,
                ply.assessed.as_ref()?,
                *phase,
                curve,
            ))
        })
        .collect();
    let accuracy = accuracy(game, &evaluations, curve);
    let players = ByColor::new_with(|color| figures(color, game, &evaluations, accuracy[color]));
    let formations = if game.standard_start {
        book.of_game(game.boards)
    } else {
        None
    };
    AnalysedGame {
        curve: curve.version,
        phases,
        players,
        formations,
        evaluations,
    }
}

/// One phase per ply, even where boards are missing at the end.
fn phases(game: &GameInput<'_>) -> Vec<Phase> {
    let mut divider = Divider::new();
    let mut last = Phase::Opening;
    (0..game.plies.len())
        .map(|index| {
            last = game
                .boards
                .get(index)
                .map_or(last, |board| divider.next(board));
            last
        })
        .collect()
}

fn evaluation(
    index: usize,
    ply: &PlyInput,
    assessed: &Assessed,
    phase: Phase,
    curve: &WinCurve,
) -> Evaluation {
    let played = if assessed.played_best {
        assessed.best
    } else {
        assessed.played
    };
    let loss = Loss {
        before: assessed.best,
        after: played,
        played_best: assessed.played_best,
    };
    let win_before = curve.percent_for(assessed.best, ply.side);
    let win_after = curve.percent_for(played, ply.side);
    Evaluation {
        ply: index as u32 + 1,
        side: ply.side,
        score: assessed.best,
        played_score: played,
        best_uci: assessed.best_uci.clone(),
        pv: assessed.pv.clone(),
        nodes: assessed.nodes,
        depth: assessed.depth,
        win_before,
        win_after,
        loss_cp: loss.cp(ply.side),
        accuracy: move_accuracy(win_before, win_after),
        class: loss.class(curve, ply.side),
        played_best: assessed.played_best,
        phase,
    }
}

fn accuracy(
    game: &GameInput<'_>,
    evaluations: &[Evaluation],
    curve: &WinCurve,
) -> ByColor<Option<f64>> {
    let own = evaluations.first().map(|first| first.score);
    let start = if game.standard_start {
        Eval::START
    } else {
        own.unwrap_or(Eval::Cp(0))
    };
    let moves: Vec<(Color, f64, f64)> = evaluations
        .iter()
        .map(|e| (e.side, curve.percent(e.played_score), e.accuracy))
        .collect();
    game_accuracy(curve.percent(start), &moves)
}

fn figures(
    color: Color,
    game: &GameInput<'_>,
    evaluations: &[Evaluation],
    accuracy: Option<f64>,
) -> PlayerFigures {
    let mut figures = PlayerFigures {
        moves: game.plies.iter().filter(|ply| ply.side == color).count() as u32,
        accuracy,
        clock: clock_use(
            color,
            game.plies.iter().map(|ply| (ply.side, ply.clock)),
            game.base_ms,
            game.increment_ms,
        ),
        ..PlayerFigures::default()
    };
    for own in evaluations.iter().filter(|e| e.side == color) {
        figures.evaluated += 1;
        figures.loss_cp += u64::from(own.loss_cp.unsigned_abs());
        figures.best_moves += u32::from(own.played_best);
        figures.classes.add(own.class);
    }
    if figures.evaluated > 0 {
        let n = f64::from(figures.evaluated);
        figures.acpl = Some(figures.loss_cp as f64 / n);
        figures.best_move_rate = Some(f64::from(figures.best_moves) / n);
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board_from;

    fn ply(side: Color, best: i32, played: i32) -> PlyInput {
        let assessed = Assessed {
            best: Eval::Cp(best),
            played: Eval::Cp(played),
            played_best: best == played,
            best_uci: "e3e4".to_owned(),
            pv: "e3e4 e6e5".to_owned(),
            nodes: 1000,
            depth: 6,
        };
        PlyInput {
            side,
            clock: MoveClock::default(),
            assessed: Some(assessed),
        }
    }

    fn game<'a>(boards: &'a [Board], plies: &'a [PlyInput]) -> GameInput<'a> {
        GameInput {
            standard_start: true,
            boards,
            plies,
            base_ms: None,
            increment_ms: None,
        }
    }

    fn run(game: &GameInput<'_>) -> AnalysedGame {
        analyse(game, &WinCurve::PROVISIONAL, &FormationBook::builtin())
    }

    #[test]
    fn a_small_game() {
        let start = board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR");
        let boards = [start; 5];
        let plies = [
            ply(Color::White, 20, 20),
            ply(Color::Black, 20, 220),
            ply(Color::White, 200, 100),
            ply(Color::Black, 100, 100),
        ];
        let analysed = run(&game(&boards, &plies));
        let classes: Vec<_> = analysed.evaluations.iter().map(|e| e.class).collect();
        assert_eq!(
            classes,
            [Class::Best, Class::Blunder, Class::Inaccuracy, Class::Best]
        );
        assert_eq!(analysed.players.white.acpl, Some(50.0));
        assert_eq!(analysed.players.black.acpl, Some(100.0));
        assert_eq!(analysed.players.black.best_move_rate, Some(0.5));
        assert_eq!(analysed.evaluations[1].loss_cp, 200);
        assert!(
            analysed.evaluations[1].win_before < 50.0 && analysed.evaluations[1].win_after < 35.0
        );
        assert_eq!(analysed.phases, [Phase::Opening; 4]);
        let [white, black] = [
            analysed.players.white.accuracy,
            analysed.players.black.accuracy,
        ]
        .map(Option::unwrap);
        assert!(
            white > black && black > 30.0 && white < 90.0,
            "{white} {black}"
        );
    }

    #[test]
    fn unassessed_plies_are_gaps_with_coverage() {
        let boards = [board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR"); 3];
        let mut plies = [ply(Color::White, 0, -300), ply(Color::Black, 0, 0)];
        plies[0].assessed = None;
        let analysed = run(&game(&boards, &plies));
        assert_eq!(
            (
                analysed.players.white.moves,
                analysed.players.white.evaluated
            ),
            (1, 0)
        );
        assert_eq!(
            (analysed.players.white.accuracy, analysed.players.white.acpl),
            (None, None)
        );
        assert_eq!(analysed.evaluations.len(), 1);
        assert_eq!(analysed.evaluations[0].ply, 2);
    }

    #[test]
    fn a_set_up_start_has_its_own_score_and_no_formations() {
        let boards = [board_from("4k3/8/8/8/8/8/8/R2K4"); 3];
        let plies = [ply(Color::White, 900, 900), ply(Color::Black, 900, 900)];
        let custom = GameInput {
            standard_start: false,
            ..game(&boards, &plies)
        };
        let analysed = run(&custom);
        assert_eq!(analysed.formations, None);
        assert_eq!(analysed.phases, [Phase::Endgame; 2]);
        assert_eq!(analysed.players.white.accuracy, Some(100.0));
    }

    #[test]
    fn missing_boards_do_not_panic() {
        let plies = [ply(Color::White, 0, 0)];
        assert_eq!(run(&game(&[], &plies)).phases, [Phase::Opening]);
        assert_eq!(run(&game(&[], &[])).evaluations.len(), 0);
    }
}
