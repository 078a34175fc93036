//! `nabsak report`: the figures of the current commit.

use std::io::Write;

use pipeline::CommitView;

use super::whole;
use crate::cli::ReportArgs;
use crate::exit::{DONE, Exit};

pub(super) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    let view =
        CommitView::open(super::open_store(&args.dir)?, None).map_err(super::pipeline_failure)?;
    super::check(&view, &args.dir)?;
    let figures = match report::collect(&view) {
        Ok(figures) => figures,
        Err(error) => {
            super::verify(&view, &args.dir)?;
            return Err(error.into());
        }
    };
    match &args.html {
        Some(file) => whole::write(file, report::html(&figures).as_bytes())?,
        None => write!(std::io::stdout().lock(), "{}", report::terminal(&figures))?,
    }
    Ok(DONE)
}
