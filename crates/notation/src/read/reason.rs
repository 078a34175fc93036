//! Why no legal move fits a token: the nearest reason, for an arbiter.

use rules::{Bitboard, Color, Man, Position, Role, Square, attacks_of};

use super::letters::Kinds;
use super::token::{TokenError, Wish};

/// The nearest reason why a token is no legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoMatch {
    /// A placeholder where a move should stand.
    #[error("a placeholder for a move, not a move")]
    Gap,
    /// Castling.
    #[error("castling does not exist in these games")]
    Castling,
    /// A letter that names no man in this dialect.
    #[error("`{0}` is no man's letter in this dialect")]
    UnknownLetter(char),
    /// Not a move in any spelling.
    #[error("not a move in any spelling")]
    Unreadable,
    /// The side has no such man.
    #[error("{} has no such man on the board", side(*.0))]
    NoSuchMan(Color),
    /// Nobody of the side stands on the origin.
    #[error("no man of {} stands on {}", side(*.0), .1)]
    OriginEmpty(Color, Square),
    /// The man on the origin is the other side's.
    #[error("the man on {0} is not the mover's")]
    OriginEnemy(Square),
    /// Another man than the one named stands on the origin.
    #[error("the man on {0} is another than the one named")]
    OriginOther(Square),
    /// No man of that kind stands on the file or rank named.
    #[error("no such man stands on the file or rank named")]
    OriginLine,
    /// An own man holds the target.
    #[error("an own man stands on {0}")]
    TargetOwn(Square),
    /// No such man reaches the target by its way of moving.
    #[error("no such man moves to {0}")]
    Unreachable(Square),
    /// A khon moves diagonally and straight forward only.
    #[error("a khon does not go straight back or sideways to {0}")]
    KhonBackwards(Square),
    /// A bia captures diagonally forward only.
    #[error("a bia takes diagonally forward, and there is nothing to take on {0}")]
    BiaNothingToTake(Square),
    /// A bia steps straight, onto an empty square.
    #[error("a bia steps straight ahead onto an empty square, and {0} is occupied")]
    BiaBlocked(Square),
    /// A bia goes one step only.
    #[error("a bia goes one step only, not to {0}")]
    BiaDoubleStep(Square),
    /// A rua's way is blocked.
    #[error("the way to {0} is blocked by the man on {1}")]
    Blocked(Square, Square),
    /// The move leaves the check unanswered.
    #[error("it leaves the khun on {0} in check")]
    CheckUnanswered(Square),
    /// The move uncovers the khun.
    #[error("it uncovers the khun on {0}")]
    Uncovers(Square),
    /// The khun steps into check.
    #[error("the khun would be in check on {0}")]
    IntoCheck(Square),
    /// A first-move leap that is not allowed.
    #[error("{0}")]
    Leap(LeapRefusal),
    /// A bia that makes room is named, but the move is none of two men.
    #[error("no such move makes room by a bia that goes to {0}")]
    NoSuchRoom(Square),
    /// A promotion to another man than a met.
    #[error("a bia promotes to a met only, not to `{0}`")]
    PromotionToOther(char),
    /// A promotion sign on a move that does not promote.
    #[error("a promotion is written, but the move does not promote")]
    PromotionWhereNone,
    /// The game is over.
    #[error("the game is over")]
    GameOver,
}

/// Why a first-move leap is not allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LeapRefusal {
    /// The right is not alive.
    #[error("the right to leap from {0} is not alive")]
    RightLost(Square),
    /// The khun may not leap out of check.
    #[error("the khun may not leap while in check")]
    InCheck,
    /// The target is occupied.
    #[error("a leap goes to an empty square only, and {0} is occupied")]
    Occupied(Square),
    /// The leap is there, but the khun would be in check after it.
    #[error("after a leap to {0} the khun would be in check")]
    IntoCheck(Square),
    /// The bia that should make room cannot step ahead (RULES 8).
    #[error("the bia cannot make room, since {0} is occupied")]
    NoRoom(Square),
}

fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

impl From<TokenError> for NoMatch {
    fn from(error: TokenError) -> NoMatch {
        match error {
            TokenError::Gap => NoMatch::Gap,
            TokenError::Castling => NoMatch::Castling,
            TokenError::UnknownLetter(letter) => NoMatch::UnknownLetter(letter),
            TokenError::Unreadable => NoMatch::Unreadable,
        }
    }
}

impl NoMatch {
    /// Whether the token is no move in any spelling, rather than a move that is not legal.
    pub fn is_unreadable(self) -> bool {
        matches!(
            self,
            NoMatch::Gap | NoMatch::Castling | NoMatch::UnknownLetter(_) | NoMatch::Unreadable
        )
    }

