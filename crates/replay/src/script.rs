//! A game as a script: a start, moves and count commands, to be played under any rule set.

use std::sync::Arc;

use notation::read::{Letters, Matched, NoMatch, match_move};
use rules::ruleset::{CountEnd, FirstNumber, KingLeap, MetLeap, RepetitionRule, TimeVBare};
use rules::{
    CountCommand, CountKind, CountState, Ending, FullMoves, GameResult, LegalMove, Line, Plies,
    Position, PositionError, Rights, Ruleset, Setup, SetupCount, UciMove,
};

use crate::declared::Declared;
use crate::endings::{Aspect, Endings, leaves_no_move};
use crate::episodes::Episodes;
use crate::ledger::{CountAction, CountEpisode, StartInterval};
use crate::start::Start;
use crate::trunk::Trunk;

/// What was played, without the rules it was judged by.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    origin: Origin,
    /// Legal from the origin's position on.
    moves: Vec<LegalMove>,
    /// The beginning that other readings need not play, where the record was read by a rule set.
    trunk: Option<Trunk>,
    /// What the record says about counting: the ply before whose move, and what. Each rule set takes of it what it allows.
    commands: Vec<(u32, CountAction)>,
    declared: Declared,
    /// Whether a token follows the last move that no rule set at hand can read as a move.
    broken: bool,
}

/// Where a script starts.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    setup: Setup,
    /// As the rule set that judged reads it.
    position: Position,
    /// Whether the record gives no start position: each rule set then has its own first-move rights.
    usual: bool,
    count: Option<StartCount>,
}

/// The count that a start position brings, in moves: its FEN fields depend on the rule set that wrote them.
#[derive(Debug, Clone, Copy)]
struct StartCount {
    kind: CountKind,
    limit: FullMoves,
    counted: Plies,
}

/// How a script goes under a rule set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The endings met.
    pub(crate) endings: Endings,
    /// The ply (1-based) of the first move that this rule set does not allow; 0 if it refuses the start.
    pub(crate) refused: Option<u32>,
    /// What the rule set makes of a declared ending that the board does not show, where its board is not over.
    pub(crate) declared: Option<(Ending, Option<GameResult>)>,
    /// The counts that ran.
    pub(crate) counts: Vec<CountEpisode>,
    /// Where the record is silent, when counts could have been started.
    pub(crate) starts: Vec<StartInterval>,
}

impl Script {
    /// The script of a record: its start, its moves, what it says about counting, what it declares.
    pub(crate) fn new(
        origin: Origin,
        moves: Vec<LegalMove>,
        commands: Vec<(u32, CountAction)>,
        declared: Declared,
    ) -> Script {
        Script {
            origin,
            moves,
            trunk: None,
            commands,
            declared,
            broken: false,
        }
    }

    /// With a beginning that all readings have in common.
    pub(crate) fn grown(mut self, trunk: Option<Trunk>) -> Script {
        self.trunk = trunk;
        self
    }

    /// With a token after the last move that is no move.
    pub(crate) fn broken(mut self) -> Script {
        self.broken = true;
        self
    }

    /// Number of plies.
    pub(crate) fn plies(&self) -> u32 {
        u32::try_from(self.moves.len()).unwrap_or(u32::MAX)
    }

    /// Plays the script under a rule set. Commands that it does not know mean nothing to it.
    pub(crate) fn play(&self, rules: &Arc<Ruleset>) -> Outcome {
        self.outcome::<true>(rules, None)
    }

    /// [`Script::play`] without the ledger: no counts and no starts.
    pub(crate) fn play_endings(&self, rules: &Arc<Ruleset>) -> Outcome {
        self.outcome::<false>(rules, None)
    }

    /// [`Script::play`] for the sake of one ending and of what is refused: all else may be missing.
    pub(crate) fn play_until(&self, rules: &Arc<Ruleset>, aspect: Aspect) -> Outcome {
        self.outcome::<false>(rules, Some(aspect))
    }

    fn outcome<const LEDGER: bool>(&self, rules: &Arc<Ruleset>, until: Option<Aspect>) -> Outcome {
        let mut endings = Endings::default();
        let mut refused = None;
        let Ok(line) = self.start(rules) else {
            return Outcome {
                endings,
                refused: Some(0),
                declared: None,
                counts: Vec::new(),
                starts: Vec::new(),
            };
        };
        let alike = line.position().moves_like(&self.origin.position);
        // Once met, an ending stays, but for the last of all, and nothing is refused after it.
        let until = until.filter(|aspect| *aspect != Aspect::Last && alike && !self.broken);
        let mut line = self.beyond_trunk(line, alike);
        let begun = line.plies().0;
        endings.look(&line);
        let mut episodes = Episodes::begin(&line);
        let mut commands = self.commands.iter().peekable();
        let mut over = is_over(&line);
        for (ply, &played) in (begun + 1..).zip(&self.moves[begun as usize..]) {
            if over || until.is_some_and(|aspect| endings.of(aspect).is_some()) {
                break;
            }
            let mut before = None;
            while let Some(&(_, action)) = commands.next_if(|(at, _)| *at <= ply) {
                obey(&mut line, action);
                before = Some(*line.position());
            }
            let mv = match alike {
                true => Some(played),
                false => line.position().resolve(UciMove::from(played.raw())),
            };
            let Some(mv) = mv else {
                refused = Some(ply);
                break;
            };
            if LEDGER {
                episodes.before(ply, &line);
            }
            // A move that is legal follows, but behind the last.
            match alike && ply < self.plies() {
                true => line.push_on(mv),
                false => line.push(mv),
            };
            endings.look(&line);
            if LEDGER {
                let count = line.count();
                episodes.after(ply, before.as_ref(), &line, count);
            }
            over = is_over(&line);
        }
        if self.broken && !over && refused.is_none() {
            refused = Some(self.plies() + 1);
        }
        Outcome {
            endings,
            refused,
            declared: self.declared(&line).filter(|_| refused.is_none()),
            starts: episodes.silences().intervals(&line),
            counts: episodes.finish(&line),
        }
    }

