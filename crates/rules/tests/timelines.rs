//! Counts and endings ply by ply, for every rule set: the files in `timelines/` are made by hand
//! from the sources' own words, with the derivation beside each.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

use rules::{Color, CountClose, CountCommand, GameResult, Line, Ruleset};

/// The side letter of FEN.
fn letter(side: Color) -> char {
    match side {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

/// The count as the files write it: `board b 63/64 r2 reply-64`.
fn shown(line: &Line) -> String {
    let Some(count) = line.count() else {
        return "-".to_owned();
    };
    let said = match count.number >= count.first {
        true => count.number.0.to_string(),
        false => "-".to_owned(),
    };
    let close = match count.close {
        CountClose::Said(number) => format!("said-{}", number.0),
        CountClose::ReplyTo(number) => format!("reply-{}", number.0),
        CountClose::AtOnce => "once".to_owned(),
        CountClose::Stopped => "stopped".to_owned(),
    };
    format!(
        "{} {} {said}/{} r{} {close}",
        count.kind.as_str(),
        letter(count.side),
        count.limit.0,
        count.replies_left
    )
}

/// The ending that came with this very ply.
fn ending(line: &Line) -> String {
    let now = line.ended().filter(|ended| ended.ply == line.plies().0);
    now.map_or_else(String::new, |ended| {
        let won = match ended.result {
            GameResult::Draw => "draw",
            GameResult::WhiteWins => "white",
            GameResult::BlackWins => "black",
        };
        format!("{} {won}", ended.ending)
    })
}

/// `start`, `stop`, a mark `!` if the command must be refused, a move, or `.` for none.
fn act(line: &mut Line, words: &str) {
    for word in words.split_whitespace() {
        let command = match word.trim_end_matches('!') {
            "start" => CountCommand::Start,
            "stop" => CountCommand::Stop,
            "." => continue,
            mv => {
                support::play(line, mv);
                continue;
            }
        };
        let before = *line.count_state();
        let refused = line.command(command).is_err();
        assert_eq!(refused, word.ends_with('!'), "{words}");
        assert!(!refused || before == *line.count_state(), "{words}");
    }
}

/// What a count says of its end must come true ply by ply.
fn consistent(line: &Line, left_before: Option<u32>) -> Option<u32> {
    let count = line.count()?;
    assert_eq!(
        count.plies_left.is_none(),
        count.close == CountClose::Stopped
    );
    let left = count.plies_left?.0;
    if let Some(before) = left_before {
        assert_eq!(left, before.saturating_sub(1), "{count:?}");
    }
    let exhausted = line.count_state().exhausted().is_some();
    assert_eq!(left == 0, exhausted, "{count:?}");
    if let (Some(by), true) = (count.close.by(count.side), left > 0) {
        // The side to move makes the next ply, the one after that the other.
        let mover = line.position().turn();
        let last = if left.is_multiple_of(2) {
            !mover
        } else {
            mover
        };
        assert_eq!(by, last, "{count:?}");
    }
    Some(left)
}

fn play(id: &str, fen: &str, plies: &[&str], place: &str) {
    let mut line = support::line(fen, &Ruleset::builtin(id).unwrap());
    let mut left = None;
    let mut who = None;
    for row in plies {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        let [words, count, end @ ..] = fields.as_slice() else {
            panic!("{place}: {row}");
        };
        act(&mut line, words);
        let want = (*count, end.first().copied().unwrap_or(""));
        let (count, end) = (shown(&line), ending(&line));
        assert_eq!((count.as_str(), end.as_str()), want, "{place}, {id}: {row}");
        let same = line
            .count()
            .map(|count| (count.kind, count.side, count.men));
        let told = same == who && words.split_whitespace().count() == 1;
        left = consistent(&line, left.filter(|_| told));
        who = same;
    }
    let over = line.ended().is_some_and(|ended| ended.ply == 0);
    assert!(over || !plies.is_empty(), "{place}");
}

/// Plays a file; gives the number of timelines and rule sets played.
fn file(name: &str, text: &str) -> (usize, Vec<String>) {
    let (mut timelines, mut ids) = (0, Vec::new());
    for block in text.split("\n== ").skip(1) {
        let mut rows = block.lines();
        let title = rows.next().unwrap();
        let rows: Vec<&str> = rows
            .map(str::trim)
            .filter(|row| !row.is_empty() && !row.starts_with('#'))
            .collect();
        let place = format!("{name}: {title}");
        let rules = rows[0].strip_prefix("rules: ").expect(&place);
        let fen = rows[1].strip_prefix("fen: ").expect(&place);
        for id in rules.split_whitespace() {
            play(id, fen, &rows[2..], &place);
            ids.push(id.to_owned());
        }
        timelines += 1;
    }
    (timelines, ids)
}

#[test]
fn the_timelines() {
    let files = [
        ("pieces", include_str!("timelines/pieces.txt")),
        ("board", include_str!("timelines/board.txt")),
        ("examples", include_str!("timelines/examples.txt")),
        ("order", include_str!("timelines/order.txt")),
    ];
    for (name, text) in files {
        let (timelines, ids) = file(name, text);
        println!("{name}: {timelines} timelines, {} plays", ids.len());
        for id in Ruleset::builtin_ids() {
            assert!(ids.iter().any(|played| played == id), "{name}: {id}");
        }
    }
}

/// The limits table under every rule set: the capture that bares, and the replies that it leaves.
#[test]
fn the_limits() {
    let table = include_str!("timelines/limits.tsv");
    let rows: Vec<&str> = table.lines().filter(|row| !row.starts_with('#')).collect();
    assert!(rows.len() >= 12);
    for row in rows {
        let fields: Vec<&str> = row.split('\t').collect();
        let [fen, capture, step, men, limit, wikipedia, replies @ ..] = fields.as_slice() else {
            panic!("{row}");
        };
        let [makruk, ouk, wiki] = replies else {
            panic!("{row}");
        };
        for id in Ruleset::builtin_ids() {
            let by_will = id.ends_with("wikipedia");
            let mut line = support::line(fen, &Ruleset::builtin(id).unwrap());
            support::play(&mut line, capture);
            if by_will {
                line.command(CountCommand::Start).unwrap();
                support::play(&mut line, step);
            }
            let count = line.count().unwrap();
            let want = match *id {
                "makruk" | "makruk-ttakji" | "makruk-fairy" | "ouk-chessplayx" => (limit, makruk),
                "makruk-wikipedia" | "ouk-wikipedia" => (wikipedia, wiki),
                _ => (limit, ouk),
            };
            let got = (count.limit.0.to_string(), count.replies_left.to_string());
            assert_eq!(
                (got.0.as_str(), got.1.as_str()),
                (*want.0, *want.1),
                "{id}: {row}"
            );
            assert_eq!(count.men.to_string(), *men, "{id}: {row}");
        }
    }
}
