//! One contract, run by each implementation. [`check`] panics where a store breaks it, naming the clause.

use std::io::Read;
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;

use crate::{Created, Error, Etag, MAX_OBJECT_BYTES, Retry, Store};

/// One promise of a store, held to a test.
type Clause = fn(&dyn Store);

/// Runs every clause against an empty store, which is left empty.
///
/// # Panics
/// Where the store breaks a clause.
pub fn check(store: &dyn Store) {
    let clauses: [(&str, Clause); 13] = [
        ("starts empty", starts_empty),
        ("gives back what was created", gives_back_what_was_created),
        ("creates once", creates_once),
        ("replaces", replaces),
        ("reads ranges", reads_ranges),
        ("holds to a state", holds_to_a_state),
        ("lists by folder", lists_by_folder),
        ("says what is missing", says_what_is_missing),
        ("refuses odd keys", refuses_odd_keys),
        ("refuses giants", refuses_giants),
        ("lets one writer win", lets_one_writer_win),
        ("passes its own probe", passes_its_own_probe),
        ("is empty again", starts_empty),
    ];
    for (name, clause) in clauses {
        let begun = Instant::now();
        clause(store);
        eprintln!("{}: {name}: {:?}", store.describe(), begun.elapsed());
    }
}

/// Removes every object.
///
/// # Panics
/// Where the store cannot list or delete.
pub fn clear(store: &dyn Store) {
    for entry in store.list("").expect("lists") {
        store.delete(&entry.key).expect("deletes");
    }
}

fn starts_empty(store: &dyn Store) {
    assert_eq!(store.list("").expect("an empty store lists"), []);
    assert_eq!(store.list("not/there").expect("a missing folder lists"), []);
}

fn gives_back_what_was_created(store: &dyn Store) {
    let big: Bytes = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    for (key, bytes) in [
        ("empty", Bytes::new()),
        ("deep/er/still.parquet", Bytes::from_static(b"PAR1")),
        ("หมากรุก/a b+c%41~?#&=.pgn", Bytes::from_static(b"thai")),
        ("big", big),
    ] {
        assert_eq!(create(store, key, &bytes), Created::Created, "{key}");
        assert!(
            store.get(key).expect("reads") == bytes,
            "{key} came back otherwise"
        );
        let head = store.head(key).expect("heads");
        assert_eq!((head.key.as_str(), head.size), (key, bytes.len() as u64));
        let written = head.mtime.expect("both stores tell the time").elapsed();
        assert!(
            written.is_ok_and(|age| age < Duration::from_secs(600))
                || head.mtime > Some(std::time::SystemTime::now())
        );
        let listed = store.list("").expect("lists");
        let listed = listed
            .iter()
            .find(|entry| entry.key == key)
            .expect("is listed");
        assert_eq!(
            (listed.size, &listed.etag),
            (head.size, &head.etag),
            "list and head agree on {key}"
        );
    }
    clear(store);
}

fn creates_once(store: &dyn Store) {
    assert_eq!(create(store, "once", b"first"), Created::Created);
    assert_eq!(create(store, "once", b"second"), Created::Exists);
    assert_eq!(store.get("once").expect("reads"), "first");
    store.delete("once").expect("deletes");
    assert_eq!(create(store, "once", b"third"), Created::Created);
    store.delete("once").expect("deletes");
    store.delete("once").expect("deleting nothing is no error");
}

fn replaces(store: &dyn Store) {
    store
        .put("views.sql", Bytes::from_static(b"old"))
        .expect("puts");
    let old = store.head("views.sql").expect("heads");
    store
        .put("views.sql", Bytes::from_static(b"newer"))
        .expect("puts again");
    let new = store.head("views.sql").expect("heads");
    assert_eq!(store.get("views.sql").expect("reads"), "newer");
    assert_ne!(old.etag, new.etag, "a new state has a new etag");
    clear(store);
}

fn reads_ranges(store: &dyn Store) {
    assert_eq!(create(store, "ten", b"0123456789"), Created::Created);
    for (range, expected) in [
        (0..10, "0123456789"),
        (0..1, "0"),
        (3..7, "3456"),
        (7..100, "789"),
        (5..u64::MAX, "56789"),
        (4..4, ""),
        (10..20, ""),
        (50..60, ""),
    ] {
        assert_eq!(
            text(store, "ten", Some(range.clone())),
            expected,
            "{range:?}"
        );
    }
    assert_eq!(text(store, "ten", None), "0123456789");
    assert_eq!(create(store, "none", b""), Created::Created);
    assert_eq!(text(store, "none", None), "");
    assert_eq!(text(store, "none", Some(0..5)), "");
    clear(store);
}

