//! `nabsak replay`: one game ply by ply, from an archive file or from the tables of a run.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ::rules::Ruleset;
use anyhow::Context;
use archive::{Cutting, Games, Item, OnDisk, Opener, RawGame, ReadError, ReaderSettings, Start};
use pipeline::CommitView;
use replay::{Judge, Place};
use tables::{AnalysisState, FindingRow, GameRow, Hex, PlyRow, Row, Table, VerdictRow, Word};

use super::{open_store, pipeline_failure, ruleset};
use crate::cli::ReplayArgs;
use crate::exit::{self, DONE, Exit};

pub(super) fn run(args: &ReplayArgs) -> anyhow::Result<Exit> {
    let sheet = if args.path.is_dir() || args.path.to_string_lossy().starts_with("s3://") {
        if args.rules.is_some() || !args.compare.is_empty() {
            return Err(exit::usage(
                "--rules and --compare judge anew and so need the archive file, not an output folder",
            ));
        }
        let id = args.game.as_deref();
        let id = id.ok_or_else(|| {
            exit::usage(
                "which game of the output folder? Give --game and a game_id of its games table",
            )
        })?;
        from_tables(&args.path.to_string_lossy(), id)?
    } else {
        from_archive(
            &args.path,
            args.game.as_deref().unwrap_or("1"),
            args.rules.as_deref(),
            &args.compare,
        )?
    };
    match &args.html {
        Some(file) => {
            let page = report::sheet_html(&report::sheet_of(
                &sheet.game,
                &sheet.findings,
                sheet.rules.as_ref(),
            ));
            super::whole::write(file, page.as_bytes())?;
        }
        None => {
            let mut out = std::io::stdout().lock();
            for line in sheet.text().lines() {
                writeln!(out, "{}", report::clean(line))?;
            }
        }
    }
    Ok(DONE)
}

/// One game as the tables hold it.
struct Sheet {
    game: GameRow,
    plies: Vec<PlyRow>,
    findings: Vec<FindingRow>,
    verdicts: Vec<VerdictRow>,
    /// The rule set that judged it, where it is known.
    rules: Option<Arc<Ruleset>>,
}

fn from_archive(
    path: &Path,
    game: &str,
    rules: Option<&str>,
    compare: &[String],
) -> anyhow::Result<Sheet> {
    let wanted: u32 = game.parse().map_err(|_| {
        exit::usage(format!(
            "--game {game:?}: give the game's number in the file, 1 for the first"
        ))
    })?;
    let rules = rules.map(ruleset).transpose()?;
    let judge = judge(rules.as_ref(), compare)?;
    let settings = ReaderSettings::default();
    let unreadable =
        |reason: String| exit::failure(exit::INPUT, format!("{}: {reason}", path.display()));
    let kind = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    if !kind.is_file() {
        return Err(unreadable("it is not a file".to_owned()));
    }
    let object = OnDisk::new(path).map_err(|error| unreadable(error.to_string()))?;
    let object: Arc<dyn archive::Object> = Arc::new(object);
    let name = path
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut found = 0;
    for item in games(&object, &settings)? {
        let (member, raw) = item.with_context(|| path.display().to_string())?;
        found += 1;
        if found != wanted {
            continue;
        }
        let place = Place {
            archive: name,
            member,
            ordinal: raw.ordinal,
            byte_offset: raw.byte_offset,
            byte_length: raw.byte_length,
        };
        let replayed = replay::replay(&raw, &place, &judge);
        if let (Some(rules), Some(judged)) = (&rules, replayed.game())
            && judged.rule_set != *rules.id()
        {
            return Err(exit::usage(format!(
                "--rules {} judges {}, and game {wanted} of {} is {}",
                rules.id(),
                rules.variant().as_str(),
                path.display(),
                judged.variant.as_str()
            )));
        }
        return Ok(Sheet {
            game: GameRow::new(&replayed, AnalysisState::None),
            plies: replayed
                .game()
                .into_iter()
                .flat_map(PlyRow::of_game)
                .collect(),
            findings: FindingRow::of_game(&replayed).collect(),
            verdicts: replayed
                .game()
                .into_iter()
                .flat_map(VerdictRow::of_game)
                .collect(),
            rules: replayed
                .game()
                .and_then(|game| judge.find(&game.rule_set).ok()),
        });
    }
    Err(exit::failure(
        exit::INPUT,
        format!("{} has {found} games, and no game {wanted}", path.display()),
    ))
}

