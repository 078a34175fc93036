//! Reading moves by meaning: a token of any dialect to exactly one legal move.
//!
//! Letters are mapped only after the dialect is fixed ([`Letters`]). A token is first taken apart without a board
//! (`token`), then held against the legal moves. The strict reading is tried first; a looser one counts only if the
//! strict one fits nothing, and every tolerance used is noted ([`Tolerances`]). Nothing is ever guessed: two legal moves
//! are [`Matched::Many`], none is [`Matched::None`] with the nearest reason.

mod letters;
mod near;
mod plain;
mod reason;
mod script;
mod token;
mod tolerance;

#[cfg(test)]
mod tests;

use rules::{LegalMove, MoveKind, Position};

pub use letters::{Kinds, Letters};
pub use near::near;
pub use plain::{Plain, Word, match_plain};
pub use reason::{LeapRefusal, NoMatch};
pub use script::{Numbering, UnknownNumbering};
pub use token::{CheckMark, Form, TokenError, Wish};
pub use tolerance::{Tolerance, Tolerances};

/// What a token means in a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Matched {
    /// Exactly one legal move.
    One(Match),
    /// No legal move, and the nearest reason.
    None(NoMatch),
    /// Two or more legal moves.
    Many(Vec<LegalMove>),
}

/// The one legal move a token means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Match {
    /// The move.
    pub mv: LegalMove,
    /// What was overlooked to read it so.
    pub notes: Tolerances,
    /// The check mark the token carries; whether it is right shows only after the move.
    pub mark: CheckMark,
    /// How the token is written: coordinates bear no check mark.
    pub form: Form,
    /// Whether a draw offer follows the move.
    pub draw_offer: bool,
}

/// Reads a token in a position.
pub fn match_move(token: &str, letters: &Letters, position: &Position) -> Matched {
    match_among(token, letters, position, &position.legal_moves())
}

/// Reads a token in a position whose legal moves are at hand.
pub fn match_among(
    token: &str,
    letters: &Letters,
    position: &Position,
    legal: &[LegalMove],
) -> Matched {
    if letters.script() == script::Script::Squares
        && let Ok(wish) = token::parse(token.as_bytes(), letters)
    {
        return match_wish(&wish, letters, position, legal);
    }
    match script::wishes(token, letters) {
        Ok(wishes) => match_any(&wishes, letters, position, legal),
        Err(error) => Matched::None(NoMatch::from(error)),
    }
}

/// Reads a token that can ask for several things: one legal move in all must be left.
#[cold]
fn match_any(
    wishes: &[Wish],
    letters: &Letters,
    position: &Position,
    legal: &[LegalMove],
) -> Matched {
    let (mut moves, mut one, mut refusal) = (Vec::new(), None, None);
    for wish in wishes {
        match match_wish(wish, letters, position, legal) {
            Matched::One(found) => {
                one = one.or(Some(found));
                moves.push(found.mv);
            }
            Matched::Many(many) => moves.extend(many),
            Matched::None(reason) => refusal = refusal.or(Some(reason)),
        }
    }
    let mut seen = Vec::with_capacity(moves.len());
    moves.retain(|mv: &LegalMove| {
        let new = !seen.contains(mv);
        seen.push(*mv);
        new
    });
    match (moves.as_slice(), one) {
        ([_], Some(found)) => Matched::One(found),
        ([], _) => Matched::None(refusal.unwrap_or(NoMatch::Unreadable)),
        _ => Matched::Many(moves),
    }
}

fn match_wish(wish: &Wish, letters: &Letters, position: &Position, legal: &[LegalMove]) -> Matched {
    // From strict to loose; a looser reading adds its notes only if no stricter one fits anything.
    for (kinds, loose_kinds) in [(wish.kinds, false), (wish.loose_kinds, true)] {
        if loose_kinds && wish.loose_kinds == wish.kinds {
            continue;
        }
        let found = Candidates::collect(wish, kinds, position, legal);
        match found.choose() {
            Choice::Nothing => {}
            Choice::One(mv) => return finish(wish, letters, position, legal, mv, loose_kinds),
            Choice::Many(moves) => return Matched::Many(moves),
        }
    }
    Matched::None(reason::explain(wish, position))
}

/// The legal moves that fit man, place and target; whether they capture as the token says is looked at afterwards.
struct Candidates {
    fitting: u8,
    exact: u8,
    first_exact: Option<LegalMove>,
    all: [Option<LegalMove>; MOST_RIVALS],
    exactness: [bool; MOST_RIVALS],
}

/// More men of one kind than this cannot reach one square: eight ma, or a met and seven promoted bia round it.
const MOST_RIVALS: usize = 16;

enum Choice {
    Nothing,
    One(LegalMove),
    Many(Vec<LegalMove>),
}

