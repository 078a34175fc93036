//! The letters of a dialect: which men each can mean.

use rules::{Man, Role};

use super::script::{Numbering, Script};

/// A set of kinds of men, met and promoted bia apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u8);

impl Kinds {
    /// No kind.
    pub const NONE: Kinds = Kinds(0);
    /// Bia.
    pub const BIA: Kinds = Kinds(1);
    /// A met that has been one from the start.
    pub const MET: Kinds = Kinds(2);
    /// A promoted bia.
    pub const BIA_NGAI: Kinds = Kinds(4);
    /// Khon.
    pub const KHON: Kinds = Kinds(8);
    /// Ma.
    pub const MA: Kinds = Kinds(16);
    /// Rua.
    pub const RUA: Kinds = Kinds(32);
    /// Khun.
    pub const KHUN: Kinds = Kinds(64);
    /// Met and promoted bia, which move alike.
    pub const METS: Kinds = Kinds(2 | 4);
    /// Bia and promoted bia, which some dialects write alike.
    pub const BIAS: Kinds = Kinds(1 | 4);
    /// Every kind.
    pub const ALL: Kinds = Kinds(127);

    /// The kind of a man.
    #[inline]
    pub fn of(man: Man) -> Kinds {
        match (man.role, man.promoted) {
            (Role::Bia, _) => Kinds::BIA,
            (Role::Met, true) => Kinds::BIA_NGAI,
            (Role::Met, false) => Kinds::MET,
            (Role::Khon, _) => Kinds::KHON,
            (Role::Ma, _) => Kinds::MA,
            (Role::Rua, _) => Kinds::RUA,
            (Role::Khun, _) => Kinds::KHUN,
        }
    }

    /// Whether the man is of one of these kinds.
    #[inline]
    pub fn has(self, man: Man) -> bool {
        self.0 & Kinds::of(man).0 != 0
    }

    /// All kinds of both.
    pub fn with(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Whether any kind is in both.
    pub fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there is no kind.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What one letter can mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// As the dialect uses it.
    pub(crate) kinds: Kinds,
    /// What it may mean besides, if that fits nothing.
    pub(crate) loose: Kinds,
    /// Whether the letter is another dialect's.
    pub(crate) alias: bool,
}

/// The letters of a dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letters {
    name: &'static str,
    men: [Meaning; 26],
    /// Letters that mean promotion, the dialect's own first.
    promotion: &'static [u8],
    /// Whether moves are usually written from square to square, so that this is no tolerance.
    long: bool,
    /// Whether the dialect never writes promotion.
    silent: bool,
    script: Script,
}

const PROMOTION_M: &[u8] = b"MmQqPpFf*";
const PROMOTION_F: &[u8] = b"FfMmQqPp*";
const PROMOTION_P: &[u8] = b"PpMmQqFf*";

impl Letters {
    /// `K M S N R`, promoted bia `M` too, promotion `=M`: pychess, WinBoard, cutechess. `F` and `E` as cutechess reads
    /// them, and `Q B C` as others write, each as an alias.
    pub fn standard() -> Letters {
        let mut letters = Letters::empty("standard", PROMOTION_M);
        letters.own(b'K', Kinds::KHUN, Kinds::KHUN);
        letters.own(b'M', Kinds::METS, Kinds::METS);
        letters.own(b'S', Kinds::KHON, Kinds::KHON);
        letters.own(b'N', Kinds::MA, Kinds::MA);
        letters.own(b'R', Kinds::RUA, Kinds::RUA);
        letters.own(b'P', Kinds::BIA, Kinds::BIAS);
        letters.alias(b'F', Kinds::METS);
        letters.alias(b'Q', Kinds::METS);
        letters.alias(b'E', Kinds::KHON);
        letters.alias(b'B', Kinds::KHON);
        letters.alias(b'C', Kinds::KHON);
        letters
    }

    /// PlayOK: `K Q B N R`; `Q` is the met of the start only, and `P` a promoted bia.
    pub fn playok() -> Letters {
        let mut letters = Letters::empty("playok", PROMOTION_P);
        letters.own(b'K', Kinds::KHUN, Kinds::KHUN);
        letters.own(b'Q', Kinds::MET, Kinds::METS);
        letters.own(b'B', Kinds::KHON, Kinds::KHON);
        letters.own(b'N', Kinds::MA, Kinds::MA);
        letters.own(b'R', Kinds::RUA, Kinds::RUA);
        letters.own(b'P', Kinds::BIA_NGAI, Kinds::BIAS);
        letters.alias(b'M', Kinds::METS);
        letters.alias(b'F', Kinds::METS);
        letters.alias(b'S', Kinds::KHON);
        letters
    }

    /// SchemingMind: `K Q B N R`; `Q` is a promoted bia too, and promotion is not written.
    pub fn schemingmind() -> Letters {
        let mut letters = Letters::empty("schemingmind", PROMOTION_M);
        letters.own(b'K', Kinds::KHUN, Kinds::KHUN);
        letters.own(b'Q', Kinds::METS, Kinds::METS);
        letters.own(b'B', Kinds::KHON, Kinds::KHON);
        letters.own(b'N', Kinds::MA, Kinds::MA);
        letters.own(b'R', Kinds::RUA, Kinds::RUA);
        letters.alias(b'P', Kinds::BIAS);
        letters.silent()
    }