    /// The name in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            NoMatch::Gap => "gap",
            NoMatch::Castling => "castling",
            NoMatch::UnknownLetter(_) => "unknown_letter",
            NoMatch::Unreadable => "unreadable",
            NoMatch::NoSuchMan(_) => "no_such_man",
            NoMatch::OriginEmpty(..) => "origin_empty",
            NoMatch::OriginEnemy(_) => "origin_enemy",
            NoMatch::OriginOther(_) => "origin_other",
            NoMatch::OriginLine => "origin_line",
            NoMatch::TargetOwn(_) => "target_own",
            NoMatch::Unreachable(_) => "unreachable",
            NoMatch::KhonBackwards(_) => "khon_backwards",
            NoMatch::BiaNothingToTake(_) => "bia_nothing_to_take",
            NoMatch::BiaBlocked(_) => "bia_blocked",
            NoMatch::BiaDoubleStep(_) => "bia_double_step",
            NoMatch::Blocked(..) => "blocked",
            NoMatch::CheckUnanswered(_) => "check_unanswered",
            NoMatch::Uncovers(_) => "uncovers_khun",
            NoMatch::IntoCheck(_) => "into_check",
            NoMatch::Leap(LeapRefusal::RightLost(_)) => "leap_right_lost",
            NoMatch::Leap(LeapRefusal::InCheck) => "leap_in_check",
            NoMatch::Leap(LeapRefusal::Occupied(_)) => "leap_occupied",
            NoMatch::Leap(LeapRefusal::IntoCheck(_)) => "leap_into_check",
            NoMatch::Leap(LeapRefusal::NoRoom(_)) => "leap_no_room",
            NoMatch::NoSuchRoom(_) => "no_such_room",
            NoMatch::PromotionToOther(_) => "promotion_to_other",
            NoMatch::PromotionWhereNone => "promotion_where_none",
            NoMatch::GameOver => "game_over",
        }
    }
}

/// The nearest reason why no legal move fits: of all men that could be meant, the one that comes nearest speaks.
pub(crate) fn explain(wish: &Wish, position: &Position) -> NoMatch {
    if position.check_given() {
        return NoMatch::GameOver;
    }
    let us = position.turn();
    let kinds = wish.loose_kinds;
    let meant = |square: &Square| {
        position
            .man_at(*square)
            .is_some_and(|man| man.color == us && kinds.has(man))
    };
    let named: Vec<Square> = position.men(us).into_iter().filter(meant).collect();
    if let Some(reason) = origin(wish).and_then(|origin| wrong_origin(origin, kinds, position)) {
        return reason;
    }
    if named.is_empty() {
        return NoMatch::NoSuchMan(us);
    }
    let on_line = |square: &&Square| {
        wish.from_file.is_none_or(|file| square.file() == file)
            && wish.from_rank.is_none_or(|rank| square.rank() == rank)
    };
    let reasons = named
        .iter()
        .filter(on_line)
        .map(|&from| refusal(wish, from, position));
    match reasons.min_by_key(|reason| distance(*reason)) {
        Some(reason) => reason,
        None => NoMatch::OriginLine,
    }
}

fn origin(wish: &Wish) -> Option<Square> {
    Square::new(wish.from_file?, wish.from_rank?)
}

fn wrong_origin(origin: Square, kinds: Kinds, position: &Position) -> Option<NoMatch> {
    match position.man_at(origin) {
        None => Some(NoMatch::OriginEmpty(position.turn(), origin)),
        Some(man) if man.color != position.turn() => Some(NoMatch::OriginEnemy(origin)),
        Some(man) if !kinds.has(man) => Some(NoMatch::OriginOther(origin)),
        Some(_) => None,
    }
}

/// Smaller is nearer to a legal move.
fn distance(reason: NoMatch) -> u8 {
    match reason {
        NoMatch::CheckUnanswered(_) | NoMatch::Uncovers(_) | NoMatch::IntoCheck(_) => 0,
        NoMatch::Leap(_) => 1,
        NoMatch::TargetOwn(_) => 2,
        NoMatch::Blocked(..) | NoMatch::BiaBlocked(_) | NoMatch::BiaNothingToTake(_) => 3,
        NoMatch::BiaDoubleStep(_) | NoMatch::KhonBackwards(_) => 4,
        _ => 5,
    }
}

/// Why the man on `from` cannot do it.
fn refusal(wish: &Wish, from: Square, position: &Position) -> NoMatch {
    let (us, to) = (position.turn(), wish.to);
    let Some(man) = position.man_at(from) else {
        return NoMatch::Unreachable(to);
    };
    let own = position.men(us).contains(to);
    if let Some(refusal) = sutra_refusal(man, from, to, position) {
        return NoMatch::Leap(refusal);
    }
    if let Some(bia) = wish.bia {
        return NoMatch::NoSuchRoom(bia);
    }
    if reaches(man, from, to, position) {
        return if own {
            NoMatch::TargetOwn(to)
        } else {
            unsafe_khun(man, to, position)
        };
    }
    if let Some(refusal) = leap_refusal(man, from, to, position) {
        return NoMatch::Leap(refusal);
    }
    match man.role {
        Role::Rua => blocked(from, to, position).unwrap_or(NoMatch::Unreachable(to)),
        Role::Bia => bia_refusal(us, from, to, position),
        Role::Khon if steps_away(from, to) == 1 => NoMatch::KhonBackwards(to),
        _ => NoMatch::Unreachable(to),
    }
}

