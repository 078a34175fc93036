//! Rows of the replay stage: `games`, `plies`, `counts`, `verdicts`, `findings`.

use std::fmt::Write;

use archive::{Dialect, Encoding};
use replay::tags::GameTags;
use replay::tags::date::DateTag;
use replay::{
    CountAction, CountCommandAt, CountEpisode, DeclaredScore, Finding, GameId, Place, RecordHash,
    Replay, ReplayedGame, ReplayedPly, SetAside, Verdict,
};
use rules::Color;

use crate::cell::{Key, Symbol, Tags};
use crate::convert::{full_moves, signed, small};
use crate::rows::{CountRow, FindingRow, GameRow, PlyRow, VerdictRow};
use crate::words::{AnalysisState, Status};

impl GameRow {
    /// The row of a game, whatever became of it.
    pub fn new(replay: &Replay, analysis: AnalysisState) -> GameRow {
        let row = match replay {
            Replay::Accepted(game) => GameRow::played(game, Status::Accepted),
            Replay::Rejected(rejection) => GameRow {
                reason: Some(rejection.reason.clone()),
                reason_ply: Some(small(rejection.ply)),
                ..GameRow::played(&rejection.game, Status::Rejected)
            },
            Replay::SetAside(aside) => GameRow::set_aside(aside),
        };
        GameRow { analysis, ..row }
    }

    fn played(game: &ReplayedGame, status: Status) -> GameRow {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        GameRow {
            variant: game.variant.as_str().into(),
            rule_set: Some(game.rule_set.as_str().into()),
            authority: Some(game.authority),
            bound: game.bound,
            start_fen: text(&game.start_fen),
            moves: game.moves_uci(),
            moves_hash: Some(game.moves_hash.into()),
            plies: small(game.plies.len()),
            count_commands: text(&count_commands(&game.count_commands)),
            result_declared: game.result_declared,
            result_derived: game.derived.map(|ended| ended.result),
            ending_declared: game.ending_declared,
            ending_derived: game.derived.map(|ended| ended.ending),
            ending_ply: game.derived.map(|ended| small(ended.ply)),
            certainty: Some(game.certainty),
            final_fen: text(&game.final_fen),
            ..GameRow::found(&Found {
                id: game.id,
                record_hash: game.record_hash,
                place: &game.place,
                dialect: game.dialect,
                encoding: game.encoding,
                tags: &game.tags,
                raw_tags: &game.raw_tags,
                status,
            })
        }
    }

    fn set_aside(aside: &SetAside) -> GameRow {
        GameRow {
            variant: aside.variant.as_str().into(),
            reason: Some(aside.reason.clone()),
            admit: aside.admit.clone(),
            result_declared: aside.result_declared,
            ending_declared: aside.ending_declared,
            ..GameRow::found(&Found {
                id: aside.id,
                record_hash: aside.record_hash,
                place: &aside.place,
                dialect: aside.dialect,
                encoding: aside.encoding,
                tags: &aside.tags,
                raw_tags: &aside.raw_tags,
                status: Status::SetAside,
            })
        }
    }

    /// What is known of a game before a rule set has looked at it.
    fn found(found: &Found<'_>) -> GameRow {
        let Found { place, tags, .. } = found;
        let raw_tags = Tags::of(found.raw_tags.iter().map(|tag| (tag.name, tag.value)));
        GameRow {
            game_id: found.id.into(),
            record_hash: found.record_hash.into(),
            archive: place.archive.clone(),
            member: place.member.clone(),
            byte_offset: signed(place.byte_offset),
            byte_length: signed(place.byte_length),
            ordinal: small(place.ordinal),
            dialect: found.dialect.as_str().into(),
            encoding: found.encoding.as_str().into(),
            event: tags.event.clone(),
            site: tags.site.clone(),
            date: date(&tags.date),
            round: tags.round.clone(),
            white: tags.white.clone(),
            black: tags.black.clone(),
            white_elo: tags.white_rating.value.map(i32::from),
            black_elo: tags.black_rating.value.map(i32::from),
            white_elo_provisional: tags.white_rating.provisional,
            black_elo_provisional: tags.black_rating.provisional,
            time_control: tags.time_control.text.clone(),
            base_s: tags.time_control.base_s.map(small),
            increment_s: tags.time_control.increment_s.map(small),
            byoyomi_s: tags.time_control.byoyomi_s.map(small),
            byoyomi_periods: tags.time_control.byoyomi_periods.map(small),
            termination: tags.termination.clone(),
            player_kind: tags.player_kind,
            tags: raw_tags,
            variant: Symbol::from(""),
            rule_set: None,
            authority: None,
            bound: false,
            status: found.status,
            reason: None,
            reason_ply: None,
            admit: None,
            start_fen: None,
            moves: String::new(),
            moves_hash: None,
            plies: 0,
            count_commands: None,
            result_declared: None,
            result_derived: None,
            ending_declared: None,
            ending_derived: None,
            ending_ply: None,
            certainty: None,
            final_fen: None,
            analysis: AnalysisState::None,
        }
    }
}

