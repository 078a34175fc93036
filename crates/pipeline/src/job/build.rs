//! From what was typed to what it means: every check of a job file's values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use notation::read::UnknownNumbering;

use super::file::{Entry, JobError, JobFile, Origin, Value};
use super::rules::RuleFiles;
use super::spec::{self, KeySpec, Kind, VARIANTS};
use super::{
    AnalysisSettings, AuditOptions, EngineChoice, GameChoice, Input, Job, Limits, Lock, Output,
    Patterns, RuleChoice, RunSettings, S3Access, SourceRule,
};

pub(super) fn job(file: &JobFile) -> Result<Job, JobError> {
    let typed = Typed { file };
    typed.check_kinds()?;
    Ok(Job {
        name: name(&typed)?,
        input: input(&typed)?,
        rules: rules(&typed)?,
        analysis: analysis(&typed)?,
        opening_plies: typed.number("statistics.opening_plies")?,
        output: output(&typed)?,
        s3: S3Access {
            endpoint: typed.optional("s3.endpoint")?,
            region: typed.optional("s3.region")?,
            path_style: typed.flag("s3.path_style")?,
        },
        run: run(&typed)?,
    })
}

pub(super) fn audit(paths: &[String], options: &AuditOptions) -> Result<Job, JobError> {
    let mut file = JobFile {
        file: "audit".to_owned(),
        keys: BTreeMap::new(),
        sources: Vec::new(),
    };
    let mut put = |key: &str, value: Value| {
        file.keys.insert(
            key.to_owned(),
            Entry {
                value,
                origin: Origin::Default,
            },
        );
    };
    put("name", Value::Text("audit".to_owned()));
    put("input.archives", Value::List(paths.to_vec()));
    put(
        "output.dir",
        Value::Text(
            options
                .out
                .clone()
                .unwrap_or_else(|| "./nabsak-audit".to_owned()),
        ),
    );
    let engine = if options.analyse { "builtin" } else { "none" };
    put("analysis.engine", Value::Text(engine.to_owned()));
    put(
        "run.threads",
        Value::Integer(i64::try_from(options.threads).unwrap_or(0)),
    );
    let mut job = job(&file)?;
    let mut files = RuleFiles::default();
    if let Some(name) = &options.rules {
        let rules = files.named(&file, &Origin::Set(format!("rules={name}")), name)?;
        let variant = rules.variant().as_str().to_owned();
        job.rules.by_variant.insert(variant, rules.id().to_string());
    }
    let origin = Origin::Set(format!("compare={}", options.compare.join(",")));
    job.rules.compare = compared(&file, &origin, &options.compare, &mut files)?;
    job.rules.files = files.0;
    if let Some(variant) = &options.variant {
        let origin = Origin::Set(format!("variant={variant}"));
        if !VARIANTS.contains(&variant.as_str()) {
            return Err(JobError {
                file: file.file,
                origin,
                message: wrong_word("variant", variant, VARIANTS),
            });
        }
        job.rules.default_variant = Some(variant.clone());
    }
    Ok(job)
}

fn name(typed: &Typed<'_>) -> Result<String, JobError> {
    let name = typed.non_empty("name")?;
    let fine = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.');
    if fine {
        Ok(name)
    } else {
        Err(typed.fault(
            "name",
            "'name' takes letters, digits, '-', '_' and '.'".to_owned(),
        ))
    }
}

fn input(typed: &Typed<'_>) -> Result<Input, JobError> {
    let archives = typed.list("input.archives")?;
    if archives.is_empty() {
        return Err(typed.fault(
            "input.archives",
            "'input.archives' names no archive".to_owned(),
        ));
    }
    let encoding = typed.text("input.encoding")?;
    let dialect = typed.text("input.dialect")?;
    let numbering = typed.text("input.numbering")?;
    let limits = Limits {
        zstd_window_log_max: typed.number("input.zstd_window_log_max")?,
        max_ratio: typed.number("input.max_ratio")?,
        max_decompressed_bytes: typed.number("input.max_decompressed_bytes")?,
        max_archive_bytes: typed.number("input.max_archive_bytes")?,
        max_members: typed.number("input.max_members")?,
    };
    Ok(Input {
        limits,
        archives,
        include: patterns(typed, "input.include")?,
        exclude: patterns(typed, "input.exclude")?,
        encoding: match encoding.as_str() {
            "auto" => None,
            name => Some(name.parse().map_err(|_| {
                typed.fault("input.encoding", wrong_word("encoding", name, &ENCODINGS))
            })?),
        },
        dialect: match dialect.as_str() {
            "auto" => None,
            name => Some(name.parse().map_err(|_| {
                let known: Vec<&str> = archive::Dialect::ALL.iter().map(|d| d.as_str()).collect();
                typed.fault("input.dialect", wrong_word("dialect", name, &known))
            })?),
        },
        numbering: match numbering.as_str() {
            "auto" => None,
            squares => Some(squares.parse().map_err(|error: UnknownNumbering| {
                typed.fault("input.numbering", error.to_string())
            })?),
        },
    })
}

