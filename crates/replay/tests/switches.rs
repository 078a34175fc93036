//! The truth table of the switches: `switches/expected.tsv`, with a game for each row beside it.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod util;

use std::collections::BTreeSet;
use std::sync::Arc;

use replay::{Judge, Parting, Verdict};
use rules::{GameResult, Ruleset};
use util::here;

/// A switch that no verdict can depend on; the table says why.
const NONE: [&str; 1] = ["san_ambiguous_leap"];

/// `X`, `X but S = V`, `X but S of Y`.
fn rule_set(text: &str) -> Arc<Ruleset> {
    let Some((base, change)) = text.split_once(" but ") else {
        return Ruleset::builtin(text).unwrap();
    };
    if let Some((switch, value)) = change.split_once(" = ") {
        let text = format!(
            "id = \"changed\"\ntitle = \"\"\nbased_on = \"{base}\"\nauthority = \"assumed\"\n[switches]\n\
             {switch} = {{ value = {value}, source = \"test\" }}\n"
        );
        return Ruleset::from_toml(&text).unwrap();
    }
    let (switch, of) = change.split_once(" of ").unwrap();
    let (base, of) = (
        Ruleset::builtin(base).unwrap(),
        Ruleset::builtin(of).unwrap(),
    );
    base.with_switches_of(&of, &[switch]).unwrap()
}

