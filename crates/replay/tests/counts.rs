//! The count ledger: counts the record tells of, counts it is silent about, and what contradicts them.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use replay::{Certainty, CountAction, CountBasis, EpisodeEnd, FindingCode, Judge, MaterialClass};
use rules::{Color, CountKind, Ending, FullMoves, GameResult, LegalMove, Line, Ruleset};
use util::writer::Random;
use util::{accepted, finding, has};

/// White has khun, rua and met against khun and ma; nobody takes, checks or repeats anything for `rounds` moves each.
fn shuffle(rounds: usize, marks: &dyn Fn(usize) -> String, tags: &str, result: &str) -> String {
    let fen = "7k/8/5n2/8/8/8/4M3/R2K4 w - - 0 1";
    let rules = Ruleset::builtin("makruk").unwrap();
    let start = notation::fen::parse(fen, &rules).unwrap();
    let mut line = Line::new(&rules, start.position, start.count_state);
    let mut random = Random(5);
    let mut text =
        format!("[Variant \"Makruk\"]\n[FEN \"{fen}\"]\n{tags}[Result \"{result}\"]\n\n");
    for ply in 1..=2 * rounds {
        let calm: Vec<(LegalMove, Line)> = line
            .position()
            .legal_moves()
            .iter()
            .map(|&mv| {
                let mut after = line.clone();
                after.push(mv);
                (mv, after)
            })
            .filter(|(_, after)| {
                let position = after.position();
                let quiet =
                    position.men_on_board() == 5 && !position.in_check() && after.repetitions() < 3;
                let threats = position
                    .legal_moves()
                    .iter()
                    .any(|&reply| position.is_capture(reply));
                quiet
                    && !threats
                    && after
                        .ended()
                        .is_none_or(|ended| ended.ending == Ending::BoardCount)
            })
            .collect();
        let (mv, after) = calm[random.below(calm.len())].clone();
        if ply % 2 == 1 {
            text.push_str(&format!("\n{}. ", ply / 2 + 1));
        }
        text.push_str(&format!(
            "{} {}",
            notation::san::write(line.position(), mv),
            marks(ply)
        ));
        line = after;
    }
    text.push_str(result);
    text.push('\n');
    text
}

fn none(_: usize) -> String {
    String::new()
}

#[test]
fn a_silent_record_gives_an_interval() {
    let replay = util::text(&shuffle(6, &none, "", "1/2-1/2"), &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.counts.len(), 1, "{:#?}", game.counts);
    let episode = &game.counts[0];
    assert_eq!(
        (episode.kind, episode.basis),
        (CountKind::Board, CountBasis::Silent)
    );
    assert_eq!(episode.side, Some(Color::Black));
    assert_eq!(
        (episode.start_ply_earliest, episode.start_ply_latest),
        (2, 12)
    );
    assert_eq!(
        (episode.first_number, episode.last_number, episode.limit),
        (FullMoves(1), Some(FullMoves(6)), FullMoves(64))
    );
    assert_eq!(
        (episode.material, episode.signature.as_str()),
        (MaterialClass::OneRua, "KRM-KN")
    );
    assert_eq!(episode.ended, EpisodeEnd::RecordEnded);
    assert!(!has(&replay, FindingCode::CountCouldHaveExpired));
}

#[test]
fn a_long_silence_could_have_been_a_count() {
    let replay = util::text(&shuffle(70, &none, "", "1-0"), &Judge::default());
    let game = accepted(&replay);
    let could = finding(&replay, FindingCode::CountCouldHaveExpired);
    assert_eq!(could.certainty, Certainty::Possible);
    // Black says 1 at ply 2 and 64 at ply 128; White's reply at ply 129 is the last.
    assert!(
        could
            .evidence
            .as_ref()
            .unwrap()
            .contains("{\"latest_start\":12,\"ply\":129,\"side\":\"b\"}"),
        "{:?}",
        could.evidence
    );
    assert_eq!(game.counts[0].ended, EpisodeEnd::Limit);

    let drawn = util::text(&shuffle(70, &none, "", "1/2-1/2"), &Judge::default());
    assert_eq!(
        finding(&drawn, FindingCode::CountDrawPossible).certainty,
        Certainty::Possible
    );
    let declared = util::text(
        &shuffle(70, &none, "[Termination \"board_count\"]\n", "1/2-1/2"),
        &Judge::default(),
    );
    assert!(has(&declared, FindingCode::CountDrawPossible));
    assert!(!has(&declared, FindingCode::CountDrawImpossible));
}

