//! One rank of a FEN: eight squares drawn at once, as bytes of one number.

/// A rank as it was drawn last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rank {
    /// Its letters, the a-file's in the lowest byte, 0 for an empty square.
    pub(super) letters: u64,
    /// What they look like, with the slash behind them unless there are eight with eight marks.
    pub(super) text: [u8; 16],
    /// The length of the text, the slash included.
    pub(super) len: usize,
}

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * EACH;

impl Rank {
    /// A rank that nobody has drawn: whatever stands there, it differs.
    pub(super) const UNKNOWN: Rank = Rank {
        letters: u64::MAX,
        text: [0; 16],
        len: 0,
    };

    /// Draws a rank. Bit 0 of the sets is the a-file.
    #[inline(never)]
    pub(super) fn draw(&mut self, letters: u64, occupied: u8, promoted: u8) {
        let gaps = &GAPS[occupied as usize];
        self.letters = letters;
        self.len = gaps.len;
        if promoted != 0 {
            return self.draw_marked(letters, gaps, promoted);
        }
        self.text[..8].copy_from_slice(&(gaps.close(letters) | gaps.slash).to_le_bytes());
        self.text[8] = b'/';
    }

    /// The letters of promoted men carry their mark in the high bit until all have their place.
    fn draw_marked(&mut self, letters: u64, gaps: &Gaps, promoted: u8) {
        // A byte for each bit of `promoted`, then 0x80 for each byte that is not 0.
        let chosen = (EACH * u64::from(promoted)) & 0x8040_2010_0804_0201;
        let closed = gaps.close(letters | ((chosen + 0x7f * EACH) & HIGH));
        let mut len = 0;
        let mut push = |byte| {
            if let Some(place) = self.text.get_mut(len) {
                *place = byte;
            }
            len += 1;
        };
        for byte in closed.to_le_bytes().into_iter().take(gaps.len - 1) {
            push(byte & 0x7f);
            if byte & 0x80 != 0 {
                push(b'~');
            }
        }
        push(b'/');
        self.len = len;
    }
}

/// What the empty squares of a rank make of its letters.
#[derive(Clone, Copy)]
struct Gaps {
    /// The length of each gap, as a digit in the place of its first square.
    digits: u64,
    /// The bytes that move by one place, then those that move by two, then by four.
    moving: [u64; 3],
    /// A slash after the last character, if there is room.
    slash: u64,
    /// The number of characters, the slash included.
    len: usize,
}

impl Gaps {
    const NONE: Gaps = Gaps {
        digits: 0,
        moving: [0; 3],
        slash: 0,
        len: 0,
    };

    /// Closes the gaps: digits take the place of the first square of each, and what follows a gap
    /// moves up to it.
    #[inline]
    fn close(&self, letters: u64) -> u64 {
        let mut text = letters | self.digits;
        for (step, moving) in self.moving.iter().enumerate() {
            let moving = text & moving;
            text = (text ^ moving) | moving >> (8 << step);
        }
        text
    }

    const fn of(occupied: usize) -> Gaps {
        let mut gaps = Gaps::NONE;
        let (mut file, mut first_empty) = (0, 8);
        while file < 8 {
            let empty = occupied >> file & 1 == 0;
            let goes_on = empty && first_empty < file;
            if !empty {
                first_empty = 8;
            } else if !goes_on {
                first_empty = file;
            }
            if empty {
                let step = if goes_on { 1 } else { b'1' as u64 };
                gaps.digits += step << (8 * first_empty);
            }
            if !goes_on {
                gaps.move_up(file);
            }
            file += 1;
        }
        if gaps.len < 8 {
            gaps.slash = (b'/' as u64) << (8 * gaps.len);
        }
        gaps.len += 1;
        gaps
    }

    /// The character of a file takes the next place: it moves by one, then by two, then by four.
    const fn move_up(&mut self, file: usize) {
        let (mut place, by) = (file, file - self.len);
        let mut step = 0;
        while step < 3 {
            if by >> step & 1 == 1 {
                self.moving[step] |= 0xff << (8 * place);
                place -= 1 << step;
            }
            step += 1;
        }
        self.len += 1;
    }
}

/// For each set of occupied squares of a rank.
static GAPS: [Gaps; 256] = {
    let mut table = [Gaps::NONE; 256];
    let mut occupied = 0;
    while occupied < 256 {
        table[occupied] = Gaps::of(occupied);
        occupied += 1;
    }
    table
};
