//! From archives to a page: a small job is run, its commit collected and drawn.

use std::path::{Path, PathBuf};

use pipeline::{CommitView, Job, RunOptions};
use report::{Figures, Grade, Limits};

/// Runs a job over `tests/data` into a fresh folder and opens its commit.
fn commit(name: &str, nodes: u32) -> CommitView {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if out.exists() {
        std::fs::remove_dir_all(&out).expect("an old output goes away");
    }
    let text = format!(
        "name = \"{name}\"\n[input]\narchives = [{data:?}]\n[analysis]\nnodes = {nodes}\n[output]\ndir = {out:?}\n[run]\nthreads = 2\n"
    );
    let job = Job::parse("test.toml", &text, &[]).expect("the job is right");
    let outcome = pipeline::run(&job, &RunOptions::default()).expect("the run works");
    assert!(outcome.committed);
    let location = out
        .to_str()
        .expect("a plain path")
        .parse()
        .expect("a folder");
    let store = store::open(&location, &store::S3Settings::default()).expect("a folder opens");
    CommitView::open(store, None).expect("the commit is there")
}

fn sheet<'a>(figures: &'a Figures, code: &str) -> &'a report::Sheet {
    let has = |sheet: &&report::Sheet| sheet.findings.iter().any(|finding| finding.code == code);
    figures
        .sheets
        .iter()
        .find(has)
        .unwrap_or_else(|| panic!("no sheet has {code}"))
}

#[test]
fn a_commit_becomes_figures_and_a_page() {
    let view = commit("report-page", 200);
    let figures = report::collect(&view).expect("figures");
    let page = report::html(&figures);
    std::fs::write(
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html"),
        &page,
    )
    .expect("a page to look at");

    let read = &figures.read;
    assert_eq!((read.archives, read.games_found), (3, 6));
    assert_eq!(
        (
            read.games_accepted,
            read.games_rejected,
            read.games_set_aside
        ),
        (4, 1, 1)
    );
    assert_eq!(read.bytes_accounted, read.bytes_text);
    assert_eq!(figures.run.job, "report-page");
    assert!(
        figures
            .run
            .rule_sets
            .iter()
            .any(|rules| rules.id == "ouk" && !rules.title.is_empty())
    );

    let illegal = sheet(&figures, "illegal_move");
    assert_eq!(
        (illegal.plies, illegal.stopped_at.as_deref()),
        (3, Some("Nf6"))
    );
    assert_eq!(
        illegal
            .moves
            .iter()
            .map(|played| played.san.as_str())
            .collect::<Vec<_>>(),
        ["c4", "c5", "Nc3"]
    );
    let fault = illegal
        .findings
        .iter()
        .find(|finding| finding.code == "illegal_move")
        .expect("its finding");
    let board = fault.board.as_ref().expect("a board at the finding");
    assert_eq!(board.marks.last, Some(("b1".to_owned(), "c3".to_owned())));
    assert_eq!(board.marks.bad, ["f6"]);
    assert_eq!(board.caption, "After ply 3, Black to move");

    let mated = sheet(&figures, "result_contradicts_board");
    assert!(
        mated
            .findings
            .iter()
            .any(|finding| finding.grade == Grade::Critical)
    );
    assert_eq!(mated.derived.ending.as_deref(), Some("checkmate"));

    let counted = figures
        .sheets
        .iter()
        .find(|sheet| sheet.black.as_deref() == Some("Niran"))
        .expect("the counted game");
    assert!(
        counted.count_total > 0
            && counted
                .count
                .iter()
                .all(|step| step.kind == "pieces" && step.limit == 8)
    );
    assert_eq!(figures.counts.draws_total, 1);

    assert_eq!(figures.moves.games_analysed, figures.moves.games);
    assert_eq!(figures.moves.plies_analysed, figures.moves.plies);
    assert!(
        figures
            .moves
            .players
            .iter()
            .any(|player| player.player == "Mali")
    );
    assert!(
        figures
            .formations
            .iter()
            .any(|line| line.formation == "ma_phuk_right")
    );

    assert!(!page.contains("<script"));
    assert!(page.contains("&lt;script&gt;") && page.contains("สมชาย ใจดี"));
    assert!(
        report::terminal(&figures)
            .contains("6 games found = 4 accepted + 1 rejected + 1 set aside")
    );
}

#[test]
fn lists_are_as_long_as_they_may_be_and_no_longer() {
    let view = commit("report-limits", 50);
    let limits = Limits {
        archives: 1,
        findings: 2,
        sheets: 1,
        count_draws: 0,
        players: 1,
        openings: 1,
        formations: 1,
        compared: 1,
    };
    let figures = report::collect_within(&view, &limits).expect("figures");
    assert_eq!((figures.read.lines.len(), figures.read.archives), (1, 3));
    assert_eq!((figures.findings.lines.len(), figures.sheets.len()), (2, 1));
    assert!(figures.sheets_total > 1 && figures.findings.total > 2);
    assert!(figures.counts.draws.is_empty() && figures.counts.draws_total == 1);
    assert!(report::html(&figures).contains("worst of"));
}
