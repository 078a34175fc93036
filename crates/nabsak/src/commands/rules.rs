//! `nabsak rules`: the rule sets, readable.

use std::io::Write;

use ::rules::Ruleset;

use super::ruleset;
use crate::cli::RulesCommand;
use crate::exit::{DONE, Exit};

pub(super) fn run(command: &RulesCommand) -> anyhow::Result<Exit> {
    match command {
        RulesCommand::List => list(),
        RulesCommand::Show { id } => show(id),
    }
}

fn list() -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{:<18} {:<8} {:<9} title",
        "id", "variant", "authority"
    )?;
    for id in Ruleset::builtin_ids() {
        let rules = ruleset(id)?;
        writeln!(
            out,
            "{:<18} {:<8} {:<9} {}",
            rules.id().to_string(),
            rules.variant().as_str(),
            rules.authority().as_str(),
            rules.title()
        )?;
    }
    Ok(DONE)
}

fn show(id: &str) -> anyhow::Result<Exit> {
    let rules = ruleset(id)?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}: {}", rules.id(), rules.title())?;
    writeln!(
        out,
        "variant {}, authority {}",
        rules.variant().as_str(),
        rules.authority().as_str()
    )?;
    writeln!(out)?;
    for switch in rules.switches() {
        writeln!(
            out,
            "{:<20} {:<12} {}",
            switch.name, switch.value, switch.source
        )?;
    }
    Ok(DONE)
}
