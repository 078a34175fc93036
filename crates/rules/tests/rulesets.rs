//! Rule sets as data: the builtin files, a user's own, and what is refused.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use rules::ruleset::{BoardWho, CountStart, KingLeap, RookLoss, Sutra};
use rules::{Authority, Position, PositionError, Ruleset, RulesetError, Square, Variant};

fn refused(text: &str) -> String {
    Ruleset::from_toml(text).unwrap_err().to_string()
}

/// A file based on `ouk` with these switches.
fn ouk_with(switches: &str) -> String {
    format!("id = \"mine\"\ntitle = \"Mine\"\nbased_on = \"ouk\"\n[switches]\n{switches}\n")
}

#[test]
fn every_builtin_loads_and_differs() {
    let ids = Ruleset::builtin_ids();
    assert_eq!(ids.len(), 10);
    let mut hashes: Vec<_> = ids
        .iter()
        .map(|id| {
            let rules = Ruleset::builtin(id).unwrap();
            assert_eq!(rules.id().as_str(), *id);
            assert_eq!(rules.switches().len(), 26, "{id}");
            assert!(
                rules
                    .switches()
                    .iter()
                    .all(|switch| !switch.source.is_empty())
            );
            rules.hash()
        })
        .collect();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), 10);
}

#[test]
fn what_a_file_leaves_out_it_inherits() {
    let fairy = Ruleset::builtin("karouk-fairy").unwrap();
    assert_eq!(fairy.authority(), Authority::Engine);
    assert_eq!(fairy.variant(), Variant::KarOuk);
    assert_eq!(fairy.king_leap, KingLeap::Fwd);
    assert_eq!(fairy.board_who, BoardWho::Le3);
    assert_eq!(fairy.board_start, CountStart::Auto);
    let leap = fairy
        .switches()
        .iter()
        .find(|s| s.name == "king_leap")
        .unwrap();
    assert_eq!(leap.stated_in.as_str(), "ouk");
}

#[test]
fn what_is_wrong_is_named() {
    let unknown = refused(&ouk_with(
        "king_jump = { value = \"fwd\", source = \"us\" }",
    ));
    assert!(
        unknown.contains("king_jump") && unknown.contains("line 5"),
        "{unknown}"
    );
    let value = refused(&ouk_with(
        "king_leap = { value = \"far\", source = \"us\" }",
    ));
    assert!(value.contains("far") && value.contains("knight"), "{value}");
    let sourceless = refused(&ouk_with("king_leap = { value = \"fwd\" }"));
    assert!(sourceless.contains("source"), "{sourceless}");
    let contradiction = refused(&ouk_with(
        "king_leap = { value = \"none\", source = \"us\" }",
    ));
    assert!(contradiction.contains("king_rook_loss"), "{contradiction}");
    let stop = refused(&ouk_with("board_stop = { value = true, source = \"us\" }"));
    assert!(stop.contains("board_start = auto"), "{stop}");
    let orphan = refused("id = \"mine\"\ntitle = \"Mine\"\nbased_on = \"oak\"\n");
    assert!(
        orphan.contains("oak") && orphan.contains("makruk"),
        "{orphan}"
    );
    let circle = refused("id = \"mine\"\ntitle = \"Mine\"\nbased_on = \"mine\"\n");
    assert!(circle.contains("based on itself"), "{circle}");
    let alone = refused("id = \"mine\"\ntitle = \"Mine\"\n");
    assert!(alone.contains("missing"), "{alone}");
    assert!(matches!(
        Ruleset::builtin("chess"),
        Err(RulesetError::Unknown(_))
    ));
}

#[test]
fn a_start_that_is_no_position_is_refused() {
    let text = "id = \"mine\"\ntitle = \"Mine\"\nbased_on = \"makruk\"\n[start]\nsource = \"us\"\nrights = \"-\"\nboard = [\"k . . . . . . .\"]\n";
    assert!(refused(text).contains("1 rows"), "{}", refused(text));
}

