//! The quick way of reading a move against the careful one: what it takes, the careful one takes alike and without a note.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use notation::read::{Form, Letters, Match, Matched, Tolerances, Word, match_move, match_plain};
use notation::{fen, san};
use rules::{LegalMove, Line, Position, Ruleset};

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides.max(1)
    }
}

/// Whether the quick way takes a token; it must be right then.
fn takes(token: &str, line: &Line, letters: &[Letters]) -> bool {
    let position = line.position();
    let word = Word::new(token.as_bytes());
    let Some(plain) = word.and_then(|word| match_plain(word, line)) else {
        return false;
    };
    let careful = Match {
        mv: plain.mv,
        notes: Tolerances::NONE,
        mark: plain.mark,
        form: Form::Short,
        draw_offer: false,
    };
    for letters in letters {
        let found = match_move(token, letters, position);
        assert_eq!(
            found,
            Matched::One(careful),
            "{token}, {}: {position:?}",
            letters.name()
        );
    }
    assert_eq!(
        san::San::of_word(plain.bare),
        san::bare(position, plain.mv),
        "{token}: {position:?}"
    );
    true
}

/// Other spellings of a move, most of them loose or wrong.
fn spellings(position: &Position, mv: LegalMove) -> Vec<String> {
    let bare = san::bare(position, mv).to_string();
    let (from, to) = (mv.from().to_string(), mv.to().to_string());
    let letter = position.role_at(mv.from()).unwrap().letter();
    let mut all = vec![
        bare.replace('x', ""),
        bare.replace("=M", ""),
        bare.replace("=M", "=Q"),
        format!("{bare}=M"),
        bare.replace(&to, &format!("x{to}")),
        bare.to_lowercase(),
        format!("{from}{to}"),
        format!("{from}x{to}"),
        format!("{bare}="),
        format!("{bare}!"),
        format!("{bare}++"),
        format!("1.{bare}"),
    ];
    for origin in ["", &from[..1], &from[1..], &from] {
        for sign in ["", "x", "-"] {
            all.push(format!("{letter}{origin}{sign}{to}"));
            all.push(format!("{origin}{sign}{to}"));
        }
    }
    all
}

fn ours() -> Vec<Letters> {
    let all = [
        Letters::standard(),
        Letters::standard().long(),
        Letters::standard().silent(),
        Letters::bj_makruk(),
        Letters::thai(),
        Letters::playok(),
        Letters::schemingmind(),
        Letters::makruk_js(),
        Letters::khmer_client(),
        Letters::kpgn(),
    ];
    let ours: Vec<Letters> = all.into_iter().filter(Letters::are_ours).collect();
    let names: Vec<&str> = ours.iter().map(Letters::name).collect();
    assert_eq!(
        names,
        ["standard", "standard", "standard", "bj-makruk", "thai"]
    );
    ours
}

fn look(line: &Line, letters: &[Letters], dice: &mut Dice) -> (usize, usize) {
    let position = line.position();
    let legal = position.legal_moves();
    let mut taken = 0;
    for &mv in &legal {
        let bare = san::bare(position, mv).to_string();
        let own = takes(&bare, line, letters);
        taken += usize::from(own);
        for mark in ["+", "#"] {
            assert_eq!(
                takes(&format!("{bare}{mark}"), line, letters),
                own,
                "{bare}"
            );
        }
        for token in spellings(position, mv) {
            takes(&token, line, letters);
        }
    }
    const ALPHABET: &[u8] = b"abcdefgh12345678KMSNRxx=M+#";
    for _ in 0..8 {
        let length = 2 + dice.roll(5);
        let token: Vec<u8> = (0..length)
            .map(|_| ALPHABET[dice.roll(ALPHABET.len())])
            .collect();
        takes(std::str::from_utf8(&token).unwrap(), line, letters);
    }
    (taken, legal.len())
}

#[test]
fn what_the_quick_way_takes_the_careful_one_takes_alike() {
    let letters = ours();
    for id in Ruleset::builtin_ids() {
        let rules = Ruleset::builtin(id).unwrap();
        let (mut taken, mut moves) = (0, 0);
        for game in 0..12 {
            let mut dice = Dice(77 + game);
            let mut line = Line::from_start(&rules);
            for _ in 0..200 {
                let (more, legal) = look(&line, &letters, &mut dice);
                (taken, moves) = (taken + more, moves + legal);
                let legal = line.position().legal_moves();
                if legal.is_empty() {
                    break;
                }
                line.push(legal[dice.roll(legal.len())]);
            }
        }
        // In makruk, where no man leaps, nothing of our own spelling is left to the careful way.
        assert!(taken * 2 > moves, "{id}: {taken} of {moves}");
        if id.starts_with("makruk") {
            assert_eq!(taken, moves, "{id}");
        }
    }
}

/// Pins, checks, rivals and the squares of promotion, where two ways of looking can part.
#[test]
fn rivals_pins_and_checks() {
    let makruk = Ruleset::builtin("makruk").unwrap();
    let letters = ours();
    for (text, token, taken) in [
        // Of two rua one is pinned on the file of its khun: no rival, so no file is written.
        ("k3r3/8/8/8/4R3/8/8/R3K3 w - 0 1", "Ra4", true),
        ("k3r3/8/8/8/4R3/8/8/R3K3 w - 0 1", "Raa4", false),
        ("k3r3/8/8/8/4R3/8/8/R3K3 w - 0 1", "Rea4", false),
        // On one file the ranks tell them apart.
        ("k7/8/8/R7/8/8/R7/4K3 w - 0 1", "R2a4", true),
        ("k7/8/8/R7/8/8/R7/4K3 w - 0 1", "Raa4", false),
        ("k7/8/8/R7/8/8/R7/4K3 w - 0 1", "Ra4", false),
        // Three ma: neither file nor rank alone.
        ("k7/8/8/1N3N2/8/1N6/8/4K3 w - 0 1", "Nb5d4", true),
        ("k7/8/8/1N3N2/8/1N6/8/4K3 w - 0 1", "Nfd4", true),
        ("k7/8/8/1N3N2/8/1N6/8/4K3 w - 0 1", "N5d4", false),
        // A bia takes from the one file or the other.
        ("k7/8/8/2p5/1P1P4/8/8/4K3 w - 0 1", "bxc5", true),
        ("k7/8/8/2p5/1P1P4/8/8/4K3 w - 0 1", "c5", false),
        ("k7/8/8/2p5/1P1P4/8/8/4K3 w - 0 1", "exc5", false),
        // A promotion must be written, and nothing else may be.
        ("k7/8/8/1P6/8/8/8/4K3 w - 0 1", "b6=M", true),
        ("k7/8/8/1P6/8/8/8/4K3 w - 0 1", "b6", false),
        ("k7/8/8/8/1P6/8/8/4K3 w - 0 1", "b5=M", false),
        // In check by the rua on e8 only a move between, a capture or a step of the khun.
        ("k3r3/8/8/8/R7/8/8/4K3 w - 0 1", "Re4", true),
        ("k3r3/8/8/8/R7/8/8/4K3 w - 0 1", "Rb4", false),
        ("k3r3/8/8/8/R7/8/8/4K3 w - 0 1", "Ke2", false),
        ("k3r3/8/8/8/R7/8/8/4K3 w - 0 1", "Kd2", true),
    ] {
        let start = fen::parse(text, &makruk).unwrap();
        let line = Line::new(&makruk, start.position, start.count_state);
        assert_eq!(takes(token, &line, &letters), taken, "{token}: {text}");
    }
}
