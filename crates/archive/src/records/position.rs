//! One position a line: a bare FEN, EPD with operations, a row of a table, or REN (D4, D5, D9).

use std::borrow::Cow;

use super::Record;
use crate::{
    dialect::Dialect,
    encoding::Encoding,
    note::{Notes, clamp},
    sniff,
    tags::Tags,
};

pub(super) fn read(text: &[u8], encoding: Encoding, _notes: &mut Notes) -> Record {
    let line = encoding.decode(text);
    let line = line.trim_start_matches(['\u{feff}', '\0']);
    let (position, rest) = match line.split_once('\t') {
        Some((position, rest)) => (position, Rest::Columns(rest)),
        None => split(line),
    };
    let offset = |piece: &str| {
        // The pieces lie in the line; in another encoding than UTF-8 their place is only near.
        clamp((piece.as_ptr() as usize).saturating_sub(line.as_ptr() as usize))
            .min(clamp(text.len().saturating_sub(1)))
    };
    let mut tags = Tags::default();
    tags.push("FEN", position.trim(), offset(position));
    match rest {
        Rest::Columns(columns) => {
            for (column, number) in columns.split('\t').zip(2..) {
                let name = format!("Column{number}");
                tags.push(&name, column.trim(), offset(column));
            }
        }
        Rest::Operations(operations) => {
            for operation in operations
                .split(';')
                .map(str::trim)
                .filter(|o| !o.is_empty())
            {
                let (code, operand) = operation.split_once(' ').unwrap_or((operation, ""));
                let value = operand.trim().trim_matches('"');
                tags.push(&name_of(code), value, offset(operation));
            }
        }
    }
    let board = sniff::board(line.as_bytes()).unwrap_or_default();
    let writer = if is_ren(board, position) {
        (
            Dialect::Ren,
            "a position with White's first rank first".to_owned(),
        )
    } else {
        (Dialect::Epd, "a position on a line of its own".to_owned())
    };
    Record {
        tags,
        writer: Some(writer),
        ..Record::default()
    }
}

enum Rest<'a> {
    Columns(&'a str),
    Operations(&'a str),
}

/// The fields of the position and the operations behind them. Fields are told by their looks, since there may be from
/// one to eight of them.
fn split(line: &str) -> (&str, Rest<'_>) {
    let mut end = 0;
    let mut at = 0;
    for (index, word) in line.split(' ').enumerate() {
        let is_field = match index {
            0 => true,
            _ if word.is_empty() => true,
            1 => matches!(word, "w" | "b" | "W" | "B"),
            _ => is_field(word),
        };
        if !is_field {
            break;
        }
        at += word.len();
        end = at;
        at += 1;
    }
    (&line[..end], Rest::Operations(line[end..].trim_start()))
}

fn is_field(word: &str) -> bool {
    let only = |allowed: &str| word.chars().all(|c| allowed.contains(c));
    word == "-"
        || only("DEdeBGbg")
        || only("0123456789+")
        // REN: lost rights, counts, captured men.
        || only("-hq.")
        || word.starts_with('-') && only("-.@0123456789")
        || word.ends_with('-') && only("-.@0123456789")
        || word.contains('@') && only("-.@0123456789")
        || word.len() <= 32 && only("bhgqkftBHGQKFT")
}

fn is_ren(board: &[u8], position: &str) -> bool {
    let has = |letters: &[u8]| board.iter().any(|b| letters.contains(b));
    has(b"hH") && has(b"gG")
        || position.contains(" ---- ")
        || position.contains(" -.")
        || position.contains("@")
}

fn name_of(code: &str) -> Cow<'static, str> {
    match code {
        "variant" => Cow::Borrowed("Variant"),
        "id" => Cow::Borrowed("Event"),
        _ => Cow::Owned(code.to_owned()),
    }
}