/// The khun's right after a rook has come to its file with a bia between.
fn right_survives(rook_loss: &str) -> bool {
    let text = ouk_with(&format!(
        "king_rook_loss = {{ value = \"{rook_loss}\", source = \"test\" }}"
    ));
    let rules = Ruleset::from_toml(&text).unwrap();
    let mut line = support::line("r3k3/8/8/8/3P4/8/8/2SKM3 b DE - 0 1", &rules);
    support::play(&mut line, "a8d8");
    line.position()
        .rights()
        .has("d1".parse::<Square>().unwrap())
}

#[test]
fn a_rook_ends_the_right_by_line_or_open_line() {
    assert!(right_survives("none"));
    assert!(!right_survives("line"));
    assert!(right_survives("open_line"));
}

#[test]
fn an_open_line_ends_the_right() {
    let text = ouk_with("king_rook_loss = { value = \"open_line\", source = \"test\" }");
    let rules = Ruleset::from_toml(&text).unwrap();
    assert_eq!(rules.king_rook_loss, RookLoss::OpenLine);
    let mut line = support::line("r3k3/8/8/8/8/8/8/2SKM3 b DE - 0 1", &rules);
    support::play(&mut line, "a8d8");
    assert_eq!(line.position().rights().to_string(), "E");
}

fn moves_of(rules: &Ruleset, fen: &str, from: &str) -> Vec<String> {
    let position = support::position(fen, rules);
    let from: Square = from.parse().unwrap();
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .filter(|mv| mv.from() == from)
        .map(ToString::to_string)
        .collect();
    moves.sort();
    moves
}

#[test]
fn the_other_leaps() {
    let slide = Ruleset::from_toml(&ouk_with(
        "met_leap = { value = \"slide\", source = \"test\" }",
    ))
    .unwrap();
    let over = "4k3/8/8/8/8/P7/4S3/3KM3 w DE - 0 1";
    assert_eq!(moves_of(&slide, over, "e1"), ["e1d2", "e1f2"]);
    let jump = Ruleset::builtin("ouk").unwrap();
    assert_eq!(moves_of(&jump, over, "e1"), ["e1d2", "e1e3", "e1f2"]);
    let knight = Ruleset::from_toml(&ouk_with(
        "king_leap = { value = \"knight\", source = \"test\" }",
    ))
    .unwrap();
    let open = "4k3/8/8/8/8/P7/8/3KM3 w DE - 0 1";
    assert_eq!(
        moves_of(&knight, open, "d1"),
        [
            "d1b2", "d1c1", "d1c2", "d1c3", "d1d2", "d1e2", "d1e3", "d1f2"
        ]
    );
}

#[test]
fn the_first_capture_may_end_all_rights() {
    let text = ouk_with("leap_until_capture = { value = true, source = \"test\" }");
    let rules = Ruleset::from_toml(&text).unwrap();
    let mut line = support::line("3mk3/8/8/p7/1P6/8/8/3KM3 w DEde - 0 1", &rules);
    support::play(&mut line, "b4a5");
    assert!(line.position().rights().is_empty());
}

#[test]
fn nonsense_is_no_position() {
    let makruk = Ruleset::builtin("makruk").unwrap();
    let error = |fen: &str| Position::from_setup(&support::setup(fen), &makruk).unwrap_err();
    let square = |name: &str| name.parse::<Square>().unwrap();
    use rules::Color::{Black, White};
    let cases = [
        ("3k4/8/8/8/8/8/8/8 w - - 0 1", PositionError::NoKhun(White)),
        (
            "3k4/8/8/8/8/8/8/3KK3 w - - 0 1",
            PositionError::ManyKhuns(White),
        ),
        ("8/8/8/8/8/8/8/3K4 w - - 0 1", PositionError::NoKhun(Black)),
        (
            "3k4/P7/8/8/8/8/8/3K4 w - - 0 1",
            PositionError::BiaPastPromotion(square("a7")),
        ),
        (
            "3k4/3R4/8/8/8/8/8/3K4 w - - 0 1",
            PositionError::OpponentInCheck(Black),
        ),
        (
            "3k4/8/8/8/8/8/8/3K4 w D - 0 1",
            PositionError::RightUnknown(square("d1")),
        ),
        (
            "3k4/8/8/NNNNNNNN/NNNNNNNN/8/8/3K4 w - - 0 1",
            PositionError::TooManyMen(White),
        ),
    ];
    for (fen, want) in cases {
        assert_eq!(error(fen), want, "{fen}");
    }
    let ouk = Ruleset::builtin("ouk").unwrap();
    let stray = support::setup("4k3/8/8/8/8/8/8/4K3 w D - 0 1");
    assert_eq!(
        Position::from_setup(&stray, &ouk).unwrap_err(),
        PositionError::RightWithoutMan(square("d1"))
    );
}

