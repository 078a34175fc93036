//! The walk through a game's tokens: each move read, judged and made.

use archive::{RawGame, Token, TokenKind};
use notation::fen;
use notation::read::{
    CheckMark, Form, Letters, Match, Matched, Plain, Tolerances, Word, match_among, match_plain,
};
use notation::san::{self, San};
use rules::{Count, CountCommand, LegalMove, Line, Position};

use crate::commands::{Command, Commands};
use crate::endings::{Endings, leaves_no_move};
use crate::episodes::Episodes;
use crate::finding::Finding;
use crate::ledger::{CountAction, CountCommandAt};
use crate::note::Notebook;
use crate::place::Place;
use crate::record::ReplayedPly;
use crate::refusal;
use crate::rights_log::RightsLog;
use crate::trunk::Trunks;

mod lookahead;
mod marks;
mod words;

use marks::{check_sign, mark_is_right, mark_of, sign_of};

/// A game being walked through.
pub(crate) struct Walk<'a> {
    pub(crate) raw: &'a RawGame,
    pub(crate) place: &'a Place,
    pub(crate) letters: Letters,
    pub(crate) line: Line,
    pub(crate) plies: Vec<ReplayedPly>,
    pub(crate) episodes: Episodes,
    pub(crate) rights: RightsLog,
    /// Commands that were carried out.
    pub(crate) commands: Vec<CountCommandAt>,
    /// The endings met.
    pub(crate) endings: Endings,
    /// The position of the first ending, where play went on.
    pub(crate) end_fen: Option<String>,
    /// The position in which a count first ran out, where play went on.
    pub(crate) count_fen: Option<String>,
    /// First ply after which a position stood for the third time, and how often that happened.
    pub(crate) thirds: Thirds,
    /// Whether moves written as we write them can be read the quick way.
    plain: bool,
    /// Whether nothing happens but moves: see [`Walk::is_calm`].
    calm: bool,
    /// The beginning that all readings have in common.
    pub(crate) trunks: Trunks,
    scheduled: Commands,
    /// A word where a move could have stood, since the last move.
    doubtful: Option<Token>,
    /// Whether a move number came after the last move.
    numbered: bool,
    /// Where the last move of the record stands.
    last_move: u32,
    /// Plies that looking ahead may still cost.
    lookahead: u32,
    /// Remarks about counting so far.
    remarks: u32,
}

/// Third occurrences of positions.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Thirds {
    pub(crate) first_ply: Option<u32>,
    pub(crate) times: u32,
}

/// Why a walk ended.
#[derive(Debug)]
pub(crate) enum Stop {
    /// All tokens were read.
    Done,
    /// The game was over on the board, and moves follow: how many, and where the first one is.
    AfterEnd { moves: u32, token: Token },
    /// A token could not be read as a legal move.
    Refused { ply: u32, reason: String },
}

/// A longer game is no game: its repetitions alone would take minutes to count.
const MOST_PLIES: u32 = 50_000;

/// A count says at most so many numbers; a record with more remarks is noise.
const MOST_REMARKS: u32 = 200;

/// Looking ahead may cost this many plies a game: more than any honest game needs, and little for a hostile one.
const LOOKAHEAD: u32 = 100_000;

