//! Count commands of the record (RULES 8.5): `{[%count start]}`, `{[%count stop]}`, `{[%cnt 37/64]}` after the move of
//! the counting side.

use std::collections::VecDeque;

use archive::{CountMark, RawGame, Token, TokenKind};

use crate::ledger::CountAction;

/// What the record says about counting, by ply.
#[derive(Debug, Default, Clone)]
pub(crate) struct Commands {
    /// In the order of plies.
    queue: VecDeque<Command>,
    /// Numbers that the record says, with the ply of the move they stand after.
    pub(crate) numbers: Vec<Said>,
    /// Marks before the first move, which belong to no move.
    pub(crate) homeless: u32,
}

/// Something that is said before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Command {
    /// The ply (1-based) of the move.
    pub(crate) ply: u32,
    /// What.
    pub(crate) action: CountAction,
    /// Whether the record does not say so itself, but its numbers do: where the rules do not allow it, nothing was said.
    pub(crate) inferred: bool,
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
    pub(crate) fn of(raw: &RawGame) -> Commands {
        let mut commands = Commands::default();
        let comment = |token: &Token| matches!(token.kind, TokenKind::Comment(_));
        if !raw.tokens.iter().any(comment) {
            return commands;
        }
        let mut ply = 0;
        for token in &raw.tokens {
            match token.kind {
                TokenKind::Move => ply += 1,
                TokenKind::Comment(_) if holds_mark(raw.bytes(token)) => {
                    commands.gather(&archive::comment::parse(&raw.text(token)).counts, ply);
                }
                _ => {}
            }
        }
        commands
    }

    /// All that the record says, whatever a rule set makes of it: ply before whose move it is said, and what.
    pub(crate) fn said(&self) -> Vec<(u32, CountAction)> {
        let all = self.queue.iter();
        all.map(|command| (command.ply, command.action)).collect()
    }

    /// Whether the record says numbers but no start.
    pub(crate) fn has_only_numbers(&self) -> bool {
        let start = |command: &Command| command.action == CountAction::Start;
        !self.numbers.is_empty() && !self.queue.iter().any(start)
    }

    /// Adds what the numbers tell.
    pub(crate) fn infer(&mut self, inferred: Vec<(u32, CountAction)>) {
        let stops = !self.queue.is_empty();
        let new = inferred
            .into_iter()
            .filter(|(_, action)| *action == CountAction::Start || !stops)
            .map(|(ply, action)| Command {
                ply,
                action,
                inferred: true,
            });
        let mut all: Vec<Command> = self.queue.drain(..).collect();
        all.extend(new);
        // With the same move a count cannot be stopped before it is started.
        all.sort_by_key(|command| (command.ply, command.action == CountAction::Stop));
        self.queue = all.into();
    }

    fn gather(&mut self, marks: &[CountMark], ply: u32) {
        if ply == 0 {
            self.homeless += u32::try_from(marks.len()).unwrap_or(u32::MAX);
            return;
        }
        let command = |action| Command {
            ply,
            action,
            inferred: false,
        };
        for mark in marks {
            match *mark {
                CountMark::Start => self.queue.push_back(command(CountAction::Start)),
                CountMark::Stop => self.queue.push_back(command(CountAction::Stop)),
                CountMark::Number { number, limit } => {
                    self.numbers.push(Said { ply, number, limit })
                }
            }
        }
    }

    /// Whether no command is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The command that comes before the move of this ply, if one is left.
    #[inline]
    pub(crate) fn take(&mut self, ply: u32) -> Option<Command> {
        self.queue.pop_front_if(|command| command.ply <= ply)
    }
}

/// Whether a comment may hold a count mark, in capitals or not, as the reader of comments takes it.
fn holds_mark(comment: &[u8]) -> bool {
    let has = |word: &[u8]| {
        let mut parts = comment.windows(word.len());
        parts.any(|part| part.eq_ignore_ascii_case(word))
    };
    has(b"[%") && (has(b"count") || has(b"cnt"))
}
