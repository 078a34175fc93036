//! The summary for a terminal: plain text, at most 100 columns, no colours and no cursor tricks.

use crate::figures::{CountGroup, Figures, Grade, OpeningLine};
use crate::text::{bytes, cut, figure, number, percent, plural, words};

/// A column: its heading, and whether it holds numbers.
struct Column(&'static str, bool);

/// The summary. Text from archives is cleaned of anything that steers a terminal.
pub fn terminal(figures: &Figures) -> String {
    let mut out = String::new();
    head(&mut out, figures);
    read(&mut out, figures);
    findings(&mut out, figures);
    results(&mut out, figures);
    counts(&mut out, figures);
    compared(&mut out, figures);
    moves(&mut out, figures);
    openings(&mut out, figures);
    formations(&mut out, figures);
    out
}

fn title(out: &mut String, text: &str) {
    out.push('\n');
    out.push_str(text);
    out.push('\n');
}

fn line(out: &mut String, text: &str) {
    out.push_str("  ");
    out.push_str(text.trim_end());
    out.push('\n');
}

/// A table with columns as wide as they need to be.
fn table(out: &mut String, columns: &[Column], rows: &[Vec<String>]) {
    let width = |index: usize| {
        let cells = rows
            .iter()
            .filter_map(|row| row.get(index))
            .map(|cell| columns_of(cell));
        cells
            .chain([columns_of(columns[index].0)])
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    let write = |out: &mut String, cells: &mut dyn Iterator<Item = &str>| {
        let padded: Vec<String> = cells
            .zip(&widths)
            .zip(columns)
            .map(|((cell, width), column)| {
                let gap = " ".repeat(width.saturating_sub(columns_of(cell)));
                if column.1 {
                    gap + cell
                } else {
                    cell.to_owned() + &gap
                }
            })
            .collect();
        line(out, &padded.join("  "));
    };
    write(out, &mut columns.iter().map(|column| column.0));
    for row in rows {
        write(out, &mut row.iter().map(String::as_str));
    }
}

/// Columns that a text takes: Thai and Khmer vowel signs and tone marks stand above or below their letter.
fn columns_of(text: &str) -> usize {
    let stacked = |letter: &char| matches!(letter, '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{17b4}'..='\u{17b5}' | '\u{17b7}'..='\u{17bd}' | '\u{17c6}' | '\u{17c9}'..='\u{17d3}' | '\u{300}'..='\u{36f}');
    text.chars().filter(|letter| !stacked(letter)).count()
}

fn head(out: &mut String, figures: &Figures) {
    let run = &figures.run;
    out.push_str(&format!(
        "{}  commit {}  {}\n",
        cut(&run.job, 50),
        run.commit,
        run.at
    ));
    if run.failed_total > 0 {
        line(
            out,
            &format!(
                "{}: their games are missing below",
                plural(
                    run.failed_total,
                    "piece of work failed",
                    "pieces of work failed"
                )
            ),
        );
    }
}

fn read(out: &mut String, figures: &Figures) {
    let read = &figures.read;
    title(out, "Read");
    line(
        out,
        &format!(
            "{}, {} ({} of text), {}",
            plural(read.archives, "archive", "archives"),
            bytes(read.bytes),
            bytes(read.bytes_text),
            if read.bytes_accounted == read.bytes_text {
                "every byte accounted for"
            } else {
                "NOT every byte accounted for"
            },
        ),
    );
    line(
        out,
        &format!(
            "{} found = {} accepted + {} rejected + {} set aside; {}",
            plural(read.games_found, "game", "games"),
            number(read.games_accepted),
            number(read.games_rejected),
            number(read.games_set_aside),
            plural(read.plies, "ply", "plies"),
        ),
    );
    if !read.duplicates.is_empty() {
        let classes: Vec<String> = read
            .duplicates
            .iter()
            .map(|class| format!("{} {}", number(class.n), words(&class.name)))
            .collect();
        line(
            out,
            &format!(
                "duplicates beside the first of their group: {}",
                classes.join(", ")
            ),
        );
    }
    let list: Vec<String> = read
        .variants
        .iter()
        .map(|v| format!("{} {}", cut(&v.name, 24), number(v.n)))
        .collect();
    if !list.is_empty() {
        line(out, &list.join(", "));
    }
}

fn findings(out: &mut String, figures: &Figures) {
    let findings = &figures.findings;
    title(out, "Findings");
    if findings.total == 0 {
        return line(out, "none");
    }
    let grades: Vec<String> = Grade::WORST_FIRST
        .iter()
        .zip(findings.by_grade)
        .filter(|(_, n)| *n > 0)
        .map(|(grade, n)| format!("{} {}", number(n), grade.as_str()))
        .collect();
    line(out, &grades.join(", "));
    let rows: Vec<Vec<String>> = findings
        .by_code
        .iter()
        .filter(|line| line.grade >= Grade::Warning)
        .take(12)
        .map(|line| {
            vec![
                number(line.n),
                line.grade.as_str().to_owned(),
                line.certainty.clone(),
                words(&line.code),
            ]
        })
        .collect();
    if !rows.is_empty() {
        table(
            out,
            &[
                Column("n", true),
                Column("severity", false),
                Column("certainty", false),
                Column("finding", false),
            ],
            &rows,
        );
    }
    let mut shown = 0;
    for found in findings
        .lines
        .iter()
        .filter(|line| line.grade >= Grade::Error)
        .take(8)
    {
        shown += 1;
        let game = found
            .ordinal
            .map_or_else(String::new, |ordinal| format!(", game {ordinal}"));
        let ply = found
            .ply
            .map_or_else(String::new, |ply| format!(", ply {ply}"));
        let member = found
            .member
            .as_ref()
            .map_or_else(String::new, |member| format!(" › {}", cut(member, 60)));
        line(
            out,
            &format!("{}{member}{game}{ply}", cut(&found.archive, 60)),
        );
        line(out, &format!("    {}", cut(&found.message, 94)));
    }
    let errors: u64 = findings.by_grade.iter().take(2).sum();
    if errors > shown {
        line(out, &format!("... and {} more", number(errors - shown)));
    }
}

fn results(out: &mut String, figures: &Figures) {
    if figures.results.is_empty() {
        return;
    }
    title(out, "Results as declared, or of the board where none is");
    let rows: Vec<Vec<String>> = figures
        .results
        .iter()
        .map(|r| {
            let known = r.white_wins + r.draws + r.black_wins;
            let with = |n: u64| format!("{} ({})", number(n), percent(n, known));
            vec![
                r.variant.clone(),
                number(known + r.unknown),
                with(r.white_wins),
                with(r.draws),
                with(r.black_wins),
                number(r.unknown),
            ]
        })
        .collect();
    let columns = [
        Column("variant", false),
        Column("games", true),
        Column("White", true),
        Column("drawn", true),
        Column("Black", true),
        Column("no result", true),
    ];
    table(out, &columns, &rows);
}

fn counts(out: &mut String, figures: &Figures) {
    let groups: Vec<&CountGroup> = figures
        .counts
        .groups
        .iter()
        .filter(|group| group.games > 0)
        .collect();
    if groups.is_empty() {
        return;
    }
    title(
        out,
        "Draws by counting (share of games that reach a board without unpromoted bia)",
    );
    let row = |group: &CountGroup| {
        let interval = group.range.map_or_else(
            || "–".to_owned(),
            |r| format!("{:.0}-{:.0} %", 100.0 * r.low, 100.0 * r.high),
        );
        vec![
            group.rule_set.clone(),
            group.player_kind.clone(),
            number(group.games),
            number(group.no_bia),
            number(group.bare_khun),
            format!(
                "{} ({})",
                number(group.proved),
                percent(group.proved, group.no_bia)
            ),
            number(group.possible),
            interval,
        ]
    };
    let columns = [
        Column("rule set", false),
        Column("players", false),
        Column("games", true),
        Column("no bia", true),
        Column("bare khun", true),
        Column("proved", true),
        Column("possible", true),
        Column("95 %", true),
    ];
    table(
        out,
        &columns,
        &groups.into_iter().map(row).collect::<Vec<_>>(),
    );
}

/// At most so many groups of games are shown here; the page and the table have the rest.
const GROUPS: usize = 12;

fn compared(out: &mut String, figures: &Figures) {
    let compared = &figures.compared;
    if compared.games == 0 {
        return;
    }
    title(out, "Rule sets compared");
    line(
        out,
        &format!(
            "{} judged by more than one rule set, {} of them alike by all",
            plural(compared.games, "game", "games"),
            number(compared.alike)
        ),
    );
    for group in compared.groups.iter().take(GROUPS) {
        let first = &group.first;
        let what = format!(
            "{} {} {} otherwise than {}: {}",
            plural(group.games, "game", "games"),
            if group.games == 1 {
                "is judged by"
            } else {
                "are judged by"
            },
            cut(&group.other, 30),
            cut(&group.judging, 30),
            by_switches(&group.switches),
        );
        line(out, &cut(&what, 98));
        let place = format!(
            "    first {}, game {}, ply {}",
            cut(&first.archive, 50),
            first.ordinal,
            first.ply
        );
        line(out, &place);
        for verdict in [&first.judged, &first.compared] {
            line(out, &cut(&format!("    {verdict}"), 98));
        }
    }
    if compared.groups.len() > GROUPS {
        let more = (compared.groups.len() - GROUPS) as u64;
        line(
            out,
            &format!("... and {} more", plural(more, "difference", "differences")),
        );
    }
}

fn by_switches(switches: &str) -> String {
    match switches {
        "" => "no switch explains it".to_owned(),
        several if several.contains(',') => format!("switches {several} together"),
        one => format!("switch {one}"),
    }
}

fn moves(out: &mut String, figures: &Figures) {
    let moves = &figures.moves;
    title(out, "Moves");
    line(
        out,
        &format!(
            "analysed {} of {} games ({}), {} of {} plies",
            number(moves.games_analysed),
            number(moves.games),
            percent(moves.games_analysed, moves.games),
            number(moves.plies_analysed),
            number(moves.plies),
        ),
    );
    if moves.phases.is_empty() {
        return;
    }
    let rows: Vec<Vec<String>> = moves
        .phases
        .iter()
        .map(|phase| {
            let [_, _, inaccuracies, mistakes, blunders] = phase.classes;
            vec![
                phase.variant.clone(),
                phase.phase.clone(),
                number(phase.evaluated),
                figure(phase.acpl, 0),
                number(inaccuracies),
                number(mistakes),
                format!(
                    "{} ({})",
                    number(blunders),
                    percent(blunders, phase.evaluated)
                ),
            ]
        })
        .collect();
    let columns = [
        Column("variant", false),
        Column("phase", false),
        Column("moves", true),
        Column("loss", true),
        Column("inaccuracies", true),
        Column("mistakes", true),
        Column("blunders", true),
    ];
    table(out, &columns, &rows);
    players(out, figures);
}

fn players(out: &mut String, figures: &Figures) {
    let moves = &figures.moves;
    let rows: Vec<Vec<String>> = moves
        .players
        .iter()
        .take(8)
        .map(|p| {
            let [.., blunders] = p.classes;
            let [opening, middlegame, endgame] = p.blunders;
            vec![
                cut(&p.player, 24),
                p.variant.clone(),
                number(p.games),
                number(p.evaluated),
                figure(p.accuracy, 1),
                figure(p.acpl, 0),
                number(blunders),
                format!("{opening}/{middlegame}/{endgame}"),
            ]
        })
        .collect();
    let columns = [
        Column("player", false),
        Column("variant", false),
        Column("games", true),
        Column("analysed", true),
        Column("accuracy", true),
        Column("loss", true),
        Column("blunders", true),
        Column("open/mid/end", true),
    ];
    if !rows.is_empty() {
        out.push('\n');
        table(out, &columns, &rows);
    }
}

fn openings(out: &mut String, figures: &Figures) {
    for opening in figures
        .openings
        .iter()
        .filter(|opening| !opening.lines.is_empty())
    {
        title(out, &format!("First moves, {}", opening.variant));
        let row = |line: &OpeningLine| {
            let interval = line.win_range.map_or_else(
                || "–".to_owned(),
                |r| format!("{:.0}-{:.0} %", 100.0 * r.low, 100.0 * r.high),
            );
            vec![
                line.san.clone(),
                number(line.n),
                number(line.white_wins),
                number(line.draws),
                number(line.black_wins),
                percent(line.white_wins, line.n),
                interval,
            ]
        };
        let rows: Vec<_> = opening
            .lines
            .iter()
            .filter(|line| line.ply == 1)
            .take(6)
            .map(row)
            .collect();
        let columns = [
            Column("move", false),
            Column("n", true),
            Column("White", true),
            Column("drawn", true),
            Column("Black", true),
            Column("White wins", true),
            Column("95 %", true),
        ];
        table(out, &columns, &rows);
    }
}

fn formations(out: &mut String, figures: &Figures) {
    if figures.formations.is_empty() {
        return;
    }
    title(out, "Formations");
    let rows: Vec<Vec<String>> = figures
        .formations
        .iter()
        .take(8)
        .map(|f| {
            let interval = f.win_range.map_or_else(
                || "–".to_owned(),
                |r| format!("{:.0}-{:.0} %", 100.0 * r.low, 100.0 * r.high),
            );
            vec![
                words(&f.formation),
                f.variant.clone(),
                f.side.clone(),
                number(f.n),
                number(f.wins),
                number(f.draws),
                number(f.losses),
                interval,
            ]
        })
        .collect();
    let columns = [
        Column("formation", false),
        Column("variant", false),
        Column("side", false),
        Column("n", true),
        Column("won", true),
        Column("drawn", true),
        Column("lost", true),
        Column("wins 95 %", true),
    ];
    table(out, &columns, &rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::sample;

    #[test]
    fn it_fits_a_terminal_and_names_the_worst() {
        let text = terminal(&sample());
        let wide: Vec<&str> = text.lines().filter(|line| columns_of(line) > 100).collect();
        assert!(wide.is_empty(), "{wide:?}");
        assert!(text.contains("illegal move") && text.contains("412 games found"));
        assert!(
            text.contains("duplicates beside the first of their group: 3 other dialect, 1 prefix")
        );
        assert!(text.contains(
            "11 games are judged by makruk-fairy otherwise than makruk: switch pieces_end"
        ));
    }

    #[test]
    fn foreign_text_does_not_steer_the_terminal() {
        let mut figures = sample();
        figures.moves.players[0].player = "\u{1b}[2Jx".to_owned();
        figures.findings.lines[0].message = "a\u{7}b\r\nc".to_owned();
        let text = terminal(&figures);
        assert!(
            text.chars()
                .all(|letter| letter == '\n' || !letter.is_control())
        );
    }

    #[test]
    fn nothing_at_all_is_still_a_summary() {
        let text = terminal(&Figures::default());
        assert!(text.contains("0 games found = 0 accepted + 0 rejected + 0 set aside"));
    }
}
