//! `nabsak uci` as a GUI sees it.

mod common;

use common::ruleset;
use engine::uci_loop;

fn talk(input: &str) -> String {
    let mut output = Vec::new();
    uci_loop(input.as_bytes(), &mut output, &ruleset("makruk")).expect("memory takes all output");
    String::from_utf8(output).expect("plain text")
}

#[test]
fn it_introduces_itself() {
    let said = talk("uci\nisready\nquit\n");
    assert!(said.starts_with("id name Nabsak"));
    for word in [
        "uciok",
        "readyok",
        "option name Hash",
        "var makruk",
        "var cambodian",
        "var karouk",
        "var kar-ouk",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
}

#[test]
fn perft_counts_every_game() {
    assert!(talk("go perft 4\n").contains("Nodes searched: 273026"));
    assert!(
        talk("setoption name UCI_Variant value cambodian\ngo perft 4\n")
            .contains("Nodes searched: 361719")
    );
    let kiwi = "position fen r1s1ks1r/3nm3/pppNpppp/3n4/5P2/PPPPPNPP/8/R1SKMS1R b DEe - 0 5\n";
    let said = talk(&format!(
        "setoption name UCI_Variant value cambodian-fairy\n{kiwi}go perft 2\n"
    ));
    assert!(said.contains("Nodes searched: 72"), "{said}");
}

#[test]
fn a_search_ends_with_a_legal_move() {
    let said = talk("position startpos moves e3e4 e6e5\ngo nodes 2000\n");
    let last = said.lines().last().expect("an answer");
    assert!(last.starts_with("bestmove "), "{said}");
    assert!(
        said.contains(" score cp ") && said.contains(" pv "),
        "{said}"
    );
    let said = talk("position startpos\ngo depth 4\n");
    assert!(
        said.contains("info depth 4") && !said.contains("info depth 5"),
        "{said}"
    );
    let said = talk("position startpos\ngo depth 3 searchmoves a3a4\n");
    assert!(
        said.lines()
            .last()
            .is_some_and(|last| last.starts_with("bestmove a3a4")),
        "{said}"
    );
}

#[test]
fn the_same_words_get_the_same_answer() {
    let words = "ucinewgame\nposition startpos moves e3e4\ngo nodes 5000\nucinewgame\nposition startpos moves e3e4\ngo nodes 5000\n";
    let said = talk(words);
    let answers: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("bestmove"))
        .collect();
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn clocks_and_endless_searches_end() {
    for go in [
        "go movetime 30",
        "go wtime 300 btime 300 winc 0 binc 0",
        "go infinite\nstop",
        "go",
    ] {
        let said = talk(&format!("position startpos\n{go}\n"));
        assert_eq!(said.matches("bestmove").count(), 1, "{go}: {said}");
    }
}

#[test]
fn mated_positions_have_no_move() {
    let said = talk("position fen R6k/1R6/8/8/8/8/8/4K3 b - - 0 1\ngo nodes 100\n");
    assert!(
        said.contains("score mate 0") && said.contains("bestmove (none)"),
        "{said}"
    );
}

#[test]
fn nonsense_is_survived() {
    let words = "\u{0}\nposition\nposition fen x\nposition startpos moves e3e9 a1a2\ngo depth\nsetoption name Hash value lots\n\
                 setoption name UCI_Variant value chess\nsetoption\nfly\nisready\n";
    let said = talk(words);
    assert!(said.ends_with("readyok\n"), "{said}");
    assert!(said.contains("info string"), "{said}");
}
