//! How often counts end games (ANALYSIS 1.5).
//!
//! Several denominators, each with its own numerators, so that nobody has to guess what a rate is a share of: all
//! games, games that reached a board without unpromoted bia, and of these the games that reached a bare khun. Draws
//! that the count certainly made (`proved`) stay apart from draws that a count could explain (`possible`): the rate
//! lies between proved and proved + possible.

use std::collections::BTreeMap;

use replay::tags::player::PlayerKind;
use serde::{Deserialize, Serialize};

use crate::band::RatingBand;
use crate::interval::{Interval, wilson};

/// How a game ended, as far as counts are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountDraw {
    /// Won by somebody.
    NotDrawn,
    /// Drawn, and no count could have drawn it.
    Other,
    /// Declared a draw that a count could explain.
    Possible,
    /// The count ran out on the board, or the record says so.
    Proved,
}

/// Why a game is not part of the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exclusion {
    /// Another record of a game that is counted already.
    Duplicate,
    /// It began from a set-up position.
    NonStandardStart,
    /// It could not be replayed to its end.
    Rejected,
    /// Neither the record nor the board gives a result.
    NoResult,
}

/// What the rates take of a game.
///
/// Expected to hold: `bare_khun` only with `no_bia`; `material` only with `bare_khun`.
#[derive(Clone, Copy, Debug)]
pub struct CountGame<'a> {
    /// Rule set that judged it.
    pub rule_set: &'a str,
    /// Class of the stronger side's material when the khun became bare on a board without unpromoted bia.
    pub material: Option<&'a str>,
    /// Band of its players.
    pub band: RatingBand,
    /// Kind of its players.
    pub player_kind: PlayerKind,
    /// Why it is left out, if it is.
    pub excluded: Option<Exclusion>,
    /// Whether a board without unpromoted bia was reached.
    pub no_bia: bool,
    /// Whether a bare khun was reached on such a board.
    pub bare_khun: bool,
    /// Whether a board's honour count was started, by the record or by the rules.
    pub board_count: bool,
    /// Whether a pieces' honour count was started.
    pub pieces_count: bool,
    /// How it ended.
    pub draw: CountDraw,
}

/// The group of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CountRateKey {
    /// Rule set.
    pub rule_set: String,
    /// Material class of the bare-khun games of the row, or [`CountRates::ALL_MATERIAL`] for every game.
    pub material: String,
    /// Word of the rating band, or [`CountRates::ALL_BANDS`] for every game.
    pub band: String,
    /// Word of the kind of players. Engines' games say nothing about people's: there is no row of all kinds.
    pub player_kind: String,
}

/// Games left out, by the first reason that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// See [`Exclusion::Duplicate`].
    pub duplicate: u64,
    /// See [`Exclusion::NonStandardStart`].
    pub non_standard_start: u64,
    /// See [`Exclusion::Rejected`].
    pub rejected: u64,
    /// See [`Exclusion::NoResult`].
    pub no_result: u64,
}

/// Count draws as a share of one denominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The denominator: games.
    pub n: u64,
    /// Draws of any kind among them.
    pub draws: u64,
    /// Draws that a count made.
    pub draws_proved: u64,
    /// Further draws that a count could explain.
    pub draws_possible: u64,
    /// 95 % Wilson interval of proved / n.
    pub proved_interval: Option<Interval>,
    /// 95 % Wilson interval of (proved + possible) / n.
    pub possible_interval: Option<Interval>,
}

/// One row of count rates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CountRate {
    /// Its group.
    pub key: CountRateKey,
    /// Over all games of the group (of the population).
    pub games: Share,
    /// Over those that reached a board without unpromoted bia.
    pub no_bia: Share,
    /// Over those of them that reached a bare khun.
    pub bare_khun: Share,
    /// Games in which a board's honour count was started.
    pub board_counts: u64,
    /// Games in which a pieces' honour count was started.
    pub pieces_counts: u64,
    /// Games not in the population.
    pub left_out: LeftOut,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    n: u64,
    draws: u64,
    proved: u64,
    possible: u64,
}

