//! Rule sets: what RULES 10 calls a profile, loaded from a data file into plain fields.

mod builtin;
mod check;
mod file;
mod switches;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use builtin::IDS;
pub(crate) use switches::MoveRules;
pub use switches::{
    Authority, BoardTrigger, BoardWho, CountEnd, CountStart, CounterMate, DeadRule, FirstNumber,
    KingLeap, MetLeap, PiecesOver, RepetitionRule, RookLoss, Sutra, TimeVBare, Variant, home_side,
};

use crate::{FullMoves, Plies, Position, PositionError, Rights, Role, Setup, Square};

/// The name of a rule set: `makruk`, `cambodian-fairy`, ...
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RulesetId(String);

impl RulesetId {
    /// Any text names a rule set; whether it exists is another question.
    #[must_use]
    pub fn new(id: impl Into<String>) -> RulesetId {
        RulesetId(id.into())
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RulesetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A switch as its file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchText {
    /// The switch's name, as in RULES 10.
    pub name: &'static str,
    /// Its value, as the file writes it.
    pub value: String,
    /// Where the rule comes from, in the file's words.
    pub source: String,
    /// The file that states it: this rule set or one it is based on.
    pub stated_in: RulesetId,
}

/// The rules one game is judged by. Every field is a switch of RULES 10 and means what its type
/// says there.
#[derive(Clone, Debug)]
pub struct Ruleset {
    id: RulesetId,
    title: String,
    based_on: Option<RulesetId>,
    texts: Vec<SwitchText>,
    start_setup: Setup,
    start: Position,
    hash: [u8; 32],
    /// Which game is played.
    pub variant: Variant,
    /// Where the rule set takes its authority from.
    pub authority: Authority,
    /// The khun's first-move leap.
    pub king_leap: KingLeap,
    /// How a rook ends the right to it.
    pub king_rook_loss: RookLoss,
    /// The met's first-move leap.
    pub met_leap: MetLeap,
    /// Whether the first capture ends all rights.
    pub leap_until_capture: bool,
    /// Free first moves of RULES 8.
    pub sutras: Vec<Sutra>,
    /// Whether the first check wins.
    pub first_check_wins: bool,
    /// When the board's honour count becomes possible.
    pub board_trigger: BoardTrigger,
    /// Whether it starts by itself.
    pub board_start: CountStart,
    /// Who may count it.
    pub board_who: BoardWho,
    /// Its limit L.
    pub board_limit: FullMoves,
    /// When it is exhausted.
    pub board_end: CountEnd,
    /// Whether it may be stopped and started again.
    pub board_stop: bool,
    /// What a mate by the counting side means.
    pub counter_mate: CounterMate,
    /// Whether the pieces' honour count starts by itself.
    pub pieces_start: CountStart,
    /// The first number said in it.
    pub pieces_first: FirstNumber,
    /// When it is exhausted.
    pub pieces_end: CountEnd,
    /// What happens with too many men at its start.
    pub pieces_over: PiecesOver,
    /// The limit against a khon and two ma: 32 or 44.
    pub snn: FullMoves,
    /// Whether the counting side may begin it anew.
    pub pieces_restart: bool,
    /// What a third occurrence means.
    pub repetition: RepetitionRule,
    /// Whether rights are part of the position that repeats.
    pub rep_rights: bool,
    /// Which dead positions are drawn.
    pub dead: DeadRule,
    /// The length at which the game is drawn; 0 = never.
    pub ply_cap: Plies,
    /// What a fall of the flag against a bare khun means.
    pub time_v_bare: TimeVBare,
    /// Whether bia past their promotion rank and stray rights are taken as the reference engine
    /// takes them (RULES 2, 7) instead of refused.
    pub lenient_setup: bool,
    /// Whether SAN is written as the reference engine writes it, ambiguous met leaps included
    /// (RULES 7, 11.2).
    pub san_ambiguous_leap: bool,
}

impl Ruleset {
    /// A rule set that comes with the crate, perhaps with additions (RULES 8):
    /// `makruk+sut-khun+sut-met`.
    ///
    /// # Errors
    ///
    /// [`RulesetError::Unknown`] if there is none of this name;
    /// [`RulesetError::Contradiction`] if the additions do not go with it.
    pub fn builtin(id: &str) -> Result<Arc<Ruleset>, RulesetError> {
        builtin::find(id)
    }

    /// The names of the rule sets that come with the crate, without additions.
    #[must_use]
    pub fn builtin_ids() -> &'static [&'static str] {
        &IDS
    }

    /// What can go on top of makruk: name and title of each addition.
    pub fn additions() -> impl Iterator<Item = (&'static str, String)> {
        builtin::ADDITIONS
            .into_iter()
            .filter_map(|id| Some((id, builtin::addition_title(id)?)))
    }

    /// A user's own rule set, perhaps based on a builtin one.
    ///
    /// # Errors
    ///
    /// [`RulesetError`] with the place or the switch that is wrong.
    pub fn from_toml(text: &str) -> Result<Arc<Ruleset>, RulesetError> {
        file::read_foreign(text).and_then(file::build).map(Arc::new)
    }

    /// This rule set with the values that another one gives to some switches: a reading that asks
    /// which switch makes two rule sets judge one game differently.
    ///
    /// The switches may be any of [`Ruleset::switches`]; names that are none change nothing. Values
    /// that a file may not combine are allowed here. The board of the start stays, its first-move
    /// rights are those of either rule set that still mean something.
    ///
    /// # Errors
    ///
    /// [`RulesetError::Start`] if the start is no position under these switches.
    pub fn with_switches_of(
        &self,
        other: &Ruleset,
        switches: &[&str],
    ) -> Result<Arc<Ruleset>, RulesetError> {
        let mut rules = self.clone();
        rules.take(other, switches);
        rules.id = RulesetId::new(format!(
            "{} with {} of {}",
            self.id,
            switches.join(", "),
            other.id
        ));
        let mut rights = Rights::NONE;
        for home in self
            .start_setup
            .rights
            .with(other.start_setup.rights)
            .squares()
        {
            if rules.right_holder(home).is_some() {
                rights = rights.with(Rights::of_square(home));
            }
        }
        rules.start_setup.rights = rights;
        rules.start = Position::from_setup(&rules.start_setup, &rules)
            .map_err(|error| RulesetError::start(&rules.id, error))?;
        rules.hash = file::fingerprint(&rules);
        Ok(Arc::new(rules))
    }

    /// The name.
    #[must_use]
    pub const fn id(&self) -> &RulesetId {
        &self.id
    }

    /// A line for people.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Which game is played.
    #[must_use]
    pub const fn variant(&self) -> Variant {
        self.variant
    }

    /// Where the rule set takes its authority from.
    #[must_use]
    pub const fn authority(&self) -> Authority {
        self.authority
    }

    /// The rule set that this one inherits from.
    #[must_use]
    pub const fn based_on(&self) -> Option<&RulesetId> {
        self.based_on.as_ref()
    }

    /// Every switch with its value and source, in the order of RULES 10.
    #[must_use]
    pub fn switches(&self) -> &[SwitchText] {
        &self.texts
    }

    /// The start position.
    #[must_use]
    pub const fn start(&self) -> Position {
        self.start
    }

    /// The start position as a set-up.
    #[must_use]
    pub const fn start_setup(&self) -> &Setup {
        &self.start_setup
    }

    /// BLAKE3 over name, start and all switch values: comments and sources do not change it.
    #[must_use]
    pub const fn hash(&self) -> [u8; 32] {
        self.hash
    }

    pub(crate) fn move_rules(&self) -> MoveRules {
        MoveRules {
            king_leap: self.king_leap,
            king_rook_loss: self.king_rook_loss,
            met_leap: self.met_leap,
            sut_met: self.sutras.contains(&Sutra::Met),
            sut_ma: self.sutras.contains(&Sutra::Ma),
            leap_until_capture: self.leap_until_capture,
            first_check_wins: self.first_check_wins,
            rep_rights: self.rep_rights,
            lenient_setup: self.lenient_setup,
            san_ambiguous_leap: self.san_ambiguous_leap,
        }
    }

    /// The role whose first-move right a home square is, if the rule set has that right.
    #[must_use]
    pub fn right_holder(&self, home: Square) -> Option<Role> {
        self.move_rules().right_holder(home)
    }

    /// Whether the rule set has first-move rights at all.
    #[must_use]
    pub fn has_rights(&self) -> bool {
        self.move_rules().has_rights()
    }
}

impl PartialEq for Ruleset {
    fn eq(&self, other: &Ruleset) -> bool {
        self.hash == other.hash
    }
}

impl Eq for Ruleset {}

/// Why there is no such rule set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesetError {
    /// No builtin rule set has this name.
    #[error("no rule set is called `{0}`; there are: {list}; on top of makruk: +{additions}",
        list = IDS.join(", "), additions = builtin::ADDITIONS.join(", +"))]
    Unknown(RulesetId),
    /// A user's rule set needs another name.
    #[error("a rule set cannot be called `{id}`: {reason}")]
    Name {
        /// The name.
        id: RulesetId,
        /// Why not.
        reason: &'static str,
    },
    /// The file is no TOML, or has an unknown key or value; the message has line and column.
    #[error("{0}")]
    File(String),
    /// A switch has no value here nor in what the file is based on.
    #[error("rule set `{id}`: the switch `{switch}` is missing")]
    Missing {
        /// The rule set.
        id: RulesetId,
        /// The switch.
        switch: &'static str,
    },
    /// Two switches, or a switch and its value, contradict each other.
    #[error("rule set `{id}`: {reason}")]
    Contradiction {
        /// The rule set.
        id: RulesetId,
        /// What contradicts what.
        reason: String,
    },
    /// `based_on` leads back to the rule set.
    #[error("rule set `{0}` is based on itself")]
    Circle(RulesetId),
    /// The start position is no position.
    #[error("rule set `{id}`: start position: {reason}")]
    Start {
        /// The rule set.
        id: RulesetId,
        /// What is wrong with it.
        reason: String,
    },
}

impl RulesetError {
    fn start(id: &RulesetId, error: PositionError) -> RulesetError {
        RulesetError::Start {
            id: id.clone(),
            reason: error.to_string(),
        }
    }
}
