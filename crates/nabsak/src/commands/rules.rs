//! `nabsak rules`: the rule sets, readable.

use std::io::Write;
use std::sync::Arc;

use ::rules::Ruleset;
use ::rules::ruleset::SwitchText;

use super::ruleset;
use crate::cli::RulesCommand;
use crate::exit::{DONE, Exit};

pub(super) fn run(command: &RulesCommand) -> anyhow::Result<Exit> {
    match command {
        RulesCommand::List => list(),
        RulesCommand::Show { id } => show(&*ruleset(id)?),
        RulesCommand::Diff { one, other } => diff(&ruleset(one)?, &ruleset(other)?),
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
            rules.id().as_str(),
            rules.variant().as_str(),
            rules.authority().as_str(),
            rules.title()
        )?;
    }
    writeln!(
        out,
        "\non top of makruk, in any combination, as in makruk+sut-khun+sut-met:"
    )?;
    for (id, title) in Ruleset::additions() {
        writeln!(out, "+{id:<17} {title}")?;
    }
    Ok(DONE)
}

fn show(rules: &Ruleset) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    head(&mut out, rules)?;
    writeln!(out)?;
    board(&mut out, rules)?;
    writeln!(out)?;
    for switch in rules.switches() {
        writeln!(
            out,
            "{:<20} {:<12} {:<16} {}",
            switch.name,
            switch.value,
            switch.stated_in.as_str(),
            switch.source
        )?;
    }
    Ok(DONE)
}

fn head(out: &mut impl Write, rules: &Ruleset) -> std::io::Result<()> {
    writeln!(out, "{}: {}", rules.id(), rules.title())?;
    write!(
        out,
        "variant {}, authority {}",
        rules.variant().as_str(),
        rules.authority().as_str()
    )?;
    match rules.based_on() {
        Some(base) => writeln!(out, ", based on {base}"),
        None => writeln!(out),
    }
}

fn board(out: &mut impl Write, rules: &Ruleset) -> std::io::Result<()> {
    writeln!(out, "start {}", start(rules))
}

/// The start position as a FEN.
fn start(rules: &Ruleset) -> String {
    notation::fen::write_position(&rules.start())
}

/// The switches in which two rule sets differ, each side's value with its source.
fn diff(one: &Arc<Ruleset>, other: &Arc<Ruleset>) -> anyhow::Result<Exit> {
    let mut out = std::io::stdout().lock();
    for rules in [one, other] {
        head(&mut out, rules)?;
    }
    writeln!(out)?;
    if start(one) != start(other) {
        lines(
            &mut out,
            "start",
            [one, other].map(|rules| (rules, start(rules), String::new())),
        )?;
    }
    let pairs = one.switches().iter().zip(other.switches());
    let differing: Vec<_> = pairs.filter(|(a, b)| a.value != b.value).collect();
    let same = one.switches().len() - differing.len();
    for (a, b) in differing {
        let side =
            |rules, switch: &SwitchText| (rules, switch.value.clone(), switch.source.clone());
        lines(&mut out, a.name, [side(one, a), side(other, b)])?;
    }
    writeln!(
        out,
        "{same} of {} switches are the same",
        one.switches().len()
    )?;
    Ok(DONE)
}

fn lines(
    out: &mut impl Write,
    name: &str,
    sides: [(&Arc<Ruleset>, String, String); 2],
) -> std::io::Result<()> {
    writeln!(out, "{name}")?;
    for (rules, value, source) in sides {
        let line = format!("  {:<18} {value:<12} {source}", rules.id().as_str());
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