/// Whether a man goes there by its way of moving, own men and checks aside.
fn reaches(man: Man, from: Square, to: Square, position: &Position) -> bool {
    let occupied = position.occupied();
    let attacks = attacks_of(man.color, man.role, from, occupied).contains(to);
    match man.role {
        Role::Bia => {
            let takes = attacks && position.men(!man.color).contains(to);
            takes || ahead(man.color, from, 1) == Some(to) && !occupied.contains(to)
        }
        _ => attacks,
    }
}

fn unsafe_khun(man: Man, to: Square, position: &Position) -> NoMatch {
    let khun = position.khun(man.color);
    match man.role {
        Role::Khun => NoMatch::IntoCheck(to),
        _ if position.in_check() => NoMatch::CheckUnanswered(khun),
        _ => NoMatch::Uncovers(khun),
    }
}

fn leap_refusal(man: Man, from: Square, to: Square, position: &Position) -> Option<LeapRefusal> {
    let home = match (man.color, man.role) {
        (Color::White, Role::Khun) => Square::new(3, 0),
        (Color::White, Role::Met) => Square::new(4, 0),
        (Color::Black, Role::Khun) => Square::new(4, 7),
        (Color::Black, Role::Met) => Square::new(3, 7),
        _ => None,
    }?;
    let shape = match man.role {
        Role::Khun => ahead(man.color, from, 1)
            .is_some_and(|step| step.rank() == to.rank() && step.file().abs_diff(to.file()) == 2),
        _ => ahead(man.color, from, 2) == Some(to),
    };
    if !shape || man.promoted {
        return None;
    }
    // A man away from home that asks for a leap has lost the right by moving.
    Some(if from != home || !position.rights().has(from) {
        LeapRefusal::RightLost(from)
    } else if man.role == Role::Khun && position.in_check() {
        LeapRefusal::InCheck
    } else if position.occupied().contains(to) {
        LeapRefusal::Occupied(to)
    } else {
        LeapRefusal::IntoCheck(to)
    })
}

/// Why a met or ma does not go where its own bia stands, if a first move of RULES 8 is meant.
fn sutra_refusal(man: Man, from: Square, to: Square, position: &Position) -> Option<LeapRefusal> {
    let us = man.color;
    let shape = match man.role {
        Role::Met => !man.promoted && ahead(us, from, 2) == Some(to),
        Role::Ma => attacks_of(us, Role::Ma, from, Bitboard::EMPTY).contains(to),
        _ => false,
    };
    if !shape || !position.has_sutra(man.role) || !position.of(us, Role::Bia).contains(to) {
        return None;
    }
    let room = ahead(us, to, 1)?;
    Some(if !position.rights().has(from) {
        LeapRefusal::RightLost(from)
    } else if position.occupied().contains(room) {
        LeapRefusal::NoRoom(room)
    } else {
        LeapRefusal::IntoCheck(to)
    })
}

fn bia_refusal(us: Color, from: Square, to: Square, position: &Position) -> NoMatch {
    if ahead(us, from, 1) == Some(to) {
        return NoMatch::BiaBlocked(to);
    }
    if ahead(us, from, 2) == Some(to) {
        return NoMatch::BiaDoubleStep(to);
    }
    match attacks_of(us, Role::Bia, from, Bitboard::EMPTY).contains(to) {
        true if position.men(us).contains(to) => NoMatch::TargetOwn(to),
        true => NoMatch::BiaNothingToTake(to),
        false => NoMatch::Unreachable(to),
    }
}

fn blocked(from: Square, to: Square, position: &Position) -> Option<NoMatch> {
    let step = |a: u8, b: u8| (b > a) as i8 - (b < a) as i8;
    let (file_step, rank_step) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
    if (file_step != 0) == (rank_step != 0) {
        return None;
    }
    let mut square = from;
    while square != to {
        square = Square::new(
            square.file().wrapping_add_signed(file_step),
            square.rank().wrapping_add_signed(rank_step),
        )?;
        if square != to && position.occupied().contains(square) {
            return Some(NoMatch::Blocked(to, square));
        }
    }
    None
}

fn ahead(color: Color, from: Square, steps: i8) -> Option<Square> {
    let steps = if color == Color::White { steps } else { -steps };
    Square::new(from.file(), from.rank().checked_add_signed(steps)?)
}

fn steps_away(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}
