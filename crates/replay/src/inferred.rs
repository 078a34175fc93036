//! Starts of counts that a record shows by its numbers without saying so: `{[%cnt 37/64]}` and no `{[%count start]}`.

use archive::RawGame;
use notation::read::Letters;
use rules::{CountKind, FullMoves, Line, Position, Role, Ruleset, pieces_limit};

use crate::commands::{Commands, Said};
use crate::ledger::CountAction;
use crate::note::Notebook;
use crate::place::Place;
use crate::walk::Walk;

/// The ply before whose move something is said, and what.
type Command = (u32, CountAction);

/// What a walk without any command shows: the position before each ply, and the number that runs by itself after it.
struct Scout {
    before: Vec<Position>,
    runs: Vec<Option<(u32, u32)>>,
}

/// The last number that a start explains.
struct Explained {
    said: Said,
    kind: CountKind,
}

/// The commands of a record; where it says numbers but no start, with the starts that they tell. It is walked through to see
/// them.
pub(crate) fn completed(
    mut commands: Commands,
    raw: &RawGame,
    place: &Place,
    letters: Letters,
    start: &Line,
) -> Commands {
    if commands.has_only_numbers() {
        let mut walk = Walk::new(raw, place, letters, start.clone(), Commands::default());
        walk.run(&mut Notebook::default());
        commands.infer(told(&commands.numbers, start, &walk));
    }
    commands
}

/// The starts, and the stops between them, that explain the numbers which no count gives that runs by itself. The side that
/// makes the move with the number is the counting side (RULES 8.5). Nothing where the numbers contradict each other.
fn told(numbers: &[Said], start: &Line, walk: &Walk<'_>) -> Vec<Command> {
    let scout = Scout::new(start.clone(), walk);
    let mut commands = Vec::new();
    let mut last: Option<Explained> = None;
    for &said in numbers {
        if scout.runs_by_itself(said) {
            last = None;
        } else if last.as_ref().is_none_or(|last| !goes_on(last.said, said)) {
            let Some((ply, kind)) = scout.start_of(said, start.ruleset()) else {
                continue;
            };
            match &last {
                Some(last) if ply <= last.said.ply => continue,
                // Begun anew: stopped with the last number before.
                Some(last) if last.kind == CountKind::Board && kind == CountKind::Board => {
                    commands.push((last.said.ply, CountAction::Stop));
                }
                _ => {}
            }
            commands.push((ply, CountAction::Start));
            last = Some(Explained { said, kind });
        }
    }
    commands
}

/// Whether a number is what a count comes to that has said another before.
fn goes_on(last: Said, said: Said) -> bool {
    let more = said.ply.saturating_sub(last.ply) / 2;
    last.limit == said.limit && u32::from(last.number) + more == u32::from(said.number)
}

impl Scout {
    fn new(mut line: Line, walk: &Walk<'_>) -> Scout {
        let mut scout = Scout {
            before: Vec::new(),
            runs: Vec::new(),
        };
        for ply in &walk.plies {
            scout.before.push(*line.position());
            line.push(ply.mv);
            let count = line.count();
            scout
                .runs
                .push(count.map(|count| (count.number.0, count.limit.0)));
        }
        scout
    }

    fn at(&self, ply: u32) -> Option<&Position> {
        self.before.get((ply as usize).checked_sub(1)?)
    }

    fn runs_by_itself(&self, said: Said) -> bool {
        let number = (u32::from(said.number), u32::from(said.limit));
        let runs = (said.ply as usize).checked_sub(1);
        runs.and_then(|index| self.runs.get(index)) == Some(&Some(number))
    }

    /// The ply with which a count began that says this number with this ply.
    fn start_of(&self, said: Said, rules: &Ruleset) -> Option<(u32, CountKind)> {
        let last = self.at(said.ply)?;
        if counts_pieces(last) {
            let ply = self.start_of_pieces(said, rules)?;
            return Some((ply, CountKind::Pieces));
        }
        let limit = u32::from(said.limit) == rules.board_limit.0;
        let back = 2 * u32::from(said.number).checked_sub(1)?;
        let ply = said.ply.checked_sub(back).filter(|&ply| ply > 0 && limit)?;
        Some((ply, CountKind::Board))
    }

    /// The pieces' honour said with the men on the board first, where it is started by will (W): the men and the limit at the
    /// start must fit.
    fn start_of_pieces(&self, said: Said, rules: &Ruleset) -> Option<u32> {
        let starts = (1..=said.ply).rev().step_by(2);
        let open =
            starts.map_while(|ply| Some((ply, self.at(ply).filter(|at| counts_pieces(at))?)));
        let mut fits = open.filter(|(ply, at)| {
            let number = u32::from(at.men_on_board()) + (said.ply - ply) / 2;
            let limit = pieces_limit(at, !at.turn(), rules.snn);
            number == u32::from(said.number) && limit == FullMoves(said.limit.into())
        });
        fits.next().map(|(ply, _)| ply)
    }
}

/// Whether the side to move is bare and no bia is left.
fn counts_pieces(position: &Position) -> bool {
    position.is_bare(position.turn()) && position.role(Role::Bia).is_empty()
}