impl Candidates {
    fn collect(wish: &Wish, kinds: Kinds, position: &Position, legal: &[LegalMove]) -> Candidates {
        let mut found = Candidates {
            fitting: 0,
            exact: 0,
            first_exact: None,
            all: [None; MOST_RIVALS],
            exactness: [false; MOST_RIVALS],
        };
        let takes = position.occupied().contains(wish.to);
        for &mv in legal.iter().filter(|mv| mv.to() == wish.to) {
            if fits(wish, kinds, position, mv) {
                found.add(
                    mv,
                    wish.says_nothing_of_captures() || wish.capture == takes_in(mv, takes),
                );
            }
        }
        found
    }

    fn add(&mut self, mv: LegalMove, exact: bool) {
        if let (Some(slot), Some(mark)) = (
            self.all.get_mut(usize::from(self.fitting)),
            self.exactness.get_mut(usize::from(self.fitting)),
        ) {
            (*slot, *mark) = (Some(mv), exact);
            self.fitting += 1;
        }
        if exact {
            self.exact += 1;
            self.first_exact = self.first_exact.or(Some(mv));
        }
    }

    fn choose(&self) -> Choice {
        match (self.exact, self.first_exact, self.fitting) {
            (1, Some(mv), _) => Choice::One(mv),
            (0, _, 0) => Choice::Nothing,
            (0, _, 1) => self.all[0].map_or(Choice::Nothing, Choice::One),
            (0, _, _) => Choice::Many(self.all.iter().flatten().copied().collect()),
            _ => {
                let exact = self
                    .all
                    .iter()
                    .zip(self.exactness)
                    .filter(|&(_, exact)| exact);
                Choice::Many(exact.filter_map(|(mv, _)| *mv).collect())
            }
        }
    }
}

/// Whether a move captures, given whether its target square is occupied: an ordinary move to an occupied square does.
fn takes_in(mv: LegalMove, occupied: bool) -> bool {
    occupied && matches!(mv.kind(), MoveKind::Normal | MoveKind::Promotion)
}

fn fits(wish: &Wish, kinds: Kinds, position: &Position, mv: LegalMove) -> bool {
    let from = mv.from();
    wish.from_file.is_none_or(|file| from.file() == file)
        && wish.from_rank.is_none_or(|rank| from.rank() == rank)
        && wish
            .bia
            .is_none_or(|bia| mv.raw().bia_arrives() == Some(bia))
        && position.man_at(from).is_some_and(|man| kinds.has(man))
}

fn finish(
    wish: &Wish,
    letters: &Letters,
    position: &Position,
    legal: &[LegalMove],
    mv: LegalMove,
    loose_kinds: bool,
) -> Matched {
    let mut notes = wish.notes;
    if loose_kinds {
        notes.add(Tolerance::ManLetter);
    }
    if !wish.says_nothing_of_captures() {
        let takes = takes_in(mv, position.occupied().contains(wish.to));
        match (wish.capture, takes) {
            (true, false) => notes.add(Tolerance::CaptureMarkWrong),
            (false, true) => notes.add(Tolerance::CaptureMarkMissing),
            _ => {}
        }
    }
    match (wish.promotion, mv.is_promotion()) {
        (Some(letter), true) if letters.promotes(letter) => {
            if !letters.writes_promotion(letter) && wish.form != Form::Coordinates {
                notes.add(Tolerance::PromotionLetter);
            }
        }
        (Some(letter), true) => {
            return Matched::None(NoMatch::PromotionToOther(char::from(letter)));
        }
        (Some(_), false) => return Matched::None(NoMatch::PromotionWhereNone),
        (None, true) if letters.is_silent() => {}
        (None, true) => notes.add(Tolerance::PromotionLeftOut),
        (None, false) => {}
    }
    if mv.kind().moves_two() && wish.bia.is_none() && wish.form != Form::Coordinates {
        notes.add(Tolerance::BiaLeftOut);
    }
    if wish.is_disambiguated() && !letters.is_long() && over_disambiguated(wish, position, legal) {
        notes.add(Tolerance::OverDisambiguated);
    }
    Matched::One(Match {
        mv,
        notes,
        mark: wish.mark,
        form: wish.form,
        draw_offer: wish.draw_offer,
    })
}

fn over_disambiguated(wish: &Wish, position: &Position, legal: &[LegalMove]) -> bool {
    let bare = Wish {
        from_file: None,
        from_rank: None,
        ..*wish
    };
    let rivals = |wish: &Wish| {
        legal
            .iter()
            .filter(|mv| mv.to() == wish.to && fits(wish, wish.kinds, position, **mv))
            .count()
    };
    if rivals(&bare) == 1 {
        return true;
    }
    // Both file and rank given where the file alone would do.
    let file_only = Wish {
        from_rank: None,
        ..*wish
    };
    wish.from_file.is_some() && wish.from_rank.is_some() && rivals(&file_only) == 1
}
