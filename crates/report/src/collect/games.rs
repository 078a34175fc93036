//! One pass over games, players and evaluations, side by side: they come in the same order.

use std::collections::BTreeMap;

use analysis::{ClassCounts, wilson};
use pipeline::CommitView;
use tables::{AnalysisState, Class, Color, Phase, Status, Word};

use super::findings::Wanted;
use super::rows::{self, EvaluationBrief, GameBrief, PlayerBrief};
use super::{CollectError, GameId, Limits};
use crate::figures::{
    Counted, Figures, MoveFigures, PhaseLine, PlayerLine, Range, ReadFigures, ResultFigures,
    RuleSetLine,
};

/// A game that some list names.
#[derive(Clone, Debug)]
pub(super) struct KnownGame {
    pub(super) archive: String,
    pub(super) ordinal: u64,
    pub(super) players: String,
}

/// The games that lists name.
pub(super) type Known = BTreeMap<GameId, KnownGame>;

/// At most so many different reasons for setting games aside are told apart.
const MOST_REASONS: usize = 40;

pub(super) fn read(
    view: &CommitView,
    limits: &Limits,
    wanted: &Wanted,
    figures: &mut Figures,
) -> Result<Known, CollectError> {
    let mut sums = Sums::default();
    let mut known = Known::new();
    let mut players = rows::of::<PlayerBrief>(view).peekable();
    let mut evaluations = rows::of::<EvaluationBrief>(view).peekable();
    for game in rows::of::<GameBrief>(view) {
        let game = game?;
        sums.game(&game);
        rows::of_game(
            &mut players,
            |row| sums.player(&game, &row),
            |row| row.game_id == game.game_id,
        )?;
        rows::of_game(
            &mut evaluations,
            |row| sums.evaluation(&game, &row),
            |row| row.game_id == game.game_id,
        )?;
        if wanted.has(&game.game_id) {
            known.insert(
                game.game_id,
                KnownGame {
                    players: names(game.white.as_deref(), game.black.as_deref()),
                    ordinal: u64::try_from(game.ordinal).unwrap_or(0),
                    archive: game.archive,
                },
            );
        }
    }
    sums.finish(limits, figures);
    Ok(known)
}

/// White against Black.
pub(super) fn names(white: Option<&str>, black: Option<&str>) -> String {
    format!("{} – {}", white.unwrap_or("?"), black.unwrap_or("?"))
}

#[derive(Default)]
struct Results {
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    unknown: u64,
    endings: BTreeMap<&'static str, u64>,
}

#[derive(Default)]
struct Moves {
    classes: ClassCounts,
    loss_cp: u64,
}

impl Moves {
    fn add(&mut self, row: &EvaluationBrief) {
        self.classes.add(row.class);
        self.loss_cp += u64::from(row.loss_cp.max(0).unsigned_abs());
    }

    fn acpl(&self) -> Option<f64> {
        let n = self.classes.total();
        (n > 0).then(|| self.loss_cp as f64 / n as f64)
    }
}

#[derive(Default)]
struct Player {
    games: u64,
    moves: u64,
    accuracies: u64,
    accuracy_sum: f64,
    all: Moves,
    phases: BTreeMap<Phase, Moves>,
}

#[derive(Default)]
struct Sums {
    read: ReadFigures,
    moves: MoveFigures,
    variants: BTreeMap<String, u64>,
    dialects: BTreeMap<String, u64>,
    reasons: BTreeMap<String, u64>,
    rule_sets: BTreeMap<(String, &'static str), u64>,
    results: BTreeMap<String, Results>,
    phases: BTreeMap<(String, Phase), Moves>,
    players: BTreeMap<(String, String), Player>,
}

impl Sums {
    fn game(&mut self, game: &GameBrief) {
        let variant = if game.variant.is_empty() {
            "not said"
        } else {
            &game.variant
        };
        *self.variants.entry(variant.to_owned()).or_default() += 1;
        *self.dialects.entry(game.dialect.to_string()).or_default() += 1;
        let plies = u64::try_from(game.plies).unwrap_or(0);
        self.read.plies += plies;
        if let (Some(id), Some(authority)) = (&game.rule_set, game.authority) {
            *self
                .rule_sets
                .entry((id.to_string(), authority.word()))
                .or_default() += 1;
        }
        match game.status {
            Status::Accepted => self.accepted(game, plies),
            Status::Rejected => {}
            Status::SetAside => self.set_aside(game),
        }
    }

    fn set_aside(&mut self, game: &GameBrief) {
        let why = game.reason.as_deref().unwrap_or("no reason given");
        let named = game.variant.is_empty() || why.contains(game.variant.as_str());
        let mut why = if named {
            why.to_owned()
        } else {
            format!("{}: {why}", game.variant)
        };
        if self.reasons.len() >= MOST_REASONS && !self.reasons.contains_key(&why) {
            why = "other reasons".to_owned();
        }
        *self.reasons.entry(why).or_default() += 1;
    }

