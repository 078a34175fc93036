//! Job files: what is wrong is named with its line and the nearest valid writing.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use pipeline::{EngineChoice, Job, KEYS, Kind};

const DEMO: &str = include_str!("../../../jobs/demo.toml");

fn wrong(text: &str) -> String {
    Job::parse("x.toml", text, &[]).unwrap_err().to_string()
}

const HEAD: &str = "name = \"x\"\n[input]\narchives = [\"a\"]\n[output]\ndir = \"o\"\n";

#[test]
fn the_demo_is_a_job() {
    let job = Job::parse("jobs/demo.toml", DEMO, &[]).unwrap();
    assert_eq!(job.name, "demo");
    assert_eq!(job.analysis.engine, EngineChoice::Builtin);
    assert_eq!(job.run.chunk_bytes, 64_000_000);
    assert!(job.input.include.is_match("a/b.pgn.zst"));
    assert!(!job.input.include.is_match("README.md"));
}

#[test]
fn the_demo_documents_every_key_with_its_default() {
    let mut table = String::new();
    let mut found = std::collections::BTreeMap::new();
    let mut comment = String::new();
    for line in DEMO.lines() {
        let bare = line.trim_start_matches("# ").trim();
        if let Some(list) = bare
            .strip_prefix("[[")
            .and_then(|rest| rest.strip_suffix("]]"))
        {
            table = format!("{list}[]");
        } else if let Some(name) = bare
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            table = name.to_owned();
        } else if let Some((key, value)) = bare.split_once(" = ").filter(|(key, _)| {
            key.chars()
                .all(|c| c.is_ascii_lowercase() || "_-3".contains(c))
        }) {
            let path = if table.is_empty() {
                key.to_owned()
            } else {
                format!("{table}.{key}")
            };
            found.insert(
                path,
                (value.to_owned(), comment.clone(), line.starts_with('#')),
            );
            comment.clear();
        } else {
            comment.push_str(line);
        }
    }
    for key in KEYS {
        let (value, comment, commented) = found
            .remove(key.path)
            .unwrap_or_else(|| panic!("{} is not in jobs/demo.toml", key.path));
        let value = value.split("  #").next().unwrap().trim();
        if let (Some(default), true) = (key.default, commented) {
            assert_eq!(value, default, "{}", key.path);
        }
        if let (Kind::Integer(low, high), Some(default)) = (key.kind, key.default) {
            assert!(
                comment.contains(&format!("{low} to {high}")),
                "{}: {comment}",
                key.path
            );
            assert!(
                comment.contains(&format!("default {default}")),
                "{}: {comment}",
                key.path
            );
        }
    }
    assert!(found.is_empty(), "keys that are none: {found:?}");
}

#[test]
fn an_unknown_key_names_its_line_and_the_nearest() {
    let error = wrong(&format!("{HEAD}[analysis]\nnode = 5\n"));
    assert_eq!(
        error,
        "x.toml:7: unknown key 'analysis.node'; the nearest key is 'analysis.nodes'"
    );
    let error = wrong(&format!("{HEAD}[run]\ntreads = 5\n"));
    assert_eq!(
        error,
        "x.toml:7: unknown key 'run.treads'; the nearest key is 'run.threads'"
    );
    let error = wrong(&format!("{HEAD}[analysys]\nnodes = 5\n"));
    assert!(
        error.starts_with("x.toml:6: unknown key 'analysys'"),
        "{error}"
    );
    let error = wrong(&format!(
        "{HEAD}[[rules.source]]\nsites = \"x\"\nvariant = \"ouk\"\n"
    ));
    assert!(
        error.starts_with("x.toml:7:") && error.contains("'rules.source[].site'"),
        "{error}"
    );
}

#[test]
fn a_wrong_value_names_its_line_and_the_nearest() {
    let error = wrong(&format!("{HEAD}[rules]\nmakruk = \"makruc\"\n"));
    assert!(
        error.starts_with("x.toml:7:") && error.contains("nearest is 'makruk'"),
        "{error}"
    );
    let error = wrong(&format!("{HEAD}[rules]\nmakruk = \"ouk\"\n"));
    assert!(error.contains("is for ouk, not for makruk"), "{error}");
    let error = wrong(&format!("{HEAD}[analysis]\nengine = \"bultin\"\n"));
    assert!(
        error.starts_with("x.toml:7:") && error.contains("nearest is 'builtin'"),
        "{error}"
    );
    let error = wrong(&format!("{HEAD}[analysis]\nnodes = 0\n"));
    assert!(
        error.contains("from 1 to 1000000000, not 0; the nearest is 1"),
        "{error}"
    );
    let error = wrong(&format!("{HEAD}[analysis]\nnodes = \"many\"\n"));
    assert!(
        error.starts_with("x.toml:7: 'analysis.nodes' takes a whole number"),
        "{error}"
    );
    let error = wrong(&format!("{HEAD}[analysis]\ngames = \"finding\"\n"));
    assert!(error.contains("nearest is 'findings'"), "{error}");
    let error = wrong(&format!("{HEAD}[run]\ndeadline = \"soon\"\n"));
    assert!(
        error.starts_with("x.toml:7:") && error.contains("\"6h\""),
        "{error}"
    );
    let error = wrong("name = \"x\"\n[input]\narchives = [\"a\"]\n");
    assert!(error.contains("'output.dir' is missing"), "{error}");
    let error = wrong("name = \"x\"\nname = \"y\"\n");
    assert!(error.starts_with("x.toml:2: not valid TOML"), "{error}");
    let error = wrong(&format!(
        "{HEAD}[[rules.source]]\nsite = \"x\"\nvariant = \"makrok\"\n"
    ));
    assert!(
        error.starts_with("x.toml:8:") && error.contains("nearest is 'makruk'"),
        "{error}"
    );
}

#[test]
fn overrides_win_and_are_named_when_wrong() {
    let set = |text: &str| Job::parse("x.toml", HEAD, &[text.to_owned()]);
    assert_eq!(set("analysis.nodes=77").unwrap().analysis.nodes, 77);
    assert_eq!(
        set("analysis.engine=none").unwrap().analysis.engine,
        EngineChoice::None
    );
    assert_eq!(
        set("output.dir=elsewhere").unwrap().output.location,
        "elsewhere"
    );
    assert_eq!(
        set("input.archives=[\"b\", \"c\"]").unwrap().input.archives,
        ["b", "c"]
    );
    assert_eq!(
        set("run.deadline=1h30m")
            .unwrap()
            .run
            .deadline
            .unwrap()
            .as_secs(),
        5400
    );
    let error = set("analysis.node=77").unwrap_err().to_string();
    assert_eq!(
        error,
        "--set analysis.node=77: unknown key 'analysis.node'; the nearest key is 'analysis.nodes'"
    );
    let error = set("analysis.nodes=-1").unwrap_err().to_string();
    assert!(error.starts_with("--set analysis.nodes=-1:"), "{error}");
}
