//! Moves as text: SAN in every dialect, and UCI.

use notation::read::{Letters, Matched, Numbering, match_move, near};
use notation::{san, uci};
use rules::{Authority, LegalMove, Line, Position};

use super::{Dice, rules_of, text_of};

/// A byte for the rule set, two for a random game's length and dice, then the token.
pub fn moves(bytes: &[u8]) {
    let [first, plies, dice, token @ ..] = bytes else {
        return;
    };
    let rules = rules_of(*first);
    let mut line = Line::from_start(&rules);
    let mut dice = Dice(u64::from(*dice));
    for _ in 0..*plies {
        if !dice.play(&mut line) {
            break;
        }
    }
    let position = line.position();
    let legal = position.legal_moves();
    let token = text_of(token, 24);
    let engine = rules.authority() == Authority::Engine;
    for letters in every_dialect() {
        match match_move(&token, &letters, position) {
            Matched::One(found) => {
                assert!(legal.contains(&found.mv), "{token}");
                written(found.mv, position, engine);
            }
            Matched::Many(moves) => {
                assert!(moves.len() > 1, "{token}");
                assert!(moves.iter().all(|mv| legal.contains(mv)), "{token}");
            }
            Matched::None(reason) => assert!(!reason.to_string().is_empty()),
        }
        let close = near(&token, &letters, position);
        assert!(close.iter().all(|mv| legal.contains(mv)), "{token}");
    }
    let named = legal.iter().find(|mv| uci::write(**mv) == token);
    assert_eq!(uci::parse(&token, position).ok(), named.copied(), "{token}");
}

fn every_dialect() -> Vec<Letters> {
    let mut all = vec![
        Letters::standard(),
        Letters::standard().long(),
        Letters::playok(),
        Letters::schemingmind(),
        Letters::makruk_js(),
        Letters::khmer_client(),
        Letters::bj_makruk(),
        Letters::thai(),
        Letters::kpgn(),
    ];
    all.extend([Numbering::ALL[0], Numbering::ALL[7]].map(Letters::numbered));
    all
}

/// The SAN of a move reads back as that move, without a note.
fn written(mv: LegalMove, position: &Position, engine: bool) {
    let text = san::write(position, mv);
    match match_move(&text, &Letters::standard(), position) {
        Matched::One(found) => {
            assert_eq!(found.mv, mv, "{text}");
            assert!(found.notes.is_empty(), "{text}: {:?}", found.notes);
        }
        other => assert!(engine, "{text}: {other:?}"),
    }
    assert_eq!(uci::parse(&uci::write(mv), position), Ok(mv));
}
