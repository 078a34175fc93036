//! A decompressed member, game by game.

use std::io::{self, Read};

use crate::{
    cutter::{Cutter, Piece},
    encoding::Encoding,
    error::{ContainerError, ReadError, container_error},
    form::Form,
    game::RawGame,
    settings::ReaderSettings,
    sniff::{self, Foreign},
    window::{Start, Window},
};

mod text;

/// One thing found in a member. The items of a member come in order; the last one is [`Item::End`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A game, read.
    Game(Box<RawGame>),
    /// A stretch that is no game.
    Unreadable(Unreadable),
    /// The end, with the sums.
    End(Accounting),
}

/// A stretch of a member that could not be read as a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// Where it starts in the decompressed member.
    pub byte_offset: u64,
    /// How long it is; may be 0 for a stream that breaks between games.
    pub byte_length: u64,
    /// Why.
    pub reason: UnreadableReason,
}

/// Why a stretch is no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnreadableReason {
    /// A file of another kind: image, document, archive, program, or text in which no game is.
    #[error("not game text: {0}")]
    NotGameText(&'static str),
    /// Games or positions in a known form that is not read here.
    #[error("games or positions in a form that is not read: {0}")]
    OtherDialect(&'static str),
    /// Text without tags or moves, in a member that holds games.
    #[error("text without a game")]
    Prose,
    /// A game over the limit.
    #[error("game larger than {max_bytes} bytes")]
    GameTooLarge {
        /// The limit.
        max_bytes: usize,
    },
    /// The compressed stream ends early or is damaged; the stretch is the game it broke in.
    #[error("{0}")]
    Container(ContainerError),
    /// Half a UTF-16 letter at the end.
    #[error("a single byte at the end of UTF-16 text")]
    HalfLetter,
    /// The member holds no bytes at all.
    #[error("empty")]
    Empty,
    /// A file in a zip that cannot be read without a password.
    #[error("the file is encrypted: unpack it with its password and give the file itself")]
    Encrypted,
    /// A file in a zip that is compressed in a way that is not read here.
    #[error(
        "the file is compressed by method {0} of zip, which is not read: unpack it and give the file itself"
    )]
    UnknownMethod(u16),
    /// An entry of a container that is no file: a link, a device.
    #[error("not read: {0}")]
    NoFile(&'static str),
    /// A file in a container that goes by another name here than there; it is read.
    #[error("{0}")]
    MemberName(String),
    /// More files in a container than the settings allow; the first ones are read.
    #[error(
        "more than {max_members} files in one archive: the others are not read; unpack it, or raise `max_members`"
    )]
    TooManyMembers {
        /// The setting.
        max_members: usize,
    },
    /// The files of a container are larger together than the settings allow; the first ones are read.
    #[error(
        "more than {max_bytes} bytes in one archive: the other files are not read; unpack it, or raise `max_archive_bytes`"
    )]
    ArchiveTooLarge {
        /// The setting.
        max_bytes: u64,
    },
}

impl UnreadableReason {
    /// What a person can do about it, where there is something.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            UnreadableReason::NotGameText(kind) => sniff::advice(kind),
            _ => None,
        }
    }

    /// The same reason for a file of this name: where the bytes do not say more than that they are no text, the end of the
    /// name may.
    pub fn for_name(self, name: &str) -> Self {
        match self {
            UnreadableReason::NotGameText("binary data") => {
                UnreadableReason::NotGameText(sniff::kind_by_name(name).unwrap_or("binary data"))
            }
            other => other,
        }
    }
}

/// Where the bytes of a member (or of a range of it) went. Every byte is in exactly one of the three sums.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accounting {
    /// Games found.
    pub games: u32,
    /// Bytes in games.
    pub game_bytes: u64,
    /// Blank lines, `%` lines, NULs and byte order marks between games.
    pub separator_bytes: u64,
    /// Stretches that are no game.
    pub unreadable: u32,
    /// Bytes in those.
    pub unreadable_bytes: u64,
    /// The encoding of the member where it is UTF-16, or of its end where files of several encodings were put together.
    pub wide: Option<Encoding>,
    /// The first fault of the compressed stream was met; the member may hold more.
    pub incomplete: bool,
}

impl Accounting {
    /// All bytes seen.
    pub fn total_bytes(&self) -> u64 {
        self.game_bytes + self.separator_bytes + self.unreadable_bytes
    }
}

