//! `nabsak export`: games of a run as PGN or as their original bytes.

mod original;
mod selection;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::iter::Peekable;
use std::path::Path;

use anyhow::Context;
use pipeline::CommitView;
use report::{MoveLetters, NotPgn, PgnOptions};
use tables::{FindingRow, GameRow, Hex, PlyRow};

use super::{open_store, pipeline_failure, ruleset};
use crate::cli::{ExportArgs, ExportForm};
use crate::exit::{self, DONE, Exit};

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let letters = match args.form {
        ExportForm::Pgn => Some(MoveLetters::Latin),
        ExportForm::Thai => Some(MoveLetters::Thai),
        ExportForm::Original => None,
    };
    check(args)?;
    let view = CommitView::open(open_store(&args.dir)?, None).map_err(pipeline_failure)?;
    if letters.is_none() && view.commit().pseudonyms.is_some() {
        return Err(exit::usage(format!(
            "{} holds pseudonyms in the place of players' names (output.pseudonyms), and the archives' own bytes hold the names: --as pgn and --as thai write the pseudonyms",
            args.dir
        )));
    }
    let wanted = match &args.condition {
        Some(condition) => Some(selection::of(&view, condition)?),
        None => None,
    };
    let mut export = Export {
        wanted,
        written: 0,
        left: BTreeMap::new(),
    };
    let write = |export: &mut Export, out: &mut dyn Write| match letters {
        Some(letters) => {
            let options = PgnOptions {
                letters,
                comments: args.comments,
                counts: args.counts,
                findings: args.findings,
            };
            export.as_pgn(&view, options, out)
        }
        None => export.as_original(&view, &args.input, out),
    };
    let exit = match &args.out {
        None => write(&mut export, &mut BufWriter::new(std::io::stdout().lock()))?,
        Some(file) => to_file(file, |out| write(&mut export, out))?,
    };
    export.summary();
    Ok(exit)
}

/// A reader of the file finds all of it or the file of before. What is there and no file, a device or a pipe, is written to.
fn to_file(
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<Exit>,
) -> anyhow::Result<Exit> {
    let cannot = || format!("cannot write {}", file.display());
    // Where a link leads, so that it stays one.
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    if std::fs::metadata(&target).is_ok_and(|there| !there.is_file()) {
        let out = File::options()
            .write(true)
            .open(&target)
            .with_context(cannot)?;
        return write(&mut BufWriter::new(out)).with_context(cannot);
    }
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let aside = target.with_file_name(name);
    let out = File::create_new(&aside).with_context(cannot)?;
    let written = write(&mut BufWriter::new(out)).and_then(|exit| {
        std::fs::rename(&aside, &target)?;
        Ok(exit)
    });
    if written.is_err() {
        // Half of it helps nobody; that it could not be written is what the error says.
        let _ = std::fs::remove_file(&aside);
    }
    written.with_context(cannot)
}

fn check(args: &ExportArgs) -> anyhow::Result<()> {
    let original = args.form == ExportForm::Original;
    if original && (args.comments || args.counts || args.findings) {
        return Err(exit::usage(
            "--comments, --counts and --findings are for --as pgn and --as thai: original bytes are written as they are",
        ));
    }
    if !original && !args.input.is_empty() {
        return Err(exit::usage(
            "--input says where the archives lie, which only --as original reads",
        ));
    }
    Ok(())
}

struct Export {
    /// The games chosen; all if none is.
    wanted: Option<BTreeSet<Hex<16>>>,
    written: u64,
    /// Games that are not written, by the reason.
    left: BTreeMap<String, u64>,
}

impl Export {
    fn as_pgn(
        &mut self,
        view: &CommitView,
        options: PgnOptions,
        out: &mut dyn Write,
    ) -> anyhow::Result<Exit> {
        let findings = match options.findings {
            true => findings(view)?,
            false => BTreeMap::new(),
        };
        let mut plies = view.rows::<PlyRow>().peekable();
        for game in view.rows::<GameRow>() {
            let game = game.map_err(pipeline_failure)?;
            let its_plies = match options.comments {
                true => plies_of(&mut plies, game.game_id)?,
                false => Vec::new(),
            };
            if !self.wants(&game) {
                continue;
            }
            let its_findings = findings.get(&game.game_id).map_or(&[][..], Vec::as_slice);
            match pgn(&game, &its_plies, its_findings, options) {
                Ok(text) => {
                    out.write_all(text.as_bytes())?;
                    self.written += 1;
                }
                Err(reason) => self.leave(reason),
            }
        }
        out.flush()?;
        Ok(DONE)
    }

    fn wants(&self, game: &GameRow) -> bool {
        let chosen = self.wanted.as_ref();
        chosen.is_none_or(|wanted| wanted.contains(&game.game_id))
    }

    fn leave(&mut self, reason: impl ToString) {
        *self.left.entry(reason.to_string()).or_default() += 1;
    }

    fn summary(&self) {
        eprintln!("{} games written", self.written);
        for (reason, games) in &self.left {
            eprintln!("{games} not written: {reason}");
        }
    }
}

fn pgn(
    game: &GameRow,
    plies: &[PlyRow],
    findings: &[FindingRow],
    options: PgnOptions,
) -> Result<String, NotPgn> {
    let id = game.rule_set.as_deref().unwrap_or_default();
    match ruleset(id) {
        Ok(rules) => report::pgn(game, plies, findings, &rules, options),
        Err(_) if id.is_empty() => Err(NotPgn::NotWhole("set_aside")),
        Err(_) => Err(NotPgn::RuleSet(id.to_owned())),
    }
}

/// Findings by game: later stages find things too, so they do not come in the games' order.
fn findings(view: &CommitView) -> anyhow::Result<BTreeMap<Hex<16>, Vec<FindingRow>>> {
    let mut findings: BTreeMap<_, Vec<FindingRow>> = BTreeMap::new();
    for row in view.rows::<FindingRow>() {
        let row = row.map_err(pipeline_failure)?;
        if let Some(id) = row.game_id {
            findings.entry(id).or_default().push(row);
        }
    }
    Ok(findings)
}

/// The plies of a game, from rows in the games' order: those of every game must be taken, also of one that is not written.
fn plies_of(
    rows: &mut Peekable<impl Iterator<Item = Result<PlyRow, pipeline::RunError>>>,
    game: Hex<16>,
) -> anyhow::Result<Vec<PlyRow>> {
    let mut plies = Vec::new();
    let its = |row: &Result<PlyRow, _>| row.as_ref().map_or(true, |row| row.game_id == game);
    while let Some(row) = rows.next_if(its) {
        plies.push(row.map_err(pipeline_failure)?);
    }
    Ok(plies)
}
