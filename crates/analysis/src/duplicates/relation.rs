//! How two records belong together.

use super::GameRecord;

/// How games of a group belong together, in the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DuplicateClass {
    /// The same moves and date, the players' colours swapped.
    ColoursSwapped,
    /// The same moves, players and date in the same dialect.
    Exact,
    /// As long as one another, and but one or two plies differ.
    Near,
    /// The same moves, players and date, in more than one dialect.
    OtherDialect,
    /// One is the beginning of the other.
    Prefix,
    /// The same moves, long enough not to be chance, with other players or another date.
    SameMoves,
    /// The same players on the same date, and other moves: perhaps a second game.
    SamePlayers,
}

impl DuplicateClass {
    /// All classes.
    pub const ALL: [DuplicateClass; 7] = [
        DuplicateClass::ColoursSwapped,
        DuplicateClass::Exact,
        DuplicateClass::Near,
        DuplicateClass::OtherDialect,
        DuplicateClass::Prefix,
        DuplicateClass::SameMoves,
        DuplicateClass::SamePlayers,
    ];

    /// Whether the records of a group are one game beyond doubt, of which statistics count one record. The other classes
    /// are for a person to judge: a game that breaks off may be another record of one, or a copy of its opening.
    #[must_use]
    pub const fn is_one_game(self) -> bool {
        matches!(self, DuplicateClass::Exact | DuplicateClass::OtherDialect)
    }

    /// The name in the table.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            DuplicateClass::Exact => "exact",
            DuplicateClass::OtherDialect => "other_dialect",
            DuplicateClass::ColoursSwapped => "colours_swapped",
            DuplicateClass::Prefix => "prefix",
            DuplicateClass::Near => "near",
            DuplicateClass::SameMoves => "same_moves",
            DuplicateClass::SamePlayers => "same_players",
        }
    }
}

/// So many plies in common say something where the players are the same.
pub(super) const FEW_PLIES: usize = 10;
/// So many plies in common say something whoever played.
pub(super) const MANY_PLIES: usize = 40;
/// Shorter games are not looked at for edited plies.
pub(super) const NEAR_PLIES: usize = 20;

/// A record, its players' names ready to be compared.
pub(super) struct Named {
    pub(super) game: GameRecord,
    white: String,
    black: String,
}

impl Named {
    pub(super) fn new(game: GameRecord) -> Named {
        Named {
            white: name(game.white.as_deref()),
            black: name(game.black.as_deref()),
            game,
        }
    }
}

/// How two records belong together, if they do. [`DuplicateClass::OtherDialect`] is for a whole group to find: here it
/// is [`DuplicateClass::Exact`].
pub(super) fn relation(one: &Named, other: &Named) -> Option<DuplicateClass> {
    let (white, black) = (&one.white, &one.black);
    let same_players = (white, black) == (&other.white, &other.black);
    let swapped = (white, black) == (&other.black, &other.white);
    let (one, other) = (&one.game, &other.game);
    let same_date = one.date == other.date;
    let known = !white.is_empty() && !black.is_empty() && one.date.is_some();
    if one.start == other.start {
        let (short, long) = match one.moves.len() <= other.moves.len() {
            true => (&one.moves, &other.moves),
            false => (&other.moves, &one.moves),
        };
        if short == long {
            if short.is_empty() {
                return None;
            }
            if same_players && same_date {
                return Some(DuplicateClass::Exact);
            }
            if same_date && !white.is_empty() && swapped {
                return Some(DuplicateClass::ColoursSwapped);
            }
            return (short.len() >= MANY_PLIES).then_some(DuplicateClass::SameMoves);
        }
        let enough = match same_players && same_date {
            true => FEW_PLIES,
            false => MANY_PLIES,
        };
        if short.len() >= enough && long.starts_with(short) {
            return Some(DuplicateClass::Prefix);
        }
        let enough = enough.max(NEAR_PLIES);
        if short.len() == long.len() && short.len() >= enough && differing(short, long) <= 2 {
            return Some(DuplicateClass::Near);
        }
    }
    let another_round = matches!((&one.round, &other.round), (Some(a), Some(b)) if a != b);
    (known && same_players && same_date && !another_round).then_some(DuplicateClass::SamePlayers)
}

fn differing(one: &[u16], other: &[u16]) -> usize {
    let pairs = one.iter().zip(other);
    pairs.filter(|(a, b)| a != b).take(3).count()
}

/// Both players and the date, if all are known.
pub(super) fn players(game: &GameRecord) -> Option<(String, String, &str)> {
    let (white, black) = (name(game.white.as_deref()), name(game.black.as_deref()));
    let known = !white.is_empty() && !black.is_empty();
    Some((white, black, game.date.as_deref()?)).filter(|_| known)
}

/// A name without its case and its blanks; empty if unknown: what two records of one player have in common.
pub fn name(written: Option<&str>) -> String {
    let words = written.unwrap_or_default().split_whitespace();
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
