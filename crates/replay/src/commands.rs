//! Count commands of the record (RULES 8.5): `{[%count start]}`, `{[%count stop]}`, `{[%cnt 37/64]}` after the move of
//! the counting side.

use archive::{CountMark, RawGame, TokenKind};

use crate::ledger::CountAction;

/// What the record says about counting, by ply.
#[derive(Debug, Default)]
pub(crate) struct Commands {
    /// In the order of plies.
    queue: std::collections::VecDeque<(u32, CountAction)>,
    /// Numbers that the record says, with the ply of the move they stand after.
    pub(crate) numbers: Vec<Said>,
}

/// A count number in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Said {
    /// The ply (1-based) of the move it stands after.
    pub(crate) ply: u32,
    /// The number.
    pub(crate) number: u16,
    /// The limit.
    pub(crate) limit: u16,
}

impl Commands {
    /// Gathers the marks of a game. Games without any, nearly all, cost one look at their bytes.
    pub(crate) fn of(raw: &RawGame, automatic: bool) -> Commands {
        let mut commands = Commands::default();
        let bytes = |token| raw.bytes(token);
        let mut ply = 0;
        for token in &raw.tokens {
            match token.kind {
                TokenKind::Move => ply += 1,
                TokenKind::Comment(_) if holds_mark(bytes(token)) && ply > 0 => {
                    commands.gather(&archive::comment::parse(&raw.text(token)).counts, ply);
                }
                _ => {}
            }
        }
        if !automatic {
            commands.infer_start();
        }
        commands
    }

    /// All that the record says, whatever a rule set makes of it: ply before whose move it is said, and what.
    pub(crate) fn said(&self, raw: &RawGame) -> Vec<(u32, CountAction)> {
        // A rule set that counts by itself needs no start inferred; others may.
        if self.queue.is_empty() && !self.numbers.is_empty() {
            return Commands::of(raw, false).queue.into();
        }
        self.queue.iter().copied().collect()
    }

    fn gather(&mut self, marks: &[CountMark], ply: u32) {
        for mark in marks {
            match *mark {
                CountMark::Start => self.queue.push_back((ply, CountAction::Start)),
                CountMark::Stop => self.queue.push_back((ply, CountAction::Stop)),
                CountMark::Number { number, limit } => {
                    self.numbers.push(Said { ply, number, limit })
                }
            }
        }
    }

    /// Where the record says numbers but not the start, the first number tells when the count began.
    fn infer_start(&mut self) {
        let Some(said) = self.numbers.first() else {
            return;
        };
        if !self.queue.is_empty() || said.number == 0 {
            return;
        }
        let back = 2 * u32::from(said.number - 1);
        // A pieces' honour count starts by itself with a number above the men on the board; a start that the board
        // does not allow is then refused and noted.
        let start = said.ply.checked_sub(back).filter(|&ply| ply > 0);
        if let Some(start) = start.filter(|_| said.limit == BOARD_LIMIT) {
            self.queue.push_back((start, CountAction::Start));
        }
    }

    /// The command that comes before the move of this ply, if one is left.
    #[inline]
    pub(crate) fn take(&mut self, ply: u32) -> Option<CountAction> {
        match self.queue.front() {
            Some(&(at, action)) if at <= ply => {
                self.queue.pop_front();
                Some(action)
            }
            _ => None,
        }
    }
}

/// The limit of the board's honour in every source (RULES 4.1, 5.3).
const BOARD_LIMIT: u16 = 64;

fn holds_mark(comment: &[u8]) -> bool {
    comment.windows(3).any(|three| three == b"[%c")
        && comment
            .windows(5)
            .any(|word| word == b"count" || &word[..3] == b"cnt")
}
