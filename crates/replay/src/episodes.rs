//! The ledger as it grows: one look before and one after every ply.

use rules::ruleset::CountStart;
use rules::{Color, Count, CountKind, Ended, Ending, FullMoves, Line, Position};

use crate::finding::Certainty;
use crate::ledger::{CountBasis, CountEpisode, EpisodeEnd, MaterialClass};
use crate::material::{signature, worth};

/// Follows the counts of a line.
#[derive(Debug, Default, Clone)]
pub(crate) struct Episodes {
    done: Vec<CountEpisode>,
    open: Option<CountEpisode>,
    /// The count that ran out: a line goes on counting, the ledger does not.
    exhausted: Option<(CountKind, Color)>,
    silent: Option<Silence>,
}

/// A stretch in which a manual count could have been started.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Silence {
    /// First ply whose mover may start.
    pub(crate) first: u32,
    /// Last such ply.
    pub(crate) last: u32,
    /// The position before the first.
    pub(crate) position: Position,
    /// Number of times the stretch was broken off and begun again.
    broken: bool,
}

impl Episodes {
    /// The counts that a start position brings.
    pub(crate) fn begin(line: &Line) -> Episodes {
        let mut episodes = Episodes::default();
        if let Some(count) = line.count() {
            episodes.start(count, 0, line.position(), line);
        }
        episodes
    }

    /// Before a ply (1-based): may its mover start a count by saying so?
    #[inline]
    pub(crate) fn before(&mut self, ply: u32, line: &Line) {
        if line.ruleset().board_start == CountStart::Auto
            || !line
                .count_state()
                .may_start_board(line.ruleset(), line.position())
        {
            return;
        }
        match &mut self.silent {
            None => {
                self.silent = Some(Silence {
                    first: ply,
                    last: ply,
                    position: *line.position(),
                    broken: false,
                })
            }
            Some(silence) => {
                silence.broken |= silence.last + 2 < ply;
                silence.last = ply;
            }
        }
    }

    /// After a ply.
    #[inline]
    pub(crate) fn after(&mut self, ply: u32, before: &Position, line: &Line) {
        let now = line.count();
        if now.is_none() && self.open.is_none() {
            return;
        }
        self.follow(ply, before, line, now);
    }

    fn follow(&mut self, ply: u32, before: &Position, line: &Line, now: Option<Count>) {
        let same = |open: &CountEpisode, count: Count| {
            open.kind == count.kind
                && open.side == Some(count.side)
                && count.number
                    >= open
                        .last_number
                        .unwrap_or(open.first_number.less(FullMoves(1)))
        };
        match (self.open.take(), now) {
            (Some(mut open), Some(count)) if same(&open, count) => {
                open.last_number = said(count);
                self.open = Some(open);
            }
            (Some(open), Some(count)) => {
                let ended = if open.kind == count.kind {
                    EpisodeEnd::Stopped
                } else {
                    EpisodeEnd::Replaced
                };
                self.done.push(CountEpisode { ended, ..open });
                self.start_after(count, ply, before, line);
            }
            (Some(open), None) => self.done.push(CountEpisode {
                ended: EpisodeEnd::Stopped,
                ..open
            }),
            (None, Some(count)) if self.exhausted == Some((count.kind, count.side)) => {}
            (None, Some(count)) => self.start_after(count, ply, before, line),
            (None, None) => {}
        }
        let ran_out = matches!(
            line.current_ending(),
            Some((Ending::BoardCount | Ending::PiecesCount, _))
        );
        if let Some(open) = self.open.take_if(|_| ran_out) {
            self.exhausted = open.side.map(|side| (open.kind, side));
            self.done.push(CountEpisode {
                ended: EpisodeEnd::Limit,
                ..open
            });
        }
    }

    fn start_after(&mut self, count: Count, ply: u32, before: &Position, line: &Line) {
        // A count that was called has its first number said with this very ply; the men are those before it.
        let called = count.number >= count.first;
        self.start(
            count,
            ply,
            if called { before } else { line.position() },
            line,
        );
    }

    fn start(&mut self, count: Count, ply: u32, position: &Position, line: &Line) {
        let start_ply = match count.number >= count.first {
            true => ply,
            false if line.position().turn() == count.side => ply + 1,
            false => ply + 2,
        };
        let automatic = match count.kind {
            CountKind::Board => line.ruleset().board_start,
            CountKind::Pieces => line.ruleset().pieces_start,
        } == CountStart::Auto;
        self.open = Some(CountEpisode {
            kind: count.kind,
            side: Some(count.side),
            start_ply_earliest: start_ply,
            start_ply_latest: start_ply,
            limit: count.limit,
            first_number: count.first,
            last_number: said(count),
            ended: EpisodeEnd::RecordEnded,
            material: MaterialClass::of(position, !count.side),
            signature: signature(position, !count.side),
            basis: if automatic {
                CountBasis::Rule
            } else {
                CountBasis::Record
            },
            certainty: Certainty::Proved,
        });
    }

    /// The stretch in which a count could have been started, if nothing was.
    pub(crate) fn silence(&self) -> Option<Silence> {
        let counted = self
            .done
            .iter()
            .chain(&self.open)
            .any(|episode| episode.kind == CountKind::Board);
        self.silent.filter(|_| !counted)
    }

    /// Closes the ledger at the end of the game.
    pub(crate) fn finish(mut self, line: &Line) -> Vec<CountEpisode> {
        if let Some(open) = self.open.take() {
            let ended = how_ended(line, open.side);
            self.done.push(CountEpisode { ended, ..open });
        }
        self.done
    }
}

impl Silence {
    /// Plies from the first to the last in which someone may start.
    pub(crate) fn plies(&self) -> u32 {
        self.last - self.first + 1
    }

    /// Whether the count became impossible and possible again in between.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken
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

    /// The first ply at which a side may start.
    pub(crate) fn first_of(&self, side: Color) -> u32 {
        self.first + u32::from(self.position.turn() != side)
    }

    /// Whether the side that would count had its turn in the stretch.
    pub(crate) fn is_episode(&self) -> bool {
        self.weaker()
            .is_none_or(|side| self.first_of(side) <= self.last)
    }

    /// The stretch as an episode that nobody is known to have counted.
    pub(crate) fn episode(&self, line: &Line, expires: bool, replaced: bool) -> CountEpisode {
        let weaker = self.weaker();
        let side = weaker.unwrap_or(self.position.turn());
        let first = self.first_of(side);
        let limit = line.ruleset().board_limit;
        let moves = (self.last + 2).saturating_sub(first) / 2;
        let ended = match (expires, replaced) {
            (true, _) => EpisodeEnd::Limit,
            (false, true) => EpisodeEnd::Replaced,
            (false, false) => how_ended(line, Some(side)),
        };
        // The last ply of that side in the stretch.
        let last = if (self.last.max(first) - first).is_multiple_of(2) {
            self.last.max(first)
        } else {
            self.last - 1
        };
        CountEpisode {
            kind: CountKind::Board,
            side: weaker,
            start_ply_earliest: first,
            start_ply_latest: last,
            limit,
            first_number: FullMoves(1),
            last_number: Some(FullMoves(moves).min(limit)),
            ended,
            material: MaterialClass::of(&self.position, !side),
            signature: signature(&self.position, !side),
            basis: CountBasis::Silent,
            certainty: Certainty::Possible,
        }
    }
}

/// The number said last; none before the first.
fn said(count: Count) -> Option<FullMoves> {
    (count.number >= count.first).then_some(count.number)
}

/// How the end of the line ended a count that was running.
fn how_ended(line: &Line, side: Option<Color>) -> EpisodeEnd {
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
