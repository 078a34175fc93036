//! The values of the switches of RULES 10.

use serde::Deserialize;

use crate::{Color, Role, Square};

/// An enum of switch values with the names that the rule-set files use.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// The name in rule-set files.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

switch! {
    /// Which game is played.
    Variant {
        /// Thai chess.
        Makruk = "makruk",
        /// Ouk chatrang, Cambodian chess.
        Ouk = "ouk",
        /// Ouk in which the first check wins.
        KarOuk = "kar-ouk",
    }
}

switch! {
    /// Where a rule set takes its authority from.
    Authority {
        /// A federation's or platform's own text.
        Binding = "binding",
        /// Our reading of sources none of which is a federation's own text.
        Assumed = "assumed",
        /// What an engine does.
        Engine = "engine",
    }
}

switch! {
    /// The khun's leap on its first move (RULES 5.1).
    KingLeap {
        /// None.
        None = "none",
        /// To the next rank, two files aside, empty.
        Fwd = "fwd",
        /// To any square a knight's move away, empty.
        Knight = "knight",
    }
}

switch! {
    /// How an enemy rook ends the khun's right to leap (RULES 5.1).
    RookLoss {
        /// It does not.
        None = "none",
        /// By moving to the khun's rank or file, whatever stands between.
        Line = "line",
        /// By moving to attack the khun.
        OpenLine = "open_line",
    }
}

switch! {
    /// The met's leap two squares ahead on its first move (RULES 5.2).
    MetLeap {
        /// None.
        None = "none",
        /// The square between may be occupied.
        Jump = "jump",
        /// The square between must be empty.
        Slide = "slide",
    }
}

switch! {
    /// A free first move of RULES 8.
    Sutra {
        /// Sut khun.
        Khun = "khun",
        /// Sut met.
        Met = "met",
        /// Sut ma.
        Ma = "ma",
    }
}

switch! {
    /// When the board's honour count becomes possible (RULES 4.1, 5.3).
    BoardTrigger {
        /// No bia on the board, neither side bare.
        NoPawns = "no_pawns",
        /// A side has three men or fewer, khun included, and the other is not bare.
        Le3 = "le3",
    }
}

switch! {
    /// Whether a count starts by itself.
    CountStart {
        /// A player must say so.
        Manual = "manual",
        /// It starts as soon as it can.
        Auto = "auto",
    }
}

switch! {
    /// Who may count the board's honour (RULES 10).
    BoardWho {
        /// The weaker side, as the record says: not computable.
        Weaker = "weaker",
        /// Any side with a man besides its khun, on its turn.
        Armed = "armed",
        /// The side to move when the trigger comes.
        ToMove = "to_move",
        /// The side to move that has three men or fewer.
        Le3 = "le3",
    }
}

switch! {
    /// When a count of limit L is exhausted (RULES 4.3).
    CountEnd {
        /// After the reply to the counting side's move number L, unless that reply mates.
        Reply = "reply",
        /// When the counting side's move says L + 1.
        Exceed = "exceed",
        /// When the counting side's move says L.
        Reach = "reach",
    }
}

switch! {
    /// The first number said in the pieces' honour count; N = men on the board at its start.
    FirstNumber {
        /// N.
        N = "N",
        /// N + 1.
        N1 = "N1",
    }
}

switch! {
    /// What happens when there are too many men at the start of the pieces' honour count.
    PiecesOver {
        /// Exactly one reply after the bare khun's first counted move.
        OneReply = "one_reply",
        /// No grace: the count is exhausted at once.
        None = "none",
    }
}

switch! {
    /// What it means that the counting side mates while counting.
    CounterMate {
        /// Draw.
        Draw = "draw",
        /// Win, as any mate.
        Win = "win",
    }
}

switch! {
    /// What a third occurrence of a position means.
    RepetitionRule {
        /// Draw at once.
        Auto3 = "auto3",
        /// A player may claim a draw: only the record shows it.
        Claim3 = "claim3",
        /// Nothing.
        None = "none",
    }
}

switch! {
    /// Which positions are drawn because nobody can mate (RULES 6).
    DeadRule {
        /// None.
        None = "none",
        /// Khun against khun.
        Kvk = "kvk",
        /// Both sides insufficient by RULES 6.1.
        Material = "material",
        /// Nothing ends; the fact is only reported.
        Report = "report",
    }
}

switch! {
    /// What a fall of the flag against a bare khun means.
    TimeVBare {
        /// Loss, as any fall of the flag.
        Loss = "loss",
        /// Draw if the other side cannot mate.
        Draw = "draw",
    }
}

/// The switches that decide how men move, small enough to travel in each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MoveRules {
    pub(crate) king_leap: KingLeap,
    pub(crate) king_rook_loss: RookLoss,
    pub(crate) met_leap: MetLeap,
    pub(crate) sut_met: bool,
    pub(crate) sut_ma: bool,
    pub(crate) leap_until_capture: bool,
    pub(crate) first_check_wins: bool,
    pub(crate) rep_rights: bool,
    pub(crate) lenient_setup: bool,
    pub(crate) san_ambiguous_leap: bool,
}

impl MoveRules {
    pub(crate) fn has_rights(self) -> bool {
        self.king_leap != KingLeap::None
            || self.met_leap != MetLeap::None
            || self.sut_met
            || self.sut_ma
    }

    /// The role whose right a home square is, if the rule set has that right.
    pub(crate) fn right_holder(self, home: Square) -> Option<Role> {
        let white = home.rank() == 0;
        match home.file() {
            3 if white => self.khun_right(),
            4 if white => self.met_right(),
            3 => self.met_right(),
            4 => self.khun_right(),
            1 | 6 => self.sut_ma.then_some(Role::Ma),
            _ => None,
        }
    }

    fn khun_right(self) -> Option<Role> {
        (self.king_leap != KingLeap::None).then_some(Role::Khun)
    }

    fn met_right(self) -> Option<Role> {
        (self.met_leap != MetLeap::None || self.sut_met).then_some(Role::Met)
    }
}

/// The side whose home rank a home square is on.
#[must_use]
pub fn home_side(home: Square) -> Color {
    if home.rank() == 0 {
        Color::White
    } else {
        Color::Black
    }
}
