//! The endings that a line meets on its way. A line keeps its first; records go on past soft ones.

use rules::{Ended, Ending, Line};

/// What a line has met so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Endings {
    /// The first ending of all.
    pub(crate) first: Option<Ended>,
    /// The first count that ran out, whatever came before.
    pub(crate) counted: Option<Ended>,
    /// The end of all moves: mate, stalemate, first check.
    pub(crate) last: Option<Ended>,
}

/// One of a line's endings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// [`Endings::first`].
    First,
    /// [`Endings::counted`].
    Counted,
    /// [`Endings::last`].
    Last,
}

impl Endings {
    /// Looks at a line after a ply, or at its start.
    #[inline]
    pub(crate) fn look(&mut self, line: &Line) {
        self.first = line.ended();
        let Some((ending, result)) = line.current_ending() else {
            return;
        };
        let ended = Some(Ended {
            ending,
            result,
            ply: line.plies().0,
        });
        if is_count(ending) {
            self.counted = self.counted.or(ended);
        } else if leaves_no_move(ending) {
            self.last = ended;
        }
    }

    /// The ending of an aspect.
    pub(crate) fn of(&self, aspect: Aspect) -> Option<Ended> {
        match aspect {
            Aspect::First => self.first,
            Aspect::Counted => self.counted,
            Aspect::Last => self.last,
        }
    }

    /// Whether any of them is this ending.
    pub(crate) fn has(&self, ending: Ending) -> bool {
        [self.first, self.counted, self.last]
            .iter()
            .flatten()
            .any(|ended| ended.ending == ending)
    }
}

/// Whether no move can follow.
pub(crate) fn leaves_no_move(ending: Ending) -> bool {
    use Ending::{Checkmate, FirstCheck, MateByCounter, Stalemate};
    matches!(ending, Checkmate | FirstCheck | MateByCounter | Stalemate)
}

/// Whether a count ran out.
pub(crate) fn is_count(ending: Ending) -> bool {
    matches!(ending, Ending::BoardCount | Ending::PiecesCount)
}