/// A game's bytes, cut out and not yet read: cheap to make in one thread and to send to another, which reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameText {
    /// 1 for the first game of the member.
    pub ordinal: u32,
    /// Where it starts in the decompressed member.
    pub byte_offset: u64,
    /// Its length there.
    pub byte_length: u64,
    /// ASCII-compatible bytes: the game's own, or UTF-8 for a UTF-16 member.
    text: Vec<u8>,
    wide: Option<Encoding>,
    form: Form,
}

/// What [`Slices`] finds: as [`Item`], with the games unread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Slice {
    /// A game's bytes.
    Game(GameText),
    /// A stretch that is no game.
    Unreadable(Unreadable),
    /// The end, with the sums.
    End(Accounting),
}

/// Cuts a decompressed member into games. Memory is bounded by [`ReaderSettings::max_game_bytes`].
///
/// An `Err` means that the input itself failed (disk, network) and is the last thing that comes.
pub struct Slices<R> {
    cutter: Cutter<R>,
    max_game_bytes: usize,
    next_ordinal: u32,
    sums: Accounting,
    starts_member: bool,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Pieces,
    OddByte,
    Sums,
    Over,
}

impl<R> std::fmt::Debug for Slices<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Slices")
            .field("next_ordinal", &self.next_ordinal)
            .field("sums", &self.sums)
            .finish_non_exhaustive()
    }
}

impl<R: Read> Slices<R> {
    /// Reads on from `start`, where `reader` must stand: the beginning of a member or a cut point.
    pub fn new(reader: R, start: Start, settings: &ReaderSettings) -> Self {
        let window = Window::new(reader, start, settings.encoding);
        Slices {
            cutter: Cutter::new(window, settings.max_game_bytes),
            max_game_bytes: settings.max_game_bytes,
            next_ordinal: start.first_ordinal,
            sums: Accounting::default(),
            starts_member: start.byte_offset == 0,
            stage: Stage::Pieces,
        }
    }

    pub(crate) fn window(&mut self) -> &mut Window<R> {
        &mut self.cutter.window
    }

