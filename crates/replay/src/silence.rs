//! Where the record is silent: the plies in which a count could have been started by saying so (RULES 4.1, 4.2).
//!
//! ```text
//!    ply   a   a+2   a+4  ...   z            a..z: the side to move may say start before its move
//!          |--- one start, any of these ---|
//!          a + span - 1: the draw, if the count was started with ply a and nothing came between
//! ```

use rules::ruleset::{BoardTrigger, CountStart};
use rules::{
    Color, Count, CountKind, CountState, Ended, Ending, FullMoves, Line, Plies, Position, Role,
};

use crate::endings::leaves_no_move;
use crate::finding::Certainty;
use crate::ledger::{CountBasis, CountEpisode, EpisodeEnd, MaterialClass, StartInterval};
use crate::material::{signature, worth};

/// The counts that the record is silent about.
#[derive(Debug, Default, Clone)]
pub(crate) struct Silences {
    board: Option<Silence>,
    pieces: Option<Silence>,
}

/// The stretches in which one kind of count could have been started.
#[derive(Debug, Clone)]
pub(crate) struct Silence {
    kind: CountKind,
    /// The position before the first such ply.
    position: Position,
    segments: Vec<Segment>,
}

/// Plies of one side, every second one, in which it could have started the same count.
#[derive(Debug, Clone)]
struct Segment {
    side: Color,
    first: u32,
    last: u32,
    /// The count as it is before the first counted move.
    count: Count,
    /// The last ply after which such a count could still run; none: to the end.
    until: Option<u32>,
}

impl Silences {
    /// Before a ply (1-based): may its mover start a count by saying so?
    #[inline]
    pub(crate) fn before(&mut self, ply: u32, line: &Line) {
        let rules = line.ruleset();
        if rules.board_start == CountStart::Auto && rules.pieces_start == CountStart::Auto {
            return;
        }
        if self.goes_on(ply, line) {
            return;
        }
        if let Some(count) = startable(line) {
            self.note(ply, count, line.position());
        }
    }

    /// Takes the ply to the board's count that could have been started two plies before, if nothing was taken or promoted
    /// since and no count runs: then it still can, and would be the same.
    #[inline]
    fn goes_on(&mut self, ply: u32, line: &Line) -> bool {
        let Some(board) = self.board.as_mut() else {
            return false;
        };
        if line.position().ply_clock() < Plies(2) || line.count().is_some() {
            return false;
        }
        let side = line.position().turn();
        let last = board.segments.iter_mut().rev().find(|s| s.side == side);
        match last {
            Some(open) if open.last + 2 == ply && open.until.is_none() => {
                open.last = ply;
                true
            }
            _ => false,
        }
    }

    fn note(&mut self, ply: u32, count: Count, position: &Position) {
        let slot = match count.kind {
            CountKind::Board => &mut self.board,
            CountKind::Pieces => &mut self.pieces,
        };
        let silence = slot.get_or_insert_with(|| Silence {
            kind: count.kind,
            position: *position,
            segments: Vec::new(),
        });
        let mut same = silence.segments.iter_mut().rev();
        match same.find(|segment| segment.side == count.side) {
            Some(open) if open.last + 2 == ply && open.until.is_none() && open.count == count => {
                open.last = ply;
            }
            _ => silence.segments.push(Segment {
                side: count.side,
                first: ply,
                last: ply,
                count,
                until: None,
            }),
        }
    }

    /// After a ply with which the pieces' honour is counted: it takes the place of any other count.
    pub(crate) fn replaced(&mut self, ply: u32) {
        let all = [&mut self.board, &mut self.pieces];
        for segment in all.into_iter().flatten().flat_map(|s| &mut s.segments) {
            segment.until = segment.until.or(Some(ply - 1));
        }
    }

    /// The silence about one kind of count.
    pub(crate) fn of(&self, kind: CountKind) -> Option<&Silence> {
        match kind {
            CountKind::Board => self.board.as_ref(),
            CountKind::Pieces => self.pieces.as_ref(),
        }
    }

    /// Forgets a kind that the record is not silent about.
    pub(crate) fn told(&mut self, kind: CountKind) {
        match kind {
            CountKind::Board => self.board = None,
            CountKind::Pieces => self.pieces = None,
        }
    }

    /// What is left, the board's honour first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Silence> {
        [&self.board, &self.pieces].into_iter().flatten()
    }

    /// The intervals of all, by kind and side.
    pub(crate) fn intervals(&self, line: &Line) -> Vec<StartInterval> {
        let end = last_drawn(line);
        let sides = |silence| Color::ALL.map(|side| Silence::interval(silence, side, end));
        self.iter().flat_map(sides).flatten().collect()
    }
}

/// The count that the side to move would start by saying so, if the record has it not running already.
#[inline]
fn startable(line: &Line) -> Option<Count> {
    let rules = line.ruleset();
    // Nearly always a bia is left, and then there is nothing to start.
    let no_bia = line.position().role(Role::Bia).is_empty();
    let possible = no_bia || rules.board_trigger == BoardTrigger::Le3;
    // A count that runs is begun anew only where the pieces' honour too is started by saying so.
    let free = !line.count_state().goes_on() || rules.pieces_start == CountStart::Manual;
    match possible && free {
        true => started(line),
        false => None,
    }
}

fn started(line: &Line) -> Option<Count> {
    let mut state: CountState = *line.count_state();
    state.start(line.ruleset(), line.position()).ok()?;
    let count = state.count(line.ruleset())?;
    let runs = line.count().map(|running| running.kind);
    (runs != Some(count.kind)).then_some(count)
}

