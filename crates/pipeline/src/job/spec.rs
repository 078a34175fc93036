//! The closed list of keys a job file may hold. `jobs/demo.toml` documents each; a test compares the two.

/// What kind of value a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A list of texts.
    List,
    /// A whole number between two bounds, both included.
    Integer(i64, i64),
    /// `true` or `false`.
    Bool,
    /// One of a closed list of words.
    Choice(&'static [&'static str]),
    /// A table of texts, numbers and booleans whose keys are the user's own.
    Free,
}

impl Kind {
    /// The kind in words, as error messages say it.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Kind::Text => "a text in quotes".to_owned(),
            Kind::List => "a list of texts".to_owned(),
            Kind::Integer(low, high) => format!("a whole number from {low} to {high}"),
            Kind::Bool => "true or false".to_owned(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Free => "a table".to_owned(),
        }
    }
}

/// One key of the job file.
#[derive(Clone, Copy, Debug)]
pub struct KeySpec {
    /// Dotted path, such as `analysis.nodes`; `rules.source[].site` for keys of the list of sources.
    pub path: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// The default as it would be written, or `None` where the key must be given.
    pub default: Option<&'static str>,
}

const fn key(path: &'static str, kind: Kind, default: Option<&'static str>) -> KeySpec {
    KeySpec {
        path,
        kind,
        default,
    }
}

/// The variants a source can be mapped to.
pub(crate) const VARIANTS: &[&str] = &["makruk", "ouk", "kar-ouk"];

/// Every key, in the order of `jobs/demo.toml`.
pub const KEYS: &[KeySpec] = &[
    key("name", Kind::Text, None),
    key("input.archives", Kind::List, None),
    key("input.include", Kind::List, Some("[\"**\"]")),
    key("input.exclude", Kind::List, Some("[]")),
    key("input.encoding", Kind::Text, Some("\"auto\"")),
    key("input.dialect", Kind::Text, Some("\"auto\"")),
    key("input.numbering", Kind::Text, Some("\"auto\"")),
    key(
        "input.zstd_window_log_max",
        Kind::Integer(10, 31),
        Some("27"),
    ),
    key(
        "input.max_ratio",
        Kind::Integer(1, 1_000_000_000),
        Some("2000"),
    ),
    key(
        "input.max_decompressed_bytes",
        Kind::Integer(1, 1 << 60),
        Some("1099511627776"),
    ),
    key(
        "input.max_archive_bytes",
        Kind::Integer(1, 1 << 60),
        Some("1099511627776"),
    ),
    key(
        "input.max_members",
        Kind::Integer(1, 10_000_000),
        Some("100000"),
    ),
    key("rules.makruk", Kind::Text, Some("\"\"")),
    key("rules.ouk", Kind::Text, Some("\"\"")),
    key("rules.kar-ouk", Kind::Text, Some("\"\"")),
    key(
        "rules.default",
        Kind::Choice(&["", "makruk", "ouk", "kar-ouk"]),
        Some("\"\""),
    ),
    key("rules.compare", Kind::List, Some("[]")),
    key("rules.source[].site", Kind::Text, Some("\"\"")),
    key("rules.source[].dialect", Kind::Text, Some("\"\"")),
    key("rules.source[].path", Kind::Text, Some("\"\"")),
    key("rules.source[].variant", Kind::Choice(VARIANTS), None),
    key("rules.source[].rule_set", Kind::Text, Some("\"\"")),
    key("analysis.engine", Kind::Text, Some("\"builtin\"")),
    key("analysis.args", Kind::List, Some("[]")),
    key("analysis.options", Kind::Free, Some("{}")),
    key(
        "analysis.nodes",
        Kind::Integer(1, 1_000_000_000),
        Some("2000"),
    ),
    key("analysis.depth", Kind::Integer(0, 120), Some("0")),
    key("analysis.hash_mib", Kind::Integer(1, 1024), Some("4")),
    key(
        "analysis.games",
        Kind::Choice(&["all", "findings"]),
        Some("\"all\""),
    ),
    key("analysis.first_ply", Kind::Integer(1, 100_000), Some("1")),
    key(
        "analysis.ply_timeout_s",
        Kind::Integer(1, 86_400),
        Some("60"),
    ),
    key(
        "statistics.opening_plies",
        Kind::Integer(1, 200),
        Some("20"),
    ),
    key("output.dir", Kind::Text, None),
    key("output.report", Kind::Bool, Some("true")),
    key("output.keep_hours", Kind::Integer(0, 87_600), Some("0")),
    key("output.pseudonyms", Kind::Text, Some("\"\"")),
    key("s3.endpoint", Kind::Text, Some("\"\"")),
    key("s3.region", Kind::Text, Some("\"\"")),
    key("s3.path_style", Kind::Bool, Some("false")),
    key("run.threads", Kind::Integer(0, 4096), Some("0")),
    key("run.chunk_mb", Kind::Integer(1, 1024), Some("64")),
    key("run.search_chunk_s", Kind::Integer(1, 600), Some("20")),
    key("run.attempts", Kind::Integer(1, 100), Some("3")),
    key("run.isolated_mb", Kind::Integer(64, 1 << 20), Some("2048")),
    key("run.beat_s", Kind::Integer(1, 3600), Some("10")),
    key("run.stall", Kind::Text, Some("\"1h\"")),
    key(
        "run.lock",
        Kind::Choice(&["share", "wait", "stop", "off"]),
        Some("\"share\""),
    ),
    key("run.deadline", Kind::Text, Some("\"\"")),
    key("run.metrics", Kind::Text, Some("\"\"")),
];

/// The key with this path.
#[must_use]
pub(crate) fn find(path: &str) -> Option<&'static KeySpec> {
    KEYS.iter().find(|key| key.path == path)
}

/// The key whose path or last word is nearest to what was typed.
#[must_use]
pub(crate) fn nearest_key(typed: &str) -> &'static str {
    let last = |path: &str| {
        path.rsplit(['.', ']'])
            .next()
            .unwrap_or(path)
            .trim_start_matches('.')
            .to_owned()
    };
    KEYS.iter()
        .map(|key| {
            let whole = strsim::jaro_winkler(key.path, typed);
            let tail = strsim::jaro_winkler(&last(key.path), &last(typed));
            let same_table =
                key.path.rsplit_once('.').map(|x| x.0) == typed.rsplit_once('.').map(|x| x.0);
            (
                whole + 2.0 * tail + if same_table { 0.5 } else { 0.0 },
                key.path,
            )
        })
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map_or("name", |best| best.1)
}

/// The word of a closed list nearest to what was typed.
#[must_use]
pub(crate) fn nearest_word<'a>(typed: &str, words: &[&'a str]) -> Option<&'a str> {
    words
        .iter()
        .copied()
        .map(|word| {
            (
                strsim::jaro_winkler(&word.to_lowercase(), &typed.to_lowercase()),
                word,
            )
        })
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(a.1)))
        .map(|best| best.1)
}
