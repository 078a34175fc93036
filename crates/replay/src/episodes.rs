//! The ledger as it grows: one look before and one after every ply.

use rules::ruleset::CountStart;
use rules::{Color, Count, CountKind, Ending, FullMoves, Line, Position};

use crate::finding::Certainty;
use crate::ledger::{CountBasis, CountEpisode, EpisodeEnd, MaterialClass};
use crate::material::signature;
use crate::silence::{Silences, how_ended};

/// Follows the counts of a line.
#[derive(Debug, Default, Clone)]
pub(crate) struct Episodes {
    done: Vec<CountEpisode>,
    open: Option<CountEpisode>,
    /// The count that ran out: a line goes on counting, the ledger does not.
    exhausted: Option<(CountKind, Color)>,
    silences: Silences,
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

    /// Whether a count runs in the ledger.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Before a ply (1-based): may its mover start a count by saying so?
    #[inline]
    pub(crate) fn before(&mut self, ply: u32, line: &Line) {
        self.silences.before(ply, line);
    }

    /// After a ply: the count that runs now, and the position before it, which may be left out where nothing was said: a
    /// count that begins by itself has its men counted after the ply.
    #[inline]
    pub(crate) fn after(
        &mut self,
        ply: u32,
        before: Option<&Position>,
        line: &Line,
        now: Option<Count>,
    ) {
        if now.is_none() && self.open.is_none() {
            return;
        }
        if now.is_some_and(|count| count.kind == CountKind::Pieces) {
            self.silences.replaced(ply);
        }
        self.follow(ply, before, line, now);
    }

    fn follow(&mut self, ply: u32, before: Option<&Position>, line: &Line, now: Option<Count>) {
        // A count begun anew has more plies before it than it had.
        let same = |open: &CountEpisode, count: Count| {
            let until = count.plies_left.map(|left| ply + left.0);
            open.kind == count.kind
                && open.side == Some(count.side)
                && until.is_none_or(|until| until <= open.draw_ply.max(ply))
        };
        match (self.open.take(), now) {
            (Some(mut open), Some(count)) if same(&open, count) => {
                open.last_number = said(count);
                open.replies_left = Some(count.replies_left);
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

    fn start_after(&mut self, count: Count, ply: u32, before: Option<&Position>, line: &Line) {
        // A count that was called has its first number said with this very ply; the men are those before it.
        let called = before.filter(|_| count.number >= count.first);
        self.start(count, ply, called.unwrap_or(line.position()), line);
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
            replies_left: Some(count.replies_left),
            close: count.close,
            draw_ply: ply + count.plies_left.map_or(0, |left| left.0),
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

    /// The counts that could have been started, of the kinds that nobody is known to have started.
    pub(crate) fn silences(&self) -> Silences {
        let mut silences = self.silences.clone();
        for episode in self.done.iter().chain(&self.open) {
            silences.told(episode.kind);
        }
        silences
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

/// The number said last; none before the first.
fn said(count: Count) -> Option<FullMoves> {
    (count.number >= count.first).then_some(count.number)
}