/// A game and the file in a container that it stands in.
type Found = Result<(Option<String>, Box<RawGame>), ReadError>;

/// The games of an archive, those of each file in a zip or tar after one another.
fn games(
    object: &Arc<dyn archive::Object>,
    settings: &ReaderSettings,
) -> anyhow::Result<impl Iterator<Item = Found>> {
    let whole = Cutting {
        target_bytes: u64::MAX,
        unpack: false,
    };
    let survey = archive::survey(object, whole, settings)?;
    let mut opener = Opener::new(Arc::clone(object), settings);
    let settings = settings.clone();
    let games = survey.segments.into_iter().flat_map(move |segment| {
        let opened = segment.route.map(|route| opener.open(&route));
        let (reader, failed) = match opened.transpose() {
            Ok(reader) => (reader, None),
            Err(source) => (
                None,
                Some(Err(ReadError {
                    byte_offset: 0,
                    source,
                })),
            ),
        };
        let items = reader.map(|reader| Games::new(reader, Start::BEGINNING, &settings));
        let games = items
            .into_iter()
            .flatten()
            .filter_map(move |item| match item {
                Ok(Item::Game(raw)) => Some(Ok((segment.member.clone(), raw))),
                Ok(_) => None,
                Err(error) => Some(Err(error)),
            });
        failed.into_iter().chain(games)
    });
    Ok(games)
}

fn judge(rules: Option<&Arc<Ruleset>>, compare: &[String]) -> anyhow::Result<Judge> {
    let mut judge = Judge::new()?;
    for name in compare {
        judge.compare(ruleset(name.trim())?);
    }
    if let Some(rules) = rules {
        judge.know(Arc::clone(rules));
        judge.bind(rules.variant(), rules.id())?;
        judge.default_variant(Some(rules.variant()));
    }
    Ok(judge)
}

fn from_tables(dir: &str, game: &str) -> anyhow::Result<Sheet> {
    let id: Hex<16> = game.parse().map_err(|_| {
        exit::usage(format!(
            "--game {game:?}: give a game_id of the games table (32 hex digits)"
        ))
    })?;
    let view = CommitView::open(open_store(dir)?, None).map_err(pipeline_failure)?;
    let game = rows(&view, Table::Games, |row: &GameRow| row.game_id == id)?
        .pop()
        .ok_or_else(|| exit::usage(format!("{dir} holds no game {game}")))?;
    Ok(Sheet {
        rules: game.rule_set.as_deref().and_then(|id| view.rule_set(id)),
        game,
        plies: rows(&view, Table::Plies, |row: &PlyRow| row.game_id == id)?,
        findings: rows(&view, Table::Findings, |row: &FindingRow| {
            row.game_id == Some(id)
        })?,
        verdicts: rows(&view, Table::Verdicts, |row: &VerdictRow| row.game_id == id)?,
    })
}

fn rows<R: Row>(
    view: &CommitView,
    table: Table,
    wanted: impl Fn(&R) -> bool,
) -> anyhow::Result<Vec<R>> {
    let mut found = Vec::new();
    for part in view.parts(table.name()) {
        let bytes = view.store().get(&part.path)?;
        for batch in tables::read::<R>(bytes)? {
            found.extend(batch?.into_iter().filter(|row| wanted(row)));
        }
    }
    Ok(found)
}

impl Sheet {
    fn text(&self) -> String {
        let mut text = self.head();
        for ply in &self.plies {
            text.push_str(&ply_line(ply));
            self.findings_at(Some(ply.ply), &mut text);
        }
        let last = self.plies.last().map_or(0, |ply| ply.ply);
        for finding in &self.findings {
            if finding.ply.is_none_or(|ply| ply > last || ply < 1) {
                text.push_str(&finding_line(finding));
            }
        }
        text.push_str(&self.end());
        text
    }

