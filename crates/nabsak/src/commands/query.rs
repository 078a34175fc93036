//! `nabsak query`: SQL over the current commit, where the build can; else how to ask.

use crate::cli::QueryArgs;
use crate::exit::Exit;

/// This build has no SQL engine: say who has.
#[cfg(not(feature = "sql"))]
pub(super) fn run(args: &QueryArgs) -> anyhow::Result<Exit> {
    Err(crate::exit::usage(format!(
        "this build has no SQL engine.\n\
         Ask DuckDB, which reads the same tables:  cd {} && duckdb -init views.sql\n\
         or build one:  cargo build --release --features sql",
        args.dir
    )))
}

#[cfg(feature = "sql")]
pub(super) fn run(args: &QueryArgs) -> anyhow::Result<Exit> {
    use pipeline::CommitView;

    let sql = match (&args.sql, &args.file) {
        (Some(sql), _) => sql.clone(),
        (None, Some(file)) => std::fs::read_to_string(file).map_err(|error| {
            crate::exit::usage(format!("cannot read {}: {error}", file.display()))
        })?,
        (None, None) => return Err(crate::exit::usage("give a question, or --file")),
    };
    let view =
        CommitView::open(super::open_store(&args.dir)?, None).map_err(super::pipeline_failure)?;
    super::check(&view, &args.dir)?;
    let answer =
        match elsewhere(args, &view, &sql)? {
            Some(answer) => answer,
            // Where a question fails, the question is to blame, unless a part is not what was written.
            None => session(&view)?.ask(&sql).map_err(|error| {
                match super::verify(&view, &args.dir) {
                    Err(damaged) => damaged,
                    Ok(()) => crate::exit::usage(error),
                }
            })?,
        };
    answer.write(form(args.format), &mut std::io::stdout())?;
    Ok(crate::exit::DONE)
}

/// SQL over the tables of a commit.
#[cfg(feature = "sql")]
pub(super) fn session(view: &pipeline::CommitView) -> anyhow::Result<query::Session> {
    let store = std::sync::Arc::clone(view.store());
    Ok(query::Session::new(store, &parts(view))?)
}

/// The answer of a cluster, where one is to give it.
#[cfg(feature = "cluster")]
fn elsewhere(
    args: &QueryArgs,
    view: &pipeline::CommitView,
    sql: &str,
) -> anyhow::Result<Option<query::Answer>> {
    super::cluster::ask(&args.cluster, view, &parts(view), sql)
}

#[cfg(all(feature = "sql", not(feature = "cluster")))]
fn elsewhere(
    args: &QueryArgs,
    _: &pipeline::CommitView,
    _: &str,
) -> anyhow::Result<Option<query::Answer>> {
    super::cluster::dispatch(&args.cluster)?;
    Ok(None)
}

#[cfg(feature = "sql")]
fn parts(view: &pipeline::CommitView) -> Vec<query::Part> {
    let mut parts = Vec::new();
    for table in tables::Table::ALL {
        let of_table = view.parts(table.name()).iter();
        parts.extend(of_table.map(|part| query::Part {
            table,
            key: part.path.clone(),
        }));
    }
    parts
}

#[cfg(feature = "sql")]
fn form(format: crate::cli::Format) -> query::Format {
    match format {
        crate::cli::Format::Table => query::Format::Table,
        crate::cli::Format::Csv => query::Format::Csv,
        crate::cli::Format::Json => query::Format::Json,
        crate::cli::Format::Parquet => query::Format::Parquet,
    }
}