impl<'a> Walk<'a> {
    pub(crate) fn new(
        raw: &'a RawGame,
        place: &'a Place,
        letters: Letters,
        line: Line,
        scheduled: Commands,
    ) -> Walk<'a> {
        let episodes = Episodes::begin(&line);
        let mut endings = Endings::default();
        endings.look(&line);
        let is_move = |token: &&Token| token.kind == TokenKind::Move;
        let last_move = raw.tokens.iter().rfind(is_move);
        // Where the waiting side is in check, as records have it, what a move gives and what the board shows differ.
        let start = line.position();
        let odd = start.attacked_by(start.khun(!start.turn()), start.turn());
        let mut walk = Walk {
            plain: letters.are_ours() && !odd,
            calm: false,
            trunks: Trunks::at(&line),
            raw,
            place,
            letters,
            line,
            plies: Vec::with_capacity(raw.tokens.len() * 2 / 3 + 1),
            episodes,
            rights: RightsLog::default(),
            commands: Vec::new(),
            endings,
            end_fen: None,
            count_fen: None,
            thirds: Thirds::default(),
            scheduled,
            doubtful: None,
            numbered: false,
            last_move: last_move.map_or(0, |token| token.offset),
            lookahead: LOOKAHEAD,
            remarks: 0,
        };
        walk.calm = walk.is_calm();
        walk
    }

    /// Whether the ledger, the log of rights, the endings and the commands have nothing to do before and after the next
    /// moves, as long as the line has nothing to say of them either.
    fn is_calm(&self) -> bool {
        self.line.is_plain()
            && !self.episodes.is_open()
            && self.line.position().rights().is_empty()
            && self.endings.first.is_none()
            && self.scheduled.is_empty()
    }

    /// Walks to the end, or to the first token that cannot be.
    pub(crate) fn run(&mut self, notes: &mut Notebook) -> Stop {
        let raw = self.raw;
        for (index, token) in raw.tokens.iter().enumerate() {
            let stop = match token.kind {
                TokenKind::Move => self.mv(index, token, notes),
                TokenKind::Comment(_) => {
                    self.comment(token, notes);
                    None
                }
                TokenKind::MoveNumber { black, .. } => self.number(black, notes),
                TokenKind::Gap => self.gap(index, token, notes),
                TokenKind::Word => self.word(token, notes),
                TokenKind::DrawOffer => {
                    self.draw_offer(token, notes);
                    None
                }
                TokenKind::Score => {
                    self.score(token);
                    None
                }
                TokenKind::Nag { .. } | TokenKind::Variation { .. } | TokenKind::Result(_) => None,
            };
            if let Some(stop) = stop {
                return stop;
            }
        }
        Stop::Done
    }

    /// The number of the ply that comes next, 1-based.
    pub(crate) fn next_ply(&self) -> u32 {
        self.line.plies().0 + 1
    }

    /// Whether no move can follow.
    fn is_over(&self) -> bool {
        let current = self.line.current_ending();
        current.is_some_and(|(ending, _)| leaves_no_move(ending))
    }

    fn mv(&mut self, index: usize, token: &Token, notes: &mut Notebook) -> Option<Stop> {
        if self.is_over() {
            let moves = self.raw.tokens[index..]
                .iter()
                .filter(|token| token.kind == TokenKind::Move)
                .count();
            return Some(Stop::AfterEnd {
                moves: u32::try_from(moves).unwrap_or(u32::MAX),
                token: *token,
            });
        }
        if self.line.plies().0 >= MOST_PLIES {
            return Some(self.refuse(refusal::too_long(self, token, MOST_PLIES), notes));
        }
        let raw = self.raw;
        let found = match self.plain {
            true => {
                let (letters, length) = raw.letters(token);
                Word::of(letters, length).and_then(|word| match_plain(word, &self.line))
            }
            false => None,
        };
        match found {
            Some(found) => {
                self.plainly(token, found, notes);
                None
            }
            None => self.carefully(index, token, notes),
        }
    }

    /// A move written as we write it.
    fn plainly(&mut self, token: &Token, found: Plain, notes: &mut Notebook) {
        let count = match self.calm {
            true => self.push_calmly(found.mv, found.takes),
            false => self.push(found.mv, notes),
        };
        let sign = check_sign(&self.line);
        let mut san = San::of_word(found.bare);
        if let Some(sign) = sign {
            san.push(sign);
        }
        self.record(token, found.mv, found.takes, san, count);
        if sign != sign_of(found.mark) {
            self.other_sign(token, found.mark, sign, notes);
        }
    }

    /// Our SAN but for its check mark.
    #[cold]
    fn other_sign(
        &mut self,
        token: &Token,
        mark: CheckMark,
        sign: Option<u8>,
        notes: &mut Notebook,
    ) {
        let written = self.raw.text(token);
        if !mark_is_right(mark, sign, self.line.ended()) {
            notes.wrong_mark(self.line.plies().0, &written);
        }
        if let Some(ply) = self.plies.last_mut() {
            ply.written = Some(written.into());
        }
    }

    /// A move written in any way.
    fn carefully(&mut self, index: usize, token: &Token, notes: &mut Notebook) -> Option<Stop> {
        let position = *self.line.position();
        let legal = position.legal_moves();
        let text = self.raw.text(token);
        let found = match match_among(&text, &self.letters, &position, &legal) {
            Matched::One(found) => found,
            Matched::Many(moves) => match self.settle(index, &position, &moves) {
                Some(mv) => {
                    notes.add(refusal::settled(self, token, &text, &position, &moves, mv));
                    Match {
                        mv,
                        notes: Tolerances::NONE,
                        mark: mark_of(&text),
                        form: Form::Short,
                        draw_offer: false,
                    }
                }
                None => {
                    return Some(self.refuse(
                        refusal::ambiguous(self, token, &text, &position, &moves),
                        notes,
                    ));
                }
            },
            Matched::None(reason) => {
                let finding = match self.doubtful.take() {
                    Some(word) => refusal::word(self, &word),
                    None => refusal::illegal(self, token, &text, &position, reason),
                };
                return Some(self.refuse(finding, notes));
            }
        };
        let count = self.push(found.mv, notes);
        let san = san::of(&position, found.mv);
        let capture = position.is_capture(found.mv);
        self.record(token, found.mv, capture, san, count);
        self.remark_form(&text, found, san, notes);
        if let Some(ply) = self.plies.last_mut().filter(|_| *san != *text) {
            ply.written = Some(text.into());
        }
        None
    }

    /// Makes a move, with the commands that come before it. Gives the count that runs then.
    fn push(&mut self, mv: LegalMove, notes: &mut Notebook) -> Option<Count> {
        (self.doubtful, self.numbered) = (None, false);
        let ply = self.next_ply();
        let mut before = self.before();
        while let Some(command) = self.scheduled.take(ply) {
            self.trunks.end(&self.line);
            let position = *self.line.position();
            self.command(ply, command, &position, notes);
            before = Some(position);
        }
        let takes = self.line.position().is_capture(mv);
        self.trunks.before(&self.line, mv, takes);
        self.episodes.before(ply, &self.line);
        self.keep_fens();
        self.line.push(mv);
        self.endings.look(&self.line);
        let count = self.line.count();
        self.episodes.after(ply, before.as_ref(), &self.line, count);
        if let Some(before) = &before {
            self.rights.after(ply, before, mv, self.line.position());
        }
        self.count_thirds();
        self.calm = self.is_calm();
        count
    }

    /// [`Walk::push`] where nothing happens but moves.
    #[inline]
    fn push_calmly(&mut self, mv: LegalMove, takes: bool) -> Option<Count> {
        (self.doubtful, self.numbered) = (None, false);
        self.trunks.before(&self.line, mv, takes);
        match self.line.push_plainly(mv) {
            true => None,
            false => self.after_calm(),
        }
    }

    #[inline(never)]
    fn after_calm(&mut self) -> Option<Count> {
        let ply = self.line.plies().0;
        self.endings.look(&self.line);
        let count = self.line.count();
        self.episodes.after(ply, None, &self.line, count);
        self.count_thirds();
        self.calm = self.is_calm();
        count
    }

    fn count_thirds(&mut self) {
        if self.line.repetitions() >= 3 {
            self.thirds.first_ply = self.thirds.first_ply.or(Some(self.line.plies().0));
            self.thirds.times += 1;
        }
    }

    /// The position before a move, where the log of rights can ask for it: no need to copy it for every ply. The ledger asks
    /// where something is said about counting.
    #[inline]
    fn before(&self) -> Option<Position> {
        let position = self.line.position();
        match position.rights().is_empty() {
            true => None,
            false => Some(*position),
        }
    }

    /// Keeps the positions of endings that play goes on from.
    #[inline]
    fn keep_fens(&mut self) {
        if self.endings.first.is_some() && self.end_fen.is_none() {
            self.end_fen = Some(fen::write(&self.line));
        }
        if self.endings.counted.is_some() && self.count_fen.is_none() {
            self.count_fen = Some(fen::write(&self.line));
        }
    }

    fn command(&mut self, ply: u32, command: Command, before: &Position, notes: &mut Notebook) {
        let action = command.action;
        let said = match action {
            CountAction::Start => CountCommand::Start,
            CountAction::Stop => CountCommand::Stop,
        };
        match self.line.command(said) {
            Ok(()) => self.commands.push(CountCommandAt {
                ply,
                side: before.turn(),
                action,
            }),
            // Numbers that the count does not give are another finding.
            Err(_) if command.inferred => {}
            Err(error) => notes.add(refusal::command(self, ply, action, error)),
        }
    }

    /// Keeps the ply that was just made, as if written in our SAN.
    #[inline]
    fn record(
        &mut self,
        token: &Token,
        mv: LegalMove,
        capture: bool,
        san: San,
        count: Option<Count>,
    ) {
        let after = self.line.position();
        self.plies.push(ReplayedPly {
            mv,
            side: !after.turn(),
            san,
            written: None,
            token_offset: token.offset,
            key: after.position_key(),
            in_check: san.gives_check(),
            capture,
            promotion: mv.is_promotion(),
            clock_ms: None,
            elapsed_ms: None,
            eval: None,
            count,
            repetitions: self.line.repetitions(),
        });
    }

    /// Notes what is loose or wrong in how a move is written.
    fn remark_form(&self, text: &str, found: Match, san: San, notes: &mut Notebook) {
        let ply = self.line.plies().0;
        let sign = san.as_bytes().last().copied();
        if !found.notes.is_empty() {
            notes.tolerated(found.notes, ply, text);
        }
        if found.form != Form::Coordinates && !mark_is_right(found.mark, sign, self.line.ended()) {
            notes.wrong_mark(ply, text);
        }
        if found.draw_offer {
            notes.draw_offer(ply, text);
        }
    }

    fn refuse(&mut self, finding: Finding, notes: &mut Notebook) -> Stop {
        let (ply, reason) = (self.next_ply(), finding.message.clone());
        notes.add(finding);
        Stop::Refused { ply, reason }
    }
}
