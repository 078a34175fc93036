//! `nabsak audit`: a job without a job file.

use pipeline::AuditOptions;
use replay::Severity;

use super::run::carry_out;
use crate::cli::{AuditArgs, LogArgs};
use crate::exit::{self, Exit, FOUND};

pub(super) fn run(args: &AuditArgs, log: &LogArgs) -> anyhow::Result<Exit> {
    let fail_on = args.fail_on.as_deref().map(severity).transpose()?;
    let options = AuditOptions {
        variant: args.variant.clone(),
        rules: args.rules.clone(),
        compare: args.compare.clone(),
        analyse: args.analyse,
        out: Some(args.out.clone()),
        threads: 0,
    };
    let job = pipeline::job_for_audit(&args.paths, &options).map_err(exit::usage)?;
    let outcome = carry_out(&job, log, false, false, None)?;
    let found = fail_on.is_some_and(|least| {
        Severity::ALL
            .iter()
            .filter(|severity| **severity >= least)
            .any(|severity| {
                outcome
                    .counts
                    .findings
                    .get(severity.as_str())
                    .is_some_and(|n| *n > 0)
            })
    });
    let status = outcome.exit_status();
    Ok(if status == 0 && found {
        FOUND
    } else {
        Exit::from_code(status)
    })
}

fn severity(word: &str) -> anyhow::Result<Severity> {
    Severity::ALL
        .iter()
        .copied()
        .find(|severity| severity.as_str() == word)
        .ok_or_else(|| {
            let known: Vec<_> = Severity::ALL
                .iter()
                .map(|severity| severity.as_str())
                .collect();
            exit::usage(format!(
                "--fail-on {word:?} is not one of {}",
                known.join(", ")
            ))
        })
}
