//! Formations: how a side has set up its ma, with the Thai names that sources give.
//!
//! Makruk openings are named by where the ma stand, not by a sequence of moves (ANALYSIS 2.1). The names, their
//! squares and the source of each stand in `data/formations.toml`; what is not there is unnamed.

use rules::{ByColor, Color};
use serde::Deserialize;

use crate::board::{Board, Men, mirrored, square_names};

/// The ply after which a game's formations are read: eight moves of each side.
const FORMATION_PLY: u32 = 16;

/// A named formation, as the data file gives it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormationName {
    /// Word stored in tables.
    pub id: String,
    /// Name in Thai script; empty where the class is ours.
    pub thai: String,
    /// In Latin letters.
    pub roman: String,
    /// In English.
    pub meaning: String,
    /// The two squares of White's ma.
    pub ma: [String; 2],
    /// `source` or `inference`.
    pub certainty: String,
    /// Where it was read.
    pub source: String,
    /// What the source leaves open.
    pub note: String,
}

/// Why a formations file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FormationBookError {
    /// Not the expected TOML.
    #[error("formations: {0}")]
    Toml(#[from] toml::de::Error),
    /// A square is not one, or both squares are the same.
    #[error("formation {id}: {a} and {b} are not two squares")]
    Squares {
        /// The formation's id.
        id: String,
        /// First square as written.
        a: String,
        /// Second square as written.
        b: String,
    },
    /// Two formations with one id or one set of squares.
    #[error("formations {first} and {second} have the same id or squares")]
    Twice {
        /// The earlier one.
        first: String,
        /// The later one.
        second: String,
    },
}

/// The names of formations.
///
/// Invariants: ids differ, and so do the sets of squares.
#[derive(Clone, Debug)]
pub struct FormationBook {
    names: Vec<(u64, FormationName)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    formation: Vec<FormationName>,
}

impl FormationBook {
    /// The book that comes with Nabsak.
    pub fn builtin() -> FormationBook {
        FormationBook::from_toml(include_str!("../data/formations.toml"))
            .expect("a test reads the built-in file")
    }

    /// A book of one's own, in the format that the built-in file describes in its head.
    ///
    /// # Errors
    /// Whatever [`FormationBookError`] lists.
    pub fn from_toml(text: &str) -> Result<FormationBook, FormationBookError> {
        let file: File = toml::from_str(text)?;
        let mut names: Vec<(u64, FormationName)> = Vec::with_capacity(file.formation.len());
        for name in file.formation {
            let squares = squares_of(&name)?;
            if let Some((_, first)) = names
                .iter()
                .find(|(other, n)| *other == squares || n.id == name.id)
            {
                return Err(FormationBookError::Twice {
                    first: first.id.clone(),
                    second: name.id,
                });
            }
            names.push((squares, name));
        }
        Ok(FormationBook { names })
    }

    /// Every name, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &FormationName> {
        self.names.iter().map(|(_, name)| name)
    }

    /// The name with this id.
    pub fn name(&self, id: &str) -> Option<&FormationName> {
        self.names().find(|name| name.id == id)
    }

    /// The formation of one side.
    pub fn formation(&self, men: &Men, color: Color) -> Formation {
        let seen = |squares: u64| match color {
            Color::White => squares,
            Color::Black => mirrored(squares),
        };
        let ma = seen(men.ma);
        let id = self
            .names
            .iter()
            .find(|(squares, _)| *squares == ma)
            .map(|(_, name)| name.id.clone());
        Formation {
            id: id.unwrap_or_else(|| Formation::UNNAMED.to_owned()),
            ma: square_names(ma),
            detail: format!(
                "S{} M{}",
                square_names(seen(men.khon)),
                square_names(seen(men.met))
            ),
        }
    }

    /// The formations of a game; `boards` are its positions from the start on. `None` without any position.
    ///
    /// Only for games from the standard start: elsewhere the men did not walk to where they stand.
    pub fn of_game<'a>(
        &self,
        boards: impl IntoIterator<Item = &'a Board>,
    ) -> Option<GameFormations> {
        let mut first_capture = None;
        let mut chosen: Option<(u32, &Board)> = None;
        let mut before: Option<(u32, &Board)> = None;
        for (ply, board) in (0..).zip(boards) {
            let taken = before.filter(|(_, last)| men_on(board) < men_on(last));
            first_capture = first_capture.or(taken);
            if ply <= FORMATION_PLY {
                chosen = Some((ply, board));
            } else if first_capture.is_some() {
                break;
            }
            before = Some((ply, board));
        }
        // A game that ends before ply 16 is read where exchanges began to disturb it.
        let (ply, board) = match (chosen?, first_capture) {
            ((last, _), Some(capture)) if last < FORMATION_PLY => capture,
            (chosen, _) => chosen,
        };
        Some(GameFormations {
            ply,
            settled: self.both(board),
            first_capture_ply: first_capture.map(|(ply, _)| ply + 1),
            at_first_capture: first_capture.map(|(_, board)| self.both(board)),
        })
    }

    fn both(&self, board: &Board) -> ByColor<Formation> {
        ByColor::new_with(|color| self.formation(&board[color], color))
    }
}

fn men_on(board: &Board) -> u32 {
    board.white.all().count_ones() + board.black.all().count_ones()
}

fn squares_of(name: &FormationName) -> Result<u64, FormationBookError> {
    let [a, b] = &name.ma;
    let square = |text: &String| {
        text.parse::<rules::Square>()
            .ok()
            .map(|square| 1u64 << square.index())
    };
    match (square(a), square(b)) {
        (Some(one), Some(two)) if one != two => Ok(one | two),
        _ => Err(FormationBookError::Squares {
            id: name.id.clone(),
            a: a.clone(),
            b: b.clone(),
        }),
    }
}