    /// makruk-js: `B` bia, `F` promoted bia, `E` met, `T` khon, `M` ma; promotion `=F`.
    pub fn makruk_js() -> Letters {
        let mut letters = Letters::empty("makruk-js", PROMOTION_F);
        letters.own(b'K', Kinds::KHUN, Kinds::KHUN);
        letters.own(b'E', Kinds::MET, Kinds::METS);
        letters.own(b'F', Kinds::BIA_NGAI, Kinds::METS);
        letters.own(b'T', Kinds::KHON, Kinds::KHON);
        letters.own(b'M', Kinds::MA, Kinds::MA);
        letters.own(b'R', Kinds::RUA, Kinds::RUA);
        letters.own(b'B', Kinds::BIA, Kinds::BIAS);
        letters
    }

    /// The khmer web client: the standard letters or those of khmer-chess.js, each beside a full origin that tells which
    /// man is meant; promotion `=F`.
    pub fn khmer_client() -> Letters {
        let mut letters = Letters::standard();
        (letters.name, letters.promotion) = ("khmer-client", PROMOTION_F);
        letters.own(b'G', Kinds::KHON, Kinds::KHON);
        letters.own(b'H', Kinds::MA, Kinds::MA);
        letters.own(b'Q', Kinds::METS, Kinds::METS);
        letters.own(
            b'B',
            Kinds::KHON.with(Kinds::RUA),
            Kinds::KHON.with(Kinds::RUA),
        );
        letters.own(
            b'F',
            Kinds::METS.with(Kinds::BIA),
            Kinds::METS.with(Kinds::BIA),
        );
        letters.own(b'T', Kinds::BIA_NGAI, Kinds::METS);
        letters.long()
    }

    /// BJ Makruk: the standard letters, and `C` for khon.
    pub fn bj_makruk() -> Letters {
        let mut letters = Letters::standard();
        letters.name = "bj-makruk";
        letters.own(b'C', Kinds::KHON, Kinds::KHON);
        letters
    }

    /// Thai script; where it is mixed with Latin letters these are the standard ones.
    pub fn thai() -> Letters {
        let mut letters = Letters::standard();
        letters.name = "thai";
        letters.long()
    }

    /// KPGN of khmer-chess.js.
    pub fn kpgn() -> Letters {
        let mut letters = Letters::empty("kpgn", b"*");
        letters.script = Script::Kpgn;
        letters.long()
    }

    /// Squares under numbers; a man's letter before them is a standard one.
    pub fn numbered(numbering: Numbering) -> Letters {
        let mut letters = Letters::standard();
        letters.name = "numbered";
        letters.script = Script::Numbers(numbering);
        letters.long().silent()
    }

    /// The same letters for a dialect that never writes promotion, so that this is no tolerance.
    pub fn silent(mut self) -> Letters {
        self.silent = true;
        self
    }

    /// Whether the dialect never writes promotion.
    pub(crate) fn is_silent(&self) -> bool {
        self.silent
    }

    /// The same letters for a record whose moves are written from square to square throughout.
    pub fn long(mut self) -> Letters {
        self.long = true;
        self
    }

    fn empty(name: &'static str, promotion: &'static [u8]) -> Letters {
        Letters {
            name,
            men: [Meaning::default(); 26],
            promotion,
            long: false,
            silent: false,
            script: Script::Squares,
        }
    }

    pub(crate) fn script(&self) -> Script {
        self.script
    }

    fn own(&mut self, letter: u8, kinds: Kinds, loose: Kinds) {
        self.set(
            letter,
            Meaning {
                kinds,
                loose,
                alias: false,
            },
        );
    }

    fn alias(&mut self, letter: u8, kinds: Kinds) {
        self.set(
            letter,
            Meaning {
                kinds,
                loose: kinds,
                alias: true,
            },
        );
    }

    fn set(&mut self, letter: u8, meaning: Meaning) {
        if let Some(slot) = self.men.get_mut(usize::from(letter.wrapping_sub(b'A'))) {
            *slot = meaning;
        }
    }

    /// The name of the set.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What an upper-case letter can mean; `None` if nothing.
    #[inline]
    pub(crate) fn meaning(&self, letter: u8) -> Option<Meaning> {
        self.men
            .get(usize::from(letter.wrapping_sub(b'A')))
            .copied()
            .filter(|meaning| !meaning.kinds.is_empty())
    }

    /// Whether a letter after a move can mean promotion to a met.
    pub(crate) fn promotes(&self, letter: u8) -> bool {
        self.promotion.contains(&letter)
    }

    /// Whether this is how the dialect writes promotion.
    pub(crate) fn writes_promotion(&self, letter: u8) -> bool {
        self.promotion.first() == Some(&letter)
    }

    /// Whether moves are usually written from square to square.
    pub(crate) fn is_long(&self) -> bool {
        self.long
    }
}
