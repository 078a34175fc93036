//! Rows of the aggregate stage: `duplicates`, `count_rates`, `openings`, `formations`.

use analysis::{CountRate, Duplicate, FormationBook, Interval, Share};
use rules::Color;

use crate::cell::{Hex, Key};
use crate::convert::{signed, small};
use crate::error::CellError;
use crate::rows::{CountRateRow, DuplicateRow, FormationRow, OpeningRow};
use crate::words::{Population, parse_word};

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    (
        interval.map(|interval| interval.low),
        interval.map(|interval| interval.high),
    )
}

impl DuplicateRow {
    /// The rows of all groups, from [`analysis::duplicates`] and in its order.
    pub fn of_groups(found: &[Duplicate]) -> impl Iterator<Item = DuplicateRow> {
        let group = |a: &Duplicate, b: &Duplicate| (a.class, a.canonical) == (b.class, b.canonical);
        found.chunk_by(group).flat_map(|group| {
            group.iter().map(|game| DuplicateRow {
                class: game.class,
                canonical_game_id: Hex(game.canonical),
                game_id: Hex(game.id),
                group_size: small(group.len()),
            })
        })
    }
}

impl CountRateRow {
    /// The rows of a group, one per population.
    ///
    /// # Errors
    /// If the group's kind of players is none of the known ones.
    pub fn of_rate(rate: &CountRate) -> Result<[CountRateRow; 3], CellError> {
        let populations = [
            (Population::Games, rate.games),
            (Population::NoBia, rate.no_bia),
            (Population::BareKhun, rate.bare_khun),
        ];
        let player_kind = parse_word(&rate.key.player_kind)?;
        Ok(populations.map(|(population, share)| CountRateRow {
            rule_set: rate.key.rule_set.as_str().into(),
            material: rate.key.material.as_str().into(),
            band: rate.key.band.as_str().into(),
            player_kind,
            population,
            board_counts: signed(rate.board_counts),
            pieces_counts: signed(rate.pieces_counts),
            left_out_duplicate: signed(rate.left_out.duplicate),
            left_out_start: signed(rate.left_out.non_standard_start),
            left_out_rejected: signed(rate.left_out.rejected),
            left_out_no_result: signed(rate.left_out.no_result),
            ..CountRateRow::of_share(player_kind, population, &share)
        }))
    }

    fn of_share(
        player_kind: crate::words::PlayerKind,
        population: Population,
        share: &Share,
    ) -> CountRateRow {
        let rate = |draws: u64| (share.n > 0).then(|| draws as f64 / share.n as f64);
        let (proved_wilson_low, proved_wilson_high) = ends(share.proved_interval);
        let (possible_wilson_low, possible_wilson_high) = ends(share.possible_interval);
        CountRateRow {
            rule_set: "".into(),
            material: "".into(),
            band: "".into(),
            player_kind,
            population,
            n: signed(share.n),
            draws: signed(share.draws),
            draws_proved: signed(share.draws_proved),
            draws_possible: signed(share.draws_possible),
            rate_low: rate(share.draws_proved),
            rate_high: rate(share.draws_proved + share.draws_possible),
            proved_wilson_low,
            proved_wilson_high,
            possible_wilson_low,
            possible_wilson_high,
            board_counts: 0,
            pieces_counts: 0,
            left_out_duplicate: 0,
            left_out_start: 0,
            left_out_rejected: 0,
            left_out_no_result: 0,
        }
    }
}

impl OpeningRow {
    /// The row of a position and move.
    ///
    /// # Errors
    /// If its side is neither white nor black.
    pub fn of_opening(opening: &analysis::OpeningRow) -> Result<OpeningRow, CellError> {
        let (wilson_low, wilson_high) = ends(opening.win_interval);
        Ok(OpeningRow {
            variant: opening.key.variant.as_str().into(),
            position_key: Key::from(opening.key.position_key),
            fen: opening.fen.clone(),
            ply: small(opening.ply),
            uci: opening.key.uci.clone(),
            san: opening.san.clone(),
            side: parse_word::<Color>(&opening.side)?,
            white_wins: signed(opening.tally.white_wins),
            draws: signed(opening.tally.draws),
            black_wins: signed(opening.tally.black_wins),
            n: signed(opening.n),
            wilson_low,
            wilson_high,
            n_rated: signed(opening.rated_n),
            average_rating: opening.average_rating,
            n_performance: signed(opening.performance_n),
            performance: opening.performance,
        })
    }
}

impl FormationRow {
    /// The row of a formation; its names come from the book.
    ///
    /// # Errors
    /// If its side is neither white nor black.
    pub fn of_formation(
        formation: &analysis::FormationRow,
        book: &FormationBook,
    ) -> Result<FormationRow, CellError> {
        let name = book.name(&formation.key.formation);
        let (wilson_low, wilson_high) = ends(formation.win_interval);
        Ok(FormationRow {
            variant: formation.key.variant.as_str().into(),
            formation: formation.key.formation.as_str().into(),
            name: name.map(|name| name.roman.clone()),
            name_thai: name.map(|name| name.thai.clone()),
            side: parse_word::<Color>(&formation.key.side)?,
            opponent_formation: formation.key.opponent.as_str().into(),
            wins: signed(formation.wins),
            draws: signed(formation.draws),
            losses: signed(formation.losses),
            n: signed(formation.n),
            wilson_low,
            wilson_high,
        })
    }
}