/// What a played game and one set aside have in common.
struct Found<'a> {
    id: GameId,
    record_hash: RecordHash,
    place: &'a Place,
    dialect: Dialect,
    encoding: Encoding,
    tags: &'a GameTags,
    raw_tags: &'a archive::Tags,
    status: Status,
}

/// As much of a date as is certain, in ISO 8601.
fn date(tag: &DateTag) -> Option<String> {
    match (tag.date, tag.year, tag.month) {
        (Some(day), _, _) => Some(day.to_string()),
        (None, Some(year), Some(month)) => Some(format!("{year:04}-{month:02}")),
        (None, Some(year), None) => Some(format!("{year:04}")),
        (None, None, _) => None,
    }
}

/// `41w+ 97w-`: ply before which, side, start or stop.
fn count_commands(commands: &[CountCommandAt]) -> String {
    let word = |command: &CountCommandAt| {
        let side = if command.side == Color::White {
            'w'
        } else {
            'b'
        };
        let sign = if command.action == CountAction::Start {
            '+'
        } else {
            '-'
        };
        format!("{}{side}{sign}", command.ply)
    };
    commands.iter().map(word).collect::<Vec<_>>().join(" ")
}

impl PlyRow {
    /// The plies of a game, in order.
    pub fn of_game(game: &ReplayedGame) -> impl Iterator<Item = PlyRow> {
        let start = signed(game.place.byte_offset);
        game.plies
            .iter()
            .enumerate()
            .map(move |(index, ply)| PlyRow {
                game_id: game.id.into(),
                ply: small(index + 1),
                token_offset: Some(start + i64::from(ply.token_offset)),
                ..PlyRow::new(ply)
            })
    }

    fn new(ply: &ReplayedPly) -> PlyRow {
        let score = ply.eval.as_ref().and_then(|eval| eval.score);
        let mut uci = String::with_capacity(5);
        // Writing to a String cannot fail.
        let _ = write!(uci, "{}", ply.mv.raw());
        PlyRow {
            game_id: crate::cell::Hex([0; 16]),
            ply: 0,
            side: ply.side,
            san: ply.san.to_string(),
            uci,
            token: ply.token().to_owned(),
            token_offset: None,
            position_key: Key::from(ply.key),
            gives_check: ply.in_check,
            is_capture: ply.capture,
            is_promotion: ply.promotion,
            clock_ms: ply.clock_ms.map(i64::from),
            elapsed_ms: ply.elapsed_ms.map(i64::from),
            eval_cp: score.and_then(|score| {
                if let DeclaredScore::Cp(cp) = score {
                    Some(cp)
                } else {
                    None
                }
            }),
            eval_mate: score.and_then(|score| {
                if let DeclaredScore::Mate(moves) = score {
                    Some(moves)
                } else {
                    None
                }
            }),
            eval_depth: ply.eval.as_ref().and_then(|eval| eval.depth).map(small),
            eval_text: ply.eval.as_ref().map(|eval| eval.text.clone()),
            count_kind: ply.count.map(|count| count.kind),
            count_side: ply.count.map(|count| count.side),
            count_number: ply
                .count
                .filter(|count| count.number >= count.first)
                .map(|count| full_moves(count.number)),
            count_limit: ply.count.map(|count| full_moves(count.limit)),
            count_replies_left: ply.count.map(|count| small(count.replies_left)),
            repetitions: i32::from(ply.repetitions),
        }
    }
}

