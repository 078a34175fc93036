//! Rule-set files.

use std::sync::Arc;

use notation::fen;
use rules::{Line, Ruleset};

use super::{Dice, text_of};

/// Raw text, or after a byte 0 the bytes of a file that is built from them.
pub fn ruleset(bytes: &[u8]) {
    let text = match bytes.split_first() {
        Some((0, rest)) => built(rest),
        _ => text_of(bytes, 6000),
    };
    match Ruleset::from_toml(&text) {
        Err(error) => assert!(!error.to_string().is_empty()),
        Ok(rules) => holds(&rules, &text),
    }
}

fn holds(rules: &Arc<Ruleset>, text: &str) {
    let again = Ruleset::from_toml(text).unwrap();
    assert_eq!(again.hash(), rules.hash());
    let seed = rules.hash()[0];
    let mut dice = Dice(u64::from(seed));
    let mut line = Line::from_start(rules);
    for _ in 0..80 {
        let full = fen::write_full(&line);
        let start = fen::parse(&full, rules).unwrap();
        assert_eq!(start.count_state, *line.count_state(), "{full}");
        assert_eq!(
            start.position.position_key(),
            line.position().position_key()
        );
        assert!(start.notes.is_empty(), "{full}: {:?}", start.notes);
        if !dice.play(&mut line) {
            break;
        }
    }
}

/// Switches and the values that bytes choose among; the last of each row is no value of it.
const VALUES: [(&str, &[&str]); 26] = [
    (
        "king_leap",
        &["\"none\"", "\"fwd\"", "\"knight\"", "\"far\""],
    ),
    (
        "king_rook_loss",
        &["\"none\"", "\"line\"", "\"open_line\"", "1"],
    ),
    ("met_leap", &["\"none\"", "\"jump\"", "\"slide\"", "[]"]),
    ("leap_until_capture", &["true", "false", "\"no\""]),
    (
        "sutras",
        &[
            "[]",
            "[\"khun\"]",
            "[\"met\"]",
            "[\"ma\", \"met\"]",
            "[\"ma\", \"ma\"]",
        ],
    ),
    ("first_check_wins", &["true", "false", "0"]),
    ("board_trigger", &["\"no_pawns\"", "\"le3\"", "\"le4\""]),
    ("board_start", &["\"manual\"", "\"auto\"", "\"\""]),
    (
        "board_who",
        &["\"weaker\"", "\"armed\"", "\"to_move\"", "\"le3\"", "\"w\""],
    ),
    (
        "board_limit",
        &["64", "1", "2", "3", "1000", "0", "1001", "4294967296", "-1"],
    ),
    (
        "board_end",
        &["\"reply\"", "\"exceed\"", "\"reach\"", "\"end\""],
    ),
    ("board_stop", &["true", "false", "2"]),
    ("counter_mate", &["\"draw\"", "\"win\"", "\"loss\""]),
    ("pieces_start", &["\"auto\"", "\"manual\"", "true"]),
    ("pieces_first", &["\"N\"", "\"N1\"", "\"N2\""]),
    ("pieces_end", &["\"reply\"", "\"exceed\"", "\"reach\"", "1"]),
    ("pieces_over", &["\"one_reply\"", "\"none\"", "\"two\""]),
    ("snn", &["32", "44", "33"]),
    ("pieces_restart", &["true", "false", "\"\""]),
    ("repetition", &["\"auto3\"", "\"claim3\"", "\"none\"", "3"]),
    ("rep_rights", &["true", "false", "\"\""]),
    (
        "dead",
        &["\"none\"", "\"kvk\"", "\"material\"", "\"report\"", "\"\""],
    ),
    ("ply_cap", &["0", "1", "400", "4294967295", "-1"]),
    ("time_v_bare", &["\"loss\"", "\"draw\"", "\"win\""]),
    ("lenient_setup", &["true", "false", "\"\""]),
    ("san_ambiguous_leap", &["true", "false", "\"\""]),
];

/// A file on top of a builtin rule set: a byte for it, one for the variant, one for the rights,
/// pairs of bytes for switches and their values.
fn built(bytes: &[u8]) -> String {
    let mut bytes = bytes.iter().map(|&byte| usize::from(byte));
    let mut next = || bytes.next();
    let ids = Ruleset::builtin_ids();
    let base = ids[next().unwrap_or(0) % ids.len()];
    let variant = [
        "",
        "variant = \"makruk\"\n",
        "variant = \"ouk\"\n",
        "variant = \"kar-ouk\"\n",
    ];
    let mut text = format!("id = \"ours\"\ntitle = \"ours\"\nbased_on = \"{base}\"\n");
    text.push_str(variant[next().unwrap_or(0) % variant.len()]);
    let rights = ["", "-", "DEde", "Ed", "BGbg", "De", "DEX"][next().unwrap_or(0) % 7];
    if !rights.is_empty() {
        let rows = [
            "r n s m k s n r",
            ". . . . . . . .",
            "p p p p p p p p",
            ". . . . . . . .",
            ". . . . . . . .",
            "P P P P P P P P",
            ". . . . . . . .",
            "R N S K M S N R",
        ];
        text.push_str(&format!(
            "[start]\nsource = \"ours\"\nboard = {rows:?}\nrights = \"{rights}\"\n"
        ));
    }
    text.push_str("[switches]\n");
    let mut named = [false; VALUES.len()];
    while let (Some(switch), Some(value)) = (next(), next()) {
        let switch = switch % VALUES.len();
        let (name, values) = VALUES[switch];
        let value = values[value % values.len()];
        if !std::mem::replace(&mut named[switch], true) {
            text.push_str(&format!(
                "{name} = {{ value = {value}, source = \"ours\" }}\n"
            ));
        }
    }
    text
}
