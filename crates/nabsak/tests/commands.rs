//! The small commands, as a user types them.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{nabsak, run_to};

fn answer(command: &mut Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("the program starts");
    child
        .stdin
        .take()
        .expect("it has an input")
        .write_all(input.as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("it speaks UTF-8")
}

#[test]
fn perft_prints_the_node_count_last() {
    for (rules, nodes) in [("makruk", "273026"), ("ouk", "361719")] {
        let (out, _) = run_to(0, nabsak().args(["perft", "--rules", rules, "4"]));
        assert_eq!(out.lines().last(), Some(nodes), "{rules}");
        let (out, _) = run_to(
            0,
            nabsak().args(["perft", "--rules", rules, "4", "--divide"]),
        );
        assert_eq!(out.lines().last(), Some(nodes), "{rules}");
        assert_eq!(
            out.lines().count(),
            if rules == "makruk" { 24 } else { 26 },
            "{rules}: a line a move"
        );
    }
}

#[test]
fn perft_from_a_position() {
    let fen = "r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b DEe 0 0 5";
    let (out, _) = run_to(
        0,
        nabsak().args(["perft", "--rules", "ouk", "--fen", fen, "2"]),
    );
    assert_eq!(out.trim(), "72");
}

#[test]
fn what_cannot_be_done_is_usage_and_says_why() {
    let (_, err) = run_to(2, nabsak().args(["perft", "--rules", "makruck", "1"]));
    assert!(err.contains("makruck") && err.contains("makruk"), "{err}");
    let (_, err) = run_to(
        2,
        nabsak().args(["perft", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "1"]),
    );
    assert!(err.contains("--fen") && err.contains("khun"), "{err}");
    run_to(2, nabsak().args(["no-such-command"]));
    let (_, err) = run_to(2, nabsak().args(["run", "no-such-job.toml"]));
    assert!(err.contains("no-such-job.toml"), "{err}");
}

#[test]
fn every_rule_set_is_listed_and_shown_with_its_sources() {
    let (list, _) = run_to(0, nabsak().args(["rules", "list"]));
    for id in [
        "makruk",
        "ouk",
        "kar-ouk",
        "makruk-fairy",
        "cambodian-fairy",
        "karouk-fairy",
    ] {
        assert!(
            list.lines()
                .any(|line| line.split_whitespace().next() == Some(id)),
            "{id}\n{list}"
        );
        let (shown, _) = run_to(0, nabsak().args(["rules", "show", id]));
        assert!(shown.contains("counter_mate"), "{shown}");
    }
}

#[test]
fn trace_answers_a_line_a_game_in_order() {
    let games = concat!(
        r#"{"id":"a","fen":"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1","moves":["e3e4","d6d5"]}"#,
        "\n",
        r#"{"id":"b","fen":"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1","moves":["e3e5"]}"#,
        "\n",
    );
    let out = answer(nabsak().args(["trace", "--rules", "makruk"]), games);
    let answers: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0]["id"], "a");
    assert_eq!(answers[0]["san"], serde_json::json!(["e4", "d5"]));
    assert_eq!(answers[0]["legal_counts"], serde_json::json!([23, 23, 24]));
    assert!(answers[0]["error"].is_null());
    assert_eq!(answers[1]["error"]["ply"], 1);
    assert_eq!(answers[1]["error"]["move"], "e3e5");
}

#[test]
fn uci_answers_a_match_runner() {
    let out = answer(
        nabsak().arg("uci"),
        "uci\nisready\nposition startpos moves e3e4\ngo nodes 500\nisready\nquit\n",
    );
    assert!(out.contains("uciok") && out.contains("readyok"), "{out}");
    let best = out
        .lines()
        .find(|line| line.starts_with("bestmove"))
        .expect("a best move");
    assert!(best.len() >= "bestmove a6a5".len(), "{best}");
}

#[test]
fn a_board_is_drawn_as_text_and_as_a_picture() {
    let fen = "8/8/8/8/5N2/5M~2/5K2/7k w - - 0 1";
    let (out, _) = run_to(0, nabsak().args(["board", "--fen", fen]));
    assert!(out.contains("M~"), "{out}");
    let dir = tempfile::tempdir().expect("a folder");
    let svg = dir.path().join("board.svg");
    run_to(0, nabsak().args(["board", "--fen", fen, "--svg"]).arg(&svg));
    assert!(
        std::fs::read_to_string(svg)
            .expect("it is there")
            .starts_with("<svg")
    );
}

#[test]
fn bench_gives_the_same_signature_twice() {
    let signature = || run_to(0, nabsak().arg("bench")).0;
    let first = signature();
    assert!(
        first
            .lines()
            .last()
            .is_some_and(|line| line.starts_with("nodes ")),
        "{first}"
    );
    assert_eq!(first, signature());
}
