//! Reading a rule-set file.
//!
//! A file has `id`, `title`, perhaps `based_on`, `variant`, `authority`, a `[start]` with the board
//! as eight rows and the rights, and `[switches]`, where each line is
//! `name = { value = ..., source = "..." }`. What a file leaves out it has from `based_on`.

use serde::Deserialize;

use super::switches::{
    Authority, BoardTrigger, BoardWho, CountEnd, CountStart, CounterMate, DeadRule, FirstNumber,
    KingLeap, MetLeap, PiecesOver, RepetitionRule, RookLoss, Sutra, TimeVBare, Variant,
};
use super::{Ruleset, RulesetError, RulesetId, SwitchText};
use crate::{Color, Man, Position, Rights, Role, Setup, Square};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RulesetFile {
    id: String,
    title: String,
    based_on: Option<String>,
    variant: Option<Variant>,
    authority: Option<Authority>,
    start: Option<StartFile>,
    #[serde(default)]
    switches: Switches,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct StartFile {
    board: Vec<String>,
    rights: String,
    #[serde(rename = "source")]
    _source: String,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
struct Sourced<T> {
    value: T,
    source: String,
    #[serde(skip)]
    stated_in: String,
}

/// How a value reads in a listing.
trait Show {
    fn show(&self) -> String;
}

impl Show for bool {
    fn show(&self) -> String {
        if *self { "yes" } else { "no" }.to_owned()
    }
}

impl Show for u16 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for u32 {
    fn show(&self) -> String {
        self.to_string()
    }
}

impl Show for Vec<Sutra> {
    fn show(&self) -> String {
        let names: Vec<_> = self.iter().map(|sutra| sutra.as_str()).collect();
        format!("[{}]", names.join(", "))
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
        struct Switches { $($name: Option<Sourced<$type>>,)* }

        impl Switches {
            fn sign(&mut self, id: &str) {
                $(if let Some(switch) = &mut self.$name { switch.stated_in = id.to_owned(); })*
            }

            /// What this file leaves out is taken from another.
            fn inherit(&mut self, base: &Switches) {
                $(if self.$name.is_none() { self.$name = base.$name.clone(); })*
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

        struct Values { $($name: $type,)* }
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
    board_limit: u16,
    board_end: CountEnd,
    board_stop: bool,
    counter_mate: CounterMate,
    pieces_start: CountStart,
    pieces_first: FirstNumber,
    pieces_end: CountEnd,
    pieces_over: PiecesOver,
    snn: u16,
    pieces_restart: bool,
    repetition: RepetitionRule,
    rep_rights: bool,
    dead: DeadRule,
    ply_cap: u32,
    time_v_bare: TimeVBare,
    lenient_setup: bool,
    san_ambiguous_leap: bool,
}

/// The text of the file that another is based on.
type Find<'a> = &'a dyn Fn(&str) -> Option<&'static str>;

/// More steps of `based_on` than this are a circle.
const MAX_STEPS: usize = 8;

pub(super) fn load(text: &str, find: Find<'_>) -> Result<Ruleset, RulesetError> {
    let mut own = parse(text)?;
    let id = RulesetId::new(own.id.clone());
    let mut next = own.based_on.clone();
    let mut steps = 0;
    while let Some(base_id) = next {
        steps += 1;
        if base_id == own.id || steps > MAX_STEPS {
            return Err(RulesetError::Circle(id));
        }
        let Some(base_text) = find(&base_id) else {
            return Err(RulesetError::Unknown(RulesetId::new(base_id)));
        };
        let base = parse(base_text)?;
        own.switches.inherit(&base.switches);
        own.start = own.start.or(base.start);
        own.variant = own.variant.or(base.variant);
        own.authority = own.authority.or(base.authority);
        next = base.based_on;
    }
    build(own, id)
}

fn parse(text: &str) -> Result<RulesetFile, RulesetError> {
    let mut file: RulesetFile =
        toml::from_str(text).map_err(|error| RulesetError::File(error.to_string()))?;
    file.switches.sign(&file.id);
    Ok(file)
}

fn build(file: RulesetFile, id: RulesetId) -> Result<Ruleset, RulesetError> {
    let missing = |switch| RulesetError::Missing {
        id: id.clone(),
        switch,
    };
    let variant = file.variant.ok_or_else(|| missing("variant"))?;
    let authority = file.authority.ok_or_else(|| missing("authority"))?;
    let start_setup = read_start(&id, file.start.as_ref().ok_or_else(|| missing("start"))?)?;
    let v = file.switches.values(&id)?;
    if let Some(reason) = contradiction(variant, &v) {
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
    rules.hash = fingerprint(&rules);
    Ok(rules)
}

const EMPTY: Position = Position {
    roles: crate::ByRole([0; 6]),
    sides: [0; 2],
    promoted: 0,
    board: [0; 64],
    key: 0,
    ply_clock: 0,
    fullmove: 1,
    turn: Color::White,
    rights: Rights::NONE,
    checks_left: crate::ByColor { white: 1, black: 1 },
    rules: super::MoveRules {
        king_leap: KingLeap::None,
        king_rook_loss: RookLoss::None,
        met_leap: MetLeap::None,
        leap_until_capture: false,
        first_check_wins: false,
        rep_rights: false,
        lenient_setup: false,
        san_ambiguous_leap: false,
    },
};

fn contradiction(variant: Variant, v: &Values) -> Option<String> {
    let leaps = v.king_leap != KingLeap::None || v.met_leap != MetLeap::None;
    let rights = leaps || !v.sutras.is_empty();
    let rules: [(bool, &str); 12] = [
        (
            v.king_leap == KingLeap::None && v.king_rook_loss != RookLoss::None,
            "king_rook_loss takes away a right that king_leap = none does not give",
        ),
        (
            !rights && v.leap_until_capture,
            "leap_until_capture ends rights, but there are none",
        ),
        (
            !rights && v.rep_rights,
            "rep_rights makes rights part of the position, but there are none",
        ),
        (
            v.first_check_wins != (variant == Variant::KarOuk),
            "first_check_wins is the rule of variant kar-ouk and of no other",
        ),
        (
            v.board_who == BoardWho::Le3 && v.board_trigger != BoardTrigger::Le3,
            "board_who = le3 needs board_trigger = le3",
        ),
        (
            v.board_start == CountStart::Auto
                && matches!(v.board_who, BoardWho::Weaker | BoardWho::Armed),
            "board_start = auto needs a counting side that the board shows: board_who = to_move or le3",
        ),
        (
            v.board_start == CountStart::Auto && v.board_stop,
            "board_stop contradicts board_start = auto: a stopped count would start again at once",
        ),
        (
            v.pieces_start == CountStart::Auto && v.pieces_restart,
            "pieces_restart contradicts pieces_start = auto",
        ),
        (
            v.board_limit == 0 || v.board_limit > 1000,
            "board_limit must be between 1 and 1000 full moves",
        ),
        (v.snn != 32 && v.snn != 44, "snn must be 32 or 44"),
        (
            v.sutras.contains(&Sutra::Khun) && v.king_leap == KingLeap::None,
            "sutras has khun, but king_leap = none",
        ),
        (
            v.sutras.iter().any(|&sutra| sutra != Sutra::Khun),
            "the sutras met and ma are not implemented yet",
        ),
    ];
    rules
        .iter()
        .find(|(wrong, _)| *wrong)
        .map(|(_, reason)| (*reason).to_owned())
}

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

fn fingerprint(rules: &Ruleset) -> [u8; 32] {
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