#[test]
fn a_draw_by_a_count_that_could_not_run_out() {
    let replay = util::text(
        &shuffle(10, &none, "[Termination \"board_count\"]\n", "1/2-1/2"),
        &Judge::default(),
    );
    let impossible = finding(&replay, FindingCode::CountDrawImpossible);
    assert_eq!(impossible.certainty, Certainty::Proved);
    assert_eq!(accepted(&replay).certainty, Certainty::Impossible);
    let pieces = util::text(
        &shuffle(10, &none, "[Termination \"pieces_count\"]\n", "1/2-1/2"),
        &Judge::default(),
    );
    assert!(has(&pieces, FindingCode::CountDrawImpossible));
}

#[test]
fn a_recorded_count_runs_out() {
    let start = |ply: usize| {
        if ply == 2 {
            "{[%count start]} ".to_owned()
        } else {
            String::new()
        }
    };
    let replay = util::text(&shuffle(66, &start, "", "1-0"), &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.count_commands.len(), 1);
    assert_eq!(
        (game.count_commands[0].ply, game.count_commands[0].action),
        (2, CountAction::Start)
    );
    let episode = &game.counts[0];
    assert_eq!(
        (episode.basis, episode.side, episode.start_ply_earliest),
        (CountBasis::Record, Some(Color::Black), 2)
    );
    assert_eq!(
        (episode.last_number, episode.ended),
        (Some(FullMoves(64)), EpisodeEnd::Limit)
    );
    let count = game.plies[127].count.unwrap();
    assert_eq!((count.number.0, count.limit.0), (64, 64));
    assert!(
        has(&replay, FindingCode::CountPlayedOn) || has(&replay, FindingCode::RepetitionPlayedOn)
    );
}

#[test]
fn a_stopped_count() {
    let marks = |ply: usize| match ply {
        2 => "{[%count start]} ".to_owned(),
        6 => "{[%count stop]} ".to_owned(),
        _ => String::new(),
    };
    let replay = util::text(&shuffle(8, &marks, "", "1-0"), &Judge::default());
    let game = accepted(&replay);
    let episode = &game.counts[0];
    // The move with which he stops still counts.
    assert_eq!(
        (episode.last_number, episode.ended),
        (Some(FullMoves(3)), EpisodeEnd::Stopped)
    );
    assert_eq!(game.count_commands.len(), 2);
    assert!(game.plies[9].count.is_none());
}

#[test]
fn numbers_tell_the_start() {
    let right = |ply: usize| {
        if ply == 6 {
            "{[%cnt 3/64]} ".to_owned()
        } else {
            String::new()
        }
    };
    let replay = util::text(&shuffle(8, &right, "", "1-0"), &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        (game.count_commands[0].ply, game.count_commands[0].side),
        (2, Color::Black)
    );
    assert!(
        !has(&replay, FindingCode::CountNumberWrong),
        "{:#?}",
        game.findings
    );
    let wrong = |ply: usize| match ply {
        6 => "{[%cnt 3/64]} ".to_owned(),
        8 => "{[%cnt 5/64]} ".to_owned(),
        _ => String::new(),
    };
    let replay = util::text(&shuffle(8, &wrong, "", "1-0"), &Judge::default());
    assert_eq!(finding(&replay, FindingCode::CountNumberWrong).ply, Some(8));
}

#[test]
fn a_start_that_the_board_does_not_allow() {
    let text = "[Variant \"Makruk\"]\n\n1. e4 {[%count start]} e5 *\n";
    let replay = util::text(text, &Judge::default());
    assert_eq!(
        finding(&replay, FindingCode::CountCommandInvalid).ply,
        Some(1)
    );
    assert!(accepted(&replay).count_commands.is_empty());
}

