//! The beginning of a game in which no reading of the rules can find anything that another does not: no count can run, no
//! position has stood three times, and nobody is short of men. Other readings start where it ends.

use rules::{Color, LegalMove, Line, Plies, Position, Role};

/// A count may begin when a side has three men, or no bia is left; with more than these nobody is short of men, whatever
/// one move takes and promotes.
const MEN: u32 = 4;
const BIA: u32 = 2;

/// Where the common beginning ends.
#[derive(Debug, Clone)]
pub(crate) struct Trunk {
    pub(crate) plies: Plies,
    pub(crate) position: Position,
    pub(crate) keys: Vec<u64>,
}

/// Looks for the end of the common beginning.
#[derive(Debug, Clone)]
pub(crate) enum Trunks {
    /// It has not been met.
    Growing,
    /// Met, or the game has none.
    Grown(Option<Trunk>),
}

impl Trunks {
    /// At the start of a line.
    pub(crate) fn at(line: &Line) -> Trunks {
        let position = line.position();
        let plain = position.rights().is_empty()
            && line.count().is_none()
            && line.current_ending().is_none()
            && !is_short(position);
        match plain {
            true => Trunks::Growing,
            false => Trunks::Grown(None),
        }
    }

    /// Before a move: does the common beginning end here? It does where the move can leave a side short of men, and where the
    /// position stands for the second time.
    #[inline]
    pub(crate) fn before(&mut self, line: &Line, mv: LegalMove, takes: bool) {
        if !matches!(self, Trunks::Growing) {
            return;
        }
        let changes = mv.is_promotion() || takes;
        if changes && is_short(line.position()) || line.repetitions() > 1 {
            self.end(line);
        }
    }

    /// The common beginning ends here at the latest.
    #[cold]
    pub(crate) fn end(&mut self, line: &Line) {
        if matches!(self, Trunks::Growing) {
            let over = line.current_ending().is_some();
            *self = Trunks::Grown((!over).then(|| Trunk {
                plies: line.plies(),
                position: *line.position(),
                keys: line.keys().to_vec(),
            }));
        }
    }

    /// The common beginning, if there is any.
    pub(crate) fn take(self) -> Option<Trunk> {
        match self {
            Trunks::Growing => None,
            Trunks::Grown(trunk) => trunk,
        }
    }
}

fn is_short(position: &Position) -> bool {
    let few = |color: Color| position.men(color).len() <= MEN;
    position.role(Role::Bia).len() <= BIA || Color::ALL.into_iter().any(few)
}