    /// The line at the end of the beginning that all readings have in common, or the line itself where this rule set has
    /// another start or a cap before that.
    fn beyond_trunk(&self, line: Line, alike: bool) -> Line {
        let rules = line.ruleset();
        let capped = |plies| rules.ply_cap > Plies::ZERO && rules.ply_cap <= plies;
        match &self.trunk {
            Some(trunk) if alike && line.count().is_none() && !capped(trunk.plies) => {
                Line::resumed(rules, trunk.position, &trunk.keys, trunk.plies)
            }
            _ => line,
        }
    }

    /// What a rule set makes of a declared ending that the board does not show; none where the board was over first.
    fn declared(&self, line: &Line) -> Option<(Ending, Option<GameResult>)> {
        let ending = self.declared.ending?;
        let result = self.declared.result;
        if line.ended().is_some() {
            return None;
        }
        let rules = line.ruleset();
        match ending {
            Ending::Time => {
                let bare = |winner| line.position().is_bare(winner);
                let spared = rules.time_v_bare == TimeVBare::Draw
                    && result.and_then(GameResult::winner).is_some_and(bare);
                let result = if spared {
                    Some(GameResult::Draw)
                } else {
                    result
                };
                Some((ending, result))
            }
            // A claim: only the record shows it, but the board must bear it out.
            Ending::Repetition => {
                let granted = rules.repetition == RepetitionRule::Claim3 && line.repetitions() >= 3;
                granted.then_some((ending, result))
            }
            _ if ending.is_on_board() => None,
            _ => Some((ending, result)),
        }
    }

    /// Why a rule set does not allow the ply, or with 0 the start.
    #[cold]
    pub(crate) fn why(&self, rules: &Arc<Ruleset>, refused: u32) -> String {
        let mut line = match self.start(rules) {
            Ok(line) => line,
            Err(error) => return format!("the start position cannot be one of this game: {error}"),
        };
        for (ply, &played) in (1..).zip(&self.moves) {
            let (wish, position) = (UciMove::from(played.raw()), line.position());
            match position.resolve(wish) {
                Some(mv) if ply < refused => line.push(mv),
                _ => return reason(wish, position, rules),
            };
        }
        "what stands there cannot be read as a move".to_owned()
    }

    fn start(&self, rules: &Arc<Ruleset>) -> Result<Line, PositionError> {
        self.origin.line(rules)
    }
}

impl Origin {
    /// The start as the rule set read it that made this line.
    pub(crate) fn of(start: &Start) -> Origin {
        let line = &start.line;
        let fields = line.count_state().fields(line.ruleset());
        let count = line.count().zip(fields);
        Origin {
            setup: start.setup.clone(),
            position: *line.position(),
            usual: start.usual,
            count: count.map(|(count, fields)| StartCount {
                kind: count.kind,
                limit: count.limit,
                counted: fields.counted,
            }),
        }
    }

    /// The line that starts here under a rule set. Rights that it does not have mean nothing to it.
    fn line(&self, rules: &Arc<Ruleset>) -> Result<Line, PositionError> {
        let mut setup = self.setup.clone();
        let wished = match self.usual {
            true => rules.start_setup().rights,
            false => setup.rights,
        };
        setup.rights = Rights::NONE;
        for home in wished
            .squares()
            .filter(|&home| rules.right_holder(home).is_some())
        {
            setup.rights = setup.rights.with(Rights::of_square(home));
        }
        let (position, _) = Position::forgiving(&setup, rules)?;
        let fields = self.count.map(|count| count.fields(rules));
        let state = CountState::from_fields(fields, &position, rules);
        Ok(Line::new(rules, position, state))
    }
}

impl StartCount {
    /// The FEN fields that mean this count under a rule set (RULES 7).
    fn fields(self, rules: &Ruleset) -> SetupCount {
        let reach = match self.kind {
            CountKind::Board => rules.board_end == CountEnd::Reach,
            CountKind::Pieces => {
                rules.pieces_end == CountEnd::Reach && rules.pieces_first == FirstNumber::N1
            }
        };
        let less = FullMoves(u32::from(reach));
        SetupCount {
            limit: self.limit.less(less).plies(),
            counted: self.counted,
        }
    }
}

fn is_over(line: &Line) -> bool {
    let current = line.current_ending();
    current.is_some_and(|(ending, _)| leaves_no_move(ending))
}

fn obey(line: &mut Line, action: CountAction) {
    let said = match action {
        CountAction::Start => CountCommand::Start,
        CountAction::Stop => CountCommand::Stop,
    };
    // A rule set that does not allow it goes on as if nothing had been said.
    let _refused = line.command(said);
}

fn reason(wish: UciMove, position: &Position, rules: &Ruleset) -> String {
    let text = wish.to_string();
    let leaps = rules.king_leap != KingLeap::None || rules.met_leap != MetLeap::None;
    match match_move(&text, &Letters::standard(), position) {
        Matched::None(NoMatch::Leap(_)) if !leaps => {
            format!("{text}: this rule set has no first-move leaps")
        }
        Matched::None(reason) => format!("{text}: {reason}"),
        Matched::One(_) | Matched::Many(_) => format!("{text} is no legal move"),
    }
}