    fn head(&self) -> String {
        let game = &self.game;
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "?".to_owned());
        let mut text = format!("{} - {}", name(&game.white), name(&game.black));
        for part in [&game.event, &game.date].into_iter().flatten() {
            let _ = write!(text, ", {part}");
        }
        let _ = write!(
            text,
            "\n{}{}, game {} at byte {}, {} bytes, {}, {}\n",
            game.archive,
            game.member
                .as_ref()
                .map_or(String::new(), |member| format!(", {member}")),
            game.ordinal,
            game.byte_offset,
            game.byte_length,
            game.dialect,
            game.encoding
        );
        let _ = writeln!(text, "game_id {}", game.game_id);
        match (&game.rule_set, game.authority) {
            (Some(rules), Some(authority)) => {
                let bound = if game.bound { "bound" } else { "not bound" };
                let _ = writeln!(
                    text,
                    "{}, rule set {rules} ({}, {bound})",
                    game.variant,
                    authority.as_str()
                );
            }
            _ => {
                let _ = writeln!(text, "{}", game.variant);
            }
        }
        if let Some(fen) = &game.start_fen {
            let _ = writeln!(text, "{fen}");
        }
        text.push('\n');
        text
    }

    fn findings_at(&self, ply: Option<i32>, text: &mut String) {
        for finding in self.findings.iter().filter(|finding| finding.ply == ply) {
            text.push_str(&finding_line(finding));
        }
    }

    fn end(&self) -> String {
        let game = &self.game;
        let mut text = format!("\n{}", game.status.word());
        if let Some(reason) = &game.reason {
            let _ = write!(text, ": {reason}");
        }
        let result = |result: Option<::rules::GameResult>| {
            result.map_or("none", ::rules::GameResult::as_str)
        };
        let ending = |ending: Option<::rules::Ending>| ending.map_or("", ::rules::Ending::as_str);
        let _ = writeln!(
            text,
            "\ndeclared {} {}\nderived  {} {}",
            result(game.result_declared),
            ending(game.ending_declared),
            result(game.result_derived),
            ending(game.ending_derived)
        );
        if let Some(admit) = &game.admit {
            let _ = writeln!(text, "to admit it: {admit}");
        }
        if let Some(fen) = &game.final_fen {
            let _ = writeln!(text, "{fen}");
        }
        if !self.verdicts.is_empty() {
            text.push_str("\nRule sets compared\n");
        }
        for verdict in &self.verdicts {
            text.push_str(&verdict_lines(verdict));
        }
        text
    }
}

/// What a rule set makes of the game, and where and why it parts from the one that judges.
fn verdict_lines(verdict: &VerdictRow) -> String {
    let mut text = format!("  {}", report::verdict_words(verdict));
    if let Some(reason) = &verdict.refused_reason {
        let _ = write!(text, " ({reason})");
    }
    text.push('\n');
    match (verdict.differs_from_ply, &verdict.switches) {
        (Some(ply), Some(switches)) => {
            let word = if verdict.switch.is_some() {
                "switch"
            } else {
                "switches"
            };
            let _ = writeln!(text, "    parts at ply {ply}: {word} {switches}");
        }
        (Some(ply), None) => {
            let _ = writeln!(text, "    parts at ply {ply}; no switch explains it");
        }
        (None, _) => {}
    }
    text
}

fn ply_line(ply: &PlyRow) -> String {
    let number = match ply.ply % 2 {
        1 => format!("{}.", (ply.ply + 1) / 2),
        _ => "...".to_owned(),
    };
    let mut line = format!("{:>5} {number:>5} {:<8} {:<6}", ply.ply, ply.san, ply.uci);
    if let (Some(kind), Some(number), Some(limit)) =
        (ply.count_kind, ply.count_number, ply.count_limit)
    {
        let side = ply.count_side.map_or("", |side| side.as_str());
        let _ = write!(
            line,
            "  {} count of {side}: {number}/{limit}",
            kind.as_str()
        );
        match ply.count_replies_left {
            Some(1) => line.push_str(", 1 reply left"),
            Some(left) => {
                let _ = write!(line, ", {left} replies left");
            }
            None => {}
        }
    }
    if ply.repetitions > 1 {
        let _ = write!(line, "  position for the {}. time", ply.repetitions);
    }
    format!("{}\n", line.trim_end())
}

fn finding_line(finding: &FindingRow) -> String {
    format!(
        "  ! {} ({}, {}): {}\n",
        finding.code.as_str(),
        finding.severity.as_str(),
        finding.certainty.as_str(),
        finding.message
    )
}
