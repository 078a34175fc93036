//! What was overlooked in reading a token.

use std::fmt;

/// One way in which a token is looser than its dialect writes it.
///
/// The sources are the points of FORMATS 2; for a sutra's bia RULES 8, whose spelling is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tolerance {
    /// Written from square to square although the dialect writes short moves: `e3-e4`, `e3e4`.
    LongForm,
    /// A capture without its mark.
    CaptureMarkMissing,
    /// A capture mark on a move that takes nothing.
    CaptureMarkWrong,
    /// A capture mark other than `x`: `:` or `×`.
    CaptureMarkOdd,
    /// A promotion without `=M`.
    PromotionLeftOut,
    /// A promotion with another letter or form than the dialect's: `=Q`, `=F`, `=P`, `M`.
    PromotionLetter,
    /// More origin than needed.
    OverDisambiguated,
    /// A letter of another dialect that can mean only one kind of man here.
    LetterAlias,
    /// The letter names a man that has no such move, but its like has: met and promoted bia, bia and promoted bia.
    ManLetter,
    /// A man's letter in lower case.
    LetterCase,
    /// Judgement signs glued to the move: `!?`.
    Glyphs,
    /// A move number glued to the move: `1.e4`.
    GluedNumber,
    /// Other characters dropped: a dash between man and square, brackets, stray signs.
    StraySigns,
    /// Blanks inside the move: `c 3 - c 4`.
    Blanks,
    /// A sutra's move without the bia that made room: `Me3` for `Me3/e4`.
    BiaLeftOut,
}

impl Tolerance {
    /// All, in the order of their bits.
    pub const ALL: [Tolerance; 15] = [
        Tolerance::LongForm,
        Tolerance::CaptureMarkMissing,
        Tolerance::CaptureMarkWrong,
        Tolerance::CaptureMarkOdd,
        Tolerance::PromotionLeftOut,
        Tolerance::PromotionLetter,
        Tolerance::OverDisambiguated,
        Tolerance::LetterAlias,
        Tolerance::ManLetter,
        Tolerance::LetterCase,
        Tolerance::Glyphs,
        Tolerance::GluedNumber,
        Tolerance::StraySigns,
        Tolerance::Blanks,
        Tolerance::BiaLeftOut,
    ];

    /// The name in evidence.
    pub fn as_str(self) -> &'static str {
        match self {
            Tolerance::LongForm => "long_form",
            Tolerance::CaptureMarkMissing => "capture_mark_missing",
            Tolerance::CaptureMarkWrong => "capture_mark_wrong",
            Tolerance::CaptureMarkOdd => "capture_mark_odd",
            Tolerance::PromotionLeftOut => "promotion_left_out",
            Tolerance::PromotionLetter => "promotion_letter",
            Tolerance::OverDisambiguated => "over_disambiguated",
            Tolerance::LetterAlias => "letter_alias",
            Tolerance::ManLetter => "man_letter",
            Tolerance::LetterCase => "letter_case",
            Tolerance::Glyphs => "glyphs",
            Tolerance::GluedNumber => "glued_number",
            Tolerance::StraySigns => "stray_signs",
            Tolerance::Blanks => "blanks",
            Tolerance::BiaLeftOut => "bia_left_out",
        }
    }

    /// One phrase for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Tolerance::LongForm => "written from square to square",
            Tolerance::CaptureMarkMissing => "capture mark left out",
            Tolerance::CaptureMarkWrong => "capture mark on a move that takes nothing",
            Tolerance::CaptureMarkOdd => "capture mark other than x",
            Tolerance::PromotionLeftOut => "promotion not written",
            Tolerance::PromotionLetter => "promotion written in another way than the dialect's",
            Tolerance::OverDisambiguated => "more of the origin written than needed",
            Tolerance::LetterAlias => "letter of another dialect",
            Tolerance::ManLetter => "letter of another man that moves alike",
            Tolerance::LetterCase => "man's letter in lower case",
            Tolerance::Glyphs => "judgement signs glued to the move",
            Tolerance::GluedNumber => "move number glued to the move",
            Tolerance::StraySigns => "stray signs dropped",
            Tolerance::Blanks => "blanks inside the move",
            Tolerance::BiaLeftOut => "the bia that makes room left out",
        }
    }
}

/// A set of tolerances.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tolerances(u16);

impl Tolerances {
    /// The empty set.
    pub const NONE: Tolerances = Tolerances(0);

    /// Whether nothing was overlooked.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one.
    #[inline]
    pub fn add(&mut self, tolerance: Tolerance) {
        self.0 |= 1 << tolerance as u8;
    }

    /// Whether it is in the set.
    pub fn has(self, tolerance: Tolerance) -> bool {
        self.0 & 1 << tolerance as u8 != 0
    }

    /// Its members, in order.
    pub fn iter(self) -> impl Iterator<Item = Tolerance> {
        Tolerance::ALL
            .into_iter()
            .filter(move |&tolerance| self.has(tolerance))
    }
}

impl fmt::Debug for Tolerances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