const ENCODINGS: [&str; 6] = [
    "auto",
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-874",
    "windows-1252",
];

fn patterns(typed: &Typed<'_>, key: &str) -> Result<Patterns, JobError> {
    Patterns::new(typed.list(key)?).map_err(|(text, reason)| {
        typed.fault(key, format!("'{key}': '{text}' is not a pattern: {reason}"))
    })
}

fn rules(typed: &Typed<'_>) -> Result<RuleChoice, JobError> {
    let mut files = RuleFiles::default();
    let mut by_variant = BTreeMap::new();
    for variant in VARIANTS {
        let key = format!("rules.{variant}");
        if let Some(name) = typed.optional(&key)? {
            let id = rule_set_for(typed.file, &typed.origin(&key), &name, variant, &mut files)?;
            by_variant.insert((*variant).to_owned(), id);
        }
    }
    let sources: Result<Vec<SourceRule>, JobError> = typed
        .file
        .sources
        .iter()
        .map(|(line, keys)| source(typed.file, *line, keys, &mut files))
        .collect();
    let compare = typed.list("rules.compare")?;
    Ok(RuleChoice {
        by_variant,
        default_variant: typed.optional("rules.default")?,
        sources: sources?,
        compare: compared(
            typed.file,
            &typed.origin("rules.compare"),
            &compare,
            &mut files,
        )?,
        files: files.0,
    })
}

/// The ids of the rule sets to compare, each once, in order.
fn compared(
    file: &JobFile,
    origin: &Origin,
    names: &[String],
    files: &mut RuleFiles,
) -> Result<Vec<String>, JobError> {
    let mut ids = BTreeSet::new();
    for name in names {
        ids.insert(files.named(file, origin, name.trim())?.id().to_string());
    }
    Ok(ids.into_iter().collect())
}

fn source(
    file: &JobFile,
    line: usize,
    keys: &BTreeMap<String, Entry>,
    files: &mut RuleFiles,
) -> Result<SourceRule, JobError> {
    let at = |key: &str| {
        keys.get(key)
            .map_or(Origin::Line(line), |entry| entry.origin.clone())
    };
    let text = |key: &str| match keys.get(key).map(|entry| &entry.value) {
        Some(Value::Text(text)) if !text.is_empty() => Some(text.clone()),
        _ => None,
    };
    let fault = |key: &str, message: String| JobError {
        file: file.file.clone(),
        origin: at(key),
        message,
    };
    let variant = text("variant")
        .ok_or_else(|| fault("variant", "a [[rules.source]] needs 'variant'".to_owned()))?;
    if !VARIANTS.contains(&variant.as_str()) {
        return Err(fault("variant", wrong_word("variant", &variant, VARIANTS)));
    }
    let mut rule = SourceRule {
        site: text("site"),
        dialect: text("dialect"),
        path: text("path"),
        variant,
        rule_set: text("rule_set"),
    };
    if rule.site.is_none() && rule.dialect.is_none() && rule.path.is_none() {
        return Err(fault(
            "variant",
            "a [[rules.source]] needs one of 'site', 'dialect', 'path'".to_owned(),
        ));
    }
    if let Some(name) = &rule.rule_set {
        let id = rule_set_for(file, &at("rule_set"), name, &rule.variant, files)?;
        rule.rule_set = Some(id);
    }
    Ok(rule)
}

/// The id of the rule set of this name, which must be of this variant.
fn rule_set_for(
    file: &JobFile,
    origin: &Origin,
    name: &str,
    variant: &str,
    files: &mut RuleFiles,
) -> Result<String, JobError> {
    let rules = files.named(file, origin, name)?;
    let found = rules.variant().as_str();
    if found == variant {
        return Ok(rules.id().to_string());
    }
    let message = format!("rule set '{name}' is for {found}, not for {variant}");
    Err(JobError {
        file: file.file.clone(),
        origin: origin.clone(),
        message,
    })
}