#[test]
fn the_counting_side_mates() {
    // Black counts and mates: a draw in makruk, whatever the record says.
    let mate = "[Variant \"Makruk\"]\n[FEN \"7S/8/8/8/8/1k6/7r/K7 b - - 0 1\"]\n[Result \"0-1\"]\n\n1... Rg2 {[%count start]} 2. Sg7 Rg1# 0-1\n";
    let replay = util::text(mate, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        game.derived.map(|ended| (ended.ending, ended.result)),
        Some((Ending::MateByCounter, GameResult::Draw)),
        "{:#?}",
        game.findings
    );
    assert!(has(&replay, FindingCode::MateByCountingSide));
    assert!(has(&replay, FindingCode::ResultContradictsBoard));
    assert_eq!(game.counts[0].ended, EpisodeEnd::MateByCounter);
}

#[test]
fn moves_after_mate_are_not_replayed() {
    let text = "[Variant \"Makruk\"]\n[FEN \"7k/R7/8/8/8/8/8/1R3K2 w - - 0 1\"]\n[Result \"1-0\"]\n\n1. Rb8# Kg8 2. Rb1 1-0\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(game.plies.len(), 1);
    let after = finding(&replay, FindingCode::MovesAfterEnd);
    assert_eq!((after.ply, after.certainty), (Some(2), Certainty::Proved));
    assert_eq!(game.certainty, Certainty::Proved);
}

#[test]
fn kar_ouk_ends_with_the_first_check() {
    let text = "[Variant \"Karouk\"]\n[Result \"1-0\"]\n\n1. e4 d5 2. exd5 cxd5 3. Nd2 Kd7 4. Ne4 dxe4 5. dxe4 Kc6 6. e5 Kb5 7. a4+ 1-0\n";
    let replay = util::text(text, &Judge::default());
    let game = accepted(&replay);
    assert_eq!(
        game.derived.map(|ended| ended.ending),
        Some(Ending::FirstCheck),
        "{:#?}",
        game.findings
    );
    assert_eq!(game.certainty, Certainty::Proved);
}

#[test]
fn an_ambiguous_move_is_settled_by_what_follows() {
    let head = "[Variant \"Makruk\"]\n[FEN \"7k/R7/8/8/8/8/8/1R3K2 w - - 0 1\"]\n\n";
    let open = util::text(&format!("{head}1. Rb7 Kg8 *\n"), &Judge::default());
    assert_eq!(open.status(), "rejected");
    assert_eq!(finding(&open, FindingCode::AmbiguousMove).ply, Some(1));
    let settled = util::text(&format!("{head}1. Rb7 Kg8 2. Rab7 *\n"), &Judge::default());
    assert_eq!(settled.status(), "rejected");
    let settled = util::text(&format!("{head}1. Rb7 Kg8 2. Rb1b6 *\n"), &Judge::default());
    let game = accepted(&settled);
    assert_eq!(game.moves_uci(), "a7b7 h8g8 b1b6");
    assert_eq!(
        finding(&settled, FindingCode::AmbiguousMove).severity,
        replay::Severity::Note
    );
}

#[test]
fn words_and_gaps_in_the_place_of_a_move() {
    let head = "[Variant \"Makruk\"]\n\n";
    for (moves, plies) in [
        ("1. e4 ??? 2. d4 d5 *", 1),
        ("1. e4 e5 2. -- d5 3. Nd2 *", 2),
        ("1. e4 {so} e5 2. Nd2 *", 3),
    ] {
        let replay = util::text(&format!("{head}{moves}\n"), &Judge::default());
        println!("{moves}: {:?}", replay.findings());
        assert_eq!(replay.game().unwrap().plies.len(), plies, "{moves}");
    }
}

