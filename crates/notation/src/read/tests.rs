use rules::{Position, Ruleset};

use super::*;

fn start(id: &str) -> Position {
    Ruleset::builtin(id).unwrap().start()
}

fn played(id: &str, moves: &str) -> Position {
    let mut position = start(id);
    for wish in moves.split_whitespace() {
        let mv = position.resolve(wish.parse().unwrap()).unwrap();
        position.play(mv);
    }
    position
}

fn one(token: &str, letters: &Letters, position: &Position) -> (String, Vec<&'static str>) {
    match match_move(token, letters, position) {
        Matched::One(found) => (
            found.mv.to_string(),
            found.notes.iter().map(Tolerance::as_str).collect(),
        ),
        other => panic!("{token}: {other:?}"),
    }
}

fn none(token: &str, letters: &Letters, position: &Position) -> &'static str {
    match match_move(token, letters, position) {
        Matched::None(reason) => reason.as_str(),
        other => panic!("{token}: {other:?}"),
    }
}

#[test]
fn plain_moves_leave_no_note() {
    let (standard, playok) = (Letters::standard(), Letters::playok());
    let position = start("makruk");
    for (token, uci) in [
        ("e4", "e3e4"),
        ("Nd2", "b1d2"),
        ("Sb2", "c1b2"),
        ("Ra2", "a1a2"),
        ("Me2", "e1e2"),
    ] {
        if token == "Me2" {
            assert_eq!(none(token, &standard, &position), "unreachable");
        } else {
            assert_eq!(one(token, &standard, &position), (uci.to_owned(), vec![]));
        }
    }
    assert_eq!(one("Bb2", &playok, &position), ("c1b2".to_owned(), vec![]));
    assert_eq!(one("Qd2", &playok, &position), ("e1d2".to_owned(), vec![]));
}

#[test]
fn loose_spellings_are_noted() {
    let letters = Letters::standard();
    let position = start("makruk");
    let noted = |token: &str, note: &str| {
        assert_eq!(one(token, &letters, &position).1, vec![note], "{token}")
    };
    noted("e3e4", "long_form");
    noted("Nb1d2", "over_disambiguated");
    noted("Nbd2", "over_disambiguated");
    noted("Nxd2", "capture_mark_wrong");
    noted("Bb2", "letter_alias");
    noted("Ed2", "letter_alias");
    noted("nd2", "letter_case");
    noted("1.e4", "glued_number");
    noted("e4!?", "glyphs");
    assert_eq!(one("e3-e4", &letters, &position).0, "e3e4");
    assert_eq!(one("e4+", &letters, &position).1, Vec::<&str>::new());
}

#[test]
fn promotion_in_every_spelling() {
    let letters = Letters::standard();
    let rules = Ruleset::builtin("makruk").unwrap();
    let mut setup = rules.start_setup().clone();
    setup.put("a3".parse().unwrap(), None);
    setup.put("a6".parse().unwrap(), None);
    let man = rules::Man::new(rules::Color::White, rules::Role::Bia);
    setup.put("a5".parse().unwrap(), Some(man));
    let position = Position::from_setup(&setup, &rules).unwrap();
    for token in [
        "a6=M", "a6=Q", "a6=P", "a6=F", "a6M", "a6", "a5a6m", "a5-a6=M", "a6=M~", "a6(M)", "a6=",
    ] {
        assert_eq!(one(token, &letters, &position).0, "a5a6m", "{token}");
    }
    assert_eq!(one("a6=M", &letters, &position).1, Vec::<&str>::new());
    assert_eq!(one("axb6=M", &letters, &position).0, "a5b6m");
    assert_eq!(
        one("ab6", &letters, &position).1,
        vec!["capture_mark_missing", "promotion_left_out"]
    );
    assert_eq!(none("a6=R", &letters, &position), "promotion_to_other");
    assert_eq!(none("b4=M", &letters, &position), "promotion_where_none");
    match match_move("a6=", &letters, &position) {
        Matched::One(found) => assert!(found.draw_offer),
        other => panic!("{other:?}"),
    }
}

#[test]
fn playok_p_is_a_promoted_bia() {
    let letters = Letters::playok();
    // One met and one promoted bia that both reach c5.
    let rules = Ruleset::builtin("makruk").unwrap();
    let mut setup = rules::Setup::empty();
    let mut put = |square: &str, color, role, promoted| {
        setup.put(
            square.parse().unwrap(),
            Some(rules::Man {
                color,
                role,
                promoted,
            }),
        );
    };
    use rules::{Color::*, Role::*};
    put("a1", White, Khun, false);
    put("h8", Black, Khun, false);
    put("b4", White, Met, false);
    put("d4", White, Met, true);
    put("g2", White, Bia, false);
    let position = Position::from_setup(&setup, &rules).unwrap();
    assert_eq!(one("Pc5", &letters, &position), ("d4c5".to_owned(), vec![]));
    assert_eq!(one("Qc5", &letters, &position), ("b4c5".to_owned(), vec![]));
    assert_eq!(one("P4c5", &letters, &position).0, "d4c5");
    assert_eq!(one("g3", &letters, &position).0, "g2g3");
    assert_eq!(one("Qe5", &letters, &position).1, vec!["man_letter"]);
    let standard = Letters::standard();
    assert!(
        matches!(match_move("Mc5", &standard, &position), Matched::Many(moves) if moves.len() == 2)
    );
    assert_eq!(one("M~c5", &standard, &position).0, "d4c5");
    assert_eq!(one("Mbc5", &standard, &position).1, Vec::<&str>::new());
}

