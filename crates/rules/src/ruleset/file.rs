//! Reading a rule-set file.
//!
//! A file has `id`, `title`, perhaps `based_on`, `variant`, `authority`, a `[start]` with the board
//! as eight rows and the rights, and `[switches]`, where each line is
//! `name = { value = ..., source = "..." }`. What a file leaves out it has from `based_on`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::switches::{
    Authority, BoardTrigger, BoardWho, CountEnd, CountStart, CounterMate, DeadRule, FirstNumber,
    KingLeap, MetLeap, PiecesOver, RepetitionRule, RookLoss, Sutra, TimeVBare, Variant,
};
use super::{Ruleset, RulesetError, RulesetId, SwitchText, builtin, check};
use crate::{Color, FullMoves, Man, Plies, Position, Rights, Role, Setup, Square};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RulesetFile {
    id: String,
    pub(super) title: String,
    based_on: Option<String>,
    pub(super) variant: Option<Variant>,
    pub(super) authority: Option<Authority>,
    pub(super) start: Option<StartFile>,
    #[serde(default)]
    pub(super) switches: Switches,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub(super) struct StartFile {
    board: Vec<String>,
    pub(super) rights: String,
    #[serde(rename = "source")]
    _source: String,
    /// What an addition puts on the board in place of what stands there.
    #[serde(skip)]
    pub(super) men: BTreeMap<String, String>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Sourced<T> {
    value: T,
    source: String,
    #[serde(skip)]
    stated_in: String,
}

impl<T: Show + Clone> Sourced<T> {
    /// One switch for two additions, if they can agree.
    fn unite(&self, other: &Sourced<T>) -> Option<Sourced<T>> {
        let value = self.value.unite(&other.value)?;
        let source = match self.source == other.source {
            true => self.source.clone(),
            false => format!("{}; {}", self.source, other.source),
        };
        Some(Sourced {
            value,
            source,
            stated_in: format!("{}, {}", self.stated_in, other.stated_in),
        })
    }
}

/// How a value reads in a listing, and how two additions share a switch.
trait Show: Sized + Clone {
    fn show(&self) -> String;

    /// The value that satisfies both, if any.
    fn unite(&self, other: &Self) -> Option<Self> {
        (self.show() == other.show()).then(|| self.clone())
    }
}

impl Show for bool {
    fn show(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl Show for FullMoves {
    fn show(&self) -> String {
        self.0.to_string()
    }
}

impl Show for Plies {
    fn show(&self) -> String {
        self.0.to_string()
    }
}

impl Show for Vec<Sutra> {
    fn show(&self) -> String {
        let names: Vec<_> = self.iter().map(|sutra| sutra.as_str()).collect();
        format!("[{}]", names.join(", "))
    }

    fn unite(&self, other: &Self) -> Option<Self> {
        let mut both = [self.as_slice(), other.as_slice()].concat();
        both.sort_unstable();
        both.dedup();
        Some(both)
    }
}

macro_rules! show_by_name {
    ($($name:ty),*) => { $(impl Show for $name {
        fn show(&self) -> String { self.as_str().to_owned() }
    })* };
}

show_by_name!(
    KingLeap,
    RookLoss,
    MetLeap,
    BoardTrigger,
    CountStart,
    BoardWho,
    CountEnd,
    CounterMate,
    FirstNumber,
    PiecesOver,
    RepetitionRule,
    DeadRule,
    TimeVBare
);

/// The switches of a file and the functions that treat them all alike.
macro_rules! switches {
    ($($name:ident: $type:ty,)*) => {
        #[derive(Deserialize, Default, Clone)]
        #[serde(deny_unknown_fields)]
        pub(super) struct Switches { $($name: Option<Sourced<$type>>,)* }

        impl Switches {
            pub(super) fn sign(&mut self, id: &str) {
                $(if let Some(switch) = &mut self.$name { switch.stated_in = id.to_owned(); })*
            }

            /// What this file leaves out is taken from another.
            fn inherit(&mut self, base: &Switches) {
                $(if self.$name.is_none() { self.$name = base.$name.clone(); })*
            }

            /// Puts an addition's switches in place of one's own.
            ///
            /// # Errors
            ///
            /// The switch to which `by_addition`, the switches that additions have set so far,
            /// gives another value.
            pub(super) fn add(
                &mut self,
                addition: &Switches,
                by_addition: &mut Vec<&'static str>,
            ) -> Result<(), &'static str> {
                $(if let Some(switch) = &addition.$name {
                    let mut switch = switch.clone();
                    if let Some(own) = self.$name.as_ref().filter(|_| {
                        by_addition.contains(&stringify!($name))
                    }) {
                        switch = own.unite(&switch).ok_or(stringify!($name))?;
                    }
                    self.$name = Some(switch);
                    by_addition.push(stringify!($name));
                })*
                Ok(())
            }

            fn texts(&self) -> Vec<SwitchText> {
                let mut texts = Vec::new();
                $(if let Some(switch) = &self.$name {
                    texts.push(SwitchText {
                        name: stringify!($name),
                        value: switch.value.show(),
                        source: switch.source.clone(),
                        stated_in: RulesetId::new(switch.stated_in.clone()),
                    });
                })*
                texts
            }

            fn values(&self, id: &RulesetId) -> Result<Values, RulesetError> {
                Ok(Values { $($name: match &self.$name {
                    Some(switch) => switch.value.clone(),
                    None => return Err(RulesetError::Missing {
                        id: id.clone(),
                        switch: stringify!($name),
                    }),
                },)* })
            }
        }

        pub(super) struct Values { $(pub(super) $name: $type,)* }

        impl Ruleset {
            /// Takes the values of some switches from another rule set.
            pub(super) fn take(&mut self, other: &Ruleset, switches: &[&str]) {
                $(if switches.contains(&stringify!($name)) {
                    self.$name = other.$name.clone();
                })*
                for (own, text) in self.texts.iter_mut().zip(&other.texts) {
                    if switches.contains(&text.name) {
                        *own = text.clone();
                    }
                }
            }
        }
    };
}

switches! {
    king_leap: KingLeap,
    king_rook_loss: RookLoss,
    met_leap: MetLeap,
    leap_until_capture: bool,
    sutras: Vec<Sutra>,
    first_check_wins: bool,
    board_trigger: BoardTrigger,
    board_start: CountStart,
    board_who: BoardWho,
    board_limit: FullMoves,
    board_end: CountEnd,
    board_stop: bool,
    counter_mate: CounterMate,
    pieces_start: CountStart,
    pieces_first: FirstNumber,
    pieces_end: CountEnd,
    pieces_over: PiecesOver,
    snn: FullMoves,
    pieces_restart: bool,
    repetition: RepetitionRule,
    rep_rights: bool,
    dead: DeadRule,
    ply_cap: Plies,
    time_v_bare: TimeVBare,
    lenient_setup: bool,
    san_ambiguous_leap: bool,
}

impl RulesetFile {
    /// Another name, for a rule set with additions, which is then based on the one without.
    pub(super) fn rename(&mut self, id: &str) {
        if id != self.id {
            self.based_on = Some(std::mem::replace(&mut self.id, id.to_owned()));
        }
    }
}

/// Reads a file and fills in what it leaves out from what it is based on.
///
/// # Errors
///
/// [`RulesetError`] if the text is no such file or `based_on` leads nowhere.
pub(super) fn read(text: &str) -> Result<RulesetFile, RulesetError> {
    let mut own: RulesetFile = parse(text)?;
    own.switches.sign(&own.id);
    if let Some(base_id) = &own.based_on {
        if *base_id == own.id {
            return Err(RulesetError::Circle(RulesetId::new(base_id)));
        }
        let base = builtin::file(base_id)?;
        own.switches.inherit(&base.switches);
        own.start = own.start.or(base.start);
        own.variant = own.variant.or(base.variant);
        own.authority = own.authority.or(base.authority);
    }
    Ok(own)
}

/// As [`read`], for a user's file, whose id must be its own.
pub(super) fn read_foreign(text: &str) -> Result<RulesetFile, RulesetError> {
    let file = read(text)?;
    let plain = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_.".contains(letter)
    };
    if file.id.is_empty() || !file.id.chars().all(plain) {
        return Err(RulesetError::Name {
            id: RulesetId::new(file.id),
            reason: "use lower-case letters, digits, `-`, `_` and `.` only",
        });
    }
    if super::IDS.contains(&file.id.as_str()) {
        return Err(RulesetError::Name {
            id: RulesetId::new(file.id),
            reason: "a rule set that comes with the program has this name",
        });
    }
    Ok(file)
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, RulesetError> {
    toml::from_str(text).map_err(|error| RulesetError::File(error.to_string()))
}

/// # Errors
///
/// [`RulesetError`] if a switch is missing, two contradict each other or the start is no position.
pub(super) fn build(file: RulesetFile) -> Result<Ruleset, RulesetError> {
    let id = RulesetId::new(file.id.clone());
    let missing = |switch| RulesetError::Missing {
        id: id.clone(),
        switch,
    };
    let variant = file.variant.ok_or_else(|| missing("variant"))?;
    let authority = file.authority.ok_or_else(|| missing("authority"))?;
    let start_setup = read_start(&id, file.start.as_ref().ok_or_else(|| missing("start"))?)?;
    let v = file.switches.values(&id)?;
    if let Some(reason) = check::contradiction(variant, &v) {
        return Err(RulesetError::Contradiction { id, reason });
    }
    let mut rules = Ruleset {
        title: file.title,
        based_on: file.based_on.map(RulesetId::new),
        texts: file.switches.texts(),
        // Any position does until the rules are whole enough to make the real one.
        start: EMPTY,
        start_setup,
        hash: [0; 32],
        variant,
        authority,
        king_leap: v.king_leap,
        king_rook_loss: v.king_rook_loss,
        met_leap: v.met_leap,
        leap_until_capture: v.leap_until_capture,
        sutras: v.sutras,
        first_check_wins: v.first_check_wins,
        board_trigger: v.board_trigger,
        board_start: v.board_start,
        board_who: v.board_who,
        board_limit: v.board_limit,
        board_end: v.board_end,
        board_stop: v.board_stop,
        counter_mate: v.counter_mate,
        pieces_start: v.pieces_start,
        pieces_first: v.pieces_first,
        pieces_end: v.pieces_end,
        pieces_over: v.pieces_over,
        snn: v.snn,
        pieces_restart: v.pieces_restart,
        repetition: v.repetition,
        rep_rights: v.rep_rights,
        dead: v.dead,
        ply_cap: v.ply_cap,
        time_v_bare: v.time_v_bare,
        lenient_setup: v.lenient_setup,
        san_ambiguous_leap: v.san_ambiguous_leap,
        id,
    };
    rules.start = Position::from_setup(&rules.start_setup, &rules)
        .map_err(|error| RulesetError::start(&rules.id, error))?;
    // A lenient set-up drops a right without a word; a rule set's own start says what it means.
    let dropped = rules.start_setup.rights.without(rules.start.rights());
    if let Some(home) = dropped.squares().next() {
        let error = crate::PositionError::RightUnknown(home);
        return Err(RulesetError::start(&rules.id, error));
    }
    if let Some(reason) = check::unclaimed(&rules.start, &rules) {
        let id = rules.id;
        return Err(RulesetError::Contradiction { id, reason });
    }
    rules.hash = fingerprint(&rules);
    Ok(rules)
}

const EMPTY: Position = Position {
    roles: crate::ByRole([0; 6]),
    sides: [0; 2],
    promoted: 0,
    board: [0; 64],
    key: 0,
    ply_clock: Plies::ZERO,
    fullmove: FullMoves(1),
    turn: Color::White,
    rights: Rights::NONE,
    checks_left: crate::ByColor { white: 1, black: 1 },
    rules: super::MoveRules {
        king_leap: KingLeap::None,
        king_rook_loss: RookLoss::None,
        met_leap: MetLeap::None,
        sut_met: false,
        sut_ma: false,
        leap_until_capture: false,
        first_check_wins: false,
        rep_rights: false,
        lenient_setup: false,
        san_ambiguous_leap: false,
    },
};

fn read_start(id: &RulesetId, start: &StartFile) -> Result<Setup, RulesetError> {
    let wrong = |reason: String| RulesetError::Start {
        id: id.clone(),
        reason,
    };
    let mut setup = Setup::empty();
    if start.board.len() != 8 {
        return Err(wrong(format!("{} rows, want 8", start.board.len())));
    }
    for (row, rank) in start.board.iter().zip((0..8).rev()) {
        let cells: Vec<_> = row.split_whitespace().collect();
        if cells.len() != 8 {
            return Err(wrong(format!("row `{row}` has {} squares", cells.len())));
        }
        for (cell, file) in cells.iter().zip(0..) {
            let man = read_man(cell).map_err(|()| wrong(format!("no man: `{cell}`")))?;
            if let Some(square) = Square::new(file, rank) {
                setup.put(square, man);
            }
        }
    }
    for (name, cell) in &start.men {
        let square = name
            .parse()
            .map_err(|_| wrong(format!("no square: `{name}`")))?;
        setup.put(
            square,
            read_man(cell).map_err(|()| wrong(format!("no man: `{cell}`")))?,
        );
    }
    for letter in start.rights.chars().filter(|&letter| letter != '-') {
        let right =
            Rights::from_letter(letter).ok_or_else(|| wrong(format!("no right: `{letter}`")))?;
        setup.rights = setup.rights.with(right);
    }
    Ok(setup)
}

fn read_man(cell: &str) -> Result<Option<Man>, ()> {
    let (letter, promoted) = match cell.strip_suffix('~') {
        Some(letter) => (letter, true),
        None => (cell, false),
    };
    let mut letters = letter.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else {
        return Err(());
    };
    if letter == '.' {
        return Ok(None);
    }
    let role = Role::from_letter(letter).ok_or(())?;
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    Ok(Some(Man {
        color,
        role,
        promoted,
    }))
}

pub(super) fn fingerprint(rules: &Ruleset) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    let mut line = |name: &str, value: &str| {
        hasher.update(name.as_bytes());
        hasher.update(b"=");
        hasher.update(value.as_bytes());
        hasher.update(b"\n");
    };
    line("id", rules.id.as_str());
    line("variant", rules.variant.as_str());
    line("authority", rules.authority.as_str());
    line("start", &format!("{:?}", rules.start));
    line("promoted", &format!("{:?}", rules.start.promoted()));
    for text in &rules.texts {
        line(text.name, &text.value);
    }
    *hasher.finalize().as_bytes()
}