#[test]
fn no_move_takes_a_khun() {
    let makruk = Ruleset::builtin("makruk").unwrap();
    let setup = support::setup("8/8/4k3/5P2/8/2RMK3/8/4R3 w - - 0 1");
    let (position, fault) = Position::forgiving(&setup, &makruk).unwrap();
    assert_eq!(
        fault,
        Some(PositionError::OpponentInCheck(rules::Color::Black))
    );
    let khun: Square = "e6".parse().unwrap();
    assert!(position.legal_moves().iter().all(|mv| mv.to() != khun));
    assert!(position.noisy_moves().iter().all(|mv| mv.to() != khun));
}

#[test]
fn the_table_of_profiles() {
    // RULES 10, column by column; "-" there is the value that changes nothing.
    let table = include_str!("profiles.tsv");
    let mut rows = table
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let ids = rows.next().unwrap();
    for row in rows {
        for (id, want) in ids.iter().zip(&row).skip(1) {
            let rules = Ruleset::builtin(id).unwrap();
            let switch = rules.switches().iter().find(|s| s.name == row[0]);
            let switch = switch.unwrap_or_else(|| panic!("{}", row[0]));
            let nothing = *want == "-" && ["no", "none"].contains(&switch.value.as_str());
            assert!(
                nothing || switch.value == *want,
                "{id}: {switch:?}, want {want}"
            );
        }
    }
}

#[test]
fn additions_stand_on_top_in_any_order() {
    let rules = Ruleset::builtin("makruk+sut-met+sut-khun").unwrap();
    assert_eq!(rules.id().as_str(), "makruk+sut-khun+sut-met");
    assert_eq!(rules.based_on().unwrap().as_str(), "makruk");
    assert_eq!(rules.start().rights().to_string(), "DEde");
    assert_eq!(rules.sutras, [Sutra::Khun, Sutra::Met]);
    assert!(rules.rep_rights);
    let all = Ruleset::builtin("makruk+takhaeng-ruea+sut-ma+sut-met+sut-khun").unwrap();
    assert_eq!(all.start().rights().to_string(), "BDEGbdeg");
    assert!(all.start().promoted().contains("a1".parse().unwrap()));
    for wrong in [
        "makruk+",
        "makruk+sut-rua",
        "ouk+sut-met",
        "makruk-fairy+sut-ma",
        "+sut-ma",
    ] {
        assert!(Ruleset::builtin(wrong).is_err(), "{wrong}");
    }
}

/// The sutras' examples of RULES 8.
#[test]
fn sutras_move_two_men() {
    let after = |id: &str, moves: &str| {
        let rules = Ruleset::builtin(id).unwrap();
        let mut line = rules::Line::from_start(&rules);
        support::play(&mut line, moves);
        (
            format!("{:?}", line.position()),
            line.position().ply_clock().0,
        )
    };
    let black = "rnsmksnr/......../pppppppp/......../";
    assert_eq!(
        after("makruk+sut-met", "e1e3"),
        (
            format!("{black}....P.../PPPPMPPP/......../RNSK.SNR/ b d"),
            0
        )
    );
    assert_eq!(
        after("makruk+sut-ma", "b1c3"),
        (
            format!("{black}..P...../PPNPPPPP/......../R.SKMSNR/ b Gbg"),
            0
        )
    );
    assert_eq!(
        after("makruk+sut-khun", "d1b2"),
        (
            format!("{black}......../PPPPPPPP/.K....../RNS.MSNR/ b e"),
            1
        )
    );
    // The bia of sut met must have room, and the met must not have moved.
    let legal = |moves: &str, wish: &str| {
        let rules = Ruleset::builtin("makruk+sut-met").unwrap();
        let mut line = rules::Line::from_start(&rules);
        support::play(&mut line, moves);
        line.position().resolve(wish.parse().unwrap()).is_some()
    };
    assert!(legal("", "e1e3"));
    assert!(!legal("e1d2 a6a5 d2e1 a5a4", "e1e3"));
    assert!(!legal("a3a4 e6e5 a4a5 e5e4", "e1e3"));
}