    fn accepted(&mut self, game: &GameBrief, plies: u64) {
        self.moves.games += 1;
        self.moves.plies += plies;
        match game.analysis {
            AnalysisState::Done => self.moves.games_analysed += 1,
            AnalysisState::Pending => self.moves.games_pending += 1,
            AnalysisState::Failed => self.moves.games_failed += 1,
            AnalysisState::None => {}
        }
        let results = self.results.entry(game.variant.to_string()).or_default();
        *match game
            .result_declared
            .or(game.result_derived)
            .map(|result| result.word())
        {
            Some("1-0") => &mut results.white_wins,
            Some("0-1") => &mut results.black_wins,
            Some(_) => &mut results.draws,
            None => &mut results.unknown,
        } += 1;
        let ending = game
            .ending_derived
            .or(game.ending_declared)
            .map_or("not_recorded", |ending| ending.word());
        *results.endings.entry(ending).or_default() += 1;
    }

    fn named(&mut self, game: &GameBrief, side: Color) -> Option<&mut Player> {
        let name = match side {
            Color::White => game.white.clone(),
            Color::Black => game.black.clone(),
        };
        Some(
            self.players
                .entry((name?, game.variant.to_string()))
                .or_default(),
        )
    }

    fn player(&mut self, game: &GameBrief, row: &PlayerBrief) {
        if let Some(player) = self.named(game, row.side) {
            player.games += 1;
            player.moves += u64::try_from(row.moves).unwrap_or(0);
            if let Some(accuracy) = row.accuracy {
                player.accuracies += 1;
                player.accuracy_sum += accuracy;
            }
        }
    }

    fn evaluation(&mut self, game: &GameBrief, row: &EvaluationBrief) {
        self.moves.plies_analysed += 1;
        self.phases
            .entry((game.variant.to_string(), row.phase))
            .or_default()
            .add(row);
        if let Some(player) = self.named(game, row.side) {
            player.all.add(row);
            player.phases.entry(row.phase).or_default().add(row);
        }
    }

    fn finish(mut self, limits: &Limits, figures: &mut Figures) {
        self.read.variants = by_number(self.variants);
        self.read.dialects = by_number(self.dialects);
        self.read.set_aside = by_number(self.reasons);
        figures.run.rule_sets = self.rule_sets.into_iter().map(rule_set).collect();
        figures.results = self.results.into_iter().map(results).collect();
        self.moves.phases = self.phases.into_iter().map(phase_line).collect();
        self.moves.players_total = self.players.len() as u64;
        self.moves.players = player_lines(self.players, limits.players);
        figures.read = self.read;
        figures.moves = self.moves;
    }
}

/// Most frequent first.
fn by_number(counted: impl IntoIterator<Item = (impl Into<String>, u64)>) -> Vec<Counted> {
    let mut list: Vec<Counted> = counted
        .into_iter()
        .map(|(name, n)| Counted {
            name: name.into(),
            n,
        })
        .collect();
    list.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.name.cmp(&b.name)));
    list
}

fn rule_set(((id, authority), games): ((String, &'static str), u64)) -> RuleSetLine {
    RuleSetLine {
        title: rule_set_title(&id),
        id,
        authority: authority.to_owned(),
        games,
    }
}

/// Title of a rule set that comes with this program; empty for a file of the user's own.
pub(super) fn rule_set_title(id: &str) -> String {
    rules::Ruleset::builtin(id)
        .map(|rules| rules.title().to_owned())
        .unwrap_or_default()
}

fn results((variant, results): (String, Results)) -> ResultFigures {
    ResultFigures {
        variant,
        white_wins: results.white_wins,
        draws: results.draws,
        black_wins: results.black_wins,
        unknown: results.unknown,
        endings: by_number(results.endings),
    }
}

fn five(classes: &ClassCounts) -> [u64; 5] {
    Class::ALL.map(|class| classes.get(class))
}

fn phase_line(((variant, phase), moves): ((String, Phase), Moves)) -> PhaseLine {
    let evaluated = moves.classes.total();
    PhaseLine {
        variant,
        phase: phase.as_str().to_owned(),
        evaluated,
        classes: five(&moves.classes),
        acpl: moves.acpl(),
        blunder_range: wilson(moves.classes.blunder, evaluated).map(|range| Range {
            low: range.low,
            high: range.high,
        }),
    }
}

fn player_lines(players: BTreeMap<(String, String), Player>, most: usize) -> Vec<PlayerLine> {
    let mut lines: Vec<PlayerLine> = players.into_iter().map(player_line).collect();
    lines.sort_by(|a, b| {
        b.evaluated
            .cmp(&a.evaluated)
            .then(b.moves.cmp(&a.moves))
            .then_with(|| a.player.cmp(&b.player))
    });
    lines.truncate(most);
    lines
}

fn player_line(((player, variant), sums): ((String, String), Player)) -> PlayerLine {
    let of_phase = |phase: Phase| {
        sums.phases
            .get(&phase)
            .map(|moves| moves.classes)
            .unwrap_or_default()
    };
    PlayerLine {
        player,
        variant,
        games: sums.games,
        moves: sums.moves,
        evaluated: sums.all.classes.total(),
        accuracy: (sums.accuracies > 0).then(|| sums.accuracy_sum / sums.accuracies as f64),
        acpl: sums.all.acpl(),
        classes: five(&sums.all.classes),
        blunders: Phase::ALL.map(|phase| of_phase(phase).blunder),
        phase_moves: Phase::ALL.map(|phase| of_phase(phase).total()),
    }
}