    /// The next slice; `at_game` is called at the start of a game, while its bytes are still in the window; it is
    /// told whether the member may be cut there.
    pub(crate) fn next_with(
        &mut self,
        mut at_game: impl FnMut(Start, &mut Window<R>, bool),
    ) -> Option<Result<Slice, ReadError>> {
        loop {
            let byte_offset = self.cutter.window.origin();
            let found = match self.stage {
                Stage::Pieces => self.piece(byte_offset, &mut at_game),
                Stage::OddByte => self.odd_byte(byte_offset),
                Stage::Sums => {
                    self.stage = Stage::Over;
                    self.sums.wide = self.cutter.window.wide();
                    return Some(Ok(Slice::End(self.sums)));
                }
                Stage::Over => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn piece(
        &mut self,
        byte_offset: u64,
        at_game: &mut impl FnMut(Start, &mut Window<R>, bool),
    ) -> Option<Result<Slice, ReadError>> {
        let unreadable = |byte_length, reason| {
            Some(Ok(Slice::Unreadable(Unreadable {
                byte_offset,
                byte_length,
                reason,
            })))
        };
        match self.cutter.next() {
            None => match self.cutter.window.take_fault() {
                Some(error) => self.fault(byte_offset, 0, error),
                None => {
                    self.stage = Stage::OddByte;
                    None
                }
            },
            Some(Piece::Separator { member_bytes }) => {
                self.sums.separator_bytes += member_bytes;
                None
            }
            Some(Piece::Foreign { member_bytes, what }) => {
                // What something is that only begins like a record may hang on what comes behind it.
                self.cutter.bound = what != Foreign::Prose;
                // A whole file of prose is a file of another kind; a stretch between games is what is left of one.
                let whole = self.starts_member && self.sums.games + self.sums.unreadable == 0;
                let what = match what {
                    Foreign::Prose if whole && self.cutter.window.is_used_up() => {
                        Foreign::NotGameText("readable text without a game")
                    }
                    what => what,
                };
                self.count_unreadable(member_bytes);
                unreadable(member_bytes, reason_of(what))
            }
            Some(Piece::TooLarge { member_bytes }) => {
                self.count_unreadable(member_bytes);
                unreadable(
                    member_bytes,
                    UnreadableReason::GameTooLarge {
                        max_bytes: self.max_game_bytes,
                    },
                )
            }
            Some(Piece::Game {
                finished,
                last,
                form,
                ..
            }) => {
                if last
                    && !finished
                    && let Some(error) = self.cutter.window.take_fault()
                {
                    let byte_length = self.cutter.release_game();
                    return self.fault(byte_offset, byte_length, error);
                }
                let may_cut = !std::mem::take(&mut self.cutter.bound);
                let window = &mut self.cutter.window;
                at_game(
                    Start {
                        byte_offset,
                        first_ordinal: self.next_ordinal,
                        wide: window.wide(),
                    },
                    window,
                    may_cut,
                );
                Some(Ok(Slice::Game(self.game(byte_offset, form))))
            }
        }
    }

    fn game(&mut self, byte_offset: u64, form: Form) -> GameText {
        let text = self.cutter.game_bytes().to_vec();
        let byte_length = self.cutter.release_game();
        let ordinal = self.next_ordinal;
        self.next_ordinal = ordinal.saturating_add(1);
        self.sums.games += 1;
        self.sums.game_bytes += byte_length;
        GameText {
            ordinal,
            byte_offset,
            byte_length,
            text,
            wide: self.cutter.window.wide(),
            form,
        }
    }

    fn count_unreadable(&mut self, member_bytes: u64) {
        self.sums.unreadable += 1;
        self.sums.unreadable_bytes += member_bytes;
    }

    /// The stream broke: a container's fault is the archive's own and ends the member, anything else is an error.
    fn fault(
        &mut self,
        byte_offset: u64,
        byte_length: u64,
        source: io::Error,
    ) -> Option<Result<Slice, ReadError>> {
        let Some(fault) = container_error(&source).cloned() else {
            self.stage = Stage::Over;
            return Some(Err(ReadError {
                byte_offset,
                source,
            }));
        };
        self.sums.incomplete = true;
        self.count_unreadable(byte_length);
        let reason = UnreadableReason::Container(fault);
        Some(Ok(Slice::Unreadable(Unreadable {
            byte_offset,
            byte_length,
            reason,
        })))
    }

    fn odd_byte(&mut self, byte_offset: u64) -> Option<Result<Slice, ReadError>> {
        self.stage = Stage::Sums;
        if self.cutter.window.has_odd_byte() {
            self.cutter.window.drop_odd_byte();
            self.count_unreadable(1);
            let reason = UnreadableReason::HalfLetter;
            return Some(Ok(Slice::Unreadable(Unreadable {
                byte_offset,
                byte_length: 1,
                reason,
            })));
        }
        let empty = self.starts_member && self.sums.total_bytes() == 0 && !self.sums.incomplete;
        empty.then(|| {
            self.count_unreadable(0);
            Ok(Slice::Unreadable(Unreadable {
                byte_offset,
                byte_length: 0,
                reason: UnreadableReason::Empty,
            }))
        })
    }
}

fn reason_of(what: Foreign) -> UnreadableReason {
    match what {
        Foreign::NotGameText(kind) => UnreadableReason::NotGameText(kind),
        Foreign::OtherDialect(name) => UnreadableReason::OtherDialect(name),
        Foreign::Prose => UnreadableReason::Prose,
    }
}

impl<R: Read> Iterator for Slices<R> {
    type Item = Result<Slice, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_with(|_, _, _| {})
    }
}

/// Reads a decompressed member game by game: [`Slices`] with each game read at once.
#[derive(Debug)]
pub struct Games<R> {
    slices: Slices<R>,
    settings: ReaderSettings,
}

impl<R: Read> Games<R> {
    /// Reads on from `start`, where `reader` must stand: the beginning of a member or a cut point.
    pub fn new(reader: R, start: Start, settings: &ReaderSettings) -> Self {
        Games {
            slices: Slices::new(reader, start, settings),
            settings: settings.clone(),
        }
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Item, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        Some(self.slices.next()?.map(|slice| match slice {
            Slice::Game(text) => Item::Game(Box::new(text.read(&self.settings))),
            Slice::Unreadable(unreadable) => Item::Unreadable(unreadable),
            Slice::End(sums) => Item::End(sums),
        }))
    }
}