fn rows() -> Vec<[String; 7]> {
    let table = std::fs::read_to_string(here("switches/expected.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines
        .map(|line| {
            let cells: Vec<String> = line.split('\t').map(str::to_owned).collect();
            cells.try_into().unwrap()
        })
        .collect()
}

fn verdicts(game: &str, judging: &str, other: &str) -> Vec<Verdict> {
    let judging = rule_set(judging);
    let mut judge = Judge::default();
    judge.know(Arc::clone(&judging));
    judge.bind(judging.variant(), judging.id()).unwrap();
    judge.compare(rule_set(other));
    let replays = util::file(&here(&format!("switches/{game}.pgn")), &judge);
    assert_eq!(replays.len(), 1, "{game}");
    replays[0].game().unwrap().verdicts.clone()
}

fn shown(verdict: &Verdict) -> String {
    let mut parts = Vec::new();
    if let Some(ended) = verdict.ended {
        parts.push(format!("{} {} {}", ended.result, ended.ending, ended.ply));
    }
    if let Some((ending, result)) = verdict.declared {
        let result = result.map_or("*", GameResult::as_str);
        parts.push(format!("declared {ending} {result}"));
    }
    if let Some(refused) = &verdict.refused {
        assert!(!refused.reason.is_empty(), "{verdict:?}");
        parts.push(format!("refuses {}", refused.ply));
    }
    if parts.is_empty() {
        parts.push("not over".to_owned());
    }
    parts.join("; ")
}

#[test]
fn each_switch_has_a_game_on_which_it_decides() {
    for [game, switch, judging, other, first, second, ply] in rows() {
        let row = format!("{game}: {judging} and {other}");
        let found = verdicts(&game, &judging, &other);
        let [own, its] = found.as_slice() else {
            panic!("{row}: {found:?}");
        };
        assert!(
            own.judging && own.parting.is_none() && !its.judging,
            "{row}"
        );
        assert_eq!(
            (shown(own), shown(its)),
            (first, second),
            "{row}: {found:#?}"
        );
        let switches = switch.split(", ").map(str::to_owned).collect::<Vec<_>>();
        match &its.parting {
            Some(Parting {
                ply: at,
                switches: found,
            }) => {
                assert_eq!(found, &switches, "{row}");
                assert_eq!(at.to_string(), ply, "{row}");
            }
            None => assert!(
                switch.is_empty() && ply.is_empty(),
                "{row}: they judge alike"
            ),
        }
    }
}

#[test]
fn no_switch_is_left_out() {
    let makruk = Ruleset::builtin("makruk").unwrap();
    let all: BTreeSet<&str> = makruk.switches().iter().map(|switch| switch.name).collect();
    let rows = rows();
    let mut tested: BTreeSet<&str> = rows.iter().map(|row| row[1].as_str()).collect();
    tested.extend(NONE);
    let missing: Vec<&&str> = all.difference(&tested).collect();
    assert!(missing.is_empty(), "no game for {missing:?}");
}

#[test]
fn either_of_two_rule_sets_may_judge() {
    // Where the two differ in one switch only, it explains the difference whoever of them judges.
    for [game, switch, judging, other, first, second, ply] in rows() {
        if !other.contains(" but ") {
            continue;
        }
        let found = verdicts(&game, &other, &judging);
        let [own, its] = found.as_slice() else {
            panic!("{game}: {found:?}");
        };
        assert_eq!(
            (shown(own), shown(its)),
            (second, first),
            "{game}: {other} judges"
        );
        let parting = its.parting.as_ref().unwrap();
        assert_eq!(
            parting.switches,
            [switch.as_str()],
            "{game}: {other} judges"
        );
        assert_eq!(parting.ply.to_string(), ply, "{game}: {other} judges");
    }
}

#[test]
fn games_of_another_variant_are_left_alone() {
    let mut judge = Judge::default();
    judge.compare(Ruleset::builtin("makruk-fairy").unwrap());
    let ouk = util::text("[Variant \"Cambodian\"]\n\n1. e4 e5 *\n", &judge);
    assert!(ouk.game().unwrap().verdicts.is_empty());
    let makruk = util::text("[Variant \"Makruk\"]\n\n1. e4 e5 *\n", &judge);
    assert_eq!(makruk.game().unwrap().verdicts.len(), 2);
    // The rule set that judges is not compared with itself.
    let tagged = "[Variant \"Makruk\"]\n[RuleSet \"makruk-fairy\"]\n\n1. e4 e5 *\n";
    assert!(
        util::text(tagged, &judge)
            .game()
            .unwrap()
            .verdicts
            .is_empty()
    );
}

#[test]
fn the_order_in_which_rule_sets_are_named_changes_nothing() {
    let ids = [
        "makruk-wikipedia",
        "makruk-fairy",
        "makruk-ttakji",
        "makruk-fairy",
    ];
    let judged = |ids: &mut dyn Iterator<Item = &str>| {
        let mut judge = Judge::default();
        for id in ids {
            judge.compare(Ruleset::builtin(id).unwrap());
        }
        let replay = util::file(&here("switches/pieces_count.pgn"), &judge).remove(0);
        replay.game().unwrap().verdicts.clone()
    };
    let one = judged(&mut ids.into_iter());
    assert_eq!(one, judged(&mut ids.into_iter().rev()));
    let names: Vec<&str> = one
        .iter()
        .map(|verdict| verdict.rule_set.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "makruk",
            "makruk-fairy",
            "makruk-ttakji",
            "makruk-wikipedia"
        ]
    );
}

#[test]
fn a_move_that_nobody_can_read_is_refused_by_all() {
    let mut judge = Judge::default();
    judge.compare(Ruleset::builtin("makruk-fairy").unwrap());
    let replay = util::text("[Variant \"Makruk\"]\n\n1. e4 e5 2. Rh7 *\n", &judge);
    let verdicts = &replay.game().unwrap().verdicts;
    let refused: Vec<_> = verdicts
        .iter()
        .map(|verdict| verdict.refused.as_ref().unwrap().ply)
        .collect();
    assert_eq!(refused, [3, 3]);
    assert!(verdicts[1].parting.is_none());
}

#[test]
fn the_count_of_a_start_position_means_the_same_to_all() {
    // RULES 7: the field holds the limit in plies, one move less where saying the limit is the draw. Ouk's 14 is the limit
    // 8 of two rua, and 9 plies are counted: Black has said 5 and White is to reply. Black says 6 with ply 2 and 8 with
    // ply 6, which is the draw in ouk (reach); by X the reply to 8, ply 7, may still mate.
    let text = "[Variant \"Cambodian\"]\n[FEN \"4k3/8/8/8/8/8/8/R2K3R w - 14 9 1\"]\n\n\
                1. Kd2 Ke7 2. Kd1 Ke8 3. Kd2 Ke7 4. Kd1 Ke8 *\n";
    let mut judge = Judge::default();
    judge.compare(Ruleset::builtin("ouk-chessplayx").unwrap());
    let replay = util::text(text, &judge);
    let verdicts = &replay.game().unwrap().verdicts;
    let plies: Vec<_> = verdicts
        .iter()
        .map(|verdict| verdict.ended.unwrap().ply)
        .collect();
    assert_eq!(plies, [6, 7]);
    assert_eq!(
        verdicts[1].parting.as_ref().unwrap().switches,
        ["pieces_end"]
    );
}