#[test]
fn a_sutra_may_answer_a_check_and_must_not_open_one() {
    let rules = Ruleset::builtin("makruk+sut-met").unwrap();
    let sutra = |fen: &str| {
        let position = support::position(fen, &rules);
        position.resolve("e1e3".parse().unwrap()).is_some()
    };
    // The bia that steps to e4 comes between the rua and the khun.
    assert!(sutra("3k4/8/8/8/K6r/4P3/8/4M3 w E - 0 1"));
    assert!(!sutra("3k4/8/8/8/7r/K3P3/r7/4M3 w E - 0 1"));
    // The met was all that stood between the khun and a rua.
    assert!(!sutra("3k4/8/8/8/8/4P3/8/K3M2r w E - 0 1"));
}

#[test]
fn a_users_file_has_its_own_name() {
    let named = |id: &str| {
        refused(&format!(
            "id = \"{id}\"\ntitle = \"x\"\nbased_on = \"ouk\"\n"
        ))
    };
    assert!(named("makruk").contains("comes with the program"));
    assert!(named("a+b").contains("lower-case"));
    let text = "id = \"mine\"\ntitle = \"x\"\nbased_on = \"makruk+sut-khun\"\n";
    let rules = Ruleset::from_toml(text).unwrap();
    assert_eq!(rules.start().rights().to_string(), "De");
}

#[test]
fn one_switch_can_be_taken_from_another() {
    let makruk = Ruleset::builtin("makruk").unwrap();
    let fairy = Ruleset::builtin("makruk-fairy").unwrap();
    let mixed = makruk.with_switches_of(&fairy, &["board_start"]).unwrap();
    assert_eq!(mixed.board_start, CountStart::Auto);
    assert_eq!(mixed.board_who, BoardWho::Armed);
    assert_eq!(
        mixed.id().as_str(),
        "makruk with board_start of makruk-fairy"
    );
    assert_ne!(mixed.hash(), makruk.hash());
    let names: Vec<_> = makruk.switches().iter().map(|switch| switch.name).collect();
    let whole = makruk.with_switches_of(&fairy, &names).unwrap();
    assert!(
        whole
            .switches()
            .iter()
            .zip(fairy.switches())
            .all(|(a, b)| a.value == b.value)
    );
    let ouk = Ruleset::builtin("ouk").unwrap();
    let tale = Ruleset::builtin("ouk-wikipedia").unwrap();
    let leap = ouk.with_switches_of(&tale, &["king_leap"]).unwrap();
    assert_eq!(
        (leap.king_leap, leap.start().rights().to_string()),
        (KingLeap::Knight, "DEde".to_owned())
    );
}

#[test]
fn a_first_move_that_no_start_gives_is_refused() {
    let on_makruk = |switches: &str| {
        refused(&format!(
            "id = \"mine\"\ntitle = \"x\"\nbased_on = \"makruk\"\n[switches]\n{switches}\n"
        ))
    };
    let leap = on_makruk("king_leap = { value = \"fwd\", source = \"us\" }");
    assert!(leap.contains("d1") && leap.contains("rights"), "{leap}");
    let sutra = on_makruk("sutras = { value = [\"ma\"], source = \"us\" }");
    assert!(sutra.contains("b1"), "{sutra}");
}