#[test]
fn clocks_that_rise() {
    let head = "[Variant \"Makruk\"]\n[TimeControl \"300+3\"]\n\n";
    let fine = format!(
        "{head}1. e4 {{[%clk 0:05:02]}} e5 {{[%clk 0:05:00]}} 2. d4 {{[%clk 0:05:03]}} *\n"
    );
    assert!(!has(
        &util::text(&fine, &Judge::default()),
        FindingCode::ClockRises
    ));
    let rises = format!(
        "{head}1. e4 {{[%clk 0:04:00]}} e5 {{[%clk 0:05:00]}} 2. d4 {{[%clk 0:05:03]}} *\n"
    );
    assert_eq!(
        finding(
            &util::text(&rises, &Judge::default()),
            FindingCode::ClockRises
        )
        .ply,
        Some(3)
    );
}

#[test]
fn a_mate_after_a_repetition_that_nobody_claimed() {
    let game = |result: &str| {
        format!(
            "[Variant \"Makruk\"]\n[FEN \"7k/R7/8/8/8/8/8/1R3K2 w - - 0 1\"]\n[Result \"{result}\"]\n\n\
             1. Rb2 Kg8 2. Rb1 Kh8 3. Rb2 Kg8 4. Rb1 Kh8 5. Rb8# {result}\n"
        )
    };
    let won = util::text(&game("1-0"), &Judge::default());
    let derived = accepted(&won)
        .derived
        .map(|ended| (ended.ending, ended.ply));
    assert_eq!(derived, Some((Ending::Repetition, 8)));
    assert!(has(&won, FindingCode::RepetitionPlayedOn));
    assert!(!has(&won, FindingCode::ResultContradictsBoard));
    // The mate comes with the last reply that the count allows, and stands.
    assert!(!has(&won, FindingCode::CountPlayedOn));
    assert_eq!(accepted(&won).certainty, Certainty::Possible);
    let lost = util::text(&game("0-1"), &Judge::default());
    let contradiction = finding(&lost, FindingCode::ResultContradictsBoard);
    assert_eq!(contradiction.severity, replay::Severity::Critical);
    assert_eq!(contradiction.certainty, Certainty::Proved);
}

#[test]
fn a_count_that_runs_out_after_a_repetition() {
    let text = "[Variant \"Makruk\"]\n[FEN \"7k/R7/8/8/8/8/8/1R3K2 w - - 0 1\"]\n[Result \"1-0\"]\n\n\
                1. Rb2 Kg8 2. Rb1 Kh8 3. Rb2 Kg8 4. Rb1 Kh8 5. Rb2 Kg8 6. Rb1 1-0\n";
    let replay = util::text(text, &Judge::default());
    assert!(has(&replay, FindingCode::RepetitionPlayedOn));
    let played_on = finding(&replay, FindingCode::CountPlayedOn);
    assert_eq!(played_on.ply, Some(10));
    assert_eq!(played_on.certainty, Certainty::Possible);
}

#[test]
fn a_number_stands_in_the_ledger_only_if_it_was_said() {
    let demo = util::here("../../../demo");
    let (mut said, mut unsaid) = (0, 0);
    for name in ["korat-open.pgn", "thai-club.pgn", "engine-cup-ouk.pgn"] {
        for replay in util::file(&demo.join(name), &Judge::default()) {
            let Some(game) = replay.game() else { continue };
            let plies = game.plies.len() as u32;
            for episode in &game.counts {
                match episode.last_number {
                    Some(last) => {
                        assert!(episode.first_number <= last, "{name}: {episode:?}");
                        assert!(episode.start_ply_latest <= plies, "{name}: {episode:?}");
                        said += 1;
                    }
                    None => unsaid += 1,
                }
            }
        }
    }
    assert!(said > 20 && unsaid > 0, "{said} {unsaid}");
}

#[test]
fn several_switches_together_are_named() {
    let games = util::file(&util::here("../../../demo/defects.pgn"), &Judge::default());
    let played_on = finding(&games[11], FindingCode::CountPlayedOn);
    assert!(
        played_on.message.contains("(switches board_start, ")
            && played_on.message.contains(" together)"),
        "{}",
        played_on.message
    );
}