/// How one side stands, read as if it were White.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formation {
    /// Id of the name, or [`Formation::UNNAMED`].
    pub id: String,
    /// Squares of the ma, in order of square: `e2c3`.
    pub ma: String,
    /// Squares of khon and met: `Sc1f1 Me1`; the key of sub-forms.
    pub detail: String,
}

impl Formation {
    /// The id of every set-up that the book does not name.
    pub const UNNAMED: &'static str = "unnamed";
}

/// The formations of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFormations {
    /// Number of plies after which `settled` was read: 16, or in a shorter game the plies before its first capture,
    /// or all of them.
    pub ply: u32,
    /// The formations by which the game is classified.
    pub settled: ByColor<Formation>,
    /// The ply (1-based) of the game's first capture.
    pub first_capture_ply: Option<u32>,
    /// Just before the first capture.
    pub at_first_capture: Option<ByColor<Formation>>,
}

impl GameFormations {
    /// White's formation, a slash, Black's: `ma_phuk_right/unnamed`.
    pub fn opening_key(&self) -> String {
        format!("{}/{}", self.settled.white.id, self.settled.black.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board_from;

    #[test]
    fn the_builtin_book_reads_and_gives_a_source_for_each_name() {
        let book = FormationBook::builtin();
        assert!(book.names().all(|name| !name.source.is_empty()
            && ["source", "inference"].contains(&name.certainty.as_str())));
    }

    #[test]
    fn the_playok_sample_is_phuk_against_phuk() {
        // 1.c4 c5 2.Nc3 Nc6 3.Bf2 Bf7 4.Nge2 Nge7 (ANALYSIS 2.1)
        let board = board_from("r1smk2r/4ns2/ppnppppp/2p5/2P5/PPNPPPPP/4NS2/R1SKM2R");
        let book = FormationBook::builtin();
        assert_eq!(
            book.formation(&board.white, Color::White).id,
            "ma_phuk_right"
        );
        let black = book.formation(&board.black, Color::Black);
        assert_eq!(
            (black.id.as_str(), black.ma.as_str(), black.detail.as_str()),
            ("ma_phuk_right", "e2c3", "Sc1f2 Md1")
        );
    }

    #[test]
    fn the_other_names() {
        let book = FormationBook::builtin();
        let id = |ranks: &str| book.formation(&board_from(ranks).white, Color::White).id;
        assert_eq!(id("4k3/8/8/8/8/8/3NN3/3K4"), "ma_thiam");
        assert_eq!(id("4k3/8/8/8/8/2N5/3N4/3K4"), "ma_thang_daek");
        assert_eq!(id("4k3/8/8/8/8/2N2N2/8/3K4"), "ma_open");
        assert_eq!(id("4k3/8/8/8/8/5N2/3N4/3K4"), "ma_phuk_left");
        assert_eq!(id("4k3/8/8/8/8/2N5/8/3K4"), "unnamed");
    }

    #[test]
    fn a_game_is_read_at_ply_16_and_before_the_first_capture() {
        let start = board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR");
        let thiam = board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3NN3/R1SKMS1R");
        let taken = board_from("rnsmksnr/8/ppppppp1/8/8/PPPPPPPP/8/RNSKMSNR");
        let mut boards = vec![start; 16];
        boards.extend([thiam, thiam, taken]);
        let found = FormationBook::builtin().of_game(&boards).unwrap();
        assert_eq!((found.ply, found.first_capture_ply), (16, Some(18)));
        assert_eq!(found.settled.white.id, "ma_thiam");
        assert_eq!(
            found.at_first_capture.as_ref().unwrap().white.id,
            "ma_thiam"
        );
        assert_eq!(found.opening_key(), "ma_thiam/unnamed");
    }

    #[test]
    fn a_short_game_is_read_before_its_first_capture_or_at_its_end() {
        let book = FormationBook::builtin();
        let start = board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR");
        let thiam = board_from("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3NN3/R1SKMS1R");
        let taken = board_from("rnsmksnr/8/ppppppp1/8/8/PPPPPPPP/8/RNSKMSNR");
        let quiet = book.of_game(&[start, start, thiam]).unwrap();
        assert_eq!(
            (quiet.ply, quiet.settled.white.id.as_str()),
            (2, "ma_thiam")
        );
        assert_eq!(
            (quiet.first_capture_ply, quiet.at_first_capture),
            (None, None)
        );
        let sharp = book.of_game(&[start, thiam, taken, taken]).unwrap();
        assert_eq!(
            (sharp.ply, sharp.settled.white.id.as_str()),
            (1, "ma_thiam")
        );
        assert_eq!(sharp.first_capture_ply, Some(2));
        assert_eq!(book.of_game(&[]), None);
    }

    #[test]
    fn bad_files_are_refused() {
        let row = |id: &str, a: &str, b: &str| {
            format!(
                "[[formation]]\nid='{id}'\nthai=''\nroman=''\nmeaning=''\nma=['{a}','{b}']\ncertainty=''\nsource=''\nnote=''\n"
            )
        };
        assert!(matches!(
            FormationBook::from_toml(&row("a", "c3", "c3")),
            Err(FormationBookError::Squares { .. })
        ));
        assert!(matches!(
            FormationBook::from_toml(&row("a", "c3", "j9")),
            Err(FormationBookError::Squares { .. })
        ));
        let twice = row("a", "c3", "e2") + &row("b", "e2", "c3");
        assert!(matches!(
            FormationBook::from_toml(&twice),
            Err(FormationBookError::Twice { .. })
        ));
        assert!(matches!(
            FormationBook::from_toml("x = 1"),
            Err(FormationBookError::Toml(_))
        ));
    }
}
