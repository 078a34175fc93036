//! Rating bands and kinds of players: the groups within which games are comparable.

use rules::ByColor;
use serde::{Deserialize, Serialize};

/// A player's rating as the record gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Rating {
    /// Points of whatever list the record used.
    pub points: i32,
    /// A starting rating (Ttakji's 1200) or one marked `1500?`.
    pub provisional: bool,
}

/// The band of a game's two players, by the mean of their ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingBand {
    /// A rating is missing.
    Unrated,
    /// Both have one, at least one of them provisional.
    Provisional,
    /// Below 1200.
    Below1200,
    /// 1200 to 1399.
    From1200,
    /// 1400 to 1599.
    From1400,
    /// 1600 to 1799.
    From1600,
    /// 1800 to 1999.
    From1800,
    /// 2000 to 2199.
    From2000,
    /// 2200 and more.
    From2200,
}

impl RatingBand {
    /// Every band, in the order of tables.
    pub const ALL: [RatingBand; 9] = [
        RatingBand::Unrated,
        RatingBand::Provisional,
        RatingBand::Below1200,
        RatingBand::From1200,
        RatingBand::From1400,
        RatingBand::From1600,
        RatingBand::From1800,
        RatingBand::From2000,
        RatingBand::From2200,
    ];

    /// The band of a game.
    pub fn of(ratings: &ByColor<Option<Rating>>) -> RatingBand {
        let (Some(white), Some(black)) = (ratings.white, ratings.black) else {
            return RatingBand::Unrated;
        };
        if white.provisional || black.provisional {
            return RatingBand::Provisional;
        }
        match (i64::from(white.points) + i64::from(black.points)).div_euclid(2) {
            ..1200 => RatingBand::Below1200,
            1200..1400 => RatingBand::From1200,
            1400..1600 => RatingBand::From1400,
            1600..1800 => RatingBand::From1600,
            1800..2000 => RatingBand::From1800,
            2000..2200 => RatingBand::From2000,
            2200.. => RatingBand::From2200,
        }
    }

    /// The word stored in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            RatingBand::Unrated => "unrated",
            RatingBand::Provisional => "provisional",
            RatingBand::Below1200 => "below_1200",
            RatingBand::From1200 => "1200_1399",
            RatingBand::From1400 => "1400_1599",
            RatingBand::From1600 => "1600_1799",
            RatingBand::From1800 => "1800_1999",
            RatingBand::From2000 => "2000_2199",
            RatingBand::From2200 => "from_2200",
        }
    }

    /// The band of a stored word.
    pub fn from_word(word: &str) -> Option<RatingBand> {
        RatingBand::ALL
            .into_iter()
            .find(|band| band.as_str() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(white: Option<(i32, bool)>, black: Option<(i32, bool)>) -> RatingBand {
        let rating = |r: Option<(i32, bool)>| {
            r.map(|(points, provisional)| Rating {
                points,
                provisional,
            })
        };
        RatingBand::of(&ByColor {
            white: rating(white),
            black: rating(black),
        })
    }

    #[test]
    fn bands() {
        assert_eq!(band(Some((1500, false)), None), RatingBand::Unrated);
        assert_eq!(
            band(Some((1500, false)), Some((1200, true))),
            RatingBand::Provisional
        );
        assert_eq!(
            band(Some((1500, false)), Some((1699, false))),
            RatingBand::From1400
        );
        assert_eq!(
            band(Some((1500, false)), Some((1700, false))),
            RatingBand::From1600
        );
        assert_eq!(
            band(Some((-10, false)), Some((0, false))),
            RatingBand::Below1200
        );
        assert_eq!(
            band(Some((i32::MAX, false)), Some((i32::MAX, false))),
            RatingBand::From2200
        );
    }

    #[test]
    fn words_come_back() {
        assert!(
            RatingBand::ALL
                .into_iter()
                .all(|band| RatingBand::from_word(band.as_str()) == Some(band))
        );
    }
}