fn holds_to_a_state(store: &dyn Store) {
    store
        .put("state", Bytes::from_static(b"one"))
        .expect("puts");
    let one = store.head("state").expect("heads").etag;
    let mut body = store
        .read("state", None, Some(&one))
        .expect("the present state reads");
    let mut got = String::new();
    body.read_to_string(&mut got).expect("to its end");
    assert_eq!(got, "one");
    store
        .put("state", Bytes::from_static(b"other"))
        .expect("puts");
    for range in [None, Some(0..1), Some(2..2), Some(99..100)] {
        let Err(error) = store.read("state", range.clone(), Some(&one)) else {
            panic!("an old state was read for {range:?}");
        };
        assert!(matches!(error, Error::Changed { .. }), "{range:?}: {error}");
        assert_eq!(error.retry(), Retry::Never);
    }
    clear(store);
}

fn lists_by_folder(store: &dyn Store) {
    for key in [
        "games/b",
        "games/a",
        "games/a/c",
        "games-old/x",
        "games.txt",
        "g",
        "z/games/q",
    ] {
        // A folder cannot hold both a file and a folder of one name.
        if key != "games/a/c" {
            assert_eq!(create(store, key, key.as_bytes()), Created::Created);
        }
    }
    let keys = |prefix: &str| -> Vec<String> {
        let entries = store.list(prefix).expect("lists");
        entries.into_iter().map(|entry| entry.key).collect()
    };
    assert_eq!(keys("games"), ["games/a", "games/b"]);
    assert_eq!(keys("games/"), keys("games"));
    assert_eq!(
        keys(""),
        [
            "g",
            "games-old/x",
            "games.txt",
            "games/a",
            "games/b",
            "z/games/q"
        ]
    );
    assert_eq!(keys("z"), ["z/games/q"]);
    clear(store);
}

fn says_what_is_missing(store: &dyn Store) {
    let missing = [
        store.head("no/such").map(drop),
        store.get("no/such").map(drop),
        store.read("no/such", Some(1..2), None).map(drop),
        store.read("no/such", Some(1..1), None).map(drop),
        store.read("no/such", None, Some(&Etag::new("x"))).map(drop),
    ];
    for outcome in missing {
        let error = outcome.expect_err("nothing is there");
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
        assert!(error.to_string().contains("no/such"), "{error}");
        assert_eq!(error.retry(), Retry::Never);
    }
}

fn refuses_odd_keys(store: &dyn Store) {
    for key in [
        "",
        "/etc/passwd",
        "../up",
        "a/../../up",
        "a//b",
        "a/",
        ".tmp-1",
    ] {
        let outcomes = [
            store.head(key).map(drop),
            store.get(key).map(drop),
            store.create(key, Bytes::new()).map(drop),
            store.put(key, Bytes::new()),
            store.delete(key),
        ];
        for outcome in outcomes {
            let error = outcome.expect_err("no key");
            assert!(matches!(error, Error::BadKey { .. }), "{key:?}: {error}");
        }
    }
    assert!(matches!(store.list("../up"), Err(Error::BadKey { .. })));
}

fn refuses_giants(store: &dyn Store) {
    let giant = Bytes::from(vec![0; MAX_OBJECT_BYTES + 1]);
    assert!(matches!(
        store.create("giant", giant.clone()),
        Err(Error::TooLarge { .. })
    ));
    assert!(matches!(
        store.put("giant", giant),
        Err(Error::TooLarge { .. })
    ));
}

fn lets_one_writer_win(store: &dyn Store) {
    for round in 0..4 {
        let key = format!("race/{round}");
        let outcomes: Vec<Created> = thread::scope(|scope| {
            let key = &key;
            let writers: Vec<_> = (0..6)
                .map(|n| scope.spawn(move || create(store, key, format!("writer {n}").as_bytes())))
                .collect();
            writers
                .into_iter()
                .map(|writer| writer.join().expect("no panic"))
                .collect()
        });
        let winners: Vec<usize> = (0..6)
            .filter(|&n| outcomes[n] == Created::Created)
            .collect();
        assert_eq!(winners.len(), 1, "one of six wins: {outcomes:?}");
        assert_eq!(
            store.get(&key).expect("reads"),
            format!("writer {}", winners[0])
        );
    }
    clear(store);
}

fn passes_its_own_probe(store: &dyn Store) {
    store.probe_create_only().expect("the probe passes");
    clear(store);
}

fn create(store: &dyn Store, key: &str, bytes: &[u8]) -> Created {
    store
        .create(key, Bytes::copy_from_slice(bytes))
        .expect("creates")
}

fn text(store: &dyn Store, key: &str, range: Option<std::ops::Range<u64>>) -> String {
    let mut text = String::new();
    store
        .read(key, range, None)
        .expect("opens")
        .read_to_string(&mut text)
        .expect("reads to the end");
    text
}
