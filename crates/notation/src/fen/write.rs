//! Writing positions in the form of RULES 7.
//!
//! A game's FENs are written one after the other, and a move changes one rank or two: what is
//! known of the others is kept.

use rules::{CountState, Line, Position, Ruleset, SetupCount};

use super::rank::Rank;

/// The current position of a line, with its count.
#[must_use]
pub fn write(line: &Line) -> String {
    write_state(line.position(), line.count_state(), line.ruleset())
}

/// A position and the state of its counts. [`Writer`] does the same for many, faster.
#[must_use]
pub fn write_state(position: &Position, count: &CountState, rules: &Ruleset) -> String {
    Writer::new().write(position, count, rules).to_owned()
}

/// A position alone: the count fields say that none runs.
#[must_use]
pub fn write_position(position: &Position) -> String {
    Writer::new().text(position, None).to_owned()
}

/// Room for any position: 32 men with marks, their gaps and slashes, and the other fields.
const ROOM: usize = 256;

/// Writes one FEN after the other into a buffer that it keeps, fastest where they are the
/// positions of a game.
#[derive(Clone, Debug)]
#[repr(align(16))]
pub struct Writer {
    /// ASCII throughout.
    bytes: [u8; ROOM],
    ranks: [Rank; 8],
    /// The promoted men when the ranks were drawn last.
    promoted: u64,
    /// Whether a rank holds eight promoted men: with its slash it is wider than [`Rank`] has room.
    wide: bool,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer::new()
    }
}

impl Writer {
    /// One that has written nothing.
    #[must_use]
    pub const fn new() -> Writer {
        Writer {
            bytes: [0; ROOM],
            ranks: [Rank::UNKNOWN; 8],
            promoted: 0,
            wide: false,
        }
    }

    /// A position and the state of its counts.
    pub fn write(&mut self, position: &Position, count: &CountState, rules: &Ruleset) -> &str {
        self.text(position, count.fields(rules))
    }

    fn text(&mut self, position: &Position, count: Option<SetupCount>) -> &str {
        let len = self.board(position);
        let mut tail = Tail {
            bytes: &mut self.bytes,
            len,
        };
        tail.fields(position, count);
        tail.push(b' ');
        tail.number(count.map_or(position.ply_clock(), |count| count.counted).0);
        tail.push(b' ');
        tail.number(position.fullmove().0);
        let len = tail.len;
        // Whole blocks of sixteen are checked faster than the odd bytes of an end.
        let blocks = len.next_multiple_of(16).min(ROOM);
        let text = std::str::from_utf8(&self.bytes[..blocks]).unwrap_or_default();
        text.get(..len).unwrap_or_default()
    }

    /// Draws the board and gives its length.
    #[inline]
    fn board(&mut self, position: &Position) -> usize {
        let promoted = position.promoted().0;
        if promoted != self.promoted {
            self.forget(promoted ^ self.promoted);
            self.promoted = promoted;
            self.wide = promoted.to_ne_bytes().contains(&0xff);
        }
        let (occupied, mut len) = (position.occupied().0, 0);
        for (rank, letters) in position.letters().chunks_exact(8).enumerate().rev() {
            let mut row = [0; 8];
            row.copy_from_slice(letters);
            let letters = u64::from_le_bytes(row);
            let drawn = &mut self.ranks[rank];
            if drawn.letters != letters {
                let of_rank = |squares: u64| (squares >> (8 * rank)) as u8;
                drawn.draw(letters, of_rank(occupied), of_rank(promoted));
            }
            let at = len % (ROOM / 2);
            self.bytes[at..at + 16].copy_from_slice(&drawn.text);
            len += drawn.len;
        }
        if self.wide {
            self.slashes();
        }
        // No slash behind the last rank.
        len - 1
    }

    /// Ranks on which another man is promoted now must be drawn anew.
    #[inline(never)]
    fn forget(&mut self, squares: u64) {
        for (rank, drawn) in self.ranks.iter_mut().enumerate() {
            if (squares >> (8 * rank)) as u8 != 0 {
                *drawn = Rank::UNKNOWN;
            }
        }
    }

    /// Puts the slash behind every rank, for the widest ones have no room for it.
    #[inline(never)]
    fn slashes(&mut self) {
        let mut len = 0;
        for drawn in self.ranks.iter().rev() {
            len += drawn.len;
            self.bytes[(len - 1) % ROOM] = b'/';
        }
    }
}

/// The buffer of a [`Writer`] and how much of it is written.
struct Tail<'a> {
    bytes: &'a mut [u8; ROOM],
    len: usize,
}

impl Tail<'_> {
    /// Side to move, rights, limit of the count, checks left.
    #[inline]
    fn fields(&mut self, position: &Position, count: Option<SetupCount>) {
        let turn = position.turn().letter() as u8;
        if position.rights().is_empty() && count.is_none() && !position.first_check_wins() {
            self.some(&[b' ', turn, b' ', b'-', b' ', b'-']);
            return;
        }
        self.some(&[b' ', turn, b' ']);
        self.rights(position);
        self.push(b' ');
        match count {
            Some(count) => self.number(count.limit.0),
            None => self.push(b'-'),
        }
        if position.first_check_wins() {
            let left = position.checks_left();
            self.push(b' ');
            self.number(u32::from(left.white));
            self.push(b'+');
            self.number(u32::from(left.black));
        }
    }

    #[inline]
    fn rights(&mut self, position: &Position) {
        if position.rights().is_empty() {
            self.push(b'-');
        }
        for home in position.rights().squares() {
            let base = if home.rank() == 0 { b'A' } else { b'a' };
            self.push(base + home.file());
        }
    }

    #[inline]
    fn some<const N: usize>(&mut self, bytes: &[u8; N]) {
        let at = self.len % (ROOM / 2);
        self.bytes[at..at + N].copy_from_slice(bytes);
        self.len += N;
    }

    #[inline]
    fn push(&mut self, byte: u8) {
        self.bytes[self.len % ROOM] = byte;
        self.len += 1;
    }

    #[inline]
    fn number(&mut self, value: u32) {
        match value {
            0..10 => self.push(b'0' + value as u8),
            10..1000 => {
                if value >= 100 {
                    self.push(b'0' + (value / 100) as u8);
                }
                self.some(&PAIRS[(value % 100) as usize]);
            }
            _ => self.long_number(value),
        }
    }

    #[inline(never)]
    fn long_number(&mut self, value: u32) {
        if value >= 10 {
            self.long_number(value / 10);
        }
        self.push(b'0' + (value % 10) as u8);
    }
}

/// `00` to `99`.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut i = 0;
    while i < 100 {
        pairs[i] = [b'0' + (i / 10) as u8, b'0' + (i % 10) as u8];
        i += 1;
    }
    pairs
};
