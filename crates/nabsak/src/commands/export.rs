//! `nabsak export`: games of a run as PGN.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::iter::Peekable;

use anyhow::Context;
use pipeline::CommitView;
use report::{MoveLetters, NotPgn, PgnOptions};
use tables::{FindingRow, GameRow, Hex, PlyRow};

use super::{open_store, pipeline_failure, ruleset};
use crate::cli::{ExportArgs, ExportForm};
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let view = CommitView::open(open_store(&args.dir)?, None).map_err(pipeline_failure)?;
    let wanted = match &args.condition {
        Some(condition) => Some(selection::of(&view, condition)?),
        None => None,
    };
    let mut export = Export {
        options: PgnOptions {
            letters: match args.form {
                ExportForm::Pgn => MoveLetters::Latin,
                ExportForm::Thai => MoveLetters::Thai,
            },
            comments: args.comments,
            counts: args.counts,
            findings: args.findings,
        },
        wanted,
        written: 0,
        left: BTreeMap::new(),
    };
    match &args.out {
        None => export.all(&view, &mut BufWriter::new(std::io::stdout().lock()))?,
        Some(file) => {
            // A reader of the file finds all of it or the file of before.
            let aside = file.with_extension("part");
            let out = File::create(&aside)
                .with_context(|| format!("cannot write {}", aside.display()))?;
            export.all(&view, &mut BufWriter::new(out))?;
            std::fs::rename(&aside, file)
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
    }
    export.summary();
    Ok(DONE)
}

struct Export {
    options: PgnOptions,
    /// The games chosen; all if none is.
    wanted: Option<BTreeSet<Hex<16>>>,
    written: u64,
    /// Games that are not written, by the reason.
    left: BTreeMap<String, u64>,
}

impl Export {
    fn all(&mut self, view: &CommitView, out: &mut impl Write) -> anyhow::Result<()> {
        let findings = self.findings(view)?;
        let mut plies = view.rows::<PlyRow>().peekable();
        for game in view.rows::<GameRow>() {
            let game = game.map_err(pipeline_failure)?;
            let its_plies = match self.options.comments {
                true => plies_of(&mut plies, game.game_id)?,
                false => Vec::new(),
            };
            let chosen = self.wanted.as_ref();
            if chosen.is_some_and(|wanted| !wanted.contains(&game.game_id)) {
                continue;
            }
            let its_findings = findings.get(&game.game_id).map_or(&[][..], Vec::as_slice);
            match self.pgn(&game, &its_plies, its_findings) {
                Ok(text) => {
                    out.write_all(text.as_bytes())?;
                    self.written += 1;
                }
                Err(reason) => *self.left.entry(reason.to_string()).or_default() += 1,
            }
        }
        Ok(out.flush()?)
    }

    fn pgn(
        &self,
        game: &GameRow,
        plies: &[PlyRow],
        findings: &[FindingRow],
    ) -> Result<String, NotPgn> {
        let id = game.rule_set.as_deref().unwrap_or_default();
        match ruleset(id) {
            Ok(rules) => report::pgn(game, plies, findings, &rules, self.options),
            Err(_) if id.is_empty() => Err(NotPgn::NotWhole("set_aside")),
            Err(_) => Err(NotPgn::RuleSet(id.to_owned())),
        }
    }

    /// Findings by game, if they are asked for: later stages find things too, so they do not come in the games' order.
    fn findings(&self, view: &CommitView) -> anyhow::Result<BTreeMap<Hex<16>, Vec<FindingRow>>> {
        let mut findings: BTreeMap<_, Vec<FindingRow>> = BTreeMap::new();
        if self.options.findings {
            for row in view.rows::<FindingRow>() {
                let row = row.map_err(pipeline_failure)?;
                if let Some(id) = row.game_id {
                    findings.entry(id).or_default().push(row);
                }
            }
        }
        Ok(findings)
    }

    fn summary(&self) {
        eprintln!("{} games written", self.written);
        for (reason, games) in &self.left {
            eprintln!("{games} not written: {reason}");
        }
    }
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

/// Games chosen by a condition in SQL.
#[cfg(not(feature = "sql"))]
mod selection {
    use std::collections::BTreeSet;

    use pipeline::CommitView;
    use tables::Hex;

    pub(super) fn of(_: &CommitView, _: &str) -> anyhow::Result<BTreeSet<Hex<16>>> {
        Err(crate::exit::usage(
            "this build has no SQL engine for --where; build one:  cargo build --release --features sql",
        ))
    }
}

#[cfg(feature = "sql")]
mod selection {
    use std::collections::BTreeSet;

    use pipeline::CommitView;
    use tables::Hex;

    pub(super) fn of(view: &CommitView, condition: &str) -> anyhow::Result<BTreeSet<Hex<16>>> {
        let session = crate::commands::query::session(view)?;
        let answer = session
            .ask(&format!("SELECT game_id FROM games WHERE ({condition})"))
            .map_err(|error| crate::exit::usage(format!("--where: {error}")))?;
        let mut ids = Vec::new();
        answer.write(query::Format::Csv, &mut ids)?;
        let ids = String::from_utf8(ids)?;
        Ok(ids
            .lines()
            .skip(1)
            .filter_map(|id| id.parse().ok())
            .collect())
    }
}