/// The last ply that a count can have drawn: after a last move that leaves none, the game was over otherwise.
fn last_drawn(line: &Line) -> u32 {
    let over = line.current_ending();
    line.plies().0 - u32::from(over.is_some_and(|(ending, _)| leaves_no_move(ending)))
}

impl Segment {
    /// Plies from the first counted one to the draw, both included. Too many men: drawn with the first one.
    fn span(&self) -> u32 {
        self.count.plies_left.map_or(u32::MAX, |left| left.0.max(1))
    }

    /// The latest start in the segment with which the count runs out by the end, if any does.
    fn latest_in_time(&self, end: u32) -> Option<u32> {
        let end = self.until.map_or(end, |until| until.min(end));
        let start = (end + 1).checked_sub(self.span())?.min(self.last);
        let back = start.checked_sub(self.first)?;
        Some(self.first + back / 2 * 2)
    }

    /// The ply after which a count started with the first of these plies runs out, if it does by the end.
    fn expires(&self, end: u32) -> Option<u32> {
        self.latest_in_time(end)?;
        Some(self.first + self.span() - 1)
    }
}

impl Silence {
    /// The first ply in which anybody could have started.
    pub(crate) fn first(&self) -> u32 {
        let firsts = self.segments.iter().map(|segment| segment.first);
        firsts.min().unwrap_or(0)
    }

    /// The last such ply.
    pub(crate) fn last(&self) -> u32 {
        let lasts = self.segments.iter().map(|segment| segment.last);
        lasts.max().unwrap_or(0)
    }

    /// Which count.
    pub(crate) fn kind(&self) -> CountKind {
        self.kind
    }

    fn of_side(&self, side: Color) -> impl Iterator<Item = &Segment> {
        self.segments
            .iter()
            .filter(move |segment| segment.side == side)
    }

    /// Whether a side could not start throughout.
    fn is_broken(&self, side: Color) -> bool {
        let pairs = self.of_side(side).zip(self.of_side(side).skip(1));
        pairs
            .into_iter()
            .any(|(one, next)| one.last + 2 < next.first)
    }

    /// The interval of one side's starts, if it could start at all.
    fn interval(&self, side: Color, end: u32) -> Option<StartInterval> {
        Some(StartInterval {
            kind: self.kind,
            side,
            earliest: self.of_side(side).next()?.first,
            latest: self.of_side(side).last()?.last,
            broken: self.is_broken(side),
            expires: self.of_side(side).filter_map(|s| s.expires(end)).min(),
            latest_in_time: self
                .of_side(side)
                .filter_map(|s| s.latest_in_time(end))
                .max(),
        })
    }

    /// The weaker side by material, where there is one.
    pub(crate) fn weaker(&self) -> Option<Color> {
        let (white, black) = (
            worth(&self.position, Color::White),
            worth(&self.position, Color::Black),
        );
        match white.cmp(&black) {
            std::cmp::Ordering::Less => Some(Color::White),
            std::cmp::Ordering::Greater => Some(Color::Black),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Whether a side may have been counting with the last ply, and is not the stronger one by material: a stronger side has
    /// nothing to gain by it.
    pub(crate) fn may_count_at_end(&self, side: Color) -> bool {
        let to_the_end = self.of_side(side).any(|segment| segment.until.is_none());
        to_the_end && self.weaker().is_none_or(|weaker| weaker == side)
    }

    /// The stretch as an episode that nobody is known to have counted: of the weaker side, or of the one whose turn came first
    /// where they are equal. None if that side had no turn in it.
    pub(crate) fn episode(&self, line: &Line) -> Option<CountEpisode> {
        let weaker = self.weaker();
        let side = weaker.unwrap_or(self.position.turn());
        let end = last_drawn(line);
        let interval = self.interval(side, end)?;
        let first = self.of_side(side).next()?;
        let counted_to = first.until.unwrap_or(line.plies().0);
        let moves = (counted_to + 2).saturating_sub(interval.earliest) / 2;
        let last_number = first.count.first + FullMoves(moves).less(FullMoves(1));
        let ended = match (interval.expires, first.until) {
            (Some(_), _) => EpisodeEnd::Limit,
            (None, Some(_)) => EpisodeEnd::Replaced,
            (None, None) => how_ended(line, Some(side)),
        };
        Some(CountEpisode {
            kind: self.kind,
            side: weaker,
            start_ply_earliest: interval.earliest,
            start_ply_latest: interval.latest,
            limit: first.count.limit,
            first_number: first.count.first,
            last_number: Some(last_number.min(first.count.limit)),
            replies_left: None,
            close: first.count.close,
            draw_ply: first.first.saturating_add(first.span() - 1),
            ended,
            material: MaterialClass::of(&self.position, !side),
            signature: signature(&self.position, !side),
            basis: CountBasis::Silent,
            certainty: Certainty::Possible,
        })
    }
}

/// How the end of the line ended a count that was running.
pub(crate) fn how_ended(line: &Line, side: Option<Color>) -> EpisodeEnd {
    let Some(Ended { ending, result, .. }) = line.ended() else {
        return EpisodeEnd::RecordEnded;
    };
    match ending {
        Ending::MateByCounter => EpisodeEnd::MateByCounter,
        Ending::Checkmate | Ending::FirstCheck if result.winner() == side => {
            EpisodeEnd::MateByCounter
        }
        Ending::Checkmate | Ending::FirstCheck => EpisodeEnd::Mate,
        _ => EpisodeEnd::OtherEnding,
    }
}
