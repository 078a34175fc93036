//! The road from a raw game to a replayed one.

use archive::{Dialect, NoteKind, RawGame};
use notation::fen;
use notation::read::Letters;
use rules::Line;
use serde_json::json;

use crate::checks::{self, Case};
use crate::clocks;
use crate::commands::Commands;
use crate::declared::{self, Declared};
use crate::finding::{Certainty, Finding, FindingCode};
use crate::ids::{self, GameId, MovesHash, RecordHash};
use crate::inferred;
use crate::judge::{Judge, Ruling};
use crate::ledger::{CountBasis, CountEpisode, StartInterval};
use crate::note::Notebook;
use crate::place::Place;
use crate::readings::Readings;
use crate::record::{Rejection, Replay, ReplayedGame, SetAside};
use crate::scores;
use crate::script::{Origin, Script};
use crate::silence::Silences;
use crate::spelling;
use crate::start::{self, Start};
use crate::tags::{self, GameTags};
use crate::text_notes;
use crate::trunk::Trunks;
use crate::verdicts::{self, Reading, ReadingEnd, Refused, Verdict};
use crate::walk::{Stop, Walk};
use crate::which::{self, Aside, Which};

/// Replays a game under the judge's rule set for it.
///
/// Never fails: what is wrong with the game is in the result, and a bad game costs only itself.
pub fn replay(raw: &RawGame, place: &Place, judge: &Judge) -> Replay {
    let mut notes = Notebook::default();
    text_notes::read(raw, place, &mut notes);
    let tags = tags::read::read(raw, &mut notes);
    let declared = declared::read(raw, &mut notes);
    match which::decide(raw, place, judge, &mut notes) {
        Which::Aside(aside) => Replay::SetAside(Box::new(set_aside(
            raw, place, aside, tags, declared, notes,
        ))),
        Which::Ours(ruling) => play(
            &Job {
                raw,
                place,
                judge,
                ruling,
                declared,
            },
            tags,
            notes,
        ),
    }
}

/// What stays the same while one game is replayed.
struct Job<'a> {
    raw: &'a RawGame,
    place: &'a Place,
    judge: &'a Judge,
    ruling: Ruling,
    declared: Declared,
}

/// What is known at the end of a walk.
struct End {
    start_fen: String,
    essence: String,
    certainty: Certainty,
    counts: Vec<CountEpisode>,
    starts: Vec<StartInterval>,
}

