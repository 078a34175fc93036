//! Request lines of the trace.

use notation::{fen, trace};
use serde_json::Value;

use super::{rules_of, text_of};

/// A byte for the rule set, one for whether the trace stops at an ending, then the line.
pub fn trace(bytes: &[u8]) {
    let [first, until_end, line @ ..] = bytes else {
        return;
    };
    let rules = rules_of(*first);
    let line = text_of(line, 4000);
    let answer = trace::run(&line, &rules, until_end % 2 == 1);
    let answer: Value = serde_json::from_str(&answer).unwrap();
    let list = |key: &str| answer[key].as_array().unwrap();
    let (fens, sans, legal) = (list("fens"), list("san"), list("legal_counts"));
    assert_eq!(fens.len(), sans.len());
    // The start, and each position after it; none where the start is none.
    let started = legal.len() == fens.len() + 1;
    assert!(started || legal.is_empty() && !answer["error"].is_null());
    for text in fens {
        let text = text.as_str().unwrap();
        let again = fen::parse(text, &rules).unwrap();
        let written = fen::write_state(&again.position, &again.count_state, &rules);
        assert_eq!(written, text);
    }
    assert!(sans.iter().all(|san| san.as_str().unwrap().len() >= 2));
    let played = answer["ending_ply"].as_u64().unwrap_or(0) <= fens.len() as u64;
    assert!(played, "{answer}");
}