impl CountRow {
    /// The counting episodes of a game, in order.
    pub fn of_game(game: &ReplayedGame) -> impl Iterator<Item = CountRow> {
        game.counts
            .iter()
            .enumerate()
            .map(|(index, episode)| CountRow::new(game, small(index + 1), episode))
    }

    fn new(game: &ReplayedGame, number: i32, episode: &CountEpisode) -> CountRow {
        CountRow {
            game_id: game.id.into(),
            rule_set: game.rule_set.as_str().into(),
            episode: number,
            kind: episode.kind,
            side: episode.side,
            start_ply_earliest: small(episode.start_ply_earliest),
            start_ply_latest: small(episode.start_ply_latest),
            limit: full_moves(episode.limit),
            first_number: full_moves(episode.first_number),
            last_number: episode.last_number.map(full_moves),
            replies_left: episode.replies_left.map(small),
            draw_by: episode.close.into(),
            draw_ply: small(episode.draw_ply),
            ended: episode.ended,
            basis: episode.basis,
            certainty: episode.certainty,
            material: episode.material,
            signature: episode.signature.as_str().into(),
        }
    }
}

impl VerdictRow {
    /// The verdicts on a game, that of the rule set which judges it first; none where nothing is compared.
    pub fn of_game(game: &ReplayedGame) -> impl Iterator<Item = VerdictRow> {
        game.verdicts
            .iter()
            .map(|verdict| VerdictRow::new(game, verdict))
    }

    fn new(game: &ReplayedGame, verdict: &Verdict) -> VerdictRow {
        let parting = verdict.parting.as_ref();
        let switches = parting.map_or(&[][..], |parting| &parting.switches);
        let one = match switches {
            [switch] => Some(*switch),
            _ => None,
        };
        let refused = verdict.refused.as_ref();
        VerdictRow {
            game_id: game.id.into(),
            rule_set: verdict.rule_set.as_str().into(),
            authority: verdict.authority,
            judging: verdict.judging,
            result: verdict.ended.map(|ended| ended.result),
            ending: verdict.ended.map(|ended| ended.ending),
            ply: verdict.ended.map(|ended| small(ended.ply)),
            declared_ending: verdict.declared.map(|(ending, _)| ending),
            declared_result: verdict.declared.and_then(|(_, result)| result),
            refused_ply: refused.map(|refused| small(refused.ply)),
            refused_reason: refused.map(|refused| refused.reason.clone()),
            agrees: parting.is_none(),
            differs_from_ply: parting.map(|parting| small(parting.ply)),
            switch: one.map(Into::into),
            switches: (!switches.is_empty()).then(|| switches.join(", ").as_str().into()),
        }
    }
}

impl FindingRow {
    /// The findings of a game, in the order in which replay has them.
    pub fn of_game(replay: &Replay) -> impl Iterator<Item = FindingRow> {
        let place = replay.place();
        let row = move |finding| FindingRow {
            game_id: Some(replay.id().into()),
            ..FindingRow::of_archive(&place.archive, place.member.as_deref(), finding)
        };
        replay.findings().iter().map(row)
    }

    /// A finding about an archive, or a member of it, and no game.
    pub fn of_archive(archive: &str, member: Option<&str>, finding: &Finding) -> FindingRow {
        FindingRow {
            game_id: None,
            archive: archive.to_owned(),
            member: member.map(str::to_owned),
            byte_offset: finding.byte_offset.map(signed),
            byte_length: finding.byte_length.map(signed),
            stage: finding.stage,
            code: finding.code,
            severity: finding.severity,
            certainty: finding.certainty,
            ply: finding.ply.map(small),
            fen: finding.fen.clone(),
            rule_set: finding.rule_set.as_ref().map(|id| id.as_str().into()),
            message: finding.message.clone(),
            evidence: finding.evidence.clone(),
        }
    }
}