fn analysis(typed: &Typed<'_>) -> Result<AnalysisSettings, JobError> {
    let depth: u32 = typed.number("analysis.depth")?;
    Ok(AnalysisSettings {
        engine: engine(typed)?,
        nodes: typed.number("analysis.nodes")?,
        depth: (depth > 0).then_some(depth),
        hash_mib: typed.number("analysis.hash_mib")?,
        games: if typed.text("analysis.games")? == "findings" {
            GameChoice::Findings
        } else {
            GameChoice::All
        },
        first_ply: typed.number("analysis.first_ply")?,
    })
}

fn engine(typed: &Typed<'_>) -> Result<EngineChoice, JobError> {
    let text = typed.text("analysis.engine")?;
    let args = typed.list("analysis.args")?;
    let Value::Free(options) = typed.value("analysis.options")? else {
        return Err(typed.fault(
            "analysis.options",
            "'analysis.options' takes a table".to_owned(),
        ));
    };
    let choice = match text.strip_prefix("uci:") {
        Some(program) if !program.trim().is_empty() => {
            let ply_timeout = Duration::from_secs(typed.number("analysis.ply_timeout_s")?);
            return Ok(EngineChoice::Uci {
                program: program.trim().to_owned(),
                args,
                options,
                ply_timeout,
            });
        }
        _ if text == "builtin" => EngineChoice::Builtin,
        _ if text == "none" => EngineChoice::None,
        _ => {
            return Err(typed.fault(
                "analysis.engine",
                wrong_word(
                    "analysis.engine",
                    &text,
                    &["builtin", "none", "uci:PROGRAM"],
                ),
            ));
        }
    };
    if args.is_empty() && options.is_empty() {
        return Ok(choice);
    }
    let key = if args.is_empty() {
        "analysis.options"
    } else {
        "analysis.args"
    };
    Err(typed.fault(key, format!("'{key}' needs engine = \"uci:PROGRAM\"")))
}

fn run(typed: &Typed<'_>) -> Result<RunSettings, JobError> {
    let megabytes: u64 = typed.number("run.chunk_mb")?;
    Ok(RunSettings {
        threads: typed.number("run.threads")?,
        chunk_bytes: megabytes * 1_000_000,
        search_chunk_s: typed.number("run.search_chunk_s")?,
        attempts: typed.number("run.attempts")?,
        isolated_bytes: typed.number::<u64>("run.isolated_mb")? * 1_000_000,
        beat: Duration::from_secs(typed.number("run.beat_s")?),
        stall: time(typed, "run.stall")?,
        lock: match typed.text("run.lock")?.as_str() {
            "wait" => Lock::Wait,
            "stop" => Lock::Stop,
            "off" => Lock::Off,
            _ => Lock::Share,
        },
        deadline: time(typed, "run.deadline")?,
        metrics: typed.optional("run.metrics")?.map(PathBuf::from),
    })
}

fn output(typed: &Typed<'_>) -> Result<Output, JobError> {
    let pseudonyms = typed.optional("output.pseudonyms")?;
    let is_name = |text: &String| {
        let plain = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        text.chars().all(plain) && !text.starts_with(|c: char| c.is_ascii_digit())
    };
    if pseudonyms.as_ref().is_some_and(|text| !is_name(text)) {
        // What was typed may be the key itself: it is not said again.
        return Err(typed.fault(
            "output.pseudonyms",
            "'output.pseudonyms' takes the name of the environment variable that holds the key, such as \"NABSAK_PSEUDONYM_KEY\": capital letters, digits and '_'; never the key itself".to_owned(),
        ));
    }
    Ok(Output {
        location: typed.non_empty("output.dir")?,
        report: typed.flag("output.report")?,
        keep_hours: typed.number("output.keep_hours")?,
        pseudonyms,
    })
}

/// A time such as "6h"; `None` where the text is empty.
fn time(typed: &Typed<'_>, key: &str) -> Result<Option<Duration>, JobError> {
    let text = typed.text(key)?;
    let wrong = || {
        let words =
            format!("'{key}' takes a time such as \"6h\", \"90m\" or \"45s\", not \"{text}\"");
        typed.fault(key, words)
    };
    match text.as_str() {
        "" => Ok(None),
        text => duration(text).ok_or_else(wrong).map(Some),
    }
}

fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut seconds = 0u64;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let number: u64 = rest.get(..digits)?.parse().ok()?;
        let unit = rest.get(digits..=digits)?;
        let scale = match unit {
            "d" => 86_400,
            "h" => 3_600,
            "m" => 60,
            "s" => 1,
            _ => return None,
        };
        seconds = seconds.checked_add(number.checked_mul(scale)?)?;
        rest = rest.get(digits + 1..)?.trim_start();
    }
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

fn wrong_word(what: &str, typed: &str, known: &[&str]) -> String {
    let nearest = spec::nearest_word(typed, known).unwrap_or_default();
    format!(
        "unknown {what} '{typed}'; the nearest is '{nearest}' (known: {})",
        known.join(", ")
    )
}

/// The typed keys with their defaults.
struct Typed<'a> {
    file: &'a JobFile,
}

impl Typed<'_> {
    fn check_kinds(&self) -> Result<(), JobError> {
        let sources = self.file.sources.iter().flat_map(|(_, keys)| {
            keys.iter()
                .map(|(name, entry)| (format!("rules.source[].{name}"), entry))
        });
        let plain = self
            .file
            .keys
            .iter()
            .map(|(path, entry)| (path.clone(), entry));
        for (path, entry) in plain.chain(sources) {
            let message = match (spec::find(&path).map(|key| key.kind), &entry.value) {
                (Some(Kind::Integer(low, high)), Value::Integer(number))
                    if *number < low || *number > high =>
                {
                    let nearest = (*number).clamp(low, high);
                    format!(
                        "'{path}' takes a whole number from {low} to {high}, not {number}; the nearest is {nearest}"
                    )
                }
                (Some(Kind::Choice(words)), Value::Text(text))
                    if !words.contains(&text.as_str()) =>
                {
                    wrong_word(&format!("value of '{path}'"), text, words)
                }
                _ => continue,
            };
            return Err(JobError {
                file: self.file.file.clone(),
                origin: entry.origin.clone(),
                message,
            });
        }
        Ok(())
    }

    fn value(&self, path: &str) -> Result<Value, JobError> {
        if let Some(entry) = self.file.keys.get(path) {
            return Ok(entry.value.clone());
        }
        let key = spec::find(path).and_then(default_of);
        key.ok_or_else(|| self.fault(path, format!("the key '{path}' is missing")))
    }

    fn text(&self, path: &str) -> Result<String, JobError> {
        match self.value(path)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.fault(path, format!("'{path}' takes a text in quotes"))),
        }
    }

    fn non_empty(&self, path: &str) -> Result<String, JobError> {
        let text = self.text(path)?;
        if text.trim().is_empty() {
            Err(self.fault(path, format!("'{path}' is empty")))
        } else {
            Ok(text)
        }
    }

    fn optional(&self, path: &str) -> Result<Option<String>, JobError> {
        self.text(path)
            .map(|text| (!text.is_empty()).then_some(text))
    }

    fn list(&self, path: &str) -> Result<Vec<String>, JobError> {
        match self.value(path)? {
            Value::List(list) => Ok(list),
            _ => Err(self.fault(path, format!("'{path}' takes a list of texts"))),
        }
    }

    fn flag(&self, path: &str) -> Result<bool, JobError> {
        match self.value(path)? {
            Value::Bool(flag) => Ok(flag),
            _ => Err(self.fault(path, format!("'{path}' takes true or false"))),
        }
    }

    fn number<N: TryFrom<i64>>(&self, path: &str) -> Result<N, JobError> {
        let number = match self.value(path)? {
            Value::Integer(number) => N::try_from(number).ok(),
            _ => None,
        };
        number.ok_or_else(|| self.fault(path, format!("'{path}' takes a whole number")))
    }

    fn origin(&self, path: &str) -> Origin {
        self.file
            .keys
            .get(path)
            .map_or(Origin::Default, |entry| entry.origin.clone())
    }

    fn fault(&self, path: &str, message: String) -> JobError {
        JobError {
            file: self.file.file.clone(),
            origin: self.origin(path),
            message,
        }
    }
}

fn default_of(key: &'static KeySpec) -> Option<Value> {
    let text = key.default?;
    let bare = text.trim_matches('"');
    Some(match key.kind {
        Kind::Text | Kind::Choice(_) => Value::Text(bare.to_owned()),
        Kind::Integer(..) => Value::Integer(text.parse().ok()?),
        Kind::Bool => Value::Bool(text == "true"),
        Kind::List if text == "[]" => Value::List(Vec::new()),
        Kind::List => Value::List(vec![text.trim_matches(['[', ']', '"']).to_owned()]),
        Kind::Free => Value::Free(BTreeMap::new()),
    })
}
