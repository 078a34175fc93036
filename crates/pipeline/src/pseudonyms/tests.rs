use super::*;

fn key(text: &str) -> Pseudonyms {
    Pseudonyms::new(text.as_bytes())
}

#[test]
fn one_name_has_one_pseudonym_under_one_key() {
    let one = key("a key of many bytes");
    assert_eq!(
        one.of_name("Somchai  Jaidee"),
        one.of_name(" somchai jaidee")
    );
    assert_ne!(one.of_name("Somchai Jaidee"), one.of_name("Somchai Jaide"));
    let other = key("another key, as long");
    assert_ne!(
        one.of_name("Somchai Jaidee"),
        other.of_name("Somchai Jaidee")
    );
    assert_ne!(one.id(), other.id());
    assert!(!format!("{one:?}").contains("many bytes"));
    assert_eq!(one.of_name("x").len(), "player-".len() + 16);
}

#[test]
fn names_are_found_in_sentences() {
    let mut scrub = Scrub::default();
    scrub.name("Jaidee, Somchai", "P");
    scrub.name("rua_dam", "Q");
    scrub.name("สมชาย", "R");
    scrub.name("White", "W");
    scrub.name("a\"b", "X");
    for (text, wanted) in [
        ("Somchai Jaidee won on time", "P won on time"),
        ("SOMCHAI JAIDEE - RUA_DAM", "P - Q"),
        ("by Jaidee, Somchai", "by P"),
        ("Jaidee resigns", "P resigns"),
        // Part of a longer word is another word.
        ("rua_dam2 and Somchaiya", "rua_dam2 and Somchaiya"),
        ("นายสมชายแพ้", "นายRแพ้"),
        // Words that every sentence has stay.
        ("White to move", "White to move"),
        (r#"{"token":"a\"b"}"#, r#"{"token":"X"}"#),
    ] {
        assert_eq!(scrub.apply(text), wanted);
    }
}

#[test]
fn addresses_keep_their_host_and_stay_apart() {
    let key = key("a key of many bytes");
    let none = Scrub::default();
    let one = key.text(&none, "https://example.org/@/rua_dam/7");
    assert!(
        one.starts_with("https://example.org/") && !one.contains("rua"),
        "{one}"
    );
    assert_ne!(one, key.text(&none, "https://example.org/@/rua_dam/8"));
    assert_eq!(
        key.text(&none, "no address: at home"),
        "no address: at home"
    );
    let user = key.text(&none, "see ftp://me:word@host/x now");
    assert!(
        user.starts_with("see ftp://host/") && user.ends_with(" now"),
        "{user}"
    );
}

#[test]
fn tags_that_name_people_go() {
    let key = key("a key of many bytes");
    let tags = [
        ("Event", "Somchai's cup"),
        ("White", "Somchai"),
        ("WhiteTeam", "Korat Club"),
        ("Annotator", "Malee"),
        ("White", "Other"),
        ("Black", "?"),
        ("Termination", "Korat Club wins"),
    ];
    let tags = Tags::of(tags.into_iter());
    let mut scrub = Scrub::default();
    scrub.name("Somchai", &key.of_name("Somchai"));
    scrub.name("Korat Club", &key.of_name("Korat Club"));
    let kept = key.tags(&scrub, &tags);
    let (somchai, club) = (key.of_name("Somchai"), key.of_name("Korat Club"));
    let shown: Vec<(&str, String)> = kept
        .iter()
        .map(|(name, value)| (name, value.to_owned()))
        .collect();
    assert_eq!(
        shown,
        [
            ("Event", format!("{somchai}'s cup")),
            ("White", somchai),
            ("White#2", key.of_name("Other")),
            ("Black", "?".to_owned()),
            ("Termination", format!("{club} wins")),
        ]
    );
}