impl Counted {
    fn add(&mut self, draw: CountDraw) {
        self.n += 1;
        self.draws += u64::from(draw != CountDraw::NotDrawn);
        self.proved += u64::from(draw == CountDraw::Proved);
        self.possible += u64::from(draw == CountDraw::Possible);
    }

    fn merge(&mut self, other: Counted) {
        self.n += other.n;
        self.draws += other.draws;
        self.proved += other.proved;
        self.possible += other.possible;
    }

    fn share(self) -> Share {
        Share {
            n: self.n,
            draws: self.draws,
            draws_proved: self.proved,
            draws_possible: self.possible,
            proved_interval: wilson(self.proved, self.n),
            possible_interval: wilson(self.proved + self.possible, self.n),
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: Counted,
    no_bia: Counted,
    bare_khun: Counted,
    board_counts: u64,
    pieces_counts: u64,
    left_out: LeftOut,
}

impl Sums {
    fn add(&mut self, game: &CountGame<'_>) {
        if let Some(reason) = game.excluded {
            *match reason {
                Exclusion::Duplicate => &mut self.left_out.duplicate,
                Exclusion::NonStandardStart => &mut self.left_out.non_standard_start,
                Exclusion::Rejected => &mut self.left_out.rejected,
                Exclusion::NoResult => &mut self.left_out.no_result,
            } += 1;
            return;
        }
        self.games.add(game.draw);
        if game.no_bia {
            self.no_bia.add(game.draw);
        }
        if game.bare_khun {
            self.bare_khun.add(game.draw);
        }
        self.board_counts += u64::from(game.board_count);
        self.pieces_counts += u64::from(game.pieces_count);
    }

    fn merge(&mut self, other: &Sums) {
        self.games.merge(other.games);
        self.no_bia.merge(other.no_bia);
        self.bare_khun.merge(other.bare_khun);
        self.board_counts += other.board_counts;
        self.pieces_counts += other.pieces_counts;
        self.left_out.duplicate += other.left_out.duplicate;
        self.left_out.non_standard_start += other.left_out.non_standard_start;
        self.left_out.rejected += other.left_out.rejected;
        self.left_out.no_result += other.left_out.no_result;
    }
}

/// Collects count rates; the order of games does not matter.
///
/// Each game stands in the row of all material; a game with a bare khun also in the row of its material class, whose
/// `games` are then only such games. Both exist for the game's band and for all bands.
#[derive(Clone, Debug, Default)]
pub struct CountRates {
    sums: BTreeMap<CountRateKey, Sums>,
}

impl CountRates {
    /// The `material` of rows that hold every game.
    pub const ALL_MATERIAL: &'static str = "all";
    /// The `band` of rows that hold every game.
    pub const ALL_BANDS: &'static str = "all";

    /// Nothing counted yet.
    pub fn new() -> CountRates {
        CountRates::default()
    }

    /// One game, whether in the population or not.
    pub fn add(&mut self, game: &CountGame<'_>) {
        let bands = [CountRates::ALL_BANDS, game.band.as_str()];
        let classes = [
            Some(CountRates::ALL_MATERIAL),
            game.material.filter(|_| game.bare_khun),
        ];
        for material in classes.into_iter().flatten() {
            for band in bands {
                let key = CountRateKey {
                    rule_set: game.rule_set.to_owned(),
                    material: material.to_owned(),
                    band: band.to_owned(),
                    player_kind: game.player_kind.as_str().to_owned(),
                };
                self.sums.entry(key).or_default().add(game);
            }
        }
    }

    /// All that `other` counted as well.
    pub fn merge(&mut self, other: CountRates) {
        for (key, sums) in other.sums {
            self.sums.entry(key).or_default().merge(&sums);
        }
    }

    /// The rows, in order of their keys.
    pub fn rows(self) -> impl Iterator<Item = CountRate> {
        self.sums.into_iter().map(|(key, sums)| CountRate {
            key,
            games: sums.games.share(),
            no_bia: sums.no_bia.share(),
            bare_khun: sums.bare_khun.share(),
            board_counts: sums.board_counts,
            pieces_counts: sums.pieces_counts,
            left_out: sums.left_out,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: CountGame<'static> = CountGame {
        rule_set: "makruk",
        material: None,
        band: RatingBand::From1400,
        player_kind: PlayerKind::Human,
        excluded: None,
        no_bia: false,
        bare_khun: false,
        board_count: false,
        pieces_count: false,
        draw: CountDraw::NotDrawn,
    };

    fn games() -> Vec<CountGame<'static>> {
        let bare = CountGame {
            material: Some("R"),
            no_bia: true,
            bare_khun: true,
            pieces_count: true,
            ..GAME
        };
        vec![
            GAME,
            CountGame {
                draw: CountDraw::Other,
                ..GAME
            },
            CountGame {
                no_bia: true,
                board_count: true,
                draw: CountDraw::Possible,
                ..GAME
            },
            bare,
            CountGame {
                draw: CountDraw::Proved,
                ..bare
            },
            CountGame {
                excluded: Some(Exclusion::Duplicate),
                draw: CountDraw::Proved,
                ..bare
            },
            CountGame {
                excluded: Some(Exclusion::NonStandardStart),
                ..GAME
            },
            CountGame {
                rule_set: "ouk",
                ..GAME
            },
        ]
    }

    fn rows(games: &[CountGame<'_>]) -> Vec<CountRate> {
        let mut rates = CountRates::new();
        games.iter().for_each(|game| rates.add(game));
        rates.rows().collect()
    }

    #[test]
    fn each_denominator_has_its_numerators() {
        let (rows, bands): (Vec<_>, Vec<_>) = rows(&games())
            .into_iter()
            .partition(|row| row.key.band == "all");
        assert!(bands.iter().all(|row| row.key.band == "1400_1599"));
        assert_eq!((rows.len(), bands.len()), (3, 3));
        let rook = &rows[0];
        assert_eq!(
            (rook.key.material.as_str(), rook.games.n, rook.bare_khun.n),
            ("R", 2, 2)
        );
        assert_eq!(
            (rook.bare_khun.draws_proved, rook.left_out.duplicate),
            (1, 1)
        );
        let all = &rows[1];
        assert_eq!(
            (
                all.key.material.as_str(),
                all.games.n,
                all.no_bia.n,
                all.bare_khun.n
            ),
            ("all", 5, 3, 2)
        );
        assert_eq!(
            (
                all.games.draws,
                all.games.draws_proved,
                all.games.draws_possible
            ),
            (3, 1, 1)
        );
        assert_eq!((all.no_bia.draws_proved, all.no_bia.draws_possible), (1, 1));
        assert_eq!(
            (all.bare_khun.draws_proved, all.bare_khun.draws_possible),
            (1, 0)
        );
        assert_eq!((all.board_counts, all.pieces_counts), (1, 2));
        assert_eq!(
            all.left_out,
            LeftOut {
                duplicate: 1,
                non_standard_start: 1,
                ..LeftOut::default()
            }
        );
        assert_eq!(all.games.possible_interval, wilson(2, 5));
        assert_eq!(rows[2].key.rule_set, "ouk");
    }

    #[test]
    fn order_and_grouping_do_not_matter() {
        let games = games();
        let whole = rows(&games);
        let mut backwards = games.clone();
        backwards.reverse();
        assert_eq!(whole, rows(&backwards));
        let (mut one, mut two) = (CountRates::new(), CountRates::new());
        games.iter().enumerate().for_each(|(i, game)| {
            if i % 3 == 0 {
                one.add(game)
            } else {
                two.add(game)
            }
        });
        two.merge(one);
        assert_eq!(whole, two.rows().collect::<Vec<_>>());
    }
}
