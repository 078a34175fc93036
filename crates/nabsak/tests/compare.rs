//! `--compare` and rule-set files, as a user types them.

mod common;

use std::fs;

use common::{nabsak, run_to};

const COUNTED: &str = "[White \"<b>Som</b>\"]\n[Variant \"Makruk\"]\n[FEN \"8/8/8/3kP3/8/2K5/8/R6R b - - 0 1\"]\n[SetUp \"1\"]\n[Result \"1-0\"]\n\n\
1... Kxe5 2. Kc2 Ke6 3. Kb3 Ke5 4. Kc4 Ke6 5. Kb5 Ke5 6. Kb6 Ke6 7. Kc7 1-0\n";

const CLUB: &str = "id = \"club\"\ntitle = \"The club's rules\"\nbased_on = \"makruk\"\nauthority = \"binding\"\n\
[switches]\npieces_end = { value = \"reach\", source = \"the club's book\" }\n";

#[test]
fn an_audit_says_where_rule_sets_part() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.pgn"), COUNTED).expect("an archive");
    fs::write(dir.path().join("club.toml"), CLUB).expect("a rule set");
    let (out, _) = run_to(
        0,
        nabsak().current_dir(dir.path()).args([
            "audit",
            "a.pgn",
            "--compare",
            "makruk-fairy,./club.toml,ouk,makruk-ttakji",
        ]),
    );
    for line in [
        "1 game judged by more than one rule set, 0 of them alike by all",
        "1 game is judged by makruk-fairy otherwise than makruk: switch pieces_end",
        "1 game is judged by club otherwise than makruk: switch pieces_end",
        "first a.pgn, game 1, ply 10",
        "makruk: 1/2-1/2 by pieces count after ply 10\n",
        "makruk-fairy: 1/2-1/2 by pieces count after ply 11\n",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    assert!(!out.contains("by makruk-ttakji otherwise"), "{out}");
    let page = fs::read_to_string(dir.path().join("nabsak-audit/report.html")).expect("a page");
    assert!(page.contains("Rule sets compared") && page.contains("<code>pieces_end</code>"));
    assert!(!page.contains("<b>Som</b>"));
}

#[test]
fn replay_shows_the_verdicts_of_one_game() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.pgn"), COUNTED).expect("an archive");
    fs::write(dir.path().join("club.toml"), CLUB).expect("a rule set");
    let replay = |more: &[&str]| {
        let mut command = nabsak();
        command
            .current_dir(dir.path())
            .args(["replay", "a.pgn"])
            .args(more);
        run_to(0, &mut command).0
    };
    let out = replay(&["--compare", "makruk-fairy,makruk-ttakji"]);
    let wanted = "Rule sets compared
  makruk: 1/2-1/2 by pieces count after ply 10
  makruk-fairy: 1/2-1/2 by pieces count after ply 11
    parts at ply 10: switch pieces_end
  makruk-ttakji: 1/2-1/2 by pieces count after ply 10
";
    assert!(out.ends_with(wanted), "{out}");
    let out = replay(&["--rules", "./club.toml", "--compare", "makruk"]);
    assert!(
        out.contains("rule set club (binding, bound)")
            && out.contains("  club: 1/2-1/2 by pieces count after ply 9\n  makruk:"),
        "{out}"
    );
    assert!(!replay(&[]).contains("Rule sets compared"));
}

#[test]
fn a_wrong_rule_set_is_usage_and_says_why() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.pgn"), COUNTED).expect("an archive");
    let wrong = CLUB.replace("\"reach\"", "\"reached\"");
    fs::write(dir.path().join("club.toml"), wrong).expect("a rule set");
    for arguments in [
        &["audit", "a.pgn", "--rules", "./club.toml"][..],
        &["audit", "a.pgn", "--compare", "makruk-fairy,./club.toml"],
        &["replay", "a.pgn", "--rules", "./club.toml"],
        &["replay", "a.pgn", "--compare", "./club.toml"],
        &["perft", "--rules", "./club.toml", "1"],
        &["trace", "--rules", "./club.toml"],
        &["board", "--rules", "./club.toml", "--fen", "x"],
        &["uci", "--rules", "./club.toml"],
    ] {
        let (_, err) = run_to(2, nabsak().current_dir(dir.path()).args(arguments));
        assert!(
            err.contains("club.toml") && err.contains("line 6") && err.contains("reached"),
            "{arguments:?}: {err}"
        );
    }
    let (_, err) = run_to(
        2,
        nabsak()
            .current_dir(dir.path())
            .args(["audit", "a.pgn", "--compare", "makruk-fary"]),
    );
    assert!(err.contains("'makruk-fairy'"), "{err}");
}
