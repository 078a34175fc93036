//! The trace protocol as a caller sees it.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use notation::trace;
use rules::Ruleset;
use serde_json::{Value, json};

fn ask(id: &str, request: Value, until_end: bool) -> Value {
    let rules = Ruleset::builtin(id).unwrap();
    serde_json::from_str(&trace::run(&request.to_string(), &rules, until_end)).unwrap()
}

#[test]
fn a_game_from_the_start() {
    let answer = ask("makruk", json!({"id": 7, "moves": ["e3e4", "b8d7"]}), false);
    assert_eq!(
        answer,
        json!({
            "id": 7,
            "fens": [
                "rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1",
                "r1smksnr/3n4/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR w - - 1 2",
            ],
            "san": ["e4", "Nd7"],
            "legal_counts": [23, 23, 23],
            "in_check": false,
            "ending": null,
            "ending_ply": null,
            "result": "*",
            "error": null,
        })
    );
}

#[test]
fn keys_come_in_their_order() {
    let rules = Ruleset::builtin("makruk").unwrap();
    let text = trace::run("{\"id\":1,\"moves\":[]}", &rules, false);
    assert!(
        text.starts_with("{\"id\":1,\"fens\":[],\"san\":[],\"legal_counts\":[23],"),
        "{text}"
    );
}

#[test]
fn what_is_wrong_is_in_the_answer() {
    let illegal = ask(
        "makruk",
        json!({"id": "a", "moves": ["e3e4", "e3e4"]}),
        false,
    );
    assert_eq!(
        illegal["error"],
        json!({"ply": 2, "move": "e3e4", "reason": "illegal move"})
    );
    assert_eq!(illegal["fens"].as_array().unwrap().len(), 1);
    let rules = Ruleset::builtin("makruk").unwrap();
    for text in ["", "[]", "{\"moves\": 1}", "{\"mvoes\": []}"] {
        let answer: Value = serde_json::from_str(&trace::run(text, &rules, false)).unwrap();
        assert!(
            answer["error"]["reason"]
                .as_str()
                .unwrap()
                .contains("not a request")
        );
    }
    let fen = ask(
        "makruk",
        json!({"id": 1, "fen": "8/8 w", "moves": []}),
        false,
    );
    assert!(fen["error"]["reason"].as_str().unwrap().contains("rows"));
}

const SHUFFLE: [&str; 12] = [
    "e1e4", "c3b3", "h1h2", "b3c3", "h2h1", "c3b3", "h1h3", "b3c2", "h3h2", "c2c3", "h2h1", "c3b3",
];

#[test]
fn until_the_end_or_past_it() {
    let request = json!({"id": 1, "fen": "8/8/8/8/4m3/2k5/8/K3R2R w - - 0 1", "moves": SHUFFLE});
    let past = ask("makruk", request.clone(), false);
    assert_eq!(past["fens"].as_array().unwrap().len(), 12);
    assert_eq!(
        (&past["ending"], &past["ending_ply"]),
        (&json!("pieces_count"), &json!(9))
    );
    let until = ask("makruk", request, true);
    assert_eq!(until["fens"].as_array().unwrap().len(), 9);
    assert_eq!(until["result"], "1/2-1/2");
}

#[test]
fn count_commands() {
    let fen = "8/1r3k2/8/8/8/8/3K2R1/4N3 b - - 0 1";
    let counts =
        json!([{"ply": 1, "side": "b", "do": "start"}, {"ply": 3, "side": "b", "do": "stop"}]);
    let moves = ["b7b8", "g2g1", "b8b7", "g1g2"];
    let answer = ask(
        "makruk",
        json!({"id": 1, "fen": fen, "moves": moves, "counts": counts}),
        false,
    );
    assert_eq!(answer["error"], Value::Null);
    let fens = answer["fens"].as_array().unwrap();
    assert!(
        fens[0].as_str().unwrap().ends_with(" - 128 1 2"),
        "{}",
        fens[0]
    );
    assert!(
        fens[1].as_str().unwrap().ends_with(" - 128 2 2"),
        "{}",
        fens[1]
    );
    assert!(
        fens[3].as_str().unwrap().ends_with(" - - 4 3"),
        "{}",
        fens[3]
    );

    let wrong = json!([{"ply": 1, "side": "w", "do": "start"}]);
    let answer = ask(
        "makruk",
        json!({"id": 1, "fen": fen, "moves": moves, "counts": wrong}),
        false,
    );
    assert_eq!(answer["error"]["ply"], 1);
    let answer = ask(
        "ouk",
        json!({"id": 1, "fen": fen, "moves": moves, "counts": counts}),
        false,
    );
    assert!(
        answer["error"]["reason"]
            .as_str()
            .unwrap()
            .contains("start by themselves")
    );
}

#[test]
fn count_started_is_for_the_fairy_rule_sets() {
    let fen = "8/1r3k2/8/8/8/8/3K2R1/4N3 b - 128 10 40";
    let request = json!({"id": 1, "fen": fen, "moves": ["b7b8"], "count_started": -1});
    let told = ask("makruk-fairy", request.clone(), false);
    assert!(
        told["fens"][0].as_str().unwrap().ends_with(" w - 128 0 41"),
        "{told}"
    );
    let ours = ask("makruk", request, false);
    assert!(ours["error"]["reason"].as_str().unwrap().contains("fairy"));
}

/// Khun against khun, the board's honour still counted. Black is to move in move 98, ply 2 * 97 + 1 = 195; told that the
/// count began with ply 77, the engine counts 1 + 195 - 77 = 119 plies. In ouk that ends sooner than the 50 that run, so
/// it holds; in makruk what runs where no bia is left and a side is bare is kept.
#[test]
fn a_told_count_between_khuns() {
    for (id, limit, plies) in [("cambodian-fairy", 126, 119), ("makruk-fairy", 128, 50)] {
        let fen = format!("8/8/k7/5K2/8/8/8/8 w - {limit} 49 98");
        let request = json!({"id": 1, "fen": fen, "moves": ["f5f4"], "count_started": 77});
        let want = format!("8/8/k7/8/5K2/8/8/8 b - {limit} {plies} 98");
        assert_eq!(ask(id, request, false)["fens"], json!([want]), "{id}");
    }
}

/// A floor that a loaded machine passes too; the rate itself is measured, not tested.
#[test]
fn a_long_game_is_traced() {
    let rules = Ruleset::builtin("makruk").unwrap();
    let moves: Vec<_> = ["b1d2", "b8d7", "d2b1", "d7b8"]
        .iter()
        .cycle()
        .take(20_000)
        .collect();
    let answer = trace::run(&json!({"id": 1, "moves": moves}).to_string(), &rules, false);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    assert_eq!(answer["fens"].as_array().unwrap().len(), 20_000);
    assert_eq!(
        (&answer["ending"], &answer["ending_ply"]),
        (&json!("repetition"), &json!(8))
    );
}