#[test]
fn leaps_are_plain_moves() {
    let letters = Letters::standard();
    let position = start("ouk");
    assert_eq!(one("Kf2", &letters, &position).0, "d1f2");
    assert_eq!(none("Kc3", &letters, &position), "unreachable");
    assert_eq!(none("Me3", &letters, &position), "leap_occupied");
    let later = played("ouk", "e3e4 a6a5");
    assert_eq!(one("Me3", &letters, &later).0, "e1e3");
    assert_eq!(none("Kf2", &letters, &start("makruk")), "leap_right_lost");
}

#[test]
fn reasons() {
    let letters = Letters::standard();
    let position = start("makruk");
    for (token, reason) in [
        ("Rh5", "blocked"),
        ("Rh3", "target_own"),
        ("Nf3", "target_own"),
        ("Ng3", "unreachable"),
        ("e5", "bia_double_step"),
        ("exd4", "bia_nothing_to_take"),
        ("Sc3", "unreachable"),
        ("Kd8", "unreachable"),
        ("e8e7", "origin_enemy"),
        ("e5e6", "origin_empty"),
        ("Nb1e4", "unreachable"),
        ("Ned2", "origin_line"),
        ("O-O", "castling"),
        ("--", "gap"),
        ("Zd4", "unknown_letter"),
        ("hello", "unreadable"),
        ("Kxe9", "unreadable"),
    ] {
        assert_eq!(none(token, &letters, &position), reason, "{token}");
    }
}

#[test]
fn near_moves_are_suggested() {
    let letters = Letters::standard();
    let near: Vec<String> = near("Ng3", &letters, &start("makruk"))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(near.is_empty() || near.iter().all(|mv| mv.len() >= 4));
    let near: Vec<String> = super::near("Re2", &letters, &start("makruk"))
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(near.contains(&"a1a2".to_owned()), "{near:?}");
}

#[test]
fn any_bytes_are_survived() {
    let letters = Letters::standard();
    let position = start("ouk");
    let mut seed = 7u64;
    for _ in 0..20_000 {
        let mut bytes = [0u8; 6];
        for byte in &mut bytes {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let alphabet = b"abcdefgh12345678KMSNRPQxX=+#~-:!?.*()m \xc3\x97";
            *byte = alphabet[(seed >> 33) as usize % alphabet.len()];
        }
        let token = String::from_utf8_lossy(&bytes);
        let _ = match_move(&token, &letters, &position);
    }
}

#[test]
fn sutras_name_the_bia_that_makes_room() {
    let letters = Letters::standard();
    let position = start("makruk+sut-ma+sut-met");
    let plain = |token: &str| one(token, &letters, &position);
    assert_eq!(plain("Me3/e4"), ("e1e3".to_owned(), vec![]));
    assert_eq!(plain("Nc3/c4"), ("b1c3".to_owned(), vec![]));
    assert_eq!(plain("Nh3/h4+"), ("g1h3".to_owned(), vec![]));
    // An own bia stands on the target, so that no ordinary move is meant: noted, not refused.
    assert_eq!(plain("Me3"), ("e1e3".to_owned(), vec!["bia_left_out"]));
    assert_eq!(plain("Nc3"), ("b1c3".to_owned(), vec!["bia_left_out"]));
    assert_eq!(plain("e1e3"), ("e1e3".to_owned(), vec!["long_form"]));
    assert_eq!(plain("e1e3/e4"), ("e1e3".to_owned(), vec!["long_form"]));
    assert_eq!(plain("Me1-e3/e4").0, "e1e3");
    assert_eq!(
        plain("Nbc3/c4"),
        ("b1c3".to_owned(), vec!["over_disambiguated"])
    );
    assert_eq!(
        plain("Mxe3/e4"),
        ("e1e3".to_owned(), vec!["capture_mark_wrong"])
    );
    let playok = Letters::playok();
    assert_eq!(one("Qe3/e4", &playok, &position).0, "e1e3");
    let thai = Letters::thai();
    for (token, uci) in [
        ("ม็จ๓/จ๔", "e1e3"),
        ("ม็-จ๓/จ๔", "e1e3"),
        ("ม็จ๑-จ๓/จ๔", "e1e3"),
        ("มค๓/ค๔", "b1c3"),
        ("ม-ค๓", "b1c3"),
    ] {
        assert_eq!(one(token, &thai, &position).0, uci, "{token}");
    }

    let refused = |token: &str| none(token, &letters, &position);
    // The bia goes to e4 and nowhere else.
    assert_eq!(refused("Me3/e5"), "leap_into_check");
    assert_eq!(refused("Nd2/d3"), "no_such_room");
    assert_eq!(refused("Me3/"), "unreadable");
    assert_eq!(refused("Me3/e4/e5"), "unreadable");
    assert_eq!(refused("Me3/e4=M"), "promotion_where_none");
}

#[test]
fn why_a_sutra_is_not_allowed() {
    let letters = Letters::standard();
    let position = start("makruk");
    assert_eq!(none("Me3/e4", &letters, &position), "no_such_room");
    assert_eq!(none("Me3", &letters, &position), "leap_right_lost");
    assert_eq!(none("Nc3", &letters, &position), "target_own");
    // The met has moved and come back to stand before its bia no more.
    let met = played("makruk+sut-met", "e1d2 a6a5 d2e1 a5a4");
    assert_eq!(none("Me3/e4", &letters, &met), "leap_right_lost");
    let ma = played("makruk+sut-ma", "b1d2 a6a5 d2b1 a5a4");
    assert_eq!(none("Nc3/c4", &letters, &ma), "leap_right_lost");
    assert_eq!(one("Nf3/f4", &letters, &ma).0, "g1f3");
    // A bia on h4 leaves no room for White's own from h3.
    let blocked = played("makruk+sut-ma", "a3a4 h6h5 a4a5 h5h4");
    assert_eq!(none("Nh3/h4", &letters, &blocked), "leap_no_room");
}