fn play(job: &Job<'_>, tags: GameTags, mut notes: Notebook) -> Replay {
    let rules = &job.ruling.rules;
    let start = match start::read(job.raw, job.place, rules, &mut notes) {
        Ok(start) => start,
        Err(reason) => {
            let mut game = job.without_moves(tags, notes);
            game.moves_hash = MovesHash::new("", std::iter::empty());
            game.verdicts = job.verdicts(None, &spelling::letters(job.raw), refused(0, &reason));
            return Replay::Rejected(Box::new(Rejection {
                game,
                ply: 0,
                reason,
            }));
        }
    };
    let commands = commands(job, &start, &mut notes);
    let (said, commanded) = (commands.numbers.clone(), commands.said());
    let origin = Origin::of(&start);
    let Start {
        line,
        fen: start_fen,
        ..
    } = start;
    let start_key = line.position().key();
    let essence = start::essence(&start_fen, line.count_state(), rules);
    let spelled = spell(job, &line, &mut notes);
    let letters = spelled
        .clone()
        .unwrap_or_else(|_| spelling::letters(job.raw));
    let mut walk = Walk::new(job.raw, job.place, letters, line, commands);
    let stop = match spelled {
        Ok(_) => walk.run(&mut notes),
        Err(reason) => Stop::Refused { ply: 1, reason },
    };
    scores::tell_mates(&mut walk.plies, walk.endings.last, &mut notes);
    if walk.plies.is_empty() && matches!(stop, Stop::Done) {
        notes.add(Finding::new(
            FindingCode::NoMoves,
            "the record has no moves",
        ));
    }
    clocks::check(&walk.plies, &tags.time_control, &mut notes);
    clocks::left_over(&walk, &tags.time_control, job.declared, &mut notes);

    walk.trunks.end(&walk.line);
    let moves = walk.plies.iter().map(|ply| ply.mv).collect();
    let script = Script::new(origin, moves, commanded, job.declared)
        .grown(std::mem::replace(&mut walk.trunks, Trunks::Growing).take());
    let silences = walk.episodes.silences();
    let starts = silences.intervals(&walk.line);
    let mut readings = Readings::new(job.judge, &job.ruling, &script);
    let case = Case {
        place: job.place,
        declared: job.declared,
        line: &walk.line,
        start_key,
        plies: &walk.plies,
        // A position has no result to be looked at.
        whole: !matches!(stop, Stop::Refused { .. }) && !job.raw.dialect.is_position(),
        endings: walk.endings,
        end_fen: walk.end_fen.as_deref(),
        count_fen: walk.count_fen.as_deref(),
        after_end: match &stop {
            Stop::AfterEnd { moves, token } => Some((*moves, *token)),
            _ => None,
        },
        thirds: walk.thirds,
        silences: &silences,
        starts: &starts,
        said: &said,
    };
    let certainty = checks::run(&case, &mut readings, &mut notes);
    let end = End {
        start_fen,
        essence,
        certainty,
        counts: ledger(&walk, &silences, &mut readings),
        starts,
    };
    let read = match &stop {
        Stop::Done => ReadingEnd::Whole,
        Stop::AfterEnd { .. } => ReadingEnd::GameOver,
        Stop::Refused { ply, reason } => refused(*ply, reason),
    };
    let letters = walk.letters.clone();
    let mut game = job.game(tags, notes, walk, end);
    game.verdicts = job.verdicts(Some(script), &letters, read);
    match stop {
        Stop::Refused { ply, reason } => {
            Replay::Rejected(Box::new(Rejection { game, ply, reason }))
        }
        Stop::Done | Stop::AfterEnd { .. } => Replay::Accepted(Box::new(game)),
    }
}

/// What the record says about counting; where it says numbers but no start, with the starts that they tell.
fn commands(job: &Job<'_>, start: &Start, notes: &mut Notebook) -> Commands {
    let commands = Commands::of(job.raw);
    if commands.homeless > 0 {
        let message = "a count mark before the first move belongs to no move: it means nothing";
        notes.add(
            Finding::new(FindingCode::CountCommandInvalid, message)
                .with(&json!({ "marks": commands.homeless })),
        );
    }
    inferred::completed(
        commands,
        job.raw,
        job.place,
        spelling::letters(job.raw),
        &start.line,
    )
}

fn refused(ply: u32, reason: &str) -> ReadingEnd {
    ReadingEnd::Refused(Refused {
        ply,
        reason: reason.to_owned(),
    })
}

/// The letters of a record; where they cannot be told, why nothing of it can be replayed.
fn spell(job: &Job<'_>, line: &Line, notes: &mut Notebook) -> Result<Letters, String> {
    let raw = job.raw;
    let broken = raw
        .notes
        .iter()
        .find(|note| note.kind == NoteKind::RecordBroken);
    if let Some(note) = broken {
        return Err(format!("the record is broken: {}", note.text));
    }
    if raw.dialect != Dialect::Numbered {
        return Ok(spelling::letters(raw));
    }
    if let Some(numbering) = job.judge.numbering() {
        return Ok(Letters::numbered(numbering));
    }
    match spelling::numbering(raw, line.position()) {
        Ok((letters, finding)) => {
            notes.add(finding);
            Ok(letters)
        }
        Err(finding) => {
            let reason = finding.message.clone();
            notes.add(*finding);
            Err(reason)
        }
    }
}

