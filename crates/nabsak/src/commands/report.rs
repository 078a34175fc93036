//! `nabsak report`: the figures of the current commit.

use std::io::Write;

use anyhow::Context;
use pipeline::CommitView;

use crate::cli::ReportArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let view =
        CommitView::open(super::open_store(&args.dir)?, None).map_err(super::pipeline_failure)?;
    let figures = report::collect(&view)?;
    match &args.html {
        Some(file) => std::fs::write(file, report::html(&figures))
            .with_context(|| format!("cannot write {}", file.display()))?,
        None => write!(std::io::stdout().lock(), "{}", report::terminal(&figures))?,
    }
    Ok(DONE)
}