/// What a game and its record are called.
fn names(raw: &RawGame, place: &Place, judge: &Judge) -> (GameId, RecordHash) {
    match judge.names_games() {
        true => ids::names(place, &raw.raw),
        false => (GameId::NONE, RecordHash::NONE),
    }
}

impl Job<'_> {
    /// What the compared rule sets make of the game.
    fn verdicts(&self, script: Option<Script>, letters: &Letters, end: ReadingEnd) -> Vec<Verdict> {
        let compared = self.judge.compared();
        if compared.is_empty() {
            return Vec::new();
        }
        let reading = Reading {
            raw: self.raw,
            place: self.place,
            letters,
            declared: self.declared,
            script,
            end,
        };
        verdicts::verdicts(reading, &self.ruling.rules, compared)
    }

    fn game(&self, tags: GameTags, notes: Notebook, walk: Walk<'_>, end: End) -> ReplayedGame {
        let Walk {
            line,
            plies,
            commands,
            ..
        } = walk;
        let moves = plies.iter().map(|ply| ply.mv.raw().to_bits());
        let moves_hash = match self.judge.names_games() {
            true => MovesHash::new(&end.essence, moves),
            false => MovesHash::NONE,
        };
        ReplayedGame {
            derived: line.ended(),
            final_fen: fen::write(&line),
            start_fen: end.start_fen,
            plies,
            certainty: end.certainty,
            counts: end.counts,
            silent_starts: end.starts,
            count_commands: commands,
            moves_hash,
            ..self.without_moves(tags, notes)
        }
    }

    /// What is known of a game before its first move.
    fn without_moves(&self, tags: GameTags, notes: Notebook) -> ReplayedGame {
        let rules = &self.ruling.rules;
        let (id, record_hash) = names(self.raw, self.place, self.judge);
        ReplayedGame {
            id,
            record_hash,
            place: self.place.clone(),
            dialect: self.raw.dialect,
            encoding: self.raw.encoding,
            tags,
            raw_tags: self.raw.tags.clone(),
            variant: rules.variant(),
            rule_set: rules.id().clone(),
            authority: rules.authority(),
            bound: self.ruling.bound,
            start_fen: String::new(),
            plies: Vec::new(),
            result_declared: self.declared.result,
            ending_declared: self.declared.ending,
            derived: None,
            certainty: Certainty::Possible,
            counts: Vec::new(),
            silent_starts: Vec::new(),
            count_commands: Vec::new(),
            verdicts: Vec::new(),
            findings: notes.finish(),
            final_fen: String::new(),
            moves_hash: MovesHash::NONE,
        }
    }
}

/// The counts of a game: those that ran, and the stretches in which one could have run.
fn ledger(walk: &Walk<'_>, silences: &Silences, readings: &mut Readings<'_>) -> Vec<CountEpisode> {
    let mut counts = walk.episodes.clone().finish(&walk.line);
    for episode in &mut counts {
        if episode.basis == CountBasis::Rule {
            episode.certainty = readings.weigh_count(episode);
        }
    }
    counts.extend(
        silences
            .iter()
            .filter_map(|silence| silence.episode(&walk.line)),
    );
    counts.sort_by_key(|episode| episode.start_ply_earliest);
    counts
}

fn set_aside(
    raw: &RawGame,
    place: &Place,
    aside: Aside,
    tags: GameTags,
    declared: Declared,
    notes: Notebook,
) -> SetAside {
    let (id, record_hash) = ids::names(place, &raw.raw);
    SetAside {
        id,
        record_hash,
        place: place.clone(),
        dialect: raw.dialect,
        encoding: raw.encoding,
        tags,
        raw_tags: raw.tags.clone(),
        variant: aside.variant,
        reason: aside.reason,
        admit: aside.admit,
        result_declared: declared.result,
        ending_declared: declared.ending,
        findings: notes.finish(),
    }
}
